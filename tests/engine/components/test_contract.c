/* What every built-in component has, or says in its table that it needs none of: a derivative, a
 * kernel for lanes, a check of its promise, a rule for mirroring, a way to be drawn. */
#include "evaluate/batch_internal.h"
#include "minunit.h"
#include "owned.h"
#include "patient.h"
#include "scratch.h"
#include "sinew/modules.h"

static const sinew_component_class bare = { .name = "bare" };

/* what a class neither has nor does without; "" where nothing */
static const char *lacks(const sinew_component_class *cls) {
  static char text[256];
  bool lanes = si_lanes_four.kernel(cls) != si_lanes_four.kernel(&bare);
  bool eight = !si_lanes_eight.width ||
               lanes == (si_lanes_eight.kernel(cls) != si_lanes_eight.kernel(&bare));
  const struct {
    bool has;
    unsigned without;
    const char *what;
  } parts[] = {
    { cls->tangent != NULL, SINEW_WITHOUT_TANGENT, "tangent" },
    { lanes, SINEW_WITHOUT_LANES, "a kernel in lanes/block.h" },
    { cls->verify != NULL, SINEW_WITHOUT_VERIFY, "verify" },
  };
  text[0] = '\0';
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    bool without = cls->without & parts[i].without;
    if (parts[i].has == without)
      snprintf(text + strlen(text), sizeof text - strlen(text), " %s %s;",
               without ? "says it does without, but has" : "lacks", parts[i].what);
  }
  if (!eight) strcat(text, " has a kernel for one width of lanes only;");
  if (cls->drawing == SINEW_DRAWN_UNSAID) strcat(text, " does not say how it is drawn;");
  return text;
}

MU_TEST(contract_of_every_component_is_kept) {
  for (int i = 0; sinew_catalog(i); i++)
    MU_CHECK_SAY(!*lacks(sinew_catalog(i)), "%s:%s", sinew_catalog(i)->name,
                 lacks(sinew_catalog(i)));
  MU_TEXT(lacks(&bare),
          " lacks tangent; lacks a kernel in lanes/block.h; lacks verify; does not say "
          "how it is drawn;");
  sinew_component_class said = bare;
  said.drawing = SINEW_DRAWN_NOT;
  said.without = SINEW_WITHOUT_TANGENT | SINEW_WITHOUT_LANES | SINEW_WITHOUT_VERIFY;
  MU_TEXT(lacks(&said), "");
  said.verify = sinew_catalog_find("cone")->verify;
  MU_TEXT(lacks(&said), " says it does without, but has verify;");
}

MU_TEST(contract_requires_documentation) {
  for (int i = 0; sinew_catalog(i); i++) {
    const sinew_component_class *cls = sinew_catalog(i);
    const sinew_port_desc *const lists[] = { cls->inputs, cls->outputs };
    MU_CHECK_SAY(cls->doc && *cls->doc, "%s has no doc", cls->name);
    for (int k = 0; k < 2; k++)
      for (const sinew_port_desc *p = lists[k]; p && p->name; p++)
        MU_CHECK_SAY(p->doc && *p->doc && p->unit, "%s.%s has no doc or unit", cls->name, p->name);
    for (const sinew_param_desc *p = cls->params; p && p->name; p++)
      MU_CHECK_SAY(p->doc && *p->doc, "%s.%s has no doc", cls->name, p->name);
  }
}

/* the rules stand in lua/sinew/mirror_rules.lua; an empty one is for a class that says so */
MU_TEST(contract_of_mirroring_is_kept) {
  char script[4096] = "local rules = require 'sinew.mirror_rules'.kinds\nlocal wrong = {}\n",
       folder[4096];
  MU_CHECK(sinew_module_folder(folder, sizeof folder) && scratch_open());
  for (int i = 0; sinew_catalog(i); i++)
    snprintf(script + strlen(script), sizeof script - strlen(script),
             "if not rules.%s or (next(rules.%s) == nil) ~= %s then wrong[#wrong + 1] = '%s' end\n",
             sinew_catalog(i)->name, sinew_catalog(i)->name,
             sinew_catalog(i)->without & SINEW_WITHOUT_MIRROR ? "true" : "false",
             sinew_catalog(i)->name);
  strcat(script, "if #wrong > 0 then error('no rule for ' .. table.concat(wrong, ', '), 0) end\n"
                 "return require 'sinew'.rig 'empty'\n");
  scratch_text("contract.lua", script);
  sinew_host_desc desc = patient_host_desc();
  desc.modules = folder;
  sinew_error error;
  OWNED(host) *host = sinew_host_create(&desc, &error);
  sinew_status status = sinew_host_load(host, scratch_path("contract.lua"), &error);
  scratch_close();
  MU_CHECK_SAY(status >= 0, "%s", error.text);
}

MU_SUITE(contract)

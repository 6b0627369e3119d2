/* Tunings: the file beside a rig's script is read and watched by the host, and live changes are
 * written back as Lua that gives the same bits. */
#include "fixture.h"
#include "hostile.h"
#include "make.h"
#include "minunit.h"
#include "owned.h"
#include "patient.h"
#include "scarce.h"
#include "scratch.h"
#include "sinew/tuning.h"

#include <fcntl.h>
#include <float.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define DOOR                                                                                       \
  "local sinew = require 'sinew'\n"                                                                \
  "local rig = sinew.rig 'door'\n"                                                                 \
  "local frame = rig:segment 'frame'\n"                                                            \
  "local leaf = rig:segment('leaf', { parent = frame, at = {1, 0, 0} })\n"                         \
  "local hinge = rig:joint_set 'hinge'\n"                                                          \
  "local turn = hinge:dof('turn', { min = -90, max = 90 })\n"                                      \
  "leaf:drive(hinge:rotation { turn, name = 'swing', axis = {0, 1, 0} })\n"                        \
  "hinge:map { turn, name = 'bend', angle = sinew.linear { {0, 0}, {1, 1} } }\n"                   \
  "hinge:rotation { 30, name = 'still', axis = {1, 0, 0} }\n"                                      \
  "return rig\n"

static double now = 100;
static long ticks;

static void save(const char *name, const char *text) {
  scratch_text(name, text);
  ticks += 1000;
  struct timespec times[2] = { { 2000, ticks }, { 2000, ticks } };
  utimensat(AT_FDCWD, scratch_path(name), times, 0);
}

static sinew_host *open_host(const char *tuning) {
  sinew_host_desc desc = patient_host_desc();
  desc.load_seconds = desc.eval_seconds = 600;
  desc.modules = "lua";
  desc.tuning = tuning;
  return sinew_host_create(&desc, &error);
}

/* a host with this rig, or NULL with the message printed */
static sinew_host *open_rig(const char *path, const char *tuning) {
  sinew_host *host = open_host(tuning);
  if (host && sinew_host_load(host, path, &error) >= 0) return host;
  printf("%s\n", error.text);
  sinew_host_destroy(host);
  return NULL;
}

static sinew_host_news settle(sinew_host *host) {
  for (int i = 0; i < 40; i++) {
    now += 0.0625;
    sinew_host_news news = sinew_host_poll(host, now, &error);
    if (news == SINEW_HOST_RELOADED || news == SINEW_HOST_FAILED) return news;
  }
  return SINEW_HOST_SAME;
}

static float leaf_at(const sinew_host *host) {
  const sinew_rig *rig = sinew_host_rig(host);
  return sinew_rig_segment_info(rig, sinew_rig_find_segment(rig, "leaf", NULL)).rest[12];
}

/* one that is not there is not missed, but a link that leads nowhere is a mistake */
MU_TEST(a_tuning_that_is_a_broken_link_is_an_error) {
  MU_CHECK(scratch_open());
  save("door.lua", DOOR);
  static const char *const targets[][2] = { { "nowhere", "No such file" },
                                            { "door.tuning.lua", "Too many levels" } };
  for (int i = 0; i < 2; i++) {
    MU_INT(symlink(targets[i][0], scratch_path("door.tuning.lua")), 0);
    MU_CHECK(!open_rig(scratch_path("door.lua"), NULL));
    MU_HAS(error.text, "door.tuning.lua': ");
    MU_HAS(error.text, targets[i][1]);
    unlink(scratch_path("door.tuning.lua"));
  }
  scratch_close();
}

MU_TEST(host_watches_the_tuning_beside_a_script) {
  MU_CHECK(scratch_open());
  save("door.lua", DOOR);
  OWNED(host) *host = MU_MADE(open_rig(scratch_path("door.lua"), NULL));
  MU_NEAR(leaf_at(host), 1, 0);
  MU_INT(sinew_host_file_count(host), 1);
  MU_TEXT(sinew_host_tuning(host), scratch_path("door.tuning.lua"));
  MU_INT(settle(host), SINEW_HOST_SAME);

  /* the tuning is created, changed, broken, fixed and deleted */
  save("door.tuning.lua", "return { segments = { leaf = { at = {2, 0, 0} } } }\n");
  MU_INT(settle(host), SINEW_HOST_RELOADED);
  MU_NEAR(leaf_at(host), 2, 0);
  MU_INT(sinew_host_file_count(host), 2);
  save("door.tuning.lua", "return { segments = { leaf = { at = {3, 0, 0} } } }\n");
  MU_INT(settle(host), SINEW_HOST_RELOADED);
  MU_NEAR(leaf_at(host), 3, 0);
  save("door.tuning.lua", "return {\n  segments = {\n    leaf = { at = 3 },\n  },\n}\n");
  MU_INT(settle(host), SINEW_HOST_FAILED);
  MU_HAS(error.text, "door.tuning.lua:3: segment 'leaf': 'at' must be a vec3");
  MU_NEAR(leaf_at(host), 3, 0);
  MU_INT(sinew_host_eval(host, sinew_host_pose(host), NULL), SINEW_OK);
  save("door.tuning.lua", "return { segments = { leaf = { at = {4, 0, 0} } } }\n");
  MU_INT(settle(host), SINEW_HOST_RELOADED);
  MU_NEAR(leaf_at(host), 4, 0);
  unlink(scratch_path("door.tuning.lua"));
  MU_INT(settle(host), SINEW_HOST_RELOADED);
  MU_NEAR(leaf_at(host), 1, 0);
  MU_INT(settle(host), SINEW_HOST_SAME);

  /* with a broken script the tuning is still watched */
  save("door.lua", "error 'broken'");
  MU_INT(settle(host), SINEW_HOST_FAILED);
  save("door.tuning.lua", "return { segments = { leaf = { at = {5, 0, 0} } } }\n");
  MU_INT(settle(host), SINEW_HOST_FAILED);
  save("door.lua", DOOR);
  MU_INT(settle(host), SINEW_HOST_RELOADED);
  MU_NEAR(leaf_at(host), 5, 0);
  scratch_close();
}

MU_TEST(host_accepts_another_tuning_or_none) {
  MU_CHECK(scratch_open());
  save("door.lua", DOOR);
  save("door.tuning.lua", "return { segments = { leaf = { at = {2, 0, 0} } } }\n");
  save("tall.lua", "return { segments = { leaf = { at = {7, 0, 0} } } }\n");
  sinew_host *host = MU_MADE(open_rig(scratch_path("door.lua"), ""));
  MU_NEAR(leaf_at(host), 1, 0);
  MU_CHECK(!sinew_host_tuning(host));
  sinew_host_destroy(host);
  host = open_rig(scratch_path("door.lua"), scratch_path("tall.lua"));
  MU_CHECK(host);
  MU_NEAR(leaf_at(host), 7, 0);
  sinew_host_destroy(host);
  host = open_host(scratch_path("gone.lua"));
  MU_FAILS(sinew_host_load(host, scratch_path("door.lua"), &error), SINEW_ERR_FILE, "gone.lua");
  /* the host waits for it */
  save("gone.lua", "return {}");
  MU_INT(settle(host), SINEW_HOST_RELOADED);
  sinew_host_destroy(host);
  scratch_close();
}

MU_TEST(mistakes_in_a_tuning_are_reported_with_file_and_line) {
  static const struct {
    const char *text, *message;
  } cases[] = {
    { "return {\n  components = {\n", "door.tuning.lua:3: unexpected symbol near <eof>" },
    { "\nreturn nothing.here", "door.tuning.lua:2: attempt to index" },
    { "local x = 1", "the script returns nothing: it must end by returning its table" },
    { "return 3", "a tuning must be a table, not number" },
    { "return require 'sinew'.rig 'x'", "a tuning must be a table, not rig" },
    { "return {\n  component = {},\n}", "door.tuning.lua:2: tuning has no option 'component'" },
    { "return {\n components = {\n  ['hinge.swinge'] = { },\n } }",
      "door.tuning.lua:3: rig 'door' has no component 'hinge.swinge' (did you mean "
      "'hinge.swing'?)" },
    { "return {\n components = {\n  ['hinge.swing'] = {\n   axis = { 0, 0, 0 } } } }",
      "door.tuning.lua:4: " },
    { "return {\n components = {\n  ['hinge.swing'] = {\n   axis = { 0, 0, 0 } } } }",
      "'axis' is zero" },
    { "return {\n\n dofs = {\n  ['hinge.turn'] = { min = 100 } } }", "door.tuning.lua:4: " },
    { "return { segments = {\n leaf = { rest = { 2,0,0,0, 0,2,0,0, 0,0,2,0, 0,0,0,1 } } } }",
      "door.tuning.lua:2: " },
    { "return { segments = {\n leaf = { at = { 0/0, 0, 0 } } } }", "is not finite" },
    { "while true do end", "took more than" },
    { "return { [('x'):rep(1 << 28)] = 1 }", "door.tuning.lua:1: " },
    { "return setmetatable({}, { __index = function() while true do end end })",
      "must be a plain table, without metatable" },
    { "return { components = setmetatable({}, { __pairs = error }) }", "must be a plain table" },
    { "return { components = { ['hinge.swing'] = { axis = print } } }", "must be a vec3" },
    { "\x1bLua", "is bytecode" },
    { "", "returns nothing" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    size_t blocks = sinew_live_blocks();
    MU_CHECK(scratch_open());
    save("door.lua", DOOR);
    sinew_host_desc desc = patient_host_desc();
    desc.load_seconds = desc.eval_seconds = 600;
    desc.load_instructions = 300000;
    desc.memory = 16 << 20;
    sinew_host *host = sinew_host_create(&desc, &error);
    MU_INT(sinew_host_load(host, scratch_path("door.lua"), &error), SINEW_OK);
    save("door.tuning.lua", cases[i].text);
    const sinew_rig *rig = sinew_host_rig(host);
    MU_CHECK(sinew_host_load(host, scratch_path("door.lua"), &error) < 0);
    MU_HAS(error.text, cases[i].message);
    MU_HAS(error.text, "door.tuning.lua");
    MU_CHECK(sinew_host_rig(host) == rig);
    sinew_host_destroy(host);
    scratch_close();
    MU_INT(sinew_live_blocks(), blocks);
  }
}

MU_TEST(hostile_scripts_are_refused_as_a_tuning) {
  static hostile_list scripts;
  hostile_open(&scripts, "tests/lua/hostile", "");
  MU_CHECK(scripts.count > 100);
  int step =
      scripts.count / mu_rounds(scripts.count) + 5; /* the sandbox's own tests run all cases */
  for (int i = 0; i < scripts.count; i += step) {
    const si_sandbox_desc *limits = &scripts.cases[i].limits;
    sinew_host_desc desc = patient_host_desc();
    desc.load_seconds = desc.eval_seconds = limits->load.seconds;
    desc.load_instructions = desc.eval_instructions = limits->load.instructions;
    desc.memory = limits->memory;
    desc.tuning = scripts.cases[i].path;
    size_t blocks = sinew_live_blocks();
    sinew_host *host = sinew_host_create(&desc, &error);
    sinew_status status = sinew_host_load(host, "tests/lua/hostile_rigs/good/good.lua", &error);
    sinew_host_destroy(host);
    MU_CHECK_SAY(status < 0, "%s ended well", scripts.cases[i].where);
    MU_INT(sinew_live_blocks(), blocks);
  }
  hostile_close();
}

static sinew_component component(const sinew_host *host, const char *name) {
  return sinew_rig_find_component(sinew_host_rig(host), name, NULL);
}

MU_TEST(a_tuning_is_printed_as_lua_in_the_order_of_the_rig) {
  MU_CHECK(scratch_open());
  save("door.lua", DOOR);
  save("door.tuning.lua", "return { dofs = { ['hinge.turn'] = { max = 80 } }, components = {\n"
                          "['hinge.swing'] = { axis = {0, 0, 1} } } }\n");
  OWNED(host) *host = MU_MADE(open_rig(scratch_path("door.lua"), NULL));
  sinew_rig *rig = sinew_host_rig(host);
  OWNED(tuning) *t = sinew_tuning_create(host, &error);
  MU_INT(sinew_tuning_count(t), 2);
  sinew_segment leaf = sinew_rig_find_segment(rig, "leaf", NULL);
  sinew_segment frame = sinew_rig_find_segment(rig, "frame", NULL);
  sinew_dof turn = sinew_rig_dof(rig, 0);
  sinew_component swing = component(host, "hinge.swing"), bend = component(host, "hinge.bend");
  sinew_component still = component(host, "hinge.still");
  float rest[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1.5f, 0.1f, -2e-7f, 1 };
  float turned[16] = { 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1 };
  float angle = 35;
  MU_INT(sinew_rig_set_rest(rig, leaf, rest, &error), SINEW_OK);
  MU_INT(sinew_rig_set_rest(rig, frame, turned, &error), SINEW_OK);
  MU_INT(sinew_rig_set_constant(rig, still, 0, &angle, &error), SINEW_OK);
  MU_INT(sinew_tuning_note_rest(t, leaf, &error), SINEW_OK);
  MU_INT(sinew_tuning_note_rest(t, frame, &error), SINEW_OK);
  MU_INT(sinew_tuning_note_rest(t, frame, &error), SINEW_OK);
  MU_INT(sinew_tuning_note_param(t, bend, "angle", &error), SINEW_OK);
  MU_INT(sinew_tuning_note_param(t, still, "angle", &error), SINEW_OK);
  MU_INT(sinew_tuning_note_param(t, still, "angles", &error), SINEW_OK);
  MU_TEXT(sinew_tuning_text(t, &error),
          "-- Values for a rig other than its script gives; see rig:tune.\n"
          "local sinew = require \"sinew\"\n"
          "\n"
          "return {\n"
          "  components = {\n"
          "    [\"hinge.swing\"] = {\n"
          "      axis = {0, 0, 1},\n"
          "    },\n"
          "    [\"hinge.bend\"] = {\n"
          "      angle = sinew.linear { {0, 0}, {1, 1} },\n"
          "    },\n"
          "    [\"hinge.still\"] = {\n"
          "      angles = false,\n"
          "      angle = 35,\n"
          "    },\n"
          "  },\n"
          "  segments = {\n"
          "    frame = { rest = {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1} },\n"
          "    leaf = { at = {1.5, 0.1, -2e-07}, turn = {0, 0, 0, 1} },\n"
          "  },\n"
          "  dofs = {\n"
          "    [\"hinge.turn\"] = { min = -90, max = 80, rest = 0 },\n"
          "  },\n"
          "}\n");
  MU_TEXT(sinew_tuning_param_text(t, swing, "axis", &error), "axis = {0, 0, 1}");
  MU_TEXT(sinew_tuning_param_text(t, still, NULL, &error), "axis = {1, 0, 0},\nangle = 35,\n");
  MU_TEXT(sinew_tuning_rest_text(t, leaf, &error), "at = {1.5, 0.1, -2e-07}, turn = {0, 0, 0, 1}");
  MU_TEXT(sinew_tuning_dof_text(t, turn, &error), "min = -90, max = 80, rest = 0");

  /* changes are taken back */
  MU_CHECK(sinew_tuning_has_rest(t, leaf) && sinew_tuning_has_dof(t, turn));
  MU_CHECK(sinew_tuning_has_param(t, swing, NULL) && !sinew_tuning_has_param(t, swing, "angles"));
  sinew_tuning_forget_rest(t, leaf);
  sinew_tuning_forget_rest(t, frame);
  sinew_tuning_forget_rest(t, frame);
  sinew_tuning_forget_dof(t, turn);
  sinew_tuning_forget_param(t, swing, "axis");
  sinew_tuning_forget_param(t, bend, "angle");
  sinew_tuning_forget_param(t, still, "angle");
  MU_INT(sinew_tuning_count(t), 1);
  MU_TEXT(sinew_tuning_text(t, &error),
          "-- Values for a rig other than its script gives; see rig:tune.\n"
          "return {\n  components = {\n    [\"hinge.still\"] = {\n      angles = false,\n    },\n"
          "  },\n}\n");
  MU_INT(sinew_tuning_clear(t, &error), SINEW_OK);
  MU_INT(sinew_tuning_count(t), 2);

  /* names that do not exist */
  MU_FAILS_AS(sinew_tuning_note_param(t, swing, "axes", &error), SINEW_ERR_NAME,
              "component 'hinge.swing' has no parameter or constant 'axes' (did you mean "
              "'axis'?)");
  MU_INT(sinew_tuning_note_param(t, swing, "angle", &error),
         SINEW_ERR_NAME); /* the input is wired */
  MU_REFUSED(sinew_tuning_param_text(t, bend, "angel", &error), "(did you mean 'angle'?)");
  scratch_close();
}

MU_TEST(tuning_written_beside_the_script_survives_a_reload) {
  MU_CHECK(scratch_open());
  save("door.lua", DOOR);
  sinew_host *host = MU_MADE(open_rig(scratch_path("door.lua"), NULL));
  sinew_tuning *t = sinew_tuning_create(host, &error);
  float rest[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 6, 0, 0, 1 };
  sinew_segment leaf = sinew_rig_find_segment(sinew_host_rig(host), "leaf", NULL);
  sinew_rig_set_rest(sinew_host_rig(host), leaf, rest, NULL);
  sinew_tuning_note_rest(t, leaf, NULL);
  MU_INT(sinew_tuning_write(t, NULL, &error), SINEW_OK);
  MU_INT(settle(host), SINEW_HOST_RELOADED);
  MU_NEAR(leaf_at(host), 6, 0);
  /* noted changes carry over to the new rig */
  sinew_rig *rig = sinew_host_rig(host);
  MU_INT(sinew_rig_set_dof_range(rig, sinew_rig_dof(rig, 0), -1, 1, 0, NULL), SINEW_OK);
  sinew_tuning_note_dof(t, sinew_rig_dof(rig, 0), NULL);
  MU_INT(sinew_tuning_write(t, NULL, &error), SINEW_OK);
  MU_INT(settle(host), SINEW_HOST_RELOADED);
  MU_NEAR(leaf_at(host), 6, 0);
  rig = sinew_host_rig(host);
  MU_NEAR(sinew_rig_dof_info(rig, sinew_rig_dof(rig, 0)).max, 1, 0);
  MU_INT(sinew_tuning_clear(t, &error), SINEW_OK);
  MU_INT(sinew_tuning_count(t), 2);
  /* what the rig no longer has is left out */
  save("door.tuning.lua", "return {}");
  save("door.lua", "local rig = require 'sinew'.rig 'other'\nrig:segment 'leaf'\nreturn rig");
  MU_INT(settle(host), SINEW_HOST_RELOADED);
  MU_HAS(sinew_tuning_text(t, &error), "leaf = { at = {0, 0, 0}, turn = {0, 0, 0, 1} }");
  MU_CHECK(!strstr(sinew_tuning_text(t, &error), "dofs"));
  MU_INT(sinew_tuning_write(t, scratch_path("no/such/folder.lua"), &error), SINEW_ERR_FILE);
  sinew_tuning_destroy(t);
  sinew_host_destroy(host);
  host = open_rig(scratch_path("door.lua"), "");
  t = sinew_tuning_create(host, &error);
  MU_INT(sinew_tuning_write(t, NULL, &error), SINEW_ERR_FILE);
  sinew_tuning_destroy(t);
  sinew_host_destroy(host);
  scratch_close();
}

/* round trips: every value of a rig is changed a little, written, and read by another host */

static bool same_param(const sinew_param *a, const sinew_param *b) {
  if (strcmp(a->name, b->name) != 0 || a->type != b->type || a->count != b->count) return false;
  size_t each = a->type == SINEW_PARAM_VECTORS ? 3 : 1;
  if (a->numbers && memcmp(a->numbers, b->numbers, (size_t)a->count * each * sizeof(float)) != 0)
    return false;
  if (a->text && strcmp(a->text, b->text) != 0) return false;
  if (memcmp(a->number, b->number, sizeof a->number) != 0) return false;
  if (!a->curve) return true;
  sinew_curve_desc c = sinew_curve_describe(a->curve), d = sinew_curve_describe(b->curve);
  /* scale and offset are folded into the value */
  if (c.kind == SINEW_CURVE_CONSTANT)
    return d.kind == c.kind &&
           sinew_curve_eval(a->curve, 0, NULL) == sinew_curve_eval(b->curve, 0, NULL);
  bool same = c.kind == d.kind && c.outside == d.outside && c.point_count == d.point_count &&
              c.coefficient_count == d.coefficient_count && c.scale == d.scale &&
              c.offset == d.offset;
  same = same && (!c.point_count ||
                  memcmp(c.points, d.points, 2 * (size_t)c.point_count * sizeof(float)) == 0);
  return same && (!c.coefficient_count || memcmp(c.coefficients, d.coefficients,
                                                 (size_t)c.coefficient_count * sizeof(float)) == 0);
}

/* changes the values of a parameter a little; false if it has no numbers. `room` and `curve` hold
 * what it points to */
static bool nudge(uint32_t *seed, sinew_param *p, float *room, sinew_curve **curve) {
  size_t count = 0;
  float *numbers = p->number;
  switch (p->type) {
  case SINEW_PARAM_NUMBER: count = 1; break;
  case SINEW_PARAM_VECTOR: count = 3; break;
  case SINEW_PARAM_NUMBERS: count = (size_t)p->count; break;
  case SINEW_PARAM_VECTORS: count = 3 * (size_t)p->count; break;
  default: break;
  }
  if (p->numbers) {
    memcpy(room, p->numbers, count * sizeof *room);
    p->numbers = numbers = room;
  }
  for (size_t i = 0; i < count; i++)
    numbers[i] =
        numbers[i] * make_between(seed, 0.999f, 1.001f) + make_between(seed, -1e-5f, 1e-5f);
  if (p->type != SINEW_PARAM_CURVE) return count > 0;
  sinew_curve_desc d = sinew_curve_describe(p->curve);
  d.scale *= make_between(seed, 0.9f, 1.1f);
  p->curve = *curve = sinew_curve_create(&d, NULL);
  return *curve != NULL;
}

/* changes what it can of the host's rig, and notes every change; returns how many were accepted */
static int disturb(sinew_host *host, sinew_tuning *t, uint32_t *seed) {
  static float room[4096];
  sinew_rig *rig = sinew_host_rig(host);
  int taken = 0;
  for (int i = 0; i < sinew_rig_component_count(rig); i++) {
    sinew_component c = sinew_rig_component(rig, i);
    for (int k = 0; k < sinew_rig_component_info(rig, c).param_count; k++) {
      sinew_param p = *sinew_rig_param(rig, c, k);
      if (p.type == SINEW_PARAM_OBJECT) continue;
      char name[128];
      snprintf(name, sizeof name, "%s", p.name);
      OWNED(curve) *curve = NULL;
      p.name = name;
      if (nudge(seed, &p, room, &curve))
        taken += sinew_host_set_params(host, c, &p, 1, NULL) == SINEW_OK;
      if (sinew_tuning_note_param(t, c, name, &error) < 0) return -1;
    }
    for (int k = 0; k < sinew_rig_component_info(rig, c).input_count; k++) {
      char name[64];
      sinew_rig_input_name(rig, c, k, name, sizeof name);
      const float *constant = sinew_rig_constant(rig, c, k);
      float value[16];
      if (!constant || sinew_tuning_note_param(t, c, name, NULL) < 0) continue;
      memcpy(value, constant, sizeof value);
      value[0] += 1 / 3.0f;
      taken += sinew_rig_set_constant(rig, c, k, value, NULL) == SINEW_OK;
    }
  }
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    float rest[16];
    sinew_segment s = sinew_rig_segment(rig, i);
    memcpy(rest, sinew_rig_segment_info(rig, s).rest, sizeof rest);
    for (int k = 12; k < 15; k++) rest[k] += make_between(seed, -0.01f, 0.01f);
    taken += sinew_rig_set_rest(rig, s, rest, NULL) == SINEW_OK;
    sinew_tuning_note_rest(t, s, NULL);
  }
  for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
    sinew_dof_info d = sinew_rig_dof_info(rig, sinew_rig_dof(rig, i));
    float share = make_between(seed, 0.5f, 1);
    taken += sinew_rig_set_dof_range(rig, sinew_rig_dof(rig, i), d.rest + share * (d.min - d.rest),
                                     d.max, d.rest, NULL) == SINEW_OK;
    sinew_tuning_note_dof(t, sinew_rig_dof(rig, i), NULL);
  }
  return taken;
}

/* the first difference between two rigs, or NULL */
static const char *difference(const sinew_rig *a, const sinew_rig *b) {
  for (int i = 0; i < sinew_rig_component_count(a); i++) {
    sinew_component c = sinew_rig_component(a, i);
    const sinew_component_info info = sinew_rig_component_info(a, c);
    if (sinew_rig_component_info(b, c).param_count != info.param_count) return info.name;
    for (int k = 0; k < info.param_count; k++)
      if (sinew_rig_param(a, c, k)->type != SINEW_PARAM_OBJECT &&
          !same_param(sinew_rig_param(a, c, k), sinew_rig_param(b, c, k)))
        return sinew_rig_param(a, c, k)->name;
  }
  for (int i = 0; i < sinew_rig_segment_count(a); i++) {
    const sinew_segment_info s = sinew_rig_segment_info(a, sinew_rig_segment(a, i));
    if (memcmp(s.rest, sinew_rig_segment_info(b, sinew_rig_segment(b, i)).rest, 64) != 0)
      return s.name;
  }
  for (int i = 0; i < sinew_rig_dof_count(a); i++) {
    sinew_dof_info d = sinew_rig_dof_info(a, sinew_rig_dof(a, i));
    sinew_dof_info e = sinew_rig_dof_info(b, sinew_rig_dof(b, i));
    if (d.min != e.min || d.max != e.max || d.rest != e.rest) return d.name;
  }
  return NULL;
}

/* the largest difference between the poses of two hosts */
static double apart(sinew_host *a, sinew_host *b, uint32_t *seed, int rounds) {
  double worst = 0;
  sinew_host *of[2] = { a, b };
  sinew_rig *rig = sinew_host_rig(a);
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
      sinew_dof_info d = sinew_rig_dof_info(rig, sinew_rig_dof(rig, i));
      float value = make_between(seed, d.min, d.max);
      for (int k = 0; k < 2; k++)
        sinew_pose_set(sinew_host_pose(of[k]), sinew_rig_dof(rig, i), value, NULL);
    }
    for (int k = 0; k < 2; k++)
      if (sinew_host_eval(of[k], sinew_host_pose(of[k]), &error) < 0) return INFINITY;
    for (int i = 0; i < 16 * sinew_rig_segment_count(rig); i++) {
      double off = fabs((double)sinew_pose_worlds(sinew_host_pose(a))[i] -
                        (double)sinew_pose_worlds(sinew_host_pose(b))[i]);
      if (!(off <= worst)) worst = off;
    }
  }
  return worst;
}

static void round_trip(const char *path, int rounds) {
  uint32_t seed = 80;
  size_t blocks = sinew_live_blocks();
  MU_CHECK(scratch_open());
  sinew_host *host = MU_MADE(open_rig(path, ""));
  sinew_tuning *t = sinew_tuning_create(host, &error);
  const char *written = scratch_path("written.lua");
  for (int round = 0; round < rounds; round++) {
    int taken = disturb(host, t, &seed);
    MU_CHECK_SAY(taken > sinew_rig_dof_count(sinew_host_rig(host)), "%s: %d changes taken", path,
                 taken);
    MU_CHECK_SAY(sinew_tuning_write(t, written, &error) == SINEW_OK, "%s", error.text);
    OWNED(host) *other = MU_MADE(open_rig(path, written));
    const char *differs = difference(sinew_host_rig(host), sinew_host_rig(other));
    double off = apart(host, other, &seed, mu_rounds(10));
    OWNED(tuning) *again = sinew_tuning_create(other, &error);
    bool same = strcmp(sinew_tuning_text(t, NULL), sinew_tuning_text(again, NULL)) == 0;
    MU_CHECK_SAY(!differs, "%s: '%s' has not come back", path, differs);
    MU_CHECK_SAY(off <= 1e-6, "%s: poses are %g apart", path, off);
    MU_CHECK_SAY(same, "%s: written again it is another text", path);
  }
  sinew_tuning_destroy(t);
  sinew_host_destroy(host);
  scratch_close();
  MU_INT(sinew_live_blocks(), blocks);
}

MU_TEST(every_kind_of_value_reads_back_unchanged) {
  round_trip("tests/lua/rigs/every_param.lua", mu_rounds(20));
}

MU_TEST(tuned_rigs_read_back_unchanged) {
  static const char *const rigs[] = { "knee",     "shoulder", "shoulder_scripted", "spine", "reach",
                                      "creature", "human" };
  int count = mu_rounds((int)(sizeof rigs / sizeof *rigs));
  for (int i = 0; i < count; i++) {
    char path[64];
    snprintf(path, sizeof path, "rigs/%s.lua", rigs[i]);
    round_trip(path, 1);
  }
}

MU_TEST(round_trip_covers_every_parameter_of_every_component) {
  OWNED(host) *host = MU_MADE(open_rig("tests/lua/rigs/every_param.lua", ""));
  const sinew_rig *rig = sinew_host_rig(host);
  for (int i = 0; sinew_catalog(i); i++)
    for (const sinew_param_desc *d = sinew_catalog(i)->params; d && d->name; d++) {
      bool covered = d->type == SINEW_PARAM_OBJECT;
      for (int k = 0; k < sinew_rig_component_count(rig) && !covered; k++) {
        sinew_component c = sinew_rig_component(rig, k);
        const sinew_component_info info = sinew_rig_component_info(rig, c);
        if (info.component_class != sinew_catalog(i)) continue;
        for (int n = 0; n < info.param_count; n++)
          covered |= strcmp(sinew_rig_param(rig, c, n)->name, d->name) == 0;
      }
      MU_CHECK_SAY(covered, "every_param.lua gives no %s.%s", sinew_catalog(i)->name, d->name);
    }
}

MU_TEST(a_field_cannot_be_written_as_lua) {
  OWNED(host) *host = MU_MADE(open_rig("rigs/field.lua", ""));
  OWNED(tuning) *t = sinew_tuning_create(host, &error);
  const sinew_rig *rig = sinew_host_rig(host);
  int refused = 0;
  for (int i = 0; i < sinew_rig_component_count(rig); i++) {
    sinew_component c = sinew_rig_component(rig, i);
    if (strcmp(sinew_rig_component_info(rig, c).component_class->name, "field") != 0) continue;
    MU_FAILS(sinew_tuning_note_param(t, c, "field", &error), SINEW_ERR_TYPE,
             "parameter 'field': a field cannot be written as Lua");
    refused++;
  }
  MU_CHECK(refused > 0);
  MU_INT(sinew_tuning_count(t), 0);
}

MU_TEST(a_scripted_component_follows_its_parameters) {
  OWNED(host) *host = MU_MADE(open_rig("tests/lua/rigs/every_param.lua", ""));
  sinew_component own = component(host, "set.own");
  sinew_pose *pose = sinew_host_pose(host);
  sinew_param off[] = { sinew_param_flag("on", false), sinew_param_text("label", "12345") };
  MU_INT(sinew_host_set_params(host, own, off, 2, &error), SINEW_OK);
  MU_INT(sinew_host_eval(host, pose, &error), SINEW_OK);
  MU_NEAR(sinew_pose_value(pose, own, 0)[12], 5, 0);
  sinew_param bad = sinew_param_vector("axis", 0, NAN, 0), none = sinew_param_none("k");
  MU_INT(sinew_host_set_params(host, own, &bad, 1, &error), SINEW_ERR_NOT_FINITE);
  MU_INT(sinew_host_set_params(host, own, &none, 1, &error), SINEW_ERR_VALUE);
  MU_INT(sinew_host_eval(host, pose, &error), SINEW_OK);
  MU_NEAR(sinew_pose_value(pose, own, 0)[12], 5, 0);
}

/* one run through everything; false if memory ran out */
static bool go_through(void) {
  OWNED(host) *host = open_host(NULL);
  bool ok = host && sinew_host_load(host, scratch_path("door.lua"), &error) >= 0;
  OWNED(tuning) *t = ok ? sinew_tuning_create(host, &error) : NULL;
  ok = t && sinew_tuning_note_param(t, component(host, "hinge.bend"), "angle", &error) >= 0 &&
       sinew_tuning_note_rest(t, (sinew_segment){ 2 }, &error) >= 0 &&
       sinew_tuning_note_dof(t, (sinew_dof){ 1 }, &error) >= 0 &&
       sinew_tuning_write(t, scratch_path("written.lua"), &error) >= 0;
  return ok;
}

MU_TEST(tuning_survives_failing_memory) {
  MU_CHECK(scratch_open());
  save("door.lua", DOOR);
  save("door.tuning.lua", "return { segments = { leaf = { at = {2, 0, 0} } } }\n");
  save("written.lua", "old");
  long allowed = 0, step = mu_rounds(20) > 1 ? 1 : 7;
  for (;; allowed += step) {
    scarce_memory(allowed);
    bool ok = go_through();
    size_t left = sinew_live_blocks();
    plenty_of_memory();
    MU_CHECK_SAY(left == 0, "allowed %ld: %zu blocks are left", allowed, left);
    char text[4] = "";
    FILE *file = fopen(scratch_path("written.lua"), "r");
    MU_CHECK(file && fread(text, 1, 3, file) == 3);
    fclose(file);
    MU_CHECK_SAY(strcmp(text, ok ? "-- " : "old") == 0, "allowed %ld: '%s' is written", allowed,
                 text);
    if (ok) break;
  }
  MU_CHECK(allowed > 20);
  scratch_close();
}

MU_SUITE(tuning)

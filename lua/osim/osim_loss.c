/* The list of losses: what an OpenSim file has and the rig does not. The reader reports what it
 * replaces; all other losses are elements that nothing has read. An element without content (no
 * text, false, zeros) is not a loss. */
#include "lua/osim/osim_model.h"

#include "base/alloc.h"

#include <stdarg.h>
#include <stdio.h>

static sinew_status count_loss(si_osim_model *m, const char *group, const char *label, bool named) {
  for (size_t i = 0; i < m->loss_count; i++) {
    si_osim_loss *loss = &m->losses[i];
    if (strcmp(loss->group, group) != 0 || strcmp(loss->label, label) != 0) continue;
    loss->count++;
    return SINEW_OK;
  }
  if (m->loss_count == SI_OSIM_LOSSES) {
    m->more_losses++;
    return SINEW_OK;
  }
  si_osim_loss loss = { .group = group, .count = 1, .named = named };
  loss.label = si_arena_text(&m->tree.arena, label, strlen(label));
  if (!loss.label || !si_grow((void **)&m->losses, &m->loss_room, m->loss_count + 1, sizeof loss))
    return si_fail_memory(m->error);
  m->losses[m->loss_count++] = loss;
  return SINEW_OK;
}

sinew_status si_osim_lose_named(si_osim_model *m, const char *group, const char *format, ...) {
  char label[256];
  va_list args;
  va_start(args, format);
  vsnprintf(label, sizeof label, format, args);
  va_end(args);
  return count_loss(m, group, label, true);
}

static const struct {
  const char *tag, *group;
} groups[] = {
  { "ForceSet", "forces and muscles" },
  { "ActuatorSet", "forces and muscles" },
  { "ControllerSet", "controllers" },
  { "ConstraintSet", "constraints" },
  { "ContactGeometrySet", "contact geometry" },
  { "ProbeSet", "probes" },
  { "ComponentSet", "components" },
  { "components", "components" },
  { "WrapObjectSet", "wrapping surfaces" },
  { "MarkerSet", "markers" },
  { "AnalysisSet", "analyses" },
  { "defaults", "prototypes" },
  { "groups", "groups" },
  { "attached_geometry", "drawing" },
  { "VisibleObject", "drawing" },
  { "FrameGeometry", "drawing" },
  { "Appearance", "drawing" },
  { "ModelVisualPreferences", "drawing" },
  { "mass", "masses and dynamics" },
  { "mass_center", "masses and dynamics" },
  { "inertia", "masses and dynamics" },
  { "inertia_xx", "masses and dynamics" },
  { "inertia_yy", "masses and dynamics" },
  { "inertia_zz", "masses and dynamics" },
  { "inertia_xy", "masses and dynamics" },
  { "inertia_xz", "masses and dynamics" },
  { "inertia_yz", "masses and dynamics" },
  { "gravity", "masses and dynamics" },
  { "force_units", "masses and dynamics" },
  { "default_speed_value", "masses and dynamics" },
  { "prescribed", "motion prescribed for coordinates" },
  { "prescribed_function", "motion prescribed for coordinates" },
};

static const char *group_of(const si_osim_node *node, const char *otherwise) {
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
    if (si_osim_is(node, groups[i].tag)) return groups[i].group;
  return otherwise;
}

/* lists: their items are reported, not the lists */
static bool is_list(const si_osim_node *node) {
  static const char *const lists[] = { "objects",           "groups",   "components",
                                       "attached_geometry", "defaults", "frames" };
  size_t length = strlen(node->tag);
  if (length > 3 && strcmp(node->tag + length - 3, "Set") == 0) return true;
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    if (si_osim_is(node, lists[i])) return true;
  return false;
}

static bool says_nothing(const si_osim_node *node) {
  for (const si_osim_node *child = node->child; child; child = child->next)
    if (!says_nothing(child)) return false;
  return strcmp(node->text, "false") == 0 || strspn(node->text, "0. \t\r\n-") == strlen(node->text);
}

/* elements are at most SI_XML_DEPTH deep, so this is too */
static sinew_status walk(si_osim_model *m, const si_osim_node *node, const char *group) {
  sinew_status status = SINEW_OK;
  for (const si_osim_node *child = node->child; child && status == SINEW_OK; child = child->next) {
    if (*child->file) status = si_osim_lose_named(m, "files that are not read", "%s", child->file);
    if (status != SINEW_OK) return status;
    if (child->seen)
      status = walk(m, child, group_of(child, group));
    else if (is_list(child) && child->child)
      status = walk(m, child, group_of(child, group));
    else if (!says_nothing(child) || (*child->name && is_list(node)))
      status = count_loss(m, group_of(child, group), child->tag, false);
  }
  return status;
}

sinew_status si_osim_lose_rest(si_osim_model *m) { return walk(m, m->tree.root, "other"); }

/* Data that glTF cannot express, in `extras` under the key "sinew": DOFs with their ranges and
 * joint sets at the root, and at each segment what drives it. See lua/docs/gltf.md. */
#include <string.h>

#include "interchange/gltf_write.h"

enum { VERSION = 1 };

static void member(si_text *t, const char *key, const char *value) {
  si_text_format(t, ",\"%s\":", key);
  si_text_quoted(t, value);
}

static void number(si_text *t, const char *key, float value) {
  si_text_format(t, ",\"%s\":", key);
  si_text_number(t, value);
}

/* a comma, except at the start of a list */
static void next(si_text *t, bool *first) {
  if (!*first) si_text_add(t, ",");
  *first = false;
}

static void add_dof(const sinew_gltf *g, int index, si_text *t) {
  sinew_dof_info info = sinew_rig_dof_info(g->rig, sinew_rig_dof(g->rig, index));
  si_text_add(t, "{\"name\":");
  si_text_quoted(t, info.name);
  if (g->labels[index]) member(t, "label", g->labels[index]);
  member(t, "unit", info.unit ? info.unit : "deg");
  number(t, "min", info.min);
  number(t, "max", info.max);
  number(t, "rest", info.rest);
  number(t, "value", g->values[index]);
  if (info.stiffness > 0) number(t, "stiffness", info.stiffness);
  si_text_add(t, "}");
}

static void add_set(const sinew_gltf *g, sinew_joint_set set, si_text *t) {
  bool first = true;
  si_text_add(t, "{\"name\":");
  si_text_quoted(t, sinew_rig_joint_set_name(g->rig, set));
  si_text_add(t, ",\"dofs\":[");
  for (int i = 0; i < (int)g->dofs; i++) {
    sinew_dof_info info = sinew_rig_dof_info(g->rig, sinew_rig_dof(g->rig, i));
    if (info.joint_set.id != set.id) continue;
    next(t, &first);
    si_text_quoted(t, info.name);
  }
  si_text_add(t, "],\"segments\":[");
  first = true;
  for (int i = 0; i < (int)g->segments; i++) {
    sinew_segment_info info = sinew_rig_segment_info(g->rig, sinew_rig_segment(g->rig, i));
    /* a segment belongs to the joint set of its driver, if it has one */
    sinew_joint_set its = info.joint_set;
    if (info.driver.id) its = sinew_rig_component_info(g->rig, info.driver).joint_set;
    if (its.id != set.id) continue;
    next(t, &first);
    si_text_quoted(t, info.name);
  }
  si_text_add(t, "]}");
}

void si_gltf_rig_extras(const sinew_gltf *g, si_text *t) {
  bool first = true;
  si_text_format(t, "\"sinew\":{\"version\":%d,\"rig\":", VERSION);
  si_text_quoted(t, sinew_rig_name(g->rig));
  si_text_add(t, ",\"dofs\":[");
  for (int i = 0; i < (int)g->dofs; i++) {
    next(t, &first);
    add_dof(g, i, t);
  }
  si_text_add(t, "],\"joint_sets\":[");
  first = true;
  for (int i = 0; i < sinew_rig_joint_set_count(g->rig); i++) {
    next(t, &first);
    add_set(g, sinew_rig_joint_set(g->rig, i), t);
  }
  si_text_add(t, "]}");
}

/* marks the driver and all components it depends on: in reverse evaluation order, each component
 * comes after those that read it */
static void mark_sources(const sinew_rig *rig, sinew_component driver, unsigned char *seen) {
  const int count = sinew_rig_component_count(rig);
  memset(seen, 0, (size_t)count);
  seen[driver.id - 1] = 1;
  for (int i = count; i-- > 0;) {
    sinew_component component = sinew_rig_order(rig, i);
    if (!seen[component.id - 1]) continue;
    const int inputs = sinew_rig_component_info(rig, component).input_count;
    for (int k = 0; k < inputs; k++) {
      sinew_component source = sinew_rig_input(rig, component, k).component;
      if (source.id) seen[source.id - 1] = 1;
    }
  }
}

static void add_driver(const sinew_gltf *g, const sinew_segment_info *info, unsigned char *seen,
                       bool *sources, si_text *t) {
  char port[128];
  bool first = true;
  sinew_rig_output_name(g->rig, info->driver, info->driver_output, port, sizeof port);
  sinew_component_info driver = sinew_rig_component_info(g->rig, info->driver);
  if (driver.joint_set.id)
    member(t, "joint_set", sinew_rig_joint_set_name(g->rig, driver.joint_set));
  member(t, "driver", driver.name);
  member(t, "port", port);
  si_text_add(t, ",\"dofs\":[");
  bool *dofs = sources + g->rig->node_count;
  si_rig_sources(g->rig, g->rig->node_of[info->driver.id - 1], sources, dofs);
  for (int i = 0; i < (int)g->dofs; i++) {
    if (!dofs[i]) continue;
    next(t, &first);
    si_text_quoted(t, sinew_rig_dof_info(g->rig, sinew_rig_dof(g->rig, i)).name);
  }
  si_text_add(t, "],\"components\":[");
  mark_sources(g->rig, info->driver, seen);
  first = true;
  for (int i = 0; i < sinew_rig_component_count(g->rig); i++) {
    sinew_component component = sinew_rig_order(g->rig, i);
    if (!seen[component.id - 1]) continue;
    sinew_component_info c = sinew_rig_component_info(g->rig, component);
    next(t, &first);
    si_text_add(t, "{\"name\":");
    si_text_quoted(t, c.name);
    member(t, "kind", c.component_class->name);
    si_text_add(t, "}");
  }
  si_text_add(t, "]");
}

static void add_mass(const sinew_segment_info *info, si_text *t) {
  number(t, "mass", info->mass);
  for (int i = 0; i < 3; i++) {
    si_text_add(t, i ? "," : ",\"mass_at\":[");
    si_text_number(t, info->mass_at[i]);
  }
  si_text_add(t, "]");
}

void si_gltf_segment_extras(const sinew_gltf *g, int segment, unsigned char *seen, bool *sources,
                            si_text *t) {
  sinew_segment_info info = sinew_rig_segment_info(g->rig, sinew_rig_segment(g->rig, segment));
  si_text_add(t, "\"sinew\":{\"segment\":");
  si_text_quoted(t, info.name);
  if (info.mass > 0) add_mass(&info, t);
  if (info.driver.id) add_driver(g, &info, seen, sources, t);
  si_text_add(t, "}");
}

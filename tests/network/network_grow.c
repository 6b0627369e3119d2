/* Rigs of any size; see network_grow.h. The parameters of a class come from network_one, so that a
 * new class needs nothing here. */
#include "network_grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_wires = 24, most_params = 16, most_kinds = 64, room = 96, list_wires = 3 };

const char *const network_shape_names[NETWORK_SHAPES] = { "chain", "fan", "tree" };

static const char *const others[] = { "all", "bare", "joints", "wide", "paths" };
enum { other_count = sizeof others / sizeof *others };

/* A class and what its components are made from. */
typedef struct pattern {
  const sinew_component_class *cls;
  sinew_builder *from; /* whose component `one` has the parameters */
  sinew_component one;
} pattern;

typedef struct grower {
  sinew_builder *b;
  network_shape shape;
  int count, kinds;
  pattern patterns[most_kinds];
} grower;

static const sinew_component_class *class_at(int index) {
  int built_in = 0;
  while (sinew_catalog(built_in)) built_in++;
  return index < built_in ? sinew_catalog(index) : network_classes[index - built_in];
}

const char *network_grown(int index) {
  int classes = 0;
  while (class_at(classes)) classes++;
  if (index < classes) return class_at(index)->name;
  return index - classes < other_count ? others[index - classes] : NULL;
}

/* the item that `i` reads; -1: none */
static int before(const grower *g, int i) {
  if (i == 0) return -1;
  return g->shape == NETWORK_CHAIN ? i - 1 : g->shape == NETWORK_FAN ? 0 : (i - 1) / 2;
}

/* names have a long beginning in common */
static const char *name_of(const char *what, int i, char *dest) {
  snprintf(dest, room, "%s with a common beginning %d", what, i);
  return dest;
}

static sinew_segment segment_of(int i) { return (sinew_segment){ (uint32_t)i + 1 }; }

static void add_segments(const grower *g, int count) {
  char name[room];
  for (int i = 0; i < count; i++) {
    int parent = before(g, i);
    sinew_add_bone(g->b, parent < 0 ? SINEW_ROOT : segment_of(parent), name_of("segment", i, name),
                   (sinew_vec3){ 0, 0.1f, 0.01f });
  }
}

static void add_dofs(const grower *g, int count) {
  char name[room];
  for (int i = 0; i < count; i++) {
    sinew_dof_desc d = sinew_default_dof_desc();
    d.name = name_of("dof", i, name), d.min = -90, d.max = 90;
    sinew_builder_add_dof(g->b, &d, NULL);
  }
}

/* the first of a component's outputs that is of this kind; -1: none */
static int output_of(const grower *g, sinew_component c, sinew_kind kind) {
  for (int i = 0; i < sinew_builder_output_count(g->b, c); i++)
    if (sinew_builder_output_kind(g->b, c, i) == kind) return i;
  return -1;
}

static bool may_wire(const sinew_port_desc *input, const char *unit) {
  const char *wanted = input->unit ? input->unit : "";
  return !*wanted || !*unit || strcmp(wanted, unit) == 0;
}

/* One wire of component `i`, from the component that it reads, else from a DOF, else a constant.
 * False: left unwired. */
static bool wire(const grower *g, const pattern *p, int i, const sinew_port_desc *input,
                 sinew_component above, char *output, sinew_wire *dest) {
  *dest = (sinew_wire){ .input = input->name };
  int at = above.id ? output_of(g, above, input->kind) : -1;
  const char *kind = at >= 0 ? sinew_builder_component_kind(g->b, above) : NULL;
  if (kind && may_wire(input, network_output_unit(sinew_builder_class(g->b, kind), at))) {
    sinew_builder_output_name(g->b, above, at, output, 40);
    dest->component = above, dest->output = output;
    return true;
  }
  if (input->kind == SINEW_SCALAR) {
    dest->dof = (sinew_dof){ g->shape == NETWORK_FAN ? 1 : (uint32_t)(i % g->count) + 1 };
    return true;
  }
  for (int w = 0; w < sinew_builder_wire_count(p->from, p->one); w++) {
    sinew_wire given = sinew_builder_wire(p->from, p->one, w);
    if (strcmp(given.input, input->name) != 0) continue;
    memcpy(dest->constant, given.constant, sizeof dest->constant);
    return true;
  }
  return false;
}

/* The parameters of the pattern, but the segments: the first is the one above, the second that of
 * the component, and all others are the root. */
static int take_params(const pattern *p, const char *const names[3], sinew_param *dest) {
  int count = 0, segments = 0;
  const sinew_param *param;
  for (int i = 0; count < most_params && (param = sinew_builder_param_at(p->from, p->one, i));
       i++) {
    const sinew_param_desc *d = sinew_class_find_param(p->cls, param->name);
    dest[count] = *param;
    if (d && d->type == SINEW_PARAM_SEGMENT)
      dest[count].text = names[segments < 2 ? segments++ : 2];
    count++;
  }
  return count;
}

static bool has_path(const sinew_component_class *cls) {
  return sinew_class_param_marked(cls, SINEW_PARAM_PATH, NULL) != NULL;
}

/* `seen`: it sees its segment from the root, not from the one above */
static sinew_component add_component(const grower *g, const pattern *p, int i,
                                     sinew_component above, bool seen) {
  sinew_wire *wire_list = calloc((size_t)(most_wires), sizeof *wire_list);
  sinew_param params[most_params];
  char own[room], texts[3][room];
  char(*outputs)[40] = calloc((size_t)(most_wires), sizeof *outputs);
  /* the root has none above it */
  int segment = i % g->count ? i % g->count : 1, parent = before(g, segment);
  const char *const names[3] = { name_of("segment", seen ? 0 : parent, texts[0]),
                                 name_of("segment", segment, texts[1]),
                                 name_of("segment", 0, texts[2]) };
  sinew_component_desc d = sinew_default_component_desc();
  d.kind = p->cls->name, d.name = name_of(p->cls->name, i, own);
  d.wires = wire_list, d.params = params;
  d.param_count = take_params(p, names, params);
  for (const sinew_port_desc *input = p->cls->inputs; input && input->name; input++) {
    int times = 0;
    for (int w = 0; w < sinew_builder_wire_count(p->from, p->one); w++)
      times += strcmp(sinew_builder_wire(p->from, p->one, w).input, input->name) == 0;
    while (times-- > 0)
      d.wire_count += wire(g, p, i, input, above, outputs[d.wire_count], &wire_list[d.wire_count]);
  }
  sinew_component c = sinew_builder_add_component(g->b, &d, NULL);
  free(wire_list);
  free(outputs);
  return c;
}

static void drive(const grower *g, int segment, sinew_component by) {
  char from[2 * room], output[40];
  int at = output_of(g, by, SINEW_MATRIX);
  if (at < 0) return;
  sinew_builder_output_name(g->b, by, at, output, sizeof output);
  snprintf(from, sizeof from, ".%s.%s", sinew_builder_component_name(g->b, by), output);
  sinew_builder_drive(g->b, segment_of(segment), from, NULL, NULL);
}

/* `count` components, of all kinds in turn; those that no path leads to drive their segments */
static void add_components(const grower *g) {
  sinew_component *made = calloc((size_t)g->count + 1, sizeof *made);
  for (int i = 0; i < g->count; i++) {
    const pattern *p = &g->patterns[i % g->kinds];
    int above = before(g, i);
    const sinew_component none = { 0 };
    made[i] = add_component(g, p, i, above < 0 ? none : made[above], false);
    if (g->kinds == 1 && !has_path(p->cls)) drive(g, i, made[i]);
  }
  free(made);
}

/* all kinds one after the other, `count` in all */
static void add_runs(const grower *g) {
  sinew_component above = { 0 };
  for (int i = 0; i < g->count; i++) {
    int kind = (int)((long long)i * g->kinds / g->count);
    sinew_component c = add_component(g, &g->patterns[kind], i, above, false);
    if (g->shape == NETWORK_CHAIN || !above.id) above = c;
  }
}

static void add_joints(const grower *g) {
  char set[room], turn[] = "turn", angle[] = "angle";
  for (int i = 0; i < g->count; i++) {
    sinew_joint_set joint =
        sinew_builder_add_joint_set(g->b, name_of("set", i, set), "grown.lua:1", NULL);
    sinew_dof_desc dof = sinew_default_dof_desc();
    dof.name = angle, dof.joint_set = joint, dof.min = -90, dof.max = 90;
    sinew_builder_add_dof(g->b, &dof, NULL);
    sinew_param axis = sinew_param_vector("axis", 1, 0, 0);
    sinew_wire from = sinew_wire_name("angle", angle);
    sinew_component_desc d = sinew_default_component_desc();
    d.kind = "rotation", d.name = turn, d.joint_set = joint, d.origin = "grown.lua:1";
    d.wires = &from, d.wire_count = 1, d.params = &axis, d.param_count = 1;
    drive(g, i, sinew_builder_add_component(g->b, &d, NULL));
  }
}

static int kind_of(const grower *g, const char *name) {
  int k = 0;
  while (strcmp(g->patterns[k].cls->name, name) != 0) k++;
  return k;
}

/* one product of all */
static void add_wide(const grower *g) {
  const pattern *turn = &g->patterns[kind_of(g, "rotation")];
  sinew_wire *wires = calloc((size_t)g->count, sizeof *wires);
  for (int i = 0; i < g->count; i++) {
    sinew_component c = add_component(g, turn, i, (sinew_component){ 0 }, false);
    wires[i] = sinew_wire_output("matrix", c, NULL);
  }
  sinew_component_desc d = sinew_default_component_desc();
  d.kind = "multiply", d.name = "product", d.wires = wires, d.wire_count = g->count;
  drive(g, 0, sinew_builder_add_component(g->b, &d, NULL));
  free(wires);
}

static void add_paths(const grower *g) {
  for (int i = 0; i < g->count; i++)
    for (int k = 0; k < g->kinds; k++) {
      const char *name = g->patterns[k].cls->name;
      bool plain = strcmp(name, "relative") == 0 || strcmp(name, "distance") == 0;
      if (plain || strcmp(name, "compensate") == 0)
        add_component(g, &g->patterns[k], i * g->kinds + k, (sinew_component){ 0 }, true);
    }
}

static bool take_patterns(grower *g, const char *what) {
  const sinew_component_class *cls;
  bool all = false;
  for (int i = 0; i < other_count; i++) all |= strcmp(others[i], what) == 0;
  for (int i = 0; (cls = class_at(i)) != NULL && g->kinds < most_kinds; i++) {
    if (!all && strcmp(cls->name, what) != 0) continue;
    pattern *p = &g->patterns[g->kinds];
    /* with the parameters of a seed that compile by themselves */
    for (uint32_t seed = 1; !p->cls && seed < 50; seed++) {
      p->from = network_one(cls->name, seed, &p->one);
      sinew_rig *rig = sinew_builder_compile(p->from, NULL);
      /* without components that it names */
      bool fit = rig && p->one.id == 1;
      sinew_rig_destroy(rig);
      if (fit)
        p->cls = cls;
      else
        sinew_builder_destroy(p->from);
    }
    if (!p->cls) printf("network_grow: no seed gives a '%s' of its own\n", cls->name);
    g->kinds += p->cls != NULL;
  }
  if (!g->kinds) printf("network_grow: there is no '%s'\n", what);
  return g->kinds > 0;
}

sinew_builder *network_grow(const char *what, network_shape shape, int count) {
  grower g = { .shape = shape, .count = count < 2 ? 2 : count };
  if (!take_patterns(&g, what)) return NULL;
  g.b = sinew_builder_create("grown", NULL);
  for (int i = 0; network_classes[i]; i++) sinew_builder_add_class(g.b, network_classes[i], NULL);
  add_segments(&g, g.count);
  if (strcmp(what, "bare") != 0 && strcmp(what, "joints") != 0) add_dofs(&g, g.count);
  if (strcmp(what, "joints") == 0)
    add_joints(&g);
  else if (strcmp(what, "wide") == 0)
    add_wide(&g);
  else if (strcmp(what, "paths") == 0)
    add_paths(&g);
  else if (strcmp(what, "all") == 0 && shape == NETWORK_FAN)
    add_runs(&g);
  else if (strcmp(what, "bare") != 0)
    add_components(&g);
  for (int i = 0; i < g.kinds; i++) sinew_builder_destroy(g.patterns[i].from);
  return g.b;
}

/* Stores a name and a hash for each DOF, segment and component of a rig. Two such lists are sorted
 * and merged to find the differences. */
#include "plain/changes.h"
#include "plain/param_copy.h"
#include "plain/print.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum thing { DOF, SEGMENT, COMPONENT, things } thing;
static const char *const words[things] = { "DOF", "bone", "component" };

typedef struct item {
  char *name;
  thing kind;
  uint64_t hash;
} item;

struct changes {
  item *items;
  int count;
};

static uint64_t mix_text(uint64_t hash, const char *text) {
  return print_bytes(hash, text ? text : "", text ? strlen(text) + 1 : 1);
}

static uint64_t hash_curve(uint64_t hash, const sinew_curve *curve) {
  sinew_curve_desc d = sinew_curve_describe(curve);
  float numbers[2] = { d.scale, d.offset };
  hash = PRINT(hash, d.kind);
  hash = PRINT(hash, d.outside);
  hash = PRINT(hash, numbers);
  if (d.coefficients)
    hash = print_bytes(hash, d.coefficients, (size_t)d.coefficient_count * sizeof *d.coefficients);
  return print_bytes(hash, d.points, (size_t)d.point_count * 2 * sizeof *d.points);
}

static uint64_t hash_param(uint64_t hash, const sinew_param *p) {
  hash = mix_text(hash, p->name);
  hash = PRINT(hash, p->number);
  if (p->numbers) hash = print_bytes(hash, p->numbers, param_floats(p) * sizeof *p->numbers);
  if (p->curve) hash = hash_curve(hash, p->curve);
  return mix_text(hash, p->text);
}

/* how many floats an input has; all inputs of a list have those of its port */
static size_t input_floats(const sinew_component_class *cls, int input) {
  const sinew_port_desc *port = cls->inputs;
  while (input > 0 && !(port->flags & SINEW_PORT_LIST) && port[1].name) port++, input--;
  return port->kind == SINEW_SCALAR ? 1 : port->kind == SINEW_VECTOR ? 3 : 16;
}

static uint64_t hash_component(const sinew_rig *rig, sinew_component id) {
  sinew_component_info info = sinew_rig_component_info(rig, id);
  uint64_t hash = mix_text(print_start, info.component_class->name);
  for (int i = 0; i < info.param_count; i++) hash = hash_param(hash, sinew_rig_param(rig, id, i));
  for (int i = 0; i < info.input_count; i++) {
    sinew_source from = sinew_rig_input(rig, id, i);
    const float *constant = sinew_rig_constant(rig, id, i);
    if (constant)
      hash = print_bytes(hash, constant, input_floats(info.component_class, i) * sizeof(float));
    if (from.dof.id) hash = mix_text(hash, sinew_rig_dof_info(rig, from.dof).name);
    if (from.component.id) {
      hash = mix_text(hash, sinew_rig_component_info(rig, from.component).name);
      hash = PRINT(hash, from.output);
    }
  }
  return hash;
}

static int by_name(const void *a, const void *b) {
  const item *p = a, *q = b;
  if (p->kind != q->kind) return p->kind < q->kind ? -1 : 1;
  return strcmp(p->name, q->name);
}

static void add(changes *c, thing kind, const char *name, uint64_t hash) {
  item *i = &c->items[c->count];
  *i = (item){ strdup(name), kind, hash };
  if (i->name) c->count++;
}

changes *changes_note(const sinew_rig *rig) {
  int dofs = sinew_rig_dof_count(rig), segments = sinew_rig_segment_count(rig);
  int components = sinew_rig_component_count(rig);
  changes *c = calloc(1, sizeof *c);
  if (c) c->items = calloc((size_t)(dofs + segments + components) + 1, sizeof *c->items);
  if (!c || !c->items) {
    free(c);
    return NULL;
  }
  for (int i = 0; i < dofs; i++) {
    sinew_dof_info info = sinew_rig_dof_info(rig, sinew_rig_dof(rig, i));
    float numbers[3] = { info.min, info.max, info.rest };
    add(c, DOF, info.name, PRINT(print_start, numbers));
  }
  for (int i = 0; i < segments; i++) {
    sinew_segment_info info = sinew_rig_segment_info(rig, sinew_rig_segment(rig, i));
    uint64_t hash = print_bytes(print_start, info.rest, 16 * sizeof *info.rest);
    if (info.parent.id) hash = mix_text(hash, sinew_rig_segment_info(rig, info.parent).name);
    if (info.driver.id) {
      hash = mix_text(hash, sinew_rig_component_info(rig, info.driver).name);
      hash = PRINT(hash, info.driver_output);
    }
    add(c, SEGMENT, info.name, hash);
  }
  for (int i = 0; i < components; i++) {
    sinew_component id = sinew_rig_component(rig, i);
    add(c, COMPONENT, sinew_rig_component_info(rig, id).name, hash_component(rig, id));
  }
  qsort(c->items, (size_t)c->count, sizeof *c->items, by_name);
  return c;
}

void changes_free(changes *c) {
  if (!c) return;
  for (int i = 0; i < c->count; i++) free(c->items[i].name);
  free(c->items);
  free(c);
}

enum { NEW, GONE, OTHER, ways };

typedef struct tally {
  int counts[things][ways];
  const char *first[things][ways];
} tally;

static void count(tally *t, const item *i, int way) {
  if (!t->counts[i->kind][way]++) t->first[i->kind][way] = i->name;
}

static void compare(const changes *a, const changes *b, tally *t) {
  for (int i = 0, k = 0; i < a->count || k < b->count;) {
    int order = i == a->count ? 1 : -1;
    if (i < a->count && k < b->count) order = by_name(&a->items[i], &b->items[k]);
    if (order == 0 && a->items[i].hash != b->items[k].hash) count(t, &b->items[k], OTHER);
    if (order < 0) count(t, &a->items[i], GONE);
    if (order > 0) count(t, &b->items[k], NEW);
    i += order <= 0;
    k += order >= 0;
  }
}

void changes_say(const changes *before, const sinew_rig *rig, char *dest, size_t capacity) {
  static const char *const heads[ways] = { "new ", "removed ", "" };
  static const char *const tails[ways] = { "", "", " changed" };
  tally t = { 0 };
  changes *after = changes_note(rig);
  size_t used = 0;
  snprintf(dest, capacity, "no bone, DOF or component has changed");
  if (before && after) compare(before, after, &t);
  for (int way = 0; way < ways; way++)
    for (int kind = 0; kind < things; kind++) {
      int n = t.counts[kind][way];
      if (!n || used >= capacity) continue;
      const char *gap = used ? "; " : "";
      if (n == 1)
        used += (size_t)snprintf(dest + used, capacity - used, "%s%s%s %s%s", gap, heads[way],
                                 words[kind], t.first[kind][way], tails[way]);
      else
        used += (size_t)snprintf(dest + used, capacity - used, "%s%s%d %ss%s", gap, heads[way], n,
                                 words[kind], tails[way]);
    }
  changes_free(after);
}

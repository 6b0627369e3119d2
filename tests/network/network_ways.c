/* The ways in which a network is evaluated, each against a slow reference.
 *
 * The reference is local, so that rounding does not accumulate through a network: from the values
 * that a way left, each component's class computes its outputs from its inputs, and each world
 * matrix is multiplied in doubles from its parent's. What must agree:
 *
 *   plain        every bit of outputs and holds
 *   fused        the same, except products of rotations: to 1e-6 (sinew/pose.h)
 *   batch        each number x of a matrix to 1e-6 (1 + |x|) (sinew/batch.h), scalars to 1e-5,
 *                since lanes have their own kernels and the terms of a curve exceed their sum.
 *                Near a jump (a limit, a wrapping curve) lanes may be on the other side: a value
 *                is right if the class gives it for inputs moved by 4e-6
 *   world        1e-6 of the sum of the products' sizes
 *   histories, XML, edits, Lua
 *                every bit, against a fresh pose evaluated the same way
 *   derivatives  2 % against central differences, if those of two widths agree */
#include "network.h"

#include "evaluate/batch_internal.h"
#include "evaluate/pose_internal.h"
#include "make.h"
#include "owned.h"
#include "patient.h"
#include "scratch.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

network_counts network_counted;

/* --- reporting a difference */

typedef struct check {
  const network *n;
  network_finding *found;
  const char *what; /* "fused", "batch of 8 lanes" ... */
  const float *row; /* the DOFs */
  uint32_t seed;
  unsigned way;
} check;

static bool differs(check *c, const char *format, ...) SINEW_PRINTF(2, 3);
static bool differs(check *c, const char *format, ...) {
  char text[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  c->found->way = c->way;
  snprintf(c->found->text, sizeof c->found->text, "%s: %s", c->what, text);
  for (int i = 0; c->row && i < c->n->dofs && i < 64; i++) c->found->values[i] = c->row[i];
  return false;
}

/* A random number derived from a name. Choices depend on names only, so that a reduced network
 * makes the same choices. */
static uint32_t number_for(uint32_t seed, const char *name) {
  for (; *name; name++) seed = (seed ^ (unsigned char)*name) * 16777619u;
  return make_random(&seed);
}

static const float *row_of(const network *n, int row) { return n->values + row * n->dofs; }

/* --- the reference */

/* reports a number of an output or of a world matrix */
static bool number_differs(check *c, const char *who, const char *port, int index, float given,
                           float right) {
  return differs(c, "%s%s%s[%d] is %.9g, expected %.9g", who, *port ? "." : "", port, index,
                 (double)given, (double)right);
}

static sinew_status run_class(const sinew_rig *rig, const sinew_node *node, float *values) {
  const sinew_component_class *cls = rig->model.components[node->component - 1].cls;
  sinew_error why;
  sinew_error_clear(&why);
  for (uint32_t i = 0; i < cls->memo_count; i++) values[node->memo + i] = 0;
  if (!cls->eval) return cls->try_eval(node, values, &why);
  cls->eval(node, values);
  return SINEW_OK;
}

static bool same_bits(float a, float b) {
  return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

/* Whether the class gives this value for slightly moved inputs: the way is on the other side of a
 * jump, or the class is steep here. */
static bool near_by(check *c, const sinew_rig *rig, const sinew_node *node, const float *values,
                    uint32_t at, float given, double tolerance) {
  const si_component *k = &rig->model.components[node->component - 1];
  FREED float *moved = aligned_alloc(64, (rig->value_count * sizeof(float) + 63) / 64 * 64);
  double low = INFINITY, high = -INFINITY;
  for (int round = 0; round < 64; round++) {
    memcpy(moved, values, rig->value_count * sizeof(float));
    for (uint32_t i = 0; i < node->input_count; i++)
      for (int n = 0; n < si_kind_numbers(si_input_desc(k, i)->kind); n++)
        if (n % 4 != 3) {
          float *x = &moved[node->ports[i] + (uint32_t)n];
          *x += make_between(&c->seed, -4e-6f, 4e-6f) * (1 + fabsf(*x));
        }
    if (run_class(rig, node, moved) < 0) continue;
    low = fmin(low, (double)moved[at]), high = fmax(high, (double)moved[at]);
  }
  network_counted.jumps++;
  double wide = high - low;
  return (double)given >= low - wide - tolerance && (double)given <= high + wide + tolerance;
}

/* the possible rounding error of a product of these matrices, in units of the tolerance */
static double size_of_inputs(const sinew_node *node, const float *values) {
  double size = 1;
  for (uint32_t i = 0; i < node->input_count; i++) {
    const float *m = values + node->ports[i];
    double far = fabs((double)m[12]) + fabs((double)m[13]) + fabs((double)m[14]);
    double turn = 1;
    for (int n = 0; n < 12; n++)
      if (n % 4 != 3) turn = fmax(turn, fabs((double)m[n]));
    size = size * turn + turn * far;
  }
  return size;
}

typedef enum { EXACT, PRODUCTS_NEAR, ALL_NEAR } closeness;

static bool node_right(check *c, const sinew_rig *rig, const sinew_node *node, const float *given,
                       float *values, closeness how) {
  const si_component *k = &rig->model.components[node->component - 1];
  bool product = strcmp(k->cls->name, "multiply") == 0 || strcmp(k->cls->name, "rotation") == 0;
  bool near = how == ALL_NEAR || (how == PRODUCTS_NEAR && product);
  double size = strcmp(k->cls->name, "multiply") == 0 ? size_of_inputs(node, values) : 1;
  if (run_class(rig, node, values) < 0) return differs(c, "%s fails, but gave values", k->name);
  char port[64];
  for (uint32_t i = 0; i < node->output_count; i++) {
    uint32_t at = node->ports[node->input_count + i];
    int count = si_kind_numbers(si_output_kind(k, i));
    si_output_name(k, i, port, sizeof port);
    for (int n = 0; n < count; n++) {
      float is = given[at + (uint32_t)n], right = values[at + (uint32_t)n];
      if (same_bits(is, right)) continue;
      double tolerance = (count == 1 ? 1e-5 : 1e-6) * (size + fabs((double)right));
      if (near && fabs((double)is - (double)right) <= tolerance) continue;
      if (!near || !near_by(c, rig, node, values, at + (uint32_t)n, is, tolerance))
        return number_differs(c, k->name, port, n, is, right);
    }
  }
  if (how == ALL_NEAR) return true; /* lanes do not keep holds */
  for (uint32_t i = 0; k->cls->holds && k->cls->holds[i].port; i++)
    if (!same_bits(given[node->hold + i], values[node->hold + i]))
      return number_differs(c, k->name, "hold", (int)i, given[node->hold + i],
                            values[node->hold + i]);
  return true;
}

/* m = a b, and the sum of the absolute values of its terms */
static dmat mul_sizes(dmat a, dmat b) {
  for (int i = 0; i < 16; i++) a.m[i] = fabs(a.m[i]), b.m[i] = fabs(b.m[i]);
  return dmat_mul(a, b);
}

static bool worlds_right(check *c, const sinew_rig *rig, const float *values, const float *worlds) {
  for (uint32_t slot = 0; slot < rig->model.segment_count; slot++) {
    const si_slot *s = &rig->slots[slot];
    const si_segment *segment = &rig->model.segments[s->segment];
    dmat local = s->local == SI_NONE ? dmat_identity() : dmat_of(values + s->local);
    dmat parent = s->parent == SI_NONE ? dmat_identity() : dmat_of(worlds + 16 * (size_t)s->parent);
    dmat rest = dmat_of(segment->rest), right = dmat_mul(parent, dmat_mul(rest, local));
    dmat size = mul_sizes(parent, mul_sizes(rest, local));
    const float *given = worlds + 16 * (size_t)s->segment;
    for (int i = 0; i < 16; i++)
      if (!(fabs((double)given[i] - right.m[i]) <= 1e-6 * (1 + size.m[i])) &&
          !(isnan(right.m[i]) && isnan(given[i])))
        return number_differs(c, segment->name, "world", i, given[i], (float)right.m[i]);
  }
  return true;
}

static float *value_array(const sinew_rig *rig) {
  return aligned_alloc(64, (rig->value_count * sizeof(float) + 127) / 64 * 64);
}

/* Compares every output in `given` with what its class computes from the inputs in `given`. Values
 * that a way does not keep (`kept` NULL: it keeps all) are taken from the class. */
static bool all_right(check *c, const sinew_rig *rig, const float *given, const bool *kept,
                      const float *worlds, closeness how) {
  FREED float *values = value_array(rig);
  memcpy(values, given, rig->value_count * sizeof(float));
  bool right = true;
  for (uint32_t i = 0; i < rig->node_count && right; i++) {
    const sinew_node *node = &rig->nodes[i];
    const si_component *k = &rig->model.components[node->component - 1];
    if (kept && !kept[i]) {
      run_class(rig, node, values);
      continue;
    }
    right = node_right(c, rig, node, given, values, how);
    for (uint32_t o = 0; o < node->output_count; o++) {
      uint32_t at = node->ports[node->input_count + o];
      memcpy(values + at, given + at, si_kind_floats(si_output_kind(k, o)) * sizeof(float));
    }
  }
  right = right && worlds_right(c, rig, values, worlds);
  return right;
}

/* --- poses */

static sinew_pose *pose_at(const sinew_rig *rig, const float *row, bool plain,
                           sinew_status *status) {
  sinew_pose *pose = sinew_pose_create(rig, NULL);
  sinew_pose_set_plain(pose, plain);
  sinew_pose_set_all(pose, row, sinew_rig_dof_count(rig), NULL);
  *status = sinew_pose_eval(pose, NULL);
  return pose;
}

static bool check_poses(check *c, const sinew_rig *rig, bool plain) {
  bool right = true;
  c->way = plain ? NETWORK_PLAIN : NETWORK_FUSED;
  c->what = plain ? "plain" : "fused";
  for (int r = 0; r < c->n->rows && right; r++) {
    sinew_status status, other;
    c->row = row_of(c->n, r);
    sinew_pose *pose = pose_at(rig, c->row, plain, &status);
    if (status >= 0) {
      right = all_right(c, rig, si_pose_values(pose), NULL, sinew_pose_worlds(pose),
                        plain ? EXACT : PRODUCTS_NEAR);
    } else {
      OWNED(pose) *twin = pose_at(rig, c->row, !plain, &other);
      if (other != status) right = differs(c, "status %d, and %d the other way", status, other);
    }
    sinew_pose_destroy(pose);
    network_counted.rows++;
  }
  return right;
}

/* compares every bit of two poses of equal rigs */
static bool poses_same(check *c, const sinew_pose *given, const sinew_pose *right) {
  const sinew_rig *rig = sinew_pose_rig(right);
  char port[64];
  for (int i = 0; i < sinew_rig_component_count(rig); i++) {
    sinew_component k = sinew_rig_component(rig, i);
    sinew_component_info info = sinew_rig_component_info(rig, k);
    for (int o = 0; o < info.output_count; o++) {
      const float *a = sinew_pose_value(given, k, o), *b = sinew_pose_value(right, k, o);
      sinew_rig_output_name(rig, k, o, port, sizeof port);
      for (int n = 0; n < si_kind_numbers(sinew_rig_output_kind(rig, k, o)); n++)
        if (!same_bits(a[n], b[n])) return number_differs(c, info.name, port, n, a[n], b[n]);
    }
  }
  static sinew_hold held[2][512];
  int count = sinew_pose_holds(given, held[0], 512);
  if (count != sinew_pose_holds(right, held[1], 512))
    return differs(c, "%d holds, expected %d", count, sinew_pose_holds(right, NULL, 0));
  for (int i = 0; i < count && i < 512; i++)
    if (strcmp(held[0][i].name, held[1][i].name) != 0 ||
        !same_bits(held[0][i].amount, held[1][i].amount))
      return number_differs(c, held[1][i].name, "hold", i, held[0][i].amount, held[1][i].amount);
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment s = sinew_rig_segment(rig, i);
    for (int n = 0; n < 16; n++) {
      float a = sinew_pose_local(given, s)[n], b = sinew_pose_local(right, s)[n];
      float x = sinew_pose_world(given, s)[n], y = sinew_pose_world(right, s)[n];
      const char *name = sinew_rig_segment_info(rig, s).name;
      if (!same_bits(a, b)) return number_differs(c, name, "local", n, a, b);
      if (!same_bits(x, y)) return number_differs(c, name, "world", n, x, y);
    }
  }
  return true;
}

/* --- histories */

/* sets some or all DOFs to those of another row, one by one or at once */
static void change(check *c, sinew_pose *pose, float *wanted) {
  const sinew_rig *rig = sinew_pose_rig(pose);
  const float *row = row_of(c->n, make_index(&c->seed, c->n->rows));
  uint32_t share = (uint32_t)make_index(&c->seed, 3); /* few, half, all */
  bool whole = make_index(&c->seed, 2);
  for (int i = 0; i < c->n->dofs; i++) {
    const char *name = rig->model.dofs[i].name;
    if (share < 2 && number_for(c->seed, name) % (share ? 2 : 5)) continue;
    wanted[i] = row[i];
    if (!whole) sinew_pose_set(pose, sinew_rig_dof(rig, i), row[i], NULL);
  }
  if (whole) sinew_pose_set_all(pose, wanted, c->n->dofs, NULL);
}

static bool check_history(check *c, const sinew_rig *rig) {
  float wanted[64] = { 0 };
  bool plain = make_index(&c->seed, 2), right = true;
  c->way = NETWORK_HISTORY;
  c->row = wanted;
  memcpy(wanted, row_of(c->n, 0), (size_t)c->n->dofs * sizeof *wanted);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_pose_set_plain(pose, plain);
  sinew_pose_set_all(pose, wanted, c->n->dofs, NULL);
  for (int step = 0; step < 2 * c->n->rows && right; step++) {
    sinew_status status, expected;
    if (make_index(&c->seed, 8) == 0) sinew_pose_set_plain(pose, plain = !plain);
    change(c, pose, wanted);
    /* reading between a change and the evaluation must not change anything */
    if (make_index(&c->seed, 4) == 0) sinew_pose_holds(pose, NULL, 0);
    if (make_index(&c->seed, 4) == 0) change(c, pose, wanted);
    c->what = plain ? "plain, after changes" : "fused, after changes";
    status = sinew_pose_eval(pose, NULL);
    OWNED(pose) *fresh = pose_at(rig, wanted, plain, &expected);
    if (status != expected)
      right = differs(c, "status %d, expected %d", status, expected);
    else if (status >= 0)
      right = poses_same(c, pose, fresh);
  }
  return right;
}

/* --- batches */

/* the values of one lane that a batch's worker left, in the layout of a pose */
static void read_lane(const sinew_batch *batch, int lane, float *dest) {
  const sinew_rig *rig = batch->rig;
  size_t width = (size_t)batch->set->width;
  memcpy(dest, rig->initial, rig->value_count * sizeof(float));
  for (uint32_t i = 0; i < rig->output_first; i++)
    dest[i] = batch->workers[0].values[i * width + (size_t)lane];
  for (uint32_t i = 0; i < rig->node_count; i++) {
    const sinew_node *node = &rig->nodes[i];
    const si_component *k = &rig->model.components[node->component - 1];
    for (uint32_t o = 0; o < node->output_count; o++) {
      uint32_t at = node->ports[node->input_count + o];
      int count = si_kind_numbers(si_output_kind(k, o));
      /* lanes do not store the last row of matrices */
      for (int n = 0; n < count; n++)
        dest[at + (uint32_t)n] =
            count == 16 && n % 4 == 3
                ? (float)(n == 15)
                : batch->workers[0].values[(at + (uint32_t)n) * width + (size_t)lane];
    }
  }
}

/* nodes whose values lanes keep: constants, and nodes with a step */
static void find_kept(const sinew_batch *batch, bool *dest) {
  const sinew_rig *rig = batch->rig;
  for (uint32_t i = 0; i < rig->node_count; i++) dest[i] = i < rig->constant_nodes;
  for (uint32_t i = 0; i < batch->step_count; i++) dest[batch->steps[i].node - rig->nodes] = true;
}

/* whole blocks, then a remainder; then the last block again, to check its lanes */
static bool check_batch(check *c, const sinew_rig *rig, int lanes) {
  size_t floats = 16 * (size_t)sinew_rig_segment_count(rig);
  int dofs = c->n->dofs, count = 2 * lanes + 1 + make_index(&c->seed, lanes - 1);
  OWNED(batch) *batch =
      sinew_batch_create(rig, &(sinew_batch_desc){ sizeof(sinew_batch_desc), 1, lanes }, NULL);
  if (!batch) return true; /* this machine does not have these lanes */
  c->way = NETWORK_BATCH;
  c->what = lanes == 4 ? "batch of 4 lanes" : "batch of 8 lanes";
  float *rows = malloc((size_t)(count * dofs + 1) * sizeof *rows);
  float *worlds = malloc((size_t)count * floats * sizeof *worlds);
  float *again = malloc((size_t)lanes * floats * sizeof *again), *values = value_array(rig);
  bool *kept = calloc(rig->node_count + 1, sizeof *kept), right = true;
  int from = make_index(&c->seed, c->n->rows);
  for (int i = 0; i < count; i++)
    memcpy(rows + i * dofs, row_of(c->n, (from + i) % c->n->rows), (size_t)dofs * sizeof *rows);
  find_kept(batch, kept);
  sinew_batch_eval(batch, rows, count, worlds, NULL);
  for (int first = 0; first < count && right; first += lanes) {
    int here = count - first < lanes ? count - first : lanes;
    sinew_batch_eval(batch, rows + first * dofs, here, again, NULL);
    for (int lane = 0; lane < here && right; lane++) {
      sinew_status status;
      const float *given = worlds + (size_t)(first + lane) * floats;
      c->row = rows + (first + lane) * dofs;
      sinew_pose *pose = pose_at(rig, c->row, false, &status);
      if (memcmp(given, again + (size_t)lane * floats, floats * sizeof *given) != 0)
        right = differs(c, "character %d of %d differs when its block is evaluated alone",
                        first + lane + 1, count);
      else if (status < 0)
        right = memcmp(given, batch->undriven, floats * sizeof *given) == 0 ||
                differs(c, "character %d fails in a pose only", first + lane + 1);
      else {
        read_lane(batch, lane, values);
        right = all_right(c, rig, values, kept, given, ALL_NEAR);
      }
      sinew_pose_destroy(pose);
      network_counted.batches++;
    }
  }
  free(rows), free(worlds), free(again), free(values), free(kept);
  return right;
}

/* --- the same rig made in another way */

/* every row, plain and fused */
static bool rigs_same(check *c, const sinew_rig *given, const sinew_rig *right) {
  bool same = true;
  for (int r = 0; r < c->n->rows && same; r++)
    for (int plain = 0; plain < 2 && same; plain++) {
      sinew_status status, expected;
      c->row = row_of(c->n, r);
      OWNED(pose) *a = pose_at(given, c->row, plain, &status);
      OWNED(pose) *b = pose_at(right, c->row, plain, &expected);
      if (status != expected)
        same = differs(c, "status %d, expected %d", status, expected);
      else if (status >= 0)
        same = poses_same(c, a, b);
    }
  return same;
}

static bool check_xml(check *c, const sinew_rig *rig) {
  sinew_error error;
  char *text = NULL;
  size_t size;
  c->way = NETWORK_XML, c->what = "read from its XML";
  FREED const char **modules = calloc((size_t)sinew_rig_component_count(rig) + 1, sizeof *modules);
  for (int i = 0; i < sinew_rig_component_count(rig); i++) {
    sinew_component_info info = sinew_rig_component_info(rig, sinew_rig_component(rig, i));
    for (int k = 0; network_classes[k]; k++)
      if (info.component_class == network_classes[k]) modules[i] = "network";
  }
  sinew_xml_desc desc = { .size = sizeof desc, .modules = modules };
  bool right = sinew_xml_write(rig, &desc, &text, &size, &error) >= 0;
  OWNED(xml) *xml = right ? sinew_xml_parse("network.xml", text, size, &error) : NULL;
  for (int k = 0; xml && network_classes[k]; k++)
    sinew_builder_add_class(sinew_xml_builder(xml), network_classes[k], NULL);
  OWNED(rig) *back = xml ? sinew_builder_compile(sinew_xml_builder(xml), &error) : NULL;
  right = back ? rigs_same(c, back, rig) : differs(c, "%s", error.text);
  sinew_text_free(text);
  return right;
}

/* --- edits */

typedef struct edit {
  sinew_rig *rig;
  sinew_builder *builder;
  sinew_component component;
  sinew_status status;
  bool range; /* of a DOF */
} edit;

static void edit_params(const sinew_param *params, int count, void *context) {
  edit *e = context;
  e->status = sinew_rig_set_params(e->rig, e->component, params, count, NULL);
  for (int i = 0; i < count; i++)
    sinew_builder_set_param(e->builder, e->component, &params[i], NULL);
}

/* one of `count` ids, from 1; 0 if there are none */
static uint32_t pick(uint32_t seed, const sinew_builder *b, int count,
                     const char *(*name)(const sinew_builder *b, uint32_t id)) {
  uint32_t best = 0, found = 0;
  for (uint32_t i = 1; i <= (uint32_t)count; i++) {
    uint32_t number = number_for(seed, name(b, i));
    if (!found || number > best) best = number, found = i;
  }
  return found;
}
static const char *segment_name(const sinew_builder *b, uint32_t id) {
  return sinew_builder_segment_name(b, (sinew_segment){ id });
}
static const char *dof_name(const sinew_builder *b, uint32_t id) {
  return sinew_builder_dof_info(b, (sinew_dof){ id }).name;
}
static const char *component_name(const sinew_builder *b, uint32_t id) {
  return sinew_builder_component_name(b, (sinew_component){ id });
}

/* changes the first constant of a component, if it has any */
static bool edit_constant(edit *e, uint32_t *seed) {
  const si_component *k = &e->rig->model.components[e->component.id - 1];
  for (uint32_t i = 0; i < k->input_count; i++) {
    if (k->inputs[i].kind != SI_FROM_CONSTANT) continue;
    float value[16];
    int wire = (int)k->inputs[i].id - 1;
    memcpy(value, k->wires[wire].constant, sizeof value);
    if (si_input_desc(k, i)->kind == SINEW_MATRIX)
      value[12] += make_between(seed, -1, 1);
    else
      value[0] = make_between(seed, -60, 60);
    e->status = sinew_rig_set_constant(e->rig, e->component, (int)i, value, NULL);
    sinew_builder_set_constant(e->builder, e->component, wire, value, NULL);
    return true;
  }
  return false;
}

/* makes one change on a compiled rig and on its builder; false if there was nothing to change */
static bool edit_once(check *c, edit *e) {
  sinew_counts n = sinew_builder_counts(e->builder);
  uint32_t seed = make_random(&c->seed), kind = seed % 5, at;
  float frame[16], low, high;
  if (kind == 0) {
    at = pick(seed, e->builder, n.segments, segment_name);
    make_frame(&seed, make_index(&seed, MAKE_FRAMES), frame);
    if (!at) return false;
    e->status = sinew_rig_set_rest(e->rig, (sinew_segment){ at }, frame, NULL);
    sinew_builder_set_rest(e->builder, (sinew_segment){ at }, frame, NULL);
    return true;
  }
  if (kind == 1) {
    at = pick(seed, e->builder, n.dofs, dof_name);
    low = make_between(&seed, -120, 0), high = make_between(&seed, 10, 120);
    if (!at) return false;
    e->status = sinew_rig_set_dof_range(e->rig, (sinew_dof){ at }, low, high, 5, NULL);
    sinew_builder_set_dof_range(e->builder, (sinew_dof){ at }, low, high, 5, NULL);
    e->range = true;
    return true;
  }
  e->component = (sinew_component){ pick(seed, e->builder, n.components, component_name) };
  if (!e->component.id) return false;
  if (kind == 2 && edit_constant(e, &seed)) return true;
  return network_remake(e->builder, e->component, &seed, edit_params, e);
}

/* compares poses and batches made before the edit with a rig compiled with it */
static bool edited_same(check *c, const edit *e, const sinew_rig *right, sinew_pose **poses,
                        sinew_batch *batch) {
  bool same = true;
  size_t floats = 16 * (size_t)sinew_rig_segment_count(right);
  for (int plain = 0; plain < 2 && same; plain++) {
    sinew_status status, expected;
    c->row = row_of(c->n, plain % c->n->rows);
    status = sinew_pose_eval(poses[plain], NULL);
    /* a value released by a wider range returns to the wanted value, up to rounding */
    if (e->range) {
      sinew_pose_set_all(poses[plain], c->row, c->n->dofs, NULL);
      status = sinew_pose_eval(poses[plain], NULL);
    }
    OWNED(pose) *fresh = pose_at(right, c->row, plain, &expected);
    c->what = plain ? "plain, after an edit" : "fused, after an edit";
    if (status != expected)
      same = differs(c, "status %d, expected %d", status, expected);
    else if (status >= 0)
      same = poses_same(c, poses[plain], fresh);
  }
  c->what = "batch, after an edit";
  OWNED(batch) *fresh =
      sinew_batch_create(right, &(sinew_batch_desc){ sizeof(sinew_batch_desc), 1, 4 }, NULL);
  float *worlds[2] = { malloc(3 * floats * sizeof(float)), malloc(3 * floats * sizeof(float)) };
  int count = c->n->rows < 3 ? c->n->rows : 3;
  sinew_batch_eval(batch, c->n->values, count, worlds[0], NULL);
  sinew_batch_eval(fresh, c->n->values, count, worlds[1], NULL);
  for (size_t i = 0; same && i < (size_t)count * floats; i++)
    if (!same_bits(worlds[0][i], worlds[1][i]))
      same = number_differs(c, "worlds", "", (int)i, worlds[0][i], worlds[1][i]);
  free(worlds[0]), free(worlds[1]);
  return same;
}

static bool check_edit(check *c, const sinew_rig *rig) {
  (void)rig;
  sinew_error error;
  c->way = NETWORK_EDIT, c->what = "edited";
  c->row = row_of(c->n, 0);
  edit e = { .rig = network_compile(c->n, &error), .builder = network_copy(c->n->builder) };
  sinew_pose *poses[2];
  sinew_status status;
  bool right = true;
  for (int plain = 0; plain < 2; plain++)
    poses[plain] = pose_at(e.rig, row_of(c->n, plain % c->n->rows), plain, &status);
  sinew_batch *batch =
      sinew_batch_create(e.rig, &(sinew_batch_desc){ sizeof(sinew_batch_desc), 1, 4 }, NULL);
  for (int i = 0; i < 6 && right; i++) {
    sinew_builder *before = network_copy(e.builder);
    e.range = false;
    c->what = "edited";
    if (!edit_once(c, &e)) {
      sinew_builder_destroy(before);
      continue;
    }
    network_counted.edits++;
    sinew_rig *made = sinew_builder_compile(e.builder, &error);
    if ((e.status >= 0) != (made != NULL))
      right = differs(c, "an edit gives status %d, compiling it says '%s'", e.status,
                      made ? "" : error.text);
    else if (made)
      right = edited_same(c, &e, made, poses, batch);
    sinew_rig_destroy(made);
    /* a refused change is not in the builder either */
    sinew_builder_destroy(e.status < 0 ? e.builder : before);
    if (e.status < 0) e.builder = before;
  }
  for (int plain = 0; plain < 2; plain++) sinew_pose_destroy(poses[plain]);
  sinew_batch_destroy(batch);
  sinew_rig_destroy(e.rig);
  sinew_builder_destroy(e.builder);
  return right;
}

/* --- derivatives */

/* the node's outputs with its inputs moved by h along a column */
static bool moved_outputs(const sinew_rig *rig, const sinew_node *node, const sinew_tangent *t,
                          int column, const float *values, double h, float *dest) {
  const si_component *k = &rig->model.components[node->component - 1];
  memcpy(dest, values, rig->value_count * sizeof(float));
  for (uint32_t i = 0; i < node->input_count; i++) {
    const si_source *s = &k->inputs[i];
    const float one[16] = { 1 };
    const float *rate = NULL;
    if (s->kind == SI_FROM_DOF && sinew_tangent_dof(t, column).id == s->id) rate = one;
    if (s->kind == SI_FROM_OUTPUT)
      rate = sinew_tangent_value(t, (sinew_component){ s->id }, (int)s->output, column);
    /* two inputs may be wired to one source */
    uint32_t at = node->ports[i];
    for (int n = 0; rate && n < si_kind_numbers(si_input_desc(k, i)->kind); n++)
      dest[at + (uint32_t)n] = (float)((double)values[at + (uint32_t)n] + h * (double)rate[n]);
  }
  return run_class(rig, node, dest) >= 0;
}

/* the fastest of the node's inputs along a column: degrees, or hundredths of a matrix */
static double speed_of(const sinew_rig *rig, const sinew_node *node, const sinew_tangent *t,
                       int column) {
  const si_component *k = &rig->model.components[node->component - 1];
  double speed = 0;
  for (uint32_t i = 0; i < node->input_count; i++) {
    const si_source *s = &k->inputs[i];
    if (s->kind == SI_FROM_DOF && sinew_tangent_dof(t, column).id == s->id) speed = fmax(speed, 1);
    if (s->kind != SI_FROM_OUTPUT) continue;
    sinew_kind kind = si_input_desc(k, i)->kind;
    const float *rate = sinew_tangent_value(t, (sinew_component){ s->id }, (int)s->output, column);
    for (int n = 0; rate && n < si_kind_numbers(kind); n++)
      speed = fmax(speed, fabs((double)rate[n]) * (kind == SINEW_SCALAR ? 1 : 60));
  }
  return speed;
}

/* Central differences of two widths. If they disagree there is a kink or a jump in between: a limit
 * becomes active, or an interval ends. */
static bool node_rates_right(check *c, const sinew_rig *rig, const sinew_node *node,
                             const sinew_tangent *t, int column, const float *values,
                             float *const *moved) {
  static const double widths[] = { -2, -1, 1, 2 };
  const si_component *k = &rig->model.components[node->component - 1];
  double speed = speed_of(rig, node, t, column), h = speed > 0 ? 0.2 / speed : 0;
  /* the engine's own differences have longer steps, so kinks within these matter */
  double range = (double)rig->model.dofs[column].max - (double)rig->model.dofs[column].min;
  if (sinew_tangent_differenced(rig, (sinew_component){ node->component }))
    h = range > 0 && range < 1e6 ? range / 256 : 0.25;
  if (!(speed > 1e-4) || !(speed < 1e4)) return true;
  /* a small step of a huge number is lost to rounding */
  for (uint32_t i = 0; i < node->input_count; i++)
    for (int n = 0; n < si_kind_numbers(si_input_desc(k, i)->kind); n++)
      if (!(fabsf(values[node->ports[i] + (uint32_t)n]) < 1e4f)) return true;
  for (int i = 0; i < 4; i++)
    if (!moved_outputs(rig, node, t, column, values, widths[i] * h, moved[i])) return true;
  sinew_component self = { node->component };
  char port[64];
  for (uint32_t o = 0; o < node->output_count; o++) {
    uint32_t at = node->ports[node->input_count + o];
    int count = si_kind_numbers(si_output_kind(k, o)), worst = 0;
    const float *given = sinew_tangent_value(t, self, (int)o, column);
    double slope[16], size = 0, bend = 0, off = 0;
    double noise = strcmp(network_output_unit(k->cls, (int)o), "deg") == 0 ? 20 : 0.3;
    for (int n = 0; n < count; n++) {
      double f[5];
      for (int i = 0; i < 4; i++) f[i < 2 ? i : i + 1] = (double)moved[i][at + (uint32_t)n];
      f[2] = (double)values[at + (uint32_t)n];
      double narrow = (f[3] - f[1]) / (2 * h), wide = (f[4] - f[0]) / (4 * h);
      slope[n] = (4 * narrow - wide) / 3;
      size = fmax(size, fabs(slope[n]));
      bend = fmax(bend, fabs(narrow - wide));
      bend = fmax(bend, fabs(2 * (f[3] - 2 * f[2] + f[1]) - 0.5 * (f[4] - 2 * f[2] + f[0])) / h);
      noise = fmax(noise, fabs(f[2]));
      double here = fabs((given ? (double)given[n] : 0) - slope[n]);
      if (!(here <= off)) off = here, worst = n;
    }
    noise *= 1e-3 / h;
    if (!(bend <= 2e-3 * fmax(size, noise))) {
      network_counted.kinks++;
      continue;
    }
    network_counted.tangents++;
    if (off <= 0.02 * fmax(size, noise)) continue;
    si_output_name(k, o, port, sizeof port);
    return differs(c, "d %s.%s[%d] / d %s is %g, differences say %g", k->name, port, worst,
                   rig->model.dofs[column].name, given ? (double)given[worst] : 0, slope[worst]);
  }
  return true;
}

/* dW = dP R L + P R dL */
static bool world_rates_right(check *c, const sinew_rig *rig, const sinew_tangent *t, int column,
                              const float *values, const float *worlds) {
  for (uint32_t slot = 0; slot < rig->model.segment_count; slot++) {
    const si_slot *s = &rig->slots[slot];
    const si_segment *segment = &rig->model.segments[s->segment];
    dmat zero = { { 0 } }, parent = dmat_identity(), parent_rate = zero, local_rate = zero;
    float rate[16];
    if (s->parent != SI_NONE) {
      sinew_tangent_world(t, (sinew_segment){ s->parent + 1 }, column, rate);
      parent = dmat_of(worlds + 16 * (size_t)s->parent), parent_rate = dmat_of(rate);
    }
    if (segment->source.kind == SI_FROM_OUTPUT) {
      const float *found = sinew_tangent_value(t, (sinew_component){ segment->source.id },
                                               (int)segment->source.output, column);
      if (found) local_rate = dmat_of(found);
    }
    dmat local = s->local == SI_NONE ? dmat_identity() : dmat_of(values + s->local);
    dmat rest = dmat_of(segment->rest), rl = dmat_mul(rest, local),
         rdl = dmat_mul(rest, local_rate);
    dmat a = dmat_mul(parent_rate, rl), b = dmat_mul(parent, rdl);
    dmat x = mul_sizes(parent_rate, mul_sizes(rest, local));
    dmat y = mul_sizes(parent, mul_sizes(rest, local_rate));
    /* derivatives use inverses of world matrices; the error grows with the distance from the origin
     */
    double far = 1, size = 0;
    for (int i = 12; i < 15; i++) far += fabs((double)worlds[16 * (size_t)s->segment + i]);
    for (int i = 0; i < 16; i++) size = fmax(size, x.m[i] + y.m[i]);
    sinew_tangent_world(t, (sinew_segment){ s->segment + 1 }, column, rate);
    for (int i = 0; i < 15; i++)
      if (!(fabs((double)rate[i] - a.m[i] - b.m[i]) <= 1e-4 * far * (size + 1e-3)))
        return differs(c, "d %s.world[%d] / d %s is %g, expected %g", segment->name, i,
                       rig->model.dofs[column].name, (double)rate[i], a.m[i] + b.m[i]);
  }
  return true;
}

/* the rows of points and directions are the world matrix's derivative times them */
static bool rows_right(check *c, const sinew_rig *rig, const sinew_tangent *t, int column,
                       const float *worlds) {
  float *rows = malloc(3 * sizeof *rows * (size_t)(c->n->dofs + 1));
  bool right = true;
  for (uint32_t s = 0; s < rig->model.segment_count && right; s++) {
    sinew_segment segment = { s + 1 };
    float rate[16], place[3];
    double far = 1; /* rows depend on the world position; the error grows with the distance from the
                       origin */
    for (int i = 12; i < 15; i++) far += fabs((double)worlds[16 * (size_t)s + i]);
    sinew_tangent_world(t, segment, column, rate);
    for (int i = 0; i < 3; i++) place[i] = make_between(&c->seed, -1, 1);
    for (int w = 0; w < 2 && right; w++) {
      (w ? sinew_tangent_point : sinew_tangent_direction)(t, segment, place, rows, 3);
      for (int i = 0; i < 3 && right; i++) {
        double is = (double)rows[3 * column + i], expected = w * (double)rate[12 + i];
        double size = fabs(expected) + 1e-2;
        for (int k = 0; k < 3; k++) {
          double term = (double)rate[4 * k + i] * (double)place[k];
          expected += term, size += fabs(term);
        }
        if (!(fabs(is - expected) <= 1e-4 * far * size))
          right = differs(c, "d %s of %s / d %s is %g, expected %g", w ? "point" : "direction",
                          rig->model.segments[s].name, rig->model.dofs[column].name, is, expected);
      }
    }
  }
  free(rows);
  return right;
}

static bool check_tangent(check *c, const sinew_rig *rig) {
  sinew_error error;
  c->way = NETWORK_TANGENT, c->what = "derivatives";
  OWNED(tangent) *t = sinew_tangent_create(rig, NULL, &error);
  bool right = t ? true : differs(c, "%s", error.text);
  float *moved[4];
  for (int i = 0; i < 4; i++) moved[i] = value_array(rig);
  for (int r = 0; r < c->n->rows && r < 3 && right; r++) {
    sinew_status status;
    c->row = row_of(c->n, r);
    OWNED(pose) *pose = pose_at(rig, c->row, make_index(&c->seed, 2), &status);
    if (status >= 0 && sinew_tangent_eval(t, pose, &error) >= 0) {
      const float *values = si_pose_values(pose);
      for (int column = 0; column < c->n->dofs && right; column++) {
        for (uint32_t i = 0; i < rig->node_count && right; i++) {
          right = node_rates_right(c, rig, &rig->nodes[i], t, column, values, moved);
        }
        right = right && world_rates_right(c, rig, t, column, values, sinew_pose_worlds(pose)) &&
                rows_right(c, rig, t, column, sinew_pose_worlds(pose));
      }
    }
  }
  for (int i = 0; i < 4; i++) free(moved[i]);
  return right;
}

/* --- scripts */

static bool check_rig(check *c, const sinew_rig *rig, unsigned ways);

/* The printed script makes the same rig. If it has the tests' own classes, which are scripted
 * there, it is compared with itself, as any other rig is. */
static bool check_lua(check *c, const sinew_rig *rig) {
  sinew_error error;
  sinew_host_desc desc = patient_host_desc();
  desc.load_instructions = desc.eval_instructions = INT64_MAX;
  c->way = NETWORK_LUA, c->what = "from its Lua script";
  c->row = row_of(c->n, 0);
  FREED char *script = network_print(c->n);
  if (!script || !scratch_open()) return differs(c, "there is no room for its script");
  scratch_text("network.lua", script);
  OWNED(host) *host = sinew_host_create(&desc, &error);
  bool right = true, custom = false;
  for (int i = 0; i < sinew_rig_component_count(rig); i++) {
    sinew_component_info info = sinew_rig_component_info(rig, sinew_rig_component(rig, i));
    for (int k = 0; network_classes[k]; k++) custom |= info.component_class == network_classes[k];
  }
  sinew_status status =
      host ? sinew_host_load(host, scratch_path("network.lua"), &error) : SINEW_ERR_MEMORY;
  network_counted.scripts++;
  if (status < 0) {
    /* a rig that cannot be evaluated at rest is refused */
    OWNED(pose) *pose = sinew_pose_create(rig, NULL);
    if (sinew_pose_eval(pose, NULL) >= 0) right = differs(c, "%s", error.text);
  } else if (custom) {
    right = check_rig(c, sinew_host_rig(host),
                      NETWORK_PLAIN | NETWORK_FUSED | NETWORK_HISTORY | NETWORK_BATCH |
                          NETWORK_TANGENT);
    if (!right) {
      char text[sizeof c->found->text];
      snprintf(text, sizeof text, "scripted, %.400s", c->found->text);
      memcpy(c->found->text, text, sizeof text);
      c->found->way = NETWORK_LUA;
    }
  } else {
    right = rigs_same(c, sinew_host_rig(host), rig);
  }
  scratch_close();
  return right;
}

static bool check_plain(check *c, const sinew_rig *rig) { return check_poses(c, rig, true); }
static bool check_fused(check *c, const sinew_rig *rig) { return check_poses(c, rig, false); }
static bool check_lanes(check *c, const sinew_rig *rig) {
  return check_batch(c, rig, 4) && check_batch(c, rig, 8);
}

static bool check_rig(check *c, const sinew_rig *rig, unsigned ways) {
  static const struct {
    unsigned way;
    bool (*run)(check *c, const sinew_rig *rig);
  } all[] = {
    { NETWORK_PLAIN, check_plain },     { NETWORK_FUSED, check_fused },
    { NETWORK_HISTORY, check_history }, { NETWORK_BATCH, check_lanes },
    { NETWORK_XML, check_xml },         { NETWORK_EDIT, check_edit },
    { NETWORK_TANGENT, check_tangent }, { NETWORK_LUA, check_lua },
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    c->seed = c->n->seed * 31 + all[i].way;
    if (ways & all[i].way && !all[i].run(c, rig)) return false;
  }
  return true;
}

bool network_check(const network *n, unsigned ways, network_finding *found) {
  sinew_error error;
  memset(found, 0, sizeof *found);
  check c = { .n = n, .found = found, .seed = n->seed, .what = "compiled", .way = ways };
  sinew_rig *rig = network_compile(n, &error);
  if (!rig) return differs(&c, "%s", error.text);
  bool right = check_rig(&c, rig, ways);
  sinew_rig_destroy(rig);
  network_counted.networks++;
  return right;
}

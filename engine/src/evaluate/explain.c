/* Says in words what limits hold back: of every scalar that passes through a component which holds
 * something, what became of it, by the names of the DOFs behind it. */
#include "sinew/explain.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error_internal.h"
#include "sinew/component.h"

/* What arrives at a port, in the author's words: a DOF, where nothing but limits and a change of
 * sign (of a mirrored side) lies between; else the component that it comes from. */
typedef struct subject {
  char name[256];
  double sign; /* -1 where the value is minus the subject's */
  sinew_dof dof;
} subject;

/* the DOFs that a sentence names, and room for one more, which tells that there are others */
enum { most_movers = 12, mover_room = most_movers + 1 };

/* The first DOFs, by their ids, on which a component depends. */
typedef struct movers {
  uint32_t count, dofs[mover_room];
} movers;

/* Where a port's value comes from, known since it was asked for the last time. */
typedef struct passed {
  sinew_source from;
  int output, sign; /* of which port; 0: of none */
} passed;

/* where explanations go, and how many there were */
typedef struct writer {
  const sinew_pose *pose;
  sinew_explained *dest;
  int capacity, count;
  passed *passed; /* of each component */
  movers *movers; /* of each component; NULL until they are asked for */
  bool failed;    /* memory ran out */
} writer;

/* whether an output is minus the first input, whatever that is */
static bool negates(const sinew_rig *rig, sinew_source from) {
  char name[128];
  sinew_rig_output_name(rig, from.component, from.output, name, sizeof name);
  const sinew_param *param = sinew_rig_find_param(rig, from.component, name);
  if (!param || param->type != SINEW_PARAM_CURVE) return false;
  for (float x = -200; x <= 200; x += 100)
    if (sinew_curve_eval(param->curve, x, NULL) != -x) return false;
  return true;
}

/* Goes to where an output comes from, if nothing but a limit or a change of sign lies between. */
static bool step_back(const sinew_rig *rig, sinew_source *from, int *sign) {
  if (!from->component.id) return false;
  sinew_component_info info = sinew_rig_component_info(rig, from->component);
  if (info.input_count == 1 && negates(rig, *from)) {
    *sign = -*sign;
    *from = sinew_rig_input(rig, from->component, 0);
    return true;
  }
  for (int i = 0; i < info.input_count; i++) {
    if (sinew_rig_passed_to(rig, from->component, i) != from->output) continue;
    *from = sinew_rig_input(rig, from->component, i);
    return true;
  }
  return false;
}

/* the end of such steps; a long chain of limits is walked once, not once for each of them */
static passed end_of(const writer *w, sinew_source from) {
  const sinew_rig *rig = sinew_pose_rig(w->pose);
  passed end = { from, from.output, 1 };
  for (bool more = true; more;) {
    const passed *known = end.from.component.id ? &w->passed[end.from.component.id - 1] : NULL;
    if (known && known->sign && known->output == end.from.output) {
      end.sign *= known->sign;
      end.from = known->from;
      break;
    }
    more = step_back(rig, &end.from, &end.sign);
  }
  int sign = end.sign;
  for (sinew_source at = from; at.component.id;) {
    passed *known = &w->passed[at.component.id - 1];
    if (known->sign && known->output == at.output) break;
    *known = (passed){ end.from, at.output, sign };
    if (!step_back(rig, &at, &sign)) break;
  }
  return end;
}

static subject subject_of(const writer *w, sinew_source from) {
  const sinew_rig *rig = sinew_pose_rig(w->pose);
  passed end = end_of(w, from);
  from = end.from;
  subject s = { .sign = end.sign };
  s.dof = from.dof;
  if (from.dof.id) {
    snprintf(s.name, sizeof s.name, "%s", sinew_rig_dof_info(rig, from.dof).name);
  } else if (from.component.id) {
    char output[100];
    sinew_component_info info = sinew_rig_component_info(rig, from.component);
    sinew_rig_output_name(rig, from.component, from.output, output, sizeof output);
    bool one = info.output_count == 1;
    snprintf(s.name, sizeof s.name, "%.150s%s%s", info.name, one ? "" : ".", one ? "" : output);
  } else {
    snprintf(s.name, sizeof s.name, "a constant");
  }
  return s;
}

/* adds one DOF to a list in ascending order, which keeps the first of them */
static void add_mover(movers *m, uint32_t dof) {
  uint32_t at = m->count;
  while (at > 0 && m->dofs[at - 1] > dof) at--;
  if ((at > 0 && m->dofs[at - 1] == dof) || at == mover_room) return;
  if (m->count < mover_room) m->count++;
  for (uint32_t i = m->count - 1; i > at; i--) m->dofs[i] = m->dofs[i - 1];
  m->dofs[at] = dof;
}

/* on which DOFs each component depends, in the order of evaluation; NULL when memory runs out */
static const movers *movers_of(writer *w, sinew_component component) {
  const sinew_rig *rig = sinew_pose_rig(w->pose);
  int count = sinew_rig_component_count(rig);
  if (!w->movers) {
    w->movers = si_alloc_array((size_t)count + 1, sizeof *w->movers);
    w->failed |= !w->movers;
    for (int i = 0; w->movers && i < count; i++) {
      sinew_component c = sinew_rig_order(rig, i);
      movers *own = &w->movers[c.id - 1];
      int inputs = sinew_rig_component_info(rig, c).input_count;
      for (int k = 0; k < inputs; k++) {
        sinew_source from = sinew_rig_input(rig, c, k);
        const movers *behind = from.component.id ? &w->movers[from.component.id - 1] : NULL;
        if (from.dof.id) add_mover(own, from.dof.id);
        for (uint32_t d = 0; behind && d < behind->count; d++) add_mover(own, behind->dofs[d]);
      }
    }
  }
  return w->movers ? &w->movers[component.id - 1] : NULL;
}

static int input_named(const sinew_rig *rig, sinew_component component, const char *name) {
  char port[128];
  for (int i = 0; i < sinew_rig_component_info(rig, component).input_count; i++) {
    sinew_rig_input_name(rig, component, i, port, sizeof port);
    if (strcmp(port, name) == 0) return i;
  }
  return -1;
}

static void add(sinew_explained *e, const char *format, ...) {
  size_t used = strlen(e->text);
  va_list args;
  va_start(args, format);
  vsnprintf(e->text + used, sizeof e->text - used, format, args);
  va_end(args);
}

/* room for one more; a spare one where the caller has none */
static sinew_explained *next_one(writer *w, sinew_explained *spare) {
  sinew_explained *e = w->count < w->capacity ? &w->dest[w->count] : spare;
  w->count++;
  memset(e, 0, sizeof *e);
  return e;
}

/* "its limit, at most 65 - 55 fold", "its upper bound at hip.flexion = 110", or what the class says
 */
static void find_cause(const writer *w, const sinew_hold *hold, sinew_explained *e) {
  const sinew_pose *pose = w->pose;
  const sinew_rig *rig = sinew_pose_rig(pose);
  const sinew_component_class *cls = sinew_rig_component_info(rig, hold->component).component_class;
  const sinew_param_desc *low = sinew_class_param_marked(cls, SINEW_PARAM_BOUND, NULL);
  const sinew_param_desc *high = low ? sinew_class_param_marked(cls, SINEW_PARAM_BOUND, low) : NULL;
  const sinew_param_desc *bound = hold->amount > 0 ? low : high;
  char formula[512];
  int active = sinew_class_input_marked(cls, SINEW_PORT_BOUNDING);
  e->component = hold->component;
  if (bound && sinew_rig_formula(rig, hold->component, bound->name, formula, sizeof formula)) {
    snprintf(e->cause, sizeof e->cause, "%.80s, at %s %s", hold->doc,
             hold->amount > 0 ? "least" : "most", formula);
  } else if (active >= 0) {
    subject by = subject_of(w, sinew_rig_input(rig, hold->component, active));
    snprintf(e->cause, sizeof e->cause, "its %s bound at %s = %.5g",
             hold->amount > 0 ? "lower" : "upper", by.name,
             by.sign * (double)*sinew_pose_input(pose, hold->component, active));
  } else {
    snprintf(e->cause, sizeof e->cause, "%s", hold->doc);
  }
}

/* " ('hip.reach', hip.lua:50)" */
static void add_place(const sinew_rig *rig, sinew_component component, sinew_explained *e) {
  sinew_component_info info = sinew_rig_component_info(rig, component);
  add(e, " ('%s'%s%s)", info.name, info.origin ? ", " : "", info.origin ? info.origin : "");
}

/* "hip.flexion is held to 95 (110 wanted) by the reach cone ('hip.reach', hip.lua:50)"; false, with
 * nothing written, where the two numbers read the same */
static bool tell_held(writer *w, const sinew_hold *hold, int input, double wanted, double given) {
  const sinew_rig *rig = sinew_pose_rig(w->pose);
  subject s = subject_of(w, sinew_rig_input(rig, hold->component, input));
  sinew_explained spare;
  char to[32], from[32];
  snprintf(to, sizeof to, "%.5g", s.sign * given + 0);
  snprintf(from, sizeof from, "%.5g", s.sign * wanted + 0);
  if (strcmp(to, from) == 0) return false;
  sinew_explained *e = next_one(w, &spare);
  find_cause(w, hold, e);
  e->dof = s.dof;
  e->wanted = s.sign * wanted + 0;
  e->given = s.sign * given + 0;
  add(e, "%s is held to %s (%s wanted) by %s", s.name, to, from, e->cause);
  add_place(rig, hold->component, e);
  return true;
}

/* what is held elsewhere than at a scalar input: "the swing of 'hip.reach' is held 12 short by the
 * reach cone; moved by hip.flexion" */
static void tell_other(writer *w, const sinew_hold *hold) {
  const sinew_rig *rig = sinew_pose_rig(w->pose);
  double by = hold->amount > 0 ? (double)hold->amount : -(double)hold->amount;
  sinew_explained spare, *e = next_one(w, &spare);
  e->component = hold->component;
  snprintf(e->cause, sizeof e->cause, "%s", hold->doc);
  if (input_named(rig, hold->component, hold->port) >= 0)
    add(e, "%s is held %.5g short by %s", hold->port, by, hold->doc);
  else
    add(e, "%s by %.5g", hold->doc, by);
  const movers *by_dofs = movers_of(w, hold->component);
  for (uint32_t i = 0; by_dofs && i < by_dofs->count && i < most_movers; i++)
    add(e, "%s%s", i ? ", " : "; moved by ",
        sinew_rig_dof_info(rig, (sinew_dof){ by_dofs->dofs[i] }).name);
  if (by_dofs && by_dofs->count > most_movers) add(e, " and others");
  add_place(rig, hold->component, e);
}

static void tell_range(writer *w, const sinew_hold *hold) {
  sinew_dof_info dof = sinew_rig_dof_info(sinew_pose_rig(w->pose), hold->dof);
  sinew_explained spare, *e = next_one(w, &spare);
  e->dof = hold->dof;
  e->given = (double)sinew_pose_get(w->pose, hold->dof);
  e->wanted = e->given - (double)hold->amount;
  snprintf(e->cause, sizeof e->cause, "its range, %g to %g", (double)dof.min, (double)dof.max);
  add(e, "%s is held to %.5g (%.5g wanted) by %s", hold->name, e->given, e->wanted, e->cause);
}

static const sinew_hold *hold_on(const sinew_rig *rig, const sinew_hold *holds, int count,
                                 int input) {
  for (int i = 0; i < count; i++)
    if (input_named(rig, holds[i].component, holds[i].port) == input) return &holds[i];
  return NULL;
}

/* All holds of one component. Every scalar that passes through it says what became of it; what is
 * held is told by itself only if that told nothing. */
static void tell_component(writer *w, const sinew_hold *holds, int count) {
  const sinew_pose *pose = w->pose;
  const sinew_rig *rig = sinew_pose_rig(pose);
  sinew_component c = holds->component;
  int inputs = sinew_rig_component_info(rig, c).input_count;
  bool told = false;
  for (int i = 0; i < inputs; i++) {
    int output = sinew_rig_passed_to(rig, c, i);
    if (output < 0) continue;
    const sinew_hold *own = hold_on(rig, holds, count, i);
    told |= tell_held(w, own ? own : holds, i, (double)*sinew_pose_input(pose, c, i),
                      (double)*sinew_pose_value(pose, c, output));
  }
  for (int h = 0; h < count && !told; h++) {
    int input = input_named(rig, c, holds[h].port);
    sinew_source from = input >= 0 ? sinew_rig_input(rig, c, input) : (sinew_source){ .output = 0 };
    bool scalar =
        from.dof.id || (from.component.id &&
                        sinew_rig_output_kind(rig, from.component, from.output) == SINEW_SCALAR);
    double wanted = scalar ? (double)*sinew_pose_input(pose, c, input) : 0;
    if (!scalar || !tell_held(w, &holds[h], input, wanted, wanted + (double)holds[h].amount))
      tell_other(w, &holds[h]);
  }
}

int sinew_pose_explain(const sinew_pose *pose, sinew_explained *dest, int capacity) {
  if (!SI_EXPECT(pose && capacity >= 0 && (dest || capacity == 0))) return -1;
  int count = sinew_pose_holds(pose, NULL, 0);
  sinew_hold *holds = si_alloc_array((size_t)count + 1, sizeof *holds);
  if (!holds) return -1;
  sinew_pose_holds(pose, holds, count);
  writer w = { .pose = pose, .dest = dest, .capacity = capacity };
  size_t components = (size_t)sinew_rig_component_count(sinew_pose_rig(pose));
  w.passed = si_alloc_array(components + 1, sizeof *w.passed);
  w.failed = !w.passed;
  for (int i = 0; i < count && !w.failed;) {
    int next = i + 1;
    while (next < count && holds[i].component.id &&
           holds[next].component.id == holds[i].component.id)
      next++;
    if (holds[i].dof.id)
      tell_range(&w, &holds[i]);
    else
      tell_component(&w, &holds[i], next - i);
    i = next;
  }
  si_free(holds);
  si_free(w.passed);
  si_free(w.movers);
  return w.failed ? -1 : w.count;
}

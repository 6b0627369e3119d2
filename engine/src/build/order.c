/* The order of evaluation: a depth-first search along wires with an explicit stack, so chains may
 * be of any length. Where the wires allow several orders, components keep the order in which they
 * were added. */
#include "base/budget_internal.h"
#include "build/check.h"

#include "model/path.h"

#include <stdio.h>
#include <string.h>

enum { most_cycles = 8 }; /* that are reported */

typedef struct frame {
  uint32_t component, next_input;
} frame;

/* the segment through whose frame a component reads the input that it waits for; 0: by a wire */
static uint32_t segment_read(const si_model *m, const frame *f) {
  return si_path_segment(m, &m->components[f->component], f->next_input - 1);
}

static void name_cycle(const si_model *m, const frame *stack, uint32_t from, uint32_t depth,
                       sinew_error *error) {
  char text[900], prefix[256];
  size_t used = 0;
  uint32_t length = depth - from;
  /* the stack runs from consumer to source; values flow the other way */
  for (uint32_t i = 0; i <= length; i++) {
    const char *name = m->components[stack[from + (length - i) % length].component].name;
    if (i == 8 && length > 12) {
      used += (size_t)snprintf(text + used, sizeof text - used, " -> ... %u more ...",
                               (unsigned)(length - 9));
      i = length - 2;
      continue;
    }
    uint32_t reads = i ? segment_read(m, &stack[from + (length - i) % length]) : 0;
    const char *seen = reads ? m->segments[reads - 1].name : "";
    if (used + strlen(name) + strlen(seen) + 48 < sizeof text)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s%s%s", i ? " -> " : "",
                               reads ? "segment '" : "", seen, reads ? "' -> " : "", name);
  }
  const char *origin = m->components[stack[from].component].origin;
  uint32_t own = segment_read(m, &stack[from]);
  if (length == 1 && own)
    si_add(error, SINEW_ERR_CYCLE,
           "%scomponent '%s' reads the frame of segment '%s', which it moves",
           si_origin_prefix(origin, prefix, sizeof prefix),
           m->components[stack[from].component].name, m->segments[own - 1].name);
  else if (length == 1)
    si_add(error, SINEW_ERR_CYCLE, "%scomponent '%s' is wired to itself",
           si_origin_prefix(origin, prefix, sizeof prefix),
           m->components[stack[from].component].name);
  else
    si_add(error, SINEW_ERR_CYCLE, "%scomponents wait for each other: %s",
           si_origin_prefix(origin, prefix, sizeof prefix), text);
}

bool si_sort(const si_model *m, uint32_t *order, sinew_error *error) {
  enum { unseen, open, done };
  uint32_t n = m->component_count, placed = 0;
  unsigned char *state = si_alloc((size_t)n + 1);
  frame *stack = si_alloc_array((size_t)n + 1, sizeof *stack);
  bool ok = state && stack;
  int cycles = 0;
  for (uint32_t root = 0; ok && root < n; root++) {
    if (state[root] != unseen) continue;
    uint32_t depth = 0;
    stack[depth++] = (frame){ root, 0 };
    state[root] = open;
    while (depth) {
      if (!(ok = si_work(2))) break;
      frame *top = &stack[depth - 1];
      const si_component *k = &m->components[top->component];
      if (top->next_input == k->input_count) {
        state[top->component] = done;
        order[placed++] = top->component;
        depth--;
        continue;
      }
      const si_source *source = &k->inputs[top->next_input++];
      if (source->kind != SI_FROM_OUTPUT) continue;
      uint32_t next = source->id - 1;
      if (state[next] == unseen) {
        state[next] = open;
        stack[depth++] = (frame){ next, 0 };
      } else if (state[next] == open && cycles++ < most_cycles) {
        uint32_t from = depth;
        while (stack[from - 1].component != next) from--;
        name_cycle(m, stack, from - 1, depth, error);
      }
    }
  }
  si_free(state);
  si_free(stack);
  return ok;
}

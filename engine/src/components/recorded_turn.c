/* Programs that are rotations about a fixed axis, as components/rotation.h has them: recognised by
 * their operations and constants, whatever the script looked like. They are evaluated as rotations,
 * and so they join the products of the fused program. */
#include "components/recorded.h"
#include "components/rotation.h"

#include <float.h>
#include <string.h>

si_program_shape si_program_shape_of(const si_tape *tape) {
  const si_program_shape none = { -1, -1, -1 };
  si_program_shape found = none;
  const si_tape_op *op = tape->ops, *end = op + tape->op_count;
  if (tape->load_count != 1 || tape->loads->kind != SI_MOVE_ONE || tape->store_count != 1 ||
      tape->stores->kind != SI_MOVE_MATRIX)
    return none;
  uint16_t x = tape->loads->reg;
  if (op < end && op->code == SI_TAPE_CLAMP && op->a == x) {
    found.clamp = (int)(op - tape->ops);
    x = op++->dest;
  }
  if (op >= end || op->code != SI_TAPE_SINCOS || op->a != x) return none;
  uint16_t sine = op++->dest;
  if (op < end && (op->code == SI_TAPE_BELOW || op->code == SI_TAPE_ABOVE) && op->a == x)
    found.choice = (int)(op++ - tape->ops);
  if (op + 1 != end || op->code != (found.choice < 0 ? SI_TAPE_M_PLANE : SI_TAPE_M_PLANE_IF))
    return none;
  bool both = (op->a == sine && op->b == sine + 1) || (op->b == sine && op->a == sine + 1);
  if (!both || op->dest != tape->stores->reg) return none;
  found.plane = (int)(op - tape->ops);
  return found;
}

/* whether sixteen constants and the factors of cosine and sine are those of a rotation about a unit
 * axis, which is then in `axis` */
static bool is_rotation(const float *p, const float *q, const float *x, float axis[3]) {
  const float near = 1e-5f;
  for (int i = 0; i < 3; i++) axis[i] = x[4 * ((i + 1) % 3) + (i + 2) % 3];
  if (!(fabsf(si_vec_length(axis) - 1) <= near)) return false;
  for (int col = 0; col < 3; col++)
    for (int row = 0; row < 3; row++) {
      float along = axis[row] * axis[col], at = 0;
      if (row != col) {
        int other = 3 - row - col;
        at = (row == (col + 1) % 3 ? 1.0f : -1.0f) * axis[other];
      }
      if (!(fabsf(p[4 * col + row] - along) <= near &&
            fabsf(q[4 * col + row] - ((row == col) - along)) <= near &&
            fabsf(x[4 * col + row] - at) <= near))
        return false;
    }
  return true;
}

static void set_move(sinew_turn_move *dest, const float *p, const float *q, const float *x) {
  memcpy(dest->p, p + 12, sizeof dest->p);
  memcpy(dest->q, q + 12, sizeof dest->q);
  memcpy(dest->x, x + 12, sizeof dest->x);
}

bool si_program_turn(const sinew_program *p, const float *k, sinew_turn *dest) {
  const si_tape_op *ops = p->tapes.pose.ops, *plane = &ops[p->shape.plane];
  uint16_t cosine = (uint16_t)(ops[p->shape.clamp + 1].dest + 1);
  const float *c = k + plane->k, *choice = c + 48;
  int of_cosine = plane->a == cosine ? 16 : 32, of_sine = 48 - of_cosine;
  float low = -FLT_MAX, high = FLT_MAX, axis[3], other[3];
  if (p->shape.clamp >= 0) {
    const float *range = k + ops[p->shape.clamp].k;
    low = range[0] < -FLT_MAX ? -FLT_MAX : range[0];
    high = range[1] > FLT_MAX ? FLT_MAX : range[1];
    if (!(low <= high)) return false;
  }
  if (!is_rotation(c, c + of_cosine, c + of_sine, axis)) return false;
  bool two = p->shape.choice >= 0;
  if (two && (!is_rotation(choice, choice + of_cosine, choice + of_sine, other) ||
              fabsf(si_vec_dot(axis, other) - 1) > 1e-6f))
    return false;
  if (!dest) return true;
  const float none[3] = { 0, 0, 0 };
  sinew_turn_make(axis, none, 0, -FLT_MAX, FLT_MAX, dest);
  dest->low = low;
  dest->high = high;
  set_move(&dest->moves[0], c, c + of_cosine, c + of_sine);
  if (!two) return true;
  const si_tape_op *op = &ops[p->shape.choice];
  set_move(&dest->moves[1], choice, choice + of_cosine, choice + of_sine);
  if (op->code == SI_TAPE_ABOVE) { /* then the first is the upper one */
    sinew_turn_move upper = dest->moves[0];
    dest->moves[0] = dest->moves[1];
    dest->moves[1] = upper;
  }
  dest->intervals = 2;
  dest->ends_at = (uint32_t)(sizeof *dest + 2 * sizeof *dest->moves);
  float *ends = (float *)(void *)((char *)dest + dest->ends_at);
  ends[0] = op->code == SI_TAPE_ABOVE ? nextafterf(k[op->k], INFINITY) : k[op->k];
  ends[1] = high;
  return true;
}

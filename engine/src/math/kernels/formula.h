/* Formulas of simple shapes (math/formula_code.h), over NUM (math/kernels/number.h), for floats and
 * lanes: the operations of math/kernels/tape.h without registers. Every width gives the same bits.
 */

/* k0 + k1 a + k2 b */
KERNEL NUM OF(formula_plane)(const float *k, NUM a, NUM b) {
  return OF(all)(k[0]) + k[1] * a + k[2] * b;
}

/* an operation of a and b alone */
KERNEL NUM OF(formula_pair)(unsigned code, NUM a, NUM b) {
  switch (code) {
  case SI_OP_MULTIPLY: return a * b;
  case SI_OP_DIVIDE: return a / b;
  case SI_OP_MIN: return OF(pick)(b < a, b, a);
  case SI_OP_MAX: return OF(pick)(b > a, b, a);
  default: return OF(pick)(a < 0.0f, -a, a);
  }
}

/* the value of a formula of one of the first three shapes */
KERNEL NUM OF(formula_shaped)(const si_formula_code *f, NUM x, NUM y) {
  if (f->shape == SI_SHAPE_PAIR)
    return OF(formula_pair)(f->pair, OF(all)(f->k[0]) + f->k[1] * x,
                            OF(all)(f->m[0]) + f->m[1] * y);
  NUM value = OF(formula_plane)(f->k, x, y);
  if (f->shape == SI_SHAPE_PLANE) return value;
  return OF(clamp)(value, OF(all)(f->m[0]), OF(all)(f->m[1]));
}

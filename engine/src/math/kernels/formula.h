/* The operations of a formula (math/formula_code.h), over NUM (math/kernels/number.h), for floats
 * and lanes. Every width gives the same bits. */

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

/* the value of one operation; `r` has the registers before it */
KERNEL NUM OF(formula_op)(const si_op *op, const NUM *r) {
  NUM a = r[op->a], b = r[op->b];
  switch (op->code) {
  case SI_OP_PLANE: return OF(formula_plane)(op->k, a, b);
  case SI_OP_LINE: return OF(all)(op->k[0]) + op->k[1] * a;
  case SI_OP_ADD: return a + op->k[1] * b;
  case SI_OP_CLAMP: return OF(clamp)(a, OF(all)(op->k[1]), OF(all)(op->k[2]));
  default: return OF(formula_pair)(op->code, a, b);
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

/* The derivative of one operation, given those of the registers before it, `d`. Where two sides
 * meet (min, max, abs), it is that of the first argument, of x for abs. */
KERNEL NUM OF(formula_op_rate)(const si_op *op, const NUM *r, const NUM *d) {
  NUM a = r[op->a], b = r[op->b], da = d[op->a], db = d[op->b];
  switch (op->code) {
  case SI_OP_PLANE: return op->k[1] * da + op->k[2] * db;
  case SI_OP_LINE: return op->k[1] * da;
  case SI_OP_ADD: return da + op->k[1] * db;
  case SI_OP_MULTIPLY: return da * b + a * db;
  case SI_OP_DIVIDE: return (da - a / b * db) / b;
  case SI_OP_MIN: return OF(pick)(b < a, db, da);
  case SI_OP_MAX: return OF(pick)(b > a, db, da);
  case SI_OP_ABS: return OF(pick)(a < 0.0f, -da, da);
  case SI_OP_CLAMP:
    return OF(pick)(a < op->k[1], OF(all)(0), OF(pick)(a > op->k[2], OF(all)(0), da));
  default: return da;
  }
}

/* Fills the registers after the inputs, which the caller has filled, and returns the result. */
KERNEL NUM OF(formula_run)(const si_formula_code *f, NUM *r) {
  const float *constants = si_formula_constants(f);
  const si_op *op = si_formula_ops(f), *end = op + f->ops;
  NUM *dest = r + f->inputs;
  for (uint32_t i = 0; i < f->constants; i++) *dest++ = OF(all)(constants[i]);
  for (; op < end; op++) *dest++ = OF(formula_op)(op, r);
  return r[f->result];
}

/* The derivative of the result. `r` has all registers, `d` has those of the inputs; fills the
 * rest. */
KERNEL NUM OF(formula_rate)(const si_formula_code *f, const NUM *r, NUM *d) {
  const si_op *op = si_formula_ops(f), *end = op + f->ops;
  NUM *dest = d + f->inputs;
  for (uint32_t i = 0; i < f->constants; i++) *dest++ = OF(all)(0);
  for (; op < end; op++) *dest++ = OF(formula_op_rate)(op, r, d);
  return d[f->result];
}

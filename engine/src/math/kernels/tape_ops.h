/* The operations of a tape, as the body of a function of math/kernels/tape.h, which has the macros:
 * from `op` on, over registers r and constants k. TAPE_END is what the last one does.
 *
 * Dispatch is by addresses of labels, which takes fewer instructions than a switch. */

/* clang-format off: these are statements */
#define TAPE_LABEL(name) (&&at_##name),
static const void *const labels[] = { SI_TAPE_OPS(TAPE_LABEL) };
#undef TAPE_LABEL
goto *labels[op->code];
at_END:
  TAPE_END;
at_LOAD:
  SET(OF(all)(K(0)));
  NEXT;
at_COPY:
  SET(A);
  NEXT;
at_LINE:
  SET(OF(all)(K(0)) + K(1) * A);
  NEXT;
at_PLANE:
  SET(OF(all)(K(0)) + K(1) * A + K(2) * B);
  NEXT;
at_ADD:
  SET(A + K(0) * B);
  NEXT;
at_SUM:
  SET(A + B);
  NEXT;
at_DIFF:
  SET(A - B);
  NEXT;
at_MULTIPLY:
  SET(A * B);
  NEXT;
at_MADD:
  SET(A * B + C);
  NEXT;
at_MSUB:
  SET(A * B - C);
  NEXT;
at_NMADD:
  SET(C - A * B);
  NEXT;
at_DIVIDE:
  SET(A / B);
  NEXT;
at_OVER:
  SET(OF(all)(K(0)) / A);
  NEXT;
at_MIN:
  SET(OF(pick)(B < A, B, A));
  NEXT;
at_MAX:
  SET(OF(pick)(B > A, B, A));
  NEXT;
at_CLAMP:
  SET(OF(clamp)(A, OF(all)(K(0)), OF(all)(K(1))));
  NEXT;
at_ABS:
  SET(OF(tape_abs)(A));
  NEXT;
at_SQRT:
  SET(OF(sqrt)(A));
  NEXT;
at_SINCOS:
  OF(tape_sincos)(A, &r[op->dest], &r[op->dest + 1]);
  NEXT;
at_ATAN2:
  SET(OF(tape_atan2)(A, B));
  NEXT;
at_EXP:
  SET(OF(tape_exp)(A));
  NEXT;
at_LOG:
  SET(OF(tape_log)(A));
  NEXT;
at_POW:
  SET(OF(tape_pow)(A, B));
  NEXT;
at_FLOOR:
  SET(OF(tape_floor)(A));
  NEXT;
at_LESS:
  SET(TRUE(A < B));
  NEXT;
at_LEAST:
  SET(TRUE(A <= B));
  NEXT;
at_EQUAL:
  SET(TRUE(A == B));
  NEXT;
at_BELOW:
  SET(TRUE(A < K(0)));
  NEXT;
at_ABOVE:
  SET(TRUE(A > K(0)));
  NEXT;
at_SELECT:
  SET(OF(pick)(A != (CONST)0, B, C));
  NEXT;
at_CURVE:
  SET(OF(tape_curve)(aids->curves[op->n], A));
  NEXT;
at_SLOPE:
  SET(OF(tape_slope)(aids->curves[op->n], A));
  NEXT;
at_V_LOAD:
  EACH(KV(0));
  NEXT;
at_V_COPY:
  EACH(V(op->a));
  NEXT;
at_V_GATHER : {
  NUM x = A, y = B, z = C;
  r[op->dest] = x;
  r[op->dest + 1] = y;
  r[op->dest + 2] = z;
}
  NEXT;
at_V_LINE:
  EACH(KV(0) + KV(1) * A);
  NEXT;
at_V_PLANE:
  EACH(KV(0) + KV(1) * A + KV(2) * B);
  NEXT;
at_V_ADD:
  EACH(V(op->c) + (KV(0) * A + KV(1) * B));
  NEXT;
at_V_PLANE_IF : {
  MASK first = C != (CONST)0;
  EACH(KV_IF(first, 0) + KV_IF(first, 1) * A + KV_IF(first, 2) * B);
}
  NEXT;
at_V_SELECT : {
  MASK first = A != (CONST)0;
  EACH(V_PICK(first, V(op->b), V(op->c)));
}
  NEXT;
at_V_SUM:
  EACH(V(op->a) + V(op->b));
  NEXT;
at_V_DIFF:
  EACH(V(op->a) - V(op->b));
  NEXT;
at_V_SCALE:
  EACH(V(op->a) * B);
  NEXT;
at_V_MADD:
  EACH(V(op->a) * B + V(op->c));
  NEXT;
at_V_NMADD:
  EACH(V(op->c) - V(op->a) * B);
  NEXT;
at_V_MULTIPLY:
  EACH(V(op->a) * V(op->b));
  NEXT;
at_V_AFFINE:
  EACH(KV(0) + KV(1) * V(op->a));
  NEXT;
at_V_DIVIDE:
  EACH(V(op->a) / B);
  NEXT;
at_V_CROSS:
  EACH(CROSS(op->a, op->b));
  NEXT;
at_DOT : {
  const NUM *x = r + op->a, *y = r + op->b;
  SET((x[0] * y[0] + x[1] * y[1]) + x[2] * y[2]);
}
  NEXT;
at_M_PLANE : {
  const CONST *c = k + op->k;
  NUM a = A, b = B;
  _Pragma("GCC unroll 4") COLUMNS(KM(0) + KM(1) * a + KM(2) * b);
}
  NEXT;
at_M_PLANE_IF : {
  NUM a = A, b = B;
  MASK first = C != (CONST)0;
#if KERNEL_WIDTH == 1 || KERNEL_WIDTH == KERNEL_DOUBLE
  const CONST *c = k + op->k + (first ? 0 : 48);
  _Pragma("GCC unroll 4") COLUMNS(KM(0) + KM(1) * a + KM(2) * b);
#else
  const CONST *c = k + op->k;
  COLUMNS(OF(pick)(first, KM(0), KM(3)) + OF(pick)(first, KM(1), KM(4)) * a +
          OF(pick)(first, KM(2), KM(5)) * b);
#endif
}
  NEXT;
at_ROOT:
  OF(tape_root)(op, k, aids, r);
  op += op->n;
  NEXT;
at_NEWTON:
  OF(tape_newton)(op, k, aids, r);
  op += op->n;
  NEXT;
at_CONTACT:
  OF(tape_contact)(op, aids, r);
  NEXT;
#undef TAPE_END

/* Entries of rotation matrices, over NUM (math/kernels/number.h). */

/* An entry of P + cos Q + sin X, the matrix of a rotation about a constant axis by an angle with
 * this cosine and sine. Its derivative by the angle has the same form: P = 0, -sine in place of the
 * cosine, and the cosine in place of the sine. */
KERNEL NUM OF(rotated_entry)(NUM p, NUM q, NUM x, NUM cosine, NUM sine) {
  return p + cosine * q + sine * x;
}
/* entry (row, j) of it, from matrices in columns of four numbers */
KERNEL NUM OF(rotated)(const float *p, const float *q, const float *x, int j, int row, NUM cosine,
                       NUM sine) {
  return OF(rotated_entry)(OF(entry)(p, j, row), OF(entry)(q, j, row), OF(entry)(x, j, row), cosine,
                           sine);
}
/* its derivative per radian; per degree where cosine and sine are multiplied by SI_DEG */
KERNEL NUM OF(rotated_rate)(const float *q, const float *x, int j, int row, NUM cosine, NUM sine) {
  return OF(rotated_entry)(OF(all)(0), OF(entry)(q, j, row), OF(entry)(x, j, row), -sine, cosine);
}

/* columns a and b of a matrix times a rotation in their plane */
KERNEL void OF(rotate_columns)(NUM *a, NUM *b, NUM cosine, NUM sine) {
  NUM rotated = *a * cosine + *b * sine;
  *b = *b * cosine - *a * sine;
  *a = rotated;
}

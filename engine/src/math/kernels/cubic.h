/* A curve's value, over NUM (math/kernels/number.h), for floats and lanes.
 *
 * Curves are cubics y = a + t (b + t (c + t d)), one for each interval, with t = x minus the start
 * of the interval. Row 0 is for x below the points, row i for the interval that starts at point i,
 * and the last row for x beyond. A constant, and a polynomial of up to four coefficients, is row 0
 * alone and starts at 0. How a row is found depends on NUM: a float searches for it
 * (si_curve_quick), lanes compute all of them and pick (lane_few). */

KERNEL NUM OF(cubic)(NUM a, NUM b, NUM c, NUM d, NUM t) { return a + t * (b + t * (c + t * d)); }
/* the same where c and d are 0 */
KERNEL NUM OF(line)(NUM a, NUM b, NUM t) { return a + t * b; }

#if KERNEL_WIDTH != 4
/* row i of a curve at x; `straight`: it is a line */
KERNEL NUM OF(curve_row)(const sinew_curve *curve, uint32_t i, bool straight, NUM x) {
  const float *row = si_curve_rows(curve) + 4 * (size_t)i;
  NUM t = x - curve->data[i], a = OF(all)(row[0]), b = OF(all)(row[1]);
  return straight ? OF(line)(a, b, t) : OF(cubic)(a, b, OF(all)(row[2]), OF(all)(row[3]), t);
}

/* a polynomial of any number of coefficients, by Horner's rule */
KERNEL NUM OF(curve_polynomial)(const sinew_curve *curve, NUM x) {
  NUM value = OF(all)(0);
  for (uint32_t i = curve->coefficients; i-- > 0;)
    value = value * x + curve->data[curve->rows_at + i];
  return value;
}
#endif

/* The bounds of the formula component, over NUM (math/kernels/number.h): x clamped to low and
 * high; their middle where they cross. */
KERNEL NUM OF(formula_held)(NUM x, NUM low, NUM high) {
  NUM middle = 0.5f * (low + high);
  MASK crossed = low > high;
  return OF(clamp)(x, OF(pick)(crossed, middle, low), OF(pick)(crossed, middle, high));
}

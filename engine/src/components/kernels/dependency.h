/* The value of the dependency component [Shao 2003, 4.5], over NUM (math/kernels/number.h), for
 * floats and lanes. With curves f of the active value a, the passive value p becomes
 *   map      f(a)
 *   offset   p + f(a)
 *   bounds   p clamped to lower(a) and upper(a); their middle where they cross
 * `quick`: all curves are quick (sinew_curve.quick); lanes do not use it. */
KERNEL NUM OF(dependency_value)(const si_bounds *b, NUM active, NUM passive, bool quick) {
  if (b->map) return OF(curve_value)(b->map, active, quick);
  if (b->offset) return passive + OF(curve_value)(b->offset, active, quick);
  NUM low = b->lower ? OF(curve_value)(b->lower, active, quick) : OF(all)(-INFINITY);
  NUM high = b->upper ? OF(curve_value)(b->upper, active, quick) : OF(all)(INFINITY);
  NUM middle = 0.5f * (low + high);
  MASK crossed = low > high;
  return OF(clamp)(passive, OF(pick)(crossed, middle, low), OF(pick)(crossed, middle, high));
}

/* The angle of a rotation, over NUM (math/kernels/number.h): the wanted angle, clamped to its
 * range. */
KERNEL NUM OF(rotation_angle)(NUM wanted, NUM low, NUM high) {
  return OF(clamp)(wanted, low, high);
}

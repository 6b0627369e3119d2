/* The angle that a rotation takes, over NUM (math/kernels/number.h): the wanted one, inside its
 * range. */
KERNEL NUM OF(rotation_angle)(NUM wanted, NUM low, NUM high) {
  return OF(clamp)(wanted, low, high);
}

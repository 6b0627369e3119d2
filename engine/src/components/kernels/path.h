/* Points and directions through a path (model/path.h), over NUM (math/kernels/number.h). */

/* v = D v, or with `back` its inverse, of the matrix at `at` in the value array */
KERNEL void OF(driven_map)(const float *values, uint32_t at, bool back, bool point, NUM v[3]) {
  NUM x[3] = { v[0], v[1], v[2] };
  if (point && back)
#pragma GCC unroll 3
    for (uint32_t r = 0; r < 3; r++) x[r] = x[r] - OF(value)(values, at + 12 + r);
#pragma GCC unroll 3
  for (uint32_t r = 0; r < 3; r++) {
    uint32_t first = at + (back ? 4 * r : r), next = back ? 1 : 4;
    v[r] = OF(value)(values, first) * x[0] + OF(value)(values, first + next) * x[1] +
           OF(value)(values, first + 2 * next) * x[2];
    if (point && !back) v[r] = v[r] + OF(value)(values, at + 12 + r);
  }
}

#if KERNEL_WIDTH == KERNEL_LANES
/* v = m v, of a constant matrix */
KERNEL void OF(link_map)(const float *m, bool point, NUM v[3]) {
  NUM x = v[0], y = v[1], z = v[2];
#pragma GCC unroll 3
  for (int r = 0; r < 3; r++) {
    v[r] = OF(all)(m[r]) * x + OF(all)(m[4 + r]) * y + OF(all)(m[8 + r]) * z;
    if (point) v[r] = v[r] + OF(all)(m[12 + r]);
  }
}

/* v, given in the frame of the path's end, as seen from its base; components/path.h has it for one
 * pose, with a register for each column */
KERNEL void OF(path_map)(const si_path *path, const si_link *links, const sinew_node *node,
                         const float *values, bool point, NUM v[3]) {
  if (links[path->count].moves) OF(link_map)(links[path->count].m, point, v);
  for (uint32_t i = path->count; i-- > 0;) {
    OF(driven_map)(values, node->ports[path->first + i], i < path->up, point, v);
    if (links[i].moves) OF(link_map)(links[i].m, point, v);
  }
}
#endif

/* vectors of three numbers */
KERNEL NUM OF(vec_dot)(const NUM a[3], const NUM b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
KERNEL void OF(vec_cross)(const NUM a[3], const NUM b[3], NUM dest[3]) {
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    dest[i] = a[j] * b[k] - a[k] * b[j];
  }
}
/* a vector that is an input of a node or another place in the value array */
KERNEL void OF(vec_load)(const float *values, uint32_t at, NUM dest[3]) {
#pragma GCC unroll 3
  for (uint32_t i = 0; i < 3; i++) dest[i] = OF(value)(values, at + i);
}

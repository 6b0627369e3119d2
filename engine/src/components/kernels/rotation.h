/* The rotation component's translation [Shao 2003, 4.4], over NUM (math/kernels/number.h): p(i) +
 * cos q(i) + sin x(i) in interval i. Its rotation part is OF(rotated) of math/kernels/matrix.h with
 * the constants of si_rotation_data.
 *
 * `angle` is in the range; cosine and sine are those of the angle minus the rest angle. Every
 * interval is computed and the right one picked, since the lanes of NUM may be in different
 * ones. */

/* row `row` of it */
KERNEL NUM OF(rotation_move)(const si_rotation_data *h, int row, NUM angle, NUM cosine, NUM sine) {
  const float *ends = si_rotation_ends(h);
  const si_rotation_interval *m = h->moves;
  NUM move = OF(rotated)(m->p, m->q, m->x, 0, row, cosine, sine);
  for (uint32_t i = 1; i < h->intervals; i++) {
    NUM here = OF(rotated)(m[i].p, m[i].q, m[i].x, 0, row, cosine, sine);
    move = OF(pick)(angle >= ends[i - 1], here, move);
  }
  return move;
}
/* its derivative, in the units of OF(rotated_rate) */
KERNEL NUM OF(rotation_move_rate)(const si_rotation_data *h, int row, NUM angle, NUM cosine,
                                  NUM sine) {
  const float *ends = si_rotation_ends(h);
  const si_rotation_interval *m = h->moves;
  NUM rate = OF(rotated_rate)(m->q, m->x, 0, row, cosine, sine);
  for (uint32_t i = 1; i < h->intervals; i++)
    rate = OF(pick)(angle >= ends[i - 1], OF(rotated_rate)(m[i].q, m[i].x, 0, row, cosine, sine),
                    rate);
  return rate;
}

/* The translation of the rotation component, over NUM (math/kernels/number.h). Its rotation part is
 * OF(rotated) of math/kernels/matrix.h with the constants of si_hinge.
 *
 * `angle` is inside the range; cosine and sine are those of the angle less the rest angle. Every
 * interval is computed and the right one picked, since the lanes of NUM may be in different ones. */

/* row `row` of it */
KERNEL NUM OF(rotation_move)(const si_hinge *h, int row, NUM angle, NUM cosine, NUM sine) {
  const float *ends = si_hinge_ends(h);
  const si_hinge_move *m = h->moves;
  NUM move = OF(rotated)(m->p, m->q, m->x, 0, row, cosine, sine);
  for (uint32_t i = 1; i < h->intervals; i++) {
    NUM here = OF(rotated)(m[i].p, m[i].q, m[i].x, 0, row, cosine, sine);
    move = OF(pick)(angle >= ends[i - 1], here, move);
  }
  return move;
}
/* its derivative, as OF(rotated_rate) has it */
KERNEL NUM OF(rotation_move_rate)(const si_hinge *h, int row, NUM angle, NUM cosine, NUM sine) {
  const float *ends = si_hinge_ends(h);
  const si_hinge_move *m = h->moves;
  NUM rate = OF(rotated_rate)(m->q, m->x, 0, row, cosine, sine);
  for (uint32_t i = 1; i < h->intervals; i++)
    rate = OF(pick)(angle >= ends[i - 1], OF(rotated_rate)(m[i].q, m[i].x, 0, row, cosine, sine),
                    rate);
  return rate;
}

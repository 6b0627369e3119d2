/* Sine, cosine and arctangent in degrees, over NUM (math/kernels/number.h). Without branches: on
 * random poses a misprediction costs more than a sine.
 *
 * On [-pi/4, pi/4], with z = x^2,
 *   sin x = x + x z (s0 + s1 z + s2 z^2)   and   cos x = 1 - z/2 + z^2 (c0 + c1 z + c2 z^2)
 * are the minimax polynomials, with errors of 1.8e-9 and 1e-10. */
#ifndef SI_KERNEL_ANGLE_H
#define SI_KERNEL_ANGLE_H
#define SI_SINCOS_LIMIT 4194304.0f /* the largest angle that `sincos` accepts, 2^22 degrees */
#endif

KERNEL void OF(sincos_series)(NUM x, NUM *sine, NUM *cosine) {
  /* not by Horner's rule: this has the shorter chain of operations */
  NUM z = x * x, zz = z * z;
  NUM s = (-1.66666507e-1f + 8.33197866e-3f * z) + zz * -1.94956362e-4f;
  NUM c = (4.16666469e-2f + -1.38873675e-3f * z) + zz * 2.44384516e-5f;
  *sine = x + z * x * s;
  *cosine = (1.0f + z * -0.5f) + zz * c;
}

/* for angles from -45 to 45 degrees; bit-identical to `sincos` */
KERNEL void OF(sincos_near)(NUM degrees, NUM *sine, NUM *cosine) {
  OF(sincos_series)(degrees * (float)SI_DEG, sine, cosine);
}

/* for angles below SI_SINCOS_LIMIT: exact at multiples of 90 degrees, elsewhere to 1.2e-7 */
KERNEL void OF(sincos)(NUM degrees, NUM *sine, NUM *cosine) {
  /* adding 1.5 * 2^23 rounds to a whole number of quarter turns and leaves that in the low bits */
  const float round = 12582912.0f;
  NUM quarters = degrees * (1.0f / 90.0f) + round, s, c;
  OF(sincos_series)((degrees - (quarters - round) * 90.0f) * (float)SI_DEG, &s, &c);
  BITS quarter = (BITS)quarters;
  OF(swap)(-(MASK)(quarter & 1), &s, &c);
  *sine = (NUM)((BITS)s ^ (quarter & 2) << 30);
  *cosine = (NUM)((BITS)c ^ ((quarter + 1) & 2) << 30);
}

/* The angle of (x, y) in degrees, -180 to 180, to 2e-5; 0 for (0, 0). The minimax polynomial (error
 * 5e-9) covers an eighth of a turn; it is added to `base` or subtracted from it. */
KERNEL NUM OF(atan2)(NUM y, NUM x) {
  const MASK sign = (MASK){ 0 } + INT32_MIN;
  NUM ax = (NUM)((MASK)x & ~sign), ay = (NUM)((MASK)y & ~sign);
  MASK steep = ay > ax, back = x < 0.0f;
  NUM small = OF(pick)(steep, ax, ay), large = OF(pick)(steep, ay, ax);
  MASK high = small > large * 0.414213562f;
  NUM over = OF(pick)(high, small - large, small), under = OF(pick)(high, small + large, large);
  NUM t = over / OF(pick)(under > 0.0f, under, OF(all)(1)), z = t * t;
  NUM base = OF(pick)(high, OF(all)(45), OF(all)(0));
  base = OF(pick)(steep, 90.0f - base, base);
  base = OF(pick)(back, 180.0f - base, base);
  NUM p = (-0.333327567f + z * 0.199718792f) + z * z * (-0.138244527f + z * 0.0790259532f);
  NUM degrees = (t + t * z * p) * (float)(1 / SI_DEG);
  degrees = base + (NUM)((MASK)degrees ^ ((steep ^ back) & sign));
  return (NUM)((MASK)degrees | ((MASK)y & sign));
}

/* Angles, matrices and vectors: sine and cosine of degrees, rigid inverses, and the small vector
 * functions. */
#include "math/angle.h"
#include "math/matrix.h"
#include "minunit.h"

MU_TEST(sincos_is_exact_at_quarter_turns) {
  static const float sines[] = { 0, 1, 0, -1 };
  for (int k = -4000; k <= 4000; k++) {
    float s, c;
    si_sincos(90.0f * (float)k, &s, &c);
    MU_NEAR(s, sines[((k % 4) + 4) % 4], 0);
    MU_NEAR(c, sines[((k + 1) % 4 + 4) % 4], 0);
  }
}

MU_TEST(sincos_agrees_with_libm) {
  for (int i = -200000; i <= 200000; i++) {
    float degrees = (float)i * 0.0123f, s, c;
    si_sincos(degrees, &s, &c);
    MU_NEAR(s, sin((double)degrees * SI_DEG), 1.2e-7);
    MU_NEAR(c, cos((double)degrees * SI_DEG), 1.2e-7);
  }
}

MU_TEST(sincos_of_huge_angles_stays_on_the_circle) {
  for (float degrees = 1e3f; degrees < 1e38f; degrees *= 3.7f) {
    float s, c;
    si_sincos(degrees, &s, &c);
    MU_NEAR(s * s + c * c, 1.0f, 1e-6);
  }
}

MU_TEST(sincos_of_small_angles_is_sincos_to_the_bit) {
  for (int i = -50000; i <= 50000; i++) {
    si_v4 degrees = { (float)i * 9e-4f, (float)i * 9e-7f, (float)(i % 46), i < 0 ? -45 : 45 };
    si_v4 sines, cosines;
    si_sincos_near_four(degrees, &sines, &cosines);
    for (int k = 0; k < 4; k++) {
      float s, c;
      si_sincos(degrees[k], &s, &c);
      MU_NEAR(sines[k], s, 0);
      MU_NEAR(cosines[k], c, 0);
    }
  }
}

MU_TEST(atan2_agrees_with_libm) {
  for (int i = -180000; i <= 180000; i++) {
    double at = i * 1e-3 * SI_DEG;
    float x = (float)cos(at), y = (float)sin(at);
    double size = pow(10, i % 30);
    MU_NEAR(si_atan2((float)(size * (double)y), (float)(size * (double)x)),
            atan2((double)y, (double)x) / SI_DEG, 2e-5);
  }
  MU_NEAR(si_atan2(0, 0), 0, 0);
  MU_NEAR(si_atan2(0, -1), 180, 0);
  MU_NEAR(si_atan2(1, 0), 90, 0);
  MU_NEAR(si_atan2(-3, 3), -45, 0);
}

MU_TEST(rigid_inverse_undoes_rotations_and_mirrors) {
  CGLM_ALIGN_MAT float m[16], inverse[16], product[16];
  float axis[3];
  si_vec_unit((float[]){ 1, -2, 3 }, axis);
  si_mat_turn(axis, 77, m);
  m[12] = 1, m[13] = 2, m[14] = -3;
  for (int mirrored = 0; mirrored < 2; mirrored++) {
    if (mirrored)
      for (int i = 0; i < 3; i++) m[i] = -m[i];
    MU_CHECK(si_mat_is_rigid(m, 1e-5f));
    si_mat_inverse_rigid(m, inverse);
    si_mat_mul(m, inverse, product);
    for (int i = 0; i < 16; i++) MU_NEAR(product[i], i % 5 == 0, 1e-6);
  }
}

MU_TEST(products_may_be_written_over_either_factor) {
  CGLM_ALIGN_MAT float a[16], b[16], product[16], over[16];
  float axis[3];
  si_vec_unit((float[]){ 1, -2, 3 }, axis);
  si_mat_turn(axis, 77, a);
  si_mat_turn(axis, -31, b);
  a[12] = 1, b[13] = 2, b[14] = -3;
  si_mat_mul(a, b, product);
  si_mat_copy(a, over);
  si_mat_mul(over, b, over);
  MU_CHECK(memcmp(over, product, sizeof over) == 0);
  si_mat_copy(b, over);
  si_mat_mul(a, over, over);
  MU_CHECK(memcmp(over, product, sizeof over) == 0);
}

MU_TEST(sincos_of_infinity_and_nan_is_nan) {
  static const float bad[] = { NAN, INFINITY, -INFINITY };
  for (int i = 0; i < 3; i++) {
    float s, c;
    si_sincos(bad[i], &s, &c);
    MU_CHECK(isnan(s) && isnan(c));
  }
}

MU_TEST(unit_refuses_a_vector_without_direction) {
  float dest[3] = { 7, 7, 7 };
  MU_CHECK(!si_vec_unit((float[]){ 0, 0, 0 }, dest));
  MU_CHECK(!si_vec_unit((float[]){ NAN, 0, 0 }, dest));
  MU_NEAR(dest[0], 7, 0);
  MU_CHECK(si_vec_unit((float[]){ 0, 1e30f, 0 }, dest));
  MU_NEAR(dest[1], 1, 1e-7);
  /* so large that even its square in doubles overflows */
  static const double lengths[] = { 5e-324, 1e-300, 1e-141, 1e-139, 1, 1e139, 1e141, 1e308 };
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    double unit[3];
    MU_CHECK(si_wide_unit((double[]){ lengths[i], 0, -lengths[i] }, unit));
    MU_NEAR(unit[0], sqrt(0.5), 1e-15);
    MU_NEAR(unit[2], -sqrt(0.5), 1e-15);
  }
  double kept[3] = { 7, 7, 7 };
  MU_CHECK(!si_wide_unit((double[]){ 0, INFINITY, 1 }, kept));
  MU_CHECK(!si_wide_unit((double[]){ 1, 2, NAN }, kept) && kept[0] == 7);
}

MU_SUITE(matrix)

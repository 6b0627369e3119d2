/* A cone's draft is unchanged after it is read from a rig and written back; cones that the engine
 * accepts have only visible edges; adding points on edges, and keeping smoothed points, changes
 * nothing. */
#include "cone_cases.h"
#include "make.h"
#include "owned.h"

#include "plain/cone_draft.h"
#include "plain/space.h"

static sinew_rig *cone_rig(const sinew_param *params, int count, sinew_error *error) {
  sinew_builder *b = sinew_builder_create("arm", NULL);
  sinew_add_bone(b, SINEW_ROOT, "bone", (sinew_vec3){ 0, 0, 0 });
  sinew_joint_set set = sinew_builder_add_joint_set(b, "joint", NULL, NULL);
  make_dof(b, set, "a", -180, 180);
  make_part(b, set, "rotation", "turn", "angle=a",
            (sinew_param[]){ sinew_param_vector("axis", 1, 0, 0) }, 1);
  make_part(b, set, "cone", "reach", "swing=turn twist=#0", params, count);
  sinew_builder_drive(b, (sinew_segment){ 1 }, "joint.reach.transform", NULL, NULL);
  return make_rig(b, error);
}

static sinew_component cone_in(const sinew_rig *rig) {
  return sinew_rig_find_component(rig, "joint.reach", NULL);
}

/* a random valid cone with limits at each point; `less` leaves parts out */
static sinew_rig *random_rig(dice *d, int kind, int count, int less, int smooth) {
  cone_case c = make_case(d, kind, count);
  float(*twist)[2] = malloc((size_t)count * sizeof *twist);
  for (int i = 0; i < count; i++)
    twist[i][0] = (float)roll(d, -90, 0), twist[i][1] = (float)roll(d, 0, 90);
  const float *v = c.visible;
  sinew_param params[6] = { sinew_param_vector("rest", v[0], v[1], v[2]),
                            sinew_param_vectors("points", &c.points[0][0], count) };
  int used = 2;
  if (smooth) params[used++] = sinew_param_number("smooth", (float)smooth);
  if (less < 1) params[used++] = sinew_param_numbers("visible_twist", &twist[0][0], 2);
  if (less < 2) params[used++] = sinew_param_numbers("twist_limits", &twist[0][0], 2 * count);
  if (less == 2) params[used++] = sinew_param_numbers("twist_limits", &twist[0][0], 2);
  sinew_rig *rig = cone_rig(params, used, NULL);
  free(c.points);
  free(twist);
  return rig;
}

static sinew_status apply(sinew_rig *rig, const cone_draft *d, sinew_error *error) {
  sinew_param params[cone_draft_params];
  cone_draft_write(d, params);
  return sinew_rig_set_params(rig, cone_in(rig), params, cone_draft_params, error);
}

/* whether two cones clamp and limit a direction equally */
static bool alike(dice *d, const sinew_cone *a, const sinew_cone *b, float tolerance) {
  for (int i = 0; i < 40; i++) {
    double l[3];
    float v[3], p[3], q[3], x[2], y[2];
    roll_unit(d, l);
    narrow3(l, v);
    sinew_cone_hold(a, v, NULL, p);
    sinew_cone_hold(b, v, NULL, q);
    bool limits = sinew_cone_twist(a, p, NULL, x);
    if (limits != sinew_cone_twist(b, p, NULL, y)) return false;
    for (int k = 0; k < 3; k++)
      if (fabsf(p[k] - q[k]) > tolerance) return false;
    for (int k = 0; limits && k < 2; k++)
      if (fabsf(x[k] - y[k]) > 180 * tolerance) return false;
  }
  return true;
}

MU_TEST(a_draft_written_back_changes_no_bit) {
  dice d = { 101 };
  cone_draft draft = { 0 };
  for (int round = 0; round < mu_rounds(300); round++) {
    int smooth = round % 3 == 0 && round % CASE_KINDS == CASE_ROUND;
    OWNED(rig) *rig = random_rig(&d, round % CASE_KINDS, 3 + roll_int(&d, 12), round % 4, smooth);
    if (!rig) continue;
    const sinew_cone *cone = sinew_rig_cone(rig, cone_in(rig));
    size_t bytes = sinew_cone_bytes(cone);
    FREED void *before = malloc(bytes);
    memcpy(before, cone, bytes);
    bool fine = cone_draft_read(rig, cone_in(rig), &draft) && apply(rig, &draft, NULL) == SINEW_OK;
    cone = sinew_rig_cone(rig, cone_in(rig));
    fine = fine && sinew_cone_bytes(cone) == bytes && memcmp(cone, before, bytes) == 0;
    MU_CHECK_SAY(fine, "round %d", round);
  }
  cone_draft_free(&draft);
}

/* whether an edge is seen from the visible point with positive volume */
static bool is_seen(const cone_draft *d, int edge) {
  float v[3], n[3];
  cone_draft_visible(d, v);
  space_cross(v, d->points[edge], n);
  return space_dot(n, d->points[(edge + 1) % d->count]) > 0;
}

MU_TEST(the_engine_refuses_edges_that_are_not_visible) {
  dice d = { 102 };
  cone_draft draft = { 0 };
  int taken = 0, refused = 0;
  for (int round = 0; round < mu_rounds(600); round++) {
    sinew_rig *rig = MU_MADE(random_rig(&d, round % CASE_KINDS, 3 + roll_int(&d, 8), 1, 0));
    MU_CHECK(cone_draft_read(rig, cone_in(rig), &draft));
    double l[3];
    roll_unit(&d, l);
    narrow3(l, draft.points[roll_int(&d, draft.count)]);
    bool seen = true;
    for (int i = 0; i < draft.count; i++) seen &= is_seen(&draft, i);
    sinew_error error;
    bool fine = apply(rig, &draft, &error) == SINEW_OK;
    sinew_rig_destroy(rig);
    MU_CHECK_SAY(!fine || seen, "round %d: taken, but an edge is not seen", round);
    taken += fine;
    refused += !seen;
  }
  cone_draft_free(&draft);
  MU_CHECK(taken > 5 && refused > 5);
}

MU_TEST(adding_a_point_on_an_edge_keeps_the_boundary) {
  dice d = { 103 };
  cone_draft draft = { 0 };
  for (int round = 0; round < mu_rounds(300); round++) {
    uint64_t same = d.state;
    int count = 3 + roll_int(&d, 9);
    OWNED(rig) *rig = random_rig(&d, round % CASE_KINDS, count, 3, 0);
    d.state = same;
    count = 3 + roll_int(&d, 9);
    OWNED(rig) *other = random_rig(&d, round % CASE_KINDS, count, 3, 0);
    MU_CHECK(rig && other && cone_draft_read(rig, cone_in(rig), &draft));
    int made = cone_draft_insert(&draft, roll_int(&d, count), (float)roll(&d, 0.2, 0.8));
    MU_INT(draft.count, count + 1);
    bool fine =
        made > 0 && apply(rig, &draft, NULL) == SINEW_OK &&
        alike(&d, sinew_rig_cone(rig, cone_in(rig)), sinew_rig_cone(other, cone_in(other)), 2e-3f);
    cone_draft_remove(&draft, made);
    fine = fine && apply(rig, &draft, NULL) == SINEW_OK;
    fine = fine && sinew_cone_count(sinew_rig_cone(rig, cone_in(rig))) == count;
    MU_CHECK_SAY(fine, "round %d", round);
  }
  cone_draft_free(&draft);
}

MU_TEST(a_new_point_has_limits_between_its_neighbours) {
  dice d = { 104 };
  cone_draft draft = { 0 };
  OWNED(rig) *rig = random_rig(&d, CASE_ROUND, 5, 0, 0);
  MU_CHECK(rig && cone_draft_read(rig, cone_in(rig), &draft));
  float last[2] = { draft.twist[4][0], draft.twist[4][1] };
  float first[2] = { draft.twist[0][0], draft.twist[0][1] };
  MU_INT(cone_draft_insert(&draft, 4, 0.25f), 5);
  for (int k = 0; k < 2; k++) MU_NEAR(draft.twist[5][k], 0.75f * last[k] + 0.25f * first[k], 1e-4);
  MU_CHECK(apply(rig, &draft, NULL) == SINEW_OK);
  cone_draft_free(&draft);
}

MU_TEST(keeping_smoothed_points_gives_the_same_cone) {
  dice d = { 105 };
  cone_draft draft = { 0 };
  int tried = 0;
  for (int round = 0; round < mu_rounds(60); round++) {
    uint64_t same = d.state;
    sinew_rig *rig = random_rig(&d, CASE_ROUND, 6, round % 4, 2);
    d.state = same;
    sinew_rig *other = random_rig(&d, CASE_ROUND, 6, round % 4, 2);
    if (!rig || !other) {
      sinew_rig_destroy(rig);
      sinew_rig_destroy(other);
      continue;
    }
    tried++;
    bool fine =
        cone_draft_read(rig, cone_in(rig), &draft) &&
        cone_draft_bake(&draft, sinew_rig_cone(rig, cone_in(rig))) && draft.count == 24 &&
        apply(rig, &draft, NULL) == SINEW_OK &&
        alike(&d, sinew_rig_cone(rig, cone_in(rig)), sinew_rig_cone(other, cone_in(other)), 1e-4f);
    sinew_rig_destroy(rig);
    sinew_rig_destroy(other);
    MU_CHECK_SAY(fine, "round %d", round);
  }
  cone_draft_free(&draft);
  MU_CHECK(tried > mu_rounds(60) / 3);
}

MU_TEST(an_ellipse_is_converted_to_points) {
  const float half[4] = { 30, 50, 40, 20 }, twist[2] = { -20, 35 };
  sinew_param params[] = { sinew_param_vector("rest", 0, -1, 0),
                           sinew_param_numbers("ellipse", half, 4),
                           sinew_param_vector("right", 1, 0, 0), sinew_param_number("count", 16),
                           sinew_param_numbers("twist_limits", twist, 2) };
  dice d = { 106 };
  cone_draft draft = { 0 };
  sinew_error error;
  OWNED(rig) *rig = cone_rig(params, 5, &error), *other = cone_rig(params, 5, NULL);
  MU_CHECK_SAY(rig && other, "%s", error.text);
  MU_CHECK(cone_draft_read(rig, cone_in(rig), &draft));
  MU_CHECK(draft.ellipse && draft.count == 16 && draft.mode == DRAFT_ONE);
  MU_CHECK(cone_draft_bake(&draft, sinew_rig_cone(rig, cone_in(rig))));
  MU_CHECK_SAY(apply(rig, &draft, &error) == SINEW_OK, "%s", error.text);
  MU_CHECK(cone_draft_read(rig, cone_in(rig), &draft));
  MU_CHECK(!draft.ellipse && draft.count == 16);
  MU_CHECK(
      alike(&d, sinew_rig_cone(rig, cone_in(rig)), sinew_rig_cone(other, cone_in(other)), 1e-4f));
  cone_draft_free(&draft);
}

/* a drag in any direction changes one half angle, to that of the direction about the axis */
MU_TEST(an_ellipse_is_edited_by_its_half_angles) {
  const float angles[4] = { 40, 60, 70, 50 };
  OWNED(rig) *rig = cone_rig(SINEW_PARAMS(sinew_param_vector("rest", 0, -1, 0),
                                          sinew_param_numbers("ellipse", angles, 4),
                                          sinew_param_vector("right", 1, 0.5f, 0)),
                             NULL);
  MU_MADE(rig);
  cone_draft draft = { 0 };
  MU_CHECK(cone_draft_read(rig, cone_in(rig), &draft) && draft.ellipse && !draft.round);
  MU_INT(cone_draft_handles(&draft), 4);
  const sinew_cone *cone = sinew_rig_cone(rig, cone_in(rig));
  for (int k = 0; k < 4; k++) {
    float handle[3], inside[3];
    cone_draft_handle(&draft, k, handle);
    MU_NEAR(space_degrees_between(handle, draft.rest), angles[k], 1e-3);
    space_slerp(draft.rest, handle, 0.99f, inside);
    MU_CHECK(sinew_cone_inside(cone, inside, NULL));
    space_slerp(draft.rest, handle, 1.01f, inside);
    MU_CHECK(!sinew_cone_inside(cone, inside, NULL));
  }
  float to[3] = { 0.3f, -0.8f, 0.5f }; /* x is the azimuth of the first */
  cone_draft_pull(&draft, 0, to);
  MU_NEAR(draft.angles[0], atan2(0.3, 0.8) / (double)SPACE_DEG, 0.06);
  for (int k = 1; k < 4; k++) MU_NEAR(draft.angles[k], angles[k], 0);
  float behind[3] = { -1, -0.1f, 0 };
  cone_draft_pull(&draft, 0, behind);
  MU_NEAR(draft.angles[0], 1, 0);
  MU_INT(apply(rig, &draft, NULL), SINEW_OK);
  MU_NEAR(sinew_rig_find_param(rig, cone_in(rig), "ellipse")->numbers[0], 1, 0);
  MU_CHECK(!sinew_rig_find_param(rig, cone_in(rig), "points"));
  cone_draft_free(&draft);
}

MU_TEST(a_round_cone_keeps_one_angle) {
  const float angle = 35;
  OWNED(rig) *rig = cone_rig(
      SINEW_PARAMS(sinew_param_vector("rest", 0, -1, 0), sinew_param_numbers("ellipse", &angle, 1),
                   sinew_param_vector("right", 1, 0, 0), sinew_param_number("count", 12)),
      NULL);
  MU_MADE(rig);
  cone_draft draft = { 0 };
  MU_CHECK(cone_draft_read(rig, cone_in(rig), &draft) && draft.round);
  float to[3] = { 0, -1, -1 };
  cone_draft_pull(&draft, 3, to);
  MU_INT(apply(rig, &draft, NULL), SINEW_OK);
  const sinew_param *now = sinew_rig_find_param(rig, cone_in(rig), "ellipse");
  MU_CHECK(now && now->count == 1);
  MU_NEAR(now->numbers[0], 45, 1e-4);
  MU_INT(sinew_cone_count(sinew_rig_cone(rig, cone_in(rig))), 12);
  cone_draft_free(&draft);
}

MU_TEST(switching_the_kind_of_twist_limit_keeps_the_limits) {
  dice d = { 107 };
  cone_draft draft = { 0 };
  OWNED(rig) *rig = random_rig(&d, CASE_ROUND, 6, 1, 0);
  MU_CHECK(rig && cone_draft_read(rig, cone_in(rig), &draft) && draft.mode == DRAFT_EACH);
  float least = 180, most = -180;
  for (int i = 0; i < 6; i++) {
    least = fminf(least, draft.twist[i][0]);
    most = fmaxf(most, draft.twist[i][1]);
  }
  MU_CHECK(cone_draft_mode(&draft, DRAFT_ONE) && apply(rig, &draft, NULL) == SINEW_OK);
  MU_CHECK(draft.all[0] == least && draft.all[1] == most);
  MU_CHECK(cone_draft_mode(&draft, DRAFT_EACH) && apply(rig, &draft, NULL) == SINEW_OK);
  MU_CHECK(draft.twist[3][0] == least && draft.twist[3][1] == most);
  MU_CHECK(cone_draft_mode(&draft, DRAFT_FREE) && apply(rig, &draft, NULL) == SINEW_OK);
  float limits[2];
  MU_CHECK(!sinew_cone_point_twist(sinew_rig_cone(rig, cone_in(rig)), 0, limits));
  cone_draft_free(&draft);
}

MU_TEST(a_direction_is_in_the_slice_of_its_edge) {
  dice d = { 108 };
  cone_draft draft = { 0 };
  for (int round = 0; round < mu_rounds(300); round++) {
    OWNED(rig) *rig = random_rig(&d, round % CASE_KINDS, 3 + roll_int(&d, 9), 3, 0);
    MU_CHECK(rig && cone_draft_read(rig, cone_in(rig), &draft));
    const sinew_cone *cone = sinew_rig_cone(rig, cone_in(rig));
    int edge = roll_int(&d, draft.count), slice = -1;
    double a[3], b[3], v[3], at[3];
    float visible[3], direction[3];
    cone_draft_visible(&draft, visible);
    widen3(visible, v);
    widen3(draft.points[edge], a);
    widen3(draft.points[(edge + 1) % draft.count], b);
    double s = roll(&d, 0.1, 0.9), t = roll(&d, 0.1, 1);
    for (int k = 0; k < 3; k++) at[k] = (1 - t) * v[k] + t * ((1 - s) * a[k] + s * b[k]);
    unit3(at, at);
    narrow3(at, direction);
    sinew_cone_inside(cone, direction, &slice);
    int found = cone_draft_edge(&draft, direction);
    MU_CHECK_SAY(slice != edge || found == edge, "round %d: edge %d, found %d", round, edge, found);
  }
  cone_draft_free(&draft);
}

MU_SUITE(cone_draft)

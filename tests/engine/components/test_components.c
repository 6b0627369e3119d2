/* multiply, map, translation, euler and dependency, each against its formula in doubles. */
#include "make.h"
#include "minunit.h"
#include "owned.h"

MU_TEST(multiply_takes_its_matrices_in_list_order) {
  uint32_t seed = 6;
  for (int round = 0; round < mu_rounds(200); round++) {
    int n = 1 + make_index(&seed, 9);
    sinew_builder *b = sinew_builder_create("m", NULL);
    sinew_component product = sinew_add(b, "multiply", "product", SINEW_NONE, SINEW_NONE);
    dmat want = dmat_identity();
    for (int i = 0; i < n; i++) {
      sinew_wire wire = { .input = "matrix" };
      make_frame(&seed, make_index(&seed, MAKE_FRAMES), wire.constant);
      MU_INT(sinew_builder_connect(b, product, &wire, NULL), SINEW_OK);
      want = dmat_mul(want, dmat_of(wire.constant));
    }
    OWNED(rig) *rig = make_rig(b, NULL);
    OWNED(pose) *pose = sinew_pose_create(rig, NULL);
    sinew_pose_eval(pose, NULL);
    MU_INT(sinew_rig_component_info(rig, product).input_count, n);
    double off = dmat_off(want, sinew_pose_value(pose, product, 0));
    char name[16];
    sinew_rig_input_name(rig, product, n - 1, name, sizeof name);
    MU_NEAR(off, 0, 1e-5);
    char expected[32];
    snprintf(expected, sizeof expected, "matrix%d", n);
    MU_TEXT(name, expected);
  }
}

MU_TEST(map_evaluates_each_curve_at_one_scalar) {
  static const float p[] = { -13.2f, 1, 0, 0, 5.5f, -3 };
  sinew_curve *curves[] = { make_curve(SINEW_CURVE_PIECEWISE, SINEW_OUTSIDE_CLAMP, p, 3),
                            make_curve(SINEW_CURVE_SPLINE, SINEW_OUTSIDE_EXTEND, p, 3),
                            make_curve(SINEW_CURVE_MONOTONE, SINEW_OUTSIDE_REPEAT, p, 3) };
  sinew_builder *b = sinew_builder_create("m", NULL);
  sinew_add_dof(b, "x", NULL, -20, 20);
  sinew_component map = sinew_add(b, "map", "m", SINEW_WIRES(sinew_wire_name("x", "x")),
                                  SINEW_PARAMS(sinew_param_curve("one", curves[0]),
                                               sinew_param_curve("two", curves[1]),
                                               sinew_param_curve("three", curves[2])));
  OWNED(rig) *rig = make_rig(b, NULL);
  MU_INT(sinew_rig_component_info(rig, map).output_count, 3);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  for (float x = -20; x <= 20; x += 0.7f) {
    sinew_pose_set(pose, sinew_rig_dof(rig, 0), x, NULL);
    sinew_pose_eval(pose, NULL);
    for (int i = 0; i < 3; i++)
      MU_NEAR(*sinew_pose_value(pose, map, i), sinew_curve_eval(curves[i], x, NULL), 0);
  }
  char name[16];
  sinew_rig_output_name(rig, map, 2, name, sizeof name);
  MU_TEXT(name, "three");
  for (int i = 0; i < 3; i++) sinew_curve_destroy(curves[i]);
}

/* curves with the same points are evaluated together, from a table of their cubics */
MU_TEST(a_map_of_curves_with_shared_points_gives_their_values) {
  uint32_t seed = 640;
  for (int round = 0; round < mu_rounds(120); round++) {
    enum { most_points = 70, most_curves = 9 };
    int points = 2 + make_index(&seed, round % 4 ? 10 : most_points - 1);
    int count = 1 + make_index(&seed, most_curves);
    float xy[2 * most_points];
    char names[most_curves][16];
    sinew_param params[most_curves];
    sinew_curve *curves[most_curves];
    sinew_curve_desc d = sinew_default_curve_desc();
    d.points = xy, d.point_count = points;
    d.outside = (sinew_outside)(SINEW_OUTSIDE_CLAMP + make_index(&seed, 2));
    for (int i = 0; i < points; i++)
      xy[2 * i] = (i ? xy[2 * i - 2] : -40) + make_between(&seed, 0.1f, 9);
    for (int k = 0; k < count; k++) {
      d.kind = (sinew_curve_kind)(SINEW_CURVE_PIECEWISE + make_index(&seed, round % 3 ? 4 : 1));
      for (int i = 0; i < points; i++) xy[2 * i + 1] = make_between(&seed, -90, 90);
      curves[k] = sinew_curve_create(&d, NULL);
      snprintf(names[k], sizeof names[k], "y%d", k);
      params[k] = sinew_param_curve(names[k], curves[k]);
    }
    sinew_builder *b = sinew_builder_create("r", NULL);
    sinew_add_dof(b, "x", NULL, -1000, 1000);
    sinew_component map =
        sinew_add(b, "map", "m", SINEW_WIRES(sinew_wire_name("x", "x")), params, count);
    sinew_rig *rig = make_rig(b, NULL);
    sinew_pose *pose = sinew_pose_create(rig, NULL);
    for (int i = 0; i < 60; i++) {
      float x = make_between(&seed, -60, 10 * (float)points);
      if (i % 3 == 0) x = xy[2 * make_index(&seed, points)];
      sinew_pose_set(pose, sinew_rig_dof(rig, 0), x, NULL);
      sinew_pose_eval(pose, NULL);
      for (int k = 0; k < count; k++)
        MU_NEAR(*sinew_pose_value(pose, map, k), sinew_curve_eval(curves[k], x, NULL), 0);
    }
    sinew_pose_destroy(pose);
    sinew_rig_destroy(rig);
    for (int k = 0; k < count; k++) sinew_curve_destroy(curves[k]);
  }
}

MU_TEST(translation_moves_by_scalars_or_by_a_vector) {
  OWNED(rig) *rig = make_text("dof x -2 2; dof z -2 2; translation s x=x z=z\n"
                              "translation v vector=#1,2,3; translation n");
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_pose_set_all(pose, (const float[]){ 0.25f, -1.5f }, 2, NULL);
  sinew_pose_eval(pose, NULL);
  const dmat want[] = { dmat_move(0.25, 0, -1.5), dmat_move(1, 2, 3), dmat_identity() };
  for (int i = 0; i < 3; i++)
    MU_NEAR(dmat_off(want[i], sinew_pose_value(pose, sinew_rig_component(rig, i), 0)), 0, 0);
  sinew_error error;
  MU_REFUSED_AS(
      make_rig(make_lines(NULL, "dof x -2 2; translation both y=x vector=#1,2,3"), &error),
      "component 'both': takes a 'vector' or scalars, not 'vector' and 'y'");
}

MU_TEST(euler_multiplies_its_axes_in_list_order) {
  static const char *const orders[] = { "xyz", "xzy", "yxz", "yzx", "zxy", "zyx",
                                        "xyx", "xzx", "yxy", "yzy", "zxz", "zyz" };
  static const float axes[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  uint32_t seed = 10;
  for (int order = 0; order <= 12; order++) {
    /* past the end of the table: no parameter, which means xyz */
    const char *letters = order < 12 ? orders[order] : "xyz";
    OWNED(rig) *rig = make_text("dof a -360 360; dof b -360 360; dof c -360 360\n"
                                "euler e first=a second=b third=c %s%s",
                                order < 12 ? "order=" : "", order < 12 ? letters : "");
    sinew_component e = sinew_rig_component(rig, 0);
    OWNED(pose) *pose = sinew_pose_create(rig, NULL);
    double off = 0;
    for (int round = 0; round < mu_rounds(60); round++) {
      dmat want = dmat_identity();
      for (int i = 0; i < 3; i++) {
        float angle = make_between(&seed, -360, 360);
        if (round < 27) angle = (float)(round / (i == 0 ? 1 : i == 1 ? 3 : 9) % 3 - 1) * 90;
        sinew_pose_set(pose, sinew_rig_dof(rig, i), angle, NULL);
        want = dmat_mul(want, dmat_turn(axes[letters[i] - 'x'], (double)angle));
      }
      sinew_pose_eval(pose, NULL);
      off = fmax(off, dmat_off(want, sinew_pose_value(pose, e, 0)));
    }
    MU_NEAR(off, 0, 5e-7);
  }
  sinew_builder *b = sinew_builder_create("e", NULL);
  sinew_add(b, "euler", "e", SINEW_NONE, SINEW_PARAMS(sinew_param_text("order", "xyy")));
  sinew_error error;
  MU_REFUSED(make_rig(b, &error), "component 'e' parameter 'order': 'xyy' is none of 'xyz', 'xzy'");
  MU_HAS(error.text, "(did you mean 'xyz'");
}

/* a dependency on the DOFs 'a' and 'p' with these curves; NULL, with the text in `error`, if it is
 * refused */
static sinew_rig *dependency(const sinew_param *params, int count, bool passive,
                             sinew_error *error) {
  sinew_builder *b = make_lines(NULL, "dof a -200 200; dof p -200 200");
  make_part(b, MAKE_NO_SET, "dependency", "d", passive ? "active=a passive=p" : "active=a", params,
            count);
  return make_rig(b, error);
}

/* the largest difference between d(a, p) and `formula`, and whether every hold agrees */
static double dependency_off(sinew_rig *rig, double (*formula)(double a, double p), bool holds) {
  uint32_t seed = 12;
  sinew_pose *pose = sinew_pose_create(rig, NULL);
  double off = 0;
  for (int round = 0; round < mu_rounds(500); round++) {
    float a = make_between(&seed, -200, 200), p = make_between(&seed, -60, 60);
    sinew_pose_set_all(pose, (const float[]){ a, p }, 2, NULL);
    sinew_pose_eval(pose, NULL);
    float value = *sinew_pose_value(pose, sinew_rig_component(rig, 0), 0);
    off = fmax(off, fabs((double)value - formula((double)a, (double)p)));
    sinew_hold hold = { .amount = 0 };
    int held = sinew_pose_holds(pose, &hold, 1);
    if (held != (holds && value != p)) off = 1000;
    if (held && (hold.amount != value - p || strcmp(hold.port, "passive") != 0)) off = 1000;
  }
  sinew_pose_destroy(pose);
  sinew_rig_destroy(rig);
  return off;
}

/* the clavicle's bound of [Shao 2003], and a line above it */
static const float bound[] = { 0, -10, 60, -6.7f, 120, 4.85f, 180, 23 };
static double low_at(double a) {
  for (int i = 0; i < 3; i++) {
    double x0 = (double)bound[2 * i], x1 = (double)bound[2 * i + 2];
    if (a <= x0) return (double)bound[2 * i + 1];
    if (a <= x1)
      return (double)bound[2 * i + 1] +
             (a - x0) / (x1 - x0) * ((double)bound[2 * i + 3] - (double)bound[2 * i + 1]);
  }
  return 23;
}
static double high_at(double a) { return 30 + 0.05 * a; }
static double by_map(double a, double p) { return (void)p, low_at(a); }
static double by_lower(double a, double p) { return fmax(p, low_at(a)); }
static double by_upper(double a, double p) { return fmin(p, high_at(a)); }
static double by_both(double a, double p) { return fmin(fmax(p, low_at(a)), high_at(a)); }
static double by_offset(double a, double p) { return p + low_at(a); }

MU_TEST(dependency_maps_bounds_and_shifts) {
  OWNED(curve) *low = make_curve(SINEW_CURVE_PIECEWISE, SINEW_OUTSIDE_CLAMP, bound, 4);
  OWNED(curve) *high = make_line(0, 30, 100, 35);
  sinew_param map = sinew_param_curve("map", low), lower = sinew_param_curve("lower", low);
  sinew_param upper = sinew_param_curve("upper", high), offset = sinew_param_curve("offset", low);
  MU_NEAR(dependency_off(dependency(&map, 1, true, NULL), by_map, false), 0, 1e-5);
  MU_NEAR(dependency_off(dependency(&map, 1, false, NULL), by_map, false), 0, 1e-5);
  MU_NEAR(dependency_off(dependency(&lower, 1, true, NULL), by_lower, true), 0, 1e-5);
  MU_NEAR(dependency_off(dependency(&upper, 1, true, NULL), by_upper, true), 0, 1e-5);
  MU_NEAR(dependency_off(dependency(&offset, 1, true, NULL), by_offset, false), 0, 1e-5);
  MU_NEAR(dependency_off(dependency(SINEW_PARAMS(lower, upper), true, NULL), by_both, true), 0,
          1e-5);
}

/* the example of [Ng-Thow-Hing b]: as a value and as a bound, at the angle and halfway to it */
MU_TEST(dependency_lifts_the_clavicle_to_30_where_the_humerus_is_at_60) {
  OWNED(curve) *raised = make_line(0, 0, 60, 30);
  for (int kind = 0; kind < 2; kind++) {
    OWNED(rig) *rig = MU_MADE(
        dependency(SINEW_PARAMS(sinew_param_curve(kind ? "lower" : "map", raised)), true, NULL));
    OWNED(pose) *pose = sinew_pose_create(rig, NULL);
    for (int half = 0; half < 2; half++) {
      sinew_pose_set_all(pose, (float[]){ half ? 30 : 60, 5 }, 2, NULL);
      sinew_pose_eval(pose, NULL);
      MU_NEAR(*sinew_pose_value(pose, sinew_rig_component(rig, 0), 0), half ? 15 : 30, 1e-5);
    }
    /* a bound leaves a clavicle that is higher */
    sinew_pose_set_all(pose, (float[]){ 60, 42 }, 2, NULL);
    sinew_pose_eval(pose, NULL);
    MU_NEAR(*sinew_pose_value(pose, sinew_rig_component(rig, 0), 0), kind ? 42 : 30, 1e-5);
  }
}

MU_TEST(dependency_takes_the_middle_where_bounds_cross) {
  /* the lines cross at a = 50, far from their points */
  OWNED(curve) *low = make_line(0, -10, 10, -8), *high = make_line(0, 10, 10, 8);
  OWNED(rig) *rig = dependency(
      SINEW_PARAMS(sinew_param_curve("lower", low), sinew_param_curve("upper", high)), true, NULL);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_pose_set_all(pose, (const float[]){ 100, 7 }, 2, NULL);
  sinew_pose_eval(pose, NULL);
  MU_NEAR(*sinew_pose_value(pose, sinew_rig_component(rig, 0), 0), 0, 1e-6);
  sinew_hold hold;
  MU_INT(sinew_pose_holds(pose, &hold, 1), 1);
  MU_NEAR(hold.amount, -7, 1e-6);
  MU_TEXT(hold.name, "d");
}

MU_TEST(bad_dependencies_are_refused_with_a_message) {
  sinew_error error;
  OWNED(curve) *low = make_line(0, 0, 10, 30), *high = make_line(0, 5, 10, 5);
  OWNED(curve) *five = make_constant(5), *three = make_constant(3);
  MU_REFUSED_AS(dependency(NULL, 0, true, &error),
                "component 'd': takes one of 'map', 'offset', or 'lower' and 'upper'");
  MU_REFUSED_AS(
      dependency(SINEW_PARAMS(sinew_param_curve("map", low), sinew_param_curve("upper", high)),
                 true, &error),
      "component 'd': takes one of 'map', 'offset', or 'lower' and 'upper'");
  MU_REFUSED_AS(
      dependency(SINEW_PARAMS(sinew_param_curve("lower", low), sinew_param_curve("upper", high)),
                 true, &error),
      "component 'd': at active = 10 the lower bound 30 is above the upper bound 5");
  MU_REFUSED_AS(
      dependency(SINEW_PARAMS(sinew_param_curve("lower", five), sinew_param_curve("upper", three)),
                 true, &error),
      "component 'd': at active = 0 the lower bound 5 is above the upper bound 3");
  MU_REFUSED_AS(dependency(SINEW_PARAMS(sinew_param_curve("lower", low)), false, &error),
                "component 'd': input 'passive' is not wired (only 'map' can do without)");
  MU_REFUSED_AS(dependency(SINEW_PARAMS(sinew_param_number("lower", 3)), true, &error),
                "component 'd' parameter 'lower': is a number, a curve is wanted");
  MU_REFUSED_AS(dependency(SINEW_PARAMS(sinew_param_curve("lower", NULL)), true, &error),
                "component 'd' parameter 'lower': no curve is given");
}

/* whether a hold's port is this port, or an item of this list */
static bool is_port(const sinew_port_desc *p, const char *port) {
  size_t length = strlen(p->name);
  if (strncmp(p->name, port, length) != 0) return false;
  const char *number = port + length;
  return (p->flags & SINEW_PORT_LIST) ? *number >= '1' && *number <= '9' : !*number;
}

MU_TEST(catalog_describes_every_component) {
  int count = 0;
  for (; sinew_catalog(count); count++) {
    const sinew_component_class *c = sinew_catalog(count);
    MU_CHECK_SAY(c->name && c->doc && (c->eval || c->try_eval), "class %d", count);
    for (int other = 0; other < count; other++)
      MU_CHECK_SAY(strcmp(sinew_catalog(other)->name, c->name) != 0, "%s twice", c->name);
    for (const sinew_port_desc *p = c->inputs; p && p->name; p++)
      MU_CHECK_SAY(p->doc && *p->doc && p->unit, "%s input %s", c->name, p->name);
    for (const sinew_port_desc *p = c->outputs; p && p->name; p++)
      MU_CHECK_SAY(p->doc && *p->doc && p->unit, "%s output %s", c->name, p->name);
    for (const sinew_param_desc *p = c->params; p && p->name; p++)
      MU_CHECK_SAY(p->doc && *p->doc, "%s parameter %s", c->name, p->name);
    for (const sinew_hold_desc *h = c->holds; h && h->port; h++) {
      bool known = false;
      for (const sinew_port_desc *p = c->inputs; p && p->name; p++) known |= is_port(p, h->port);
      for (const sinew_port_desc *p = c->outputs; p && p->name; p++) known |= is_port(p, h->port);
      MU_CHECK_SAY(h->doc && known, "%s hold %s", c->name, h->port);
    }
  }
  MU_CHECK(count >= 7);
  MU_CHECK(!sinew_catalog(-1));
}

MU_TEST(catalog_and_classes_find_their_parts_by_name) {
  for (int i = 0; sinew_catalog(i); i++) {
    const sinew_component_class *c = sinew_catalog(i), copy = *c;
    MU_CHECK_SAY(sinew_catalog_find(c->name) == c && sinew_catalog_has(c), "%s", c->name);
    MU_CHECK_SAY(!sinew_catalog_has(&copy), "a copy of %s", c->name);
    for (const sinew_param_desc *p = c->params; p && p->name; p++)
      MU_CHECK_SAY(sinew_class_find_param(c, p->name) == p, "%s.%s", c->name, p->name);
    for (const sinew_port_desc *p = c->inputs; p && p->name; p++)
      MU_CHECK_SAY(sinew_class_find_input(c, p->name) == p, "%s input %s", c->name, p->name);
    MU_CHECK(!sinew_class_find_param(c, "") && !sinew_class_find_input(c, ""));
  }
  MU_CHECK(!sinew_catalog_find("rotatio") && !sinew_catalog_find("rotation2"));
  MU_CHECK(!sinew_catalog_has(NULL));
  const sinew_component_class *rotation = sinew_catalog_find("rotation");
  MU_CHECK(!sinew_class_find_param(rotation, "angle") && !sinew_class_find_input(rotation, "axis"));
  const sinew_component_class empty = { .class_size = sizeof(sinew_component_class),
                                        .name = "empty" };
  MU_CHECK(!sinew_class_find_param(&empty, "axis") && !sinew_class_find_input(&empty, "angle"));
}

MU_SUITE(components)

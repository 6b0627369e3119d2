/* The projection of a point onto the feasible region of a field [Engell 2012, 3.5], over NUM: a
 * float, or a number with its derivatives (forward mode). limits/field_query.c includes it for both
 * and explains the steps. OF(plus)(a, k, b) is a + k b. */

/* takes at most two steps along the gradient; returns Phi where they end */
static NUM OF(step_down)(const sinew_field *field, const PLACE *from, NUM phi, PLACE *dest) {
  const int n = field->grid.axis_count;
  const float too_short = 0.25f; /* squared */
  *dest = *from;
  for (int round = 0; round < 2 && OF(is)(phi) > field->accept; round++) {
    NUM gradient[SI_AXES], square = OF(constant)(0);
    OF(gradient)(field, dest, gradient);
    for (int i = 0; i < n; i++) square = OF(plus)(square, 1, OF(times)(gradient[i], gradient[i]));
    if (OF(is)(square) < too_short) break;
    NUM scale = OF(over)(phi, square);
    for (int i = 0; i < n; i++) OF(subtract)(dest, i, OF(times)(scale, gradient[i]));
    OF(bring_in)(&field->grid, dest);
    same_turn(&field->grid, from->at, dest->at);
    phi = OF(lookup)(field, dest);
  }
  return phi;
}

/* Moves the feasible `to` back towards the infeasible `from`, to where the path became feasible, by
 * false position with the Illinois rule. `to` stays feasible. */
static void OF(pull_back)(const sinew_field *field, const PLACE *from, NUM phi_from, PLACE *to,
                          NUM phi_to) {
  const float level = field->epsilon, close = 1e-2f * field->grid.smallest;
  const NUM one = OF(constant)(1), half = OF(constant)(0.5f);
  const PLACE end = *to;
  NUM low = OF(constant)(0), high = one;
  NUM above = OF(plus)(phi_from, -level, one), below = OF(plus)(phi_to, -level, one);
  float phi = OF(is)(below);
  /* Phi is 0 at the end of the path, so this is where it became feasible if Phi falls linearly */
  NUM t = OF(over)(above, phi_from);
  int side = 0;
  for (int round = 0; round < 6 && phi < -close; round++) {
    if (!(OF(is)(t) > OF(is)(low) && OF(is)(t) < OF(is)(high)))
      t = OF(times)(half, OF(plus)(low, 1, high));
    PLACE here = OF(between)(from, &end, t, field->grid.axis_count);
    NUM reached = OF(plus)(OF(lookup)(field, &here), -level, one);
    if (OF(is)(reached) <= 0) {
      if (side < 0) above = OF(times)(half, above);
      side = -1;
      high = t;
      below = reached;
      phi = OF(is)(reached);
      *to = here;
    } else {
      if (side > 0) below = OF(times)(half, below);
      side = 1;
      low = t;
      above = reached;
    }
    NUM width = OF(plus)(high, -1, low), start = OF(plus)(above, 0.5f * close, one);
    t = OF(plus)(low, 1, OF(over)(OF(times)(width, start), OF(plus)(above, -1, below)));
  }
}

/* clamps `from` to the range; `to` is its projection */
static void OF(project)(const sinew_field *field, PLACE *from, PLACE *to) {
  OF(bring_in)(&field->grid, from);
  const NUM outside = OF(lookup)(field, from);
  *to = *from;
  if (!(OF(is)(outside) > field->accept)) return;
  NUM phi = OF(step_down)(field, from, outside, to);
  if (OF(is)(phi) > field->accept) phi = OF(to_nearest)(field, from, to);
  if (OF(is)(phi) <= field->epsilon) OF(pull_back)(field, from, outside, to, phi);
}

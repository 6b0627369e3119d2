/* distance: between a point of one segment and a point of another, in the current pose:
 * |F p - q|, with the frame F of the first seen from the second (model/path.h). Where the two
 * points meet it has a kink, and the derivative there is 0. */
#include "components/frames.h"

#include "components/catalog.h"

enum { in_point = SI_DISTANCE_POINT, in_to_point = SI_DISTANCE_TO_POINT };

static size_t size(const sinew_setup *setup) {
  return sizeof(si_seen_data) + (si_path_of(setup, "of", NULL).count + 1) * sizeof(si_link);
}

static void setup(sinew_setup *setup, void *data) {
  si_seen_data *f = data;
  f->path = si_path_of(setup, "of", f->links);
}

static void eval(const sinew_node *node, float *values) { si_distance_one(node, values); }

static sinew_status tangent(const sinew_node *node, const float *values, const sinew_rates *rates,
                            sinew_error *error) {
  (void)error;
  const si_seen_data *f = node->data;
  const float *p = sinew_node_in(node, values, in_point);
  const float *q = sinew_node_in(node, values, in_to_point);
  si_sight sight = { &f->path, f->links, in_point, true, { p[0], p[1], p[2] } };
  float seen[3] = { p[0], p[1], p[2] };
  double way[3];
  si_path_map_one(&f->path, f->links, node, values, true, seen);
  for (int i = 0; i < 3; i++) way[i] = (double)seen[i] - (double)q[i];
  if (!si_wide_unit(way, way)) return SINEW_OK;
  for (uint32_t input = 0; input < node->input_count; input++) {
    const sinew_input_rates *in = &rates->inputs[input];
    si_sight_slope slope;
    if (!in->count) continue;
    bool seen_moves = si_sight_by(&sight, node, values, input, &slope);
    for (uint32_t k = 0; k < in->count; k++) {
      double v[3];
      if (seen_moves)
        si_sight_rate(&sight, &slope, node, values, in->rates + si_sight_floats(&slope) * k, v);
      else
        for (int i = 0; i < 3; i++) v[i] = -(double)in->rates[4 * (size_t)k + (size_t)i];
      rates->outputs[0][in->columns[k]] += (float)si_wide_dot(way, v);
    }
  }
  return SINEW_OK;
}

static const sinew_port_desc inputs[] = {
  { "point", SINEW_VECTOR, SINEW_PORT_OPTIONAL | SINEW_PORT_SEEN, 0, "m",
    "a point of 'of', in its frame" },
  { "to_point", SINEW_VECTOR, SINEW_PORT_OPTIONAL | SINEW_PORT_EYE, 0, "m",
    "a point of 'to', in its frame" },
  { 0 },
};

static const sinew_port_desc outputs[] = {
  { "distance", SINEW_SCALAR, 0, 0, "m", "how far the two points are apart" },
  { 0 },
};

static const sinew_param_desc params[] = {
  { "of", SINEW_PARAM_SEGMENT, SINEW_PARAM_REQUIRED | SINEW_PARAM_PATH,
    .doc = "the segment of one point" },
  { "to", SINEW_PARAM_SEGMENT, SINEW_PARAM_REQUIRED | SINEW_PARAM_FROM,
    .doc = "the segment of the other point" },
  { 0 },
};

const sinew_component_class si_distance = {
  .class_size = sizeof(sinew_component_class),
  .name = "distance",
  .doc = "The distance between a point of one segment and a point of another, in the current pose. "
         "What moves the segments between the two must rotate and move only.",
  .inputs = inputs,
  .outputs = outputs,
  .params = params,
  .size = size,
  .setup = setup,
  .eval = eval,
  .tangent = tangent,
  .without = SINEW_WITHOUT_VERIFY | SINEW_WITHOUT_MIRROR,
  .drawing = SINEW_DRAWN_SIGHT,
  .color = 0x3c7a9a,
  .kernel = SI_KERNEL_DISTANCE,
};

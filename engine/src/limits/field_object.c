/* The field as an object: checks its desc [Engell 2012, eq. 1], reports its memory, lays out its
 * block and counts references. */
#include "limits/field_internal.h"

#include <math.h>
#include <string.h>

enum { DEFAULT_LIMIT = 256 << 20, MAX_NODES = 1 << 28 };

static const float max_angle = 36000.0f, min_range = 1e-2f;

sinew_field_desc sinew_default_field_desc(int axis_count) {
  sinew_field_desc desc = { .size = sizeof desc, .axis_count = axis_count, .epsilon = -1 };
  int resolution = axis_count <= 3 ? 16 : axis_count == 4 ? 8 : 6;
  for (int i = 0; i < SI_AXES; i++)
    desc.axes[i] = (sinew_field_axis){ -180, 180, resolution, false };
  return desc;
}

sinew_field_motion sinew_default_field_motion(void) {
  return (sinew_field_motion){ .size = sizeof(sinew_field_motion), .depth = -1 };
}

static bool check_axis(const sinew_field_axis *axis, int number, sinew_error *error) {
  if (!isfinite(axis->min) || !isfinite(axis->max)) {
    si_add(error, SINEW_ERR_NOT_FINITE, "field axis %d: its range is not finite", number);
    return false;
  }
  if (fabsf(axis->min) > max_angle || fabsf(axis->max) > max_angle ||
      !(axis->max - axis->min >= min_range)) {
    si_add(error, SINEW_ERR_VALUE,
           "field axis %d: range %.9g to %.9g; min must be below max, and both within +-%g degrees",
           number, (double)axis->min, (double)axis->max, (double)max_angle);
    return false;
  }
  if (axis->resolution < 2 || axis->resolution > SINEW_FIELD_RESOLUTION) {
    si_add(error, SINEW_ERR_VALUE, "field axis %d: resolution %d is not between 2 and %d", number,
           axis->resolution, SINEW_FIELD_RESOLUTION);
    return false;
  }
  return true;
}

static bool check_order(const sinew_field_desc *desc, int group, sinew_error *error) {
  const char *order = desc->orders[group];
  si_euler_order read;
  if (!order) return true;
  if (!si_order_parse(order, &read)) {
    si_add(error, SINEW_ERR_VALUE,
           "field: '%.20s' is not an Euler order; use one of xyz xzy yxz yzx zxy zyx xyx xzx yxy "
           "yzy zxz "
           "zyz",
           order);
    return false;
  }
  if (desc->axis_count < 3 * group + 3) {
    si_add(error, SINEW_ERR_VALUE, "field: the order '%s' needs axes %d to %d, there are %d", order,
           3 * group + 1, 3 * group + 3, desc->axis_count);
    return false;
  }
  for (int i = 3 * group; i < 3 * group + 3; i++) {
    const sinew_field_axis *axis = &desc->axes[i];
    if (axis->wrap && fabsf(axis->max - axis->min - 360.0f) > 1e-3f) {
      si_add(error, SINEW_ERR_VALUE,
             "field axis %d: wraps after %.9g degrees, but an angle of '%s' wraps after 360", i + 1,
             (double)(axis->max - axis->min), order);
      return false;
    }
  }
  return true;
}

bool si_field_check(const sinew_field_desc *desc, si_grid *dest, sinew_error *error) {
  sinew_error_clear(error);
  if (desc->axis_count < 1 || desc->axis_count > SI_AXES) {
    si_fail(error, SINEW_ERR_VALUE, "field: %d axes, expected 1 to %d", desc->axis_count, SI_AXES);
    return false;
  }
  bool ok = true;
  for (int i = 0; i < desc->axis_count; i++) ok &= check_axis(&desc->axes[i], i + 1, error);
  for (int i = 0; ok && i < SI_FIELD_ORDERS; i++) ok &= check_order(desc, i, error);
  if (!isfinite(desc->epsilon)) {
    si_add(error, SINEW_ERR_NOT_FINITE, "field: epsilon is not finite");
    ok = false;
  }
  if (!ok) return false;

  si_grid grid = { .axis_count = desc->axis_count, .smallest = INFINITY };
  double nodes = 1, square = 0;
  for (int i = 0; i < desc->axis_count; i++) {
    const sinew_field_axis *axis = &desc->axes[i];
    int cells = axis->wrap ? axis->resolution : axis->resolution - 1;
    grid.resolution[i] = axis->resolution;
    grid.wrap[i] = axis->wrap;
    grid.min[i] = axis->min, grid.max[i] = axis->max;
    grid.cell[i] = (axis->max - axis->min) / (float)cells;
    grid.scale[i] = (float)cells / (axis->max - axis->min);
    grid.period[i] = axis->wrap ? axis->max - axis->min : 0;
    grid.smallest = fminf(grid.smallest, grid.cell[i]);
    grid.stride[i] = (uint32_t)nodes;
    nodes *= axis->resolution;
    square += (double)grid.cell[i] * grid.cell[i];
    if (nodes > MAX_NODES) {
      si_fail(error, SINEW_ERR_LIMIT,
              "field: more than %d nodes; take fewer on each of the %d axes", MAX_NODES,
              desc->axis_count);
      return false;
    }
  }
  grid.nodes = (uint32_t)nodes;
  grid.half_diagonal = (float)(0.5 * sqrt(square));
  *dest = grid;
  return true;
}

static size_t lay_out(sinew_field **field, const si_grid *grid, unsigned char *base) {
  si_carver carver = { base, 0 };
  sinew_field *f = si_carve(&carver, 1, sizeof *f, SI_ALIGN);
  float *phi = si_carve(&carver, grid->nodes, sizeof(float), SI_ALIGN);
  float *nearest =
      si_carve(&carver, (size_t)grid->nodes * (size_t)grid->axis_count, sizeof(float), SI_ALIGN);
  if (f) {
    f->phi = phi;
    f->nearest = nearest;
  }
  *field = f;
  return carver.used;
}

size_t si_field_size(const si_grid *grid) {
  sinew_field *unused;
  return lay_out(&unused, grid, NULL);
}

size_t si_field_limit(size_t wanted) { return wanted ? wanted : DEFAULT_LIMIT; }

size_t sinew_field_memory(const sinew_field_desc *desc, sinew_error *error) {
  si_grid grid;
  sinew_field_desc whole = sinew_default_field_desc(0);
  if (!SI_EXPECT(desc) || !SI_TAKE_DESC(field_desc, desc, &whole, error)) return 0;
  return si_field_check(desc, &grid, error) ? si_field_size(&grid) : 0;
}

sinew_field *si_field_create(const si_grid *grid, const char *const orders[SI_FIELD_ORDERS],
                             float epsilon, sinew_error *error) {
  size_t bytes = si_field_size(grid);
  unsigned char *block = si_alloc(bytes);
  if (!block) return si_memory_null(error);
  sinew_field *field;
  lay_out(&field, grid, block);
  atomic_init(&field->owners, 1);
  field->grid = *grid;
  field->bytes = bytes;
  field->epsilon = epsilon;
  field->accept = epsilon + 1e-4f * grid->half_diagonal;
  for (int i = 0; i < SI_FIELD_ORDERS; i++)
    if (orders[i]) memcpy(field->orders[i], orders[i], 3);
  return field;
}

sinew_field *sinew_field_retain(const sinew_field *field) {
  sinew_field *counted = (sinew_field *)(uintptr_t)field;
  if (counted) atomic_fetch_add(&counted->owners, 1);
  return counted;
}

void sinew_field_release(const sinew_field *field) {
  sinew_field *counted = (sinew_field *)(uintptr_t)field;
  if (counted && atomic_fetch_sub(&counted->owners, 1) == 1) si_free(counted);
}

static void retain_object(void *object) { sinew_field_retain(object); }
static void release_object(void *object) { sinew_field_release(object); }

const sinew_object_class sinew_field_class = { "field", retain_object, release_object };

int sinew_field_axis_count(const sinew_field *field) {
  return SI_EXPECT(field) ? field->grid.axis_count : 0;
}

sinew_field_axis sinew_field_axis_info(const sinew_field *field, int axis) {
  if (!SI_EXPECT(field)) return (sinew_field_axis){ 0 };
  const si_grid *grid = &field->grid;
  if (!SI_EXPECT(axis >= 0 && axis < grid->axis_count)) return (sinew_field_axis){ 0 };
  return (sinew_field_axis){ grid->min[axis], grid->max[axis], grid->resolution[axis],
                             grid->wrap[axis] };
}

const char *sinew_field_order(const sinew_field *field, int group) {
  if (!SI_EXPECT(field)) return "";
  if (!SI_EXPECT(group >= 0 && group < SI_FIELD_ORDERS)) return NULL;
  return field->orders[group][0] ? field->orders[group] : NULL;
}

float sinew_field_epsilon(const sinew_field *field) {
  return SI_EXPECT(field) ? field->epsilon : 0;
}

size_t sinew_field_bytes(const sinew_field *field) { return SI_EXPECT(field) ? field->bytes : 0; }
size_t sinew_field_nodes(const sinew_field *field) {
  return SI_EXPECT(field) ? field->grid.nodes : 0;
}

int sinew_field_components(const sinew_field *field) {
  return SI_EXPECT(field) ? field->components : 0;
}

bool sinew_field_sculpted(const sinew_field *field) {
  return SI_EXPECT(field) ? field->sculpted : false;
}

const float *sinew_field_distances(const sinew_field *field) {
  return SI_EXPECT(field) ? field->phi : NULL;
}

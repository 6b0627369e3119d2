/* Reach cones: the inclusion test along a coherent path against the bare arithmetic for the slice
 * that is hit. What limits cost a solver is in bench_chain.c. */
#include "bench.h"
#include "limits/cone_internal.h"
#include "math/matrix.h"

#include <stdlib.h>

enum { path_length = 4096 };

static sinew_cone *make_cone(int points, const float *rest, const float *right, float wide,
                             float narrow) {
  sinew_cone_ellipse e = {
    .size = sizeof e, .points = points, .has_twist = true, .twist = { -60, 97 }
  };
  sinew_error error;
  sinew_cone *cone = NULL;
  memcpy(e.rest, rest, sizeof e.rest);
  memcpy(e.right, right, sizeof e.right);
  for (int k = 0; k < 4; k++) e.degrees[k] = k % 2 ? narrow : wide;
  bench_check((cone = sinew_cone_create_ellipse(&e, &error)) != NULL, &error);
  return cone;
}

/* a smooth path that winds in and out of the cone, and the slices that it hits */
typedef struct inclusion {
  const sinew_cone *cone;
  float path[path_length][3];
  int slices[path_length];
  float planes[64][3][3]; /* of each slice, as three plain vectors */
} inclusion;

static void inclusion_make(inclusion *in, const sinew_cone *cone) {
  in->cone = cone;
  for (int i = 0; i < path_length; i++) {
    float at = 6.2831853f * (float)i / path_length;
    float off = 0.7f + 0.6f * sinf(3 * at), round = 2 * at + 0.7f * sinf(5 * at);
    float v[3] = { sinf(off) * cosf(round), sinf(off) * sinf(round), cosf(off) };
    si_v4 dots;
    memcpy(in->path[i], v, sizeof v);
    in->slices[i] = si_cone_find(cone, v, -1, &dots);
  }
  for (int i = 0; i < sinew_cone_count(cone); i++) {
    const si_cone_slice *s = si_cone_slices(cone) + i;
    for (int k = 0; k < 3; k++) {
      in->planes[i][k][0] = s->x[k];
      in->planes[i][k][1] = s->y[k];
      in->planes[i][k][2] = s->z[k];
    }
  }
}

static void run_bare(void *context, int times) {
  const inclusion *in = context;
  int inside = 0;
  for (int i = 0; i < times; i++) {
    const float *l = in->path[i % path_length];
    const float(*plane)[3] = in->planes[in->slices[i % path_length]];
    inside +=
        si_vec_dot(plane[0], l) >= 0 && si_vec_dot(plane[1], l) > 0 && si_vec_dot(plane[2], l) >= 0;
  }
  bench_keep(&inside);
}

static void run_inside(void *context, int times) {
  const inclusion *in = context;
  int inside = 0, hint = -1;
  for (int i = 0; i < times; i++)
    inside += sinew_cone_inside(in->cone, in->path[i % path_length], &hint);
  bench_keep(&inside);
}

static void run_search(void *context, int times) {
  const inclusion *in = context;
  int inside = 0;
  for (int i = 0; i < times; i++)
    inside += sinew_cone_inside(in->cone, in->path[i % path_length], NULL);
  bench_keep(&inside);
}

static void run_hold(void *context, int times) {
  const inclusion *in = context;
  int held = 0, hint = -1;
  float dest[3];
  for (int i = 0; i < times; i++)
    held += sinew_cone_hold(in->cone, in->path[i % path_length], &hint, dest);
  bench_keep(&held);
}

void bench_cone(void) {
  static const float up[3] = { 0, 0, 1 }, x[3] = { 1, 0, 0 };
  sinew_cone *cone = make_cone(25, up, x, 65, 35);
  inclusion *in = malloc(sizeof *in);
  inclusion_make(in, cone);
  double ns[2];
  bench_pair((const char *[]){ "three dots and comparisons, slice known",
                               "inside a cone of 25 points, coherent path" },
             (void (*[])(void *, int)){ run_bare, run_inside }, (void *[]){ in, in }, ns);
  bench_ratio("inside / three dots", ns[1] / ns[0], 2);
  bench_time("inside a cone of 25 points, without hint", run_search, in);
  bench_time("held in a cone of 25 points", run_hold, in);
  sinew_cone *large = make_cone(5000, up, x, 65, 35);
  in->cone = large;
  bench_time("inside a cone of 5000 points, without hint", run_search, in);
  free(in);
  sinew_cone_destroy(cone);
  sinew_cone_destroy(large);
}

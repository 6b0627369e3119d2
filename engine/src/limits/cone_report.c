/* The report of a fitted cone: its area, the area of the samples' convex hull, and the parts of the
 * cone that no sample visited. */
#include "base/alloc.h"
#include "base/budget_internal.h"
#include "limits/cone_fit.h"
#include "math/angle.h"

#define TURN (2 * 3.14159265358979323846)

typedef struct place {
  double x, y;
  double direction[3];
} spot;

static bool by_x(const void *first, const void *second) {
  const spot *a = first, *b = second;
  return a->x != b->x ? a->x < b->x : a->y < b->y;
}

static double turning(const spot *a, const spot *b, const spot *c) {
  return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

/* the hull by Andrew's monotone chain in the tangent plane at V, and its area on the sphere */
static double hull_area(spot *places, int count, spot *hull, const double *visible) {
  int size = 0;
  si_fit_sort(places, count, sizeof *places, by_x);
  if (si_stopped()) return 0; /* the caller stops */
  for (int pass = 0, floor = 0; pass < 2; pass++, floor = size - 1) {
    int start = pass ? floor : 0;
    for (int n = 0; n < count; n++) {
      const spot *p = places + (pass ? count - 1 - n : n);
      while (size >= start + 2 && turning(&hull[size - 2], &hull[size - 1], p) <= 0) size--;
      hull[size++] = *p;
    }
  }
  double area = 0;
  for (int i = 0; i + 1 < size; i++)
    area += si_wide_solid_angle(visible, hull[i].direction, hull[i + 1].direction);
  return area;
}

static bool report_hull(const sinew_cone *cone, const si_fit_sample *samples, int count,
                        sinew_cone_fit_report *report) {
  size_t n = (size_t)count;
  spot *places = si_work(20 * n) ? si_alloc_array(3 * n + 2, sizeof *places) : NULL;
  if (!places) return false;
  double v[3];
  float widest = 0;
  int kept = 0;
  si_wide(cone->visible, v);
  for (int i = 0; i < count; i++)
    if (!samples[i].dropped) widest = fmaxf(widest, samples[i].polar);
  /* gnomonic projection maps great circles to straight lines; for samples beyond a hemisphere, the
   * stereographic one from -V is used */
  bool gnomonic = (double)widest < 0.245 * TURN;
  for (int i = 0; i < count; i++) {
    if (samples[i].dropped) continue;
    double polar = (double)samples[i].polar, at = (double)samples[i].azimuth;
    double radius = gnomonic ? tan(polar) : 2 * tan(polar / 2);
    spot *p = &places[kept++];
    p->x = radius * cos(at), p->y = radius * sin(at);
    si_wide(samples[i].direction, p->direction);
  }
  report->hull_area = kept < 3 ? 0 : (float)hull_area(places, kept, places + n, v);
  si_free(places);
  return !si_stopped();
}

/* rings about V, divided into cells as wide as the rings */
static int ring_cells(double cell, int ring) {
  int cells = (int)lround(TURN * sin((ring + 0.5) * cell) / cell);
  return cells > 1 ? cells : 1;
}

static bool report_visits(const sinew_cone *cone, const si_fit_sample *samples, int count,
                          double cell, sinew_cone_fit_report *report) {
  int rings = (int)ceil(TURN / 2 / cell), total = 0;
  for (int r = 0; r < rings; r++) total += ring_cells(cell, r);
  bool *visited = si_alloc_array((size_t)total, sizeof *visited);
  int *firsts = si_alloc_array((size_t)rings, sizeof *firsts);
  bool memory = visited && firsts && si_work(10 * (size_t)count + 20 * (size_t)total);
  if (memory) {
    double whole[SINEW_FIT_SECTORS] = { 0 }, missed[SINEW_FIT_SECTORS] = { 0 }, all = 0, out = 0;
    double v[3], e[2][3];
    for (int r = 0, first = 0; r < rings; first += ring_cells(cell, r), r++) firsts[r] = first;
    si_wide(cone->visible, v);
    si_wide(cone->azimuth[0], e[0]);
    si_wide(cone->azimuth[1], e[1]);
    for (int i = 0; i < count; i++) {
      if (samples[i].dropped) continue;
      double d[3];
      si_wide(samples[i].direction, d);
      double at = atan2(si_wide_dot(d, e[1]), si_wide_dot(d, e[0])) / TURN;
      int ring = (int)((double)samples[i].polar / cell);
      ring = ring < rings ? ring : rings - 1;
      int cells = ring_cells(cell, ring), place = (int)((at < 0 ? at + 1 : at) * cells);
      visited[firsts[ring] + (place < cells ? place : cells - 1)] = true;
    }
    for (int r = 0; r < rings; r++) {
      int cells = ring_cells(cell, r);
      double polar = (r + 0.5) * cell, share = (cos(r * cell) - cos((r + 1) * cell)) / cells;
      for (int k = 0; k < cells; k++) {
        double at = (k + 0.5) / cells * TURN;
        float d[3];
        for (int c = 0; c < 3; c++)
          d[c] = (float)(cos(polar) * v[c] + sin(polar) * (cos(at) * e[0][c] + sin(at) * e[1][c]));
        if (!sinew_cone_inside(cone, d, NULL)) continue;
        int sector = (k * 2 + 1) * SINEW_FIT_SECTORS / (2 * cells);
        double lost = visited[firsts[r] + k] ? 0 : share;
        whole[sector] += share, missed[sector] += lost;
        all += share, out += lost;
      }
    }
    report->unvisited = all > 0 ? (float)(out / all) : 0;
    for (int i = 0; i < SINEW_FIT_SECTORS; i++)
      report->sector_unvisited[i] = whole[i] > 0 ? (float)(missed[i] / whole[i]) : -1;
  }
  si_free(visited);
  si_free(firsts);
  return memory;
}

bool si_fit_report(const sinew_cone *cone, const si_fit_sample *samples, int count, float cell,
                   sinew_cone_fit_report *report) {
  report->area = sinew_cone_area(cone);
  return report_hull(cone, samples, count, report) &&
         report_visits(cone, samples, count, (double)cell * SI_DEG, report);
}

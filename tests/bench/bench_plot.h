/* Curves as SVG, both axes logarithmic. */
#ifndef BENCH_PLOT_H
#define BENCH_PLOT_H

#include <stdbool.h>

enum { plot_points = 8, plot_curves = 6 };

typedef struct plot_curve {
  const char *name;
  int count; /* at most plot_points */
  double x[plot_points], y[plot_points];
} plot_curve;

typedef struct plot {
  const char *title, *x_label, *y_label;
  int count; /* at most plot_curves */
  plot_curve curves[plot_curves];
} plot;

/* All numbers must be positive. A dashed line of slope 1 starts at the first point of the first
 * curve. Returns false if the file cannot be written. */
bool plot_write(const plot *p, const char *path);

#endif

/* Curves as SVG; see bench_plot.h. */
#include "bench_plot.h"

#include <math.h>
#include <stdio.h>

enum { width = 820, height = 520, left = 80, right = 44, top = 50, bottom = 64 };

/* the powers of ten that enclose all points */
typedef struct frame {
  double x[2], y[2];
} frame;

static void stretch(double range[2], double value) {
  range[0] = fmin(range[0], floor(log10(value)));
  range[1] = fmax(range[1], ceil(log10(value)));
}

static frame around(const plot *p) {
  frame f = { { INFINITY, -INFINITY }, { INFINITY, -INFINITY } };
  for (int c = 0; c < p->count; c++)
    for (int i = 0; i < p->curves[c].count; i++)
      stretch(f.x, p->curves[c].x[i]), stretch(f.y, p->curves[c].y[i]);
  return f;
}

static double across(const frame *f, double power) {
  return left + (width - left - right) * (power - f->x[0]) / (f->x[1] - f->x[0]);
}
static double up(const frame *f, double power) {
  return height - bottom - (height - top - bottom) * (power - f->y[0]) / (f->y[1] - f->y[0]);
}

/* 0.1, 1, 10 ... with commas between thousands */
static const char *power_text(int power, char dest[32]) {
  if (power < 0) {
    snprintf(dest, 32, "%g", pow(10, power));
    return dest;
  }
  int n = 0;
  for (int i = power; i >= 0 && n < 28; i--) {
    dest[n++] = i == power ? '1' : '0';
    if (i > 0 && i % 3 == 0) dest[n++] = ',';
  }
  dest[n] = '\0';
  return dest;
}

static void write_grid(const plot *p, const frame *f, FILE *to) {
  char text[32];
  for (int power = (int)f->x[0]; power <= (int)f->x[1]; power++) {
    double x = across(f, power);
    fprintf(to, "<path d=\"M%.1f %dV%d\" stroke=\"#dddddd\"/>\n", x, top, height - bottom);
    fprintf(to, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", x,
            height - bottom + 20, power_text(power, text));
  }
  for (int power = (int)f->y[0]; power <= (int)f->y[1]; power++) {
    double y = up(f, power);
    fprintf(to, "<path d=\"M%d %.1fH%d\" stroke=\"#dddddd\"/>\n", left, y, width - right);
    fprintf(to, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", left - 8, y + 5,
            power_text(power, text));
  }
  fprintf(to, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
          (left + width - right) / 2, height - 16, p->x_label);
  fprintf(to, "<text transform=\"translate(22 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
          (top + height - bottom) / 2, p->y_label);
}

/* a line of slope 1, clipped to the frame */
static void write_linear(const plot *p, const frame *f, FILE *to) {
  double x = log10(p->curves[0].x[0]), y = log10(p->curves[0].y[0]);
  double back = fmin(x - f->x[0], y - f->y[0]), on = fmin(f->x[1] - x, f->y[1] - y);
  fprintf(to,
          "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#999999\" stroke-width=\"1.5\" "
          "stroke-dasharray=\"6 5\"/>\n",
          across(f, x - back), up(f, y - back), across(f, x + on), up(f, y + on));
}

/* each curve is thinner than the previous one, so that both show where they overlap */
static void write_curve(const plot_curve *c, int index, const frame *f, const char *colour,
                        FILE *to) {
  double size = 7 * pow(0.75, index);
  fprintf(to, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\" points=\"", colour,
          0.7 * size);
  for (int i = 0; i < c->count; i++)
    fprintf(to, "%.1f,%.1f ", across(f, log10(c->x[i])), up(f, log10(c->y[i])));
  fprintf(to, "\"/>\n");
  for (int i = 0; i < c->count; i++)
    fprintf(to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"/>\n",
            across(f, log10(c->x[i])), up(f, log10(c->y[i])), size, colour);
}

static void write_name(int line, const char *name, const char *colour, const char *dashes,
                       FILE *to) {
  int y = top + 24 + 24 * line;
  fprintf(to,
          "<path d=\"M%d %dh30\" stroke=\"%s\" stroke-width=\"2.5\" stroke-dasharray=\"%s\"/>\n"
          "<text x=\"%d\" y=\"%d\">%s</text>\n",
          left + 16, y - 5, colour, dashes, left + 56, y, name);
}

bool plot_write(const plot *p, const char *path) {
  static const char *const colours[plot_curves] = { "#1f6fb2", "#c0392b", "#1e8449",
                                                    "#8e44ad", "#b7950b", "#555555" };
  frame f = around(p);
  FILE *to = fopen(path, "w");
  if (!to) return false;
  fprintf(to,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
          "height=\"%d\" font-family=\"sans-serif\" font-size=\"15\">\n",
          width, height, width, height);
  fprintf(to, "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", width, height);
  fprintf(to, "<text x=\"%d\" y=\"30\" font-size=\"18\">%s</text>\n", left, p->title);
  write_grid(p, &f, to);
  write_linear(p, &f, to);
  for (int c = 0; c < p->count; c++) {
    write_curve(&p->curves[c], c, &f, colours[c], to);
    write_name(c, p->curves[c].name, colours[c], "none", to);
  }
  write_name(p->count, "linear", "#999999", "6 5", to);
  fprintf(to, "</svg>\n");
  return fclose(to) == 0;
}

/* See osim_cases.h. */
#include "osim_cases.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char text[1 << 17], joints[1 << 16], pieces[1 << 16], tail[1 << 15];
static size_t piece_used;
static int version;

void osim_begin(int which) {
  version = which;
  joints[0] = tail[0] = '\0';
  piece_used = 0;
  snprintf(text, sizeof text,
           "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n"
           "<OpenSimDocument Version=\"%d0000\">\n<Model name=\"case\">\n"
           "<length_units>meters</length_units>\n%s<BodySet>\n<objects>\n%s",
           version, version == 4 ? "<Ground name=\"ground\"/>\n" : "",
           version == 3 ? "<Body name=\"ground\"><mass>0</mass><Joint/></Body>\n" : "");
}

static void append(char *dest, size_t room, const char *format, va_list args) {
  size_t used = strlen(dest);
  vsnprintf(dest + used, room - used, format, args);
}

void osim_add(const char *format, ...) {
  va_list args;
  va_start(args, format);
  append(text, sizeof text, format, args);
  va_end(args);
}

static void add_joint(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void add_joint(const char *format, ...) {
  va_list args;
  va_start(args, format);
  append(joints, sizeof joints, format, args);
  va_end(args);
}

const char *osim_text(const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *piece = pieces + piece_used;
  vsnprintf(piece, sizeof pieces - piece_used, format, args);
  va_end(args);
  piece_used += strlen(piece) + 1;
  return piece;
}

void osim_joint(const osim_joint_case *j) {
  const double *p = j->in_parent, *c = j->in_child;
  if (version == 3) {
    osim_add(
        "<Body name=\"%s\"><mass>1</mass><Joint><%s name=\"%s\"><parent_body>%s</parent_body>\n"
        "<location_in_parent>%.17g %.17g %.17g</location_in_parent>\n"
        "<orientation_in_parent>%.17g %.17g %.17g</orientation_in_parent>\n"
        "<location>%.17g %.17g %.17g</location>\n"
        "<orientation>%.17g %.17g %.17g</orientation>\n"
        "<CoordinateSet><objects>%s</objects></CoordinateSet>\n%s</%s></Joint></Body>\n",
        j->child, j->kind, j->name, j->parent, p[0], p[1], p[2], p[3], p[4], p[5], c[0], c[1], c[2],
        c[3], c[4], c[5], j->coordinates, j->inner, j->kind);
    return;
  }
  const char *set = strcmp(j->parent, "ground") == 0 ? "" : "/bodyset";
  osim_add("<Body name=\"%s\"><mass>1</mass></Body>\n", j->child);
  add_joint("<%s name=\"%s\"><socket_parent_frame>near</socket_parent_frame>\n"
            "<socket_child_frame>far</socket_child_frame><coordinates>%s</coordinates>\n<frames>\n"
            "<PhysicalOffsetFrame name=\"near\"><socket_parent>%s/%s</socket_parent>\n"
            "<translation>%.17g %.17g %.17g</translation>"
            "<orientation>%.17g %.17g %.17g</orientation></PhysicalOffsetFrame>\n"
            "<PhysicalOffsetFrame name=\"far\"><socket_parent>/bodyset/%s</socket_parent>\n"
            "<translation>%.17g %.17g %.17g</translation>"
            "<orientation>%.17g %.17g %.17g</orientation></PhysicalOffsetFrame>\n"
            "</frames>%s</%s>\n",
            j->kind, j->name, j->coordinates, set, j->parent, p[0], p[1], p[2], p[3], p[4], p[5],
            j->child, c[0], c[1], c[2], c[3], c[4], c[5], j->inner, j->kind);
}

const char *osim_coordinate(const char *name, double min, double max, double rest,
                            const char *flags) {
  return osim_text("<Coordinate name=\"%s\"><default_value>%.17g</default_value>"
                   "<range>%.17g %.17g</range>%s</Coordinate>\n",
                   name, rest, min, max, flags);
}

const char *osim_axis(const char *name, const char *coordinates, const char *axis,
                      const char *function) {
  return osim_text("<TransformAxis name=\"%s\"><coordinates>%s</coordinates><axis>%s</axis>"
                   "%s%s%s</TransformAxis>\n",
                   name, coordinates, axis, version == 3 ? "<function>" : "", function,
                   version == 3 ? "</function>" : "");
}

void osim_tail(const char *more) { strncat(tail, more, sizeof tail - strlen(tail) - 1); }

const char *osim_end(void) {
  osim_add("</objects>\n</BodySet>\n");
  if (version == 4) osim_add("<JointSet><objects>\n%s</objects></JointSet>\n", joints);
  osim_add("%s</Model>\n</OpenSimDocument>\n", tail);
  return text;
}

osim_mat osim_mul(osim_mat a, osim_mat b) {
  osim_mat c = { 0 };
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 4; k++)
      for (int s = 0; s < 4; s++) c.m[i][k] += a.m[i][s] * b.m[s][k];
  return c;
}

osim_mat osim_move(double x, double y, double z) {
  return (osim_mat){ { { 1, 0, 0, x }, { 0, 1, 0, y }, { 0, 0, 1, z }, { 0, 0, 0, 1 } } };
}

/* by the quaternion of the turn */
osim_mat osim_turn(double x, double y, double z, double radians) {
  double length = sqrt(x * x + y * y + z * z), s = sin(radians / 2) / length;
  double a = x * s, b = y * s, c = z * s, w = cos(radians / 2);
  return (osim_mat){ { { 1 - 2 * (b * b + c * c), 2 * (a * b - c * w), 2 * (a * c + b * w), 0 },
                       { 2 * (a * b + c * w), 1 - 2 * (a * a + c * c), 2 * (b * c - a * w), 0 },
                       { 2 * (a * c - b * w), 2 * (b * c + a * w), 1 - 2 * (a * a + b * b), 0 },
                       { 0, 0, 0, 1 } } };
}

osim_mat osim_offset(const double o[6]) {
  osim_mat turned = osim_mul(osim_turn(1, 0, 0, o[3]), osim_turn(0, 1, 0, o[4]));
  return osim_mul(osim_move(o[0], o[1], o[2]), osim_mul(turned, osim_turn(0, 0, 1, o[5])));
}

osim_mat osim_rigid_inverse(osim_mat a) {
  osim_mat b = osim_move(0, 0, 0);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      b.m[i][k] = a.m[k][i];
      b.m[i][3] -= a.m[k][i] * a.m[k][3];
    }
  return b;
}

osim_mat osim_ground(void) {
  return (osim_mat){ { { 0, 0, -1, 0 }, { 0, 1, 0, 0 }, { 1, 0, 0, 0 }, { 0, 0, 0, 1 } } };
}

double osim_difference(osim_mat expected, const float *actual) {
  double most = 0;
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 4; k++)
      most = fmax(most, fabs(expected.m[i][k] - (double)actual[4 * k + i]));
  return most;
}

static void spline(int n, const double *x, const double *y, double *b, double *c, double *d) {
  d[0] = x[1] - x[0];
  c[1] = (y[1] - y[0]) / d[0];
  if (n == 2) {
    b[0] = b[1] = c[1];
    c[0] = c[1] = d[0] = 0;
    return;
  }
  for (int i = 1; i < n - 1; i++) {
    d[i] = x[i + 1] - x[i];
    b[i] = 2 * (d[i - 1] + d[i]);
    c[i + 1] = (y[i + 1] - y[i]) / d[i];
    c[i] = c[i + 1] - c[i];
  }
  b[0] = -d[0];
  b[n - 1] = -d[n - 2];
  c[0] = c[n - 1] = 0;
  if (n > 3) {
    c[0] = c[2] / (x[3] - x[1]) - c[1] / (x[2] - x[0]);
    c[n - 1] = c[n - 2] / (x[n - 1] - x[n - 3]) - c[n - 3] / (x[n - 2] - x[n - 4]);
    c[0] = c[0] * d[0] * d[0] / (x[3] - x[0]);
    c[n - 1] = -c[n - 1] * d[n - 2] * d[n - 2] / (x[n - 1] - x[n - 4]);
  }
  for (int i = 1; i < n; i++) {
    double t = d[i - 1] / b[i - 1];
    b[i] -= t * d[i - 1];
    c[i] -= t * c[i - 1];
  }
  c[n - 1] /= b[n - 1];
  for (int i = n - 2; i >= 0; i--) c[i] = (c[i] - d[i] * c[i + 1]) / b[i];
  b[n - 1] = (y[n - 1] - y[n - 2]) / d[n - 2] + d[n - 2] * (c[n - 2] + 2 * c[n - 1]);
  for (int i = 0; i < n - 1; i++) {
    b[i] = (y[i + 1] - y[i]) / d[i] - d[i] * (c[i + 1] + 2 * c[i]);
    d[i] = (c[i + 1] - c[i]) / d[i];
    c[i] *= 3;
  }
  c[n - 1] *= 3;
}

double osim_simm(int n, const double *x, const double *y, double at) {
  double b[16], c[16], d[16];
  spline(n, x, y, b, c, d);
  if (at < x[0]) return y[0] + b[0] * (at - x[0]);
  if (at > x[n - 1]) return y[n - 1] + b[n - 1] * (at - x[n - 1]);
  int i = 0;
  while (i < n - 2 && at > x[i + 1]) i++;
  double t = at - x[i];
  return y[i] + t * (b[i] + t * (c[i] + t * d[i]));
}

/* Reads the command line: a table of options and their values. */
#include "state/options.h"
#include "engine/src/base/names.h"
#include "draw/orbit.h"
#include "plain/crowd_motion.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "AxB", both within bounds */
static bool read_pair(const char *text, int least, int most, int *a, int *b) {
  char rest;
  return sscanf(text, "%dx%d%c", a, b, &rest) == 2 && *a >= least && *b >= least && *a <= most &&
         *b <= most;
}

static bool read_size(options *o, const char *text) {
  return read_pair(text, 64, 8192, &o->width, &o->height);
}

static bool read_camera(options *o, const char *text) {
  orbit view;
  if (o->camera_count == most_cameras || !orbit_look(&view, text)) return false;
  o->cameras[o->camera_count++] = text;
  return true;
}

static bool read_zoom(options *o, const char *text) {
  char *end;
  o->zoom = strtof(text, &end);
  return end != text && !*end && o->zoom >= 0.1f && o->zoom <= 100;
}

static bool read_number(const char *text, int most, int *dest) {
  char *end;
  long count = strtol(text, &end, 10);
  *dest = (int)count;
  return end != text && !*end && count >= 1 && count <= most;
}

static bool read_fps(options *o, const char *text) {
  char *end;
  o->fps = strtof(text, &end);
  return end != text && !*end && o->fps >= 1 && o->fps <= 100;
}

static bool read_load_seconds(options *o, const char *text) {
  char *end;
  o->load_seconds = strtod(text, &end);
  return end != text && !*end && o->load_seconds > 0;
}

static bool read_sheet(options *o, const char *text) {
  return read_pair(text, 1, 64, &o->columns, &o->rows);
}

static bool read_sweep(options *o, const char *text) {
  if (o->sweep_count == most_sweeps) return false;
  o->sweeps[o->sweep_count++] = text;
  return true;
}

static bool read_choice(options *o, const char *text) {
  if (o->choice_count == most_choices || !strchr(text, '=')) return false;
  o->choices[o->choice_count++] = text;
  return true;
}

typedef struct option {
  const char *name, *what; /* and its value */
  const char *doc;
  const char *expected; /* printed before a wrong value */
  bool (*read)(options *o, const char *text);
  size_t
      place; /* without `read`: offset of a string, or if `most` is set, of a number up to `most` */
  int most;
} option;

#define TEXT(member)         NULL, offsetof(options, member), 0
#define NUMBER(member, most) NULL, offsetof(options, member), most

static const option table[] = {
  { "--render", "OUT.png",
    "writes a picture instead of opening a window; OUT.gif is a film, see --frames", "",
    TEXT(render) },
  { "--size", "WxH", "size of the window or the picture (1280x800)",
    "expected a size such as 1280x800, from 64 to 8192, got", read_size, 0, 0 },
  { "--camera", "VIEW",
    "front, back, side, top, three-quarter, or YAW,PITCH in degrees, where 90,0 shows the\n"
    "                     body's left; a picture shows several views side by side if repeated",
    "expected front, back, side, top, three-quarter or angles such as 30,10, at most 16, got",
    read_camera, 0, 0 },
  { "--focus", "SEGMENT,...", "segments that fill the picture, instead of all", "", TEXT(focus) },
  { "--zoom", "N", "moves the camera of a picture N times nearer",
    "expected a zoom from 0.1 to 100, got", read_zoom, 0, 0 },
  { "--frames", "N",
    "renders N pictures, OUT_0001.png and so on, or OUT.gif: of --sweep or --keys,\n"
    "                     otherwise the camera orbits, or the crowd moves",
    "expected 1 to 10000 frames, got", NUMBER(frames, 10000) },
  { "--sweep", "DOF[=A:B]",
    "moves a DOF from A to B (default: its range) and back; may be repeated",
    "at most 16 sweeps are possible; too many with", read_sweep, 0, 0 },
  { "--keys", "CLIP.json", "plays a file of keyframes", "", TEXT(keys) },
  { "--sheet", "CxR",
    "a contact sheet of C by R poses: of --sweep or --keys, otherwise of each DOF\n"
    "                     at the end of its range",
    "expected a sheet such as 4x3, from 1 to 64, got", read_sheet, 0, 0 },
  { "--fps", "N", "frames per second of a GIF and of --keys (25)",
    "expected 1 to 100 frames per second, got", read_fps, 0, 0 },
  { "--crowd", "N",
    "shows N characters (1 to 10000), each moving in its own way; with --keys they\n"
    "                     play the clip, each with its own offset",
    "expected 1 to 10000 characters, got", NUMBER(crowd, most_characters) },
  { "--threads", "N", "threads that evaluate a crowd (default: one per core)",
    "expected 1 to 256 threads, got", NUMBER(threads, 256) },
  { "--option", "NAME=VALUE", "sets an option of the rig; may be repeated",
    "expected NAME=VALUE, at most 64 times, got", read_choice, 0, 0 },
  { "--load-seconds", "N", "how long the rig may take to load (5)",
    "expected a positive number, got", read_load_seconds, 0, 0 },
  { "--show", "TOOL,TOOL",
    "tools to open; in a picture, what they draw into the scene; limits:cones+axes shows\n"
    "                     only these kinds of limits, of cones, ellipsoids, axes, fields and aims",
    "", TEXT(show) },
  { "--select", "SEGMENT", "selects a segment", "", TEXT(select) },
  { "--skin", "MESH", "a mesh (.obj, .glb) that follows the bones; `sinew skin` makes one", "",
    TEXT(skin) },
  { "--skin-at", "DOF=V,...", "the pose that the mesh was made in, if it is not the rest pose", "",
    TEXT(skin_at) },
};
enum { option_count = sizeof table / sizeof *table };

/* those that take no value, or two */
static const char *const plain[] = { "--help", "--remote", "--isolate", "--compare" };
enum { plain_count = sizeof plain / sizeof *plain };

static void help(void) {
  printf("usage: sinew-viewer [RIG] [joint.dof=value ...] [options]\n\n"
         "Opens a rig in a window and loads it again whenever it is saved.\n\n"
         "  joint.dof=value    sets a DOF\n");
  for (int i = 0; i < option_count; i++) {
    char left[32];
    snprintf(left, sizeof left, "%s %s", table[i].name, table[i].what);
    printf("  %-18s %s\n", left, table[i].doc);
  }
  printf(
      "  --isolate          runs the rig's script in a process of its own, which can only compute\n"
      "                     and read the rig's folder; if it crashes, it is started again\n"
      "  --compare A B      prints how different two pictures are, from 0 to 255\n"
      "  --remote           takes commands from standard input; `help` lists them\n"
      "\nexample: sinew-viewer rigs/human.lua right_knee.flexion=60 --render knee.png\n");
}

static int wrong(const char *what, const char *argument) {
  fprintf(stderr, "sinew-viewer: %s '%s'; see --help\n", what, argument);
  return 2 + 1;
}

static bool read_value(options *o, const option *as, const char *text) {
  char *place = (char *)o + as->place;
  if (as->read) return as->read(o, text);
  if (as->most) return read_number(text, as->most, (int *)(void *)place);
  *(const char **)(void *)place = text;
  return true;
}

/* returns 0, or the result of options_read */
static int read_option(options *o, const char *name, const char *next) {
  for (int i = 0; i < option_count; i++) {
    if (strcmp(name, table[i].name) != 0) continue;
    if (!next) return wrong("expected a value after", name);
    return read_value(o, &table[i], next) ? 0 : wrong(table[i].expected, next);
  }
  si_nearest nearest;
  char words[200];
  si_nearest_start(&nearest, name);
  for (int i = 0; i < option_count; i++) si_nearest_offer(&nearest, table[i].name);
  for (int i = 0; i < plain_count; i++) si_nearest_offer(&nearest, plain[i]);
  fprintf(stderr, "sinew-viewer: unknown option '%s'%s; see --help\n", name,
          si_nearest_words(&nearest, words, sizeof words));
  return 2 + 1;
}

static int read_plain(options *o, const char *a) {
  if (strchr(a, '=') && !strchr(a, '/')) {
    if (o->dof_count == most_dof_arguments) return wrong("too many DOFs at", a);
    o->dofs[o->dof_count++] = a;
  } else if (o->rig) {
    return wrong("unexpected second rig", a);
  } else {
    o->rig = a;
  }
  return 0;
}

static int check_ending(const char *path) {
  static const char *const endings[] = { ".png", ".gif", ".bmp", ".qoi", ".raw" };
  const char *dot = strrchr(path, '.');
  for (int i = 0; dot && i < (int)(sizeof endings / sizeof *endings); i++)
    if (strcmp(dot, endings[i]) == 0) return 0;
  return wrong("--render expects a file that ends with .png, .gif, .bmp, .qoi or .raw, got", path);
}

/* checks options that need or exclude another one */
static int check(const options *o) {
  if (o->skin_at && !o->skin) return wrong("only with --skin:", "--skin-at");
  if (o->focus && o->crowd) return wrong("not allowed with --crowd:", "--focus");
  if (o->columns && o->frames) return wrong("not allowed with --sheet:", "--frames");
  if (o->render && o->remote) return wrong("not allowed with --render:", "--remote");
  if (o->render && o->fps > 0 && !o->keys && !o->crowd && !strstr(o->render, ".gif"))
    return wrong("only with --keys, --crowd or a GIF:", "--fps");
  if (o->threads && !o->crowd) return wrong("only with --crowd:", "--threads");
  if (o->crowd && o->columns) return wrong("not allowed with --crowd:", "--sheet");
  if (o->render) return check_ending(o->render);
  if (o->frames) return wrong("only with --render:", "--frames");
  if (o->columns) return wrong("only with --render:", "--sheet");
  if (o->sweep_count) return wrong("only with --render:", "--sweep");
  if (o->focus) return wrong("only with --render:", "--focus");
  if (o->zoom != 1) return wrong("only with --render:", "--zoom");
  return 0;
}

int options_read(int argc, char **argv, options *o) {
  *o = (options){ .width = 1280, .height = 800, .cameras = { "three-quarter" }, .zoom = 1 };
  for (int i = 1; i < argc; i++) {
    const char *a = argv[i];
    int end = 0;
    if (strcmp(a, "--help") == 0) {
      help();
      end = 0 + 1;
    } else if (strcmp(a, "--remote") == 0) {
      o->remote = true;
    } else if (strcmp(a, "--isolate") == 0) {
      o->isolate = true;
    } else if (strcmp(a, "--compare") == 0) {
      if (i + 2 >= argc) return wrong("expected two pictures after", a);
      o->compare[0] = argv[++i];
      o->compare[1] = argv[++i];
    } else if (a[0] == '-') {
      end = read_option(o, a, i + 1 < argc ? argv[i + 1] : NULL);
      i++;
    } else {
      end = read_plain(o, a);
    }
    if (end) return end;
  }
  int end = check(o);
  if (!(o->fps > 0)) o->fps = 25;
  return end;
}

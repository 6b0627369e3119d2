/* Reading the command line: a table of options, each with what follows it. */
#include "state/options.h"
#include "plain/crowd_place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const view_names[] = { "front", "side", "top", "three-quarter" };

static bool read_size(options *o, const char *text) {
  char rest;
  return sscanf(text, "%dx%d%c", &o->width, &o->height, &rest) == 2 && o->width >= 64 &&
         o->height >= 64 && o->width <= 8192 && o->height <= 8192;
}

static bool read_view(options *o, const char *text) {
  for (int i = 0; i < 4; i++)
    if (strcmp(text, view_names[i]) == 0) return o->view = (orbit_view)i, true;
  return false;
}

static bool read_number(const char *text, int most, int *dest) {
  char *end;
  long count = strtol(text, &end, 10);
  *dest = (int)count;
  return end != text && !*end && count >= 1 && count <= most;
}

static bool read_frames(options *o, const char *text) {
  return read_number(text, 10000, &o->frames);
}

static bool read_crowd(options *o, const char *text) {
  return read_number(text, most_characters, &o->crowd);
}

static bool read_threads(options *o, const char *text) {
  return read_number(text, 256, &o->threads);
}

static bool read_fps(options *o, const char *text) {
  char *end;
  o->fps = strtof(text, &end);
  return end != text && !*end && o->fps >= 1 && o->fps <= 100;
}

static bool read_sheet(options *o, const char *text) {
  char rest;
  return sscanf(text, "%dx%d%c", &o->columns, &o->rows, &rest) == 2 && o->columns >= 1 &&
         o->rows >= 1 && o->columns <= 64 && o->rows <= 64;
}

static bool read_sweep(options *o, const char *text) {
  if (o->sweep_count == most_sweeps) return false;
  o->sweeps[o->sweep_count++] = text;
  return true;
}

static bool read_render(options *o, const char *text) { return o->render = text, true; }
static bool read_keys(options *o, const char *text) { return o->keys = text, true; }
static bool read_show(options *o, const char *text) { return o->show = text, true; }
static bool read_select(options *o, const char *text) { return o->select = text, true; }
static bool read_skin(options *o, const char *text) { return o->skin = text, true; }
static bool read_skin_at(options *o, const char *text) { return o->skin_at = text, true; }

typedef struct option {
  const char *name, *what; /* and what follows it */
  const char *doc;
  const char *expected; /* said before a wrong one */
  bool (*read)(options *o, const char *text);
} option;

static const option table[] = {
  { "--render", "OUT.png", "writes a picture instead of opening a window", "", read_render },
  { "--size", "WxH", "of the window or the picture (1280x800)",
    "a size is written 1280x800, from 64 to 8192, not", read_size },
  { "--camera", "VIEW", "front, side, top or three-quarter",
    "the camera is front, side, top or three-quarter, not", read_view },
  { "--frames", "N",
    "renders N pictures, OUT_0001.png and so on, or OUT.gif: of --sweep or --keys,\n"
    "                     else the camera goes round, or the crowd moves",
    "a number of frames from 1 to 10000, not", read_frames },
  { "--sweep", "DOF[=A:B]", "moves a DOF from A to B (its range) and back; may be repeated",
    "at most 16 DOFs are swept, not also", read_sweep },
  { "--keys", "CLIP.json", "plays a file of key frames", "", read_keys },
  { "--sheet", "CxR",
    "a contact sheet of C by R poses: of --sweep or --keys, else of each DOF\n"
    "                     at its far end",
    "a sheet is written 4x3, from 1 to 64, not", read_sheet },
  { "--fps", "N", "frames a second of a GIF and of --keys (25)",
    "frames a second are from 1 to 100, not", read_fps },
  { "--crowd", "N",
    "shows N characters (1 to 10000), each moving in its own way; with --keys they\n"
    "                     play the clip, each from another time of it",
    "a crowd has from 1 to 10000 characters, not", read_crowd },
  { "--threads", "N", "that evaluate a crowd (as many as there are cores)",
    "threads are from 1 to 256, not", read_threads },
  { "--show", "TOOL,TOOL", "tools to open; in a picture, what they draw into the scene", "",
    read_show },
  { "--select", "SEGMENT", "selects a segment", "", read_select },
  { "--skin", "MESH", "a mesh (.obj, .glb) that follows the bones; `sinew skin` makes one", "",
    read_skin },
  { "--skin-at", "DOF=V,...", "the pose that the mesh was made in, where that is not at rest", "",
    read_skin_at },
};
enum { option_count = sizeof table / sizeof *table };

static void help(void) {
  printf("usage: sinew-viewer [RIG] [joint.dof=value ...] [options]\n\n"
         "Opens a rig in a window and loads it again whenever it is saved.\n\n"
         "  joint.dof=value    sets a DOF\n");
  for (int i = 0; i < option_count; i++) {
    char left[32];
    snprintf(left, sizeof left, "%s %s", table[i].name, table[i].what);
    printf("  %-18s %s\n", left, table[i].doc);
  }
  printf("  --compare A B      prints how different two pictures are, from 0 to 255\n"
         "  --remote           takes commands from standard input; `help` lists them\n");
}

static int wrong(const char *what, const char *argument) {
  fprintf(stderr, "sinew-viewer: %s '%s'; see --help\n", what, argument);
  return 2 + 1;
}

/* 0, or what options_read ends with */
static int read_option(options *o, const char *name, const char *next) {
  for (int i = 0; i < option_count; i++) {
    if (strcmp(name, table[i].name) != 0) continue;
    if (!next) return wrong("something must follow", name);
    return table[i].read(o, next) ? 0 : wrong(table[i].expected, next);
  }
  return wrong("there is no option", name);
}

static int read_plain(options *o, const char *a) {
  if (strchr(a, '=') && !strchr(a, '/')) {
    if (o->dof_count == most_dof_arguments) return wrong("too many DOFs at", a);
    o->dofs[o->dof_count++] = a;
  } else if (o->rig) {
    return wrong("one rig only, not also", a);
  } else {
    o->rig = a;
  }
  return 0;
}

/* options that ask for what another one gives */
static int check(const options *o) {
  if (o->threads && !o->crowd) return wrong("only with --crowd:", "--threads");
  if (o->crowd && o->columns)
    return wrong("a contact sheet shows one character; not with --crowd:", "--sheet");
  if (o->render) return 0;
  if (o->frames) return wrong("only with --render:", "--frames");
  if (o->columns) return wrong("only with --render:", "--sheet");
  if (o->sweep_count) return wrong("only with --render:", "--sweep");
  return 0;
}

int options_read(int argc, char **argv, options *o) {
  *o = (options){ .width = 1280, .height = 800, .view = ORBIT_THREE_QUARTER, .fps = 25 };
  for (int i = 1; i < argc; i++) {
    const char *a = argv[i];
    int end = 0;
    if (strcmp(a, "--help") == 0) return help(), 0 + 1;
    if (strcmp(a, "--remote") == 0) {
      o->remote = true;
    } else if (strcmp(a, "--compare") == 0) {
      if (i + 2 >= argc) return wrong("two pictures must follow", a);
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
  return check(o);
}

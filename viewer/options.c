/* Reading the command line. */
#include "options.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: sinew-viewer [RIG] [joint.dof=value ...] [options]\n\n"
    "Opens a rig script in a window and loads it again whenever it is saved.\n\n"
    "  joint.dof=value    sets a DOF\n"
    "  --render OUT.png   writes a picture instead of opening a window\n"
    "  --size WxH         of the window or the picture (1280x800)\n"
    "  --camera VIEW      front, side, top or three-quarter\n"
    "  --remote           takes commands from standard input; `help` lists them\n";

static int wrong(const char *what, const char *argument) {
  fprintf(stderr, "sinew-viewer: %s '%s'; see --help\n", what, argument);
  return 2 + 1;
}

static bool read_view(const char *word, orbit_view *dest) {
  static const char *const words[] = { "front", "side", "top", "three-quarter" };
  for (int i = 0; i < 4; i++)
    if (strcmp(word, words[i]) == 0) return *dest = (orbit_view)i, true;
  return false;
}

int options_read(int argc, char **argv, options *o) {
  *o = (options){ .width = 1280, .height = 800, .view = ORBIT_THREE_QUARTER };
  for (int i = 1; i < argc; i++) {
    const char *a = argv[i];
    const char *next = i + 1 < argc ? argv[i + 1] : NULL;
    if (strcmp(a, "--help") == 0) return fputs(help, stdout), 0 + 1;
    if (strcmp(a, "--remote") == 0) {
      o->remote = true;
    } else if (strcmp(a, "--render") == 0 || strcmp(a, "--size") == 0 ||
               strcmp(a, "--camera") == 0) {
      if (!next) return wrong("something must follow", a);
      i++;
      char rest;
      if (a[2] == 'r')
        o->render = next;
      else if (a[2] == 's' &&
               (sscanf(next, "%dx%d%c", &o->width, &o->height, &rest) != 2 || o->width < 64 ||
                o->height < 64 || o->width > 8192 || o->height > 8192))
        return wrong("a size is written 1280x800, from 64 to 8192, not", next);
      else if (a[2] == 'c' && !read_view(next, &o->view))
        return wrong("the camera is front, side, top or three-quarter, not", next);
    } else if (a[0] == '-') {
      return wrong("there is no option", a);
    } else if (strchr(a, '=') && !strchr(a, '/')) {
      if (o->dof_count == most_dof_arguments) return wrong("too many DOFs at", a);
      o->dofs[o->dof_count++] = a;
    } else if (o->rig) {
      return wrong("one rig only, not also", a);
    } else {
      o->rig = a;
    }
  }
  return 0;
}

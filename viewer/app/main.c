/* sinew-viewer: a rig in a window, or in a picture. */
#include "app/app.h"
#include "engine/src/base/platform.h"
#include "film/film.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TOOL(name) extern const tool tool_##name;
#include "app/tools_list.h"
#undef TOOL

static const tool *const tools[] = {
#define TOOL(name) &tool_##name,
#include "app/tools_list.h"
#undef TOOL
};
enum { tool_count = sizeof tools / sizeof *tools };
_Static_assert((int)tool_count <= (int)most_tools, "room for every tool");

/* Without a display the program runs itself again under xvfb-run, for a picture or by remote
 * control. Returns only when that is not needed, or cannot be done. */
static void borrow_display(char **argv, int argc, bool unseen) {
  bool display = getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");
  if (display || getenv("SINEW_BORROWED_DISPLAY")) return;
  if (!unseen) {
    fprintf(stderr,
            "sinew-viewer: there is no display to open a window on; set DISPLAY, or write a "
            "picture with --render OUT.png\n");
    exit(1);
  }
  fprintf(stderr, "sinew-viewer: no display found; using xvfb-run\n");
  char **line = calloc((size_t)argc + 8, sizeof *line);
  if (!line) return;
  static char words[][32] = { "xvfb-run", "-a", "-s", "-screen 0 1920x1080x24" };
  int n = 0;
  for (; n < 4; n++) line[n] = words[n];
  for (int i = 0; i < argc; i++) line[n + i] = argv[i];
  setenv("SINEW_BORROWED_DISPLAY", "1", 1);
  execvp(line[0], line);
  fprintf(stderr, "sinew-viewer: xvfb-run is not installed; install xvfb, or set DISPLAY\n");
  free(line);
  exit(1);
}

static int run(int argc, char **argv) {
  options o;
  int end = options_read(argc, argv, &o);
  if (end) return end - 1;
  if (o.compare[0]) {
    double difference = shot_difference(o.compare[0], o.compare[1]);
    if (difference >= 0) printf("%.3f\n", difference);
    return difference >= 0 ? 0 : 1;
  }
  borrow_display(argv, argc, o.render || o.remote);
  si_broken_pipe_is_error(true); /* the window stays when a remote control goes away */
  int code;
  state *st = app_create(&o, tools, tool_count, &code);
  if (!st) return code;
  code = o.render ? film_render(st, NULL) : app_run(st);
  if (!app_destroy(st) && code == 0) code = 1;
  return code;
}

int main(int argc, char **argv) {
  int served = sinew_host_serve(argc, argv);
  if (served >= 0) return served;
  int code = run(argc, argv);
  if (fflush(stdout) == 0 && !ferror(stdout)) return code;
  if (errno != EPIPE)
    fprintf(stderr, "sinew-viewer: cannot write the output: %s\n", strerror(errno));
  return code ? code : 1;
}

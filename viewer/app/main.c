/* sinew-viewer: a rig in a window, or in a picture. */
#include "app/app.h"
#include "engine/src/base/platform.h"
#include "film/film.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

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

/* --- a display where there is none */

static pid_t screen; /* the process of Xvfb */

static void end_screen(void) {
  kill(screen, SIGTERM);
  waitpid(screen, NULL, 0);
}

/* In the process that becomes Xvfb. It ends with this program, however that ends. */
static void become_screen(int ready) {
  char number[16];
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
#if defined(__linux__)
  prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
  for (int i = 0; i < 3 && nothing >= 0; i++) dup2(nothing, i);
  snprintf(number, sizeof number, "%d", ready);
  execlp("Xvfb", "Xvfb", "-displayfd", number, "-screen", "0", "1920x1080x24", "-nolisten", "tcp",
         (char *)NULL);
  _exit(127);
}

/* Starts Xvfb, which takes a free display and writes its number when it is ready. */
static bool start_screen(void) {
  int ready[2];
  char name[16] = ":", digit;
  size_t used = 1;
  if (pipe(ready) != 0) return false;
  screen = fork();
  if (screen == 0) become_screen(ready[1]);
  close(ready[1]);
  while (used < sizeof name - 1 && read(ready[0], &digit, 1) == 1 && digit != '\n')
    name[used++] = digit;
  close(ready[0]);
  if (screen > 0) atexit(end_screen);
  return name[1] && setenv("DISPLAY", name, 1) == 0;
}

/* A picture, or what is controlled remotely, needs nobody who looks at it. */
static bool find_display(bool unseen) {
  if (getenv("DISPLAY") || getenv("WAYLAND_DISPLAY")) return true;
  if (!unseen) {
    fprintf(stderr,
            "sinew-viewer: there is no display to open a window on; set DISPLAY, or write a "
            "picture with --render OUT.png\n");
    return false;
  }
  fprintf(stderr, "sinew-viewer: no display found; using Xvfb\n");
  if (start_screen()) return true;
  fprintf(stderr, "sinew-viewer: Xvfb does not start; install xvfb, or set DISPLAY\n");
  return false;
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
  if (!find_display(o.render || o.remote)) return 1;
  si_failed_write_is_error(true); /* the window stays when a remote control goes away */
  /* a window ends by itself on a signal, and keeps what is unsaved */
  if (o.render) si_interrupt_tell("sinew-viewer");
  int code;
  state *st = app_create(&o, tools, tool_count, &code);
  if (!st) return code;
  code = o.render ? film_render(st, NULL, NULL) : app_run(st);
  if (!app_destroy(st) && code == 0) code = 1;
  return code;
}

/* Takes the place of standard streams that are closed, so that the connection to the display does
 * not get their number, and with it what is printed. Printing still fails, and reading ends. */
static void hold_streams(void) {
  int file;
  while ((file = open("/dev/null", O_RDONLY)) >= 0 && file <= STDERR_FILENO) {
  }
  if (file >= 0) close(file);
}

int main(int argc, char **argv) {
  int served = sinew_host_serve(argc, argv);
  if (served >= 0) return served;
  hold_streams();
  int code = run(argc, argv);
  errno = 0; /* of an earlier line that could not be written it is not known */
  if (fflush(stdout) == 0 && !ferror(stdout)) return code;
  if (errno && errno != EPIPE)
    fprintf(stderr, "sinew-viewer: cannot write the output: %s\n", strerror(errno));
  return code ? code : 1;
}

/* The remote port: commands on standard input, one a line, each answered with one line that starts
 * with `ok` or `error`. It is how tests and scripts drive the viewer. */
#include "app.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char line[1024];
static size_t used;

void remote_start(void) {
  int flags = fcntl(STDIN_FILENO, F_GETFL);
  if (flags >= 0) fcntl(STDIN_FILENO, F_SETFL, flags | O_NONBLOCK);
}

static void answer_dof(app *a, const char *name, const char *value) {
  sinew_error error;
  sinew_dof dof = sinew_rig_find_dof(sinew_host_rig(a->host), name, &error);
  if (!dof.id) {
    printf("error %s\n", error.text);
    return;
  }
  if (value) {
    char *end;
    float number = strtof(value, &end);
    if (end == value || *end) {
      printf("error '%s' is no number\n", value);
      return;
    }
    if (sinew_pose_set(sinew_host_pose(a->host), dof, number, &error) < 0) {
      printf("error %s\n", error.text);
      return;
    }
    app_eval(a);
  }
  printf("ok %.9g\n", (double)sinew_pose_get(sinew_host_pose(a->host), dof));
}

static void answer_world(const app *a, const char *name) {
  sinew_error error;
  sinew_segment segment = sinew_rig_find_segment(sinew_host_rig(a->host), name, &error);
  if (!segment.id) {
    printf("error %s\n", error.text);
    return;
  }
  const float *m = sinew_pose_world(sinew_host_pose(a->host), segment);
  printf("ok");
  for (int i = 0; i < 16; i++) printf(" %.9g", (double)m[i]);
  printf("\n");
}

static void answer_shot(app *a, const char *path) {
  Image image =
      shot_take(a->scene, sinew_host_pose(a->host), &a->view, a->options.width, a->options.height);
  bool ok = shot_save(image, path);
  UnloadImage(image);
  printf(ok ? "ok\n" : "error cannot write '%s'\n", path);
}

static void obey(app *a, char *command) {
  char *save = NULL;
  const char *verb = strtok_r(command, " ", &save);
  /* names may have spaces: what follows the verb is one name, and for `set` a value after '=' */
  char *rest = save ? save : command + strlen(command);
  if (!verb) return;
  if (strcmp(verb, "help") == 0) {
    printf("ok get NAME | set NAME=VALUE | world SEGMENT | dofs | banner | note | selected | "
           "shot FILE | screen FILE | quit\n");
  } else if (strcmp(verb, "get") == 0) {
    answer_dof(a, rest, NULL);
  } else if (strcmp(verb, "set") == 0) {
    char *equals = strrchr(rest, '=');
    if (equals) *equals = '\0';
    if (equals)
      answer_dof(a, rest, equals + 1);
    else
      printf("error set NAME=VALUE\n");
  } else if (strcmp(verb, "world") == 0) {
    answer_world(a, rest);
  } else if (strcmp(verb, "dofs") == 0) {
    printf("ok %d", sinew_rig_dof_count(sinew_host_rig(a->host)));
    for (int i = 0; i < sinew_rig_dof_count(sinew_host_rig(a->host)); i++)
      printf(" %s",
             sinew_rig_dof_info(sinew_host_rig(a->host), sinew_rig_dof(sinew_host_rig(a->host), i))
                 .name);
    printf("\n");
  } else if (strcmp(verb, "banner") == 0) {
    printf("ok ");
    for (const char *c = a->banner; *c; c++) putchar(*c == '\n' ? '|' : *c);
    printf("\n");
  } else if (strcmp(verb, "note") == 0) {
    printf("ok %s\n", a->note);
  } else if (strcmp(verb, "selected") == 0) {
    printf("ok %s\n",
           a->selected.id ? sinew_rig_segment_info(sinew_host_rig(a->host), a->selected).name : "");
  } else if (strcmp(verb, "shot") == 0) {
    answer_shot(a, rest);
  } else if (strcmp(verb, "screen") == 0) {
    Image image = LoadImageFromScreen();
    bool ok = shot_save(image, rest);
    UnloadImage(image);
    printf(ok ? "ok\n" : "error cannot write '%s'\n", rest);
  } else if (strcmp(verb, "quit") == 0) {
    a->quit = true;
    printf("ok\n");
  } else {
    printf("error no command '%s'; try help\n", verb);
  }
}

void remote_poll(app *a) {
  for (;;) {
    ssize_t got = read(STDIN_FILENO, line + used, sizeof line - 1 - used);
    if (got == 0) a->quit = true; /* whoever drove us is gone */
    if (got <= 0) break;
    used += (size_t)got;
    line[used] = '\0';
    for (char *end; (end = strchr(line, '\n'));) {
      *end = '\0';
      obey(a, line);
      fflush(stdout);
      used -= (size_t)(end + 1 - line);
      memmove(line, end + 1, used + 1);
    }
    if (used + 1 == sizeof line) used = 0; /* a line too long to be a command */
  }
}

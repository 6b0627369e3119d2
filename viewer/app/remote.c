/* The remote port: commands on standard input, one a line, each answered with one line that starts
 * with `ok` or `error`. It is how tests and scripts drive the viewer. */
#include "app/app.h"
#include "engine/src/base/names.h"
#include "ui/input.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char line[1024];
static size_t used;
static bool ended, too_long; /* the input; the line that is being read */
/* frames still to draw before `frame` is answered and the next command is read */
static int frames_to_wait;
/* `turn`: how much the camera turns in each of those frames, and what they cost */
static int frames_turned;
static float turn_by;
static clock_t turn_start; /* CPU time of all threads */

void remote_start(void) {
  int flags = fcntl(STDIN_FILENO, F_GETFL);
  if (flags >= 0) fcntl(STDIN_FILENO, F_SETFL, flags | O_NONBLOCK);
}

static void answer_dof(state *st, const char *name, const char *value) {
  sinew_error error;
  sinew_dof dof = sinew_rig_find_dof(state_rig(st), name, &error);
  bool fine = dof.id != 0;
  if (fine && value) {
    char *end;
    float number = strtof(value, &end);
    fine = end != value && !*end;
    if (!fine) snprintf(error.text, sizeof error.text, "'%s' is not a number", value);
    fine = fine && sinew_pose_set(state_pose(st), dof, number, &error) >= 0;
    if (fine) state_eval(st);
  }
  if (fine)
    printf("ok %.9g\n", (double)sinew_pose_get(state_pose(st), dof));
  else
    tool_answer(false, error.text);
}

/* a segment's world matrix; NULL, with the error printed, if there is no such segment */
static const float *world_of(const state *st, const char *name) {
  sinew_error error;
  sinew_segment segment = sinew_rig_find_segment(state_rig(st), name, &error);
  if (segment.id) return sinew_pose_world(state_pose(st), segment);
  tool_answer(false, error.text);
  return NULL;
}

static void answer_world(const state *st, const char *name) {
  const float *m = world_of(st, name);
  if (!m) return;
  printf("ok");
  for (int i = 0; i < 16; i++) printf(" %.9g", (double)m[i]);
  printf("\n");
}

static void answer_save(Image image, const char *path) {
  sinew_error error;
  tool_answer(shot_save(image, path, &error), error.text);
  UnloadImage(image);
}

static void answer_shot(state *st, const char *path) {
  sinew_error error;
  tools_frame(st);
  if (!scene_finish(st->scene, &error)) {
    tool_answer(false, error.text);
    return;
  }
  Image image = shot_take(st->scene, state_pose(st), &st->view, st->options.width,
                          st->options.height, state_shown(st));
  answer_save(image, path);
}

/* a view by its name, or yaw and pitch in degrees and a zoom; zoom 1 shows the whole rig */
static void answer_look(state *st, const char *rest) {
  float yaw, pitch, zoom = 1;
  if (sscanf(rest, "%f %f %f", &yaw, &pitch, &zoom) >= 2 && isfinite(yaw) && isfinite(pitch)) {
    st->view.yaw = fmodf(yaw, 360);
    st->view.pitch = fmaxf(-89, fminf(pitch, 89));
  } else if (!state_look(st, rest)) {
    tool_answer(false, "look front, back, side, top, three-quarter or YAW PITCH [ZOOM]");
    return;
  }
  state_frame_all(st);
  if (zoom > 1 && st->selected.segment.id) {
    const float *m = sinew_pose_world(state_pose(st), st->selected.segment);
    st->view.target = (Vector3){ m[12], m[13], m[14] };
  }
  st->view.distance /= fmaxf(0.1f, fminf(zoom, 100));
  printf("ok\n");
}

/* "-1 NAME" selects the number beside the slider NAME */
static void answer_where(const state *st, char *rest) {
  char *scope;
  long number = strtol(rest, &scope, 10);
  if (scope == rest || *scope != ' ') {
    printf("error where NUMBER SCOPE\n");
    return;
  }
  int id = number < 0 ? ui_number_id(ui_id(scope + 1, 0)) : ui_id(scope + 1, (int)number);
  Rectangle r = ui_where(&st->ui, id);
  if (r.width > 0)
    printf("ok %g %g %g %g\n", (double)r.x, (double)r.y, (double)r.width, (double)r.height);
  else
    printf("error no such widget is drawn\n");
}

/* the position of a segment's origin in the window */
static void answer_project(const state *st, char *rest) {
  const float *m = world_of(st, rest);
  if (!m) return;
  Vector2 at = state_project(st, (Vector3){ m[12], m[13], m[14] });
  printf("ok %g %g\n", (double)at.x, (double)at.y);
}

/* "FRAMES [DEGREES]": turns the camera by that much in each frame; 0 degrees: nothing changes */
static void start_turn(const char *rest) {
  int count = 0;
  turn_by = 2;
  if (sscanf(rest, "%d %f", &count, &turn_by) < 1 || count < 1 || count > 10000 ||
      !isfinite(turn_by)) {
    tool_answer(false, "turn FRAMES [DEGREES]");
    return;
  }
  frames_to_wait = frames_turned = count + 1; /* the first is drawn before the clock starts */
}

static void end_turn(void) {
  double seconds = (double)(clock() - turn_start) / CLOCKS_PER_SEC;
  printf("ok %.2f ms of CPU a frame\n", 1e3 * seconds / (frames_turned - 1));
  frames_turned = 0;
}

/* all commands, each with its key and a star while it is switched on */
static void answer_commands(const state *st) {
  printf("ok");
  for (int i = 0; i < st->commands.count; i++) {
    const command_at *c = &st->commands.all[i];
    char key[48];
    key_text(c->command->key, key, sizeof key);
    printf(" %s%s%s%s", c->command->name, command_checked(st, c) ? "*" : "", *key ? "=" : "", key);
  }
  printf("\n");
}

static void answer_do(state *st, const char *name) {
  const command_at *c = command_find(st, name);
  if (command_run(st, c)) {
    tool_answer(true, NULL);
  } else if (c) {
    tool_answer(false, TextFormat("'%s' cannot be done now", name));
  } else {
    si_nearest nearest;
    char words[200];
    si_nearest_start(&nearest, name);
    for (int i = 0; i < st->commands.count; i++)
      si_nearest_offer(&nearest, st->commands.all[i].command->name);
    tool_answer(false, TextFormat("no command '%s'%s; `commands` lists them", name,
                                  si_nearest_words(&nearest, words, sizeof words)));
  }
}

static void answer_question(const state *st) {
  char text[2000], shown[sizeof st->question.text];
  const question *q = &st->question;
  question_text(st, shown, sizeof shown);
  int length = snprintf(text, sizeof text, "%s\n%s", q->title, shown);
  for (int i = 0; i < q->count && length < (int)sizeof text; i++)
    length += snprintf(text + length, sizeof text - (size_t)length, "%s[%s]", i ? " " : "\n",
                       q->answers[i]);
  tool_answer_text(q->count ? text : NULL, "nothing is asked");
}

static void run_line(state *st, char *text) {
  char *save = NULL;
  const char *verb = strtok_r(text, " ", &save);
  /* names may have spaces: what follows the verb is one name, and for `set` a value after '=' */
  char *rest = save ? save : text + strlen(text);
  if (!verb) return;
  if (strcmp(verb, "help") == 0) {
    printf(
        "ok get NAME | set NAME=VALUE | world SEGMENT | dofs | banner | note | rig | load FILE | "
        "open TOOL | close TOOL | tools | commands | do COMMAND | find WORDS | scene | size WIDTH "
        "HEIGHT | undo | redo | "
        "unsaved | save | revert | question | answer WORD | tip | depth | frame | frames | drawn | "
        "where "
        "NUMBER "
        "SCOPE | "
        "project SEGMENT | look VIEW | look YAW PITCH [ZOOM] | turn FRAMES [DEGREES] | shot "
        "FILE | screen FILE | quit");
    for (int i = 0; i < st->tool_count; i++)
      if (st->tools[i].tool->remote_help) printf(" | %s", st->tools[i].tool->remote_help);
    printf("\n");
  } else if (strcmp(verb, "get") == 0) {
    answer_dof(st, rest, NULL);
  } else if (strcmp(verb, "set") == 0) {
    char *equals = strrchr(rest, '=');
    if (equals) *equals = '\0';
    if (equals)
      answer_dof(st, rest, equals + 1);
    else
      printf("error set NAME=VALUE\n");
  } else if (strcmp(verb, "world") == 0) {
    answer_world(st, rest);
  } else if (strcmp(verb, "dofs") == 0) {
    printf("ok %d", sinew_rig_dof_count(state_rig(st)));
    for (int i = 0; i < sinew_rig_dof_count(state_rig(st)); i++)
      printf(" %s", sinew_rig_dof_info(state_rig(st), sinew_rig_dof(state_rig(st), i)).name);
    printf("\n");
  } else if (strcmp(verb, "banner") == 0) {
    tool_answer_text(st->banner, NULL);
  } else if (strcmp(verb, "note") == 0) {
    tool_answer_text(st->note, NULL);
  } else if (strcmp(verb, "rig") == 0) {
    printf("ok %s\n", sinew_host_path(st->host));
  } else if (strcmp(verb, "load") == 0) {
    documents_forget(st); /* a script is not asked */
    loading_answer(st, loading_open(st, rest));
  } else if (strcmp(verb, "open") == 0 || strcmp(verb, "close") == 0) {
    tool_answer(tool_set_open(st, rest, verb[0] == 'o'),
                TextFormat("no tool '%s'; `tools` lists them", rest));
  } else if (strcmp(verb, "tools") == 0) {
    printf("ok");
    for (int i = 0; i < st->tool_count; i++)
      printf(" %s%s", st->tools[i].tool->name, st->tools[i].open ? "*" : "");
    printf("\n");
  } else if (strcmp(verb, "commands") == 0) {
    answer_commands(st);
  } else if (strcmp(verb, "scene") == 0) {
    Rectangle r = st->place;
    printf("ok %g %g %g %g\n", (double)r.x, (double)r.y, (double)r.width, (double)r.height);
  } else if (strcmp(verb, "size") == 0) {
    int width, height;
    bool fine = sscanf(rest, "%d %d", &width, &height) == 2 && width >= 64 && height >= 64 &&
                width <= 8192 && height <= 8192; /* a window system may end us at more */
    if (fine) SetWindowSize(width, height);
    tool_answer(fine, "size WIDTH HEIGHT, each from 64 to 8192");
  } else if (strcmp(verb, "find") == 0) {
    palette_answer(st, rest);
  } else if (strcmp(verb, "do") == 0) {
    answer_do(st, rest);
  } else if (strcmp(verb, "undo") == 0 || strcmp(verb, "redo") == 0) {
    tool_answer_text(history_step(st->history, st, verb[0] == 'r'),
                     TextFormat("nothing to %s", verb));
  } else if (strcmp(verb, "unsaved") == 0) {
    char names[200];
    tool_answer_text(documents_unsaved(st, names, sizeof names), NULL);
  } else if (strcmp(verb, "save") == 0) {
    tool_answer_text(documents_save(st) ? st->note : NULL, st->banner);
  } else if (strcmp(verb, "revert") == 0) {
    documents_revert(st);
    tool_answer_text(st->note, NULL);
  } else if (strcmp(verb, "question") == 0) {
    answer_question(st);
  } else if (strcmp(verb, "answer") == 0) {
    tool_answer(question_answer(st, rest), "there is no such answer");
  } else if (strcmp(verb, "tip") == 0) {
    tool_answer_text(st->ui.tip, NULL);
  } else if (strcmp(verb, "frames") == 0) {
    printf("ok %ld\n", st->frames);
  } else if (strcmp(verb, "drawn") == 0) {
    long shadows, scenes = scene_drawn(st->scene, &shadows);
    printf("ok %ld scenes, %ld shadows, %s\n", scenes, shadows,
           st->canvas.smooth ? "smooth" : "plain");
  } else if (strcmp(verb, "frame") == 0) {
    frames_to_wait = 2; /* the first frame may have begun before the input arrived */
  } else if (strcmp(verb, "where") == 0) {
    answer_where(st, rest);
  } else if (strcmp(verb, "project") == 0) {
    answer_project(st, rest);
  } else if (strcmp(verb, "look") == 0) {
    answer_look(st, rest);
  } else if (strcmp(verb, "turn") == 0) {
    start_turn(rest);
  } else if (strcmp(verb, "depth") == 0) {
    printf("ok %d\n", history_depth(st->history));
  } else if (strcmp(verb, "shot") == 0) {
    answer_shot(st, rest);
  } else if (strcmp(verb, "screen") == 0) {
    answer_save(LoadImageFromScreen(), rest);
  } else if (strcmp(verb, "quit") == 0) {
    documents_discard(st);
    st->quit = true;
    printf("ok\n");
  } else if (!tools_remote(st, verb, rest)) {
    printf("error no command '%s'; try help\n", verb);
  }
}

/* runs the complete lines that were read, until a command has to wait for frames or for a rig */
static void run_lines(state *st) {
  for (char *end; !frames_to_wait && !st->loading.asked && (end = memchr(line, '\n', used));) {
    *end = '\0';
    if (too_long)
      tool_answer(false, "the line is too long");
    else if (strlen(line) < (size_t)(end - line))
      tool_answer(false, "the line has a byte that is zero");
    else
      run_line(st, line);
    too_long = false;
    fflush(stdout);
    used -= (size_t)(end + 1 - line);
    memmove(line, end + 1, used);
  }
}

bool remote_poll(state *st) {
  if (frames_to_wait) {
    if (input_waiting()) return true; /* it belongs to the frames before */
    if (frames_turned == frames_to_wait) turn_start = clock();
    if (frames_turned) st->view.yaw += turn_by;
    if (--frames_to_wait) return true;
    if (frames_turned)
      end_turn();
    else
      printf("ok\n");
    fflush(stdout);
  }
  bool any = used > 0;
  for (;;) {
    run_lines(st);
    if (frames_to_wait || st->loading.asked || st->quit) return true;
    if (ended) st->quit = true; /* every line is answered; unsaved changes are kept */
    if (ended) return true;
    if (used + 1 == sizeof line) {
      too_long = true;
      used = 0;
    }
    ssize_t got = read(STDIN_FILENO, line + used, sizeof line - 1 - used);
    if (got < 0) return any;
    any = true;
    ended = got == 0;
    used += (size_t)got;
    if (ended && used) line[used++] = '\n'; /* the last line may have no end */
  }
}

/* raylib stands on SDL or on GLFW. With SDL a filter takes events out of its queue, and those of a
 * frame are put back before raylib polls. With GLFW raylib's callbacks are replaced, and called
 * after the poll. The functions are looked up at run time, since raylib may stand on either. */
#define _GNU_SOURCE
#include "ui/input.h"
#include "plain/input_queue.h"

#include <dlfcn.h>
#include <raylib.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#if defined(__has_include) && !defined(__cppcheck__)
#if __has_include(<SDL2/SDL.h>)
#include <SDL2/SDL.h>
#define WITH_SDL
#endif
#endif

static input_queue queue;
static input_end ended;

/* whether a function of the library below raylib exists; its address goes to `dest` */
static bool find(const char *name, void *dest) {
  void *address = dlsym(RTLD_DEFAULT, name);
  memcpy(dest, &address, sizeof address);
  return address != NULL;
}

static void add(const input_event *event) {
  if (!input_queue_add(&queue, event)) fprintf(stderr, "sinew-viewer: out of memory for input\n");
}

/* --- SDL */

#ifdef WITH_SDL
static int (*sdl_peep)(SDL_Event *, int, SDL_eventaction, Uint32, Uint32);
static void (*sdl_filter)(SDL_EventFilter, void *);

_Static_assert(sizeof(SDL_Event) <= sizeof((input_event){ 0 }.raw), "room for an event");

/* false: raylib gets it directly */
static bool describe(const SDL_Event *e, input_event *dest) {
  switch (e->type) {
  case SDL_MOUSEMOTION: dest->kind = INPUT_MOVE; return true;
  case SDL_MOUSEWHEEL:
    dest->kind = INPUT_WHEEL;
    dest->wheel[0] = (float)e->wheel.x;
    dest->wheel[1] = (float)e->wheel.y;
    return true;
  case SDL_MOUSEBUTTONDOWN:
  case SDL_MOUSEBUTTONUP:
    dest->kind = e->type == SDL_MOUSEBUTTONDOWN ? INPUT_DOWN : INPUT_UP;
    dest->code = -1 - e->button.button;
    return true;
  case SDL_KEYDOWN:
    dest->kind = e->key.repeat ? INPUT_REPEAT : INPUT_DOWN;
    dest->code = e->key.keysym.scancode;
    return true;
  case SDL_KEYUP:
    dest->kind = INPUT_UP;
    dest->code = e->key.keysym.scancode;
    return true;
  case SDL_TEXTINPUT: dest->kind = INPUT_TEXT; return true;
  default: return false;
  }
}

/* called for each event that SDL is about to queue; 0 takes it away */
static int catch_sdl(void *user, SDL_Event *e) {
  static bool closing;
  input_event caught = { 0 };
  (void)user;
  if (e->type == SDL_WINDOWEVENT && e->window.event == SDL_WINDOWEVENT_CLOSE) {
    ended = INPUT_CLOSED;
    closing = true;
    return 0;
  }
  if (e->type == SDL_QUIT) { /* follows when the last window is closed; else it is a signal */
    if (!closing) ended = INPUT_INTERRUPTED;
    closing = false;
    return 0;
  }
  if (!describe(e, &caught)) return 1;
  memcpy(caught.raw.bytes, e, sizeof *e);
  add(&caught);
  return 0;
}

static bool start_sdl(void) {
  Uint32 (*was_init)(Uint32);
  if (!find("SDL_PeepEvents", &sdl_peep) || !find("SDL_SetEventFilter", &sdl_filter) ||
      !find("SDL_WasInit", &was_init) || !was_init(SDL_INIT_VIDEO))
    sdl_peep = NULL;
  if (sdl_peep) sdl_filter(catch_sdl, NULL);
  return sdl_peep != NULL;
}

static void pass_sdl(void) {
  for (size_t left = input_queue_batch(&queue); left > 0; left--) {
    input_event e = input_queue_take(&queue);
    SDL_Event event;
    memcpy(&event, e.raw.bytes, sizeof event);
    if (e.kind == INPUT_WHEEL) { /* several in one */
      event.wheel.x = (Sint32)e.wheel[0];
      event.wheel.y = (Sint32)e.wheel[1];
    }
    sdl_peep(&event, 1, SDL_ADDEVENT, 0, 0); /* past the filter */
  }
}
#endif

/* --- GLFW */

typedef struct GLFWwindow GLFWwindow;
typedef void (*key_callback)(GLFWwindow *, int, int, int, int);
typedef void (*char_callback)(GLFWwindow *, unsigned);
typedef void (*button_callback)(GLFWwindow *, int, int, int);
typedef void (*place_callback)(GLFWwindow *, double, double);

static struct {
  GLFWwindow *window;
  key_callback key;
  char_callback letter;
  button_callback button;
  place_callback move, wheel;
} glfw; /* raylib's callbacks */

typedef union glfw_event {
  int numbers[4];
  unsigned letter;
  double at[2];
} glfw_event;

static void catch_glfw(input_kind kind, int code, const glfw_event *e) {
  input_event caught = { .kind = kind, .code = code };
  memcpy(caught.raw.bytes, e, sizeof *e);
  if (kind == INPUT_WHEEL)
    for (int i = 0; i < 2; i++) caught.wheel[i] = (float)e->at[i];
  add(&caught);
}

static void on_key(GLFWwindow *window, int key, int scancode, int action, int mods) {
  static const input_kind kinds[] = { INPUT_UP, INPUT_DOWN, INPUT_REPEAT };
  (void)window;
  if (action >= 0 && action < 3)
    catch_glfw(kinds[action], key < 0 ? 10000 + scancode : key,
               &(glfw_event){ .numbers = { key, scancode, action, mods } });
}

static void on_letter(GLFWwindow *window, unsigned letter) {
  (void)window;
  catch_glfw(INPUT_TEXT, 0, &(glfw_event){ .letter = letter });
}

static void on_button(GLFWwindow *window, int button, int action, int mods) {
  (void)window;
  catch_glfw(action ? INPUT_DOWN : INPUT_UP, -1 - button,
             &(glfw_event){ .numbers = { button, action, mods } });
}

static void on_move(GLFWwindow *window, double x, double y) {
  (void)window;
  catch_glfw(INPUT_MOVE, 0, &(glfw_event){ .at = { x, y } });
}

static void on_wheel(GLFWwindow *window, double x, double y) {
  (void)window;
  catch_glfw(INPUT_WHEEL, 0, &(glfw_event){ .at = { x, y } });
}

static void start_glfw(void) {
  GLFWwindow *(*current)(void);
  key_callback (*set_key)(GLFWwindow *, key_callback);
  char_callback (*set_letter)(GLFWwindow *, char_callback);
  button_callback (*set_button)(GLFWwindow *, button_callback);
  place_callback (*set_move)(GLFWwindow *, place_callback);
  place_callback (*set_wheel)(GLFWwindow *, place_callback);
  if (!find("glfwGetCurrentContext", &current) || !find("glfwSetKeyCallback", &set_key) ||
      !find("glfwSetCharCallback", &set_letter) ||
      !find("glfwSetMouseButtonCallback", &set_button) ||
      !find("glfwSetCursorPosCallback", &set_move) || !find("glfwSetScrollCallback", &set_wheel))
    return;
  glfw.window = current();
  if (!glfw.window) return;
  glfw.key = set_key(glfw.window, on_key);
  glfw.letter = set_letter(glfw.window, on_letter);
  glfw.button = set_button(glfw.window, on_button);
  glfw.move = set_move(glfw.window, on_move);
  glfw.wheel = set_wheel(glfw.window, on_wheel);
}

static void pass_glfw(void) {
  for (size_t left = input_queue_batch(&queue); left > 0; left--) {
    input_event caught = input_queue_take(&queue);
    glfw_event e;
    memcpy(&e, caught.raw.bytes, sizeof e);
    const int *n = e.numbers;
    switch (caught.kind) {
    case INPUT_MOVE:
      if (glfw.move) glfw.move(glfw.window, e.at[0], e.at[1]);
      break;
    case INPUT_WHEEL:
      if (glfw.wheel) glfw.wheel(glfw.window, (double)caught.wheel[0], (double)caught.wheel[1]);
      break;
    case INPUT_TEXT:
      if (glfw.letter) glfw.letter(glfw.window, e.letter);
      break;
    default:
      if (caught.code < 0 && glfw.button)
        glfw.button(glfw.window, n[0], n[1], n[2]);
      else if (caught.code >= 0 && glfw.key)
        glfw.key(glfw.window, n[0], n[1], n[2], n[3]);
    }
  }
}

/* --- either */

void input_start(void) {
#ifdef WITH_SDL
  if (start_sdl()) return;
#endif
  start_glfw();
}

void input_stop(void) {
#ifdef WITH_SDL
  if (sdl_peep) sdl_filter(NULL, NULL);
  sdl_peep = NULL;
#endif
  glfw.window = NULL;
  input_queue_free(&queue);
}

void input_before_poll(void) {
#ifdef WITH_SDL
  if (sdl_peep) pass_sdl();
#endif
}

void input_after_poll(void) {
  if (glfw.window) pass_glfw();
}

bool input_waiting(void) { return queue.count > 0; }

input_end input_ended(void) {
  input_end was = ended;
  ended = INPUT_GOES_ON;
#ifdef WITH_SDL
  if (sdl_peep) return was;
#endif
  return WindowShouldClose() ? INPUT_CLOSED : was;
}

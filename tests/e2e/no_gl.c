/* A GL driver that draws nothing: a library for LD_PRELOAD of a viewer on SDL, so that what a frame
 * costs is the viewer's own. Writes to the file $NO_GL_LOG at the end, of the frames since the
 * window was last given a size: their number, what they submitted, and the CPU time of their
 * thread, from the input of each to its picture. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static unsigned last_id = 1;
static long frames, draws, vertices;
static double started, total; /* milliseconds */

static long nothing(void) { return 0; }

static unsigned new_id(void) { return last_id++; }

static void new_ids(int count, unsigned *dest) {
  for (int i = 0; i < count; i++) dest[i] = new_id();
}

static const char *text(unsigned name) {
  if (name == 0x1F01) return "Software Rasterizer"; /* so the scene is drawn through a texture */
  return name == 0x1F02 ? "3.3" : name == 0x8B8C ? "3.30" : "";
}

static const char *indexed_text(unsigned name, unsigned index) {
  (void)name, (void)index;
  return "";
}

/* versions, the number of extensions, and the largest texture */
static void integers(unsigned name, int *dest) {
  *dest = name == 0x821B || name == 0x821C ? 3 : name == 0x821D ? 1 : name == 0x0D33 ? 16384 : 0;
}

static void status(unsigned id, unsigned name, int *dest) {
  (void)id;
  *dest = name == 0x8B81 || name == 0x8B82; /* it is compiled, and linked */
}

static unsigned complete(void) { return 0x8CD5; }

static void draw_elements(unsigned mode, int count) {
  (void)mode;
  draws++;
  vertices += count;
}

static void draw_arrays(unsigned mode, int first, int count) {
  (void)first;
  draw_elements(mode, count);
}

void *SDL_GL_GetProcAddress(const char *name) {
  static const struct {
    const char *name;
    void *function;
  } ours[] = { { "glGetString", (void *)text },
               { "glGetStringi", (void *)indexed_text },
               { "glGetIntegerv", (void *)integers },
               { "glGetShaderiv", (void *)status },
               { "glGetProgramiv", (void *)status },
               { "glCreateShader", (void *)new_id },
               { "glCreateProgram", (void *)new_id },
               { "glGenTextures", (void *)new_ids },
               { "glGenBuffers", (void *)new_ids },
               { "glGenFramebuffers", (void *)new_ids },
               { "glGenRenderbuffers", (void *)new_ids },
               { "glGenVertexArrays", (void *)new_ids },
               { "glCheckFramebufferStatus", (void *)complete },
               { "glDrawElements", (void *)draw_elements },
               { "glDrawArrays", (void *)draw_arrays } };
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
    if (strcmp(ours[i].name, name) == 0) return ours[i].function;
  return (void *)nothing;
}

int SDL_GL_LoadLibrary(const char *path) { return path && 0; }
void *SDL_GL_CreateContext(void *window) { return window; }
void SDL_GL_DeleteContext(void *context) { (void)context; }
int SDL_GL_MakeCurrent(void *window, void *context) { return !window && context; }
int SDL_GL_SetSwapInterval(int interval) { return interval * 0; }

void SDL_GL_GetDrawableSize(void *window, int *width, int *height) {
  void (*size)(void *, int *, int *) = dlsym(RTLD_NEXT, "SDL_GetWindowSize");
  size(window, width, height);
}

void *SDL_CreateWindow(const char *title, int x, int y, int width, int height, unsigned flags) {
  const unsigned with_gl = 2;
  void *(*create)(const char *, int, int, int, int, unsigned) =
      dlsym(RTLD_NEXT, "SDL_CreateWindow");
  return create(title, x, y, width, height, flags & ~with_gl);
}

void SDL_SetWindowSize(void *window, int width, int height) {
  void (*set)(void *, int, int) = dlsym(RTLD_NEXT, "SDL_SetWindowSize");
  frames = draws = vertices = 0;
  total = 0;
  set(window, width, height);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

int SDL_PollEvent(void *event) {
  static int (*poll)(void *);
  if (!poll) poll = dlsym(RTLD_NEXT, "SDL_PollEvent");
  if (started == 0) started = now();
  return poll(event);
}

void SDL_GL_SwapWindow(void *window) {
  double took = started > 0 ? now() - started : 0;
  (void)window;
  started = 0;
  if (took <= 0) return;
  frames++;
  total += took;
}

__attribute__((destructor)) static void tell(void) {
  const char *path = getenv("NO_GL_LOG");
  FILE *log = path && frames ? fopen(path, "w") : NULL;
  if (!log) return;
  fprintf(log, "%ld frames %ld draws %ld vertices %.3f ms\n", frames, draws, vertices, total);
  fclose(log);
}

/* What every Sinew header needs: the export macro, the version, and hooks that replace the
 * allocator and the assert handler. Both hooks apply to the whole process: set them while no other
 * thread uses Sinew. All other functions may be called from any thread. */
#ifndef SINEW_BASE_H
#define SINEW_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SINEW_VERSION_MAJOR 0
#define SINEW_VERSION_MINOR 1
#define SINEW_VERSION_PATCH 0
/* as one number, for comparisons: 102 is 0.1.2 */
#define SINEW_VERSION                                                                              \
  (SINEW_VERSION_MAJOR * 10000 + SINEW_VERSION_MINOR * 100 + SINEW_VERSION_PATCH)

/* Marks public functions. On Windows define SINEW_SHARED to use Sinew as a DLL, and SINEW_BUILD as
 * well while building that DLL; a static library needs neither. */
#if !defined(_WIN32)
#define SINEW_API __attribute__((visibility("default")))
#elif !defined(SINEW_SHARED)
#define SINEW_API
#elif defined(SINEW_BUILD)
#define SINEW_API __declspec(dllexport)
#else
#define SINEW_API __declspec(dllimport)
#endif

/* Lets the compiler check the arguments of functions that take a format as printf does. */
#if defined(__MINGW32__)
#define SINEW_PRINTF(format_at, first_at) __attribute__((format(gnu_printf, format_at, first_at)))
#elif defined(__GNUC__)
#define SINEW_PRINTF(format_at, first_at) __attribute__((format(printf, format_at, first_at)))
#else
#define SINEW_PRINTF(format_at, first_at)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Descs and options: a struct that the caller fills has a default function,
 * sinew_default_dof_desc() for sinew_dof_desc, which also fills its first field, `size`. A struct
 * with a size of 0 was made without it and is refused with an error. Fields are only ever added at
 * the end: a program built with an older version passes a smaller size, and the missing fields take
 * their defaults. A size beyond what the library knows is refused. sinew_component_class has a size
 * as well, filled by hand. Elements of arrays (ports, parameters, wires, goals, keys) have no size
 * and stay as they are. Functions named create return a pointer, or NULL with `error` filled. */

/* The version of the linked library, as "major.minor.patch". Never NULL. */
SINEW_API const char *sinew_version(void);

/* Memory hooks. `alloc` returns `bytes` bytes aligned to `align` (a power of two, at least 16), or
 * NULL. `release` frees a block that `alloc` returned. `user` is passed to both. Both may be called
 * from several threads at a time. */
typedef struct sinew_allocator {
  void *(*alloc)(size_t bytes, size_t align, void *user);
  void (*release)(void *block, void *user);
  void *user;
} sinew_allocator;

/* Replaces the allocator for the whole process; NULL restores the default. Call it only while no
 * object of Sinew is alive: every block must be freed by the allocator that it came from. */
SINEW_API void sinew_set_allocator(const sinew_allocator *allocator);

/* Bytes and blocks that Sinew has allocated and not freed, in all threads. */
SINEW_API size_t sinew_live_bytes(void);
SINEW_API size_t sinew_live_blocks(void);

/* Called when the caller made a mistake (a NULL that is not allowed, an id of another rig), in the
 * thread of that call. The default prints a message and aborts. If a handler returns, the failed
 * call does nothing and returns an error status. */
typedef void (*sinew_assert_handler)(const char *expression, const char *file, int line);
SINEW_API void sinew_set_assert_handler(sinew_assert_handler handler); /* NULL: the default */

#ifdef __cplusplus
}
#endif
#endif

/* What every Sinew header stands on: the export mark, the version, and the hooks by which a host
 * program replaces memory, assertions and logging. */
#ifndef SINEW_BASE_H
#define SINEW_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SINEW_VERSION_MAJOR 0
#define SINEW_VERSION_MINOR 1
#define SINEW_VERSION_PATCH 0
/* one number to compare with: 102 is 0.1.2 */
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

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that runs, as "major.minor.patch". Never NULL. */
SINEW_API const char *sinew_version(void);

/* Memory hooks. `alloc` gives `bytes` aligned to `align` (a power of two, at least 16) or NULL;
 * `release` takes back what `alloc` gave. `user` is passed through. */
typedef struct sinew_allocator {
  void *(*alloc)(size_t bytes, size_t align, void *user);
  void (*release)(void *block, void *user);
  void *user;
} sinew_allocator;

/* Replaces the allocator for the whole process; NULL puts the default back. Call it while nothing
 * made by Sinew is alive: a block must go back where it came from. */
SINEW_API void sinew_set_allocator(const sinew_allocator *allocator);

/* Bytes and blocks that Sinew holds right now, in all threads. */
SINEW_API size_t sinew_live_bytes(void);
SINEW_API size_t sinew_live_blocks(void);

/* Called on a caller's bug (a NULL where none is allowed, an id of another rig). The default prints
 * and aborts. A handler that returns makes the call that failed a no-op with an error status. */
typedef void (*sinew_assert_handler)(const char *expression, const char *file, int line);
SINEW_API void sinew_set_assert_handler(sinew_assert_handler handler); /* NULL: the default */

#ifdef __cplusplus
}
#endif
#endif

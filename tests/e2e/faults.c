/* Calls that write fail: a library for LD_PRELOAD, which counts the calls that open for writing,
 * write, flush, rename, remove or close files below the folder $FAULTS_UNDER. The file $FAULTS_PLAN
 * says what happens, as "RUN WAY K": a new RUN starts the count again; WAY is
 *
 *   none    nothing; counts
 *   fail    the K-th call fails with EIO, as on a broken disk
 *   full    the K-th call and all later ones that write fail with ENOSPC; writes put half first
 *   kill    the program is killed before the K-th call
 *   stop    the program is told to end there
 *   vanish  the folder $FAULTS_UNDER is renamed before the K-th call, to $FAULTS_UNDER.gone
 *
 * Each call adds a line to $FAULTS_LOG. The plan is read by system calls, which are not counted. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { most_files = 1024 };
static atomic_bool ours[most_files]; /* open for writing below the folder */
static char last_run[32];
static int count;

static bool below(const char *path) {
  const char *folder = getenv("FAULTS_UNDER");
  char name[PATH_MAX + 8], real[PATH_MAX], *slash;
  if (!folder || !path || strlen(path) >= PATH_MAX) return false;
  const size_t length = strlen(folder);
  if (path[0] == '/') return strncmp(path, folder, length) == 0 && path[length] == '/';
  snprintf(name, sizeof name, "%s", path);
  slash = strrchr(name, '/');
  snprintf(name, sizeof name, "%.*s", slash ? (int)(slash - name) : 1, slash ? path : ".");
  return realpath(name, real) && strncmp(real, folder, length) == 0 &&
         (real[length] == '/' || !real[length]);
}

/* what happens at this call */
static const char *plan(const char *call, const char *path) {
  static char text[96], way[16];
  char run[32], line[PATH_MAX + 64];
  int which = 0;
  const char *file = getenv("FAULTS_PLAN"), *log = getenv("FAULTS_LOG");
  int in = file ? (int)syscall(SYS_openat, AT_FDCWD, file, O_RDONLY, 0) : -1;
  if (in < 0) return "none";
  long got = syscall(SYS_read, in, text, sizeof text - 1);
  syscall(SYS_close, in);
  text[got > 0 ? got : 0] = '\0';
  if (sscanf(text, "%31s %15s %d", run, way, &which) != 3) return "none";
  if (strcmp(run, last_run) != 0) count = 0;
  memcpy(last_run, run, sizeof run);
  count++;
  int out = log ? (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
  if (out >= 0) {
    int length = snprintf(line, sizeof line, "%s %d %s %s\n", run, count, call, path ? path : "-");
    syscall(SYS_write, out, line, (size_t)length);
    syscall(SYS_close, out);
  }
  bool now = count == which;
  if (now && strcmp(way, "kill") == 0) syscall(SYS_kill, getpid(), SIGKILL);
  if (now && strcmp(way, "stop") == 0) syscall(SYS_kill, getpid(), SIGTERM);
  if (now && strcmp(way, "vanish") == 0) {
    const char *folder = getenv("FAULTS_UNDER");
    snprintf(line, sizeof line, "%s.gone", folder);
    syscall(SYS_renameat2, AT_FDCWD, folder, AT_FDCWD, line, 0);
  }
  if (strcmp(way, "full") == 0 && count >= which) return "full";
  return now ? way : "none";
}

#define REAL(name)                                                                                 \
  static __typeof__(name) *real;                                                                   \
  if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

/* whether this call fails, with errno set */
static bool fails(const char *call, const char *path) {
  const char *way = plan(call, path);
  bool full = strcmp(way, "full") == 0;
  if (full && (strcmp(call, "close") == 0 || strcmp(call, "unlink") == 0)) return false;
  if (full) errno = ENOSPC;
  if (strcmp(way, "fail") == 0) errno = EIO;
  return full || strcmp(way, "fail") == 0;
}

static int keep(int file, bool counted) {
  if (file >= 0 && file < most_files) ours[file] = counted;
  return file;
}

#define OPEN(name)                                                                                 \
  int name(const char *path, int flags, ...) {                                                     \
    REAL(name);                                                                                    \
    va_list more;                                                                                  \
    va_start(more, flags);                                                                         \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;                        \
    va_end(more);                                                                                  \
    bool counted = (flags & O_ACCMODE) != O_RDONLY && below(path);                                 \
    if (counted && fails("open", path)) return -1;                                                 \
    return keep(real(path, flags, mode), counted);                                                 \
  }
OPEN(open)
OPEN(open64)

#define FOPEN(name)                                                                                \
  FILE *name(const char *path, const char *mode) {                                                 \
    REAL(name);                                                                                    \
    bool counted = strpbrk(mode, "wa+") && below(path);                                            \
    if (counted && fails("fopen", path)) return NULL;                                              \
    FILE *file = real(path, mode);                                                                 \
    if (file) keep(fileno(file), counted);                                                         \
    return file;                                                                                   \
  }
FOPEN(fopen)
FOPEN(fopen64)

ssize_t write(int file, const void *bytes, size_t size) {
  REAL(write);
  if (file < 0 || file >= most_files || !ours[file] || !fails("write", NULL))
    return real(file, bytes, size);
  int why = errno;
  if (why == ENOSPC && size > 1 && count % 2) return real(file, bytes, size / 2);
  errno = why;
  return -1;
}

#define OF_FILE(name)                                                                              \
  int name(int file) {                                                                             \
    REAL(name);                                                                                    \
    if (file >= 0 && file < most_files && ours[file] && fails(#name, NULL)) return -1;             \
    return real(file);                                                                             \
  }
OF_FILE(fsync)

/* a close that fails has closed the file nonetheless */
int close(int file) {
  REAL(close);
  bool counted = file >= 0 && file < most_files && ours[file];
  keep(file, false);
  bool failed = counted && fails("close", NULL);
  int why = errno, result = real(file);
  if (failed) errno = why;
  return failed ? -1 : result;
}

int fchmod(int file, mode_t mode) {
  REAL(fchmod);
  if (file >= 0 && file < most_files && ours[file] && fails("fchmod", NULL)) return -1;
  return real(file, mode);
}

int rename(const char *from, const char *to) {
  REAL(rename);
  if (below(to) && fails("rename", to)) return -1;
  return real(from, to);
}

int unlink(const char *path) {
  REAL(unlink);
  if (below(path) && fails("unlink", path)) return -1;
  return real(path);
}

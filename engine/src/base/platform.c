/* What differs between systems; see platform.h. */
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE
#endif
#include "base/platform.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#if defined(_WIN32)
#include <io.h>
#include <malloc.h>
#include <process.h>
#include <windows.h>
#else
#include <poll.h>
#if defined(__APPLE__)
#include <mach-o/dyld.h>
#endif
#endif

#ifndef O_BINARY
#define O_BINARY 0
#endif
#ifndef O_CLOEXEC
#define O_CLOEXEC 0
#endif
#ifndef O_NONBLOCK
#define O_NONBLOCK 0
#endif

/* --- memory, time, processors */

#if defined(_WIN32)
void *si_platform_alloc(size_t bytes, size_t align) { return _aligned_malloc(bytes, align); }
void si_platform_free(void *block) { _aligned_free(block); }

int si_processors(void) {
  SYSTEM_INFO info;
  GetSystemInfo(&info);
  return info.dwNumberOfProcessors < 1 ? 1 : (int)info.dwNumberOfProcessors;
}
#else
void *si_platform_alloc(size_t bytes, size_t align) {
  return aligned_alloc(align, (bytes + align - 1) / align * align);
}
void si_platform_free(void *block) { free(block); }

int si_processors(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count < 1 ? 1 : count > INT_MAX ? INT_MAX : (int)count;
}
#endif

static uint64_t read_clock(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t si_clock(void) { return read_clock(CLOCK_MONOTONIC); }
uint64_t si_clock_of_thread(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

/* --- looking at files */

#if defined(_WIN32)
/* stat() there has whole seconds and no inode */
static si_file_info look(HANDLE file) {
  BY_HANDLE_FILE_INFORMATION info;
  if (file == INVALID_HANDLE_VALUE || !GetFileInformationByHandle(file, &info)) {
    errno = ENOENT;
    return (si_file_info){ 0 };
  }
  const uint64_t before_1970 = 116444736000000000u; /* in steps of 100 ns, from 1601 */
  uint64_t time =
      (uint64_t)info.ftLastWriteTime.dwHighDateTime << 32 | info.ftLastWriteTime.dwLowDateTime;
  return (si_file_info){
    .exists = true,
    .regular =
        GetFileType(file) == FILE_TYPE_DISK && !(info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY),
    .size = (int64_t)((uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow),
    .modified = (int64_t)(time - before_1970) * 100,
    .inode = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow,
    .device = info.dwVolumeSerialNumber,
  };
}

si_file_info si_file_look(const char *path) {
  HANDLE file = CreateFileA(path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                            OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
  si_file_info info = look(file);
  if (file != INVALID_HANDLE_VALUE) CloseHandle(file);
  return info;
}

si_file_info si_file_look_at(FILE *file) { return look((HANDLE)_get_osfhandle(_fileno(file))); }
bool si_file_is_named(const char *path) { return si_file_look(path).exists; }
#else
static si_file_info look(int result, const struct stat *about) {
  if (result != 0) return (si_file_info){ 0 };
#if defined(__APPLE__)
  struct timespec modified = about->st_mtimespec, changed = about->st_ctimespec;
#else
  struct timespec modified = about->st_mtim, changed = about->st_ctim;
#endif
  return (si_file_info){
    .exists = true,
    .regular = S_ISREG(about->st_mode),
    .size = (int64_t)about->st_size,
    .modified = (int64_t)modified.tv_sec * 1000000000 + modified.tv_nsec,
    .changed = (int64_t)changed.tv_sec * 1000000000 + changed.tv_nsec,
    .inode = (uint64_t)about->st_ino,
    .device = (uint64_t)about->st_dev,
  };
}

si_file_info si_file_look(const char *path) {
  struct stat about;
  int result = stat(path, &about);
  return look(result, &about);
}

si_file_info si_file_look_at(FILE *file) {
  struct stat about;
  int result = fstat(fileno(file), &about);
  return look(result, &about);
}

bool si_file_is_named(const char *path) {
  struct stat about;
  return lstat(path, &about) == 0;
}
#endif

bool si_file_readable(const char *path) { return access(path, R_OK) == 0; }

FILE *si_file_open(const char *path) {
  int file = open(path, O_RDONLY | O_BINARY | O_NONBLOCK | O_CLOEXEC);
  return file < 0 ? NULL : fdopen(file, "rb");
}

#if defined(_WIN32)
bool si_file_await(FILE *file) { return file != NULL; }
#else
bool si_file_await(FILE *file) {
  struct stat about;
  struct pollfd end = { .fd = fileno(file), .events = POLLIN };
  const bool known = fstat(end.fd, &about) == 0;
  if (known && S_ISREG(about.st_mode)) return true; /* never waits, whatever its flags are */
  if (known && S_ISFIFO(about.st_mode) && poll(&end, 1, 1000) <= 0) {
    errno = ENXIO;
    return false;
  }
  return fcntl(end.fd, F_SETFL, fcntl(end.fd, F_GETFL) & ~O_NONBLOCK) == 0;
}
#endif

/* --- changing files */

bool si_file_remove(const char *path) { return unlink(path) == 0; }

long si_process(void) { return (long)getpid(); }

#if defined(_WIN32)
bool si_process_runs(long process) {
  HANDLE handle = OpenProcess(SYNCHRONIZE, FALSE, (DWORD)process);
  if (!handle) return GetLastError() == ERROR_ACCESS_DENIED;
  const bool runs = WaitForSingleObject(handle, 0) == WAIT_TIMEOUT;
  CloseHandle(handle);
  return runs;
}
#else
bool si_process_runs(long process) { return kill((pid_t)process, 0) == 0 || errno != ESRCH; }
#endif

static bool put_all(int file, const char *bytes, size_t size) {
  while (size > 0) {
    const size_t most = 1 << 30; /* what every system takes at once */
    ssize_t put = write(file, bytes, size < most ? size : most);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    bytes += put;
    size -= (size_t)put;
  }
  return true;
}

#if defined(_WIN32)
static int open_through(const char *target) { return open(target, O_WRONLY | O_BINARY); }
static bool put_quietly(int file, const char *bytes, size_t size) {
  return put_all(file, bytes, size);
}
#else
/* Opens a pipe or device. A pipe that nobody reads gets a second, then it is an error. */
static int open_through(const char *target) {
  const struct timespec moment = { .tv_nsec = 10000000 };
  int file = open(target, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  for (int i = 0; file < 0 && errno == ENXIO && i < 100; i++) {
    nanosleep(&moment, NULL);
    file = open(target, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  }
  if (file >= 0) fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
  return file;
}

/* A pipe whose reader has gone and a file beyond the process's limit are errors, not signals that
 * end the program. */
static bool put_quietly(int file, const char *bytes, size_t size) {
  static const int numbers[] = { SIGPIPE, SIGXFSZ };
  sigset_t blocked, before, had, has;
  sigemptyset(&blocked);
  for (int i = 0; i < 2; i++) sigaddset(&blocked, numbers[i]);
  sigpending(&had);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  const bool wrote = put_all(file, bytes, size);
  const int why = errno;
  sigpending(&has);
  for (int i = 0; i < 2; i++) {
    int number = numbers[i];
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, number);
    if (sigismember(&has, number) == 1 && sigismember(&had, number) != 1) sigwait(&one, &number);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = why;
  return wrote;
}
#endif

/* writes to a pipe or device, which cannot be replaced by renaming */
static bool write_through(const char *target, const void *bytes, size_t size) {
  int file = open_through(target);
  if (file < 0) return false;
  bool wrote = put_quietly(file, bytes, size);
  int why = errno;
  if (close(file) != 0 && wrote) {
    wrote = false;
    why = errno;
  }
  errno = why;
  return wrote;
}

#if defined(_WIN32)
static bool flush(int file) { return _commit(file) == 0; }
static bool keep_mode(int file, const char *target) { return file >= 0 && target; }
static void flush_folder(char *path) { (void)path; }

static bool move(const char *from, const char *to) {
  if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) return true;
  errno = GetLastError() == ERROR_ACCESS_DENIED ? EACCES : EIO;
  return false;
}
#else
static bool flush(int file) { return fsync(file) == 0; }

/* The owner too, as far as that is allowed: an administrator's program must not take the file. */
static bool keep_mode(int file, const char *target) {
  struct stat old, own;
  if (stat(target, &old) != 0 || fstat(file, &own) != 0) return true;
  const bool differs = old.st_uid != own.st_uid || old.st_gid != own.st_gid;
  if (differs && fchown(file, old.st_uid, old.st_gid) != 0) errno = 0;
  return fchmod(file, old.st_mode & 0777) == 0;
}

/* A rename is durable once its folder is flushed too. Some systems cannot flush a folder: that is
 * ignored. */
static void flush_folder(char *path) {
  char *slash = strrchr(path, '/');
  if (slash) slash[slash == path] = '\0';
  int folder = open(slash ? path : ".", O_RDONLY);
  if (folder < 0) return;
  fsync(folder);
  close(folder);
}

static bool move(const char *from, const char *to) { return rename(from, to) == 0; }
#endif

bool si_file_replace(char *target, const char *aside, const void *bytes, size_t size) {
  const si_file_info old = si_file_look(target);
  if (old.exists && !old.regular) return write_through(target, bytes, size);
  if (old.exists && access(target, W_OK) != 0) return false; /* renaming would not ask */
  int file = open(aside, O_WRONLY | O_CREAT | O_EXCL | O_BINARY, 0666);
  if (file < 0) return false;
  bool wrote =
      put_quietly(file, bytes, size) && flush(file) && (!old.exists || keep_mode(file, target));
  int why = errno;
  if ((close(file) != 0 && wrote) || (wrote && !move(aside, target))) {
    wrote = false;
    why = errno;
  }
  if (wrote)
    flush_folder(target);
  else
    unlink(aside);
  errno = why;
  return wrote;
}

/* --- paths and folders */

#if defined(_WIN32)
char *si_path_real(const char *path) {
  if (!si_file_look(path).exists) return NULL;
  char *full = _fullpath(NULL, path, 0);
  for (char *at = full; at && *at; at++)
    if (*at == '\\') *at = '/';
  return full;
}

char *si_path_target(const char *path) {
  char *real = si_path_real(path);
  return real ? real : strdup(path);
}

bool si_path_absolute(const char *path) {
  return path[0] == '/' || path[0] == '\\' || (path[0] && path[1] == ':');
}

void si_folder_make(const char *path) { mkdir(path); }
#else
char *si_path_real(const char *path) { return realpath(path, NULL); }

/* the next of a chain of links; false at its end, with errno 0, or if it cannot be followed */
static bool follow(char path[PATH_MAX]) {
  char to[PATH_MAX];
  ssize_t length = readlink(path, to, sizeof to - 1);
  errno = 0;
  if (length < 0) return false;
  to[length] = '\0';
  char *slash = strrchr(path, '/');
  size_t folder = slash && to[0] != '/' ? (size_t)(slash - path) + 1 : 0;
  if (folder + (size_t)length >= PATH_MAX) {
    errno = ENAMETOOLONG;
    return false;
  }
  memcpy(path + folder, to, (size_t)length + 1);
  return true;
}

char *si_path_target(const char *path) {
  char at[PATH_MAX];
  struct stat about;
  char *real = realpath(path, NULL);
  if (real) return real;
  /* what exists and has no path is a pipe among the links of /proc */
  if (stat(path, &about) == 0 || strlen(path) >= sizeof at) return strdup(path);
  memcpy(at, path, strlen(path) + 1);
  int links = 0;
  while (links < 40 && follow(at)) links++;
  if (links == 40) errno = ELOOP;
  return errno ? NULL : strdup(at);
}

bool si_path_absolute(const char *path) { return path[0] == '/'; }
void si_folder_make(const char *path) { mkdir(path, 0777); }
#endif

void si_folder_list(const char *path, void (*each)(const char *name, void *user), void *user) {
  DIR *folder = opendir(path);
  const struct dirent *item;
  while (folder && (item = readdir(folder))) each(item->d_name, user);
  if (folder) closedir(folder);
}

/* --- the program */

bool si_program_path(char *dest, size_t capacity) {
#if defined(_WIN32)
  DWORD length = GetModuleFileNameA(NULL, dest, (DWORD)capacity);
  if (length == 0 || length >= capacity) return false;
  for (char *at = dest; *at; at++)
    if (*at == '\\') *at = '/';
  return true;
#elif defined(__APPLE__)
  uint32_t room = (uint32_t)capacity;
  return _NSGetExecutablePath(dest, &room) == 0;
#else
  ssize_t length = readlink("/proc/self/exe", dest, capacity);
  if (length <= 0 || (size_t)length >= capacity) return false;
  dest[length] = '\0';
  return true;
#endif
}

bool si_program_again(char *dest, size_t capacity) {
#if defined(__linux__)
  static const char itself[] = "/proc/self/exe"; /* of the process that is made, which has it too */
  if (si_program_path(dest, capacity) && sizeof itself <= capacity) {
    memcpy(dest, itself, sizeof itself);
    return true;
  }
#endif
  return si_program_path(dest, capacity);
}

void si_program_become(const char *path, char *const *arguments) {
#if defined(_WIN32)
  intptr_t code = _spawnvp(_P_WAIT, path, (const char *const *)arguments);
  if (code >= 0) exit((int)code);
#else
  execvp(path, arguments);
#endif
}

#if defined(_WIN32)
void si_failed_write_is_error(bool on) { (void)on; }
#else
void si_failed_write_is_error(bool on) {
  signal(SIGPIPE, on ? SIG_IGN : SIG_DFL);
  signal(SIGXFSZ, on ? SIG_IGN : SIG_DFL);
}
#endif

/* --- the end by a signal */

enum { FREE, BEING_SET, HELD, most_held = 8 };
static struct held_name {
  atomic_int state;
  char path[PATH_MAX];
} held[most_held];              /* no pointers: a signal may come while another thread frees */
static char interrupted[2][96]; /* what is said on Ctrl-C, and on other signals */

void si_interrupt_hold(const char *path) {
  const size_t size = strlen(path) + 1;
  for (int i = 0; i < most_held && size <= sizeof held[i].path; i++) {
    int before = FREE;
    if (!atomic_compare_exchange_strong(&held[i].state, &before, BEING_SET)) continue;
    memcpy(held[i].path, path, size);
    atomic_store(&held[i].state, HELD);
    return;
  }
}

void si_interrupt_release(const char *path) {
  for (int i = 0; i < most_held; i++)
    if (atomic_load(&held[i].state) == HELD && strcmp(held[i].path, path) == 0) {
      atomic_store(&held[i].state, FREE);
      return;
    }
}

/* calls only what a signal handler may call */
static void on_interrupt(int number) {
  for (int i = 0; i < most_held; i++)
    if (atomic_load(&held[i].state) == HELD) unlink(held[i].path);
  const char *text = interrupted[number != SIGINT];
  if (write(STDERR_FILENO, text, strlen(text)) < 0) text = NULL; /* nobody reads it */
  signal(number, SIG_DFL);
  raise(number);
}

void si_interrupt_tell(const char *program) {
  static const int numbers[] = {
    SIGINT,
    SIGTERM,
#if !defined(_WIN32)
    SIGHUP
#endif
  };
  for (int i = 0; i < 2; i++) /* what was typed, or the progress, may stand in the line */
    snprintf(interrupted[i], sizeof interrupted[i], "%s%s: %s; no file is half written\n",
             isatty(STDERR_FILENO) ? "\n" : "", program, i ? "terminated" : "interrupted");
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (signal(numbers[i], on_interrupt) == SIG_IGN) signal(numbers[i], SIG_IGN);
}

bool si_is_terminal(FILE *file) { return isatty(fileno(file)); }

/* The calls that differ between systems: aligned memory, clocks, processors, files and folders, the
 * program itself. Everything else is C11 and POSIX threads, which MinGW has too. Paths have '/'
 * everywhere; Windows takes it as well. All may be called from several threads at a time. */
#ifndef SI_PLATFORM_H
#define SI_PLATFORM_H

#include "sinew/base.h"

#include <stdio.h>

/* NULL if there is no memory; `align` is a power of two, at least 16. */
void *si_platform_alloc(size_t bytes, size_t align);
void si_platform_free(void *block);

/* Nanoseconds: of a clock that never goes back, and of the processor's time that this thread took.
 */
uint64_t si_clock(void);
uint64_t si_clock_of_thread(void);
/* How many processors there are, at least 1. */
int si_processors(void);

typedef struct si_file_info {
  bool exists;
  bool regular; /* a plain file: no folder, pipe or device */
  int64_t size;
  int64_t modified; /* nanoseconds since 1970 */
  int64_t changed;  /* the same, also of its permissions and names; 0: unknown */
  uint64_t inode, device;
  uint64_t content; /* si_hash of its bytes, by who has read them; 0: unknown */
} si_file_info;

/* Symbolic links are followed. All is 0, and errno is set, for a path that cannot be reached. */
si_file_info si_file_look(const char *path);
si_file_info si_file_look_at(FILE *file);
/* Whether there is anything of this name, also a link that leads nowhere. */
bool si_file_is_named(const char *path);
/* Whether the file or folder can be read. */
bool si_file_readable(const char *path);
/* Opens a file to read its bytes, and does not wait for the other end of a pipe; NULL sets errno.
 */
FILE *si_file_open(const char *path);
/* Waits up to a second for the other end of a pipe that si_file_open opened; false sets errno if
 * nobody writes to it. */
bool si_file_await(FILE *file);
bool si_file_remove(const char *path);
/* Writes a file under the name `aside` and renames it to `target`, so that a failure leaves the old
 * file as it was. Keeps the permissions of the old one, which must allow writing, and its owner
 * where the system lets it. Writes into a pipe or device instead; nobody reading it is an error.
 * May cut the string `target` down to its folder. False sets errno. */
bool si_file_replace(char *target, const char *aside, const void *bytes, size_t size);
/* A number that no other running process has, and whether a process of this number runs. */
long si_process(void);
bool si_process_runs(long process);

/* The absolute path with all links resolved, to be freed by free(); NULL if there is no such file.
 */
char *si_path_real(const char *path);
/* The file that a writer of this path reaches, to be freed by free(): like si_path_real, and a link
 * to a file that is not there yet is followed too. NULL sets errno. */
char *si_path_target(const char *path);
/* Whether a path starts at the root of the file system. */
bool si_path_absolute(const char *path);
/* Makes the folder; its parent must exist. */
void si_folder_make(const char *path);
/* Calls `each` for every name in the folder, in any order. */
void si_folder_list(const char *path, void (*each)(const char *name, void *user), void *user);

/* The path of the running program; false if the system does not tell, or `capacity` is too small.
 */
bool si_program_path(char *dest, size_t capacity);
/* By what this very program is started again: on Linux also if its file was replaced or removed. */
bool si_program_again(char *dest, size_t capacity);
/* Replaces the program, or runs the other one to its end and exits with its code. A name without a
 * folder is looked up in PATH. Returns only if that fails, with errno set. */
void si_program_become(const char *path, char *const *arguments);
/* Makes writing to a pipe that nobody reads, or more to a file than the process may, an error
 * instead of the program's end, or, for the program that replaces this one, the end again. */
void si_failed_write_is_error(bool on);
/* From now on a signal that ends the program (Ctrl-C, SIGTERM, SIGHUP) first removes the files
 * whose names are held, and says that it came, after the name of the program, a literal. */
void si_interrupt_tell(const char *program);
/* Holds a copy of the name of a file that must not stay when the program is interrupted, until the
 * name is released. Some names at a time; more are not held. */
void si_interrupt_hold(const char *path);
void si_interrupt_release(const char *path);
/* Whether a person reads what is printed there. */
bool si_is_terminal(FILE *file);

#endif

/* Files are replaced entirely or not at all. */
#include "base/alloc.h"
#include "base/file_internal.h"
#include "fixture.h"
#include "minunit.h"
#include "scarce.h"
#include "scratch.h"
#include "sinew/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static bool holds(const char *name, const char *text) {
  char found[256] = "";
  FILE *file = fopen(scratch_path(name), "rb");
  if (!file) return false;
  size_t size = fread(found, 1, sizeof found - 1, file);
  fclose(file);
  return size == strlen(text) && memcmp(found, text, size) == 0;
}

static int entries(void) {
  int count = 0;
  DIR *folder = opendir(scratch_path("."));
  while (folder && readdir(folder)) count++;
  if (folder) closedir(folder);
  return count - 2;
}

MU_TEST(a_file_is_replaced_and_keeps_its_permissions) {
  MU_CHECK(scratch_open());
  scratch_text("a", "old");
  MU_INT(chmod(scratch_path("a"), 0640), 0);
  MU_INT(sinew_file_write(scratch_path("a"), "newer", 5, &error), SINEW_OK);
  MU_CHECK(holds("a", "newer"));
  struct stat about;
  MU_INT(stat(scratch_path("a"), &about), 0);
  MU_INT(about.st_mode & 0777, 0640);
  MU_INT(sinew_file_write(scratch_path("b"), "", 0, NULL), SINEW_OK);
  MU_CHECK(holds("b", ""));
  MU_INT(entries(), 2);
  scratch_close();
}

/* by what the system says of it: its bytes are not read until there are too many */
MU_TEST(a_file_that_is_too_large_is_refused_before_it_is_read) {
  MU_CHECK(scratch_open());
  scratch_text("a", "x");
  MU_INT(truncate(scratch_path("a"), 100 << 20), 0);
  sinew_budget_desc desc = sinew_default_budget_desc();
  desc.memory = 1 << 20;
  sinew_budget *budget = sinew_budget_create(&desc, &error), *before = sinew_budget_enter(budget);
  unsigned char *bytes;
  size_t size;
  MU_INT(si_file_read(scratch_path("a"), 64 << 20, &bytes, &size, &error), SINEW_ERR_LIMIT);
  sinew_budget_leave(before);
  sinew_budget_destroy(budget);
  MU_HAS(error.text, "has more than 67108864 bytes");
  scratch_close();
}

/* the system tells it by a signal that ends a program */
MU_TEST(a_file_beyond_the_limit_of_the_process_is_an_error) {
  MU_CHECK(scratch_open());
  scratch_text("a", "old");
  static char many[5000];
  const pid_t child = fork();
  if (child == 0) {
    const struct rlimit most = { 1000, 1000 };
    setrlimit(RLIMIT_FSIZE, &most);
    const bool told = sinew_file_write(scratch_path("a"), many, sizeof many, &error) < 0 &&
                      strstr(error.text, strerror(EFBIG));
    _exit(told ? 0 : 1);
  }
  int ended = -1;
  MU_CHECK(child > 0 && waitpid(child, &ended, 0) == child);
  MU_INT(ended, 0);
  MU_CHECK(holds("a", "old"));
  MU_INT(entries(), 1);
  scratch_close();
}

MU_TEST(writing_to_a_link_replaces_its_target) {
  MU_CHECK(scratch_open());
  scratch_folder("deep");
  scratch_text("deep/real", "old");
  MU_INT(symlink("deep/real", scratch_path("link")), 0);
  MU_INT(sinew_file_write(scratch_path("link"), "new", 3, &error), SINEW_OK);
  struct stat about;
  MU_INT(lstat(scratch_path("link"), &about), 0);
  MU_CHECK(S_ISLNK(about.st_mode));
  MU_CHECK(holds("deep/real", "new"));
  MU_INT(entries(), 2);
  scratch_close();
}

MU_TEST(writing_to_a_link_to_nothing_makes_its_target) {
  MU_CHECK(scratch_open());
  scratch_folder("deep");
  MU_INT(symlink("deep/second", scratch_path("link")), 0);
  MU_INT(symlink("real", scratch_path("deep/second")), 0);
  MU_INT(sinew_file_write(scratch_path("link"), "new", 3, &error), SINEW_OK);
  struct stat about;
  MU_INT(lstat(scratch_path("link"), &about), 0);
  MU_CHECK(S_ISLNK(about.st_mode));
  MU_CHECK(holds("deep/real", "new"));
  MU_INT(symlink("round", scratch_path("round")), 0);
  MU_FAILS(sinew_file_write(scratch_path("round"), "new", 3, &error), SINEW_ERR_FILE,
           "round: cannot write: Too many levels of symbolic links");
  MU_INT(entries(), 3);
  scratch_close();
}

MU_TEST(a_name_as_long_as_the_system_takes_is_written) {
  MU_CHECK(scratch_open());
  char name[257] = { 0 };
  memset(name, 'n', 255);
  MU_INT(sinew_file_write(scratch_path(name), "new", 3, &error), SINEW_OK);
  MU_CHECK(holds(name, "new"));
  name[255] = 'n';
  MU_FAILS(sinew_file_write(scratch_path(name), "new", 3, &error), SINEW_ERR_FILE,
           "cannot write: File name too long");
  MU_INT(entries(), 1);
  scratch_close();
}

MU_TEST(the_owner_stays_and_a_protected_file_is_not_replaced) {
  if (getuid() != 0) return; /* others cannot give a file away */
  MU_CHECK(scratch_open());
  const uid_t nobody = 65534;
  MU_INT(chmod(scratch_path("."), 0777), 0);
  scratch_text("a", "old");
  MU_INT(chown(scratch_path("a"), nobody, nobody), 0);
  MU_INT(sinew_file_write(scratch_path("a"), "new", 3, &error), SINEW_OK);
  struct stat about;
  MU_INT(stat(scratch_path("a"), &about), 0);
  MU_INT(about.st_uid, nobody);
  MU_INT(about.st_gid, nobody);
  MU_INT(chmod(scratch_path("a"), 0444), 0);
  pid_t child = fork();
  if (child == 0) {
    if (setgid(nobody) != 0 || setuid(nobody) != 0) _exit(2);
    _exit(sinew_file_write(scratch_path("a"), "mine", 4, NULL) == SINEW_ERR_FILE ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  MU_INT(WEXITSTATUS(status), 0);
  MU_CHECK(holds("a", "new"));
  MU_INT(entries(), 1);
  scratch_close();
}

MU_TEST(a_pipe_is_written_to_and_one_without_a_reader_is_an_error) {
  MU_CHECK(scratch_open());
  static char many[1 << 20];
  MU_INT(mkfifo(scratch_path("pipe"), 0600), 0);
  MU_FAILS(sinew_file_write(scratch_path("pipe"), "x", 1, &error), SINEW_ERR_FILE,
           "pipe: cannot write: No such device or address");
  for (int whole = 0; whole < 2; whole++) { /* the reader takes a byte, or all */
    pid_t child = fork();
    if (child == 0) {
      int file = open(scratch_path("pipe"), O_RDONLY);
      size_t got = 0, want = whole ? sizeof many : 1;
      char byte[4096];
      while (got < want) {
        ssize_t more = read(file, byte, want - got < sizeof byte ? want - got : sizeof byte);
        if (more <= 0) break;
        got += (size_t)more;
      }
      _exit(got == want ? 0 : 1);
    }
    sinew_status wrote = sinew_file_write(scratch_path("pipe"), many, sizeof many, &error);
    int status = 1;
    waitpid(child, &status, 0);
    MU_INT(WEXITSTATUS(status), 0);
    if (whole)
      MU_INT(wrote, SINEW_OK);
    else
      MU_FAILS(wrote, SINEW_ERR_FILE, "pipe: cannot write: Broken pipe");
  }
  MU_INT(entries(), 1);
  scratch_close();
}

MU_TEST(a_pipe_that_nobody_writes_to_is_an_error_and_others_are_read) {
  MU_CHECK(scratch_open());
  unsigned char *bytes = NULL;
  size_t size = 0;
  MU_INT(mkfifo(scratch_path("pipe"), 0600), 0);
  MU_FAILS(si_file_read(scratch_path("pipe"), 1 << 20, &bytes, &size, &error), SINEW_ERR_FILE,
           "pipe: cannot read: No such device or address");
  pid_t child = fork();
  if (child == 0) {
    static char many[100000];
    int file = open(scratch_path("pipe"), O_WRONLY);
    _exit(write(file, many, sizeof many) == sizeof many ? 0 : 1);
  }
  MU_INT(si_file_read(scratch_path("pipe"), 1 << 20, &bytes, &size, &error), SINEW_OK);
  MU_INT(size, 100000);
  si_free(bytes);
  waitpid(child, NULL, 0);
  scratch_close();
}

MU_TEST(a_device_is_written_to_and_not_replaced) {
  MU_INT(sinew_file_write("/dev/null", "text", 4, &error), SINEW_OK);
  struct stat about;
  MU_INT(stat("/dev/null", &about), 0);
  MU_CHECK(S_ISCHR(about.st_mode));
}

MU_TEST(failed_write_reports_the_reason_and_leaves_no_file) {
  MU_CHECK(scratch_open());
  MU_FAILS(sinew_file_write(scratch_path("no/such"), "x", 1, &error), SINEW_ERR_FILE,
           "no/such: cannot write: ");
  scratch_folder("folder");
  MU_FAILS(sinew_file_write(scratch_path("folder"), "x", 1, &error), SINEW_ERR_FILE,
           "folder: cannot write: Is a directory");
  scratch_text("kept", "old");
  for (long allowed = 0; allowed < 2; allowed++) {
    scarce_memory(allowed);
    sinew_status status = sinew_file_write(scratch_path("kept"), "new", 3, &error);
    plenty_of_memory();
    MU_INT(status, SINEW_ERR_MEMORY);
    MU_CHECK(holds("kept", "old"));
  }
  MU_INT(entries(), 2);
  scratch_close();
}

static void age(const char *name, long seconds) {
  const struct timespec then[2] = { { .tv_sec = time(NULL) - seconds },
                                    { .tv_sec = time(NULL) - seconds } };
  scratch_text(name, "left");
  MU_INT(utimensat(AT_FDCWD, scratch_path(name), then, 0), 0);
}

MU_TEST(what_a_killed_writer_left_is_removed_by_the_next) {
  MU_CHECK(scratch_open());
  pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, NULL, 0);
  char dead[64], fresh[64], alive[64], other[64];
  snprintf(dead, sizeof dead, "a.%ld-3.new", (long)child);
  snprintf(fresh, sizeof fresh, "a.%ld-4.new", (long)child);
  snprintf(alive, sizeof alive, "a.%ld-5.new", (long)getpid());
  snprintf(other, sizeof other, "ab.%ld-6.new", (long)child);
  age(dead, 120);
  age(fresh, 10);
  age(alive, 120);
  age(other, 120);
  age("a.x-1.new", 120);
  age("a.new", 120);
  char twice[64];
  snprintf(twice, sizeof twice, "a.%ld-7.new.%ld-8.new", (long)child, (long)child);
  age(twice, 120);
  MU_INT(sinew_file_write(scratch_path("a"), "text", 4, NULL), SINEW_OK);
  MU_CHECK(!holds(dead, "left") && !holds(twice, "left"));
  MU_CHECK(holds(fresh, "left") && holds(alive, "left") && holds(other, "left"));
  MU_CHECK(holds("a.x-1.new", "left") && holds("a.new", "left") && holds("a", "text"));
  scratch_close();
}

MU_SUITE(file)

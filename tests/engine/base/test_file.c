/* Files are replaced entirely or not at all. */
#include "fixture.h"
#include "minunit.h"
#include "scarce.h"
#include "scratch.h"
#include "sinew/file.h"

#include <dirent.h>
#include <fcntl.h>
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
  MU_INT(sinew_file_write(scratch_path("a"), "text", 4, NULL), SINEW_OK);
  MU_CHECK(!holds(dead, "left"));
  MU_CHECK(holds(fresh, "left") && holds(alive, "left") && holds(other, "left"));
  MU_CHECK(holds("a.x-1.new", "left") && holds("a.new", "left") && holds("a", "text"));
  scratch_close();
}

MU_SUITE(file)

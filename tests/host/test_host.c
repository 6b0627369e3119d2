/* The script host: good and bad scripts, reloads by polling for every way in which an editor saves,
 * and budgets. The tests set the time and the files' modification times themselves. */
#include "fixture.h"
#include "minunit.h"
#include "patient.h"
#include "scarce.h"
#include "scratch.h"
#include "sinew/host.h"

#include <sinew/sinew.h>

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

/* a rig with one hinge; a test inserts its lines between HEAD and TAIL, where `turn` is the angle
 */
#define HEAD                                                                                       \
  "local sinew = require 'sinew'\n"                                                                \
  "local rig = sinew.rig 'door'\n"                                                                 \
  "local frame = rig:segment 'frame'\n"                                                            \
  "local leaf = rig:segment('leaf', { parent = frame, at = {1, 0, 0} })\n"                         \
  "local hinge = rig:joint_set 'hinge'\n"
#define DOF "local turn = hinge:dof('turn', { min = -90, max = 90 })\n"
#define TAIL                                                                                       \
  "leaf:drive(hinge:rotation { turn, axis = {0, 1, 0} })\n"                                        \
  "return rig\n"
#define DOOR HEAD DOF TAIL
/* the same with a scripted component; its eval is on line 9 */
#define SCRIPTED(eval)                                                                             \
  HEAD DOF "local Own = sinew.component {\n"                                                       \
           "  name = 'own', inputs = { 'angle' }, outputs = { 'angle' },\n"                        \
           "  eval = function(self, angle) " eval " end,\n"                                        \
           "}\n"                                                                                   \
           "turn = hinge:add(Own { turn })\n" TAIL

static sinew_host *host;
static double now;
static long ticks;
static size_t blocks_before;
static char printed[256];

static void save(const char *name, const char *text) {
  scratch_text(name, text);
  ticks += 1000;
  struct timespec times[2] = { { 1000, ticks }, { 1000, ticks } };
  utimensat(AT_FDCWD, scratch_path(name), times, 0);
}

static void take_print(const char *text, size_t length, void *user) {
  snprintf(user, sizeof printed, "%.*s", (int)length, text);
}

static bool begin(void) {
  blocks_before = sinew_live_blocks();
  if (!scratch_open()) return false;
  sinew_host_desc desc = sinew_default_host_desc();
  desc.load_seconds = desc.eval_seconds =
      600; /* instructions are the limit, not the machine's speed */
  desc.load_instructions = 8000000;
  desc.eval_instructions = 1000000;
  desc.memory = 16 << 20;
  desc.print = take_print;
  desc.user = printed;
  printed[0] = '\0';
  now = 100;
  host = sinew_host_create(&desc, &error);
  return host != NULL;
}

/* the same, with this script loaded */
static bool begin_with(const char *text) {
  if (!begin()) return false;
  save("rig.lua", text);
  return sinew_host_load(host, scratch_path("rig.lua"), &error) == SINEW_OK;
}

static void end(void) {
  sinew_host_destroy(host);
  host = NULL;
  scratch_close();
}

#define END()                                                                                      \
  do {                                                                                             \
    end();                                                                                         \
    MU_INT(sinew_live_blocks() - blocks_before, 0);                                                \
  } while (0)

static sinew_host_news look(void) {
  now += 0.0625;
  return sinew_host_poll(host, now, &error);
}

/* polls until something happens; SAME if nothing does */
static sinew_host_news settle(void) {
  for (int i = 0; i < 40; i++) {
    sinew_host_news news = look();
    if (news == SINEW_HOST_RELOADED || news == SINEW_HOST_FAILED) return news;
  }
  return SINEW_HOST_SAME;
}

static sinew_status set(const char *dof, float value) {
  sinew_dof found = sinew_rig_find_dof(sinew_host_rig(host), dof, NULL);
  return sinew_pose_set(sinew_host_pose(host), found, value, NULL);
}

static float get(const char *dof) {
  return sinew_pose_get(sinew_host_pose(host), sinew_rig_find_dof(sinew_host_rig(host), dof, NULL));
}

/* the sine of the leaf's angle about Y in the last evaluation */
static double leaf_sine(void) {
  sinew_segment leaf = sinew_rig_find_segment(sinew_host_rig(host), "leaf", NULL);
  return (double)sinew_pose_world(sinew_host_pose(host), leaf)[8];
}

static sinew_status eval(void) { return sinew_host_eval(host, sinew_host_pose(host), &error); }

MU_TEST(a_hosted_script_may_solve) {
  MU_CHECK(begin_with("local sinew = require 'sinew'\n"
                      "local rig = sinew.rig 'solved'\n"
                      "local leaf = rig:segment 'leaf'\n"
                      "leaf:drive(rig:rotation { rig:dof('turn', { min = -90, max = 90 }),\n"
                      "  axis = { 0, 0, 1 } })\n"
                      "local solver = sinew.solver(rig, { goals = {\n"
                      "  { segment = leaf, aim = { 0, 1, 0 }, direction = { 1, 0, 0 } } } })\n"
                      "local pose = rig:pose()\n"
                      "assert(solver:solve(pose).reached and math.abs(pose.turn - 90) < 0.2)\n"
                      "return rig\n"));
  END();
}

MU_TEST(host_loads_a_rig_and_evaluates_it) {
  MU_CHECK(begin_with(DOOR));
  MU_TEXT(sinew_rig_name(sinew_host_rig(host)), "door");
  MU_CHECK(sinew_pose_rig(sinew_host_pose(host)) == sinew_host_rig(host));
  MU_NEAR(leaf_sine(), 0, 0); /* already evaluated */
  MU_INT(set("hinge.turn", 30), SINEW_OK);
  MU_INT(eval(), SINEW_OK);
  MU_NEAR(leaf_sine(), 0.5, 1e-6);
  MU_TEXT(sinew_host_path(host), scratch_path("rig.lua"));
  MU_INT(sinew_host_file_count(host), 1);
  MU_TEXT(sinew_host_file(host, 0), scratch_path("rig.lua"));
  END();
}

MU_TEST(host_is_empty_before_the_first_good_load) {
  MU_CHECK(begin());
  MU_CHECK(!sinew_host_rig(host) && !sinew_host_pose(host) && !sinew_host_path(host));
  MU_INT(sinew_host_file_count(host), 0);
  MU_INT(look(), SINEW_HOST_SAME);
  MU_FAILS(sinew_host_load(host, scratch_path("rig.lua"), &error), SINEW_ERR_FILE, "rig.lua");
  MU_CHECK(!sinew_host_rig(host));
  /* once the file exists, it is found */
  MU_INT(look(), SINEW_HOST_SAME);
  save("rig.lua", DOOR);
  MU_INT(settle(), SINEW_HOST_RELOADED);
  MU_TEXT(sinew_rig_name(sinew_host_rig(host)), "door");
  END();
}

MU_TEST(host_forwards_what_a_script_prints) {
  MU_CHECK(begin_with("print('hello', 3)\n" DOOR));
  MU_TEXT(printed, "hello\t3");
  END();
}

/* a bad script, the status, and parts of the message */
static const struct bad {
  const char *name, *text;
  sinew_status status;
  const char *parts[2];
} bad_scripts[] = {
  { "syntax error", HEAD "local x = = 1\n" TAIL, SINEW_ERR_SCRIPT, { "rig.lua:6: ", "near '='" } },
  { "runtime error",
    HEAD "local x = nothing.field\n" TAIL,
    SINEW_ERR_SCRIPT,
    { "rig.lua:6: ", "'nothing'" } },
  { "unknown name",
    HEAD "leaf:drvie(1)\n" TAIL,
    SINEW_ERR_SCRIPT,
    { "rig.lua:6: ", "did you mean 'drive'" } },
  { "compile error",
    HEAD DOF "leaf:drive(hinge:rotation { turn, axis = {0, 0, 0} })\nreturn rig\n",
    SINEW_ERR_SCRIPT,
    { "rig.lua:7: ", "'axis' is zero" } },
  { "two compile errors",
    HEAD "leaf:drive(hinge:rotation { axis = {0, 0, 0} })\nreturn rig\n",
    SINEW_ERR_SCRIPT,
    { "rig.lua:6: component 'hinge.rotation1' input 'angle'",
      "rig.lua:6: component 'hinge.rotation1': 'axis' is zero" } },
  { "error at the first evaluation",
    SCRIPTED("return angle + nothing"),
    SINEW_ERR_SCRIPT,
    { "rig.lua:9: component 'hinge.own1' (own), made at", "rig.lua:11: attempt to" } },
  { "NaN at the first evaluation",
    SCRIPTED("return 0/0"),
    SINEW_ERR_NOT_FINITE,
    { "rig.lua:11: component 'hinge.own1'", "not finite" } },
  { "endless loop",
    HEAD "while true do end\n" TAIL,
    SINEW_ERR_LIMIT,
    { "rig.lua:6: ", "more than 8000000 instructions" } },
  { "endless loop at the first evaluation",
    SCRIPTED("while true do end"),
    SINEW_ERR_SCRIPT,
    { "rig.lua:9: ", "more than 1000000 instructions" } },
  { "nothing returned", HEAD, SINEW_ERR_SCRIPT, { "rig.lua: ", "returns nothing" } },
  { "a number returned", "return 42\n", SINEW_ERR_SCRIPT, { "rig.lua: ", "its rig, not number" } },
  { "a segment returned",
    HEAD "return leaf\n",
    SINEW_ERR_SCRIPT,
    { "rig.lua: ", "its rig, not segment" } },
  { "a closed rig returned",
    HEAD "rig:close()\nreturn rig\n",
    SINEW_ERR_SCRIPT,
    { "rig.lua: ", "the rig was closed" } },
  { "an error without a place", "error('stop', 0)\n", SINEW_ERR_SCRIPT, { "rig.lua: stop", "" } },
  { "an error that is no text", "error({})\n", SINEW_ERR_SCRIPT, { "rig.lua:1: ", "a table" } },
  { "no text at all", "\x1bLua", SINEW_ERR_FILE, { "rig.lua", "bytecode" } },
  { "a module that is not there",
    "require 'parts.leg'\n" DOOR,
    SINEW_ERR_SCRIPT,
    { "rig.lua:1: ", "parts.leg" } },
};
enum { bad_count = sizeof bad_scripts / sizeof *bad_scripts };

MU_TEST(host_keeps_the_old_rig_when_a_script_is_wrong) {
  for (int i = 0; i < bad_count; i++) {
    const struct bad *bad = &bad_scripts[i];
    MU_CHECK(begin_with(DOOR));
    set("hinge.turn", 30);
    const sinew_rig *old = sinew_host_rig(host);
    save("rig.lua", bad->text);
    MU_CHECK_SAY(settle() == SINEW_HOST_FAILED, "%s was taken", bad->name);
    MU_CHECK_SAY(error.status == bad->status, "%s gives status %s: %s", bad->name,
                 sinew_status_name(error.status), error.text);
    for (int p = 0; p < 2; p++)
      MU_CHECK_SAY(strstr(error.text, bad->parts[p]), "%s says\n    %s\n  without\n    %s",
                   bad->name, error.text, bad->parts[p]);
    /* each line names the file once */
    for (const char *at = error.text; (at = strstr(at, "rig.lua: ")); at++)
      MU_CHECK_SAY(!strstr(at + 1, "rig.lua:"), "%s says %s", bad->name, error.text);
    MU_CHECK(sinew_host_rig(host) == old);
    MU_INT(eval(), SINEW_OK);
    MU_NEAR(leaf_sine(), 0.5, 1e-6);
    /* it is not loaded again until it changes, and then a good one is accepted */
    MU_INT(look(), SINEW_HOST_SAME);
    save("rig.lua", DOOR "\n");
    MU_CHECK_SAY(settle() == SINEW_HOST_RELOADED, "after %s: %s", bad->name, error.text);
    MU_NEAR(get("hinge.turn"), 30, 0);
    END();
  }
}

MU_TEST(host_accepts_null_for_the_error) {
  MU_CHECK(begin_with(DOOR));
  for (int i = 0; i < bad_count; i++) {
    save("rig.lua", bad_scripts[i].text);
    MU_CHECK(sinew_host_load(host, scratch_path("rig.lua"), NULL) < 0);
  }
  save("rig.lua", SCRIPTED("if angle > 1 then error('far') end return angle"));
  MU_INT(sinew_host_load(host, scratch_path("rig.lua"), NULL), SINEW_OK);
  set("hinge.turn", 2);
  MU_CHECK(sinew_host_eval(host, sinew_host_pose(host), NULL) < 0);
  unlink(scratch_path("rig.lua"));
  now += 1;
  MU_INT(sinew_host_poll(host, now, NULL), SINEW_HOST_WAITING);
  save("rig.lua", "return nil");
  for (int i = 0; i < 4; i++) now += 1, sinew_host_poll(host, now, NULL);
  MU_CHECK(sinew_host_rig(host));
  END();
}

MU_TEST(host_keeps_the_rig_and_names_a_deleted_file) {
  MU_CHECK(begin_with(DOOR));
  const sinew_rig *old = sinew_host_rig(host);
  MU_INT(look(), SINEW_HOST_SAME);
  unlink(scratch_path("rig.lua"));
  for (int i = 0; i < 50; i++) {
    MU_INT(look(), SINEW_HOST_WAITING);
    MU_FAILS(error.status, SINEW_ERR_FILE, "rig.lua: cannot open: No such file or directory");
  }
  MU_INT(symlink("nowhere", scratch_path("rig.lua")), 0);
  MU_INT(look(), SINEW_HOST_WAITING);
  MU_HAS(error.text, "rig.lua: cannot open: No such file or directory");
  unlink(scratch_path("rig.lua"));
  MU_INT(symlink("rig.lua", scratch_path("rig.lua")), 0);
  MU_INT(look(), SINEW_HOST_WAITING);
  MU_HAS(error.text, "rig.lua: cannot open: Too many levels of symbolic links");
  unlink(scratch_path("rig.lua"));
  save("rig.lua", "");
  MU_INT(look(), SINEW_HOST_WAITING);
  MU_HAS(error.text, "rig.lua: file is empty");
  MU_CHECK(sinew_host_rig(host) == old);
  MU_INT(eval(), SINEW_OK);
  save("rig.lua", HEAD DOF "rig:segment 'knob'\n" TAIL);
  MU_INT(settle(), SINEW_HOST_RELOADED);
  MU_INT(sinew_rig_segment_count(sinew_host_rig(host)), 3);
  MU_TEXT(error.text, "");
  END();
}

/* each is tried once, not again and again */
MU_TEST(host_keeps_the_rig_while_its_file_is_something_else) {
  MU_CHECK(begin_with(DOOR));
  const sinew_rig *old = sinew_host_rig(host);
  const char *path = scratch_path("rig.lua");
  for (int kind = 0; kind < 4; kind++) {
    unlink(path);
    if (kind == 0) MU_INT(mkdir(path, 0700), 0);
    if (kind == 1) MU_INT(mkfifo(path, 0600), 0);
    if (kind == 2) MU_INT(symlink("/dev/zero", path), 0);
    if (kind == 3) { /* too large */
      save("rig.lua", "-");
      MU_INT(truncate(path, 2000000), 0);
    }
    MU_INT(settle(), SINEW_HOST_FAILED);
    MU_HAS(error.text, kind == 3 ? "too large for a script" : "rig.lua' is not a file");
    for (int i = 0; i < 100; i++) MU_INT(look(), SINEW_HOST_SAME);
    MU_CHECK(sinew_host_rig(host) == old);
    MU_INT(eval(), SINEW_OK);
    if (kind == 0) rmdir(path);
  }
  unlink(path);
  save("rig.lua", HEAD DOF "rig:segment 'knob'\n" TAIL);
  MU_INT(settle(), SINEW_HOST_RELOADED);
  MU_INT(sinew_rig_segment_count(sinew_host_rig(host)), 3);
  END();
}

/* as another user, for root reads everything */
static int unreadable(void) {
  if (setgid(65534) != 0 || setuid(65534) != 0) return 0;
  if (!begin_with(DOOR)) return 1;
  if (chmod(scratch_path("rig.lua"), 0) != 0) return 2;
  if (settle() != SINEW_HOST_FAILED || !strstr(error.text, "rig.lua': Permission denied")) return 3;
  for (int i = 0; i < 100; i++)
    if (look() != SINEW_HOST_SAME) return 4;
  if (eval() != SINEW_OK) return 5;
  if (chmod(scratch_path("rig.lua"), 0600) != 0) return 6;
  if (settle() != SINEW_HOST_RELOADED) return 7;
  if (chmod(scratch_path(""), 0) != 0) return 8;
  if (look() != SINEW_HOST_WAITING || !strstr(error.text, "cannot open: Permission denied"))
    return 9;
  if (chmod(scratch_path(""), 0700) != 0) return 10;
  if (look() != SINEW_HOST_SAME || eval() != SINEW_OK) return 11;
  sinew_host_destroy(host);
  scratch_close();
  return 0;
}

MU_TEST(host_keeps_the_rig_while_it_may_not_be_read) {
  pid_t child = fork();
  if (child == 0) _exit(unreadable());
  int status = 1;
  MU_CHECK(waitpid(child, &status, 0) == child);
  MU_CHECK(WIFEXITED(status));
  MU_INT(WEXITSTATUS(status), 0);
}

MU_TEST(host_reloads_when_a_file_is_renamed_over) {
  MU_CHECK(begin_with(DOOR));
  set("hinge.turn", -45);
  MU_INT(look(), SINEW_HOST_SAME);
  save("rig.lua.new", HEAD DOF "rig:segment 'knob'\n" TAIL);
  MU_INT(look(), SINEW_HOST_SAME);
  rename(scratch_path("rig.lua.new"), scratch_path("rig.lua"));
  MU_INT(look(), SINEW_HOST_WAITING);
  MU_TEXT(error.text, "");
  MU_INT(look(), SINEW_HOST_RELOADED);
  MU_INT(sinew_rig_segment_count(sinew_host_rig(host)), 3);
  MU_NEAR(get("hinge.turn"), -45, 0);
  MU_NEAR(leaf_sine(), -sqrt(0.5), 1e-6);
  MU_INT(look(), SINEW_HOST_SAME);
  END();
}

MU_TEST(host_does_not_load_a_half_written_script) {
  MU_CHECK(begin_with(DOOR));
  static const char whole[] = DOOR "--[[ the last piece ]]\n";
  for (size_t length = 0; length < sizeof whole - 1; length += 16) {
    char piece[sizeof whole] = "";
    memcpy(piece, whole, length);
    save("rig.lua", piece);
    if (look() != SINEW_HOST_WAITING)
      MU_CHECK(now - 100 > 1); /* the watch stops waiting after a second */
    if (now - 100 > 0.8) break;
  }
  save("rig.lua", whole);
  MU_INT(look(), SINEW_HOST_WAITING);
  MU_INT(look(), SINEW_HOST_RELOADED);
  END();
}

/* a text cut after a statement is valid Lua, but returns no rig */
MU_TEST(host_refuses_a_truncated_script) {
  MU_CHECK(begin_with(DOOR));
  save("rig.lua", HEAD DOF);
  MU_INT(settle(), SINEW_HOST_FAILED);
  MU_HAS(error.text, "returns nothing");
  MU_CHECK(sinew_host_rig(host));
  END();
}

MU_TEST(host_reloads_when_a_required_module_changes) {
  MU_CHECK(begin());
  scratch_folder("parts");
  save("parts/widths.lua", "return { leaf = 1 }");
  save("parts/sizes.lua", "return { width = require('parts.widths').leaf }");
  save("rig.lua", "local sizes = require 'parts.sizes'\n" HEAD DOF
                  "rig:segment('knob', { parent = leaf, at = {sizes.width, 0, 0} })\n" TAIL);
  MU_INT(sinew_host_load(host, scratch_path("rig.lua"), &error), SINEW_OK);
  MU_INT(sinew_host_file_count(host), 3);
  set("hinge.turn", 10);

  save("parts/widths.lua", "return { leaf = 2 }");
  MU_INT(settle(), SINEW_HOST_RELOADED);
  sinew_segment knob = sinew_rig_find_segment(sinew_host_rig(host), "knob", NULL);
  MU_NEAR(sinew_rig_segment_info(sinew_host_rig(host), knob).rest[12], 2, 0);
  MU_NEAR(get("hinge.turn"), 10, 0);

  /* a mistake in a module is reported with its own place, and fixing the module is enough */
  save("parts/widths.lua", "return {\n  leaf = = 3 }");
  MU_INT(settle(), SINEW_HOST_FAILED);
  MU_HAS(error.text, "widths.lua:2: ");
  MU_CHECK(!strstr(error.text, "rig.lua: "));
  save("parts/widths.lua", "return { leaf = 3 }");
  MU_INT(settle(), SINEW_HOST_RELOADED);

  unlink(scratch_path("parts/widths.lua"));
  MU_INT(look(), SINEW_HOST_WAITING);
  MU_HAS(error.text, "widths.lua: cannot open: No such file");
  /* what is no longer required is no longer watched */
  save("parts/sizes.lua", "return { width = 4 }");
  MU_INT(settle(), SINEW_HOST_RELOADED);
  MU_INT(sinew_host_file_count(host), 2);
  save("parts/widths.lua", "return 'nobody reads this'");
  MU_INT(settle(), SINEW_HOST_SAME);
  END();
}

MU_TEST(host_carries_dof_values_over_by_name) {
  MU_CHECK(begin_with(HEAD DOF "hinge:dof('lift', { min = 0, max = 2, rest = 1 })\n"
                               "hinge:dof('gone', { min = 0, max = 1 })\n" TAIL));
  set("hinge.turn", 80);
  set("hinge.lift", 1.5f);
  set("hinge.gone", 1);
  /* another order, another range, a new DOF, one removed */
  save("rig.lua", HEAD "hinge:dof('fresh', { min = 3, max = 5 })\n"
                       "hinge:dof('lift', { min = 0, max = 2, rest = 1 })\n"
                       "local turn = hinge:dof('turn', { min = -60, max = 60 })\n" TAIL);
  MU_INT(settle(), SINEW_HOST_RELOADED);
  MU_NEAR(get("hinge.turn"), 60, 0);
  MU_NEAR(get("hinge.lift"), 1.5, 0);
  MU_NEAR(get("hinge.fresh"), 3, 0);
  MU_CHECK(!sinew_rig_find_dof(sinew_host_rig(host), "hinge.gone", NULL).id);
  MU_NEAR(leaf_sine(), sin(60 * 3.14159265358979 / 180), 1e-6);
  END();
}

MU_TEST(host_refuses_a_reload_that_fails_at_the_current_pose) {
  MU_CHECK(begin_with(DOOR));
  set("hinge.turn", 80);
  eval();
  save("rig.lua", SCRIPTED("if angle > 70 then error 'too far' end return angle"));
  MU_INT(settle(), SINEW_HOST_FAILED);
  MU_HAS(error.text, "rig.lua:11: component 'hinge.own1' (own): too far");
  MU_NEAR(get("hinge.turn"), 80, 0);
  MU_NEAR(leaf_sine(), sin(80 * 3.14159265358979 / 180), 1e-6);
  END();
}

MU_TEST(host_waits_with_an_empty_rig_for_a_first_load_that_failed) {
  MU_CHECK(begin());
  save("rig.lua", "return nothing.at.all\n");
  MU_CHECK(sinew_host_load(host, scratch_path("rig.lua"), &error) < 0);
  MU_CHECK(!sinew_host_rig(host));
  MU_INT(sinew_host_wait(host, &error), SINEW_OK);
  MU_INT(sinew_rig_segment_count(sinew_host_rig(host)), 0);
  MU_INT(eval(), SINEW_OK);
  MU_HAS(sinew_host_path(host), "rig.lua");
  MU_INT(settle(), SINEW_HOST_SAME);
  save("rig.lua", "return nothing\n");
  MU_INT(settle(), SINEW_HOST_FAILED);
  MU_INT(sinew_rig_segment_count(sinew_host_rig(host)), 0);
  save("rig.lua", DOOR);
  MU_INT(settle(), SINEW_HOST_RELOADED);
  set("hinge.turn", 30);
  MU_INT(eval(), SINEW_OK);
  MU_NEAR(leaf_sine(), 0.5, 1e-6);
  /* of a good rig it is no change */
  MU_INT(sinew_host_wait(host, &error), SINEW_OK);
  MU_NEAR(leaf_sine(), 0.5, 1e-6);
  END();
}

MU_TEST(host_switches_to_another_script) {
  MU_CHECK(begin_with(DOOR));
  save("other.lua", "--\n" DOOR);
  save("broken.lua", "return 1");
  set("hinge.turn", 30);
  MU_INT(sinew_host_load(host, scratch_path("other.lua"), &error), SINEW_OK);
  MU_NEAR(get("hinge.turn"), 0, 0); /* the pose of another rig is not its own */
  set("hinge.turn", 30);
  save("rig.lua", "return 'nobody reads this'");
  MU_INT(settle(), SINEW_HOST_SAME);
  MU_CHECK(sinew_host_load(host, scratch_path("broken.lua"), &error) < 0);
  MU_CHECK(sinew_host_load(host, scratch_path("gone.lua"), &error) < 0);
  /* the rig before stays, with its path and its files */
  MU_TEXT(sinew_host_file(host, 0), scratch_path("other.lua"));
  MU_TEXT(sinew_host_path(host), scratch_path("other.lua"));
  save("broken.lua", "-- mended\n" DOOR);
  MU_INT(settle(), SINEW_HOST_SAME);
  save("other.lua", "-- again\n" DOOR);
  MU_INT(settle(), SINEW_HOST_RELOADED);
  MU_NEAR(get("hinge.turn"), 30, 0);
  MU_INT(sinew_host_load(host, scratch_path("broken.lua"), &error), SINEW_OK);
  MU_TEXT(sinew_host_path(host), scratch_path("broken.lua"));
  MU_NEAR(get("hinge.turn"), 0, 0);
  END();
}

MU_SLOW_TEST(host_stops_an_endless_evaluation_and_keeps_the_last_good_pose) {
  MU_CHECK_SAY(begin_with(SCRIPTED("while angle > 40 do end return angle")), "%s", error.text);
  set("hinge.turn", 30);
  MU_INT(eval(), SINEW_OK);
  for (int i = 0; i < 3; i++) {
    set("hinge.turn", 50 + (float)i);
    MU_CHECK(eval() < 0);
    MU_HAS(error.text, "rig.lua:11: stopped: one evaluation took more than 1000000 instructions");
    MU_HAS(error.text, "component 'hinge.own1' (own)");
    MU_NEAR(leaf_sine(), 0.5, 1e-6);
    MU_NEAR(get("hinge.turn"), 50 + i, 0);
  }
  /* each evaluation has its own budget */
  set("hinge.turn", -30);
  MU_INT(eval(), SINEW_OK);
  MU_NEAR(leaf_sine(), -0.5, 1e-6);
  END();
}

static void *cancel_load(void *user) {
  while (sinew_host_progress(user).work < 100000) {
  }
  sinew_host_cancel(user);
  return NULL;
}

MU_TEST(another_thread_cancels_a_load) {
  sinew_host_desc desc = sinew_default_host_desc();
  desc.load_seconds = 600;
  desc.load_instructions = INT64_MAX / 4;
  MU_CHECK(begin_with(DOOR));
  const sinew_rig *rig = sinew_host_rig(host);
  sinew_host_cancel(host); /* nothing runs */
  sinew_host *other = MU_MADE(sinew_host_create(&desc, &error));
  MU_INT(sinew_host_load(other, scratch_path("rig.lua"), &error), SINEW_OK);
  save("rig.lua", HEAD "while true do pcall(function() while true do end end) end\n" TAIL);
  sinew_host_cancel(other);
  const sinew_rig *before = sinew_host_rig(other);
  pthread_t thread;
  pthread_create(&thread, NULL, cancel_load, other);
  sinew_status status = sinew_host_load(other, scratch_path("rig.lua"), &error);
  pthread_join(thread, NULL);
  MU_FAILS(status, SINEW_ERR_CANCELLED, "loading was cancelled");
  MU_CHECK(sinew_host_rig(other) == before && sinew_host_rig(host) == rig);
  MU_INT(sinew_host_eval(other, sinew_host_pose(other), &error), SINEW_OK);
  sinew_host_destroy(other);
  END();
}

MU_SLOW_TEST(host_gives_each_evaluation_the_whole_budget) {
  /* about 600000 instructions, of 1000000 */
  MU_CHECK(begin_with(SCRIPTED("for i = 1, 200000 do angle = angle + 0 end return angle")));
  for (int i = 0; i < 20; i++) {
    set("hinge.turn", (float)i);
    MU_INT(eval(), SINEW_OK);
  }
  END();
}

/* every way in which a C program evaluates scripted components without sinew_host_eval */
typedef struct callers {
  sinew_pose *pose;
  sinew_batch *batch;
  sinew_tangent *tangent;
  sinew_solver *solver;
} callers;

enum { caller_count = 5 };

static bool callers_begin(callers *c) {
  const sinew_rig *rig = sinew_host_rig(host);
  sinew_goal goal = sinew_default_goal(SINEW_GOAL_POINT, sinew_rig_find_segment(rig, "leaf", NULL));
  goal.point[0] = 1;
  goal.target[0] = 2;
  sinew_solver_desc desc = { .size = sizeof desc, .goals = &goal, .goal_count = 1 };
  *c = (callers){ .pose = sinew_pose_create(rig, &error),
                  .batch = sinew_batch_create(rig, NULL, &error),
                  .tangent = sinew_tangent_create(rig, NULL, &error),
                  .solver = sinew_solver_create(rig, &desc, &error) };
  return c->pose && c->batch && c->tangent && c->solver;
}

static void callers_end(callers *c) {
  sinew_pose_destroy(c->pose);
  sinew_batch_destroy(c->batch);
  sinew_tangent_destroy(c->tangent);
  sinew_solver_destroy(c->solver);
}

static sinew_status call_once(callers *c, int way, float angle) {
  const sinew_rig *rig = sinew_host_rig(host);
  float worlds[2 * 16];
  sinew_pose_set(c->pose, sinew_rig_dof(rig, 0), angle, NULL);
  sinew_solve_options options = sinew_default_solve_options();
  options.iterations = 2;
  switch (way) {
  case 0: return sinew_pose_eval(c->pose, &error);
  case 1: return sinew_pose_repeat_steps(c->pose, 0, sinew_rig_step_count(rig), &error);
  case 2: return sinew_batch_eval(c->batch, &angle, 1, worlds, &error);
  case 3: return sinew_tangent_eval(c->tangent, c->pose, &error);
  default: return sinew_solver_solve(c->solver, c->pose, &options, NULL, &error);
  }
}

static void call_often(const char *text, double seconds, int times) {
  sinew_host_desc desc = patient_host_desc();
  desc.eval_seconds = seconds;
  desc.eval_instructions = 1000000;
  blocks_before = sinew_live_blocks();
  MU_CHECK(scratch_open() && (host = sinew_host_create(&desc, &error)));
  save("rig.lua", text);
  MU_OK(sinew_host_load(host, scratch_path("rig.lua"), &error));
  callers c;
  MU_CHECK(callers_begin(&c));
  for (int way = 0; way < caller_count; way++)
    for (int i = 0; i < times; i++) {
      sinew_status status = call_once(&c, way, (float)(i % 40));
      if (status < 0) {
        MU_TEXT(error.text, "");
        MU_INT(way, -1);
        break;
      }
    }
  callers_end(&c);
  END();
}

MU_SLOW_TEST(host_gives_each_call_of_a_c_program_the_whole_budget) {
  /* about 60000 instructions, of 1000000 */
  call_often(SCRIPTED("for i = 1, 20000 do angle = angle + 0 end return angle"), 600, 20);
  call_often(SCRIPTED("for i = 1, 2000 do angle = angle + 0 end return angle end, tangent = 'dual',"
                      " mirror = function() return {}"),
             600, 200);
  /* any two clock readings are a nanosecond apart; one call reads the clock at most once */
  call_often(SCRIPTED("return angle / 2"), 1e-9, 20000);
}

MU_SLOW_TEST(host_stops_an_endless_call_of_a_c_program) {
  MU_CHECK_SAY(begin_with(SCRIPTED("while angle > 40 do end return angle")), "%s", error.text);
  callers c;
  MU_CHECK(callers_begin(&c));
  for (int way = 0; way < caller_count; way++) {
    MU_INT(call_once(&c, way, 30), SINEW_OK);
    MU_CHECK(call_once(&c, way, 50) < 0);
    MU_HAS(error.text, "rig.lua:11: stopped: one evaluation took more than 1000000 instructions");
    MU_HAS(error.text, "component 'hinge.own1' (own)");
  }
  callers_end(&c);
  END();
}

MU_TEST(host_keeps_the_last_good_pose_when_a_script_returns_nan) {
  MU_CHECK(begin_with(SCRIPTED("return angle < 40 and angle or 0/0")));
  set("hinge.turn", 30);
  MU_INT(eval(), SINEW_OK);
  set("hinge.turn", 45);
  MU_INT(eval(), SINEW_ERR_SCRIPT);
  MU_HAS(error.text, "rig.lua:11: component 'hinge.own1' (own): output 'angle' is not finite");
  MU_NEAR(leaf_sine(), 0.5, 1e-6);
  END();
}

/* memory kept by scripted components counts against the script's limit */
MU_TEST(host_stops_an_evaluation_that_exceeds_its_memory) {
  /* random numbers keep it in Lua */
  MU_CHECK(begin_with("local hoard = {}\n" SCRIPTED(
      "angle = angle + 0 * math.random() "
      "if angle > 0 then for i = 1, 1000 do hoard[#hoard + 1] = {i, i, i, i} end end "
      "return angle")));
  int good = 0;
  for (; good < 5000; good++) {
    set("hinge.turn", 1 + (float)(good % 80));
    if (eval() < 0) break;
  }
  MU_HAS(error.text, "bytes of memory");
  MU_CHECK(good > 20);
  /* the script keeps it: only a reload frees it */
  set("hinge.turn", 88);
  MU_CHECK(eval() < 0);
  save("rig.lua", DOOR);
  MU_INT(settle(), SINEW_HOST_RELOADED);
  MU_INT(eval(), SINEW_OK);
  END();
}

MU_TEST(host_evaluates_other_poses_of_its_rig) {
  MU_CHECK(begin_with(SCRIPTED("return angle / 2")));
  sinew_pose *mine = sinew_pose_create(sinew_host_rig(host), &error);
  sinew_pose_set(mine, sinew_rig_dof(sinew_host_rig(host), 0), 60, NULL);
  MU_INT(sinew_host_eval(host, mine, &error), SINEW_OK);
  sinew_segment leaf = sinew_rig_find_segment(sinew_host_rig(host), "leaf", NULL);
  MU_NEAR(sinew_pose_world(mine, leaf)[8], 0.5, 1e-6);
  MU_NEAR(leaf_sine(), 0, 0);
  save("rig.lua", DOOR);
  MU_INT(settle(), SINEW_HOST_RELOADED);
  sinew_pose_destroy(mine);
  END();
}

/* bytes allocated by malloc, including Lua and the C library */
static size_t heap_bytes(void) {
#if defined(__GLIBC__)
  return mallinfo2().uordblks;
#else
  return 0;
#endif
}

MU_TEST(host_leaks_nothing_in_a_thousand_reloads) {
  MU_CHECK(begin());
  static const char *const texts[] = {
    SCRIPTED("return angle / 2"),
    HEAD "error 'broken'\n",
    "local part = require 'part'\n" SCRIPTED("return angle * 2"),
    HEAD DOF "rig:segment 'knob'\nfor i = 1, 50 do local p = rig:pose() end\n" TAIL,
    SCRIPTED("return nothing + angle"),
    "syntax error",
  };
  save("part.lua", "return { 'a part' }");
  save("rig.lua", DOOR);
  MU_INT(sinew_host_load(host, scratch_path("rig.lua"), &error), SINEW_OK);
  int reloaded = 0, failed = 0, rounds = mu_rounds(1000);
  size_t blocks = 0, bytes = 0, heap = 0;
  for (int i = 0; i < rounds; i++) {
    save("rig.lua", texts[i % 6]);
    sinew_host_news news = settle();
    reloaded += news == SINEW_HOST_RELOADED;
    failed += news == SINEW_HOST_FAILED;
    if (sinew_host_rig(host)) eval();
    if (i % 6 != 5) continue;
    /* after every six scripts the same rig is loaded */
    if (i == 5 + 6 * (rounds / 60)) {
      blocks = sinew_live_blocks();
      bytes = sinew_live_bytes();
      heap = heap_bytes();
    } else if (blocks) {
      MU_INT(sinew_live_blocks(), blocks);
      MU_CHECK(sinew_live_bytes() <= bytes + 65536);
      MU_CHECK_SAY(heap_bytes() <= heap + 65536, "reload %d: %zu bytes, %zu at first", i,
                   heap_bytes(), heap);
    }
  }
  MU_INT(reloaded + failed, rounds);
  MU_CHECK(reloaded > 0 && failed > 0);
  END();
}

/* loads a rig with the n-th allocation failing, for every n until it succeeds */
static void load_with_failing_allocations(const char *text) {
  size_t before = sinew_live_blocks();
  MU_CHECK(scratch_open());
  save("rig.lua", text);
  sinew_host_desc desc = patient_host_desc();
  static const char *const chosen[] = { "leaf=false", "side=left" };
  if (strstr(text, "sinew.options")) desc.options = chosen, desc.option_count = 2;
  bool done = patient_host_survives(&desc, scratch_path("rig.lua"), NULL, &error);
  scratch_close();
  MU_CHECK_SAY(done, "%s", error.text);
  MU_INT(sinew_live_blocks() - before, 0);
}

MU_TEST(host_survives_every_failing_allocation) {
  load_with_failing_allocations(SCRIPTED("return angle / 2"));
}

/* a door with options */
#define CHOICES                                                                                    \
  "local o = require 'sinew'.options { leaf = true, side = { 'right', 'left', doc = 'of it' },\n"  \
  "  wide = { 1, min = 0.5 } }\n" HEAD DOF                                                         \
  "if o.leaf then rig:segment('x', { at = { o.wide, 0, 0 } }) end\n"                               \
  "rig:segment(o.side)\n" TAIL

MU_TEST(host_survives_every_failing_allocation_with_options) {
  load_with_failing_allocations(CHOICES);
}

static bool has_segment(const char *name) {
  return sinew_rig_find_segment(sinew_host_rig(host), name, NULL).id != 0;
}

MU_TEST(host_builds_with_the_options_that_are_chosen) {
  MU_CHECK(begin_with(CHOICES));
  MU_INT(sinew_host_option_count(host), 3);
  sinew_host_option side = sinew_host_option_info(host, 1);
  MU_TEXT(side.name, "side");
  MU_TEXT(side.value, "right");
  MU_TEXT(side.allowed, "right|left");
  MU_TEXT(side.doc, "of it");
  MU_CHECK(!side.number && sinew_host_option_info(host, 2).number);
  MU_TEXT(sinew_host_option_info(host, 2).allowed, "0.5 or more");
  MU_CHECK(has_segment("right") && has_segment("x"));
  set("hinge.turn", 30);
  MU_OK(sinew_host_choose(host, "side", "left", &error));
  MU_OK(sinew_host_choose(host, "leaf", "false", &error));
  MU_CHECK(has_segment("left") && !has_segment("right") && !has_segment("x"));
  MU_NEAR(get("hinge.turn"), 30, 0);
  MU_TEXT(sinew_host_option_info(host, 1).value, "left");
  MU_TEXT(sinew_host_option_info(host, 1).initial, "right");
  /* a wrong choice changes nothing */
  MU_INT(sinew_host_choose(host, "side", "lft", &error), SINEW_ERR_SCRIPT);
  MU_CHECK(strstr(error.text, "did you mean 'left'?"));
  MU_INT(sinew_host_choose(host, "sid", "left", &error), SINEW_ERR_SCRIPT);
  MU_CHECK(strstr(error.text, "no option 'sid' (did you mean 'side'?)"));
  MU_CHECK(has_segment("left"));
  /* nor is it forgotten by a reload; another script has its own */
  save("rig.lua", CHOICES "\n");
  MU_INT(settle(), SINEW_HOST_RELOADED);
  MU_CHECK(has_segment("left"));
  save("other.lua", DOOR);
  MU_OK(sinew_host_load(host, scratch_path("other.lua"), &error));
  MU_INT(sinew_host_option_count(host), 0);
  END();
}

/* --- in the background: the tests set the time, the thread needs some of its own */

/* a host that loads in the background, with this script loading */
static bool begin_aside(const char *text) {
  sinew_host_desc desc = sinew_default_host_desc();
  if (!begin()) return false;
  sinew_host_destroy(host);
  desc.load_seconds = 600;
  desc.load_instructions = INT64_MAX / 4;
  desc.background = true;
  host = sinew_host_create(&desc, &error);
  save("rig.lua", text);
  return host && sinew_host_load(host, scratch_path("rig.lua"), &error) >= 0;
}

/* what the load in the background ends with */
static sinew_host_news ending(void) {
  sinew_host_news news = SINEW_HOST_LOADING;
  while (news == SINEW_HOST_LOADING) {
    nanosleep(&(struct timespec){ .tv_nsec = 200000 }, NULL);
    news = look();
  }
  return news;
}

/* until the load in the background has begun */
static bool starting(void) {
  for (int i = 0; i < 1000; i++) {
    sinew_host_news news = look();
    if (news != SINEW_HOST_SAME && news != SINEW_HOST_WAITING) return news == SINEW_HOST_LOADING;
  }
  return false;
}

#define ENDLESS HEAD "while true do end\n" TAIL

MU_TEST(a_load_in_the_background_keeps_the_old_rig_until_it_ends) {
  MU_CHECK(begin_aside(DOOR));
  MU_CHECK(!sinew_host_rig(host));
  MU_OK(sinew_host_wait(host, &error)); /* meanwhile */
  MU_INT(sinew_rig_segment_count(sinew_host_rig(host)), 0);
  MU_INT(ending(), SINEW_HOST_RELOADED);
  MU_INT(sinew_rig_segment_count(sinew_host_rig(host)), 2);
  MU_TEXT(sinew_host_path(host), scratch_path("rig.lua"));
  MU_INT(settle(), SINEW_HOST_SAME);
  set("hinge.turn", 10);
  save("rig.lua", ENDLESS);
  MU_CHECK(starting());
  /* the rig before goes on, and its DOFs carry over as they are at the end */
  for (int i = 0; i < 50; i++) {
    set("hinge.turn", (float)i);
    MU_OK(eval());
    MU_INT(look(), SINEW_HOST_LOADING);
  }
  while (sinew_host_progress(host).work < 1000) {
  }
  MU_CHECK(sinew_host_progress(host).work > 0);
  save("rig.lua", "--\n" DOOR); /* another save ends the endless one */
  MU_INT(ending(), SINEW_HOST_RELOADED);
  MU_NEAR(get("hinge.turn"), 49, 0);
  MU_OK(eval());
  save("rig.lua", "return 1");

  MU_CHECK(starting());
  MU_INT(ending(), SINEW_HOST_FAILED);
  MU_HAS(error.text, "must return its rig");
  MU_OK(eval());
  END();
}

MU_TEST(a_load_in_the_background_is_cancelled) {
  MU_CHECK(begin_aside(DOOR));
  MU_INT(ending(), SINEW_HOST_RELOADED);
  const sinew_rig *rig = sinew_host_rig(host);
  /* of another path: the one before stays, and is watched */
  save("other.lua", ENDLESS);
  MU_OK(sinew_host_load(host, scratch_path("other.lua"), &error));
  MU_INT(look(), SINEW_HOST_LOADING);
  sinew_host_cancel(host);
  MU_INT(ending(), SINEW_HOST_FAILED);
  MU_INT(error.status, SINEW_ERR_CANCELLED);
  MU_TEXT(sinew_host_path(host), scratch_path("rig.lua"));
  MU_CHECK(sinew_host_rig(host) == rig);
  MU_INT(settle(), SINEW_HOST_SAME);
  /* of the same path: the next save loads it */
  save("rig.lua", ENDLESS);
  MU_CHECK(starting());
  sinew_host_cancel(host);
  MU_INT(ending(), SINEW_HOST_FAILED);
  MU_INT(error.status, SINEW_ERR_CANCELLED);
  MU_CHECK(sinew_host_rig(host) == rig);
  MU_INT(settle(), SINEW_HOST_SAME);
  save("rig.lua", "--\n" DOOR);
  MU_CHECK(starting());
  MU_INT(ending(), SINEW_HOST_RELOADED);
  /* another load ends one that runs, and so does the end of the host */
  MU_OK(sinew_host_load(host, scratch_path("other.lua"), &error));
  MU_OK(sinew_host_load(host, scratch_path("rig.lua"), &error));
  MU_INT(ending(), SINEW_HOST_RELOADED);
  MU_OK(sinew_host_load(host, scratch_path("other.lua"), &error));
  END();
}

MU_TEST(a_longer_time_to_load_has_more_instructions) {
  sinew_host_desc desc = sinew_default_host_desc();
  sinew_host_desc_load_time(&desc, 2 * desc.load_seconds);
  MU_NEAR(desc.load_seconds, 10, 0);
  MU_CHECK(desc.load_instructions == 2 * sinew_default_host_desc().load_instructions);
  sinew_host_desc_load_time(&desc, INFINITY);
  MU_NEAR(desc.load_seconds, 1e7, 0);
  MU_CHECK(desc.load_instructions == 200000000000000);
}

MU_TEST(options_are_chosen_in_the_background) {
  MU_CHECK(begin_aside(CHOICES));
  MU_INT(ending(), SINEW_HOST_RELOADED);
  MU_OK(sinew_host_choose(host, "side", "left", &error));
  MU_CHECK(has_segment("right"));
  MU_INT(ending(), SINEW_HOST_RELOADED);
  MU_CHECK(has_segment("left") && !has_segment("right"));
  MU_OK(sinew_host_choose(host, "side", "lft", &error));
  MU_INT(ending(), SINEW_HOST_FAILED);
  MU_HAS(error.text, "did you mean 'left'?");
  MU_TEXT(sinew_host_option_info(host, 1).value, "left");
  save("rig.lua", CHOICES "\n");
  MU_CHECK(starting());
  MU_INT(ending(), SINEW_HOST_RELOADED);
  MU_CHECK(has_segment("left"));
  END();
}

#define MESHES                                                                                     \
  "local sinew = require 'sinew'\n"                                                                \
  "local rig, mesh = sinew.rig 'r', sinew.mesh\n"                                                  \
  "local ball = mesh.ball(12, 7, { 0, 1, 0 }, { 1, 2, 1 })\n"                                      \
  "local tube = mesh.tube({ { 0, 0, 0 }, { 1, 0, 0 } }, 2, { 1, 1, 2, 2, 1, 1 }, 9,\n"             \
  "  { 0, 1, 0 }, 1)\n"                                                                            \
  "local both = mesh.merge { ball, { vertices = tube.vertices, triangles = tube.triangles,\n"      \
  "  normals = tube.normals }, ball:mirrored(), tube:placed(sinew.mat4()) }\n"                     \
  "rig:segment('one', { shape = { mesh = both } })\n"                                              \
  "rig:segment('two', { shape = { mesh = tube } })\n"                                              \
  "rig:segment('three', { shape = { vertices = tube.vertices, normals = tube.normals,\n"           \
  "  triangles = tube.triangles } })\n"                                                            \
  "return rig\n"

MU_TEST(host_survives_every_failing_allocation_with_meshes) {
  load_with_failing_allocations(MESHES);
}

MU_TEST(host_reads_a_mesh_object_like_lists) {
  MU_CHECK(begin());
  save("rig.lua", MESHES);
  MU_OK(sinew_host_load(host, scratch_path("rig.lua"), &error));
  MU_INT(sinew_host_shape(host, (sinew_segment){ 1 }).vertex_count, 2 * (7 * 12 + 2 + 5 * 9 + 2));
  sinew_shape mesh = sinew_host_shape(host, (sinew_segment){ 2 });
  sinew_shape lists = sinew_host_shape(host, (sinew_segment){ 3 });
  MU_INT(mesh.vertex_count, 5 * 9 + 2);
  MU_INT(mesh.triangle_count, 2 * 5 * 9);
  MU_INT(mesh.vertex_count, lists.vertex_count);
  MU_INT(mesh.triangle_count, lists.triangle_count);
  size_t numbers = 3 * (size_t)mesh.vertex_count, indices = 3 * (size_t)mesh.triangle_count;
  MU_CHECK(memcmp(mesh.vertices, lists.vertices, numbers * sizeof(float)) == 0);
  MU_CHECK(memcmp(mesh.normals, lists.normals, numbers * sizeof(float)) == 0);
  MU_CHECK(memcmp(mesh.triangles, lists.triangles, indices * sizeof(uint32_t)) == 0);
  END();
}

#define FILED(file)                                                                                \
  "local rig = require 'sinew'.rig 'r'\n"                                                          \
  "rig:segment('femur', { shape = { file = " file " } })\n"                                        \
  "rig:segment('other', { shape = { file = 'bones/femur.obj', mirrored = true } })\n"              \
  "return rig\n"
#define FEMUR "v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n"

MU_TEST(host_reads_a_mesh_file_beside_the_script_and_watches_it) {
  MU_CHECK(begin());
  scratch_folder("bones");
  save("bones/femur.obj", FEMUR);
  save("rig.lua", FILED("'bones/femur.obj'"));
  MU_OK(sinew_host_load(host, scratch_path("rig.lua"), &error));
  sinew_shape shape = sinew_host_shape(host, (sinew_segment){ 1 });
  MU_INT(shape.vertex_count, 3);
  MU_INT(shape.triangle_count, 1);
  MU_NEAR(shape.vertices[7], 2, 0);
  MU_NEAR(shape.normals[2], 1, 0);
  /* mirrored across x = 0, it still faces outwards */
  shape = sinew_host_shape(host, (sinew_segment){ 2 });
  MU_NEAR(shape.vertices[3], -1, 0);
  MU_INT(shape.triangles[1], 2);
  MU_NEAR(shape.normals[2], 1, 0);
  MU_INT(sinew_host_file_count(host), 2);
  MU_HAS(sinew_host_file(host, 1), "bones/femur.obj");
  save("bones/femur.obj", FEMUR "v 5 5 5\nf 1 2 4\n");
  sinew_host_news news = SINEW_HOST_SAME;
  for (int i = 0; i < 10 && news != SINEW_HOST_RELOADED; i++) news = look();
  MU_INT(news, SINEW_HOST_RELOADED);
  MU_INT(sinew_host_shape(host, (sinew_segment){ 1 }).triangle_count, 2);
  END();
}

MU_TEST(host_refuses_bad_mesh_files_and_files_outside_the_folder) {
  static const struct {
    const char *script, *message;
  } cases[] = {
    { FILED("'/etc/passwd'"), "'femur': its shape's file '/etc/passwd': the file name" },
    { FILED("'../secret.obj'"), "is not allowed" },
    { FILED("'bones/../../secret.obj'"), "is not allowed" },
    { FILED("'./secret.obj'"), "is not allowed" },
    { FILED("'bones//femur.obj'"), "is not allowed" },
    { FILED("'bones/'"), "is not allowed" },
    { FILED("''"), "is not allowed" },
    { FILED("'bones/femur.obj\\0'"), "is not allowed" },
    { FILED("'bones\\\\femur.obj'"), "is not allowed" },
    { FILED("'link.obj'"), "is outside of the folder" },
    { FILED("'away/secret.obj'"), "is outside of the folder" },
    { FILED("'bones/tibia.obj'"), "no file '" },
    { FILED("'bones'"), "is not a file" },
    { FILED("'rig.lua'"), "a mesh file ends with .obj, .glb or .gltf" },
    { FILED("'bones/bad.obj'"), "bones/bad.obj:2: " },
    { FILED("'bones/bad.gltf'"), "bones/bad.gltf:3:" },
    { FILED("5"), "'vertices' must be a list" },
  };
  MU_CHECK(begin());
  scratch_folder("rig");
  scratch_folder("rig/bones");
  scratch_folder("outside");
  save("outside/secret.obj", FEMUR);
  save("rig/bones/femur.obj", FEMUR);
  save("rig/bones/bad.obj", "v 0 0 0\nf 1 2 3\n");
  save("rig/bones/bad.gltf", "{\n\"asset\": {},\n}");
  MU_INT(symlink("../outside/secret.obj", scratch_path("rig/link.obj")), 0);
  MU_INT(symlink("../outside", scratch_path("rig/away")), 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    save("rig/rig.lua", cases[i].script);
    MU_CHECK_SAY(sinew_host_load(host, scratch_path("rig/rig.lua"), &error) < 0, "case %zu", i);
    MU_HAS(error.text, cases[i].message);
    MU_HAS(error.text, "segment 'femur'");
  }
  END();
}

/* draws in the way that the DOF says: fine, wrong, without end */
#define DRAWN                                                                                      \
  HEAD DOF "local Own = sinew.component {\n"                                                       \
           "  name = 'own', inputs = { 'angle' }, outputs = { 'angle' },\n"                        \
           "  eval = function(self, angle) return angle end,\n"                                    \
           "  draw = function(self, canvas, angle)\n"                                              \
           "    canvas:arrow({ 0, 0, 0 }, { angle, 0, 0 }, '#102030')\n"                           \
           "    if angle == 1 then error 'no paint' end\n"                                         \
           "    while angle == 2 do end\n"                                                         \
           "    while angle == 3 do local ok = pcall(string.rep, 'x', 1e9) end\n"                  \
           "  end }\n"                                                                             \
           "turn = hinge:add(Own { turn })\n" TAIL

MU_SLOW_TEST(host_draws_what_a_script_draws_within_the_budget) {
  MU_CHECK(begin_with(DRAWN));
  static sinew_mark marks[SINEW_MARKS];
  static const char *const faults[] = { "component 'hinge.own1': draw: ", "instructions",
                                        "instructions" };
  int count = -1;
  const sinew_rig *rig = sinew_host_rig(host);
  sinew_component own = sinew_rig_find_component(rig, "hinge.own1", NULL);
  sinew_component plain = sinew_rig_find_component(rig, "hinge.rotation1", NULL);
  for (int round = 0; round < 2; round++) {
    set("hinge.turn", 5);
    MU_INT(eval(), SINEW_OK);
    MU_INT(sinew_host_draw(host, sinew_host_pose(host), own, marks, &count, &error), SINEW_OK);
    MU_INT(count, 1);
    MU_INT(marks[0].kind, SINEW_MARK_ARROW);
    MU_INT((int)marks[0].color, SINEW_MARK_COLOR | 0x102030);
    MU_NEAR(marks[0].to[0], 5, 0);
    MU_INT(sinew_host_draw(host, sinew_host_pose(host), plain, marks, &count, &error), SINEW_OK);
    MU_INT(count, 0);
    for (int fault = 1; fault <= 3; fault++) {
      set("hinge.turn", (float)fault);
      MU_INT(eval(), SINEW_OK);
      MU_CHECK(sinew_host_draw(host, sinew_host_pose(host), own, marks, &count, &error) < 0);
      MU_INT(count, 0);
      MU_HAS(error.text, faults[fault - 1]);
      MU_INT(eval(), SINEW_OK);
    }
  }
  END();
}

MU_SUITE(host)

/* Rigs whose script runs in a process of its own: the same rig as in this process, whatever the
 * script does; and a process that crashes, hangs or breaks the protocol costs a reload. */
#include "minunit.h"
#include "owned.h"
#include "scratch.h"

#if !defined(_WIN32)

#include "base/platform.h"
#include "lua/host/host_internal.h"
#include "lua/host/isolate/isolate.h"
#include "patient.h"
#include "sinew/explain.h"
#include "sinew/host.h"
#include "sinew/tuning.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static sinew_error error;
static char program[PATH_MAX], printed[1000];
static sinew_host *host, *other; /* in a process of its own; in this one */
static double now;

static void take_print(const char *text, size_t length, void *user) {
  (void)user;
  size_t used = strlen(printed);
  snprintf(printed + used, sizeof printed - used, "%.*s|", (int)length, text);
}

static sinew_host *make_host(const char *isolate, double seconds) {
  sinew_host_desc desc = patient_host_desc();
  desc.isolate = isolate;
  desc.print = take_print;
  if (seconds > 0) desc.load_seconds = desc.eval_seconds = seconds;
  return sinew_host_create(&desc, &error);
}

static void end(void) {
  sinew_host_destroy(host);
  sinew_host_destroy(other);
  host = other = NULL;
  scratch_close();
}

/* An emulator of another machine neither starts its programs nor filters their system calls. */
static bool is_emulated(const char *test) {
  static int known; /* 1: no, 2: yes */
  if (!known && scratch_open() && si_program_path(program, sizeof program)) {
    scratch_text("rig.lua", "return require 'sinew'.rig 'a'");
    host = make_host(program, 0);
    bool fine = host && sinew_host_load(host, scratch_path("rig.lua"), &error) >= 0;
    known = fine || !(strstr(error.text, "Exec format") || strstr(error.text, "seccomp")) ? 1 : 2;
    end();
  }
  if (known == 2) mu_skip(test, error.text);
  return known == 2;
}

/* hosts with `seconds` of time, 0: much */
static bool begin(double seconds) {
  end();
  printed[0] = '\0';
  if (!scratch_open() || !si_program_path(program, sizeof program)) return false;
  host = make_host(program, seconds);
  other = make_host(NULL, seconds);
  return host && other;
}

static sinew_status load(const char *name) {
  return sinew_host_load(host, scratch_path(name), &error);
}

static bool load_both(const char *name) {
  return load(name) >= 0 && sinew_host_load(other, scratch_path(name), &error) >= 0;
}

static bool set_both(const char *name, float value) {
  sinew_host *const both[] = { host, other };
  for (int i = 0; i < 2; i++) {
    sinew_dof dof = sinew_rig_find_dof(sinew_host_rig(both[i]), name, &error);
    if (!dof.id || sinew_pose_set(sinew_host_pose(both[i]), dof, value, &error) < 0 ||
        sinew_host_eval(both[i], sinew_host_pose(both[i]), &error) < 0)
      return false;
  }
  return true;
}

static bool same_worlds(void) {
  const sinew_rig *rig = sinew_host_rig(host);
  return memcmp(sinew_pose_worlds(sinew_host_pose(host)), sinew_pose_worlds(sinew_host_pose(other)),
                16 * sizeof(float) * (size_t)sinew_rig_segment_count(rig)) == 0;
}

/* waits for news of the host */
static sinew_host_news news(void) {
  for (int i = 0; i < 500; i++) {
    sinew_host_news found = sinew_host_poll(host, now += 0.1, &error);
    if (found != SINEW_HOST_SAME && found != SINEW_HOST_WAITING) return found;
    usleep(10000);
  }
  return SINEW_HOST_SAME;
}

/* what a load in the background ends with */
static sinew_host_news ending(void) {
  sinew_host_news found;
  while ((found = sinew_host_poll(host, now += 0.1, &error)) == SINEW_HOST_LOADING) usleep(1000);
  return found;
}

static const char soft[] =
    "local sinew = require 'sinew'\n"
    "local options = sinew.options { size = { 1, min = 0.5, max = 2 } }\n"
    "local rig = sinew.rig 'soft'\n"
    "local set = rig:joint_set 'j'\n"
    "local dof = set:dof('d', { min = -90, max = 90, label = 'how far' })\n"
    "local Half = sinew.component { name = 'half', inputs = { 'angle (deg): in' },\n"
    "  outputs = { 'angle (deg)' }, params = { share = 0.5 }, holds = { angle = 'its stop' },\n"
    "  record = RECORD, verify = function(self, a, b) return b < 60, 'it is large' end,\n"
    "  draw = function(self, canvas, a)\n"
    "    canvas:line({0, 0, 0}, {0, a, 0}, 'red') canvas:text({0, 1, 0}, 'half') end,\n"
    "  eval = function(self, a) local f = FLOOR(a) * self.share\n"
    "    local most = math.min(f, 30) return most, f - most end }\n"
    "local Place = sinew.component { name = 'place', inputs = { 'at: vector', 'frame: matrix' },\n"
    "  outputs = { 'at: vector', 'frame: matrix' }, record = RECORD,\n"
    "  eval = function(self, at, frame) return frame * at, frame * frame end }\n"
    "local half = set:add(Half { dof, name = 'half' })\n"
    "local turn = set:rotation { half.angle, axis = {1, 2, 0}, angles = {-90, 90} }\n"
    "local place = set:add(Place { at = {1, 2, 3}, frame = turn })\n"
    "local move = set:translation { x = dof * 0.01 }\n"
    "local root = rig:segment('root', { at = {0, options.size, 0} })\n"
    "local bone = rig:segment('bone', { parent = root, at = {0, 1, 0},\n"
    "  shape = { vertices = {0,0,0, 1,0,0, 0,1,0}, normals = {0,0,1, 0,0,1, 0,0,1},\n"
    "    triangles = {1, 2, 3} } })\n"
    "bone:drive(place.frame)\n"
    "rig:segment('tip', { parent = bone,\n"
    "  shape = { vertices = {}, normals = {}, triangles = {} } }):drive(move)\n"
    "print 'loaded'\n"
    "return rig\n";

/* the script with these words */
static void save_soft(const char *record, const char *floor) {
  char text[sizeof soft + 200] = "";
  for (const char *at = soft; *at;) {
    const char *word = strncmp(at, "RECORD", 6) == 0  ? record
                       : strncmp(at, "FLOOR", 5) == 0 ? floor
                                                      : NULL;
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%s", word ? word : (char[]){ *at, '\0' });
    at += !word ? 1 : word == record ? 6 : 5;
  }
  scratch_text("soft.lua", text);
}

static void compare_rigs(void) {
  const sinew_rig *rig = sinew_host_rig(host), *same = sinew_host_rig(other);
  MU_INT(sinew_rig_component_count(rig), sinew_rig_component_count(same));
  MU_TEXT(sinew_rig_warnings(rig), sinew_rig_warnings(same));
  for (int i = 0; i < sinew_rig_component_count(rig); i++) {
    sinew_component c = sinew_rig_component(rig, i);
    MU_TEXT(sinew_rig_component_info(rig, c).origin, sinew_rig_component_info(same, c).origin);
    const char *why, *why_same;
    MU_INT(sinew_host_recorded(host, c, &why), sinew_host_recorded(other, c, &why_same));
    MU_TEXT(why ? why : "", why_same ? why_same : "");
  }
  for (int i = 0; i < sinew_rig_segment_count(rig); i++)
    MU_TEXT(sinew_rig_segment_info(rig, sinew_rig_segment(rig, i)).origin,
            sinew_rig_segment_info(same, sinew_rig_segment(same, i)).origin);
  for (int i = 0; i < sinew_rig_dof_count(rig); i++)
    MU_TEXT(sinew_rig_dof_info(rig, sinew_rig_dof(rig, i)).origin,
            sinew_rig_dof_info(same, sinew_rig_dof(same, i)).origin);
  MU_INT(sinew_host_file_count(host), sinew_host_file_count(other));
  for (int i = 0; i < sinew_host_file_count(host); i++)
    MU_TEXT(sinew_host_file(host, i), sinew_host_file(other, i));
  MU_TEXT(sinew_host_tuning(host), sinew_host_tuning(other));
  MU_TEXT(sinew_host_label(host, sinew_rig_dof(rig, 0)), "how far");
  sinew_shape shape = sinew_host_shape(host, sinew_rig_segment(rig, 1));
  MU_INT(shape.vertex_count, 3);
  MU_INT(shape.triangles[2], 2);
  MU_INT(shape.vertices[3] == 1 && shape.normals[8] == 1, 1);
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) /* none, three vertices, not seen */
    MU_INT(sinew_host_shape(host, sinew_rig_segment(rig, i)).vertices != NULL, i > 0);
  MU_INT(sinew_host_option_count(host), 1);
  MU_TEXT(sinew_host_option_info(host, 0).allowed, sinew_host_option_info(other, 0).allowed);
}

static sinew_component half_of(sinew_host *of) {
  return sinew_rig_find_component(sinew_host_rig(of), "j.half", &error);
}

/* what holds back, what is drawn, and what verify says */
static void compare_answers(void) {
  sinew_host *const both[] = { host, other };
  sinew_hold holds[2][8];
  static sinew_mark marks[2][SINEW_MARKS];
  int hold_count[2], mark_count[2];
  for (int i = 0; i < 2; i++) {
    memset(marks[i], 0, sizeof marks[i]);
    const sinew_pose *pose = sinew_host_pose(both[i]);
    hold_count[i] = sinew_pose_holds(pose, holds[i], 8);
    MU_OK(sinew_host_draw(both[i], pose, half_of(both[i]), marks[i], &mark_count[i], &error));
  }
  MU_INT(hold_count[0], hold_count[1]);
  for (int i = 0; i < hold_count[0]; i++) MU_INT(holds[0][i].amount == holds[1][i].amount, 1);
  MU_INT(mark_count[0], 2);
  MU_INT(mark_count[1], 2);
  MU_INT(memcmp(marks[0], marks[1], 2 * sizeof marks[0][0]), 0);
  MU_OK(sinew_pose_verify(sinew_host_pose(host), &error));
}

static void compare_edits(void) {
  sinew_param share = sinew_param_number("share", 0.25f), none = sinew_param_number("sahre", 1);
  MU_OK(sinew_host_set_params(host, half_of(host), &share, 1, &error));
  MU_OK(sinew_host_set_params(other, half_of(other), &share, 1, &error));
  MU_CHECK(set_both("j.d", 51));
  MU_CHECK(same_worlds());
  MU_CHECK(sinew_host_set_params(host, half_of(host), &none, 1, &error) < 0);
  MU_HAS(error.text, "share");
}

static void is_the_same(const char *record, const char *floor) {
  save_soft(record, floor);
  MU_CHECK_SAY(load_both("soft.lua"), "%s", error.text);
  MU_TEXT(printed, "loaded|loaded|");
  MU_CHECK(si_host_process(host) && !si_host_process(other));
  compare_rigs();
  for (int i = -9; i <= 9; i++) {
    MU_CHECK_SAY(set_both("j.d", 10.3f * (float)i), "%s", error.text);
    MU_CHECK(same_worlds());
  }
  compare_answers();
  compare_edits();
  MU_OK(sinew_host_choose(host, "size", "2", &error));
  MU_OK(sinew_host_choose(other, "size", "2", &error));
  MU_CHECK(set_both("j.d", 40));
  MU_CHECK(same_worlds());
  MU_INT((int)sinew_pose_world(sinew_host_pose(host), (sinew_segment){ 1 })[13], 2);
}

/* the process of a load in the background is ended at once, not when its time is up */
MU_TEST(a_load_in_its_process_is_cancelled) {
  if (is_emulated(__func__)) return;
  sinew_host_desc desc = patient_host_desc();
  desc.isolate = program;
  desc.load_seconds = 3600;
  desc.background = true;
  MU_CHECK(begin(0));
  sinew_host_destroy(host);
  host = sinew_host_create(&desc, &error);
  scratch_text("rig.lua", "while true do end");
  MU_OK(load("rig.lua"));
  for (int i = 0; i < 5; i++) {
    MU_INT(sinew_host_poll(host, now += 0.1, &error), SINEW_HOST_LOADING);
    usleep(10000);
  }
  sinew_host_cancel(host);
  MU_INT(ending(), SINEW_HOST_FAILED);
  MU_INT(error.status, SINEW_ERR_CANCELLED);
  scratch_text("rig.lua", "return require 'sinew'.rig 'mended'");
  MU_INT(news(), SINEW_HOST_LOADING);
  MU_INT(ending(), SINEW_HOST_RELOADED);
  MU_TEXT(sinew_rig_name(sinew_host_rig(host)), "mended");
  end();
}

/* both hosts with the limits of `desc` */
static bool begin_limited(sinew_host_desc desc) {
  if (!begin(0)) return false;
  sinew_host_destroy(host);
  sinew_host_destroy(other);
  other = sinew_host_create(&desc, &error);
  desc.isolate = program;
  host = sinew_host_create(&desc, &error);
  return host && other;
}

/* a script that makes more to read than it costs */
static const char many_numbers[] = "local rig, t = require 'sinew'.rig 'big', {}\n"
                                   "for i = 1, 30000 do t[i] = 1 end\n"
                                   "local shape = { vertices = t, normals = t, triangles = t }\n"
                                   "for i = 1, 20 do rig:segment('s' .. i, { shape = shape }) end\n"
                                   "return rig";

MU_TEST(a_rig_that_its_process_sends_is_read_in_the_budget_of_a_load) {
  if (is_emulated(__func__)) return;
  sinew_host_desc desc = patient_host_desc();
  desc.load_instructions = 1000000;
  MU_CHECK(begin_limited(desc));
  scratch_text("small.lua", "return require 'sinew'.rig 'small'");
  scratch_text("big.lua", many_numbers);
  MU_OK(load("small.lua"));
  MU_CHECK_SAY(sinew_host_load(other, scratch_path("big.lua"), &error) >= 0, "%s", error.text);
  MU_INT(load("big.lua"), SINEW_ERR_LIMIT);
  MU_HAS(error.text, "the work allowed (1000000) is used up");
  MU_HAS(error.text, "big.lua: the rig that its process sent");
  MU_TEXT(sinew_rig_name(sinew_host_rig(host)), "small");
  end();
}

MU_TEST(a_mesh_of_a_rig_from_its_process_has_the_budget_of_a_load) {
  if (is_emulated(__func__)) return;
  sinew_host_desc desc = patient_host_desc();
  desc.load_instructions = 12000000;
  MU_CHECK(begin_limited(desc));
  scratch_text("solid.lua",
               "local sinew = require 'sinew' local rig = sinew.rig 'solid'\n"
               "local big, small = { 900, 0, 0, 900 }, { 0, 0, 0, 20 }\n"
               "rig:segment('a', { shape = sinew.shapes.blend {\n"
               "  points = { a = small, b = { 50, 0, 0, 20 } }, parts = { { 'a b' } } } })\n"
               "rig:segment('b', { shape = sinew.shapes.blend {\n"
               "  points = { a = small, b = big }, parts = { { 'a b' } } } })\n"
               "return rig");
  MU_CHECK_SAY(load_both("solid.lua"), "%s", error.text);
  MU_CHECK(sinew_host_shape(host, (sinew_segment){ 1 }).vertices);
  MU_INT(sinew_host_make_shapes(other, &error), SINEW_ERR_LIMIT);
  MU_INT(sinew_host_make_shapes(host, &error), SINEW_ERR_LIMIT);
  MU_HAS(error.text, "the work allowed");
  end();
}

MU_TEST(a_rig_with_recorded_components_is_the_same_in_its_own_process) {
  if (is_emulated(__func__)) return;
  MU_CHECK(begin(0));
  is_the_same("nil", "math.abs");
  MU_CHECK(sinew_host_rig(host));
  const char *why;
  MU_CHECK(sinew_host_recorded(host, half_of(host), &why) > 0);
  MU_CHECK(!sinew_rig_can_fail(sinew_host_rig(host)));
  end();
}

MU_TEST(components_that_are_not_recorded_are_evaluated_in_the_rigs_process) {
  if (is_emulated(__func__)) return;
  MU_CHECK(begin(0));
  is_the_same("false", "math.floor");
  MU_CHECK(sinew_host_rig(host));
  MU_CHECK(sinew_rig_can_fail(sinew_host_rig(host)));
  end();
}

MU_TEST(a_rig_from_its_process_is_written_as_xml_or_refused) {
  if (is_emulated(__func__)) return;
  MU_CHECK(begin(0));
  save_soft("nil", "math.abs");
  MU_CHECK_SAY(load_both("soft.lua"), "%s", error.text);
  MU_OK(sinew_host_save_xml(host, scratch_path("a.xml"), false, &error));
  MU_OK(sinew_host_save_xml(other, scratch_path("b.xml"), false, &error));
  OWNED(rig) *a = MU_MADE_OR(sinew_rig_load(scratch_path("a.xml"), &error), error.text);
  OWNED(rig) *b = MU_MADE_OR(sinew_rig_load(scratch_path("b.xml"), &error), error.text);
  MU_INT(sinew_rig_component_count(a), sinew_rig_component_count(b));
  save_soft("false", "math.floor");
  MU_OK(load("soft.lua"));
  MU_CHECK(sinew_host_save_xml(host, scratch_path("a.xml"), false, &error) < 0);
  MU_HAS(error.text, "neither built in nor from a module");
  end();
}

MU_TEST(mistakes_of_a_script_are_told_as_in_this_process) {
  if (is_emulated(__func__)) return;
  MU_CHECK(begin(0));
  static const char *const scripts[] = {
    "error 'out'",
    "return 5",
    "local x = = 3",
    "return require 'nothing'",
    "local rig = require 'sinew'.rig 'a' rig:segment('a') rig:segment('a') return rig",
    "return require 'sinew'.rig 'a':rotation { 5 }",
    "io.open 'x'",
  };
  for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
    scratch_text("wrong.lua", scripts[i]);
    sinew_error here;
    MU_CHECK(sinew_host_load(other, scratch_path("wrong.lua"), &here) < 0);
    MU_CHECK(load("wrong.lua") < 0);
    MU_TEXT(error.text, here.text);
    MU_INT(error.status, here.status);
  }
  MU_CHECK(sinew_host_load(host, "/no/such/rig.lua", &error) < 0);
  end();
}

MU_TEST(a_rig_in_its_own_process_reloads_and_keeps_its_tuning) {
  if (is_emulated(__func__)) return;
  MU_CHECK(begin(0));
  scratch_text("part.lua", "return 1");
  scratch_text("rig.lua", "local rig = require 'sinew'.rig 'a'\n"
                          "rig:segment('b', { at = {require 'part', 0, 0} }) return rig");
  scratch_text("rig.tuning.lua", "return { segments = { b = { at = {0, 5, 0} } } }");
  MU_CHECK_SAY(load_both("rig.lua"), "%s", error.text);
  MU_CHECK(same_worlds());
  sinew_tuning *tuning = sinew_tuning_create(host, &error);
  MU_INT(sinew_tuning_has_rest(tuning, sinew_rig_segment(sinew_host_rig(host), 0)), true);
  sinew_tuning_destroy(tuning);
  MU_INT(sinew_host_file_count(host), sinew_host_file_count(other));
  scratch_text("part.lua", "return 22 --");
  scratch_text("rig.tuning.lua", "return {}");
  MU_INT(news(), SINEW_HOST_RELOADED);
  MU_TEXT(error.text, "");
  const float *world = sinew_pose_world(sinew_host_pose(host), (sinew_segment){ 1 });
  MU_INT((int)world[12], 22);
  end();
}

static const char faulty[] =
    "local sinew = require 'sinew'\n"
    "local rig = sinew.rig 'r'\n"
    "local dof = rig:dof('d', { min = 0, max = 90 })\n"
    "local Bad = sinew.component { name = 'bad', inputs = { 'angle' }, outputs = { 'angle' },\n"
    "  record = false, eval = function(self, a) if a > 10 then DO end return a end }\n"
    "rig:segment('bone'):drive(rig:rotation { rig:add(Bad { dof }).angle, axis = {1, 0, 0} })\n"
    "return rig\n";

static void save_faulty(const char *what) {
  char text[1000];
  const char *at = strstr(faulty, "DO");
  snprintf(text, sizeof text, "%.*s%s%s", (int)(at - faulty), faulty, what, at + 2);
  scratch_text("faulty.lua", text);
}

static sinew_status set_d(float value) {
  sinew_dof dof = sinew_rig_find_dof(sinew_host_rig(host), "d", NULL);
  if (sinew_pose_set(sinew_host_pose(host), dof, value, &error) < 0) return error.status;
  return sinew_host_eval(host, sinew_host_pose(host), &error);
}

static void kill_process(int number) {
  kill((pid_t)si_isolate_number(si_host_process(host)), number);
}

MU_TEST(a_process_that_is_killed_is_started_again_and_dofs_are_kept) {
  if (is_emulated(__func__)) return;
  MU_CHECK(begin(0));
  save_faulty("local x");
  MU_OK(load("faulty.lua"));
  MU_OK(set_d(5));
  kill_process(SIGKILL);
  MU_FAILS(set_d(7), SINEW_ERR_SCRIPT,
           "component 'bad1' (bad): the rig's process ended (signal 9, ");
  MU_INT(news(), SINEW_HOST_RELOADED);
  MU_HAS(error.text, "faulty.lua: the rig's process ended (signal 9, ");
  MU_HAS(error.text, "was started again");
  MU_INT((int)sinew_pose_get(sinew_host_pose(host), (sinew_dof){ 1 }), 7);
  MU_OK(set_d(8));
  kill_process(SIGSEGV); /* while nobody asks */
  MU_INT(news(), SINEW_HOST_RELOADED);
  MU_OK(set_d(9));
  kill_process(SIGABRT);
  MU_INT(news(), SINEW_HOST_RELOADED);
  /* a process that ends all the time is not started again and again, but when a file changes */
  kill_process(SIGKILL);
  MU_INT(news(), SINEW_HOST_FAILED);
  MU_HAS(error.text, "when a DOF or a file changes");
  for (int i = 0; i < 20; i++) MU_INT(sinew_host_poll(host, now += 1, &error), SINEW_HOST_SAME);
  MU_FAILS(set_d(4), SINEW_ERR_SCRIPT, "the rig's process ended");
  MU_INT(news(), SINEW_HOST_RELOADED);
  MU_INT((int)sinew_pose_get(sinew_host_pose(host), (sinew_dof){ 1 }), 4);
  save_faulty("local xy");
  MU_INT(news(), SINEW_HOST_RELOADED);
  MU_OK(set_d(6));
  end();
}

MU_TEST(a_process_that_hangs_or_takes_all_memory_is_stopped) {
  if (is_emulated(__func__)) return;
  MU_CHECK(begin(1));
  static const char *const bad[] = {
    "while true do end", "local t = {} while true do t[#t + 1] = {} end",
    "pcall(string.rep, ('x'):rep(1e6), 1e9) while true do pcall(error) end"
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    save_faulty(bad[i]);
    MU_OK(load("faulty.lua"));
    MU_FAILS(set_d(20), SINEW_ERR_SCRIPT, "stopped");
    MU_OK(set_d(1));
  }
  save_faulty("local x");
  MU_OK(load("faulty.lua"));
  kill_process(SIGSTOP); /* hangs outside of the script's budget */
  MU_FAILS(set_d(2), SINEW_ERR_SCRIPT, "did not answer in 1.5 s");
  MU_INT(news(), SINEW_HOST_RELOADED);
  MU_OK(set_d(3));
  end();
}

#if defined(SINEW_CHECK_SCHEDULE)
MU_TEST(a_process_that_crashes_on_purpose_costs_a_reload) {
  if (is_emulated(__func__)) return;
  static const char *const ways[] = {
    "fault", "abort", "exit", "hang", "close", "talk", "nonsense"
  };
  MU_CHECK(begin(1));
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    char text[200];
    snprintf(text, sizeof text, "print 'end this process: %s'", ways[i]);
    scratch_text("load.lua", text);
    MU_FAILS(load("load.lua"), SINEW_ERR_SCRIPT, "load.lua: the rig's process ");
    save_faulty(text);
    MU_OK(load("faulty.lua"));
    MU_OK(set_d(5));
    MU_FAILS(set_d(50), SINEW_ERR_SCRIPT, "the rig's process ");
    while (news() != SINEW_HOST_FAILED || !strstr(error.text, "when a DOF")) /* d is still 50 */
      MU_HAS(error.text, "the rig's process ");
    set_d(6);
    MU_INT(news(), SINEW_HOST_RELOADED);
    MU_OK(set_d(7));
    end();
    MU_CHECK(begin(1));
  }
  end();
}
#endif

/* what a confined process is refused, in bits */
static int escape(void) {
  int allowed = 0;
  const char *folder = scratch_path("in");
  if (!si_confine(&folder, 1, (size_t)1 << 30, &error)) return 1;
  int file = open(scratch_path("in/file"), O_RDONLY);
  if (file < 0) allowed |= 2; /* that is what it may */
  if (open(scratch_path("in/file"), O_RDWR) >= 0) allowed |= 4;
  if (open(scratch_path("in/new"), O_WRONLY | O_CREAT, 0666) >= 0) allowed |= 8;
  if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || socket(AF_INET, SOCK_STREAM, 0) >= 0) allowed |= 16;
  if (fork() >= 0) allowed |= 32;
  if (unlink(scratch_path("in/file")) == 0 || kill(getppid(), 0) == 0) allowed |= 64;
  if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
    allowed |= 128;
  char *const arguments[] = { program, NULL };
  execv(program, arguments);
  return allowed;
}

MU_TEST(a_confined_process_can_only_read_and_compute) {
#if defined(__linux__)
  if (is_emulated(__func__)) return;
  const char *loaded = getenv("LD_PRELOAD");
  if (loaded && strstr(loaded, "valgrind")) {
    mu_skip(__func__, "valgrind makes system calls of its own");
    return;
  }
  MU_CHECK(begin(0));
  scratch_folder("in");
  scratch_text("in/file", "text");
  pid_t child = fork();
  if (child == 0) _exit(escape());
  int status = -1;
  waitpid(child, &status, 0);
  MU_CHECK(WIFEXITED(status));
  MU_INT(WEXITSTATUS(status), 0);
  end();
#endif
}

MU_TEST(a_program_that_ignores_its_children_sees_the_end_of_a_process) {
  if (is_emulated(__func__)) return;
  MU_CHECK(begin(0));
  signal(SIGCHLD, SIG_IGN);
  save_faulty("local x");
  MU_OK(load("faulty.lua"));
  kill_process(SIGKILL);
  sinew_host_news found = news();
  signal(SIGCHLD, SIG_DFL);
  MU_INT(found, SINEW_HOST_RELOADED);
  MU_HAS(error.text, "the rig's process ended, and was started again");
  MU_OK(set_d(9));
  end();
}

MU_TEST(a_host_without_its_program_says_so) {
  if (is_emulated(__func__)) return;
  MU_CHECK(begin(0));
  sinew_host_destroy(host);
  scratch_text("rig.lua", "return require 'sinew'.rig 'a'");
  host = make_host("/no/such/program", 0);
  MU_CHECK(load("rig.lua") < 0);
  /* where spawning forks, as under valgrind, the other process notices */
  MU_CHECK(strstr(error.text, "'/no/such/program' cannot be started") ||
           strstr(error.text, "the rig's process ended (exit code "));
  sinew_host_destroy(host);
  host = make_host("/bin/true", 0);
  MU_FAILS(load("rig.lua"), SINEW_ERR_SCRIPT, "the rig's process ended (exit code ");
  end();
}

/* no call that the process's filter refuses is needed for a plain file */
MU_TEST(a_model_of_opensim_is_the_same_in_its_own_process) {
  if (is_emulated(__func__)) return;
  MU_CHECK(begin(0));
  scratch_text("door.osim", "<OpenSimDocument Version=\"40000\"><Model name=\"door\"><BodySet>"
                            "<objects><Body name=\"leaf\"/></objects></BodySet></Model>"
                            "</OpenSimDocument>");
  MU_CHECK_SAY(load_both("door.osim"), "%s", error.text);
  MU_TEXT(sinew_rig_name(sinew_host_rig(host)), "door");
  MU_CHECK(same_worlds());
  end();
}

MU_TEST(writing_a_rig_in_its_process_is_no_evaluation) {
  if (is_emulated(__func__)) return;
  sinew_host_desc desc = patient_host_desc();
  desc.eval_instructions = 100000;
  MU_CHECK(begin_limited(desc));
  scratch_text("many.lua", "local rig = require 'sinew'.rig 'many'\n"
                           "for i = 1, 3000 do rig:dof('d' .. i, 0, 1) end\nreturn rig");
  MU_CHECK_SAY(load_both("many.lua"), "%s", error.text);
  end();
}

#endif

MU_SUITE(isolate)

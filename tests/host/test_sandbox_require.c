/* Where a sandboxed script can load modules from, and where it cannot. */
#include "lua/host/sandbox/sandbox.h"
#include "fixture.h"
#include "minunit.h"
#include "scratch.h"

#include <sys/stat.h>
#include <unistd.h>

/* loads rig/main.lua, with `modules` as the second folder */
static si_sandbox *load_main(const char *text) {
  const char *folders[] = { scratch_path("modules") };
  si_sandbox_desc desc = si_default_sandbox_desc();
  desc.folders = folders;
  desc.folder_count = 1;
  if (text) scratch_text("rig/main.lua", text);
  sinew_error_clear(&error);
  si_sandbox *sandbox = si_sandbox_create(&desc, &error);
  if (sandbox) si_sandbox_load_file(sandbox, scratch_path("rig/main.lua"), &error);
  return sandbox;
}

static void fail_main(const char *text) { si_sandbox_destroy(load_main(text)); }

static bool begin(void) {
  if (!scratch_open()) return false;
  scratch_folder("rig");
  scratch_folder("rig/parts");
  scratch_folder("modules");
  return true;
}

static long long result_of(si_sandbox *sandbox) {
  si_sandbox_push_result(sandbox);
  return lua_tointeger(si_sandbox_state(sandbox), -1);
}

MU_TEST(require_loads_files_of_both_folders_once) {
  MU_CHECK(begin());
  scratch_text("rig/parts/hand.lua", "count = (count or 0) + 1 return {fingers = 5, ...}");
  scratch_folder("modules/sinew");
  scratch_text("modules/sinew/mirror.lua", "return 10");
  scratch_text("modules/sinew/init.lua", "return 100");
  scratch_text("rig/nothing.lua", "side = 1000");
  si_sandbox *sandbox =
      load_main("local hand = require 'parts.hand'\n"
                "assert(require 'parts.hand' == hand and hand[1] == 'parts.hand')\n"
                "assert(hand[2]:find 'rig/parts/hand.lua$')\n"
                "assert(require 'nothing' == true)\n"
                "return hand.fingers * count + require 'sinew.mirror' +\n"
                "  require 'sinew' + side");
  MU_TEXT(error.text, "");
  MU_INT(result_of(sandbox), 1115);
  static const char *const expected[] = { "rig/main.lua", "rig/parts/hand.lua", "rig/nothing.lua",
                                          "modules/sinew/mirror.lua", "modules/sinew/init.lua" };
  MU_INT(si_sandbox_file_count(sandbox), 5);
  for (size_t i = 0; i < 5; i++) {
    const si_watch_file *file = si_sandbox_file(sandbox, i);
    MU_TEXT(file->path, scratch_path(expected[i]));
    si_file_info now = si_file_look(file->path);
    MU_CHECK(file->stamp.exists && si_file_same(&file->stamp, &now));
    MU_CHECK(file->stamp.content != 0);
  }
  si_sandbox_destroy(sandbox);
  scratch_close();
}

MU_TEST(require_reports_where_it_searched) {
  MU_CHECK(begin());
  si_sandbox *sandbox = load_main("\nreturn require 'parts.foot'");
  MU_HAS(error.text, "main.lua:2: module 'parts.foot' not found:");
  MU_HAS(error.text, "rig/parts/foot.lua'");
  MU_HAS(error.text, "modules/parts/foot/init.lua'");
  /* both paths are watched, so that the file is seen when it appears */
  MU_INT(si_sandbox_file_count(sandbox), 3);
  MU_TEXT(si_sandbox_file(sandbox, 1)->path, scratch_path("rig/parts/foot.lua"));
  MU_TEXT(si_sandbox_file(sandbox, 2)->path, scratch_path("modules/parts/foot.lua"));
  MU_CHECK(!si_sandbox_file(sandbox, 1)->stamp.exists);
  si_sandbox_destroy(sandbox);
  scratch_close();
}

MU_TEST(require_reports_the_line_inside_the_module) {
  MU_CHECK(begin());
  scratch_text("rig/bad.lua", "local function f() error 'low' end\n\nf()");
  si_sandbox *sandbox = load_main("require 'bad'\nreturn 1");
  MU_HAS(error.text, "rig/bad.lua:1: low");
  MU_HAS(si_sandbox_traceback(sandbox), "bad.lua:3: in main chunk");
  MU_HAS(si_sandbox_traceback(sandbox), "main.lua:1: in main chunk");
  si_sandbox_destroy(sandbox);
  scratch_text("rig/bad.lua", "return +");
  fail_main(NULL);
  MU_HAS(error.text, "rig/bad.lua:1: unexpected symbol");
  /* a module that failed can be required again */
  fail_main("local a = pcall(require, 'bad') local b, m = pcall(require, 'bad') error(m, 0)");
  MU_HAS(error.text, "unexpected symbol");
  scratch_close();
}

MU_TEST(require_refuses_cycles) {
  MU_CHECK(begin());
  scratch_text("rig/a.lua", "return require 'b'");
  scratch_text("rig/b.lua", "return require 'a'");
  fail_main("return require 'a'");
  MU_HAS(error.text, "rig/b.lua:1: module 'a' is required again while it is still being loaded");
  scratch_close();
}

MU_TEST(require_does_not_follow_links_out_of_the_folder) {
  MU_CHECK(begin());
  scratch_text("secret.lua", "return 'secret'");
  scratch_folder("outside");
  scratch_text("outside/key.lua", "return 'key'");
  MU_INT(symlink(scratch_path("secret.lua"), scratch_path("rig/link.lua")), 0);
  MU_INT(symlink("../outside", scratch_path("rig/door")), 0);
  scratch_text("rig/parts/real.lua", "return 7");
  MU_INT(symlink("parts/real.lua", scratch_path("rig/near.lua")), 0);
  MU_INT(symlink("loop.lua", scratch_path("rig/loop.lua")), 0);
  fail_main("return require 'link'");
  MU_HAS(error.text, "is outside of the folder");
  fail_main("return require 'door.key'");
  MU_HAS(error.text, "is outside of the folder");
  fail_main("return require 'loop'");
  MU_HAS(error.text, "not found");
  si_sandbox *sandbox = load_main("return require 'near'");
  MU_TEXT(error.text, "");
  MU_INT(result_of(sandbox), 7);
  si_sandbox_destroy(sandbox);
  scratch_close();
}

MU_TEST(require_does_not_reach_a_folder_with_the_same_prefix) {
  MU_CHECK(begin());
  scratch_folder("rig-other");
  scratch_text("rig-other/x.lua", "return 1");
  MU_INT(symlink("../rig-other/x.lua", scratch_path("rig/x.lua")), 0);
  fail_main("return require 'x'");
  MU_HAS(error.text, "is outside of the folder");
  scratch_close();
}

MU_TEST(scripts_are_plain_files_of_sensible_size) {
  MU_CHECK(begin());
  MU_INT(mkfifo(scratch_path("rig/pipe.lua"), 0600), 0);
  scratch_folder("rig/folder.lua");
  fail_main("return require 'pipe'");
  MU_HAS(error.text, "rig/pipe.lua' is not a file");
  fail_main("return require 'folder'");
  MU_HAS(error.text, "rig/folder.lua' is not a file");
  MU_INT(truncate(scratch_path("rig/main.lua"), 50 << 20), 0);
  fail_main(NULL);
  MU_HAS(error.text, "too large for a script");
  MU_INT(error.status, SINEW_ERR_FILE);
  MU_INT(unlink(scratch_path("rig/main.lua")), 0);
  si_sandbox *sandbox = load_main(NULL);
  MU_HAS(error.text, "cannot open");
  MU_INT(error.status, SINEW_ERR_FILE);
  MU_INT(si_sandbox_file_count(sandbox), 1);
  si_sandbox_destroy(sandbox);
  scratch_close();
}

MU_TEST(bom_and_shebang_are_skipped_and_line_numbers_are_right) {
  static const char *const heads[] = { "\xEF\xBB\xBF\n", "#!/usr/bin/env sinew\n",
                                       "\xEF\xBB\xBF#! with a mark\n", "# only a remark\r\n" };
  MU_CHECK(begin());
  for (int i = 0; i < 4; i++) {
    char text[128];
    snprintf(text, sizeof text, "%serror 'here'", heads[i]);
    fail_main(text);
    MU_HAS(error.text, "main.lua:2: here");
    snprintf(text, sizeof text, "%s\nreturn 5", heads[i]);
    si_sandbox *sandbox = load_main(text);
    MU_TEXT(error.text, "");
    si_sandbox_destroy(sandbox);
    snprintf(text, sizeof text, "%s", heads[i]);
    text[strcspn(text, "\n")] = '\0';
    fail_main(text);
    MU_HAS(error.text, "returns nothing");
  }
  scratch_close();
}

MU_TEST(bytecode_is_refused_after_any_header) {
  static const char *const texts[] = { "\x1bLua", "\xEF\xBB\xBF\x1bLua" };
  MU_CHECK(begin());
  for (int i = 0; i < 2; i++) {
    fail_main(texts[i]);
    MU_HAS(error.text, "is bytecode");
  }
  scratch_text("rig/code.lua", "\x1bLuaT");
  fail_main("return require 'code'");
  MU_HAS(error.text, "is bytecode");
  fail_main("#!x\n\x1bLua");
  MU_CHECK(error.status < 0);
  scratch_close();
}

MU_SUITE(sandbox_require)

/* Maps from motion to a rig: the same from Lua and JSON, and mistakes reported with file and name.
 */
#include "limb.h"
#include "make.h"
#include "minunit.h"
#include "owned.h"
#include "scarce.h"
#include "scratch.h"

#include <sinew/fit_map.h>

static const char in_lua[] =
    "local function mm(x) return x / 1000 end\n"
    "return {\n"
    "  unit = 0.01, up = 'z', posture = 1e-6, still = { 'curl' },\n"
    "  points = {\n"
    "    SHO = 'upper',\n"
    "    ELB = { segment = 'lower', point = { mm(5), 0, 0 }, weight = 2 },\n"
    "    ['a \"b\"'] = { segment = 'hand' },\n"
    "  },\n"
    "  links = { { 'SHO', 'ELB' } },\n"
    "}\n";
static const char in_json[] =
    "{ \"unit\": 0.01, \"up\": \"z\", \"posture\": 1e-6, \"still\": [\"curl\"],\n"
    "  \"points\": { \"SHO\": \"upper\",\n"
    "    \"ELB\": { \"segment\": \"lower\", \"point\": [0.005, 0, 0], \"weight\": 2 },\n"
    "    \"a \\\"b\\\"\": { \"segment\": \"hand\" } },\n"
    "  \"links\": [[\"SHO\", \"ELB\"]] }\n";

static const char trc[] = "PathFileType\t4\t(X/Y/Z)\tm.trc\n"
                          "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\t"
                          "OrigDataStartFrame\tOrigNumFrames\n"
                          "100\t100\t1\t2\tm\t100\t1\t1\n"
                          "Frame#\tTime\tSHO\t\t\tELB\t\t\n"
                          "\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n"
                          "1\t0\t0\t1\t0\t0\t1\t0.3\n";

static void check_map(const sinew_map *map) {
  MU_NEAR(map->unit, 0.01, 1e-8);
  MU_NEAR(map->posture, 1e-6, 1e-12);
  MU_CHECK(map->z_up);
  MU_INT(map->point_count, 3);
  MU_TEXT(map->points[0].source, "ELB");
  MU_TEXT(map->points[0].segment, "lower");
  MU_NEAR(map->points[0].point[0], 0.005, 1e-9);
  MU_NEAR(map->points[0].weight, 2, 0);
  MU_TEXT(map->points[1].source, "SHO");
  MU_NEAR(map->points[1].weight, 1, 0);
  MU_TEXT(map->points[2].source, "a \"b\"");
  MU_INT(map->link_count, 1);
  MU_TEXT(map->links[0].from, "SHO");
  MU_TEXT(map->links[0].to, "ELB");
  MU_INT(map->still_count, 1);
  MU_TEXT(map->still[0], "curl");
}

MU_TEST(maps_in_lua_and_json_are_equal) {
  sinew_error error;
  MU_CHECK(scratch_open());
  scratch_text("map.lua", in_lua);
  scratch_text("map.json", in_json);
  for (int i = 0; i < 2; i++) {
    OWNED(fit_map) *map = sinew_fit_map_load(scratch_path(i ? "map.json" : "map.lua"), &error);
    MU_CHECK_SAY(map, "%s", error.text);
    check_map(sinew_fit_map_read(map));
  }
  scratch_close();
}

MU_TEST(a_map_uses_what_motion_and_rig_have) {
  sinew_error error, missing;
  OWNED_LIMB l = limb_open();
  OWNED(motion) *motion = sinew_motion_parse("m.trc", trc, sizeof trc - 1, NULL, 0, NULL, &error);
  MU_CHECK_SAY(motion, "%s", error.text);
  MU_CHECK(scratch_open());
  scratch_text("map.lua", in_lua);
  sinew_fit_map *map = sinew_fit_map_load(scratch_path("map.lua"), &error);
  sinew_fit_parts *parts = sinew_fit_map_apply(map, l.rig, motion, &missing, &error);
  MU_CHECK_SAY(parts, "%s", error.text);
  MU_INT(parts->part_count, 2);
  MU_INT(parts->parts[0].source, 1);
  MU_INT(parts->parts[0].segment.id, l.lower.id);
  MU_INT(parts->link_count, 1);
  MU_INT(parts->links[0].from, 1);
  MU_INT(parts->links[0].to, 0);
  MU_INT(missing.count, 1); /* of the hand */
  MU_HAS(missing.text, "a \"b\"");
  MU_INT(parts->dof_count, 4); /* lift, side, twist, elbow */
  sinew_fit_parts_destroy(parts);
  sinew_fit_map_destroy(map);
  /* all mistakes are reported at once */
  scratch_text("bad.lua",
               "return { points = { SHO = 'uper', ELB = 'lower' }, still = { 'nobody' } }");
  map = sinew_fit_map_load(scratch_path("bad.lua"), &error);
  MU_CHECK_SAY(map, "%s", error.text);
  MU_REFUSED(sinew_fit_map_apply(map, l.rig, motion, NULL, &error), "point 'SHO'");
  MU_HAS(error.text, "'upper'");
  MU_HAS(error.text, "no DOF or joint set 'nobody'");
  sinew_fit_map_destroy(map);
  scratch_text("none.lua", "return { points = { KNEE = 'lower' } }");
  map = sinew_fit_map_load(scratch_path("none.lua"), &error);
  MU_REFUSED(sinew_fit_map_apply(map, l.rig, motion, NULL, &error),
             "the motion has none of the map's points: the motion has no ");
  MU_HAS(error.text, "'KNEE'");
  sinew_fit_map_destroy(map);
  scratch_text("fixed.lua",
               "return { points = { SHO = 'upper' }, still = { 'lift', 'side', 'twist' } }");
  map = sinew_fit_map_load(scratch_path("fixed.lua"), &error);
  MU_REFUSED(sinew_fit_map_apply(map, l.rig, motion, NULL, &error), "'still' includes every DOF");
  sinew_fit_map_destroy(map);
  scratch_close();
}

MU_SLOW_TEST(invalid_maps_are_reported_with_file_and_name) {
  static const struct {
    const char *name, *text, *part;
  } cases[] = {
    { "m.lua", "return 3", "a map must be a table, not number" },
    { "m.lua", "return {", "m.lua:1:" },
    { "m.lua", "error 'no'", "no" },
    { "m.lua", "while true do end", "took more than" },
    { "m.lua", "return { point = {} }", "did you mean 'points'" },
    { "m.lua", "return {}", "'points' must be a table" },
    { "m.lua", "return { points = {} }", "a map needs 1 to 4096 points, not 0" },
    { "m.lua", "return { points = { 'x' } }", "with joint or marker names as keys" },
    { "m.lua", "return { points = { A = 3 } }", "point 'A' must be a segment's name or a table" },
    { "m.lua", "return { points = { A = {} } }", "point 'A': 'segment' is missing" },
    { "m.lua", "return { points = { A = { segment = 'x', pont = 1 } } }", "did you mean 'point'" },
    { "m.lua", "return { points = { A = { segment = 'x', weight = -1 } } }",
      "'weight' must not be negative" },
    { "m.lua", "return { points = { A = 'x' }, up = 'x' }", "'up' must be 'y' or 'z', not 'x'" },
    { "m.lua", "return { points = { A = 'x' }, unit = -1 }", "'unit' must be 0 or more" },
    { "m.lua", "return { points = { A = 'x' }, posture = 0/0 }", "'posture' must be 0 or more" },
    { "m.lua", "return { points = { A = 'x' }, links = { { 'A', 'B' } } }",
      "link 1: 'B' is not a point of the map" },
    { "m.lua", "return { points = { A = 'x' }, links = { 'A' } }", "link 1 must be { from, to }" },
    { "m.lua", "return { points = { A = 'x' }, links = 'A' }", "'links' must be a list" },
    { "m.lua", "return { points = { A = 'x' }, still = { {} } }",
      "'still' must be a list of names" },
    { "m.json", "{ \"points\": { \"A\": 3 } }", "point 'A' must be a segment's name or a table" },
    { "m.json", "{ \"points\": ", "m.json:1:" },
    { "m.json", "[1, 2]", "options must be given by name" },
    { "missing.lua", NULL, "missing.lua" },
    { "missing.json", NULL, "missing.json" },
  };
  MU_CHECK(scratch_open());
  size_t before = sinew_live_blocks();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sinew_error error;
    if (cases[i].text) scratch_text(cases[i].name, cases[i].text);
    MU_CHECK_SAY(!sinew_fit_map_load(scratch_path(cases[i].name), &error), "case %zu is read", i);
    MU_HAS(error.text, cases[i].part);
    MU_HAS(error.text, cases[i].name);
  }
  MU_INT(sinew_live_blocks(), before);
  scratch_close();
}

MU_SUITE(fit_map)

-- Motion in Lua: joints and markers by frame, number and name.
local check, tests = ...
local sinew = require "sinew"

local bvh = [[
HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Leg
  {
    OFFSET 10 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -40 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.02
0 100 0 0 0 0 0 0 0
0 100 0 90 0 0 0 0 0
]]

local trc = "PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tUnits\n100\tmm\n"
  .. "Frame#\tTime\tHead\t\t\tFoot\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n"
  .. "1\t0\t1\t2\t3\t4\t5\t6\n2\t0.01\t\t\t\t7\t8\t9\n"

function tests.a_skeleton_is_read()
  local motion = sinew.motion(bvh, "walk.bvh", { unit = 0.01 })
  check.has(motion, { kind = "skeleton", format = "BVH", frames = 2, warnings = "" })
  check.equal(#motion, 2)
  check.near(motion.rate, 50)
  check.near(motion.unit, 0.01)
  local joints = motion.joints
  check.equal(#joints, 3)
  check.equal(joints[1].parent, nil)
  check.has(joints, { [2] = { name = "Leg", parent = 1 }, [3] = { tip = true } })
  check.near(joints[2].offset.x, 0.1)
  check.near_all(motion:world(1, "Leg end"):position(), { 0.1, 0.6, 0 })
  check.near_all(motion:world(2, 3):position(), { 0.4, 1.1, 0 })
  check.near_all(motion:joint(2, 2):position(), { 0.1, 0, 0 })
  local dest = sinew.mat4()
  check.equal(motion:world(2, 2, dest), dest)
  check.equal(tostring(motion), "motion (skeleton) of 2 frames")
end

function tests.markers_are_read_with_their_gaps()
  local motion = sinew.motion(trc, "a.trc")
  check.equal(motion.kind, "markers")
  check.equal(table.concat(motion.markers, " "), "Head Foot")
  check.near_all(motion:marker(1, "Head"), { 0.001, 0.002, 0.003 })
  check.equal(motion:marker(2, "Head"), nil)
  check.near_all(motion:marker(2, 2), { 0.007, 0.008, 0.009 })
  check.equal(motion:gaps(), 1)
  check.equal(motion:gaps "Foot", 0)
end

function tests.mistakes_are_reported()
  local motion, markers = sinew.motion(bvh, "walk.bvh"), sinew.motion(trc, "a.trc")
  check.fails("no joint named 'Lge' (did you mean 'Leg'?)", motion.world, motion, 1, "Lge")
  check.fails("bad argument", motion.world, motion, 3, 1)
  check.fails("bad argument", motion.world, motion, 1, 4)
  check.fails("the motion has joints, not markers", motion.marker, motion, 1, 1)
  check.fails("the motion has markers, not joints", markers.world, markers, 1, 1)
  check.fails("walk.bvh:1: 'x' where 'HIERARCHY'", sinew.motion, "x", "walk.bvh")
  check.fails("ends with .bvh", sinew.motion, "x", "walk.fbx")
  check.fails("'positions' must be 'guess', 'add' or 'replace'", sinew.motion, bvh, "w.bvh",
    { positions = "both" })
  check.fails("the skeleton, an .asf file, is missing", sinew.motion, "", "w.amc")
  check.returns_error("no/such.bvh: cannot open", sinew.load_motion, "no/such.bvh")
  motion:close()
  check.fails("the motion was closed", motion.world, motion, 1, 1)
end

function tests.files_are_read()
  check.with_file(bvh, function(path)
    assert(os.rename(path, path .. ".bvh"))
    local motion = sinew.load_motion(path .. ".bvh", { unit = 0.01 })
    os.remove(path .. ".bvh")
    check.equal(#assert(motion).joints, 3)
  end)
end

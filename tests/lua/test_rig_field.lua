-- rigs/field.lua: angles of the motion are free, others are moved to its border.
local check, tests = ...
local rigs = require "rigs"
local rig = rigs.open "field"

local learnt = rig:find "shoulder.learnt"
-- the ellipsoid of the motion: centre, half widths, and how the twist depends on the flexion
local middle, width, lean = { 52, 36, 6 }, { 76, 60, 46 }, 0.2

local function size_of(a, b, c)
  local f = a - middle[1]
  return math.sqrt((f / width[1]) ^ 2 + ((b - middle[2]) / width[2]) ^ 2
    + ((c - middle[3] - lean * f) / width[3]) ^ 2)
end

local function put(pose, a, b, c)
  pose:set { ["shoulder.flexion"] = a, ["shoulder.abduction"] = b, ["shoulder.twist"] = c }
  return pose:value(learnt.angle1), pose:value(learnt.angle2), pose:value(learnt.angle3)
end

function tests.motion_closes_one_region_with_an_inside()
  local report = learnt:note "report"
  check.equal(report.components, 1)
  check.equal(report.warnings, "")
  check.that(report.inside_nodes > 3000)
  check.equal(report.samples_beyond, 0)
end

function tests.angles_inside_the_motion_pass_unchanged()
  local random, pose, seen = check.random(2), rig:pose(), 0
  for _ = 1, 2000 do
    local a, b, c = random(-40, 145), random(-40, 110), random(-60, 75)
    if size_of(a, b, c) < 1 then
      seen = seen + 1
      local x, y, z = put(pose, a, b, c)
      check.near_all({ x, y, z }, { a, b, c }, 1e-5)
      check.equal(pose:value(learnt.inside), 1)
    end
  end
  check.that(seen > 300)
end

-- epsilon is 4.3 degrees, a cell's diagonal 8.7: results are at most this far outside
function tests.angles_outside_are_moved_to_the_border_and_reported()
  local random, pose, seen = check.random(4), rig:pose(), 0
  for _ = 1, 2000 do
    local a, b, c = random(-40, 145), random(-40, 110), random(-60, 75)
    if size_of(a, b, c) > 1.3 then
      seen = seen + 1
      local x, y, z = put(pose, a, b, c)
      check.equal(pose:value(learnt.inside), 0)
      check.that(size_of(x, y, z) < 1.2, ("%g %g %g: %g"):format(x, y, z, size_of(x, y, z)))
      check.that(size_of(x, y, z) > 0.9)
      check.that(#pose:holds() > 0)
    end
  end
  check.that(seen > 300)
end

function tests.rests_where_its_dofs_rest() rigs.check_rest(rig) end

function tests.golden_poses()
  rigs.golden("field", rig, {
    { name = "rest", dofs = {} },
    { name = "inside", dofs = { ["shoulder.flexion"] = 70, ["shoulder.abduction"] = 40,
      ["shoulder.twist"] = 20 } },
    { name = "outside", dofs = { ["shoulder.flexion"] = 140, ["shoulder.abduction"] = -30,
      ["shoulder.twist"] = -50 } },
  })
end

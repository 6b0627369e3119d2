-- rigs/reach.lua: the numbers that [Wilhelms 2001] gives for its cones, checked on poses.
local check, tests = ...
local sinew = require "sinew"
local rigs = require "rigs"
local rig = rigs.open "reach"

local function cone_points(name) return #rig:find(name .. ".cone"):param "points" end

-- the cone of a component, made separately
local function cone_of(name)
  local options = {}
  for key, value in pairs(rig:find(name).params) do
    if key ~= "rotation1" and key ~= "rotation2" then options[key] = value end
  end
  return sinew.cone(options)
end

function tests.has_the_numbers_of_points_of_the_paper()
  check.equal(cone_points "shoulder", 25)
  for _, joint in ipairs { "wrist", "ankle", "waist", "back", "chest", "inner_shoulder" } do
    check.equal(cone_points(joint), 8)
  end
  check.equal(cone_points "neck", 4)
  check.equal(#cone_of "neck.cone", 16) -- smoothed twice
end

function tests.upper_arm_twists_by_157_degrees_lowered_and_94_raised()
  local pose, twist = rig:pose(), rig:find("shoulder.cone").twist
  local function range()
    pose["shoulder.twist"] = -97
    local low = pose:value(twist)
    pose["shoulder.twist"] = 60
    return pose:value(twist) - low
  end
  check.near(range(), 157, 1e-3)
  local before = 157
  for _, angle in ipairs { 40, 80, 120, 160 } do
    pose["shoulder.first"] = angle
    local now = range()
    check.that(now < before)
    before = now
  end
  -- at the highest point of the boundary, the arm raised as far as it goes
  local cone, highest = cone_of "shoulder.cone", nil
  for _, point in ipairs(cone.points) do
    point = sinew.vec3(point)
    if not highest or point.y > highest.y then highest = point end
  end
  local low, high = cone:twist(highest)
  check.near(high - low, 94, 0.1)
end

function tests.elbow_and_wrist_have_the_ranges_of_the_paper()
  check.has(rig:find "elbow.bend", { min = 0, max = 142 })
  check.has(rig:find "wrist.twist", { min = -60, max = 100 })
end

-- figure 8: an arm inside its cone does not move, one beyond is moved to the boundary
function tests.bones_never_leave_their_cones()
  local random, pose = check.random(5), rig:pose()
  local joints = { shoulder = "upper_arm_r", wrist = "hand_r", ankle = "foot_r", neck = "head",
    waist = "spine1", inner_shoulder = "collar_r" }
  local stopped = 0
  for name, bone in pairs(joints) do
    local component = rig:find(name .. ".cone")
    local cone = cone_of(name .. ".cone")
    for _ = 1, 300 do
      for _, dof in ipairs(rig.dofs) do pose[dof.name] = random(dof.min, dof.max) end
      local inside = pose:value(component.inside)
      local direction = pose:driven(bone):direction(cone.rest)
      -- a point slightly nearer to the rest direction is inside, whatever the input
      check.that(cone:inside(direction:lerp(cone.rest, 1e-3):normalize()), name)
      if inside == 0 then
        stopped = stopped + 1
        check.that(not cone:inside((direction * 1.002 - cone.rest * 0.002):normalize()), name)
      end
    end
  end
  check.that(stopped > 300)
end

function tests.golden_poses()
  rigs.golden("reach", rig, {
    { name = "rest", dofs = {} },
    { name = "one", dofs = { ["shoulder.first"] = 80, ["shoulder.second"] = 20,
      ["shoulder.twist"] = -40, ["elbow.bend"] = 60, ["wrist.second"] = 40, ["waist.first"] = 20,
      ["neck.second"] = 35, ["right_hip.flexion"] = 60, ["ankle.first"] = -30 } },
    { name = "held", dofs = { ["shoulder.first"] = -50, ["shoulder.second"] = -40,
      ["shoulder.twist"] = 60, ["wrist.first"] = 20, ["wrist.second"] = 70, ["neck.first"] = 40,
      ["neck.second"] = -40, ["right_hip.flexion"] = 115, ["right_hip.abduction"] = 45,
      ["inner_shoulder.first"] = 20, ["inner_shoulder.second"] = 30 } },
  })
end

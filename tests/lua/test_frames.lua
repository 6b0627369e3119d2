-- Frames of one segment seen from another, in Lua: the short forms, what they wire, and mirroring.
-- What the components compute is tested in C.
local check, tests = ...
local sinew = require "sinew"

local function arm()
  local rig = sinew.rig "arm"
  local set = rig:joint_set "arm"
  local lift, bend = set:dof("lift", { min = -90, max = 90 }), set:dof("bend", { max = 140 })
  local upper = set:segment("upper", { at = { 0.1, 1, 0 } })
  local fore = set:segment("fore", { parent = upper, at = { 0, -0.3, 0 } })
  local hand = rig:segment("hand", { parent = fore, at = { 0, -0.25, 0 } })
  upper:drive(set:rotation { lift, axis = { 1, 0, 0 } })
  fore:drive(set:rotation { bend, axis = { -1, 0, 0 } })
  return rig, set, upper, fore, hand
end

local function position(pose, name) return pose:world(name):point { 0, 0, 0 } end

function tests.frames_and_distances_are_ports()
  local rig, set, upper, _, hand = arm()
  local frame = sinew.relative { of = hand, to = upper, name = "hand_in_upper" }
  local far = sinew.distance(upper, { 0, 0.1, 0 }, hand, sinew.vec3(0, -0.1, 0))
  local half = sinew.blend(frame, sinew.mat4(), 0.5)
  local swing, twist, angle = frame:swing_twist "x"
  check.equal(frame.kind, "matrix")
  check.equal(frame.component.name, "hand_in_upper") -- hand is in no joint set
  check.equal(far.component.joint_set, set)
  check.equal(far.kind .. twist.kind .. angle.kind .. swing.kind .. half.kind,
    "scalarscalarscalarmatrixmatrix")
  local pose = rig:pose()
  pose["arm.lift"], pose["arm.bend"] = 30, 50
  local into = pose:world("upper"):inverse()
  check.near_all(pose:value(frame), into * pose:world "hand", 1e-5)
  check.near(pose:value(far), pose:world("upper"):point { 0, 0.1, 0 }
    :distance(pose:world("hand"):point { 0, -0.1, 0 }), 1e-5)
  check.near(pose:value(twist), -50, 1e-3)
  check.near(pose:value(angle), 0, 1e-3)
  local _, back = set:rotation({ 20, axis = { 0, 1, 0 } }):swing_twist { 0, -1, 0 }
  check.near(rig:pose():value(back), -20, 1e-4)
end

function tests.a_bone_aims_and_is_driven()
  local rig, _, upper, fore, hand = arm()
  local eye = rig:segment("eye", { parent = upper, at = { 0.2, 0.3, 0.1 } })
  check.equal(eye:aim { at = hand, point = { 0, 0, 0.1 }, along = "z", up = "y" }, eye)
  check.equal(eye.driver.component.name, "eye_aim")
  local pose = rig:pose()
  pose["arm.bend"] = 90
  local world = pose:world "eye"
  local way = (pose:world("hand"):point { 0, 0, 0.1 } - world:point { 0, 0, 0 }):unit()
  check.near_all(world:direction { 0, 0, 1 }, way, 1e-5)
  check.fails("aim: 'along' must be \"x\", \"-z\" and so on, or a direction, not \"q\"",
    function() fore:aim { at = eye, along = "q" } end)
  check.fails("did you mean 'along'", function() fore:aim { at = eye, alng = "x" } end)
  check.fails("aim { ... } expected", function() fore:aim(eye) end)
  check.fails("':'", function() fore.aim { at = eye } end)
end

function tests.a_bone_that_aims_below_itself_is_a_named_cycle()
  local rig = sinew.rig "loop"
  local a = rig:segment "a"
  local b = rig:segment("b", { parent = a, at = { 0, 1, 0 } })
  a:aim { at = b }
  check.fails("component 'a_aim' reads the frame of segment 'a', which it moves",
    function() rig:compile() end)
end

local function leg(options)
  local rig = sinew.rig "leg"
  local set = rig:joint_set "leg_r"
  local root = rig:segment("root", { at = { 0, 1, 0 } })
  local goal = set:segment("goal_r", { parent = root, at = { -0.1, -0.6, 0.1 } })
  local upper = set:segment("upper_r", { parent = root, at = { -0.1, 0, 0 } })
  local lower = set:segment("lower_r", { parent = upper, at = { 0, -0.4, 0 } })
  set:segment("foot_r", { parent = lower, at = { 0, -0.4, 0 } })
  goal:drive(set:translation { set:dof("x", { min = -0.3, max = 0.3, unit = "m" }),
    set:dof("y", { min = -0.3, max = 0.3, unit = "m" }) })
  options.lower, options.goal = lower, options.goal or goal
  return rig, set, upper:ik2(options)
end

function tests.two_bones_reach_a_segment_or_a_point()
  local rig, _, limb = leg { pole = { -0.1, 0, 2 } }
  check.equal(limb.name, "leg_r.upper_r_ik2")
  local pose, random = rig:pose(), check.random(3)
  for _ = 1, 50 do
    pose["leg_r.x"], pose["leg_r.y"] = random(-0.3, 0.3), random(-0.1, 0.3)
    check.near_all(position(pose, "foot_r"), position(pose, "goal_r"), 1e-5)
    check.that(position(pose, "lower_r").z > 0, "the knee is in front")
  end
  pose["leg_r.y"] = -0.3
  local held = pose:holds()[1]
  check.equal(held.port, "reach")
  check.that(held.amount < -0.05, "the hold tells how far it falls short")

  local other = leg { goal = { -0.1, -0.5, 0.2 }, pole = { -0.1, 0, 2 }, soft = 0.05 }
  check.near_all(position(other:pose(), "foot_r"), { -0.1, 0.5, 0.2 }, 1e-5)
  check.fails("straight at rest: give a 'pole'", function() leg {} :compile() end)
end

function tests.ik2_tells_what_is_missing()
  local rig, _, upper, fore, hand = arm()
  check.fails("ik2: 'lower' must be a segment, not nil", function() upper:ik2 {} end)
  check.fails("ik2: give 'tip', the point of 'hand' that reaches the goal; it has no child",
    function() fore:ik2 { lower = hand, goal = upper } end)
  check.equal(#rig.components, 2)
end

function tests.frames_are_mirrored()
  local rig, set = leg { pole = { -0.2, 0, 2 } }
  local eye = set:segment("eye_r", { parent = "root", at = { -0.3, 0.2, 0 } })
  eye:aim { at = rig:find "lower_r", point = { 0.1, 0, 0.2 }, along = { 0.2, -1, 0 }, up = "x" }
  local tag = set:segment("tag_r", { parent = "root" })
  local _, twist = sinew.relative { of = rig:find "lower_r", to = rig:find "root" }
    :swing_twist { 0.3, 1, 0 }
  tag:drive(set:rotation { twist, axis = { 1, 0.2, 0 } })
  sinew.mirror(rig)
  local pose, random, s = rig:pose(), check.random(5), sinew.mat4.scaling(-1, 1, 1)
  for _ = 1, 40 do
    for _, name in ipairs { "x", "y" } do
      local value = random(-0.3, 0.3)
      pose["leg_r." .. name], pose["leg_l." .. name] = value, value
    end
    for _, name in ipairs { "upper_", "lower_", "eye_", "tag_" } do
      check.near_all(pose:world(name .. "l"), s * pose:world(name .. "r") * s, 2e-5)
    end
  end
end

function tests.frames_come_back_from_xml()
  local rig = leg { pole = { -0.1, 0, 2 }, soft = 0.1, max_bend = 150 }
  local again = sinew.parse_xml(rig:xml())
  local one, two = rig:pose(), again:pose()
  for _, pose in ipairs { one, two } do pose["leg_r.x"], pose["leg_r.y"] = 0.2, -0.25 end
  for _, name in ipairs { "upper_r", "lower_r", "foot_r" } do
    check.near_all(two:world(name), one:world(name), 0)
  end
  check.equal(again:xml(), rig:xml())
end

function tests.a_target_of_another_rig_is_refused()
  local rig, other = sinew.rig "one", sinew.rig "two"
  local eye, hand = rig:bone "eye", other:bone "hand"
  rig:bone "hand"
  check.fails("'at' is a segment of another rig", eye.aim, eye, { at = hand })
end

-- a ram as long as its stroke says, with barrel and rod on one line
function tests.the_rams_of_the_excavator_fit()
  local rig = dofile "lua/examples/excavator.lua"
  local pose, random = rig:pose(), check.random(7)
  for _ = 1, 40 do
    for _, dof in ipairs(rig.dofs) do pose[dof.name] = random(dof.min, dof.max) end
    for _, name in ipairs { "boom", "arm", "bucket" } do
      local stroke = rig:find(name .. ".stroke")
      local foot, eye = position(pose, name .. "_barrel"), position(pose, name .. "_rod")
      check.near(foot:distance(eye), 0.8 * stroke.max / 0.3 + pose[stroke.name], 2e-4)
      local way = (eye - foot):unit()
      local along = rig:find(name .. "_barrel").driver.component.along:unit()
      check.near_all(pose:world(name .. "_barrel"):direction(along), way, 1e-5)
      check.near_all(pose:world(name .. "_rod"):direction(along), way, 1e-5)
    end
  end
end

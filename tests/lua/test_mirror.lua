-- Equal DOFs on both sides give the mirror image: world' = S world S, S = diag(-1, 1, 1).
local check, tests = ...
local sinew = require "sinew"

-- S m S, written without the module's own mirroring
local function reflected(m)
  local s = sinew.mat4.scaling(-1, 1, 1)
  return s * m * s
end

-- random poses; each DOF and its counterpart on the other side get the same value
local function check_image(rig, pairs_of_dofs, pairs_of_segments, shared)
  local pose, random, moved = rig:pose(), check.random(11), 0
  local start = {}
  for name in pairs(pairs_of_segments) do start[name] = pose:world(name) end
  for _ = 1, 60 do
    for one, other in pairs(pairs_of_dofs) do
      local dof = rig:find(one)
      local value = random(dof.min, dof.max)
      pose[one], pose[other] = value, value
    end
    for _, name in ipairs(shared or {}) do
      local dof = rig:find(name)
      pose[name] = random(dof.min, dof.max)
    end
    for one, other in pairs(pairs_of_segments) do
      local world = pose:world(one)
      if not world:near(start[one], 1e-3) then moved = moved + 1 end
      check.near_all(pose:world(other), reflected(world), 1e-5)
    end
  end
  check.that(moved > 0, "nothing moved")
end

local function names_of(copies)
  local dofs, segments = {}, {}
  for name, dof in pairs(copies.dofs) do dofs[name] = dof.name end
  for name, segment in pairs(copies.segments) do segments[name] = segment.name end
  return dofs, segments
end

local function check_mirrored(rig, set, shared)
  local _, copies = sinew.mirror(set)
  local dofs, segments = names_of(copies)
  check_image(rig, dofs, segments, shared)
end

-- a trunk in the symmetry plane, which leans and moves in it
local function trunk()
  local rig = sinew.rig "body"
  local root = rig:segment("trunk", { at = { 0, 1, 0.1 }, turn = sinew.quat.axis({ 1, 0, 0 }, 20) })
  local body = rig:joint_set "body"
  local bow = body:dof("bow", { min = -30, max = 40 })
  root:drive(body:rotation { bow, axis = { 1, 0, 0 }, centre = { 0, 0.1, 0.2 } })
  return rig, root, bow
end

local tilted = sinew.quat.axis({ 0.3, 1, -0.4 }, 35)

local function arm(rig, root)
  local set = rig:joint_set "right_arm"
  local raise = set:dof("raise", { min = -90, max = 120, label = "Right arm raise" })
  local turn = set:dof("turn", { min = -80, max = 80 })
  local bend = set:dof("bend", { min = 0, max = 140, rest = 10 })
  local humerus = set:segment("right_humerus", { parent = root, at = { -0.2, 0.4, 0.05 },
    turn = tilted })
  local forearm = rig:segment("right_forearm", { parent = humerus, at = { 0.02, -0.3, 0.01 },
    turn = sinew.quat.axis({ 1, 0.2, 0.1 }, -12) })
  rig:segment("right_hand", { parent = forearm, at = { -0.01, -0.25, 0 } })
  local curves = set:map { bend, angle = sinew.linear { { 0, -3 }, { 140, 137 } },
    slide = sinew.spline { { 0, 0 }, { 70, 0.01 }, { 140, -0.01 } } }
  local held = set:dependency { raise, turn, lower = sinew.linear { { -90, -60 }, { 120, 10 } } }
  humerus:drive(set:multiply {
    set:rotation { raise, axis = { 0.2, 0.1, 1 }, angles = { -90, 0, 60, 120 },
      centres = { { 0.01, 0, 0 }, { 0, 0.02, 0.01 }, { 0.03, 0, -0.02 } }, name = "raising" },
    set:euler { held, 12, turn, order = "zxy" },
    set:euler { second = raise, third = held, order = "xyz" },
  })
  forearm:drive(set:multiply {
    set:translation { x = curves.slide, y = 0.002 },
    set:translation { vector = { 0.003, 0, 0.001 } },
    set:rotation { curves.angle, axis = { 1, 0.3, -0.2 }, centre = { 0.01, 0.02, 0.03 } },
    sinew.mat4.turn({ 0, 1, 0.3 }, 15),
  })
  return set
end

function tests.mirrors_an_arm()
  local rig, root = trunk()
  local left, copies = sinew.mirror(arm(rig, root))
  check.equal(left.name, "left_arm")
  local dofs, segments = names_of(copies)
  check.equal(segments.right_hand, "left_hand")
  check.equal(dofs["right_arm.raise"], "left_arm.raise")
  check_image(rig, dofs, segments, { "body.bow" })
  check.equal(rig:find("left_arm.raise").label, "Left arm raise")
  check.equal(rig:find("left_arm.bend").rest, 10)
end

function tests.mirrors_a_blend()
  local rig, root = trunk()
  local set = rig:joint_set "right_ear"
  local much = set:dof("much", { min = -0.2, max = 1.2 })
  local bend = set:dof("bend", { min = -90, max = 90 })
  local ear = set:segment("right_ear", { parent = root, at = { -0.1, 0.6, 0 }, turn = tilted })
  ear:drive(set:blend {
    set:multiply { set:euler { bend, 20, bend, order = "zxy" },
      set:translation { x = 0.1, z = 0.2 } },
    sinew.mat4.turn({ 0.2, 1, -0.4 }, 70),
    much,
  })
  local _, copies = sinew.mirror(set)
  local dofs, segments = names_of(copies)
  check_image(rig, dofs, segments, { "body.bow" })
end

function tests.gives_the_original_when_mirrored_twice()
  local rig, root = trunk()
  local left = sinew.mirror(arm(rig, root))
  local _, copies = sinew.mirror(left, { rename = function(name)
    return (name:gsub("left", "third"))
  end })
  local dofs, segments, pose = {}, {}, rig:pose()
  for name, dof in pairs(copies.dofs) do dofs[name:gsub("left", "right")] = dof.name end
  for name, segment in pairs(copies.segments) do
    segments[name:gsub("left", "right")] = segment.name
  end
  local random = check.random(3)
  for _ = 1, 20 do
    for one, other in pairs(dofs) do
      local value = random(-60, 60)
      pose[one], pose[other] = value, value
    end
    for one, other in pairs(segments) do
      check.near_all(pose:world(other), pose:world(one), 1e-5)
    end
  end
end

function tests.mirrors_compensate_with_the_other_sides_segments()
  local rig, root = trunk()
  local set = rig:joint_set "girdle_r"
  local lift = set:dof("lift", { min = -30, max = 50 })
  local raise = set:dof("raise", { min = -30, max = 90 })
  local clavicle = rig:segment("clavicle_r", { parent = root, at = { -0.02, 0.4, 0.1 },
    turn = tilted })
  local humerus = rig:segment("humerus_r", { parent = clavicle, at = { -0.15, 0, -0.02 } })
  local turned = set:rotation { lift, axis = { 0.1, 0.3, 1 } }
  clavicle:drive(turned)
  humerus:drive(set:multiply {
    set:compensate { turned, ancestor = clavicle, segment = humerus },
    set:rotation { raise, axis = { 0, 0.2, 1 } },
  })
  check_mirrored(rig, set, { "body.bow" })
  check.has(rig:find "girdle_l.compensate1", { ancestor = "clavicle_l", segment = "humerus_l" })
end

function tests.mirrors_scripted_components_by_their_own_rules()
  local Swing = sinew.component {
    name = "swing", inputs = { "angle", "before: matrix" }, outputs = { "transform: matrix" },
    params = { axis = { 0.5, 0.2, 1 }, centre = { 0.1, 0, 0 }, factor = 0.5 },
    mirror = { axis = "axis", centre = "point" },
    eval = function(self, angle, before)
      return before * sinew.mat4.turn(self.axis, self.factor * angle, self.centre)
    end,
  }
  local Function = sinew.component {
    name = "by_function", inputs = { "angle" }, outputs = { "transform: matrix" },
    params = { axis = { 0, 1, 0.3 }, factor = 2 },
    mirror = function(params) return { axis = sinew.mirror.axis(params.axis) } end,
    eval = function(self, angle) return sinew.mat4.turn(self.axis, self.factor * angle) end,
  }
  local Spring = sinew.component {
    name = "spring", inputs = { "angle" }, outputs = { "angle" }, params = { stiffness = 1 },
    eval = function(self, angle) return angle / (1 + self.stiffness) end,
  }
  local rig, root = trunk()
  local set = rig:joint_set "right"
  local dof = set:dof("angle", { min = -50, max = 70 })
  local soft = set:add(Spring { dof, stiffness = 0.25 })
  local bone = set:segment("right_bone", { parent = root, at = { -0.1, 0.2, 0.1 }, turn = tilted })
  bone:drive(set:add(Swing { soft, set:add(Function { dof, factor = 0.7 }), centre = { 0, 0.1, 0 },
    name = "swinging" }))
  check_mirrored(rig, set)
  check.equal(rig:find("left.swinging").kind, "swing")
end

function tests.refuses_a_script_without_a_mirror_rule()
  local Odd = sinew.component { name = "odd", inputs = { "angle" }, outputs = { "t: matrix" },
    eval = function() return sinew.mat4() end }
  local rig = sinew.rig "r"
  local set = rig:joint_set "right"
  set:segment("right_bone"):drive(set:add(Odd { set:dof "a" }))
  check.fails("component 'right.odd1': nothing says how a 'odd' is mirrored", sinew.mirror, set)
  check.fails("'mirror' must be a table or a function, not number", sinew.component,
    { name = "x", outputs = { "t" }, eval = print, mirror = 1 })
  local Wrong = sinew.component { name = "wrong", outputs = { "t: matrix" }, params = { p = 1 },
    eval = function() return sinew.mat4() end, mirror = { p = "ponit" } }
  local set2 = rig:joint_set "right2"
  set2:add(Wrong {})
  check.fails("no rule 'ponit' for mirroring 'p'", sinew.mirror, set2,
    { rename = function(name) return name .. "x" end })
end

function tests.negates_opposite_dofs()
  local rig, root = trunk()
  local spine = rig:joint_set "spine"
  local lateral = spine:dof("lateral", { min = -30, max = 30 })
  local set = rig:joint_set "right"
  local bone = set:segment("right_rib", { parent = root, at = { -0.1, 0, 0 } })
  bone:drive(set:rotation { lateral, axis = { 0.2, 0.1, 1 } })
  local _, copies = sinew.mirror(set, { opposite = { lateral } })
  local pose = rig:pose()
  for _, angle in ipairs { -20, 5, 30 } do
    pose["spine.lateral"] = angle
    local left = pose:world "left_rib"
    pose["spine.lateral"] = -angle
    check.near_all(left, reflected(pose:world "right_rib"), 1e-5)
  end
  check.equal(next(copies.dofs), nil)
end

function tests.uses_existing_parts_of_the_other_side()
  local rig, root = trunk()
  sinew.mirror(arm(rig, root))
  local set = rig:joint_set "right_finger"
  local finger = set:segment("right_finger", { parent = "right_hand", at = { 0, -0.05, 0.01 } })
  local curl = set:dof("curl", { min = 0, max = 90 })
  finger:drive(set:multiply { set:rotation { curl, axis = { 1, 0.1, 0.2 } },
    set:rotation { rig:find "right_arm.turn", axis = { 0, 1, 0.4 } } })
  local _, copies = sinew.mirror(set)
  check.equal(copies.segments.right_finger.parent, "left_hand")
  check_image(rig, { ["right_finger.curl"] = "left_finger.curl",
    ["right_arm.turn"] = "left_arm.turn", ["right_arm.raise"] = "left_arm.raise" },
    { right_finger = "left_finger" })
end

function tests.mirrors_everything_outside_joint_sets()
  local rig, root = trunk()
  arm(rig, root)
  local leg = rig:joint_set "right_leg"
  leg:segment("right_femur", { parent = root, at = { -0.1, -0.1, 0 } })
    :drive(leg:rotation { leg:dof("flexion", { min = -20, max = 120 }), axis = { 1, 0.1, 0.05 } })
  rig:segment("left_ear", { parent = root, at = { 0.08, 0.6, 0 } })
  local sets, copies = sinew.mirror(rig)
  check.equal(#sets, 2)
  check.equal(sets[2].name, "left_leg")
  check.equal(copies.segments.left_ear.name, "right_ear")
  local dofs, segments = names_of(copies)
  segments.left_ear = nil
  check_image(rig, dofs, segments, { "body.bow" })
  check.equal(#sinew.mirror(rig), 0)
end

function tests.mirrors_shapes_and_copies_notes()
  local rig, root = trunk()
  local set = rig:joint_set "right"
  local bone = set:segment("right_bone", { parent = root, shape = sinew.shapes.scapula {} })
  bone:note("source", "measured")
  local _, copies = sinew.mirror(set)
  local other = copies.segments.right_bone
  check.equal(other:note "source", "measured")
  check.equal(other.shape.mirrored, true)
  check.equal(other.shape.vertices[1], -bone.shape.vertices[1])
end

function tests.refuses_bad_arguments_with_a_message()
  local rig, root = trunk()
  local plain = rig:joint_set "arm"
  check.fails("joint set 'arm' has no side in its name", sinew.mirror, plain)
  local set = rig:joint_set "right"
  set:segment("bone", { parent = root })
  check.fails("'bone' has no side in its name", sinew.mirror, set)
  check.fails("a joint set, a segment or a rig is wanted, not a number", sinew.mirror, 3)
  check.fails("not nothing", sinew.mirror, {})
  check.fails("all must be of one rig", sinew.mirror,
    { rig:joint_set "right_a", sinew.rig("other"):joint_set "right_b" })
  local askew = rig:segment("askew", { parent = root, at = { 0.1, 0, 0 } })
  local hung = rig:joint_set "right_hung"
  hung:segment("right_hung", { parent = askew })
  check.fails({ "both sides hang on segment 'askew'", "test_mirror.lua:" },
    function() sinew.mirror(hung) end)
  local twice = rig:joint_set "right_twice"
  twice:segment("right_twice")
  sinew.mirror(twice)
  check.fails("'left_twice' of the other side is there already", sinew.mirror, twice)
  local driven = rig:segment "right_driven"
  driven:drive(plain:rotation { 1, axis = { 1, 0, 0 } })
  check.fails("segment 'right_driven' is driven by 'arm.rotation1', which has no other side",
    sinew.mirror, { driven })
end

function tests.finds_sides_in_names()
  local other = require("sinew.sides").other
  local cases = { right_arm = "left_arm", ["arm.R"] = "arm.L", arm_l = "arm_r", L5 = "L5",
    armRight = "armLeft", rightArm = "leftArm", ["RIGHT ARM"] = "LEFT ARM", thorax = "thorax",
    ["Left shoulder"] = "Right shoulder", upright = "upright", bright_l = "bright_r",
    rib_7_r = "rib_7_l", r_hand = "l_hand", right_toe_right = "left_toe_left", cleft = "cleft" }
  for name, expected in pairs(cases) do
    check.equal(other(name), expected)
    check.equal(other(expected), name)
  end
end

local points = { { 0.9, -1, 0.1 }, { 0.5, -0.7, 0.8 }, { -0.3, -1, 1.1 }, { -1, -0.9, 0.2 },
  { -0.6, -0.6, -0.7 }, { 0.4, -1, -0.6 } }
local limits = { -50, 70, -40, 60, -30, 50, -60, 20, -70, 80, -20, 90 }

function tests.mirrors_cones()
  for variant = 1, 5 do
    local rig, root = trunk()
    local set = rig:joint_set "right"
    local a = set:dof("a", { min = -100, max = 100 })
    local b = set:dof("b", { min = -100, max = 100 })
    local twist = set:dof("twist", { min = -120, max = 120 })
    local bone = set:segment("right_bone", { parent = root, at = { -0.2, 0.3, 0.1 },
      turn = tilted })
    local marker = set:segment("right_marker", { parent = root, at = { -0.3, 0, 0 } })
    local one = set:rotation { a, axis = { 0.1, 0.1, 1 }, centre = { 0.01, 0.02, 0 },
      angles = { -100, 100 } }
    local two = set:rotation { b, axis = { 1, 0.2, 0.1 }, angles = { -100, 100 } }
    local arguments = { rest = { 0.1, -1, 0.1 }, twist = twist, points = points,
      twist_limits = variant % 2 == 0 and limits or { -30, 75 } }
    if variant == 5 then
      arguments.points, arguments.ellipse = nil, { 30, 50, 70, 20 }
      arguments.right, arguments.twist_limits = { 1, 0, 0.2 }, { -20, 50 }
    elseif variant == 4 then
      arguments.visible_twist, arguments.smooth = { -10, 40 }, 1
    end
    if variant == 3 or variant == 4 then
      arguments.rotation1, arguments.rotation2 = one, two
      arguments.angle1, arguments.angle2 = a, b
    else
      arguments.swing = set:multiply { one, two }
    end
    local cone = set:cone(arguments)
    bone:drive(cone.transform)
    -- what follows the twist must rotate the same way, too
    marker:drive(set:multiply { set:rotation { cone.twist, axis = { 0, 1, 0.2 } },
      set:euler { cone.twist, cone.angle1, cone.twist } })
    check_mirrored(rig, set)
  end
end

function tests.mirrors_a_slide()
  for variant = 1, 5 do
    local rig, root = trunk()
    local set = rig:joint_set "right"
    local a = set:dof("a", { min = -25, max = 25 })
    local lift = set:dof("lift", { min = 0, max = 1 })
    local scapula = set:segment("right_scapula", { parent = root, at = { -0.14, 0.1, -0.02 } })
    local marker = set:segment("right_marker", { parent = root, at = { -0.3, 0, 0 } })
    local turn = set:rotation { a, axis = { 0.2, 1, 0.1 } }
    local arguments = {
      set:multiply { scapula.rest, turn }, lift = lift, rotation = 0,
      radii = { 0.1, 0.16, 0.09 }, centre = { -0.03, 0.02, 0.01 },
      orientation = sinew.mat4.turn({ 0, 0.3, 1 }, 8), axis = { 0.263, -0.912, 0.314 },
      pair1 = { { 0.085, -0.04, -0.03 }, { 0.087, -0.024, -0.04 } },
      pair2 = { { 0.082, 0, -0.031 }, { 0.075, 0.02, -0.03 } },
      pair3 = { { 0.085, -0.04, -0.03 }, { 0.087, -0.024, -0.04 } },
      window = variant % 3 == 2 and { -60, 25 } or nil,
      psi_window = variant == 3 and { -40, 80 } or nil,
    }
    -- in C, and scripted
    local slide = variant <= 3 and set:slide(arguments)
      or set:add(require "sinew.slide"(arguments))
    scapula:drive(set:multiply { turn, slide.transform })
    marker:drive(set:rotation { slide.psi, axis = { 0, 1, 0.2 } })
    check_mirrored(rig, set)
  end
end

function tests.a_sided_segment_in_a_set_without_a_side_is_told()
  local rig = sinew.rig "r"
  local body = rig:bone("body", { hinge = { "trunk.lean", axis = "x" } })
  local limb = body:bone("arm_r", { hinge = { "swing", axis = "x" } })
  check.fails("segment 'arm_r' has a side, but its joint set 'trunk' has none, so it would not be "
    .. "mirrored; make it in another: bone('arm_r', { set = 'arm_r', ... })", sinew.mirror, rig)
  check.equal(limb.joint_set.name, "trunk")
  -- both sides are there already
  body:bone("arm_l", { hinge = { "swing2", axis = "x" } })
  sinew.mirror(rig)
  check.equal(#rig.segments, 3)
end

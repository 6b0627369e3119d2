-- rigs/human.lua: it stands, bends the right way, has human limits, and is symmetric.
local check, tests = ...
local rigs = require "rigs"
local sides = require "sinew.sides"
local rig = rigs.open "human"
local limbs = require "data.limbs"
local hand = require "data.hand"

-- DOFs on the midline that change sign when mirrored
local sideways = { ["body.x"] = true, ["body.turn"] = true, ["body.tilt"] = true,
  ["head.tilt"] = true, ["head.turn"] = true, ["jaw.side"] = true }
for _, region in ipairs { "lumbar", "thoracic", "cervical" } do
  sideways[region .. ".bend"], sideways[region .. ".twist"] = true, true
end

local function random_values(random)
  local values = {}
  for _, dof in ipairs(rig.dofs) do values[dof.name] = random(dof.min, dof.max) end
  return values
end

-- the rotation from one segment to another, in degrees
local function turn_between(pose, a, b)
  return (pose:world(a):inverse() * pose:world(b)):rotation():angle()
end

-- how much is held back, by the full name of the limit
local function held(pose)
  local by = {}
  for _, hold in ipairs(pose:eval():holds()) do by[hold.name] = hold.amount end
  return by
end

function tests.has_more_than_75_segments_in_one_tree_and_a_shape_for_each()
  check.that(#rig.segments >= 75)
  local roots = 0
  for _, segment in ipairs(rig.segments) do
    if not segment.parent then roots = roots + 1 end
    check.that(type(segment.shape) == "table" and #segment.shape.vertices > 0, segment.name)
  end
  check.equal(roots, 1)
  check.equal(rig.warnings, "")
end

-- neighbours in the middle of the body, from below, and the data of the upper one
local function column()
  local list, below = {}, "pelvis"
  for _, region in ipairs { "lumbar", "thoracic", "cervical" } do
    for _, level in ipairs(require "data.spine"[region]) do
      list[#list + 1] = { below, level.name, level = level }
      below = level.name
    end
  end
  list[#list + 1], list[#list + 2] = { "C1", "skull" }, { "skull", "jaw" }
  return list
end

function tests.spine_skull_and_jaw_meet_without_being_in_each_other()
  local between = require "tools.gaps"(rigs.open "human")
  for _, pair in ipairs(column()) do
    local found = between(pair[1], pair[2])
    check.that(found.gap <= 4, ("%s, %s: %.1f mm apart"):format(pair[1], pair[2], found.gap))
    check.that(found.depth <= 1, ("%s, %s: %.1f mm deep"):format(pair[1], pair[2], found.depth))
  end
end

function tests.discs_are_as_high_as_the_data_says()
  local new = rigs.open "human"
  local pose = new:pose()
  for _, pair in ipairs(column()) do
    local level = pair.level
    if level and level.name ~= "C1" then
      local above, below = new:find(pair[2]), new:find(pair[1])
      local to = pose:world(below):inverse() * pose:world(above)
      -- down from the body's middle: out of it, then into the one below
      local out, y = nil, 0
      repeat
        y = y - 0.0001
        out = out or above.shape.solid:distance { 0, y, 0 } > 0 and y
      until y < -0.05 or out and below.shape.solid:distance(to:point { 0, y, 0 }) < 0
      check.near(1000 * (out - y), level.disc, 0.6)
    end
  end
end

function tests.every_dof_has_a_label_and_a_joint_set()
  for _, dof in ipairs(rig.dofs) do
    check.that(type(dof.label) == "string" and dof.label ~= "", dof.name)
    check.that(dof.joint_set, dof.name)
    check.that(dof.min <= dof.rest and dof.rest <= dof.max and dof.min < dof.max, dof.name)
  end
end

function tests.stands_on_the_ground_and_has_human_height()
  local pose, low, high = rig:pose(), math.huge, -math.huge
  local lowest
  for _, segment in ipairs(rig.segments) do
    local m, v = pose:world(segment), segment.shape.vertices
    for i = 1, #v, 3 do
      local y = m:get(2, 1) * v[i] + m:get(2, 2) * v[i + 1] + m:get(2, 3) * v[i + 2] + m:get(2, 4)
      if y < low then low, lowest = y, segment.name end
      high = math.max(high, y)
    end
  end
  check.near(low, 0, 0.001)
  check.that(lowest:find "toe" or lowest:find "calcaneus", lowest)
  check.near(high, 1.67, 0.01) -- the bones of a man of 1.71: skin and heels add the rest
  -- the arms hang: hands beside the thighs
  local wrist = pose:world "carpus_r":position()
  check.that(wrist.y > 0.7 and wrist.y < 0.9 and wrist.x < -0.15 and math.abs(wrist.z) < 0.1)
end

function tests.rests_where_its_dofs_rest()
  rigs.check_rest(rig)
end

function tests.mirrored_values_give_the_mirror_image()
  -- floats at up to nine metres from the origin
  rigs.check_mirror_image(rig, sideways, check.random(7), 5e-5)
end

function tests.equal_values_on_both_sides_give_a_symmetric_pose()
  local random, pose = check.random(11), rig:pose()
  for _ = 1, 60 do
    local values = random_values(random)
    for name in pairs(values) do
      if sides.other(name) ~= name then values[sides.other(name)] = values[name] end
      if sideways[name] or name:find "^body" then values[name] = 0 end
    end
    pose:set(values)
    for _, segment in ipairs(rig.segments) do
      if segment.name:find "_r$" then
        check.near_all(pose:world(sides.other(segment.name)),
          rigs.mirrored(pose:world(segment)), 1e-5)
      end
    end
  end
end

function tests.limbs_bend_the_right_way()
  local pose = rig:pose()
  local function at(name, point) return pose:world(name):point(point or { 0, 0, 0 }) end
  local function change(dofs, name, point)
    local before = at(name, point)
    pose:set(dofs)
    local moved = at(name, point) - before
    pose:reset()
    return moved
  end
  check.that(change({ ["right_elbow.flexion"] = 90 }, "carpus_r").z > 0.2) -- forward
  check.that(change({ ["right_hip.flexion"] = 60 }, "tibia_r").z > 0.3) -- forward
  check.that(change({ ["right_hip.abduction"] = 30 }, "tibia_r").x < -0.15) -- outward
  check.that(change({ ["right_hip.turn"] = 30 }, "distal_toe1_r").x < -0.05) -- toes outward
  check.that(change({ ["right_knee.flexion"] = 60 }, "talus_r").z < -0.3) -- backward
  check.that(change({ ["right_ankle.flexion"] = 13 }, "distal_toe1_r").y > 0.02) -- up
  check.that(change({ ["right_ankle.inversion"] = 30 }, "distal_toe1_r").x > 0.02) -- inward
  check.that(change({ ["right_foot.toes"] = 45 }, "distal_toe3_r").y > 0.01) -- up
  check.that(change({ ["right_wrist.flexion"] = 50 }, "distal_middle_r").x > 0.05) -- to the palm
  check.that(change({ ["right_wrist.deviation"] = 20 }, "distal_middle_r").z > 0.04) -- to the thumb
  check.that(change({ ["right_hand.index_curl"] = 1 }, "distal_index_r").x > 0.01)
  check.that(change({ ["right_hand.spread"] = 1 }, "distal_index_r").z > 0.01)
  check.that(change({ ["right_hand.spread"] = 1 }, "distal_little_r").z < -0.01)
  check.that(change({ ["head.nod"] = 8 }, "skull", { 0, 0.1, 0.1 }).y < -0.005)
  check.that(change({ ["head.tilt"] = 3 }, "skull", { 0, 0.19, 0 }).x < -0.005)
  check.that(change({ ["body.y"] = 0.1 }, "pelvis").y > 0.09)
  local crossing = change({ ["right_hand.thumb_opposition"] = 1 }, "distal_thumb_r")
  check.that(crossing.x > 0.01 and crossing.z < -0.01) -- over the palm, away from its own side
end

-- the radius rotates about the ulna, which does not move; its own head stays in place on the
-- humerus
function tests.forearm_twists_by_the_radius_alone()
  local pose = rig:pose()
  local function in_ulna(name, point)
    return (pose:world "ulna_r":inverse() * pose:world(name)):point(point or { 0, 0, 0 })
  end
  local head, ulna = in_ulna "radius_r", pose:world "ulna_r"
  local gap = in_ulna("carpus_r"):distance(limbs.forearm.ulna_head)
  local palms = {}
  for _, angle in ipairs { -84, 0, 76 } do
    pose["right_elbow.twist"] = angle
    check.that(pose:world "ulna_r":near(ulna, 1e-6))
    check.near_all({ in_ulna("radius_r"):unpack() }, { head:unpack() }, 1e-6)
    check.near(in_ulna("carpus_r"):distance(limbs.forearm.ulna_head), gap, 1e-5)
    palms[#palms + 1] = pose:world "carpus_r":direction { 1, 0, 0 }
  end
  check.that(palms[1].z > 0.9) -- supine: the palm faces forward
  check.near(palms[2].x, 1, 1e-6)
  check.that(palms[3].z < -0.9) -- prone: backward
  -- supine, the bones lie side by side; prone, the radius has crossed to the inner side
  pose["right_elbow.twist"] = -84
  check.that(in_ulna("carpus_r").x < limbs.forearm.ulna_head[1] - 0.015)
  pose["right_elbow.twist"] = 76
  check.that(in_ulna("carpus_r").x > limbs.forearm.ulna_head[1] + 0.01)
end

function tests.hamstrings_bend_the_knee_of_a_flexed_hip()
  local pose = rig:pose()
  local curve = { { 0, 0 }, { 60, 0 }, { 75, 0 }, { 90, 25 }, { 106, 47.5 }, { 122, 70 } }
  for _, point in ipairs(curve) do
    pose["right_hip.flexion"] = point[1]
    pose:eval()
    check.near(pose:value(rig:find "right_knee.two_joint_muscles"), point[2], 1e-3)
    check.equal(held(pose)["right_knee.two_joint_muscles"] ~= nil, point[2] > 0)
  end
  -- and the shank agrees: 70 degrees of flexion, with some 15 of the screw
  check.near(turn_between(pose, "femur_r", "tibia_r"), 71, 3)
  -- with an extended hip the heel cannot reach the buttock
  pose:set { ["right_hip.flexion"] = -10, ["right_knee.flexion"] = 120 }
  check.near(pose:value(rig:find "right_knee.two_joint_muscles"), 110, 1e-3)
  pose["right_hip.flexion"] = 0
  check.near(pose:value(rig:find "right_knee.two_joint_muscles"), 120, 1e-3)
end

function tests.end_joints_of_fingers_follow_the_middle_ones_by_two_thirds()
  local pose = rig:pose()
  for _, finger in ipairs { "index", "middle", "ring", "little" } do
    for curl = -1, 1, 0.25 do
      pose["right_hand." .. finger .. "_curl"] = curl
      local middle = turn_between(pose, "proximal_" .. finger .. "_r", "middle_" .. finger .. "_r")
      local tip = turn_between(pose, "middle_" .. finger .. "_r", "distal_" .. finger .. "_r")
      check.near(tip, middle * 2 / 3, 0.02)
    end
    check.near(turn_between(pose, "metacarpal_" .. finger .. "_r", "proximal_" .. finger .. "_r"),
      hand.knuckle[3], 0.5)
  end
end

function tests.a_fist_cannot_be_spread()
  local pose = rig:pose()
  local function fan()
    local index = pose:world "proximal_index_r":direction { 0, -1, 0 }
    return index:angle(pose:world "proximal_little_r":direction { 0, -1, 0 })
  end
  pose["right_hand.spread"] = 1
  local open = fan()
  check.equal(held(pose)["right_hand.index_ligament"], nil)
  for _, finger in ipairs { "index", "middle", "ring", "little" } do
    pose["right_hand." .. finger .. "_curl"] = 1
  end
  check.that(held(pose)["right_hand.index_ligament"])
  check.that(open > 35)
  local index = pose:value(rig:find "right_hand.index_ligament")
  check.near(index, 1.6, 1e-4) -- a tenth of 16
end

-- each range alone is free; corners of the box are not, and the result is on the cone
function tests.wrist_hip_and_ankle_are_limited_by_their_cones()
  local boxes = {
    { "wrist", "flexion", "deviation", limbs.wrist.flexion, limbs.wrist.radial },
    { "hip", "flexion", "abduction", limbs.hip.flexion, limbs.hip.abduction },
    { "ankle", "flexion", "inversion", -limbs.ankle.plantar, limbs.ankle.inversion },
    { "wrist", "flexion", "deviation", -limbs.wrist.extension, -limbs.wrist.ulnar },
    { "hip", "flexion", "abduction", -limbs.hip.extension, -limbs.hip.adduction },
    { "ankle", "flexion", "inversion", limbs.ankle.dorsal, -limbs.ankle.eversion },
  }
  for _, side in ipairs { "right_", "left_" } do
    for _, box in ipairs(boxes) do
      local pose, set = rig:pose(), side .. box[1]
      pose[set .. "." .. box[2]] = box[4] * 0.97
      check.equal(held(pose)[set .. ".reach"], nil)
      pose:reset()
      pose[set .. "." .. box[3]] = box[5] * 0.97
      check.equal(held(pose)[set .. ".reach"], nil)
      pose[set .. "." .. box[2]] = box[4] * 0.97
      check.that(held(pose)[set .. ".reach"], set)
      local reach = rig:find(set .. ".reach")
      local first, second = pose:value(reach.angle1), pose:value(reach.angle2)
      check.that(math.abs(first / box[4]) < 0.97 and math.abs(second) <= math.abs(box[5]) + 1, set)
    end
  end
end

function tests.hip_rotates_less_when_extended()
  local pose = rig:pose()
  pose["right_hip.turn"] = 47
  check.near(pose:value(rig:find("right_hip.reach").twist), 0.8 * 47, 0.5)
  pose["right_hip.flexion"] = 110
  check.that(pose:value(rig:find("right_hip.reach").twist) > 45)
end

function tests.jaw_opens_five_centimetres_and_its_joints_glide_forward()
  local pose = rig:pose()
  local function of_skull(point)
    return (pose:world "skull":inverse() * pose:world "jaw"):point(point)
  end
  local joint, chin = of_skull { 0, 0, 0 }, of_skull { 0, -0.05, 0.08 }
  pose["jaw.open"] = 11
  check.near(of_skull({ 0, 0, 0 }):distance(joint), 0, 1e-6)
  pose["jaw.open"] = 30
  local glide = of_skull { 0, 0, 0 } - joint
  check.that(glide.z > 0.008 and glide.z < 0.016)
  check.near(of_skull({ 0, -0.05, 0.08 }):distance(chin), 0.05, 0.01)
end

function tests.golden_poses()
  rigs.golden("human", rig, {
    { name = "rest", dofs = {} },
    { name = "stride", dofs = { ["right_hip.flexion"] = 35, ["right_knee.flexion"] = 10,
      ["right_ankle.flexion"] = 8, ["left_hip.flexion"] = -9, ["left_knee.flexion"] = 35,
      ["left_ankle.flexion"] = -20, ["left_foot.toes"] = 40, ["lumbar.twist"] = 0.6,
      ["thoracic.twist"] = -0.8, ["left_elbow.flexion"] = 60, ["right_elbow.flexion"] = 40,
      ["body.y"] = -0.03, ["body.z"] = 0.4 } },
    { name = "crouch", dofs = { ["right_hip.flexion"] = 110, ["left_hip.flexion"] = 100,
      ["right_hip.abduction"] = 25, ["left_hip.abduction"] = 15, ["right_hip.turn"] = 20,
      ["right_knee.flexion"] = 115, ["left_knee.flexion"] = 20, ["right_ankle.flexion"] = 13,
      ["right_ankle.inversion"] = -15, ["lumbar.flexion"] = 0.8, ["thoracic.flexion"] = 0.5,
      ["cervical.flexion"] = -0.7, ["body.lean"] = 25, ["body.turn"] = 40 } },
    { name = "hands", dofs = { ["right_elbow.flexion"] = 110, ["right_elbow.twist"] = -70,
      ["left_elbow.flexion"] = 90, ["left_elbow.twist"] = 60, ["right_wrist.flexion"] = 40,
      ["right_wrist.deviation"] = -20, ["left_wrist.flexion"] = -60, ["left_hand.spread"] = 1,
      ["right_hand.index_curl"] = 1, ["right_hand.middle_curl"] = 0.6, ["right_hand.ring_curl"] = 1,
      ["right_hand.little_curl"] = -1, ["right_hand.thumb_curl"] = 0.5,
      ["right_hand.thumb_opposition"] = 1, ["head.nod"] = 6, ["head.turn"] = -4, ["jaw.open"] = 24,
      ["jaw.side"] = 0.004 } },
  })
end

-- A reload should be instant, and a hosted script pays for every instruction, so points of bones
-- are made in C. LuaJIT's compiled loops are not counted.
function tests.loads_in_few_instructions()
  if _VERSION == "Lua 5.1" then return end
  local thousands = 0
  debug.sethook(function() thousands = thousands + 1 end, "", 1000)
  local ok, problem = pcall(rigs.open, "human")
  debug.sethook()
  check.that(ok, problem)
  check.that(thousands > 10 and thousands < 1200, thousands .. " thousand instructions")
end

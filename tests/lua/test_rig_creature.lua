-- rigs/creature.lua: a dragon that is symmetric, folds its wings and waves its tail.
local check, tests = ...
local sinew = require "sinew"
local rigs = require "rigs"
local rig = rigs.open "creature"

local sideways = { ["body.roll"] = true, ["neck.sway"] = true, ["neck.roll"] = true,
  ["head.turn"] = true, ["tail.sway"] = true, ["tail.wave"] = true, ["tail.whip"] = true }

function tests.rests_where_its_dofs_rest() rigs.check_rest(rig) end

function tests.mirrored_values_give_the_mirror_image()
  rigs.check_mirror_image(rig, sideways, check.random(3), 1e-5)
end

-- the positions of the four fingertips of a wing, relative to the trunk
local function fingertips(pose, side)
  local list, back = {}, pose:world "trunk":inverse()
  for i = 1, 4 do
    list[i] = back:point(pose:world(("fingertip%d_%s"):format(i, side)):position())
  end
  return list
end

function tests.one_dof_folds_a_wing_from_two_metres_to_the_flank()
  local pose = rig:pose()
  check.that(fingertips(pose, "r")[1].x < -1.5)
  local before = math.huge
  for fold = 0, 1, 0.05 do
    pose["right_wing.fold"] = fold
    local reach = 0
    for _, tip in ipairs(fingertips(pose, "r")) do reach = math.max(reach, -tip.x) end
    check.that(reach <= before + 0.02, ("wider again at fold %g"):format(fold))
    before = reach
  end
  for _, tip in ipairs(fingertips(pose, "r")) do
    check.that(tip.x > -0.5 and tip.z < 0.2)
  end
  check.that(fingertips(pose, "l")[1].x > 1.5) -- the other wing does not move
end

-- when folded, the range of the beat is 15 percent
function tests.a_folded_wing_cannot_beat()
  local pose = rig:pose()
  pose["right_wing.flap"] = 60
  local beat = rig:find "right_wing.beat"
  check.near(pose:value(beat), 60, 1e-4)
  pose["right_wing.fold"] = 0.5
  check.near(pose:value(beat), 65 * 0.575, 1e-3)
  pose["right_wing.fold"] = 1
  check.near(pose:value(beat), 65 * 0.15, 1e-3)
end

-- the sines sum to zero: a wave bends the tail to one side, then back to its direction
function tests.wave_of_the_tail_is_an_s()
  local pose = rig:pose()
  local start, straight = pose:world "tail1":direction { 0, 0, 1 }, pose:world "tail18"
  local along = straight:direction { 0, 0, 1 }
  pose["tail.wave"] = 1
  local waved = pose:world "tail18"
  check.near(sinew.atan2(waved:direction({ 0, 0, 1 }).x, -waved:direction({ 0, 0, 1 }).z),
    sinew.atan2(along.x, -along.z), 6)
  local bent = pose:world "tail9":direction { 0, 0, 1 }
  check.that(start:angle(bent) > 60)
end

function tests.crouching_lowers_the_hips_over_the_toes()
  local pose = rig:pose()
  local function toe() return pose:world "toe2_r":position() - pose:world "femur_r":position() end
  local standing = toe()
  pose["right_leg.crouch"] = 1
  local crouched = toe()
  check.that(crouched.y > standing.y + 0.15)
  check.that(math.abs(crouched.z - standing.z) < 0.15)
end

function tests.golden_poses()
  rigs.golden("creature", rig, {
    { name = "rest", dofs = {} },
    { name = "flight", dofs = { ["body.height"] = 1.5, ["body.pitch"] = 20, ["body.roll"] = -30,
      ["right_wing.flap"] = 50, ["left_wing.flap"] = 40, ["right_wing.camber"] = 1,
      ["left_wing.twist"] = -20, ["left_wing.sweep"] = 25, ["neck.raise"] = -0.5,
      ["tail.raise"] = 0.5, ["tail.whip"] = 1, ["head.jaw"] = 40 } },
    { name = "perched", dofs = { ["right_wing.fold"] = 1, ["left_wing.fold"] = 0.7,
      ["neck.raise"] = 0.8, ["neck.sway"] = -0.6, ["tail.wave"] = 1, ["right_leg.crouch"] = 0.8,
      ["left_leg.crouch"] = 0.8, ["right_leg.grip"] = 1, ["left_leg.stride"] = 20 } },
  })
end

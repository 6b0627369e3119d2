-- A spine on a given segment: 24 vertebrae in three joint sets, nine DOFs from -1 to 1, as section
-- 5.1 and figure 8 of [Shao 2003], with the numbers of data/spine.lua and data/spine_motion.lua.
--
--   local spine = require "parts.spine"
--   local made = spine(rig, pelvis, { at = {0, 0.1, -0.05} })   -- where the sacrum's upper face is
--
-- The parent's frame is the rig's. A vertebra's frame stands in the middle of its body, y up along
-- it and z forward; each hangs on the one below. A joint set's map takes one DOF to an angle for
-- each vertebra, piecewise through (0, 0), so that the rest pose is one; three rotations with axes
-- and centres of their own follow. Positive: forwards, to the right, turned to the right.
--
-- Gives { lumbar =, thoracic =, cervical =, skull =, ribs = { right =, left = }, sternum = }:
-- chains as sinew.chain gives them, segments, and the ribs by number; `frames` has the rest of each
-- vertebra in the parent's frame, by name.
local sinew = require "sinew"
local chain = require "sinew.chain"
local shapes = require "sinew.shapes"
local bones = require "data.spine"
local motion = require "data.spine_motion"
local cage = require "parts.cage"

local mat4 = sinew.mat4

local labels = { flexion = "forward and back", bend = "to the side", twist = "turn" }

local function up(pitch) return sinew.vec3(0, sinew.cos(pitch), sinew.sin(pitch)) end

-- the rest frame of each body in the parent's frame, from the sacrum upwards
local function rest_frames(at)
  local frames, top, pitch = {}, sinew.vec3(at), bones.sacrum.pitch
  for _, region in ipairs { "lumbar", "thoracic", "cervical" } do
    for _, level in ipairs(bones[region]) do
      local own = up(level.pitch)
      local middle = top + up((pitch + level.pitch) / 2) * (level.disc / 1000)
        + own * (level.height / 2000)
      frames[level.name] = mat4.translation(middle) * mat4.turn({ 1, 0, 0 }, level.pitch)
      top, pitch = middle + own * (level.height / 2000), level.pitch
    end
  end
  return frames
end

local function body_shape(level)
  local mm = 0.001
  return shapes.vertebra { width = mm * level.width, depth = mm * level.depth,
    height = mm * level.height, spinous = mm * level.spinous, slope = level.slope,
    transverse = mm * level.transverse }
end

-- axes and centres of a vertebra's three rotations, in its own frame
local function joint_of(region, level)
  local lean, centres = motion.lean[region](level.name), motion.centres[region](level.name)
  local function centre(turn)
    return { 0, -level.height / 2000 - centres[turn][1] / 1000, -centres[turn][2] / 1000 }
  end
  return { axes = { flexion = { 1, 0, 0 },
      bend = { 0, -sinew.sin(lean.bend), sinew.cos(lean.bend) },
      twist = { 0, -sinew.cos(lean.twist), sinew.sin(lean.twist) } },
    centres = { flexion = centre "flexion", bend = centre "bend", twist = centre "twist" } }
end

local function add_region(rig, region, parent, from, frames, joints)
  local links = {}
  for i, level in ipairs(bones[region]) do
    local joint = joint_of(region, level)
    joints[level.name] = joint
    joint.ranges = { flexion = motion[region].flexion[level.name],
      bend = motion[region].bend[level.name], twist = motion[region].twist[level.name] }
    links[i] = { name = level.name, rest = from:inverse() * frames[level.name],
      shape = body_shape(level), axes = joint.axes, centres = joint.centres, ranges = joint.ranges }
    from = frames[level.name]
  end
  local turns = {}
  for i, name in ipairs { "flexion", "bend", "twist" } do
    turns[i] = { name = name, label = labels[name] }
  end
  return chain(rig, region, { parent = parent, links = links, turns = turns })
end

return function(rig, parent, options)
  options = options or {}
  local frames, joints = rest_frames(options.at or { 0, 0, 0 }), {}
  local made = { frames = frames }
  made.lumbar = add_region(rig, "lumbar", parent, mat4(), frames, joints)
  made.thoracic = add_region(rig, "thoracic", made.lumbar.tip, frames.L1, frames, joints)
  made.cervical = add_region(rig, "cervical", made.thoracic.tip, frames.T1, frames, joints)
  made.sternum, made.ribs = cage(made.thoracic, frames, joints, options.at)
  local at = bones.skull.at
  made.skull = made.cervical.set:segment("skull", { parent = made.cervical.tip,
    at = { at[1] / 1000, at[2] / 1000, at[3] / 1000 }, shape = shapes.skull {} })
  return made
end

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
--
-- With level = "simple" seven segments take the place of 24: each is several vertebrae in one,
-- named after the topmost, and turns by the sum of their angles about the mean of their centres;
-- the cage does not turn in itself. The DOFs are the same.
local sinew = require "sinew"
local chain = require "sinew.chain"
local shapes = require "sinew.shapes"
local bones = require "data.spine"
local motion = require "data.spine_motion"
local cage = require "parts.cage"
local vertebra_facets = require "sinew.bones".vertebra_facets

local mat4 = sinew.mat4

local labels = { flexion = "forward and back", bend = "to the side", twist = "turn" }

local turn_names = { "flexion", "bend", "twist" }

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

local special = { C1 = "atlas", C2 = "axis" }

-- `places` are those of its joint processes and its dens
local function vertebra(level, region, places)
  local mm = 0.001
  return shapes.vertebra { region = special[level.name] or region, width = mm * level.width,
    depth = mm * level.depth, height = mm * level.height, spinous = mm * level.spinous,
    slope = level.slope, transverse = mm * level.transverse, fork = level.name == "C7" and 0.2 or 1,
    upper = places.upper, lower = places.lower, dens = places.dens }
end

-- From the middle of a joint process to that of the next vertebra's process on it, on the right
-- side, in the lower one's frame: in the loins they face each other sideways, in the chest from
-- front to back, in the neck obliquely.
local onto = { sacrum = sinew.vec3(0.0064, 0, -0.0064), lumbar = sinew.vec3(0.0056, 0, -0.0056),
  thoracic = sinew.vec3(0, 0.002, -0.0085), cervical = sinew.vec3(0, 0.004, -0.0042),
  axis = sinew.vec3(0, 0.0064, 0) }
-- the middle of the dens's tip in the frame of the atlas
local dens_at = sinew.vec3(0, 0.003, -0.0044)

-- The shape of each vertebra by name. The facets of two are moved to meet in the middle; on a
-- sacrum with landmarks those of L5 alone.
local function vertebra_shapes(frames, sacrum)
  local made, places, below = {}, {}, nil
  local facet, step = sacrum and sacrum.landmarks and sacrum.landmarks.sap, onto.sacrum
  for _, region in ipairs { "lumbar", "thoracic", "cervical" } do
    for _, level in ipairs(bones[region]) do
      local name, frame = level.name, frames[level.name]
      local kind = special[name] or region
      local upper, lower = vertebra_facets(kind, level.width / 1000, level.height / 1000,
        level.depth / 1000)
      places[name] = {}
      if facet then
        local middle = facet + step / 2
        if below then
          middle = (facet + frame:point(lower)) / 2
          places[below].upper = frames[below]:inverse():point(middle - step / 2)
        end
        places[name].lower = frame:inverse():point(middle + step / 2)
      end
      facet, below = frame:point(upper), name
      step = frame:direction(onto[kind] or sinew.vec3())
    end
  end
  places.C2.dens = frames.C2:inverse():point(frames.C1:point(dens_at))
  for _, region in ipairs { "lumbar", "thoracic", "cervical" } do
    for _, level in ipairs(bones[region]) do
      made[level.name] = vertebra(level, region, places[level.name])
    end
  end
  return made
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

-- the same with the angles at both ends of each DOF
local function joint_with_ranges(region, level)
  local joint = joint_of(region, level)
  joint.ranges = { flexion = motion[region].flexion[level.name],
    bend = motion[region].bend[level.name], twist = motion[region].twist[level.name] }
  return joint
end

local function turns_of()
  local turns = {}
  for i, name in ipairs(turn_names) do
    turns[i] = { name = name, label = labels[name] }
  end
  return turns
end

local function add_region(rig, region, parent, from, frames, made, joints)
  local links = {}
  for i, level in ipairs(bones[region]) do
    local joint = joint_with_ranges(region, level)
    joints[level.name] = joint
    links[i] = { name = level.name, rest = from:inverse() * frames[level.name],
      shape = made[level.name], axes = joint.axes, centres = joint.centres, ranges = joint.ranges }
    from = frames[level.name]
  end
  return chain(rig, region, { parent = parent, links = links, turns = turns_of() })
end

-- how many vertebrae, from below, are one segment of the simple spine
local groups = { lumbar = { 3, 2 }, thoracic = { 4, 4, 4 }, cervical = { 4, 3 } }

-- One joint for several: rotation vectors add up, and to first order its centre is their mean,
-- weighted by how far each turns.
local function joined(levels, joints, frames, top)
  local into, joint = frames[top.name]:inverse(), { axes = {}, centres = {}, ranges = {} }
  for _, turn in ipairs(turn_names) do
    local low, high, centre, weight = sinew.vec3(), sinew.vec3(), sinew.vec3(), 0
    for _, level in ipairs(levels) do
      local one, frame = joints[level.name], frames[level.name]
      local axis, range = frame:direction(one.axes[turn]), one.ranges[turn] or { 0, 0 }
      local width = range[2] - range[1]
      low, high = low + axis * range[1], high + axis * range[2]
      centre, weight = centre + frame:point(one.centres[turn]) * width, weight + width
    end
    local axis = (high - low):unit()
    joint.axes[turn], joint.centres[turn] = into:direction(axis), into:point(centre / weight)
    joint.ranges[turn] = { axis:dot(low), axis:dot(high) }
  end
  return joint
end

local function add_simple_region(rig, region, parent, from, frames, made, held)
  local links, first, joints, parts = {}, 1, {}, {}
  for i, count in ipairs(groups[region]) do
    local levels, top = {}, bones[region][first + count - 1]
    for k = first, first + count - 1 do
      local level = bones[region][k]
      joints[level.name] = joint_with_ranges(region, level)
      levels[#levels + 1] = level
    end
    local link, shape = joined(levels, joints, frames, top), {}
    for k, level in ipairs(levels) do
      shape[k] = shapes.placed(made[level.name], frames[top.name]:inverse() * frames[level.name])
      parts[level.name] = i
    end
    link.name, link.shape, link.rest = top.name, shapes.merge(shape),
      from:inverse() * frames[top.name]
    links[i], first, from = link, first + count, frames[top.name]
  end
  local moved = chain(rig, region, { parent = parent, links = links, turns = turns_of() })
  for name, i in pairs(parts) do
    held[name] = { segment = moved.segments[i], frame = frames[moved.segments[i].name] }
  end
  return moved
end

return function(rig, parent, options)
  options = options or {}
  local frames, joints = rest_frames(options.at or { 0, 0, 0 }), {}
  local made, held = { frames = frames }, options.level == "simple" and {} or nil
  local drawn = vertebra_shapes(frames, parent.shape)
  local function add(region, on, from)
    local add_one = held and add_simple_region or add_region
    return add_one(rig, region, on, from, frames, drawn, held or joints)
  end
  made.lumbar = add("lumbar", parent, mat4())
  made.thoracic = add("thoracic", made.lumbar.tip, frames.L1)
  made.cervical = add("cervical", made.thoracic.tip, frames.T1)
  made.sternum, made.ribs = cage(made.thoracic, frames, joints, options.at, held)
  local at = bones.skull.at
  made.skull = made.cervical.set:segment("skull", { parent = made.cervical.tip,
    at = { at[1] / 1000, at[2] / 1000, at[3] / 1000 }, shape = shapes.skull {} })
  return made
end

-- 24 ribs and a sternum on a thoracic spine. Each rib turns against its vertebra, by less, so that
-- the cage keeps its shape when the spine bends [Shao 2003, 5.1 and plate 2]; the numbers are in
-- data/cage.lua.
--
-- Against what? When the thorax bends, its vertebrae turn against each other, and the ribs on the
-- sternum cannot follow them all. Let W(i) be the rotation of vertebra i at the end of a DOF's
-- range, as a rotation vector: the sum of its own and those below. The cage as a whole turns by
-- their mean M over the ribs that reach the sternum or the arch. So the sternum turns by M - W
-- against the vertebra it hangs on, and rib i by keep (M - W(i)) against its own, with keep < 1:
-- back towards the cage, and less than its vertebra has turned out of it. The axes are these
-- vectors, opposite to the vertebra's; the centre of a rib is its head; the sternum's is that which
-- takes it, to first order, to the mean place of the costal ends.
--
-- Frames of ribs and sternum are the rig's at rest. Ribs are rib1_r to rib12_r and _l.
-- With `held` (by vertebra { segment =, frame = } of what it is part of) nothing turns: the ribs
-- are added to the shapes of those segments, and the sternum hangs on one.
local sinew = require "sinew"
local shapes = require "sinew.shapes"
local bones = require "data.spine"
local data = require "data.cage"
local draw = require "parts.cage_shapes"

local mat4, vec3 = sinew.mat4, sinew.vec3
local placed, mix = draw.placed, draw.mix
local turns = { "flexion", "bend", "twist" }
local signs = { right = -1, left = 1 }

-- the middle line of a rib from its head to its costal end, in the parent's frame
local function rib_path(rib, level, frame, side, origin)
  local head = frame:point(vec3(side * 0.42 * level.width, 0.3 * level.height, -0.36 * level.depth)
    * 0.001)
  local tubercle = head + vec3(side * 0.02, -0.003, -0.014)
  local tip = placed(rib.tip, side, origin)
  if not rib.width then -- a floating rib ends free
    local points = { head }
    for i, t in ipairs { 0.3, 0.65 } do
      points[i + 1] = mix(head, tip, t)
      points[i + 1].z = mix(head.z, tip.z, 0.4 * t) - rib.back * (i == 1 and 0.0008 or 0.0007)
    end
    points[4] = tip
    return points
  end
  local junction = placed(rib.junction, side, origin)
  -- quarters of ellipses: angle of the rib, side, junction; y falls along the way
  local function at(x, z, fall)
    return vec3(origin.x + x, mix(head.y, junction.y, fall), origin.z + z)
  end
  local width, side_z = side * rib.width * 0.001, rib.side_z * 0.001
  local angle_z = head.z - origin.z - rib.back * 0.001
  local angle = at(0.55 * width, angle_z, 0.14)
  local function between(x0, x1) return x0 + (x1 - x0) * 0.707 end
  return { head, tubercle, angle,
    at(between(0.55 * width, width), side_z + (angle_z - side_z) * 0.707, 0.3),
    at(width, side_z, 0.54),
    at(between(junction.x - origin.x, width), between(side_z, junction.z - origin.z), 0.8),
    junction, tip }
end

-- W(i) by vertebra, for a rotation at one end (1: min, 2: max); and where a point on it goes, to
-- first order, from the rotation r about c of each vertebra up to it: the sum of r x (point - c)
local function sum_turns(levels, frames, joints, turn, which)
  local sums, shifts, sum, shift = {}, {}, vec3(), vec3()
  for _, level in ipairs(levels) do
    local joint, frame = joints[level.name], frames[level.name]
    local r = frame:direction(joint.axes[turn]) * math.rad(joint.ranges[turn][which])
    sum, shift = sum + r, shift - r:cross(frame:point(joint.centres[turn]))
    sums[level.name], shifts[level.name] = sum, shift
  end
  return sums, shifts
end

-- M, the mean of W over ribs 1 to 10
local function mean_turn(sums)
  local mean = vec3()
  for i = 1, 10 do mean = mean + sums["T" .. i] / 10 end
  return mean
end

-- a rotation vector for each end of the DOF as one axis and two angles in degrees
local function axis_and_range(low, high)
  local axis = (high - low):unit()
  return axis, { math.deg(axis:dot(low)), math.deg(axis:dot(high)) }
end

-- the centre of the sternum's rotation against its vertebra: it is to move like the ends of the
-- ribs do on the mean
local function sternum_centre(sums, shifts, mean, ribs)
  local on, moved = data.sternum_on, vec3()
  for i = 1, 10 do
    local name = "T" .. i
    local own = mix(sums[name], mean, data.keep)
    for _, side in ipairs { "right", "left" } do
      local head, tip = ribs[side][i].path[1], ribs[side][i].path[#ribs[side][i].path]
      local goes = shifts[name] + sums[name]:cross(head) + own:cross(tip - head)
      moved = moved + (goes - mean:cross(tip)) / 20
    end
  end
  -- the field moved + mean x p, minus that of the vertebra, is turn x (p - centre)
  local turn = mean - sums[on]
  return turn:cross(moved - shifts[on]) / turn:dot(turn)
end

-- by rotation: maps from the thorax's DOFs to the angles of sternum and ribs, the axes by name, and
-- the sternum's centre in the parent's frame
local function make_turns(thoracic, frames, joints, ribs)
  local made = {}
  for _, turn in ipairs(turns) do
    local low = sum_turns(bones.thoracic, frames, joints, turn, 1)
    local high, shifts = sum_turns(bones.thoracic, frames, joints, turn, 2)
    local low_mean, high_mean = mean_turn(low), mean_turn(high)
    local options, axes = { thoracic.dofs[turn], name = "cage_" .. turn }, {}
    local function add(name, vertebra, part)
      local range
      axes[name], range = axis_and_range((low_mean - low[vertebra]) * part,
        (high_mean - high[vertebra]) * part)
      options[name] = sinew.piecewise { { -1, range[1] }, { 0, 0 }, { 1, range[2] } }
    end
    add("sternum", data.sternum_on, 1)
    for i = 1, 12 do add("rib" .. i, "T" .. i, data.keep) end
    made[turn] = { map = thoracic.set:map(options), axes = axes,
      centre = sternum_centre(high, shifts, high_mean, ribs) }
  end
  return made
end

-- three rotations for a segment whose frame is the rig's at rest; `name` is that of its angles
local function drive(set, segment, name, made, centre_from)
  local list = { name = segment.name .. "_turns" }
  for i, turn in ipairs(turns) do
    list[i] = set:rotation { made[turn].map[name], axis = made[turn].axes[name],
      centre = centre_from and made[turn].centre - centre_from,
      name = segment.name .. "_" .. turn }
  end
  segment:drive(set:multiply(list))
end

local function add_sternum(set, parent, frame, made, origin)
  local jugular = placed(data.sternum[1], 1, origin)
  local sternum = set:segment("sternum", { parent = parent,
    rest = frame:inverse() * mat4.translation(jugular), shape = draw.sternum(origin - jugular) })
  if made then drive(set, sternum, "sternum", made, jugular) end
  return sternum
end

-- The path as it is drawn: the head beside the body of its vertebra, the tubercle in front of the
-- transverse process, at the distances where their surfaces nearly touch.
local function settled(i, path, frame, vertebra)
  local solid, landmarks = vertebra and vertebra.solid, vertebra and vertebra.landmarks
  if not solid then return path end
  local back, points = frame:inverse(), { (table.unpack or unpack)(path) }
  local function far(point) return solid:distance(back:point(point)) end
  local out = vec3(points[2].x < points[1].x and -1 or 1, 0.3, 0.2) * 0.0005
  for _ = 1, 24 do
    if far(points[1]) > 0.0048 then break end
    points[1] = points[1] + out
  end
  if landmarks and landmarks.tp and i <= 10 then
    local process = frame:point(landmarks.tp)
    local step = (process - points[2]):unit() * (far(points[2]) - 0.0045)
    points[2], points[3] = points[2] + step, points[3] + step * 0.95
  end
  return points
end

-- a cage that is part of the spine's segments
local function add_held(set, held, ribs, origin)
  for i = 1, 12 do
    local on = held["T" .. i]
    for side, sign in pairs(signs) do
      local path = ribs[side][i].path
      on.segment.shape = shapes.merge { on.segment.shape,
        shapes.placed(draw.rib(i, path, sign, origin), on.frame:inverse()) }
    end
  end
  local on = held[data.sternum_on]
  return add_sternum(set, on.segment, on.frame, nil, origin)
end

local function add_rib(set, i, side, parent, frame, made, path, shape)
  local segment = set:segment(("rib%d_%s"):format(i, side:sub(1, 1)), { parent = parent,
    rest = frame:inverse() * mat4.translation(path[1]), shape = shape })
  drive(set, segment, "rib" .. i, made)
  return segment
end

return function(thoracic, frames, joints, origin, held)
  origin = vec3(origin or { 0, 0, 0 })
  local levels, segments, ribs = {}, {}, { right = {}, left = {} }
  for i, level in ipairs(bones.thoracic) do
    levels[level.name], segments[level.name] = level, thoracic.segments[i]
  end
  for side, sign in pairs(signs) do
    for i = 1, 12 do
      local name = "T" .. i
      ribs[side][i] = { path = rib_path(data.ribs[i], levels[name], frames[name], sign, origin) }
    end
  end
  if held then return add_held(thoracic.set, held, ribs, origin), {} end
  local made, on = make_turns(thoracic, frames, joints, ribs), data.sternum_on
  local sternum = add_sternum(thoracic.set, segments[on], frames[on], made, origin)
  for _, side in ipairs { "right", "left" } do
    for i = 1, 12 do
      local name = "T" .. i
      local path = ribs[side][i].path
      local shape = side == "right" and draw.rib(i, settled(i, path, frames[name],
        segments[name].shape), -1, origin, path[1])
        or shapes.mirrored(ribs.right[i].shape)
      ribs[side][i] = add_rib(thoracic.set, i, side, segments[name], frames[name], made, path,
        shape)
    end
  end
  return sternum, ribs
end

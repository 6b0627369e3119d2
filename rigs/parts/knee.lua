-- A knee on a given femur: one DOF moves tibia, fibula and patella by splines
-- [Shao 2003, 4.2, plate 1; Ng-Thow-Hing a, fig. 5], with the numbers of data/knee.lua.
--
--   local knee = require "parts.knee"
--   local right = knee(rig, femur_r, { name = "right_knee", suffix = "_r" })
--
-- The femur's origin is the hip, its frame the rig's. It is a right knee; sinew.mirror makes the
-- left one. Flexion is positive and takes the shank backwards; `limit`, a function of the joint set
-- and the DOF, may give what shall bend the knee in its place. Gives the joint set, the DOF and the
-- segments: { set =, flexion =, tibia =, fibula =, patella =, centre = }.
--
-- Frames. OpenSim has x forward, y up, z to the right; the rig has x to the left, y up, z forward.
-- So (x, y, z) there is (-z, y, x) here, a proper rotation about y, and axes of rotation change
-- like points. Its joint takes the tibia from the joint frame C in the tibia to the joint frame P
-- in the femur: P Trans(t) R1 R2 R3 C^-1. With P and C turned alike, the tibia rests at P C^-1, a
-- shift; what it is driven by in its own frame is C Trans(t) R1 R2 R3 C^-1, so a translation by C's
-- rotation of t and three rotations about C's origin with C's axes. The patella's rest is its place
-- at angle 0. A simm spline is linear in its values, so the splines of turned translations are
-- turned splines.
--
-- The moving centre. At each angle the tibia turns about an instantaneous screw axis: with w its
-- angular velocity and t its joint's place, points p = t + w x t' / w^2 + s w stay on it. Segment
-- 'knee_centre' is where that axis crosses the sagittal plane of the joint, its x along the axis,
-- in the femur; splines move it. Both come from the derivatives of the splines, taken when
-- the rig is made, so nothing is differentiated when it is evaluated.
local sinew = require "sinew"
local shapes = require "sinew.shapes"
local data = require "data.knee"

local mat4, vec3 = sinew.mat4, sinew.vec3

-- from OpenSim's frame to the rig's
local function convert(v) return vec3(-v[3], v[2], v[1]) end

-- a spline over the knee angle, from radians to degrees, of values given by number
local function spline(value, scale)
  local points = {}
  for i, angle in ipairs(data.angles) do
    points[i] = { math.deg(angle), value(i) * (scale or 1) }
  end
  return sinew.simm(points)
end

local function column(list)
  return function(i) return list[i] end
end

-- the axes of the tibia's joint, in the rig's frame
local function joint_axes()
  local a, b, c = math.deg(data.turn[1]), math.deg(data.turn[2]), math.deg(data.turn[3])
  local turn = mat4.euler("xyz", a, b, c)
  local function axis(...) return convert(turn:direction { ... }) end
  return { flexion = axis(1, 0, 0), adduction = axis(0, 0, 1), internal = axis(0, 1, 0) }
end

local function tibia_curves(axes)
  local function moved(letter)
    return spline(function(i)
      return data.tibia_y[i] * axes.internal[letter] + data.tibia_z[i] * axes.adduction[letter]
    end)
  end
  return { adduction = spline(column(data.adduction), math.deg(1)),
    internal = spline(column(data.internal), math.deg(1)),
    x = moved "x", y = moved "y", z = moved "z" }
end

-- The lower end is where this ankle wants it: the talus fits below it and beside the malleolus.
local function tibia_shape()
  return shapes.tibia { scale = { 1.03, 0.965, 1 }, fit = { plat_med = { 0.021, -0.039, 0.003 },
    plat_lat = { -0.029, -0.032, 0.005 }, ankle_lat = { -0.03, -0.4025, -0.004 },
    ankle_med = { 0.007, -0.4025, -0.004 }, pl_front = { -0.003, -0.3755, 0.006 },
    pl_back = { -0.003, -0.378, -0.014 }, pl_lat = { -0.008, -0.373, -0.002 },
    mal_front = { 0.0245, -0.396, 0.001 }, mal_back = { 0.0245, -0.392, -0.011 } } }
end

local function add_tibia(set, flexion, femur, axes, curves, names)
  local centre = convert(data.tibia.at)
  local tibia = set:segment(names.tibia, { parent = femur, at = convert(data.femur.at) - centre,
    shape = tibia_shape() })
  return tibia:drive(sinew.translate { x = flexion:curve(curves.x), y = flexion:curve(curves.y),
      z = flexion:curve(curves.z) }
    * sinew.rotate(flexion, axes.flexion, centre)
    * sinew.rotate(flexion:curve(curves.adduction), axes.adduction, centre)
    * sinew.rotate(flexion:curve(curves.internal), axes.internal, centre))
end

local function add_patella(set, flexion, femur, names)
  -- T = rest^-1 Trans(t) Rz(a) with rest = Trans(t0) Rz(a0), OpenSim's z being -x here
  local a0 = data.patella_turn[1]
  local c, s = math.cos(a0), math.sin(a0)
  local function back(i) -- Rz(-a0) (t - t0), in OpenSim's frame
    local x, y = data.patella_x[i] - data.patella_x[1], data.patella_y[i] - data.patella_y[1]
    return c * x + s * y, c * y - s * x
  end
  local place = { data.patella_x[1], data.patella_y[1], data.patella_z }
  local patella = set:segment(names.patella, { parent = femur,
    rest = mat4.translation(convert(data.femur.at) + convert(place))
      * mat4.turn({ -1, 0, 0 }, math.deg(a0)),
    shape = shapes.patella { at = { 0, 0, 0.0015 } } })
  local y = spline(function(i) return (select(2, back(i))) end)
  local z = spline(function(i) return (back(i)) end)
  local turn = spline(function(i) return data.patella_turn[i] - a0 end, math.deg(1))
  return patella:drive(sinew.translate { y = flexion:curve(y), z = flexion:curve(z) }
    * sinew.rotate(flexion:curve(turn), "-x"))
end

local function add_fibula(set, flexion, tibia, names)
  local head, foot = convert(data.fibula.head), convert(data.fibula.malleolus)
  local points = {}
  for i, point in ipairs(data.fibula.glide) do
    points[i] = { point[1], math.deg(math.asin(point[2] / head:distance(foot))) }
  end
  return set:bone(names.fibula, { parent = tibia, at = head,
    hinge = { flexion:spline(points), axis = "x", centre = foot - head },
    shape = shapes.fibula { fit = { apex = vec3(-0.037, -0.058, -0.014) - head,
      malleolus = vec3(-0.0285, -0.4, -0.012) - head } } })
end

-- the frame on the instantaneous axis at an angle in degrees, in the femur
local function axis_frame(axes, curves, angle)
  local adduction, adduction_rate = curves.adduction(angle)
  local _, internal_rate = curves.internal(angle)
  local after_flexion = mat4.turn(axes.flexion, angle)
  local after_adduction = after_flexion * mat4.turn(axes.adduction, adduction)
  local w = axes.flexion + after_flexion:direction(axes.adduction) * adduction_rate
    + after_adduction:direction(axes.internal) * internal_rate
  local place, rate = vec3(), vec3()
  for _, letter in ipairs { "x", "y", "z" } do
    local value, slope = curves[letter](angle)
    place[letter], rate[letter] = value, slope * math.deg(1) -- per radian, as w is
  end
  -- relative to the joint's place in the femur; its sagittal plane is x = 0 there
  local p = place + w:cross(rate) / w:dot(w)
  p = p - w * (p.x / w.x)
  local x = w:unit()
  local z = x:cross({ 0, 1, 0 }):normalize()
  local y = z:cross(x)
  local at = p + convert(data.femur.at)
  return mat4.rows { { x.x, y.x, z.x, at.x }, { x.y, y.y, z.y, at.y }, { x.z, y.z, z.z, at.z } }
end

local function add_centre(set, flexion, femur, axes, curves, names)
  local rest = axis_frame(axes, curves, 0)
  local back = rest:inverse()
  local points = { x = {}, y = {}, z = {}, rx = {}, ry = {}, rz = {} }
  for angle = 0, 120, 2.5 do
    local moved = back * axis_frame(axes, curves, angle)
    local at, rx, ry, rz = moved:position(), moved:angles "xyz"
    for name, value in pairs { x = at.x, y = at.y, z = at.z, rx = rx, ry = ry, rz = rz } do
      table.insert(points[name], { angle, value })
    end
  end
  local at = {}
  for name, list in pairs(points) do at[name] = flexion:spline(list) end
  local centre = set:segment(names.centre, { parent = femur, rest = rest,
    shape = shapes.ellipsoid { radii = { 0.03, 0.006, 0.006 } } })
  return centre:drive(sinew.translate { x = at.x, y = at.y, z = at.z }
    * sinew.rotate(at.rx, "x") * sinew.rotate(at.ry, "y") * sinew.rotate(at.rz, "z"))
end

return function(rig, femur, options)
  options = options or {}
  local suffix = options.suffix or ""
  local names = { tibia = "tibia" .. suffix, fibula = "fibula" .. suffix,
    patella = "patella" .. suffix, centre = "knee_centre" .. suffix }
  local set = rig:joint_set(options.name or "knee")
  local flexion = set:dof("flexion", { min = 0, max = 120, unit = "deg",
    label = options.label or "bend" })
  local bend = options.limit and options.limit(set, flexion) or flexion
  local axes = joint_axes()
  local curves = tibia_curves(axes)
  local made = { set = set, flexion = flexion }
  made.tibia = add_tibia(set, bend, femur, axes, curves, names)
  made.fibula = add_fibula(set, bend, made.tibia, names)
  made.patella = add_patella(set, bend, femur, names)
  made.centre = add_centre(set, bend, femur, axes, curves, names)
  return made
end

-- One right shoulder on a thorax, wired as [Shao 2003, fig. 9 to 11]; the left one by mirroring.
--
--   local shoulder = require "parts.shoulder"
--   local set = shoulder(rig, thorax, numbers, { at = , slide = , bones = })
--   sinew.mirror(set)
--
-- `numbers` as in data/shoulder.lua. Options: at = the jugular notch in the thorax's frame; slide =
-- a kind made by sinew.component that stands in for the engine's slide; bones = false for none.
--
-- Five DOFs, of which the arm's are polar, about the arm that hangs down:
--   raise    elevation of the arm, 0 hanging to 180 overhead (the paper's abduction)
--   swing    the plane in which it is raised: 0 to the side (abduction), 40 the scapula's plane and
--            rest, 90 forward (flexion), -90 backward (extension), beyond 90 across the chest
--   twist    about the humerus, outward positive
--   shrug    elevation of the clavicle
--   protract clavicle and with it the shoulder forward
--
-- A hanging arm has no plane. So a dependency holds the plane between bounds that depend on the
-- elevation: at 0 it is that of rest, and from some 25 degrees on it is free. Then the swing of a
-- hanging arm turns nothing, and whatever depends on the plane starts from rest as well. Since the
-- cone's rest direction is the pole, what is outside comes back along its own plane.
--
-- Where the paper has one dependency of an angle on one of the humerus, numbers may have a chain of
-- them: each is { by = "raise" or "plane", offset = curve } or with lower, upper, map. They see the
-- humerus's angles as they are before its cone.
--
-- The scapula's segment is in its anatomical frame, see parts/isb.lua; its origin is the
-- acromio-clavicular joint. A contact point given as {x, y} gets the z at which it touches the
-- ellipsoid in the rest pose.
local sinew = require "sinew"
local shapes = require "sinew.shapes"

local mat4, vec3 = sinew.mat4, sinew.vec3

-- where the line along the scapula's z at (x, y) comes out of the back of the ellipsoid, at rest
local function touching(point, scapula, e, turn)
  if point[3] then return point end
  local to = turn:inverse() * mat4.translation(-vec3(e.centre)) * scapula
  local from, along = to:point { point[1], point[2], 0 }, to:direction { 0, 0, 1 }
  local a, b, c = 0, 0, -1
  for i, key in ipairs { "x", "y", "z" } do
    local f, d = from[key] / e.radii[i], along[key] / e.radii[i]
    a, b, c = a + d * d, b + f * d, c + f * f
  end
  local root = b * b - a * c
  if root < 0 then
    error(("the ellipsoid has nothing over the scapula's point %g, %g"):format(point[1], point[2]))
  end
  return { point[1], point[2], (-b - math.sqrt(root)) / a }
end

local function draw(n, clavicle, scapula, humerus)
  local length = n.humerus.length
  clavicle.shape = shapes.clavicle { to = { -n.clavicle.length, 0, 0 }, radius = 0.005 }
  scapula.shape = shapes.scapula(n.scapula.bone)
  -- capitulum and trochlea lie on the elbow's axis
  humerus.shape = shapes.humerus { fit = { head = { 0, 0, 0 },
    cap = { -0.0175, 0.002 - length, 0.001 }, tr_mid = { -0.004, -length, 0 },
    flange = { 0.011, -0.001 - length, -0.0005 } } }
end

return function(rig, thorax, n, options)
  options = options or {}
  local at = vec3(options.at or { 0, 0, 0 })
  local set = rig:joint_set "right_shoulder"
  local function named(bone)
    return options.suffix and bone .. options.suffix or "right_" .. bone
  end

  -- frames at rest, in the thorax's
  local c, s, h, e = n.clavicle, n.scapula, n.humerus, n.ellipsoid
  local clavicle_at = mat4.translation(at + vec3(c.at))
    * mat4.euler("yzx", -c.retraction, -c.elevation, 0)
  local scapula_at = mat4.translation(clavicle_at:point { -c.length, 0, 0 })
    * mat4.euler("yzx", s.internal, -s.upward, -s.tilt)
  local humerus_at = mat4.translation(scapula_at:point(s.glenohumeral))

  local clavicle = set:segment(named "clavicle", { parent = thorax, rest = clavicle_at })
  local scapula = set:segment(named "scapula", { parent = clavicle,
    rest = clavicle_at:inverse() * scapula_at })
  local humerus = set:segment(named "humerus", { parent = scapula,
    rest = scapula_at:inverse() * humerus_at })
  if options.bones ~= false then draw(n, clavicle, scapula, humerus) end

  local function control(name, label)
    local range = n.range[name]
    local dof = set:dof(name, { min = range[1], max = range[2], rest = range.rest or 0,
      label = label })
    return set:map { dof, name = name .. "_angle",
      angle = sinew.linear { { range[1], range[1] }, { range[2], range[2] } } }.angle
  end
  local active = { raise = control("raise", "right arm raise") }
  local swing = control("swing", "right arm swing")
  local twist = control("twist", "right arm twist")
  local shrug = control("shrug", "right shrug")
  local protract = control("protract", "right shoulder forward")

  -- the humerus's two angles (figure 9); those of the other parts depend on them
  local rest_plane = n.range.swing.rest
  active.plane = set:dependency { active.raise, swing, lower = h.plane_lower,
    upper = h.plane_upper, name = "plane" }.value

  local function chain(name, list, passive)
    for _, link in ipairs(list) do
      local how = link.map and "map" or link.offset and "offset" or "bound"
      passive = set:dependency { active[link.by], passive, map = link.map, offset = link.offset,
        lower = link.lower, upper = link.upper,
        name = ("%s_%s_by_%s"):format(name, how, link.by) }.value
    end
    return passive
  end

  -- sterno-clavicular joint (figure 10)
  local protraction = chain("protraction", c.protraction_depends, protract)
  local elevation = chain("elevation", c.elevation_depends, shrug)
  local upright = { -sinew.sin(c.elevation), sinew.cos(c.elevation), 0 }
  local clavicle_cone = set:cone { name = "clavicle_cone", rest = { -1, 0, 0 },
    angle1 = protraction, rotation1 = set:rotation { protraction, axis = upright,
      angles = { -90, 90 }, name = "protraction" },
    angle2 = elevation, rotation2 = set:rotation { elevation, axis = { 0, 0, -1 },
      angles = { -90, 90 }, name = "elevation" },
    twist = c.axial and set:dependency { active.raise, map = c.axial, name = "axial" }.value or 0,
    ellipse = c.cone, right = { 0, 1, 0 }, twist_limits = c.twist_limits }
  clavicle:drive(clavicle_cone.transform)

  -- acromio-clavicular joint (figure 11)
  local level = set:compensate { clavicle_cone.transform, ancestor = clavicle, segment = scapula,
    name = "scapula_level" }
  local rhythm = chain("rhythm", s.rhythm, nil)
  local turn = set:rotation { rhythm, axis = s.turn_axis, name = "scapula_turn" }
  local orientation = mat4.euler("xyz", e.turn[1], e.turn[2], e.turn[3])
  local function pair(points)
    local moved = { centre = at + vec3(e.centre), radii = e.radii }
    return { touching(points[1], scapula_at, moved, orientation),
      touching(points[2], scapula_at, moved, orientation) }
  end
  local gliding = {
    set:multiply { clavicle.rest, clavicle_cone.transform, scapula.rest, level.transform,
      turn.transform, name = "scapula_frame" },
    clavicle_cone.angle2, rhythm,
    name = "scapula_slide", centre = at + vec3(e.centre), radii = e.radii,
    orientation = orientation, axis = s.slide_axis,
    pair1 = pair(s.pair1), pair2 = pair(s.pair2), pair3 = pair(s.pair3),
    lift_range = s.lift_range, rotation_range = s.rotation_range, window = s.window,
    psi_window = s.psi_window,
  }
  local slide
  if options.slide then slide = set:add(options.slide(gliding)) else slide = set:slide(gliding) end
  local scapula_moved = set:multiply { level.transform, turn.transform, slide.transform,
    name = "scapula_moved" }
  scapula:drive(scapula_moved)

  -- scapulo-humeral joint (figure 9)
  local arm = set:cone { name = "humerus_cone", rest = { 0, -1, 0 }, twist = twist,
    angle1 = active.plane, rotation1 = set:rotation { active.plane, axis = { 0, 1, 0 },
      angles = { n.range.swing[1], n.range.swing[2] }, rest = rest_plane, name = "flexion" },
    angle2 = active.raise, rotation2 = set:rotation { active.raise, name = "abduction",
      axis = { -sinew.sin(rest_plane), 0, -sinew.cos(rest_plane) },
      angles = h.intervals, centres = h.centres },
    points = h.cone.points, twist_limits = h.cone.twist_limits,
    visible_twist = h.cone.visible_twist }
  humerus:drive(set:multiply { name = "humerus_moved",
    set:compensate { scapula_moved, ancestor = scapula, segment = humerus,
      name = "humerus_level_in_scapula" },
    set:compensate { clavicle_cone.transform, ancestor = clavicle, segment = humerus,
      name = "humerus_level_in_clavicle" },
    arm.transform })
  return set
end

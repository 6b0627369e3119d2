-- The forearm on a given humerus: elbow, and the radius that turns over the ulna.
--
--   local arm = require "parts.arm"
--   local made = arm(rig, humerus_r, { side = "right", suffix = "_r", elbow = {0, -0.31, 0} })
--
-- A right arm that hangs, in the rig's frame, the thumb forward; sinew.mirror makes the left one.
-- The elbow bends about an oblique axis. The radius turns about the line from its own head to the
-- ulna's (which makes the forearm the strange segment that [Wilhelms 2001, 4] calls it), so
-- its far end goes round the ulna. Gives { ulna =, radius =, wrist = }, the last the
-- wrist's place in the radius's frame.
local sinew = require "sinew"
local shapes = require "sinew.shapes"
local data = require "data.limbs"

local function ulna_shape(head)
  return shapes.merge {
    shapes.long_bone { to = head, radius = 0.0065, head = 0.015, foot = 0.0085,
      bow = { 0.003, 0, -0.005 } },
    -- the olecranon, and the beak below it
    shapes.tube { points = { { 0.004, -0.03, -0.002 }, { 0.004, -0.004, -0.019 },
      { 0.004, 0.014, -0.019 } }, radius = { 0.011, 0.012, 0.009 } },
    shapes.ellipsoid { radii = { 0.009, 0.007, 0.009 }, at = { 0.003, -0.018, 0.011 },
      detail = 10 },
  }
end

local function radius_shape(to)
  return shapes.merge {
    shapes.long_bone { to = to, radius = 0.0068, head = 0.0105, foot = 0.016,
      bow = { -0.007, 0, 0.004 } },
    shapes.ellipsoid { radii = { 0.0115, 0.006, 0.0115 }, detail = 12 },
    -- the tuberosity
    shapes.ellipsoid { radii = { 0.006, 0.011, 0.007 }, at = { 0.003, -0.035, 0.003 }, detail = 8 },
  }
end

return function(rig, humerus, options)
  local e, f = data.elbow, data.forearm
  local top, bottom, wrist = sinew.vec3(f.radius_head), sinew.vec3(f.ulna_head), sinew.vec3(f.wrist)
  local ulna = rig:bone("ulna" .. options.suffix, { parent = humerus, at = options.elbow,
    set = options.side .. "_elbow", shape = ulna_shape(f.ulna_head),
    hinge = { "flexion", e.flexion[1], e.flexion[2], axis = e.axis, name = "bend",
      label = "bend" } })
  local radius = ulna:bone("radius" .. options.suffix, { at = top,
    shape = radius_shape(wrist - top + sinew.vec3(0, 0.012, 0)),
    hinge = { "twist", -f.supination, f.pronation, axis = top - bottom, name = "turn",
      label = "palm up and down" } })
  return { ulna = ulna, radius = radius, wrist = wrist - top }
end

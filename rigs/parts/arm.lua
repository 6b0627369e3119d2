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

local mm = 0.001

local function millimetres(x, y, z) return sinew.vec3(x, y, z) * mm end

-- The trochlear notch lies around the elbow's axis, the radial one beside the head of the radius;
-- the head of the ulna is on the axis of the forearm, above the wrist.
local function ulna_shape(axis, radius_head, head)
  local function on_axis(x) return axis * (x * mm / axis.x) - millimetres(0, 0, 1.2) end
  return shapes.ulna { fit = { notch_lat = on_axis(-6), notch_med = on_axis(9.5),
    ole_lat = millimetres(-4.5, 6.5, -17.5), cor_lat = radius_head + millimetres(8.5, -10, -13),
    head = head + (radius_head - head) * 0.05 + millimetres(0, 0, 1.5) } }
end

-- The head turns below the capitulum, which is on the elbow's axis. The far end is hollowed out
-- around two places at the wrist, and reaches back to the ulna.
local function radius_shape(capitulum, wrist)
  return shapes.radius { fit = { head = millimetres(0, -1.4, 0), fovea = capitulum * 0.95,
    lun = wrist + millimetres(1, 2.5, -9), scaph = wrist + millimetres(2, 2.5, 6),
    ulnar_f = wrist + millimetres(3.5, 13, -12), ulnar_b = wrist + millimetres(-7, 13, -10) } }
end

return function(rig, humerus, options)
  local e, f = data.elbow, data.forearm
  local top, bottom, wrist = sinew.vec3(f.radius_head), sinew.vec3(f.ulna_head), sinew.vec3(f.wrist)
  local axis = sinew.vec3(e.axis)
  local ulna = rig:bone("ulna" .. options.suffix, { parent = humerus, at = options.elbow,
    set = options.side .. "_elbow", shape = ulna_shape(axis, top, bottom),
    hinge = { "flexion", e.flexion[1], e.flexion[2], axis = e.axis, name = "bend",
      label = "bend" } })
  local radius = ulna:bone("radius" .. options.suffix, { at = top,
    shape = radius_shape(axis * (top.x / axis.x) - top, wrist - top),
    hinge = { "twist", -f.supination, f.pronation, axis = top - bottom, name = "turn",
      label = "palm up and down" } })
  return { ulna = ulna, radius = radius, wrist = wrist - top }
end

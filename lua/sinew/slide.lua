-- The scapula constraint as a scripted component: the same as the engine's `slide`, in plain Lua.
-- An example of a custom joint, and an independent check of the engine's.
--
--   local Slide = require "sinew.slide"
--   local glide = shoulder:add(Slide { frame, lift, rotation, radii = {...}, axis = {...}, ... })
--
-- Two points of a segment glide on an ellipsoid. A rotation by theta about `axis`, through the
-- joint, brings the first point to the ellipsoid; then a rotation by psi about the line from the
-- joint to that point brings the second. If several angles inside the window do, the smallest is
-- taken, positive before negative; if none does, the angle that comes closest.
--
-- A point rotated by t has E(t) = a + b cos t + c sin t + d cos 2t + e sin 2t, which is 0 on the
-- ellipsoid; sinew.contact solves that.
local sinew = require "sinew"
local mat4, abs, min, max = sinew.mat4, math.abs, math.min, math.max

local touch = 1e-5 -- a point with a smaller |E| counts as touching

-- a clamped linear map from a range to 0..1
local function share(x, range)
  return min(max((x - range[1]) / (range[2] - range[1]), 0), 1)
end

-- one point of the active pair of points
local function blend(self, which, l, r)
  return self.pair1[which] * ((1 - r) * l) + self.pair2[which] * ((1 - r) * (1 - l))
    + self.pair3[which] * r
end

-- from the segment to the space in which the ellipsoid is the unit sphere
local function to_sphere(self, frame)
  local o, rows = self.orientation, {}
  for i = 1, 3 do
    local radius = self.radii[i]
    if abs(radius) <= 0 then error(("radius %d is 0"):format(i), 0) end
    rows[i] = { o[4 * i - 3] / radius, o[4 * i - 2] / radius, o[4 * i - 1] / radius, 0 }
  end
  return mat4.rows(rows) * mat4.translation(-self.centre) * frame
end

-- the ends of a window that was given as one number or two
local function ends(window)
  if type(window) == "number" then return -window, window end
  if #window == 1 then return -window[1], window[1] end
  return window[1], window[2]
end

-- cosine and sine of the rotation about `axis` that brings a point to the ellipsoid, and E there
local function contact(sphere, axis, point, window)
  local along = axis * axis:dot(point)
  local m, u = sphere:point(along), sphere:direction(point - along)
  local v = sphere:direction(axis:cross(point))
  local uu, vv = u:dot(u), v:dot(v)
  return sinew.contact(m:dot(m) - 1 + 0.5 * (uu + vv), 2 * m:dot(u), 2 * m:dot(v),
    0.5 * (uu - vv), u:dot(v), ends(window))
end

local function turned(axis, cosine, sine, v)
  return v * cosine + axis:cross(v) * sine + axis * (axis:dot(v) * (1 - cosine))
end

local function eval(self, frame, lift, rotation)
  local l, r = share(lift, self.lift_range), share(rotation, self.rotation_range)
  local p, q = blend(self, 1, l, r), blend(self, 2, l, r)
  local sphere, axis = to_sphere(self, frame), self.axis
  if axis:length() <= 0 then error("'axis' is zero", 0) end
  axis = axis:unit()

  local cosine, sine, gap1 = contact(sphere, axis, p, self.window)
  local s = turned(axis, cosine, sine, q)

  -- rotates about the line to the first point; there is none if that point is at the joint
  local cosine2, sine2, line = 1, 0, sinew.vec3()
  local gap2
  if p:length() > 1e-9 then
    line = p:unit()
    local window = self.psi_window
    if type(window) == "table" and #window == 0 then window = self.window end
    cosine2, sine2, gap2 = contact(sphere, turned(axis, cosine, sine, line), s, window)
  else
    local at = sphere:point(s)
    gap2 = at:dot(at) - 1
  end

  local columns = {}
  for i, column in ipairs { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } do
    columns[i] = turned(axis, cosine, sine, turned(line, cosine2, sine2, sinew.vec3(column)))
  end
  local touches = max(abs(gap1), abs(gap2)) <= touch
  return mat4.columns(columns), sinew.atan2(sine, cosine), sinew.atan2(sine2, cosine2),
    touches and 1 or 0, p, q
end

return sinew.component {
  name = "scripted_slide",
  inputs = { "frame: matrix", "lift", "rotation" },
  outputs = { "transform: matrix", "theta", "psi", "contact", "first: vector", "second: vector" },
  params = {
    -- the ellipsoid, in the frame of its segment
    radii = { 1, 1, 1 }, centre = { 0, 0, 0 }, orientation = sinew.mat4(),
    -- the first axis, and pairs of points on the gliding segment
    axis = { 0, 1, 0 },
    pair1 = { { 1, 0, 0 }, { 0, 0, 1 } },
    pair2 = { { 1, 0, 0 }, { 0, 0, 1 } },
    pair3 = { { 1, 0, 0 }, { 0, 0, 1 } },
    -- the values of lift and rotation that mean 0 and 1, and the allowed angles
    lift_range = { 0, 1 }, rotation_range = { 0, 1 },
    window = { -90, 90 }, psi_window = {},
  },
  mirror = require("sinew.mirror_rules").kinds.slide,
  eval = eval,
}

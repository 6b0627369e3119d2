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
-- ellipsoid. With x = tan(t / 2) this is a quartic. Between two roots of its derivative a
-- polynomial has at most one root, so the roots of the second derivative bracket those of the
-- first, and so on up to the quartic itself.
--
-- Tables are created once and reused, so that an evaluation leaves no garbage.
local sinew = require "sinew"

local abs, min, max, sqrt = math.abs, math.min, math.max, math.sqrt
local sin, cos, tan, rad = math.sin, math.cos, math.tan, math.rad

local touch = 1e-5 -- a point with a smaller |E| counts as touching
local tie = 1e-4   -- angles in degrees that are closer count as equal

-- polynomial[n] has degree n, constant term first; each is the derivative of the next
local polynomial, found = { [0] = {}, {}, {}, {}, {} }, { [0] = {}, {}, {}, {}, {} }

local function value(n, x)
  local p = polynomial[n]
  local sum = p[n + 1]
  for i = n, 1, -1 do sum = sum * x + p[i] end
  return sum
end

-- the sign change between low and high: Newton's method, with bisection where it diverges
local function narrow(n, low, high)
  local below = value(n, low) < 0
  local x, last = 0.5 * (low + high), high - low
  for _ = 1, 100 do
    local f = value(n, x)
    if f == 0 then break end
    if (f < 0) == below then low = x else high = x end
    local next_x = x - f / value(n - 1, x)
    if not (next_x >= low and next_x <= high and abs(next_x - x) <= 0.5 * last) then
      next_x = 0.5 * (low + high)
    end
    last, x = abs(next_x - x), next_x
    if last < 1e-12 then break end
  end
  return x
end

-- Puts the roots between low and high into found[n], in rising order, and returns their number.
-- Where |value| is at most `slack` at an extremum, it touches zero.
local function roots(n, low, high, slack)
  if n == 0 then return 0 end
  local stops, list, count = found[n - 1], found[n], 0
  local stop_count = roots(n - 1, low, high, 0)
  local from, before = low, value(n, low)
  if before == 0 then count, list[1] = 1, low end
  for i = 1, stop_count + 1 do
    local to = i <= stop_count and stops[i] or high
    local after = value(n, to)
    local root
    if abs(after) <= slack then
      root = to
    elseif before ~= 0 and (before < 0) ~= (after < 0) then
      root = narrow(n, from, to)
    end
    if root then
      count = count + 1
      list[count] = root
    end
    from, before = to, after
  end
  return count
end

-- the quartic of a circle relative to the angle whose cosine and sine are given
local function set_quartic(a, b, c, d, e, cosine, sine)
  b, c = b * cosine + c * sine, c * cosine - b * sine
  local cosine2, sine2 = cosine * cosine - sine * sine, 2 * cosine * sine
  d, e = d * cosine2 + e * sine2, e * cosine2 - d * sine2
  local p = polynomial[4]
  p[1], p[2], p[3], p[4], p[5] = a + b + d, 2 * c + 4 * e, 2 * a - 6 * d, 2 * c - 4 * e, a - b + d
  for n = 3, 0, -1 do
    for i = 1, n + 1 do polynomial[n][i] = i * polynomial[n + 1][i + 1] end
  end
  return 1e-15 * (abs(p[1]) + abs(p[2]) + abs(p[3]) + abs(p[4]) + abs(p[5]))
end

local function value_at(a, b, c, d, e, cosine, sine)
  return a + b * cosine + c * sine + d * (cosine * cosine - sine * sine) + 2 * e * cosine * sine
end

-- tan(t / 2) is used for angles up to 90; larger angles are counted from the middle of a quadrant
local half = sqrt(0.5)
local pieces = {
  { from = -90, to = 90, middle = 0, cosine = 1, sine = 0 },
  { from = 89.999, to = 180, middle = 135, cosine = -half, sine = half },
  { from = -180, to = -89.999, middle = -135, cosine = -half, sine = -half },
}

-- The angles at which a circle is 0, into `angles`, with cosine and sine; returns their number.
local angles, cosines, sines = {}, {}, {}

local function zeros(a, b, c, d, e, low, high)
  local count = 0
  for _, piece in ipairs(pieces) do
    local from, to = max(low, piece.from), min(high, piece.to)
    if from < to and (piece.middle == 0 or max(-from, to) > 90) then
      local slack = set_quartic(a, b, c, d, e, piece.cosine, piece.sine)
      local number = roots(4, tan(rad(from - piece.middle) / 2), tan(rad(to - piece.middle) / 2),
        slack)
      for i = 1, number do
        local x = found[4][i]
        local cosine, sine = (1 - x * x) / (1 + x * x), 2 * x / (1 + x * x)
        count = count + 1
        cosines[count] = piece.cosine * cosine - piece.sine * sine
        sines[count] = piece.sine * cosine + piece.cosine * sine
        angles[count] = piece.middle + 2 * sinew.atan2(x, 1)
      end
    end
  end
  return count
end

-- whether one angle is preferred to another, if all else is equal
local function nearer(angle, than)
  local by = abs(than) - abs(angle)
  return by > tie or (by >= -tie and angle > than)
end

-- the ends of a window that was given as one number or two
local function ends(window)
  if type(window) == "number" then return -window, window end
  if #window == 1 then return -window[1], window[1] end
  return window[1], window[2]
end

-- degrees, cosine and sine of the rotation that brings a circle to the ellipsoid, and E there
local function contact(a, b, c, d, e, window)
  local low, high = ends(window)
  if abs(b) + abs(c) + abs(d) + abs(e) <= 1e-6 * (a + 1) then
    local still = min(max(0, low), high) -- rotating changes nothing
    return still, cos(rad(still)), sin(rad(still)), a + b + d
  end
  local count, best = zeros(a, b, c, d, e, low, high), nil
  for i = 1, count do
    if not best or nearer(angles[i], angles[best]) then best = i end
  end
  if best then return angles[best], cosines[best], sines[best], 0 end

  -- the closest approach: at an end, or where the derivative is 0
  count = zeros(0, c, -b, 2 * e, -2 * d, low, high)
  for i = 1, 2 do
    local angle = i == 1 and low or high
    count = count + 1
    angles[count], cosines[count], sines[count] = angle, cos(rad(angle)), sin(rad(angle))
  end
  local gap
  for i = 1, count do
    local here = value_at(a, b, c, d, e, cosines[i], sines[i])
    local closer = best and abs(gap) - abs(here)
    local mirrored = best and abs(abs(angles[i]) - abs(angles[best])) <= tie
    local slack = (mirrored and 1e-6 or 1e-12) * (a + 1)
    if not best or closer > slack or (closer >= -slack and nearer(angles[i], angles[best])) then
      best, gap = i, here
    end
  end
  return angles[best], cosines[best], sines[best], gap
end

local function triple(v) return v.x or v[1], v.y or v[2], v.z or v[3] end

local function dot(ax, ay, az, bx, by, bz) return ax * bx + ay * by + az * bz end

local function cross(ax, ay, az, bx, by, bz)
  return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
end

-- rotates v about the unit axis x
local function turn(xx, xy, xz, cosine, sine, vx, vy, vz)
  local cx, cy, cz = cross(xx, xy, xz, vx, vy, vz)
  local along = (1 - cosine) * dot(xx, xy, xz, vx, vy, vz)
  return cosine * vx + sine * cx + along * xx, cosine * vy + sine * cy + along * xy,
    cosine * vz + sine * cz + along * xz
end

-- maps the segment to the space in which the ellipsoid is the unit sphere: rows of three and a
-- shift
local place = {}

local function set_place(self, f)
  local o = self.orientation
  local f1, f2, f3, _, f5, f6, f7, _, f9, f10, f11, _, f13, f14, f15 = f:unpack()
  local cx, cy, cz = triple(self.centre)
  local rx, ry, rz = triple(self.radii)
  for row = 0, 2 do
    local radius = row == 0 and rx or row == 1 and ry or rz
    if radius == 0 then error(("radius %d is 0"):format(row + 1), 0) end
    local x, y, z = o[4 * row + 1] / radius, o[4 * row + 2] / radius, o[4 * row + 3] / radius
    place[4 * row + 1] = dot(x, y, z, f1, f2, f3)
    place[4 * row + 2] = dot(x, y, z, f5, f6, f7)
    place[4 * row + 3] = dot(x, y, z, f9, f10, f11)
    place[4 * row + 4] = dot(x, y, z, f13 - cx, f14 - cy, f15 - cz)
  end
end

-- E at a point of the segment
local function ellipsoid(px, py, pz)
  local sum = -1
  for i = 1, 9, 4 do
    local y = dot(place[i], place[i + 1], place[i + 2], px, py, pz) + place[i + 3]
    sum = sum + y * y
  end
  return sum
end

-- the circle of a point about the unit axis x: its a, b, c, d, e
local function circle(xx, xy, xz, px, py, pz)
  local along = dot(xx, xy, xz, px, py, pz)
  local ax, ay, az = along * xx, along * xy, along * xz
  local cx, cy, cz = cross(xx, xy, xz, px, py, pz)
  local mm, uu, vv, mu, mv, uv = 0, 0, 0, 0, 0, 0
  for i = 1, 9, 4 do
    local x, y, z = place[i], place[i + 1], place[i + 2]
    local m = dot(x, y, z, ax, ay, az) + place[i + 3]
    local u = dot(x, y, z, px - ax, py - ay, pz - az)
    local v = dot(x, y, z, cx, cy, cz)
    mm, uu, vv = mm + m * m, uu + u * u, vv + v * v
    mu, mv, uv = mu + m * u, mv + m * v, uv + u * v
  end
  return mm - 1 + 0.5 * (uu + vv), 2 * mu, 2 * mv, 0.5 * (uu - vv), uv
end

-- a clamped linear map from a range to 0..1
local function share(x, range)
  return min(max((x - range[1]) / (range[2] - range[1]), 0), 1)
end

-- one point of the active pair of points
local function blend(self, which, l, r)
  local a, b = (1 - r) * l, (1 - r) * (1 - l)
  local ax, ay, az = triple(self.pair1[which])
  local bx, by, bz = triple(self.pair2[which])
  local cx, cy, cz = triple(self.pair3[which])
  return a * ax + b * bx + r * cx, a * ay + b * by + r * cy, a * az + b * bz + r * cz
end

local transform, first, second = {}, {}, {}
for i = 1, 16 do transform[i] = i == 16 and 1 or 0 end

local function eval(self, frame, lift, rotation)
  local l, r = share(lift, self.lift_range), share(rotation, self.rotation_range)
  local px, py, pz = blend(self, 1, l, r)
  local qx, qy, qz = blend(self, 2, l, r)
  local xx, xy, xz = triple(self.axis)
  local length = sqrt(dot(xx, xy, xz, xx, xy, xz))
  if length == 0 then error("'axis' is zero", 0) end
  xx, xy, xz = xx / length, xy / length, xz / length
  set_place(self, frame)

  local a, b, c, d, e = circle(xx, xy, xz, px, py, pz)
  local theta, cosine, sine, gap1 = contact(a, b, c, d, e, self.window)
  local sx, sy, sz = turn(xx, xy, xz, cosine, sine, qx, qy, qz)

  -- rotates about the line to the first point; there is none if that point is at the joint
  local psi, cosine2, sine2, gap2 = 0, 1, 0
  local nx, ny, nz = 0, 0, 0
  length = sqrt(dot(px, py, pz, px, py, pz))
  if length > 1e-9 then
    nx, ny, nz = px / length, py / length, pz / length
    local tx, ty, tz = turn(xx, xy, xz, cosine, sine, nx, ny, nz)
    local window = self.psi_window
    if type(window) == "table" and #window == 0 then window = self.window end
    a, b, c, d, e = circle(tx, ty, tz, sx, sy, sz)
    psi, cosine2, sine2, gap2 = contact(a, b, c, d, e, window)
  else
    gap2 = ellipsoid(sx, sy, sz)
  end

  for column = 0, 2 do
    local ux, uy, uz = turn(nx, ny, nz, cosine2, sine2, column == 0 and 1 or 0,
      column == 1 and 1 or 0, column == 2 and 1 or 0)
    ux, uy, uz = turn(xx, xy, xz, cosine, sine, ux, uy, uz)
    transform[4 * column + 1], transform[4 * column + 2], transform[4 * column + 3] = ux, uy, uz
  end
  first[1], first[2], first[3] = px, py, pz
  second[1], second[2], second[3] = qx, qy, qz
  local touches = abs(gap1) <= touch and abs(gap2) <= touch
  return transform, theta, psi, touches and 1 or 0, first, second
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

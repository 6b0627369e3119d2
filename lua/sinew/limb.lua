-- Legs and arms that reach for a point: two or three bones, solved in closed form.
--
--   local leg = sinew.limb(body, "leg1", {
--     at = {0.15, 0, 0.3}, foot = {0.6, -0.35, 0.4},   -- both in the frame of the body
--     lengths = {0.4, 0.5},
--   })
--   leg:reach(pose, x, y, z)           -- in the world, or a vec3; gives how far off the foot is
--   leg:place(pose, x, y, z)           -- the same in the frame of the body: needs no evaluation
--
-- A joint set of the limb's name gets the DOFs `yaw`, `lift` and `bend`. At rest the foot is at
-- `foot`. With three lengths the first bone only yaws, as the hip of an insect does.
--
-- knee:   where the knee points, {0, 1, 0} unless given; the yaw turns about it. For a leg straight
--         below the body {0, 0, 1} bends the knee forwards, {0, 0, -1} backwards.
-- yaw, lift, bend:  ranges { min, max } in degrees.
--
-- A point out of reach is approached as far as bones and ranges allow. The limb has the fields
-- name, body (the segment), home (x, y, z of `foot`), dofs (the three full names) and segments.
local sinew = require "sinew"

local sqrt, sin, cos, acos, abs = math.sqrt, math.sin, math.cos, math.acos, math.abs
local atan2 = math.atan2 or math.atan -- luacheck: ignore 143
local degrees = 180 / math.pi

local Limb = {}
Limb.__index = Limb

local function clamp(x, low, high)
  if x < low then return low end
  if x > high then return high end
  return x
end

-- where the foot is, in the frame of the body, for angles in degrees
local function foot_of(self, yaw, lift, bend)
  yaw, lift, bend = yaw / degrees, lift / degrees, (lift + bend) / degrees
  local out = self.l0 + self.l1 * cos(lift) + self.l2 * cos(bend)
  local up = self.l1 * sin(lift) + self.l2 * sin(bend)
  local o, s = out * cos(yaw), out * sin(yaw)
  return self.x + o * self.ox + up * self.ax + s * self.sx,
    self.y + o * self.oy + up * self.ay + s * self.sy,
    self.z + o * self.oz + up * self.az + s * self.sz
end

-- the angles for a point in the frame of the body, not yet held to the ranges, and whether the
-- bones are long and short enough; no yaw for a point on its axis
local function angles_of(self, x, y, z)
  x, y, z = x - self.x, y - self.y, z - self.z
  local o = x * self.ox + y * self.oy + z * self.oz
  local v = x * self.ax + y * self.ay + z * self.az
  local s = x * self.sx + y * self.sy + z * self.sz
  local r = sqrt(o * o + s * s)
  local u, l1, l2 = r - self.l0, self.l1, self.l2
  local wanted = sqrt(u * u + v * v)
  local d = clamp(wanted, self.nearest, self.farthest)
  local lift = atan2(v, u) + acos(clamp((l1 * l1 + d * d - l2 * l2) / (2 * l1 * d), -1, 1))
  local bend = acos(clamp((l1 * l1 + l2 * l2 - d * d) / (2 * l1 * l2), -1, 1))
  return r > 1e-9 and atan2(s, o) * degrees, lift * degrees, bend * degrees - 180, d == wanted
end

-- The angles within the ranges that take the foot to a point in the frame of the body or near it:
-- yaw, lift and bend, how far off it is, and where it is then.
function Limb:solve(pose, x, y, z)
  local yaw, lift, bend, inside = angles_of(self, x, y, z)
  yaw = yaw or pose[self.yaw]
  if lift > 180 then lift = lift - 360 end
  local a = clamp(yaw, self.yaw_min, self.yaw_max)
  local b = clamp(lift, self.lift_min, self.lift_max)
  local c = clamp(bend, self.bend_min, self.bend_max)
  if inside and a == yaw and b == lift and c == bend then return a, b, c, 0, x, y, z end
  local fx, fy, fz = foot_of(self, a, b, c)
  return a, b, c, sqrt((fx - x) ^ 2 + (fy - y) ^ 2 + (fz - z) ^ 2), fx, fy, fz
end

function Limb:place(pose, x, y, z)
  local yaw, lift, bend, off, fx, fy, fz = self:solve(pose, x, y, z)
  pose[self.yaw] = yaw
  pose[self.lift] = lift
  pose[self.bend] = bend
  return off, fx, fy, fz
end

function Limb:reach(pose, x, y, z)
  if type(x) ~= "number" then x, y, z = x.x or x[1], x.y or x[2], x.z or x[3] end
  local m1, m2, m3, _, m5, m6, m7, _, m9, m10, m11, _, m13, m14, m15 =
    pose:world(self.body, self.frame):unpack()
  x, y, z = x - m13, y - m14, z - m15
  return (self:place(pose, m1 * x + m2 * y + m3 * z, m5 * x + m6 * y + m7 * z,
    m9 * x + m10 * y + m11 * z))
end

-- --- making one

local function fail(name, message, ...)
  error(("sinew.limb '%s': %s"):format(name, message:format(...)), 0)
end

local fields = { at = true, foot = true, lengths = true, knee = true, yaw = true, lift = true,
  bend = true }

local function read_range(name, options, field, low, high)
  local range = options[field]
  if range == nil then return low, high end
  if type(range) ~= "table" or type(range[1]) ~= "number" or type(range[2]) ~= "number"
    or range[1] >= range[2] then
    fail(name, "`%s` must be { min, max } in degrees", field)
  end
  return range[1], range[2]
end

local function read_lengths(self, lengths)
  if type(lengths) ~= "table" or #lengths < 2 or #lengths > 3 then
    fail(self.name, "`lengths` must be two or three lengths in metres")
  end
  for _, length in ipairs(lengths) do
    if type(length) ~= "number" or not (length > 0 and length < math.huge) then
      fail(self.name, "a bone must be longer than 0")
    end
  end
  self.l0 = #lengths == 3 and lengths[1] or 0
  self.l1, self.l2 = lengths[#lengths - 1], lengths[#lengths]
  self.nearest, self.farthest = abs(self.l1 - self.l2), self.l1 + self.l2
  -- a knee is never quite folded, nor does it divide by 0
  self.nearest = math.max(self.nearest, 1e-4 * self.farthest)
end

-- the plane of the leg at rest: `o` outwards, `a` where the knee points, `s` sideways
local function read_frame(self, options)
  for _, field in ipairs { "at", "foot" } do
    if options[field] == nil then fail(self.name, "`%s` is missing", field) end
  end
  local at, foot = sinew.vec3(options.at), sinew.vec3(options.foot)
  local knee = sinew.vec3(options.knee or { 0, 1, 0 })
  if knee:length() < 1e-9 then fail(self.name, "`knee` must be a direction") end
  local a = knee:unit()
  local to = foot - at
  local out = to - a * to:dot(a)
  if out:length() < 1e-6 then
    fail(self.name, "`foot` lies straight along the knee's direction from `at`; "
      .. "give another direction by `knee`, such as {0, 0, 1}")
  end
  local o = out:unit()
  local s = a:cross(o)
  self.x, self.y, self.z = at:unpack()
  self.ox, self.oy, self.oz = o:unpack()
  self.ax, self.ay, self.az = a:unpack()
  self.sx, self.sy, self.sz = s:unpack()
  return at, foot, o, a, s
end

local function limb(body, name, options)
  for field in pairs(options) do
    if not fields[field] then
      fail(name, "there is no option '%s'; there are at, foot, lengths, knee, yaw, lift, bend",
        tostring(field))
    end
  end
  local self = setmetatable({ name = name, body = body, frame = sinew.mat4() }, Limb)
  read_lengths(self, options.lengths)
  local at, foot, o, a, s = read_frame(self, options)
  self.home = { x = foot.x, y = foot.y, z = foot.z }
  self.yaw_min, self.yaw_max = read_range(name, options, "yaw", -80, 80)
  self.lift_min, self.lift_max = read_range(name, options, "lift", -120, 150)
  self.bend_min, self.bend_max = read_range(name, options, "bend", -175, 0)
  local yaw, lift, bend, inside = angles_of(self, foot:unpack())
  if not inside then
    fail(name, "its foot is %.3g m from its joint, its bones reach from %.3g to %.3g m",
      (foot - at):length(), self.nearest, self.farthest + self.l0)
  end
  local set = body.rig:joint_set(name)
  local function dof(short, rest)
    local low, high = self[short .. "_min"], self[short .. "_max"]
    if rest < low or rest > high then
      fail(name, "at rest its %s is %.1f degrees, out of its range %g to %g", short, rest, low,
        high)
    end
    self[short] = name .. "." .. short
    return set:dof(short, { min = low, max = high, rest = rest })
  end
  local turning = set:rotation { dof("yaw", yaw), axis = a, name = "yawing" }
  local lifting = set:rotation { dof("lift", lift), axis = -s, name = "lifting" }
  local bending = set:rotation { dof("bend", bend), axis = -s, name = "bending" }
  local hip
  if self.l0 > 0 then
    hip = set:segment(name .. "_hip", { parent = body, at = at })
    hip:drive(turning)
  end
  local upper = set:segment(name .. "_upper",
    { parent = hip or body, at = hip and o * self.l0 or at })
  upper:drive(hip and lifting or set:multiply { turning, lifting, name = "swinging" })
  local lower = set:segment(name .. "_lower", { parent = upper, at = o * self.l1 })
  lower:drive(bending)
  local tip = set:segment(name .. "_foot", { parent = lower, at = o * self.l2 })
  self.segments = { upper, lower, tip }
  if hip then table.insert(self.segments, 1, hip) end
  self.dofs = { self.yaw, self.lift, self.bend }
  return self
end

return setmetatable({}, {
  __call = function(_, body, name, options)
    if sinew.type(body) ~= "segment" or type(name) ~= "string" or type(options) ~= "table" then
      error("sinew.limb: a segment, a name and a table of options are wanted", 2)
    end
    local ok, made = pcall(limb, body, name, options)
    if not ok then error(made, 2) end
    return made
  end,
})

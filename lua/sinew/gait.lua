-- Walking: feet stay where they stand until the body has moved on, then step in turn.
--
--   local walk = sinew.gait(pose, legs, { stride = 0.25, lift = 0.15, time = 0.2 })
--   walk:update(dt)             -- each frame, after the game has moved the body
--   walk:toward(x, z, dt)       -- or this: also moves the body there, turning as it goes
--
-- legs:     limbs made by sinew.limb, any number, also on several segments; in the order left,
--           right, from the front to the back, every other leg steps together.
-- stride:   how far the body moves while a foot stands, in metres
-- lift:     how high a step goes; time: how long it takes, in seconds, unless it must hurry
-- groups:   for each leg the number of its group, { 1, 2, 2, 1 } being a trot; groups step in turn
-- ground:   function(x, z) that gives the height of the ground; 0 unless given
-- land:     function(leg, x, y, z), called when the foot of a leg comes down, by its number
-- speed, turning:  of `toward`, in metres and degrees a second
-- x, z, turn:      names of the body's DOFs, for `toward`; unless given those of its joint set
--
-- The walker takes its speed from how the body moves. Steps are shorter in time the faster it is.
-- A foot that is about to be out of its leg's reach steps at once, and while it flies it is kept
-- within reach: a foot is always where the gait says it is. A foot that stands does not move.
--
--   walk:foot(i)                x, y, z in the world, and whether it stands
--   walk:plant()                puts all feet below the body, after it was moved elsewhere
--
-- y is up, and at turn 0 the body looks along z. Nothing is allocated after making one.
local sinew = require "sinew"

local sqrt, min, max, sin, cos = math.sqrt, math.min, math.max, math.sin, math.cos
local atan2 = math.atan2 or math.atan -- luacheck: ignore 143

local Gait = {}
Gait.__index = Gait

-- the world matrix of each segment that has legs
local function read_bodies(self)
  local pose, bodies = self.pose, self.bodies
  for i = 1, #bodies do
    local b = bodies[i]
    local _
    b.xx, b.xy, b.xz, _, b.yx, b.yy, b.yz, _, b.zx, b.zy, b.zz, _, b.x, b.y, b.z =
      pose:world(b.segment, b.frame):unpack()
  end
end

local function to_world(b, x, y, z)
  return b.xx * x + b.yx * y + b.zx * z + b.x, b.xy * x + b.yy * y + b.zy * z + b.y,
    b.xz * x + b.yz * y + b.zz * z + b.z
end

-- bends the leg so that its foot is there; how far off that is, and where it is then
local function place(self, f)
  local b, values, k = f.body, self.values, 3 * f.number
  local x, y, z = f.x - b.x, f.y - b.y, f.z - b.z
  local off, fx, fy, fz
  values[k - 2], values[k - 1], values[k], off, fx, fy, fz = f.leg:solve(self.pose,
    b.xx * x + b.xy * y + b.xz * z, b.yx * x + b.yy * y + b.yz * z, b.zx * x + b.zy * y + b.zz * z)
  return off, fx, fy, fz
end

-- where feet belong, how fast that moves, and how far they are from it
local function measure(self, dt)
  local feet, fastest = self.feet, 0
  for i = 1, #feet do
    local f = feet[i]
    local home = f.leg.home
    local x, _, z = to_world(f.body, home.x, home.y, home.z)
    if dt > 0 then f.vx, f.vz = (x - f.hx) / dt, (z - f.hz) / dt end
    f.hx, f.hz = x, z
    f.away = sqrt((f.x - x) ^ 2 + (f.z - z) ^ 2)
    fastest = max(fastest, f.vx * f.vx + f.vz * f.vz)
  end
  return sqrt(fastest)
end

-- the next group in turn with a foot that far from home
local function next_away(self, far)
  local feet, groups = self.feet, self.groups
  for k = 0, groups - 1 do
    local group = (self.turn + k) % groups + 1
    for i = 1, #feet do
      local f = feet[i]
      if f.group == group and f.away > far then return group end
    end
  end
  return nil
end

-- which group steps now: one that is late, else one that is due
local function next_group(self, due)
  local feet, most = self.feet, 0
  for i = 1, #feet do
    local f = feet[i]
    if f.t < 1 then return nil end
    most = max(most, f.away)
  end
  if most > 0.5 * self.stride then return next_away(self, 0.5 * self.stride) end
  return due and next_away(self, 0.15 * self.stride) or nil
end

local function lift_foot(self, f)
  f.t, f.from = 0, self.ground(f.x, f.z)
end

-- one frame of a step; `part` of the whole; lands `lead` seconds of motion ahead of its home
local function fly(self, f, part, lead)
  local t = min(1, f.t + part)
  local before, after = f.t * f.t * (3 - 2 * f.t), t * t * (3 - 2 * t)
  local share = t < 1 and (after - before) / (1 - before) or 1
  local x, z = f.hx + lead * f.vx, f.hz + lead * f.vz
  f.t, f.x, f.z = t, f.x + share * (x - f.x), f.z + share * (z - f.z)
  local y = self.ground(x, z)
  if t < 1 then
    y = max(self.ground(f.x, f.z), f.from + after * (y - f.from)) + 4 * t * (1 - t) * self.lift
  end
  f.y = y
  local off, fx, fy, fz = place(self, f)
  if off > self.slack then
    f.x, f.y, f.z = to_world(f.body, fx, fy, fz)
    f.t = min(f.t, 0.95) -- it cannot come down here
  elseif t == 1 and self.land then
    self.land(f.number, f.x, f.y, f.z)
  end
end

function Gait:update(dt)
  if not (dt >= 0 and dt < math.huge) then
    error(("gait:update: dt is %s"):format(tostring(dt)), 2)
  end
  read_bodies(self)
  local fastest, feet = measure(self, dt), self.feet
  -- seconds from one step of a foot to its next; a group has its share of them
  local cycle = min(self.stride / max(fastest, 1e-9), 4 * self.time)
  local share = cycle / self.groups
  local time = min(self.time, 0.85 * (self.groups > 1 and share or 0.5 * cycle))
  self.clock = self.clock + dt / share
  local group = next_group(self, self.clock >= 1)
  if group then self.turn, self.clock = group, 0 end
  local stand = 0.5 * (cycle - time)
  for i = 1, #feet do
    local f = feet[i]
    if f.t >= 1 then
      if group == f.group and f.away > 0.15 * self.stride or place(self, f) > self.slack then
        lift_foot(self, f)
      end
    end
    -- at least two frames, so that every step is seen
    if f.t < 1 then fly(self, f, min(0.5, dt / time), stand + (1 - f.t) * time) end
  end
  self.pose:put(self.dofs, self.values)
end

function Gait:plant()
  read_bodies(self)
  measure(self, 0)
  for _, f in ipairs(self.feet) do
    f.x, f.z, f.t, f.vx, f.vz = f.hx, f.hz, 1, 0, 0
    f.y = self.ground(f.x, f.z)
    place(self, f)
  end
  self.pose:put(self.dofs, self.values)
end

function Gait:foot(i)
  local f = self.feet[i]
  return f.x, f.y, f.z, f.t >= 1
end

-- --- moving the body

local function find_root(self)
  local set, rig = self.feet[1].leg.body.joint_set, self.pose.rig
  local root, numbers_of = { way = 0, dofs = {}, values = {} }, {}
  for i, dof in ipairs(rig.dofs) do numbers_of[dof.name] = i end
  for i, short in ipairs { "x", "z", "turn" } do
    local name = self.options[short] or (set and set.name .. "." .. short or short)
    if not numbers_of[name] then
      error(("gait:toward moves the body by the DOFs x, z and turn of its joint set, and there is "
        .. "no '%s'; the option `%s` may name another"):format(name, short), 3)
    end
    root[short], root.dofs[i] = name, numbers_of[name]
  end
  return root
end

-- The body turns to where it goes, and walks the faster the better it looks that way.
function Gait:toward(x, z, dt)
  local root = self.root
  if not root then
    root = find_root(self)
    self.root = root
  end
  local pose, values = self.pose, root.values
  local bx, bz, turn = pose[root.x], pose[root.z], pose[root.turn]
  local dx, dz = x - bx, z - bz
  local far = sqrt(dx * dx + dz * dz)
  local wanted = 0
  if far > 0.05 * self.stride then
    local off = (math.deg(atan2(dx, dz)) - turn + 180) % 360 - 180
    wanted = min(self.speed, 4 * far) * max(0, cos(math.rad(off)))
    local most = self.turning * dt
    turn = turn + max(-most, min(most, off * min(1, 8 * dt)))
  end
  root.way = root.way + (wanted - root.way) * (1 - math.exp(-8 * dt))
  local step = min(root.way * dt, far)
  if far > 0 then
    -- the way it looks, bent towards the goal so that it does not circle
    local a = math.rad(turn)
    bx = bx + 0.5 * (sin(a) + dx / far) * step
    bz = bz + 0.5 * (cos(a) + dz / far) * step
  end
  values[1], values[2], values[3] = bx, bz, (turn + 180) % 360 - 180
  pose:put(root.dofs, values)
  self:update(dt)
end

-- --- making one

local numbers = { stride = 0.2, lift = 0.1, time = 0.2, speed = 1, turning = 120 }
local others = { groups = "table", ground = "function", land = "function", x = "string",
  z = "string", turn = "string" }

local function read_options(self, options)
  for name, default in pairs(numbers) do
    local value = options[name]
    if value == nil then value = default end
    if type(value) ~= "number" or not (value > 0 and value < math.huge) then
      error(("sinew.gait: `%s` must be a number above 0"):format(name), 0)
    end
    self[name] = value
  end
  for name, value in pairs(options) do
    local kind = others[name]
    if not kind and not numbers[name] then
      error(("sinew.gait has no option '%s'"):format(tostring(name)), 0)
    elseif kind and type(value) ~= kind then
      error(("sinew.gait: `%s` must be a %s, not a %s"):format(name, kind, type(value)), 0)
    end
  end
  self.ground = options.ground or function() return 0 end
  self.land = options.land
end

local function add_feet(self, legs, groups)
  local bodies, numbers_of = {}, {}
  for i, dof in ipairs(self.pose.rig.dofs) do numbers_of[dof.name] = i end
  for i, leg in ipairs(legs) do
    if type(leg) ~= "table" or not leg.place then
      error(("sinew.gait: leg %d is not made by sinew.limb"):format(i), 0)
    end
    local name = leg.body.name
    if not bodies[name] then
      bodies[name] = { segment = leg.body, frame = sinew.mat4() }
      table.insert(self.bodies, bodies[name])
    end
    local group = groups and groups[i] or not groups and (i + math.floor((i - 1) / 2) + 1) % 2 + 1
    if type(group) ~= "number" or group < 1 or group % 1 ~= 0 then
      error(("sinew.gait: `groups` has no number for leg %d"):format(i), 0)
    end
    self.groups = max(self.groups, group)
    self.slack = max(self.slack, 1e-5 * (leg.l0 + leg.farthest))
    for k = 1, 3 do self.dofs[3 * i - 3 + k] = numbers_of[leg.dofs[k]] end
    self.feet[i] = { number = i, leg = leg, body = bodies[name], group = group, t = 1, from = 0,
      x = 0, y = 0, z = 0, hx = 0, hz = 0, vx = 0, vz = 0, away = 0 }
  end
end

local function gait(pose, legs, options)
  if sinew.type(pose) ~= "pose" or type(legs) ~= "table" or #legs == 0 then
    error("sinew.gait: a pose and a list of limbs are wanted", 0)
  end
  local self = setmetatable({ pose = pose, options = options, feet = {}, bodies = {}, dofs = {},
    values = {}, groups = 1,
    clock = 1, turn = 1, slack = 0 }, Gait)
  read_options(self, options)
  add_feet(self, legs, options.groups)
  self:plant()
  return self
end

return setmetatable({}, {
  __call = function(_, pose, legs, options)
    local ok, made = pcall(gait, pose, legs, options or {})
    if not ok then error(made, 2) end
    return made
  end,
})

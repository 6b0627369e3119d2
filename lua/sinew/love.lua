-- Drawing poses in LÖVE: bones, what limits their joints, and shadows on the ground.
--
--   local view = require "sinew.love"
--   local camera = view.camera { scale = 120, turn = 30, tilt = 35 }
--   function love.draw() view.draw(pose, camera) end
--   local x, z = camera:ground(love.mouse.getPosition())     -- the place on the ground under it
--
-- view.draw(pose) alone takes a camera that shows all of the rig from the front.
--
-- A camera looks without perspective at a point:
-- at:       the point, {0, 0, 0} unless given; also the fields x, y, z, which may be set
-- scale:    pixels a metre, 100 unless given
-- turn, tilt:  how far it goes round to the right, and looks down, in degrees; 0 unless given
-- limits:   whether ranges of hinges and reach cones are drawn, true unless given
-- shadow:   the height of the ground on which bones throw a shadow; none unless given
-- thickness:   of a bone, in metres, 0.03 unless given; bone, joint, limit, held: colours
-- left, top:   the middle on the screen in pixels; that of the window unless given
--
--   camera:project(x, y, z)    on the screen: x, y, and the depth, more for what is nearer
--   camera:ground(x, y [, height])   the point of the ground that is at x, y on the screen
--
-- A hinge is drawn as an arc from its min to its max with a line at its angle, a cone as its
-- border; in the colour `held` while the limit holds. What was made for a pose is kept; drawing
-- allocates nothing.
local sinew = require "sinew"

local view = {}

local sqrt, sin, cos, rad, max, min = math.sqrt, math.sin, math.cos, math.rad, math.max, math.min
local steps = 16 -- of an arc

-- --- cameras

local Camera = {}
Camera.__index = Camera

local defaults = { scale = 100, turn = 0, tilt = 0, limits = true, shadow = false, left = false,
  top = false, thickness = 0.03, bone = { 0.96, 0.94, 0.88 }, joint = { 0.85, 0.45, 0.2 },
  limit = { 0.35, 0.55, 0.75 }, held = { 0.8, 0.15, 0.12 } }

---@param options? table
function view.camera(options)
  options = options or {}
  local self = setmetatable({}, Camera)
  for name, value in pairs(defaults) do self[name] = value end
  for name, value in pairs(options) do
    if name ~= "at" and defaults[name] == nil then
      error(("view.camera has no option '%s'"):format(tostring(name)), 2)
    end
    if name ~= "at" then self[name] = value end
  end
  self.x, self.y, self.z = sinew.vec3(options.at or { 0, 0, 0 }):unpack()
  return self
end

local function middle(self)
  return self.left or love.graphics.getWidth() / 2, self.top or love.graphics.getHeight() / 2
end

---@return number x
---@return number y
---@return number depth
function Camera:project(x, y, z)
  local left, top = middle(self)
  local a, b = rad(self.turn), rad(self.tilt)
  x, y, z = x - self.x, y - self.y, z - self.z
  local near = sin(a) * x + cos(a) * z
  return left + self.scale * (cos(a) * x - sin(a) * z),
    top - self.scale * (cos(b) * y - sin(b) * near), cos(b) * near + sin(b) * y
end

---@param height? number
---@return number x
---@return number z
function Camera:ground(x, y, height)
  local left, top = middle(self)
  local a, b = rad(self.turn), rad(self.tilt)
  if sin(b) < 1e-6 then
    error("camera:ground: a camera that does not look down sees no ground", 2)
  end
  local side = (x - left) / self.scale
  local near = ((y - top) / self.scale + cos(b) * ((height or 0) - self.y)) / sin(b)
  return self.x + cos(a) * side + sin(a) * near, self.z - sin(a) * side + cos(a) * near
end

-- --- limits, found once for a pose

local function perpendicular(axis, along)
  local u = along - axis * along:dot(axis)
  if u:length() < 1e-6 then
    u = axis:cross(math.abs(axis.x) < 0.9 and sinew.vec3(1, 0, 0) or sinew.vec3(0, 1, 0))
  end
  return u:unit()
end

-- where the bone of a segment leads to: its first child that is elsewhere
local function along_of(segments, name)
  for _, segment in ipairs(segments) do
    if segment.parent == name then
      local at = segment.rest:position()
      if at:length() > 1e-6 then return at end
    end
  end
  return sinew.vec3(0, 0.1, 0)
end

local function add_hinge(list, place, component, along)
  local dof = component.inputs[1].source
  if sinew.type(dof) ~= "DOF" then return end
  local axis = sinew.vec3(component.params.axis):unit()
  local u = perpendicular(axis, along)
  local v, radius = axis:cross(u), 0.3 * along:length()
  local one = { place = place, dof = dof.name, low = dof.min, high = dof.max, u = u * radius,
    v = v * radius, centre = sinew.vec3(component.params.centre or { 0, 0, 0 }), points = {} }
  for i = 0, steps do
    local angle = dof.min + (dof.max - dof.min) * i / steps
    one.points[i + 1] = one.centre + one.u * sinew.cos(angle) + one.v * sinew.sin(angle)
  end
  list[#list + 1] = one
end

local cone_params = { "rest", "points", "ellipse", "right", "count", "visible", "provisional",
  "smooth" }

local function add_cone(list, place, component, along)
  local params, given = {}, component.params
  for _, name in ipairs(cone_params) do params[name] = given[name] end
  local ok, cone = pcall(sinew.cone, params)
  if not ok then return end -- such as one whose points are wired elsewhere
  local one = { place = place, inside = component:port "inside", points = {} }
  for i, point in ipairs(cone.points) do one.points[i] = point * (0.5 * along:length()) end
  one.points[#one.points + 1] = one.points[1]
  list[#list + 1] = one
end

-- every factor of what drives a segment, with those before it
local function add_limits(list, segments, segment)
  local driver = segment.driver
  local component = driver and driver.component
  if not component then return end
  local along = along_of(segments, segment.name)
  local place = { parent = segment.parent, rest = segment.rest, before = {} }
  if component.kind == "rotation" then add_hinge(list, place, component, along) end
  if component.kind == "cone" then add_cone(list, place, component, along) end
  if component.kind ~= "multiply" then return end
  local before = {}
  for _, input in ipairs(component.inputs) do
    local port = input.source
    if sinew.type(port) ~= "port" then return end
    place = { parent = segment.parent, rest = segment.rest, before = {} }
    for i, earlier in ipairs(before) do place.before[i] = earlier end
    if port.component.kind == "rotation" then add_hinge(list, place, port.component, along) end
    if port.component.kind == "cone" then add_cone(list, place, port.component, along) end
    before[#before + 1] = port
  end
end

-- --- drawing

local known = setmetatable({}, { __mode = "k" })
local frame, factor, spot = sinew.mat4(), sinew.mat4(), sinew.vec3()

-- a camera from the front that shows the pose as it is now
local function fit(worlds)
  local low, high = { 1e9, 1e9 }, { -1e9, -1e9 }
  for i = 1, #worlds, 16 do
    for k = 1, 2 do
      low[k], high[k] = min(low[k], worlds[i + 11 + k]), max(high[k], worlds[i + 11 + k])
    end
  end
  local width, height = love.graphics.getDimensions()
  local size = max(high[1] - low[1], (high[2] - low[2]) * width / height, 0.1)
  return view.camera { scale = 0.8 * width / size,
    at = { (low[1] + high[1]) / 2, (low[2] + high[2]) / 2, 0 } }
end

local function learn(pose)
  local self = { limits = {}, bones = {}, order = {}, line = {}, many = {} }
  local segments = pose.rig.segments
  for i = 1, #pose:worlds() / 16 do add_limits(self.limits, segments, segments[i]) end
  function self.collect(x1, y1, z1, x2, y2, z2)
    local count = self.count + 1
    local bone = self.bones[count]
    if not bone then
      bone = {}
      self.bones[count], self.order[count] = bone, bone
    end
    bone.x1, bone.y1, bone.z1, bone.x2, bone.y2, bone.z2 = x1, y1, z1, x2, y2, z2
    self.count = count
  end
  known[pose] = self
  return self
end

-- the nearest last; an insertion sort, since the order changes little from frame to frame
local function sort(order, count)
  for i = 2, count do
    local one, k = order[i], i - 1
    while k > 0 and order[k].depth > one.depth do
      order[k + 1], k = order[k], k - 1
    end
    order[k + 1] = one
  end
end

local function draw_shadows(self, camera)
  local graphics = love.graphics
  graphics.setColor(0, 0, 0, 0.15)
  graphics.setLineWidth(max(1, camera.thickness * camera.scale))
  for i = 1, self.count do
    local bone = self.order[i]
    local x1, y1 = camera:project(bone.x1, camera.shadow, bone.z1)
    local x2, y2 = camera:project(bone.x2, camera.shadow, bone.z2)
    graphics.line(x1, y1, x2, y2)
  end
end

-- broad near its start, narrow at its end
local function draw_bone(camera, x1, y1, x2, y2)
  local graphics = love.graphics
  local dx, dy = x2 - x1, y2 - y1
  local length, wide = sqrt(dx * dx + dy * dy), 0.5 * camera.thickness * camera.scale
  local colour = camera.bone
  if length > 1 then
    local half = wide / length
    local nx, ny, mx, my = -dy * half, dx * half, x1 + 0.25 * dx, y1 + 0.25 * dy
    graphics.setColor(colour[1], colour[2], colour[3])
    graphics.polygon("fill", x1 + 0.5 * nx, y1 + 0.5 * ny, mx + nx, my + ny, x2 + 0.3 * nx,
      y2 + 0.3 * ny, x2 - 0.3 * nx, y2 - 0.3 * ny, mx - nx, my - ny, x1 - 0.5 * nx, y1 - 0.5 * ny)
    graphics.setColor(0, 0, 0, 0.8)
    graphics.polygon("line", x1 + 0.5 * nx, y1 + 0.5 * ny, mx + nx, my + ny, x2 + 0.3 * nx,
      y2 + 0.3 * ny, x2 - 0.3 * nx, y2 - 0.3 * ny, mx - nx, my - ny, x1 - 0.5 * nx, y1 - 0.5 * ny)
  end
  colour = camera.joint
  graphics.setColor(colour[1], colour[2], colour[3])
  graphics.circle("fill", x1, y1, 0.6 * wide)
  graphics.circle("fill", x2, y2, 0.4 * wide)
end

local function frame_of(pose, place)
  if place.parent then
    pose:world(place.parent, frame):mul(place.rest)
  else
    frame:set(place.rest)
  end
  for i = 1, #place.before do frame:mul(pose:value(place.before[i], factor)) end
end

local function is_held(pose, one)
  if one.inside then return pose:value(one.inside) == 0 end
  local value, slack = pose[one.dof], 1e-4 * (one.high - one.low)
  return value <= one.low + slack or value >= one.high - slack
end

local function draw_limit(self, pose, camera, one)
  local line = self.many[#one.points]
  if not line then
    line = {}
    self.many[#one.points] = line
  end
  frame_of(pose, one.place)
  for i = 1, #one.points do
    line[2 * i - 1], line[2 * i] = camera:project(frame:point(one.points[i], spot):unpack())
  end
  local colour = is_held(pose, one) and camera.held or camera.limit
  love.graphics.setColor(colour[1], colour[2], colour[3])
  love.graphics.line(line)
  if not one.dof then return end
  local c, s = sinew.cos(pose[one.dof]), sinew.sin(pose[one.dof])
  local x1, y1 = camera:project(frame:point(one.centre, spot):unpack())
  spot:set(one.centre):add(one.u, c):add(one.v, s)
  local x2, y2 = camera:project(frame:point(spot, spot):unpack())
  love.graphics.line(x1, y1, x2, y2)
end

---@param pose sinew.pose
---@param camera? table
function view.draw(pose, camera)
  local self = known[pose]
  if not self then
    if sinew.type(pose) ~= "pose" then error("view.draw: a pose is wanted", 2) end
    self = learn(pose)
  end
  if not camera then
    self.camera = self.camera or fit(pose:worlds())
    camera = self.camera
  end
  self.count = 0
  sinew.lines(pose, self.collect)
  local order, count = self.order, self.count
  for i = 1, count do
    local bone = order[i]
    local _, _, z1 = camera:project(bone.x1, bone.y1, bone.z1)
    local _, _, z2 = camera:project(bone.x2, bone.y2, bone.z2)
    bone.depth = z1 + z2
  end
  sort(order, count)
  if camera.shadow then draw_shadows(self, camera) end
  love.graphics.setLineWidth(1)
  if camera.limits then
    for i = 1, #self.limits do draw_limit(self, pose, camera, self.limits[i]) end
  end
  for i = 1, count do
    local bone = order[i]
    local x1, y1 = camera:project(bone.x1, bone.y1, bone.z1)
    local x2, y2 = camera:project(bone.x2, bone.y2, bone.z2)
    draw_bone(camera, x1, y1, x2, y2)
  end
end

return view

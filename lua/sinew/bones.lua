-- Bones for a skeleton that is recognized at a glance. Frames are the rig's: y up, z forward, the
-- body's right at -x; sizes are an adult's in metres unless given. Each maker takes a table, and
-- `at` and `turn` place what it gives, see shapes.lua.
--
--   long_bone { to = , radius =, head =, foot =, neck =, condyles =, side =, bow = }
--       from the origin to `to`, thick at its ends (half widths `head` and `foot`); with `neck` the
--       shaft starts at that point and a ball sits in the joint; `condyles` is the half distance
--       of two balls at the far end, along `side`; `bow` moves the shaft's middle
--   vertebra { width =, depth =, height =, spinous =, slope =, transverse =, canal = }
--       the body about the origin, the arch and its processes behind; slope of the spinous one
--       downwards in degrees
--   rib { points =, height =, thickness =, tilt =, cartilage = }
--   clavicle { to =, radius = }     S-shaped, from the sternum at the origin
--   scapula { acromion =, glenoid =, coracoid =, root =, superior =, inferior =, hollow = }
--       of the right side; places in the segment's frame: where it meets the clavicle, the middle
--       of the socket, corners, and the middle of the ball that hollows the socket
--   pelvis { width =, height =, depth = }, skull { height = }, jaw { width =, length = }
local sinew = require "sinew"
local mesh = require "sinew.mesh"
local shapes = require "sinew.shapes"

local bones = {}

local size = shapes.want_size

local function point(kind, params, name, default)
  return shapes.want_point(kind, name, params[name] or default, 2)
end

local function mix(a, b, t)
  return { a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t, a[3] + (b[3] - a[3]) * t }
end

local function plus(a, b) return { a[1] + b[1], a[2] + b[2], a[3] + b[3] } end

local function ball(centre, rx, ry, rz, sides)
  return mesh.ellipsoid(sides or 10, 5, centre, { rx, ry or rx, rz or rx })
end

local function rod(points, radius, flat, sides, steps)
  return shapes.tube_mesh(points, radius, flat or 1, { 0, 1, 0 }, 1, sides or 8, steps or 3)
end

function bones.long_bone(params)
  local kind = "long_bone"
  local to = point(kind, params, "to", { 0, -0.3, 0 })
  local radius = size(kind, params, "radius", 0.012)
  local head = size(kind, params, "head", 1.8 * radius)
  local foot = size(kind, params, "foot", 2 * radius)
  local neck = params.neck and point(kind, params, "neck")
  local from, bow = neck or { 0, 0, 0 }, point(kind, params, "bow", { 0, 0, 0 })
  local top = neck and 1.5 * radius or head
  local function profile(t)
    local near, far = math.max(0, 1 - t / 0.18), math.max(0, 1 - (1 - t) / 0.2)
    return radius + (top - radius) * near * near + (foot - radius) * far * far
  end
  local parts = { shapes.tube_mesh({ from, plus(mix(from, to, 0.5), bow), to }, profile, 1,
    { 0, 0, 1 }, 0.7, 10, 7) }
  if neck then
    parts[#parts + 1] = rod({ { 0, 0, 0 }, neck }, { 0.7 * head, 1.1 * radius })
    parts[#parts + 1] = ball({ 0, 0, 0 }, head)
  end
  if params.condyles then
    local half = size(kind, params, "condyles")
    local side = point(kind, params, "side", { 1, 0, 0 })
    local x, y, z = mesh.unit(side[1], side[2], side[3])
    for _, sign in ipairs { -half, half } do
      parts[#parts + 1] = ball(plus(to, { sign * x, sign * y, sign * z }), 0.85 * foot, 0.95 * foot,
        foot)
    end
  end
  return shapes.finish(kind, params, mesh.merge(parts))
end

-- cosines and sines of the points around the body of a vertebra
local round = {}
for k = 1, 14 do
  local angle = -2 * math.pi * k / 14
  round[k] = { math.cos(angle), math.sin(angle) }
end

function bones.vertebra(params)
  local kind = "vertebra"
  local width, depth = size(kind, params, "width", 0.042), size(kind, params, "depth", 0.03)
  local height, canal = size(kind, params, "height", 0.024), size(kind, params, "canal", 0.018)
  local spinous = size(kind, params, "spinous", 0.04)
  local transverse = size(kind, params, "transverse", 0.032)
  local slope = math.rad(params.slope or 25)
  local a, b, h = width / 2, depth / 2, height / 2
  -- the body: a drum with a waist and rounded rims
  local rings = {}
  for _, level in ipairs { { -1, 0.8 }, { -0.9, 1 }, { -0.6, 0.96 }, { 0, 0.84 }, { 0.6, 0.96 },
    { 0.9, 1 }, { 1, 0.8 } } do
    local wide, y, deep, ring = a * level[2], h * level[1], b * level[2], {}
    for k, at in ipairs(round) do ring[k] = { wide * at[1], y, deep * at[2] } end
    rings[#rings + 1] = ring
  end
  local parts = { mesh.loft(rings, { 0, -h, 0 }, { 0, h, 0 }) }
  -- the arch around the canal, from one side of the body to the other
  local thick, back = 0.2 * height, -b - canal
  local up = 0.25 * height
  parts[2] = rod({ { -0.6 * a, up, -0.7 * b }, { -0.75 * canal, up, -b - 0.4 * canal },
    { 0, 0.6 * up, back }, { 0.75 * canal, up, -b - 0.4 * canal }, { 0.6 * a, up, -0.7 * b } },
    thick, 1.6, 7, 2)
  local tip = { 0, -spinous * math.sin(slope), back - spinous * math.cos(slope) }
  parts[3] = rod({ { 0, 0.6 * up, back + thick }, mix({ 0, 0.6 * up, back }, tip, 0.5), tip },
    { thick, 0.8 * thick, 0.9 * thick }, 2, 7, 2)
  for _, sign in ipairs { -1, 1 } do
    local root = { sign * 0.75 * canal, up, -b - 0.4 * canal }
    parts[#parts + 1] = rod({ root, plus(root, { sign * transverse, 0.1 * height,
      -0.35 * transverse }) }, { 1.1 * thick, 0.8 * thick }, 1.3, 7, 2)
    -- the joints with the neighbours
    parts[#parts + 1] = ball(plus(root, { 0, 0.55 * height, -0.1 * canal }), 0.9 * thick,
      0.35 * height, 0.7 * thick, 6)
    parts[#parts + 1] = ball(plus(root, { 0, -0.55 * height, -0.25 * canal }), 0.9 * thick,
      0.35 * height, 0.7 * thick, 6)
  end
  return shapes.finish(kind, params, mesh.merge(parts))
end

local function solid_of(name, options)
  return require "sinew.blend".solid(require("sinew.bones." .. name), options)
end

-- a list of numbers spread over 0 to 1, at t
local function spread(list, t)
  local at = 1 + t * (#list - 1)
  local i = math.max(1, math.min(math.floor(at), #list - 1))
  return list[i] + ((list[i + 1] or list[i]) - list[i]) * (at - i)
end

-- Height and thickness of a rib along its way, as multiples: head, neck and tubercle in the first
-- quarter, then the body. Measured on the ribs of the OpenSim model of Rajagopal et al. 2016.
local rib_height = { 0.85, 0.72, 0.85, 1, 1, 1, 1, 1, 1.05 }
local rib_thickness = { 1.25, 1.25, 1.25, 1.05, 0.95, 0.95, 0.95, 0.95, 0.95 }

-- A band along a smooth curve. Its cross-section is `height` along `up`, turned about the way by
-- `tilt` (positive: the upper edge outwards; a list is spread over the length), and `thickness`
-- across. From the point number `cartilage` on it is rounder.
function bones.rib(params)
  local points = shapes.want_points("rib", "points", params.points, 2)
  local height = 500 * size("rib", params, "height", 0.012)
  local thickness = 500 * size("rib", params, "thickness", 0.006)
  local up, tilt = sinew.vec3(point("rib", params, "up", { 0, 1, 0 })), params.tilt or { 0, 0 }
  local steps, line, way, along, turned = 5, {}, { 0 }, {}, 0
  for i, p in ipairs(mesh.smooth(points, steps)) do
    line[i] = sinew.vec3(p) * 1000
    if i > 1 then way[i] = way[i - 1] + line[i]:distance(line[i - 1]) end
  end
  for i = 1, #line do
    along[i] = (line[math.min(i + 1, #line)] - line[math.max(i - 1, 1)]):unit()
    if i > 1 then turned = turned + along[i - 1]:cross(along[i]):dot(up) end
  end
  local bone = way[params.cartilage and (params.cartilage - 1) * steps + 1] or way[#line]
  local recipe, names = { points = {}, cell = params.cell or 0.8 * thickness }, { "sheet" }
  for i, at in ipairs(line) do
    local d, t = along[i], math.min(way[i] / bone, 1)
    local wide, high = spread(rib_thickness, t), spread(rib_height, t)
    if way[i] > bone then
      wide, high = 1.25, 0.95 - 0.35 * (way[i] - bone) / (way[#line] - bone)
    end
    wide = wide * thickness
    high = math.max(high * height, 1.02 * wide)
    local angle = math.rad(spread(tilt, way[i] / way[#line])) * (turned < 0 and -1 or 1)
    local u = (up - d * d:dot(up)):unit()
    local half = (u * math.cos(angle) + d:cross(u) * math.sin(angle)) * (high - wide)
    local a, b = at + half, at - half
    names[2 * i], names[2 * i + 1] = "a" .. i, "b" .. i
    recipe.points[names[2 * i]] = { a.x, a.y, a.z, wide }
    recipe.points[names[2 * i + 1]] = { b.x, b.y, b.z, wide }
  end
  recipe.parts = { { k = 0, table.concat(names, " ") } }
  return shapes.finish("rib", params, require "sinew.blend".solid(recipe, {}))
end

-- S-shaped, from the sternum at the origin; `radius` is that of its middle.
function bones.clavicle(params)
  local to = point("clavicle", params, "to", { -0.14, 0.02, -0.03 })
  local radius = size("clavicle", params, "radius", nil)
  local length = math.sqrt(to[1] ^ 2 + to[2] ^ 2 + to[3] ^ 2)
  local wide = radius and radius / 0.005 * 0.127 / length or 1
  return shapes.finish("clavicle", params, solid_of("clavicle", { scale = { 1, wide, wide },
    fit = { medial = { 0, 0, 0 }, lateral = to }, cell = params.cell }))
end

-- what the corners of a scapula are called in its recipe
local corners = { acromion = "joint", glenoid = "socket", coracoid = "cor_tip", root = "root",
  superior = "superior", inferior = "inferior", hollow = "glen_cut" }

function bones.scapula(params)
  local fit, given = {}, false
  for name, place in pairs(params.fit or {}) do fit[name], given = place, true end
  for name, landmark in pairs(corners) do
    if params[name] then fit[landmark], given = point("scapula", params, name), true end
  end
  return shapes.finish("scapula", params, solid_of("scapula", { scale = params.scale,
    fit = given and fit or nil, cell = params.cell }))
end

-- Recipes in sinew/bones/, by name: bones that need no more than landmarks. They take `fit`,
-- `scale` and `cell`, see blend.lua.
local recipes = {}
for name in ([[
  humerus ulna radius carpus sternum metacarpal metacarpal1 finger_proximal finger_middle
  finger_distal]]):gmatch "%S+" do
  recipes[name] = true
end

return setmetatable(bones, { __index = function(_, name)
  if not recipes[name] then return require "sinew.bones_large"[name] end
  local recipe = require("sinew.bones." .. name)
  local function make(params)
    return shapes.finish(name, params, require "sinew.blend".solid(recipe, params))
  end
  bones[name] = make
  return make
end })

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
--   rib { points =, height =, thickness = }
--   clavicle { to =, radius = }     S-shaped, from the sternum at the origin
--   scapula { acromion =, glenoid =, coracoid =, root =, superior =, inferior =, thickness = }
--       of the right side, its corners in the segment's frame
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

-- A shaft that widens close to its ends, which are broader along `side` than deep. It is made
-- upright, where its box is small, and then turned.
function bones.long_bone(params)
  local kind = "long_bone"
  local to = sinew.vec3(point(kind, params, "to", { 0, -0.3, 0 }))
  local radius = size(kind, params, "radius", 0.012)
  local head = size(kind, params, "head", 1.8 * radius)
  local foot = size(kind, params, "foot", 2 * radius)
  local half = size(kind, params, "condyles", 0.3 * foot)
  local turn = sinew.mat4.from(sinew.quat.between({ 0, -1, 0 }, to))
  local function own(name, default)
    return turn:inverse():direction(point(kind, params, name, default))
  end
  local from, low, middle = sinew.vec3(), turn:inverse():direction(to), sinew.vec3()
  local side, bow = own("side", { 1, 0, 0 }):unit(), own("bow", { 0, 0, 0 })
  local points = {}
  local function add(name, at, r) points[name] = { at.x, at.y, at.z, r } end
  local parts = { { "tube top shaft1 shaft2 shaft3 low" },
    { k = 0.4 * foot, "low1 core3", "low2 core3" } }
  if params.neck then
    from = own "neck"
    add("ball", middle, head)
    add("root", middle, 0.6 * head)
    add("trochanter", from * 1.15, 1.4 * radius)
    parts[3] = { k = radius, "root top", "trochanter" }
    parts[4] = { k = 0.5 * radius, "ball" }
    head = 1.4 * radius
  else
    add("top1", side * (0.3 * head), 0.8 * head)
    add("top2", side * (-0.3 * head), 0.8 * head)
    parts[3] = { k = 0.4 * head, "top1 core1", "top2 core1" }
  end
  local way = low - from
  local long = way:length()
  local above = from + way * math.min(0.35, 2.5 * head / long) + bow * 0.6
  local below = low - way * math.min(0.35, 2.5 * foot / long) + bow * 0.6
  add("top", from, 0.75 * head)
  add("shaft1", above, 1.05 * radius)
  add("core1", above, 0.5 * radius)
  add("shaft2", from + way * 0.5 + bow, radius)
  add("shaft3", below, 1.05 * radius)
  add("core3", below, 0.5 * radius)
  add("low", low, 0.75 * foot)
  add("low1", low + side * half, 0.8 * foot)
  add("low2", low - side * half, 0.8 * foot)
  local solid = require "sinew.blend".solid({ points = points, parts = parts, unit = "m",
    cell = 0.4 * radius }, {})
  return shapes.finish(kind, params, solid:placed(turn))
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

function bones.rib(params)
  local points = shapes.want_points("rib", "points", params.points, 2)
  local height, thickness = size("rib", params, "height", 0.012), size("rib", params, "thickness",
    0.006)
  local function radius(t)
    local near = math.max(0, 1 - t / 0.08)
    return thickness / 2 * (1 + 0.5 * near)
  end
  return shapes.finish("rib", params, shapes.tube_mesh(points, radius, height / thickness,
    params.up or { 0, 1, 0 }, 1, 8, math.max(2, math.ceil(18 / #points))))
end

function bones.clavicle(params)
  local to = point("clavicle", params, "to", { -0.14, 0.02, -0.03 })
  local radius = size("clavicle", params, "radius", 0.006)
  local length = math.sqrt(to[1] ^ 2 + to[2] ^ 2 + to[3] ^ 2)
  local path = { { 0, 0, 0 }, plus(mix({ 0, 0, 0 }, to, 0.3), { 0, 0, 0.1 * length }),
    plus(mix({ 0, 0, 0 }, to, 0.7), { 0, 0, -0.07 * length }), to }
  return shapes.finish("clavicle", params, rod(path,
    { 1.7 * radius, radius, radius, 0.9 * radius, 1.4 * radius }, 1, 9, 5))
end

function bones.scapula(params)
  local kind = "scapula"
  local acromion = point(kind, params, "acromion", { 0, 0, 0 })
  local glenoid = point(kind, params, "glenoid", { 0.008, -0.032, 0.004 })
  local coracoid = point(kind, params, "coracoid", { 0.012, -0.022, 0.042 })
  local root = point(kind, params, "root", { 0.098, -0.04, -0.058 })
  local superior = point(kind, params, "superior", { 0.085, -0.002, -0.04 })
  local inferior = point(kind, params, "inferior", { 0.088, -0.145, -0.055 })
  local thick = size(kind, params, "thickness", 0.006)
  local lateral = mix(glenoid, root, 0.1)
  local notch = mix(mix(glenoid, superior, 0.35), inferior, 0.04)
  local parts = { mesh.plate({ lateral, mix(lateral, inferior, 0.5), inferior,
    mix(inferior, root, 0.55), root, superior, notch }, thick, params.bulge or 0, 3) }
  -- the spine, a ridge that rises towards the acromion behind the plate
  parts[2] = rod({ root, plus(mix(root, acromion, 0.5), { 0, -0.004, -0.012 }),
    plus(mix(root, acromion, 0.85), { 0, 0.002, -0.008 }), acromion },
    { 0.5 * thick, thick, 1.1 * thick, 1.2 * thick }, 1.6)
  parts[3] = ball(acromion, 0.016, 0.007, 0.02)
  parts[4] = ball(glenoid, 0.009, 0.019, 0.014)
  parts[5] = rod({ mix(glenoid, notch, 0.4), plus(mix(glenoid, coracoid, 0.5), { 0.008, 0.016, 0 }),
    coracoid }, { 1.4 * thick, thick, 0.9 * thick })
  return shapes.finish(kind, params, mesh.merge(parts))
end

-- Recipes in sinew/bones/, by name: bones that need no more than landmarks. They take `fit`, `scale`
-- and `cell`, see blend.lua.
local recipes = {}
for name in ([[
  femur tibia fibula patella talus calcaneus navicular cuboid cuneiform_medial
  cuneiform_intermediate cuneiform_lateral metatarsal1 metatarsal metatarsal5 toe1_proximal
  toe1_distal toe_proximal toe_middle toe_distal]]):gmatch "%S+" do
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

-- Bones for a skeleton that is recognized at a glance. Frames are the rig's: y up, z forward, the
-- body's right at -x; sizes are an adult's in metres unless given. Each maker takes a table, and
-- `at` and `turn` place what it gives, see shapes.lua.
--
--   long_bone { to = , radius =, head =, foot =, neck =, condyles =, side =, bow = }
--       from the origin to `to`, thick at its ends (half widths `head` and `foot`); with `neck` the
--       shaft starts at that point and a ball sits in the joint; `condyles` is the half distance
--       of two balls at the far end, along `side`; `bow` moves the shaft's middle
--   vertebra { width =, depth =, height =, spinous =, slope =, transverse =, canal =, region = }
--       the body about the origin, the arch and its processes behind; slope of the spinous one
--       downwards in degrees, `fork` 0 for one that does not fork. `region` is lumbar, thoracic,
--       cervical, atlas or axis (default: lumbar, or thoracic where the slope is steep). `upper`
--       and `lower` are places for the right joint processes, `dens` for the tip of the axis
--   rib { points =, height =, thickness = }
--   clavicle { to =, radius = }     S-shaped, from the sternum at the origin
--   scapula { acromion =, glenoid =, coracoid =, root =, superior =, inferior =, thickness = }
--       of the right side, its corners in the segment's frame
--   pelvis { width =, height =, depth = }, skull { height = }, jaw { width =, length =, height = }
--   sacrum {}, hipbone {}           as recipes: with fit =, scale =, cell =, see blend.lua
--
-- `landmarks` of a shape are places by name in metres, see the recipes in bones/.
local sinew = require "sinew"
local blend = require "sinew.blend"
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

-- Vertebrae by region: the recipe; width, height and depth of its body; the landmarks of its
-- spinous process, where that starts and ends; and which landmarks follow a facet, and how far.
local vertebrae = {
  lumbar = { "vertebra_lumbar", 42, 25.4, 31, spinous = { "sp0b", "tip_top", "tip" },
    from = { -8.4, -33 }, to = { -15, -47 },
    upper = { upper = 1, upper0 = 0.6, ped1 = 0.2 },
    lower = { lower = 1, lam_low = 0.5, isth = 0.2 } },
  thoracic = { "vertebra_thoracic", 35.6, 19, 26, spinous = { "sp1", "tip" }, from = { -7, -31 },
    to = { -26, -46 }, upper = { upper = 1, upper0 = 0.5 }, lower = { lower = 1, lam_low = 0.5 } },
  cervical = { "vertebra_cervical", 28, 12.6, 18, spinous = { "sp1", "tip" }, from = { -4, -24 },
    to = { -12, -47 }, upper = { upper = 1, ped1 = 0.8, post0 = 0.3, upper2 = 0.3 },
    lower = { lower = 1, lower2 = 0.5, upper2 = 0.2 },
    transverse = { ant = 1, post = 1, post0 = 0.3 } },
  axis = { "axis", 25, 15.4, 17.4, spinous = { "sp1", "tip" }, from = { -6, -20 },
    to = { -18, -37 }, upper = { upper = 1, upper1 = 1, upper2 = 1, base = 0.3 },
    lower = { lower = 1, lower2 = 0.5 }, dens = { dens = 1, den2 = 0.8, den1 = 0.3 },
    transverse = { ant = 1, post = 1, post0 = 0.3 } },
  atlas = { "atlas", 24, 11, 10, upper = { upper = 1, upper2 = 1, cup = 1, lm1 = 0.3, lm3 = 0.3 },
    lower = { lower = 1, lower2 = 1, lm2 = 0.3 }, transverse = { tp = 1, tpb = 1, tpb1 = 0.3 } },
}

-- The body takes its size from width, height and depth. Behind it the arch keeps the recipe's own
-- width, times that of the canal by 18 mm. The shape's `landmarks` are where its points came out.
function bones.vertebra(params)
  local kind = "vertebra"
  local region = params.region or (params.slope or 20) < 35 and "lumbar" or "thoracic"
  local like = vertebrae[region]
  if not like then
    error(("shapes.vertebra: no region '%s'"):format(tostring(region)), 2)
  end
  local recipe = require("sinew.bones." .. like[1])
  local width, height = size(kind, params, "width", 0.042), size(kind, params, "height", 0.024)
  local depth = size(kind, params, "depth", 0.03)
  local arch = size(kind, params, "canal", 0.018) / 0.018
  local a, b = like[2] / 2, like[4] / 2
  local sx, sy, sz = 1000 * width / like[2], 1000 * height / like[3], 1000 * depth / like[4]
  local unit = (arch * arch * sy) ^ (1 / 3) -- radii and blends
  -- where a point of the recipe goes, in mm
  local function goes(p)
    local x, behind = math.abs(p[1]), math.max(0, math.min(1, (-b - p[3]) / 8))
    local beside = math.min(x, a) * sx + math.max(0, x - a) * arch
    x = beside + (x * arch - beside) * behind
    local z = p[3] > -b and p[3] * sz or (p[3] + b) * arch - b * sz
    return { p[1] < 0 and -x or x, p[2] * sy, z }
  end
  local made = { points = {}, ellipsoids = {}, drums = {}, parts = recipe.parts, mirror = true,
    fold = recipe.fold, cell = recipe.cell * math.max(1, (sx * sy * sz) ^ (1 / 3) / unit) }
  for name, p in pairs(recipe.points) do made.points[name] = goes(p) end
  for name, p in pairs(recipe.ellipsoids or {}) do made.ellipsoids[name] = goes(p) end
  for name, p in pairs(recipe.drums or {}) do made.drums[name] = { p[1], p[2] * sy, p[3] * sz } end
  local function move(from, to, weights)
    for name, weight in pairs(weights) do
      local p = made.points[name] or made.ellipsoids[name]
      for k = 1, 3 do p[k] = p[k] + (to[k] - from[k]) * weight end
    end
  end
  if like.spinous then
    local root, old = goes { 0, like.from[1], like.from[2] }, goes { 0, like.to[1], like.to[2] }
    local length = 1000 * size(kind, params, "spinous", 0.03) - 3
    local slope = math.rad(params.slope or 20)
    local tip = { 0, root[2] - length * math.sin(slope), root[3] - length * math.cos(slope) }
    local far = (old[2] - root[2]) ^ 2 + (old[3] - root[3]) ^ 2
    made.points.tip[1] = made.points.tip[1] * (params.fork or 1)
    for _, name in ipairs(like.spinous) do
      local p = made.points[name]
      local along = (p[2] - root[2]) * (old[2] - root[2]) + (p[3] - root[3]) * (old[3] - root[3])
      move(old, tip, { [name] = along / far })
    end
  end
  -- the transverse process starts at the side of the canal
  local end_of = recipe.points.tp and "tp" or "ant"
  local out = 13.5 * arch + 1000 * size(kind, params, "transverse", 0.02)
    - recipe.points[end_of][4] * unit
  move({ made.points[end_of][1], 0, 0 }, { -out, 0, 0 }, like.transverse or { tp = 1 })
  for _, name in ipairs { "upper", "lower", "dens" } do
    local to = params[name] and like[name] and point(kind, params, name)
    if to then
      local p = made.points[name]
      move({ p[1], p[2], p[3] }, { 1000 * to[1], 1000 * to[2], 1000 * to[3] }, like[name])
    end
  end
  for group, list in pairs { points = made.points, ellipsoids = made.ellipsoids,
    drums = made.drums } do
    for name, p in pairs(list) do
      local numbers = recipe[group][name]
      for k = 1, 3 do p[k] = p[k] / unit end
      for k = 4, #numbers do p[k] = numbers[k] end
      if group == "drums" then
        p[4], p[5], p[6] = p[4] * sx / unit, p[5] * sy / unit, p[6] * sz / unit
      end
    end
  end
  local places = {}
  local shape = shapes.finish(kind, params, blend.solid(made, { scale = unit }, places))
  shape.landmarks = places
  return shape
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

-- where landmarks of the hip bone are in a pelvis whose sacrum stands as below, in mm: the back of
-- the ilium reaches further down and back to it than on the mesh that the recipe is from
local to_sacrum = { auric = { -60, 80, -58 }, auric2 = { -60.5, 98, -76 }, psis = { -51, 90, -96 },
  piis = { -57, 53, -83 }, crest7 = { -57, 113, -78 }, crest6 = { -65, 132, -46 },
  notch = { -74, 47, -30 }, wing3 = { -66, 92, -28 } }

-- Both hip bones and the sacrum. The origin is the middle between the hip joints, which are 0.31 of
-- the width to each side; the upper face of the sacrum is 0.515 of the height above it and 0.3125
-- of the depth behind, and leans forward by 40 degrees.
function bones.pelvis(params)
  local w = size("pelvis", params, "width", 0.28)
  local h, d = size("pelvis", params, "height", 0.2), size("pelvis", params, "depth", 0.16)
  local recipe, points = require "sinew.bones.hipbone", {}
  for name, p in pairs(recipe.points) do
    local to = to_sacrum[name] or p
    points[name] = { to[1], to[2], to[3], p[4] }
  end
  local scale = { 0.31 * w / 0.083, h / 0.2, d / 0.16 }
  local hip = blend.solid({ points = points, ellipsoids = recipe.ellipsoids, parts = recipe.parts,
    cell = recipe.cell }, { scale = scale })
  local places = {}
  local sacrum = blend.solid(require "sinew.bones.sacrum", { scale = scale }, places)
  local up = sinew.vec3(0, 0.515 * h, -0.3125 * d)
  for name, place in pairs(places) do places[name] = place + up end
  local shape = shapes.finish("pelvis", params, sinew.solid.merge { hip, hip:mirrored(),
    sacrum:placed(sinew.mat4.translation(up)) })
  shape.landmarks = places
  return shape
end

-- The origin is the joint with the neck, between the condyles; `height` is that of the vault above.
function bones.skull(params)
  local height = size("skull", params, "height", 0.148)
  return shapes.finish("skull", params, blend.solid(require "sinew.bones.skull",
    { scale = height / 0.141 }))
end

-- The origin is the middle between the joints. `width` is that of both condyles from outside,
-- `length` from the joints to the point of the chin along z, `height` the same along y.
function bones.jaw(params)
  local w, l = size("jaw", params, "width", 0.112), size("jaw", params, "length", 0.072)
  local h = size("jaw", params, "height", 1.264 * l)
  return shapes.finish("jaw", params, blend.solid(require "sinew.bones.jaw",
    { scale = { w / 0.107, h / 0.082, l / 0.068 } }))
end

-- Recipes in sinew/bones/, by name: bones that need no more than landmarks. They take `fit`,
-- `scale` and `cell`, see blend.lua.
local recipes = { hipbone = true, sacrum = true }

return setmetatable(bones, { __index = function(_, name)
  if not recipes[name] then return nil end
  local recipe = require("sinew.bones." .. name)
  local function make(params)
    local places = {}
    local shape = shapes.finish(name, params, blend.solid(recipe, params, places))
    shape.landmarks = places
    return shape
  end
  bones[name] = make
  return make
end })

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
--   rib { points =, height =, thickness =, tilt =, cartilage = }
--   clavicle { to =, radius = }     S-shaped, from the sternum at the origin
--   scapula { acromion =, glenoid =, coracoid =, root =, superior =, inferior =, hollow = }
--       of the right side; places in the segment's frame: where it meets the clavicle, the middle
--       of the socket, corners, and the middle of the ball that hollows the socket
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
  local solid = blend.solid({ points = points, parts = parts, unit = "m",
    cell = 0.4 * radius }, {})
  return shapes.finish(kind, params, solid:placed(turn))
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

-- Where a point of the recipe goes, in mm: in front as the body, which takes its size from width,
-- height and depth; behind it as the arch, which keeps the recipe's own width times `arch`.
local function vertebra_goes(like, sx, sy, sz, arch)
  local a, b = like[2] / 2, like[4] / 2
  return function(p)
    local x, behind = math.abs(p[1]), math.max(0, math.min(1, (-b - p[3]) / 8))
    local beside = math.min(x, a) * sx + math.max(0, x - a) * arch
    x = beside + (x * arch - beside) * behind
    local z = p[3] > -b and p[3] * sz or (p[3] + b) * arch - b * sz
    return { p[1] < 0 and -x or x, p[2] * sy, z }
  end
end

-- the places of the right joint processes, unless they are moved: upper and lower one, in metres
function bones.vertebra_facets(region, width, height, depth)
  local like = vertebrae[region]
  local points = require("sinew.bones." .. like[1]).points
  local goes = vertebra_goes(like, 1000 * width / like[2], 1000 * height / like[3],
    1000 * depth / like[4], 1)
  return sinew.vec3(goes(points.upper)) / 1000, sinew.vec3(goes(points.lower)) / 1000
end

-- The canal is 18 mm wide in recipes. The shape's `landmarks` are where its points came out.
function bones.vertebra(params)
  local kind = "vertebra"
  local region = params.region or (params.slope or 20) < 35 and "lumbar" or "thoracic"
  local like = vertebrae[region]
  if not like then
    error(("shapes.vertebra: no region '%s'"):format(tostring(region)), 2)
  end
  local recipe = require("sinew.bones." .. like[1])
  local sx = 1000 * size(kind, params, "width", 0.042) / like[2]
  local sy = 1000 * size(kind, params, "height", 0.024) / like[3]
  local sz = 1000 * size(kind, params, "depth", 0.03) / like[4]
  local arch = size(kind, params, "canal", 0.018) / 0.018
  local unit = (arch * arch * sy) ^ (1 / 3) -- radii and blends
  local goes = vertebra_goes(like, sx, sy, sz, arch)
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

local function solid_of(name, options, places)
  return blend.solid(require("sinew.bones." .. name), options, places)
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

local bands = {} -- the parts of ribs, by how many stations they have

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
  local recipe, names = { points = {}, cell = params.cell or 0.9 * thickness }, { "sheet" }
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
  recipe.parts = bands[#line] or { { k = 0, table.concat(names, " ") } }
  bands[#line] = recipe.parts
  return shapes.finish("rib", params, blend.solid(recipe, {}))
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
  local sacrum = solid_of("sacrum", { scale = scale }, places)
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
  return shapes.finish("skull", params, solid_of("skull", { scale = height / 0.141 }))
end

-- The origin is the middle between the joints. `width` is that of both condyles from outside,
-- `length` from the joints to the point of the chin along z, `height` the same along y.
function bones.jaw(params)
  local w, l = size("jaw", params, "width", 0.112), size("jaw", params, "length", 0.072)
  local h = size("jaw", params, "height", 1.264 * l)
  return shapes.finish("jaw", params, solid_of("jaw",
    { scale = { w / 0.107, h / 0.082, l / 0.068 } }))
end

-- Recipes in sinew/bones/, by name: bones that need no more than landmarks. They take `fit`,
-- `scale` and `cell`, see blend.lua.
local recipes = {}
for name in ([[
  hipbone sacrum sternum humerus ulna radius carpus metacarpal1 metacarpal finger_proximal
  finger_middle finger_distal
  femur tibia fibula patella talus calcaneus navicular cuboid cuneiform_medial
  cuneiform_intermediate cuneiform_lateral metatarsal1 metatarsal metatarsal5 toe1_proximal
  toe1_distal toe_proximal toe_middle toe_distal]]):gmatch "%S+" do
  recipes[name] = true
end

return setmetatable(bones, { __index = function(_, name)
  if not recipes[name] then return nil end
  local function make(params)
    local places = {}
    local shape = shapes.finish(name, params, solid_of(name, params, places))
    shape.landmarks = places
    return shape
  end
  bones[name] = make
  return make
end })

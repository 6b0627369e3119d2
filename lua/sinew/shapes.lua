-- Shapes for segments: plain tables that whoever draws a rig understands.
--
--   { kind = "tube", params = what it was made from,
--     vertices  = { x, y, z, ... },     metres, in the segment's frame
--     normals   = { x, y, z, ... },     unit, smooth, one for each vertex
--     triangles = { 1, 2, 3, ... } }    numbers of vertices, counter-clockwise seen from outside
--
-- All but those from files are closed. Every maker takes a table, in which `at` (a point) and
-- `turn` (a quat or mat4) place the result:
--
--   shapes.ellipsoid { radii = {x, y, z} }            also a number; detail = points around
--   shapes.box { size = {x, y, z} }                   with rounded edges
--   shapes.tube { points = list, radius = , flat = }  along a smooth curve: radius is a number, a
--       list spread over the points, or a function of t in 0..1; flat is the width along `up`
--       (default {0, 1, 0}) as a multiple; cap = roundness of the ends, 0 to 1
--   shapes.plate { outline = list, thickness =, bulge =, round = }   every point of the outline is
--       seen from its middle; round makes a curve through the points
--   shapes.blend { points =, parts =, ... }           smooth, from named landmarks: see blend.lua
--   shapes.obj(path)                                  a mesh file, where scripts may read files
--   shapes.merge { shape, shape, ... }                one shape of several
--   shapes.placed(shape, mat4), shapes.mirrored(shape) across x = 0
--
-- and the bones of bones.lua. Shapes from landmarks are lazy: they are solids (sinew.solid) until
-- somebody draws them or asks for their lists.
local sinew = require "sinew"
local mesh = require "sinew.mesh"

local shapes = {}

local function copied(params)
  local dest = {}
  for key, value in next, params do dest[key] = value end
  return dest
end

-- A shape made here keeps its mesh in the field `mesh`, or its solid in `solid`, since most shapes
-- are only drawn by a host, which reads these fields. Reading or setting one of the lists, or
-- walking the table with `pairs` (not on LuaJIT), converts it to all three lists as plain fields.
local lists = { vertices = true, triangles = true, normals = true }
local unlisted = {}

local function take_lists(shape)
  local made, solid = rawget(shape, "mesh"), rawget(shape, "solid")
  if sinew.type(solid) == "solid" then made = solid:mesh() end
  if sinew.type(made) ~= "mesh" then return end
  rawset(shape, "mesh", nil)
  rawset(shape, "solid", nil)
  for name in next, lists do rawset(shape, name, made[name]) end
end

function unlisted.__index(shape, key)
  if not lists[key] then return nil end
  take_lists(shape)
  return rawget(shape, key)
end

function unlisted.__newindex(shape, key, value)
  if lists[key] then take_lists(shape) end
  rawset(shape, key, value)
end

function unlisted.__pairs(shape)
  take_lists(shape)
  return next, shape, nil
end

local function with_mesh(shape, made)
  shape[sinew.type(made)] = made
  return setmetatable(shape, unlisted)
end

-- the solid of a shape, or its mesh
local function made_of(shape)
  local solid = rawget(shape, "solid")
  return sinew.type(solid) == "solid" and not rawget(shape, "vertices") and solid
    or sinew.mesh(shape)
end

-- a finished shape; placed by `at` and `turn` of the parameters
function shapes.finish(kind, params, made)
  if params.at or params.turn then
    local matrix = sinew.mat4()
    if sinew.type(params.turn) == "mat4" then
      matrix = params.turn:copy()
    elseif params.turn then
      matrix = sinew.mat4.from(sinew.quat(params.turn))
    end
    if params.at then matrix = sinew.mat4.translation(params.at) * matrix end
    made = made:placed(matrix)
  end
  return with_mesh({ kind = kind, params = copied(params) }, made)
end

-- raises at the script's line unless `value` is a positive number (within a sensible size)
function shapes.want_positive(kind, name, value, level)
  if type(value) ~= "number" or not (value > 0 and value < 1e6) then
    error(("shapes.%s: '%s' must be a positive number, not %s"):format(kind, name,
      tostring(value)), (level or 1) + 2)
  end
  return value
end

-- the same for an optional parameter
function shapes.want_size(kind, params, name, default)
  local value = params[name]
  if value == nil then return default end
  return shapes.want_positive(kind, name, value, 2)
end

-- a list of three numbers from a vec3 or a table
function shapes.want_point(kind, name, value, level)
  local ok, v = pcall(sinew.vec3, value)
  if not ok or value == nil then
    error(("shapes.%s: '%s' must be a vec3 or three numbers"):format(kind, name), (level or 1) + 2)
  end
  return { v.x, v.y, v.z }
end

function shapes.want_points(kind, name, list, least)
  if type(list) ~= "table" or #list < least then
    error(("shapes.%s: '%s' must be a list of %d points or more"):format(kind, name, least), 3)
  end
  local points = {}
  for i, point in ipairs(list) do
    points[i] = shapes.want_point(kind, ("%s[%d]"):format(name, i), point, 2)
  end
  return points
end

local function want_three(kind, name, value)
  if type(value) == "number" then value = { value, value, value } end
  local three = shapes.want_point(kind, name, value, 2)
  for _, number in ipairs(three) do shapes.want_positive(kind, name, number, 2) end
  return three
end

-- how many points there are around something
local function want_detail(kind, value, default)
  if value == nil then return default end
  if type(value) ~= "number" or not (value >= 3 and value <= 4096) or value % 1 ~= 0 then
    error(("shapes.%s: 'detail' must be a whole number from 3 to 4096, not %s"):format(kind,
      tostring(value)), 3)
  end
  return value
end

local function want_number(kind, name, value, default)
  if value == nil then return default end
  if type(value) ~= "number" then
    error(("shapes.%s: '%s' must be a number, not %s"):format(kind, name, tostring(value)), 3)
  end
  return value
end

function shapes.ellipsoid(params)
  local r = want_three("ellipsoid", "radii", params.radii)
  local sides = want_detail("ellipsoid", params.detail, 16)
  return shapes.finish("ellipsoid", params, mesh.ellipsoid(sides, math.max(3, sides / 2 - 1),
    { 0, 0, 0 }, r))
end

function shapes.box(params)
  local s = want_three("box", "size", params.size)
  -- four corners per ring, with the edges drawn in a little
  local rings, edge = {}, 0.08 * math.min(s[1], s[2], s[3])
  for _, level in ipairs { { -0.5, 1 }, { -0.5, 0 }, { 0.5, 0 }, { 0.5, 1 } } do
    local inset, ring = level[2] * edge, {}
    local y = level[1] * (s[2] - (1 - level[2]) * 2 * edge)
    for _, corner in ipairs { { 1, 1 }, { 1, -1 }, { -1, -1 }, { -1, 1 } } do
      local x, z = corner[1] * (s[1] / 2 - inset), corner[2] * (s[3] / 2 - inset)
      local along_x, along_z = { x - corner[1] * edge, y, z }, { x, y, z - corner[2] * edge }
      local turned = corner[1] * corner[2] > 0
      ring[#ring + 1] = turned and along_x or along_z
      ring[#ring + 1] = turned and along_z or along_x
    end
    rings[#rings + 1] = ring
  end
  return shapes.finish("box", params, mesh.loft(rings, { 0, -s[2] / 2, 0 }, { 0, s[2] / 2, 0 }))
end

-- the radius at t from a number, a list or a function
local function radius_at(radius)
  if type(radius) == "number" then return function() return radius end end
  if type(radius) == "function" then return radius end
  return function(t)
    local at = 1 + t * (#radius - 1)
    local i = math.min(math.floor(at), #radius - 1)
    return radius[i] + (radius[i + 1] - radius[i]) * (at - i)
  end
end

-- a tube's mesh; `radius` as above
function shapes.tube_mesh(points, radius, flat, up, cap, sides, steps)
  local at = radius_at(radius)
  local function size(t)
    local r = at(t)
    return r * flat, r
  end
  return mesh.tube(points, size, sides, up, cap, steps)
end

function shapes.tube(params)
  local points = shapes.want_points("tube", "points", params.points, 2)
  local radius = params.radius
  if type(radius) == "table" then
    if #radius < 2 then error("shapes.tube: a list of radii needs two or more", 2) end
    for i, r in ipairs(radius) do shapes.want_positive("tube", ("radius[%d]"):format(i), r) end
  elseif type(radius) ~= "function" then
    shapes.want_positive("tube", "radius", radius)
  end
  local up = shapes.want_point("tube", "up", params.up or { 0, 1, 0 })
  local flat = want_number("tube", "flat", params.flat, 1)
  local cap = want_number("tube", "cap", params.cap, 1)
  return shapes.finish("tube", params, shapes.tube_mesh(points, radius, flat, up, cap,
    want_detail("tube", params.detail, 10), math.max(1, math.ceil(16 / #points))))
end

function shapes.plate(params)
  local outline = shapes.want_points("plate", "outline", params.outline, 3)
  shapes.want_positive("plate", "thickness", params.thickness)
  return shapes.finish("plate", params, mesh.plate(outline, params.thickness, params.bulge or 0,
    math.max(1, math.ceil(18 / #outline)), params.round))
end

function shapes.merge(list)
  local kinds, made, solid = {}, {}, true
  for i, shape in ipairs(list) do
    kinds[i] = shape.kind
    made[i] = made_of(shape)
    solid = solid and sinew.type(made[i]) == "solid"
  end
  return with_mesh({ kind = "merge", params = { parts = kinds } },
    solid and #made > 0 and sinew.solid.merge(made) or mesh.merge(list))
end

-- A smooth shape from landmarks: see blend.lua.
function shapes.blend(recipe)
  if type(recipe) ~= "table" then error("shapes.blend takes a table", 2) end
  return shapes.finish("blend", recipe, require "sinew.blend".solid(recipe, recipe))
end

function shapes.placed(shape, matrix)
  return with_mesh({ kind = shape.kind, params = copied(shape.params or {}) },
    made_of(shape):placed(sinew.mat4(matrix)))
end

-- A table without vertices (a custom kind of shape) is copied, with `mirrored` inverted.
function shapes.mirrored(shape)
  local dest = copied(shape)
  dest.mirrored = not shape.mirrored
  local made = rawget(shape, "solid") or rawget(shape, "mesh") or shape.vertices
  if not made then return dest end
  for name in next, lists do dest[name] = nil end
  return with_mesh(dest, made_of(shape):mirrored())
end

return setmetatable(shapes, {
  __index = function(_, name)
    if name == "obj" then
      shapes.obj = require "sinew.obj"
      return shapes.obj
    end
    local bone = require "sinew.bones"[name]
    if not bone then error(("shapes has no '%s'"):format(tostring(name)), 2) end
    shapes[name] = bone
    return bone
  end,
})

-- A rig made larger or smaller: sinew.scale(rig, 0.9), in its script, before it is returned.
--
-- Every length is multiplied: rest frames, shapes, parameters in metres (centres of rotations,
-- ellipsoids that bones slide on), constants, and curves of maps whose value is a length. Masses
-- are multiplied by the factor's cube. Angles stay, and so do DOFs: one in metres, such as where a
-- body is, keeps its range. A scripted component with parameters, a length that comes from anything
-- but a map or a DOF, and a shape in a file cannot be scaled and are errors.
local sinew = require "sinew"
local shapes = require "sinew.shapes"

local function scaled_curve(curve, factor)
  local kind = curve.kind
  if kind == "constant" then return sinew.constant(curve:eval(0) * factor) end
  if kind == "polynomial" then
    local list = { outside = curve.outside }
    for i, c in ipairs(curve.coefficients) do list[i] = c * factor end
    return sinew.polynomial(list)
  end
  local points = curve.points
  points.outside, points.scale, points.offset = curve.outside, curve.scale * factor,
    curve.offset * factor
  return sinew[kind](points)
end

-- a number, vector or list of these
local function scaled(value, factor)
  local kind = sinew.type(value)
  if kind == "number" then return value * factor end
  if kind == "vec3" then return value * factor end
  local list = {}
  for key, one in pairs(value) do list[key] = scaled(one, factor) end
  return list
end

local function scale_shape(segment, factor)
  local shape = segment.shape
  if type(shape) ~= "table" then return end
  if shape.file then
    error(("sinew.scale: the shape of '%s' is a file, which stays as it is"):format(segment.name),
      0)
  end
  segment.shape = shapes.placed(shape, sinew.mat4.scaling(factor, factor, factor))
end

local function lengths_of_kinds()
  local kinds = {}
  for _, kind in ipairs(sinew.catalog()) do
    local params, inputs, lists = {}, {}, {}
    for _, param in ipairs(kind.params) do params[param.name] = param.unit == "m" or nil end
    for _, input in ipairs(kind.inputs) do
      inputs[input.name], lists[input.name] = input.unit == "m" or nil, input.list
    end
    kinds[kind.name] = { params = params, inputs = inputs, lists = lists }
  end
  return kinds
end

-- a copy with another translation
local function moved(matrix, factor)
  local copy = matrix:copy()
  for i = 13, 15 do copy[i] = copy[i] * factor end
  return copy
end

-- matrices that are constants, by the name of the input, and in lists by their position too
local function scale_matrices(rig, component, lists, factor)
  local changes, counts = {}, {}
  for _, input in ipairs(component.inputs) do
    local name = input.name
    counts[name] = (counts[name] or 0) + 1
    if sinew.type(input.source) == "mat4" then
      local matrix = moved(input.source, factor)
      if lists[name] then
        changes[name] = changes[name] or {}
        changes[name][counts[name]] = matrix
      else
        changes[name] = matrix
      end
    end
  end
  if next(changes) then rig:tune { components = { [component.name] = changes } } end
end

local function scale_input(rig, component, input, factor, done)
  local source = input.source
  local kind = sinew.type(source)
  if kind == "DOF" or source == nil then return end
  if kind == "number" or kind == "vec3" then
    rig:tune { components = { [component.name] = { [input.name] = source * factor } } }
    return
  end
  if kind ~= "port" or source.component.kind ~= "map" then
    error(("sinew.scale: '%s' gets its %s from something that is no map"):format(component.name,
      input.name), 0)
  end
  local map = source.component
  local key = map.name .. "." .. source.name
  if done[key] then return end
  done[key] = true
  map:set(source.name, scaled_curve(map:param(source.name), factor))
end

local function scale(rig, factor)
  if sinew.type(rig) ~= "rig" then error("sinew.scale: a rig is wanted", 0) end
  if type(factor) ~= "number" or not (factor > 0 and factor < math.huge) then
    error("sinew.scale: a factor above 0 is wanted", 0)
  end
  if factor == 1 then return rig end
  local segments, kinds, done = {}, lengths_of_kinds(), {}
  for _, segment in ipairs(rig.segments) do
    local mass = segment.mass
    segments[segment.name] = { rest = moved(segment.rest, factor),
      mass = mass and mass * factor ^ 3, mass_at = mass and segment.mass_at * factor }
    scale_shape(segment, factor)
  end
  rig:tune { segments = segments }
  for _, component in ipairs(rig.components) do
    local kind = kinds[component.kind]
    if not kind and next(component.params) then
      error(("sinew.scale: '%s' is scripted; its parameters may be lengths"):format(
        component.name), 0)
    end
    for name, value in pairs(component.params) do
      if kind and kind.params[name] then component:set(name, scaled(value, factor)) end
    end
    for _, input in ipairs(component.inputs) do
      if kind and kind.inputs[input.name] then scale_input(rig, component, input, factor, done) end
    end
    scale_matrices(rig, component, kind and kind.lists or {}, factor)
  end
  return rig
end

return setmetatable({}, {
  __call = function(_, rig, factor)
    local ok, result = pcall(scale, rig, factor)
    if not ok then error(result, 2) end
    return result
  end,
})

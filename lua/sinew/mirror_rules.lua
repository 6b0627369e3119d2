-- How values and parameters of components are mirrored across the plane x = 0.
--
-- With S = diag(-1, 1, 1) a matrix M becomes S M S. So a point or direction has its x negated. A
-- rotation that keeps the sign of its angle has the y and z of its axis negated. A rotation about a
-- direction of the bone itself (a twist) has its axis mirrored like a point, and its angle negated.
local sinew = require "sinew"

local rules = {}

function rules.same(value) return value end

-- points and directions
function rules.point(v)
  v = sinew.vec3(v)
  return sinew.vec3(-v.x, v.y, v.z)
end

-- axes of rotations that keep the sign of their angle
function rules.axis(v)
  v = sinew.vec3(v)
  return sinew.vec3(v.x, -v.y, -v.z)
end

-- rigid matrices: S m S
function rules.matrix(m)
  local dest = sinew.mat4(m)
  for _, i in ipairs { 2, 3, 5, 9, 13 } do dest[i] = -dest[i] end
  return dest
end

function rules.negative(value) return -value end

function rules.points(list)
  local dest = {}
  for i, point in ipairs(list) do dest[i] = rules.point(point) end
  return dest
end

-- a closed outline is reversed, with the same first item
local function reversed(list)
  local dest = { list[1] }
  for i = #list, 2, -1 do dest[#dest + 1] = list[i] end
  return dest
end

function rules.outline(list) return reversed(rules.points(list)) end

-- a range becomes { -highest, -lowest }, pair by pair; one number stands for both directions
function rules.window(list)
  if type(list) == "number" then return list end
  if #list == 1 then return { list[1] } end
  local dest = {}
  for i = 1, #list - 1, 2 do dest[i], dest[i + 1] = -list[i + 1], -list[i] end
  return dest
end

-- such a pair for each point of an outline
function rules.outline_windows(list)
  local pairs_of, dest = {}, {}
  local turned = rules.window(list)
  for i = 1, #turned - 1, 2 do pairs_of[#pairs_of + 1] = { turned[i], turned[i + 1] } end
  for _, pair in ipairs(reversed(pairs_of)) do
    dest[#dest + 1] = pair[1]
    dest[#dest + 1] = pair[2]
  end
  return dest
end

-- half angles at azimuth 0, 90, 180, 270: those at 90 and 270 are swapped
function rules.quarters(list)
  if type(list) == "number" or #list ~= 4 then return list end
  return { list[1], list[4], list[3], list[2] }
end

-- the scalar ports that change sign: those marked in the component's table, and angles about y or z
-- of an axis order
local function negated(kind, ports)
  local names, eulers, order = {}, {}, nil
  for _, port in ipairs(ports) do
    if port.negated then names[port.name] = true end
    if port.euler then eulers[#eulers + 1] = port.name end
  end
  if #eulers == 0 then return next(names) and names end
  for _, param in ipairs(kind.params) do
    if param.type == "choice" then order = param end
  end
  return function(params)
    local turned, letters = {}, params[order.name] or order.default
    for name in pairs(names) do turned[name] = true end
    for i, name in ipairs(eulers) do turned[name] = letters:sub(i, i) ~= "x" end
    return turned
  end
end

local function is_missing(value) return value == nil or type(value) == "table" and #value == 0 end

-- a parameter that defaults to another one's value, but is mirrored differently
local function fill_in(kind, rule)
  local how, likes = {}, {}
  for _, param in ipairs(kind.params) do how[param.name] = param.mirror or "same" end
  for _, param in ipairs(kind.params) do
    if param.like and how[param.like] ~= how[param.name] then likes[param.name] = param.like end
  end
  if next(likes) == nil then return end
  function rule.also(given, mirrored)
    for name, like in pairs(likes) do
      if given[like] and is_missing(given[name]) then
        mirrored[name] = rules[how[name]](given[like])
      end
    end
  end
end

-- By kind, from the components' own tables: the function above that mirrors each parameter (others
-- stay as they are); `inputs` and `outputs` are the scalars that change sign (a table, or a
-- function of the parameters); `also` handles what depends on several parameters.
local kinds = {}
for _, kind in ipairs(sinew.catalog()) do
  local rule = { inputs = negated(kind, kind.inputs), outputs = negated(kind, kind.outputs) }
  for _, param in ipairs(kind.params) do rule[param.name] = param.mirror end
  fill_in(kind, rule)
  kinds[kind.name] = rule
end

rules.kinds = kinds

-- mirrors parameters by a table of rules, or by a function of the author's
function rules.apply(rule, given, who)
  if type(rule) == "function" then
    local mirrored = rule(given)
    if type(mirrored) ~= "table" then
      error(("%s: its 'mirror' must give a table of parameters, not a %s"):format(who,
        type(mirrored)), 0)
    end
    for name, value in pairs(given) do
      if mirrored[name] == nil then mirrored[name] = value end
    end
    return mirrored
  end
  local mirrored = {}
  for name, value in pairs(given) do
    local how = rule[name] or "same"
    if type(rules[how]) ~= "function" or how == "apply" then
      error(("%s: no rule '%s' for mirroring '%s'"):format(who, tostring(how), name), 0)
    end
    mirrored[name] = rules[how](value)
  end
  if type(rule.also) == "function" then rule.also(given, mirrored) end
  return mirrored
end

-- the scalars that change sign, as { name = true }; `which` is "inputs" or "outputs"
function rules.turned(rule, which, given)
  local turned = type(rule) == "table" and rule[which] or {}
  return type(turned) == "function" and turned(given) or turned
end

return rules

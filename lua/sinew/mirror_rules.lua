-- What becomes of values and of components' parameters across the plane x = 0.
--
-- With S = diag(-1, 1, 1) a matrix M becomes S M S. So a point or direction turns its x; the axis
-- of a turn that keeps the sign of its angle turns its y and z; a turn about a direction of the
-- bone itself (a twist) keeps its axis's point and turns its angle's sign.
local sinew = require "sinew"

local rules = {}

function rules.same(value) return value end

-- points and directions
function rules.point(v)
  v = sinew.vec3(v)
  return sinew.vec3(-v.x, v.y, v.z)
end

-- axes of turns that keep the sign of their angle
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

-- a closed outline goes round the other way, from the same first item
local function reversed(list)
  local dest = { list[1] }
  for i = #list, 2, -1 do dest[#dest + 1] = list[i] end
  return dest
end

function rules.outline(list) return reversed(rules.points(list)) end

-- lowest and highest become -highest and -lowest, pair by pair; one number is for both ways
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

-- half angles at azimuth 0, 90, 180, 270: 90 and 270 change places
function rules.quarters(list)
  if type(list) == "number" or #list ~= 4 then return list end
  return { list[1], list[4], list[3], list[2] }
end

-- By kind: which of the functions above each parameter goes through (one that is not named stays);
-- `inputs` and `outputs` are the scalars that turn their sign (a table or a function of the
-- parameters), `also` adds what follows from several parameters.
local kinds = {
  multiply = {}, map = {}, dependency = {}, compensate = {}, field = {},
  translation = { inputs = { x = true } },
  euler = {
    inputs = function(params)
      local turned, order = {}, params.order or "xyz"
      for i, input in ipairs { "first", "second", "third" } do
        turned[input] = order:sub(i, i) ~= "x"
      end
      return turned
    end,
  },
  rotation = { axis = "axis", centre = "point", centres = "points" },
  cone = {
    rest = "point", right = "point", visible = "point", points = "outline", ellipse = "quarters",
    twist_limits = "outline_windows", visible_twist = "window",
    inputs = { twist = true }, outputs = { twist = true },
  },
  slide = {
    centre = "point", orientation = "matrix", axis = "axis",
    pair1 = "points", pair2 = "points", pair3 = "points", psi_window = "window",
    outputs = { psi = true },
    also = function(given, mirrored)
      -- the second turn is about a line of the bone
      local own = given.psi_window
      if given.window and (not own or type(own) == "table" and #own == 0) then
        mirrored.psi_window = rules.window(given.window)
      end
    end,
  },
}

rules.kinds = kinds

-- parameters by a table of rules, or by a function of the author's
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

-- the scalars that turn their sign, as { name = true }; `which` is "inputs" or "outputs"
function rules.turned(rule, which, given)
  local turned = type(rule) == "table" and rule[which] or {}
  return type(turned) == "function" and turned(given) or turned
end

return rules

-- Units other than metres and degrees, converted at the edge of a script.
--
--   units.cm(8.5)                          -- 0.085
--   units.cm { 8.5, -4, -0.3 }             -- { 0.085, -0.04, -0.003 }; tables may be nested
--   units.mm(sinew.vec3(1, 2, 3))          -- a new vec3; of a mat4 only the translation is scaled
--   units.degrees { 0, math.pi }           -- from radians; units.radians goes the other way
--   units.points(angles, heights, units.degrees, units.mm)   -- two lists into a curve's points
--
-- What is given is never changed.
local sinew = require "sinew"

local units = {}

local convert

local function convert_table(list, factor, seen)
  if seen[list] then error("a table that holds itself cannot be converted", 0) end
  seen[list] = true
  local dest = {}
  for key, value in pairs(list) do dest[key] = convert(value, factor, seen) end
  seen[list] = nil
  return dest
end

function convert(value, factor, seen)
  local kind = sinew.type(value)
  if kind == "number" then return value * factor end
  if kind == "table" then return convert_table(value, factor, seen) end
  if kind == "vec3" then return value * factor end
  if kind == "mat4" then
    local dest = value:copy()
    for i = 13, 15 do dest[i] = dest[i] * factor end
    return dest
  end
  error(("a number, vec3, mat4 or table of these expected, not a %s"):format(kind), 0)
end

local function unit(name, factor)
  return function(value)
    local ok, result = pcall(convert, value, factor, {})
    if not ok then error(("units.%s: %s"):format(name, result), 2) end
    return result
  end
end

-- lengths, into metres
units.m = unit("m", 1)
units.cm = unit("cm", 0.01)
units.mm = unit("mm", 0.001)
units.inches = unit("inches", 0.0254)

-- angles: radians into degrees, and back
units.degrees = unit("degrees", 180 / math.pi)
units.radians = unit("radians", math.pi / 180)
-- full turns to degrees
units.turns = unit("turns", 360)

-- Two lists of numbers to points { {x1, y1}, ... } for a curve, each converted by its unit, if
-- given.
function units.points(xs, ys, unit_of_x, unit_of_y)
  if type(xs) ~= "table" or type(ys) ~= "table" then
    error("units.points: two lists of numbers are wanted", 2)
  elseif #xs ~= #ys then
    error(("units.points: %d x for %d y"):format(#xs, #ys), 2)
  end
  local dest = {}
  for i = 1, #xs do
    dest[i] = { (unit_of_x or units.m)(xs[i]), (unit_of_y or units.m)(ys[i]) }
  end
  return dest
end

return units

-- The least and the most that a scalar expression (sinew/expression.lua) can be, by interval
-- arithmetic: exact for a sum of different sources, otherwise never too narrow, except for curves,
-- whose values are sampled.
local sinew = require "sinew"

local huge = math.huge

local range

local function products(a, b, c, d)
  local low, high = huge, -huge
  for _, pair in ipairs { { a, c }, { a, d }, { b, c }, { b, d } } do
    local p = (pair[1] == 0 or pair[2] == 0) and 0 or pair[1] * pair[2]
    low, high = math.min(low, p), math.max(high, p)
  end
  return low, high
end

-- of a curve, from many of its values
local function curve_range(curve, x)
  local low, high = range(x)
  if low == -huge or high == huge then return -huge, huge end
  local least, most, steps = huge, -huge, 256
  local function take(at)
    local y = curve(math.max(low, math.min(high, at)))
    least, most = math.min(least, y), math.max(most, y)
  end
  for i = 0, steps do take(low + (high - low) * i / steps) end
  for _, p in ipairs(curve.points) do take(p[1]) end
  return least, most
end

local atom_ranges = {
  source = function(a)
    if sinew.type(a.source) == "DOF" then return a.source.min, a.source.max end
    return -huge, huge
  end,
  curve = function(a) return curve_range(a.curve, a.x) end,
  product = function(a)
    local low, high = range(a[1])
    return products(low, high, range(a[2]))
  end,
  quotient = function(a)
    local low, high = range(a[1])
    local c, d = range(a[2])
    if c <= 0 and d >= 0 then return -huge, huge end
    return products(low, high, 1 / d, 1 / c)
  end,
  abs = function(a)
    local low, high = range(a[1])
    local most = math.max(math.abs(low), math.abs(high))
    if low <= 0 and high >= 0 then return 0, most end
    return math.min(math.abs(low), math.abs(high)), most
  end,
  limit = function(a)
    local low, high = range(a.x)
    if a.low then
      local c, d = range(a.low)
      low, high = math.max(low, c), math.max(high, d)
    end
    if a.high then
      local c, d = range(a.high)
      low, high = math.min(low, c), math.min(high, d)
    end
    return low, high
  end,
  named = function(a) return range(a.x) end,
}
for _, name in ipairs { "min", "max" } do
  atom_ranges[name] = function(a)
    local low, high = range(a[1])
    for i = 2, #a do
      local c, d = range(a[i])
      low, high = math[name](low, c), math[name](high, d)
    end
    return low, high
  end
end

function range(e)
  local low, high = e.constant, e.constant
  for _, t in ipairs(e.terms) do
    local a, b = atom_ranges[t.atom.type](t.atom)
    a, b = products(a, b, t.weight, t.weight)
    low, high = low + a, high + b
  end
  return low, high
end

return range

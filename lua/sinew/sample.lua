-- x:curve(f): a curve through the values of a Lua function, taken once over the range of x.
--
-- A natural spline through 8, 16, ... 512 intervals, until it is within the tolerance at four
-- places of every interval. A natural spline is bad at its ends, where it has no curvature, so the
-- first and the last interval are halved again and again: the error there becomes as small as
-- elsewhere.
local sinew = require "sinew"

local sample = {}

local most_intervals, halvings = 512, 7
local share = 1e-5  -- the tolerance, as a share of the range of values
local rounding = 2e-6 -- what floats lose, as a share of the largest value

local options_known = { tolerance = true, min = true, max = true }

-- from low to high, closer together at both ends
local function places(low, high, intervals)
  local step, list = (high - low) / intervals, { low }
  local apart = 1e-6 * math.max(math.abs(low), math.abs(high)) -- what floats can tell apart
  local function put(at)
    if at - list[#list] > apart and high - at > apart then list[#list + 1] = at end
  end
  for k = halvings, 1, -1 do put(low + step / 2 ^ k) end
  for i = 1, intervals - 1 do put(low + step * i) end
  for k = 1, halvings do put(high - step / 2 ^ k) end
  list[#list + 1] = high
  return list
end

function sample.sample(f, x, options, fail, E)
  E.core.internal()
  options = options or {}
  if type(options) ~= "table" then
    fail("curve: the options must be a table, not a %s", type(options))
  end
  for name, value in pairs(options) do
    if not options_known[name] then
      fail("curve: there is no option '%s' (tolerance, min, max)", tostring(name))
    elseif type(value) ~= "number" then
      fail("curve: '%s' must be a number, not a %s", name, type(value))
    end
  end
  local low, high = E.range(x)
  low, high = options.min or low, options.max or high
  local text = E.text(x)
  if low == -math.huge or high == math.huge then
    fail("the range of %s is not known, so a function of it cannot be sampled: say from where to "
      .. "where, :curve(f, { min =, max = })", text)
  elseif low >= high or low ~= low or high ~= high then
    fail("a function of %s cannot be sampled from %g to %g", text, low, high)
  elseif (options.tolerance or 1) <= 0 then
    fail("curve: 'tolerance' must be above 0")
  end

  local known = {}
  local function value(at)
    if known[at] then return known[at] end
    local y = f(at)
    if type(y) ~= "number" then
      fail("the function of %s gives a %s at %g, not a number", text, type(y), at)
    elseif y ~= y or math.abs(y) == math.huge then
      fail("the function of %s gives %s at %g", text, y ~= y and "nan" or "infinity", at)
    end
    known[at] = y
    return y
  end

  local intervals, worst, where, tolerance = 8, nil, nil, nil
  while intervals <= most_intervals do
    local points, least, most = { outside = "clamp" }, math.huge, -math.huge
    local list = places(low, high, intervals)
    for i, at in ipairs(list) do
      points[i] = { at, value(at) }
      least, most = math.min(least, points[i][2]), math.max(most, points[i][2])
    end
    tolerance = math.max(options.tolerance or share * (most - least),
      rounding * math.max(math.abs(least), math.abs(most)), 1e-12)
    local curve = sinew.spline(points)
    worst, where = 0, low
    for i = 1, #list - 1 do
      for k = 1, 4 do
        local at = list[i] + (list[i + 1] - list[i]) * (k - 0.5) / 4
        local off = math.abs(curve(at) - value(at))
        if off > worst then worst, where = off, at end
      end
    end
    if worst <= tolerance then return curve end
    intervals = intervals * 2
  end
  fail("with %d points the curve of %s is still %.3g off at %g (tolerance %.3g): where a function "
    .. "jumps or bends sharply, give points instead, or a larger { tolerance = }",
    most_intervals + 1, text, worst, where, tolerance)
end

return sample

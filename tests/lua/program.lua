-- Runs the text of a program (engine/include/sinew/program.h) in Lua's doubles: an independent
-- reading of it. program(text) gives a function of a list of inputs and a table of parameters,
-- which returns a list of outputs, or nil and the message of a failure.
local sinew = require "sinew"
local rad = math.rad

local function bisect(f, low, high)
  local at_low = f(low)
  for _ = 1, 200 do
    local middle = 0.5 * (low + high)
    if (f(middle) < 0) == (at_low < 0) then low = middle else high = middle end
  end
  return 0.5 * (low + high)
end

local atan2 = math.atan2 or math.atan -- luacheck: ignore
local ops = {
  neg = function(a) return -a end, abs = math.abs, sqrt = function(a) return a ^ 0.5 end,
  sin = function(a) return math.sin(rad(a)) end, cos = function(a) return math.cos(rad(a)) end,
  exp = math.exp, log = function(a) return math.log(a) end,
  floor = function(a) return a - a % 1 end,
  add = function(a, b) return a + b end, sub = function(a, b) return a - b end,
  mul = function(a, b) return a * b end, div = function(a, b) return a / b end,
  min = function(a, b) return b < a and b or a end,
  max = function(a, b) return b > a and b or a end,
  pow = function(a, b) return a ^ b end,
  atan2 = function(a, b) return math.deg(atan2(a, b)) end,
  lt = function(a, b) return a < b and 1 or 0 end,
  le = function(a, b) return a <= b and 1 or 0 end,
  eq = function(a, b) return a == b and 1 or 0 end,
  select = function(a, b, c) if a ~= 0 then return b end return c end,
}

local words_of = { nan = 0 / 0, inf = math.huge, ["-inf"] = -math.huge }
local function number(word) return words_of[word] or tonumber(word) end

return function(text)
  local lines, out, fail, messages = {}, nil, nil, {}
  for line in text:gmatch "[^\n]+" do
    local word, rest = line:match "^(%S+)%s*(.*)$"
    local args = {}
    for a in rest:gmatch "%S+" do args[#args + 1] = a end
    if word == "out" then out = args
    elseif word == "fail" then fail = tonumber(args[1])
    elseif word == "message" then messages[#messages + 1] = rest
    elseif word ~= "takes" and word ~= "gives" then
      lines[#lines + 1] = { word = word, args = args, rest = rest }
    end
  end
  return function(inputs, params)
    local compute

    -- the zeros of an equation: bisection, or Newton's method by differences
    local function solve(line, unknowns, value)
      local a, numbers = line.args, {}
      for i, word in ipairs(a) do numbers[i] = tonumber(word) end
      local depth, count = numbers[2], numbers[3]
      local args = line.word == "root" and 2 or count
      local function f(...)
        local inner = compute(setmetatable({ [depth] = { ... } }, { __index = unknowns }))
        local zeros = {}
        for i = 1, count do zeros[i] = inner(numbers[4 + args + i]) end
        return zeros
      end
      if line.word == "root" then
        return bisect(function(x) return f(x)[1] end, value(numbers[5]), value(numbers[6]))
      end
      local x, h = { value(numbers[5]), value(numbers[6]) }, 1e-6
      for _ = 1, 20 do
        local y, by1, by2 = f(x[1], x[2]), f(x[1] + h, x[2]), f(x[1], x[2] + h)
        local p, q = (by1[1] - y[1]) / h, (by2[1] - y[1]) / h
        local r, s = (by1[2] - y[2]) / h, (by2[2] - y[2]) / h
        local det = p * s - q * r
        x = { x[1] - (s * y[1] - q * y[2]) / det, x[2] - (p * y[2] - r * y[1]) / det }
      end
      return x[numbers[1] + 1]
    end

    -- a function from the number of a line to its value, given the unknowns by depth
    function compute(unknowns)
      local known = {}
      local function value(i)
        if known[i] then return known[i] end
        local line, v = lines[i], nil
        local a, op = line.args, ops[line.word]
        if op then
          local b, c = tonumber(a[2]), tonumber(a[3])
          v = op(value(tonumber(a[1])), b and value(b), c and value(c))
        elseif line.word == "number" then v = number(a[1])
        elseif line.word == "input" then v = inputs[tonumber(a[1]) + 1]
        elseif line.word == "param" then
          v = params[a[2]]
          if type(v) == "boolean" then v = v and 1 or 0 end
          if type(v) == "table" then v = v[tonumber(a[1]) + 1] end
        elseif line.word == "curve" then v = (params[a[2]](value(tonumber(a[1]))))
        elseif line.word == "slope" then v = select(2, params[a[2]](value(tonumber(a[1]))))
        elseif line.word == "unknown" then v = unknowns[tonumber(a[1])][tonumber(a[2]) + 1]
        elseif line.word == "root" or line.word == "newton" then v = solve(line, unknowns, value)
        elseif line.word == "contact" then
          local given = {}
          for k = 1, 7 do given[k] = value(tonumber(a[k + 4])) end
          v = (select(tonumber(a[1]) + 1, sinew.contact((unpack or table.unpack)(given))))
        else error("no operation " .. line.word) end
        known[i] = v
        return v
      end
      return value
    end

    local value = compute {}
    if fail and value(fail) ~= 0 then return nil, messages[value(fail)] end
    local results = {}
    for i, at in ipairs(out) do results[i] = value(tonumber(at)) end
    return results
  end
end

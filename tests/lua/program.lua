-- Runs the text of a program (engine/include/sinew/program.h) in Lua's doubles: an independent
-- reading of it. program(text) gives a function of a list of inputs and a table of parameters, which
-- returns a list of outputs, or nil and the message of a failure.
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
  exp = math.exp, log = function(a) return math.log(a) end, floor = function(a) return a - a % 1 end,
  add = function(a, b) return a + b end, sub = function(a, b) return a - b end,
  mul = function(a, b) return a * b end, div = function(a, b) return a / b end,
  min = function(a, b) return b < a and b or a end,
  max = function(a, b) return b > a and b or a end,
  pow = function(a, b) return a ^ b end,
  atan2 = function(a, b) return math.deg(atan2(a, b)) end,
  lt = function(a, b) return a < b and 1 or 0 end, le = function(a, b) return a <= b and 1 or 0 end,
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
    local v = {}
    for i, line in ipairs(lines) do
      local a = line.args
      local op = ops[line.word]
      if op then
        v[i] = op(v[tonumber(a[1])], v[tonumber(a[2])], v[tonumber(a[3])])
      elseif line.word == "number" then v[i] = number(a[1])
      elseif line.word == "input" then v[i] = inputs[tonumber(a[1]) + 1]
      elseif line.word == "param" then
        local p = params[a[2]]
        if type(p) == "boolean" then p = p and 1 or 0 end
        if type(p) == "table" then p = p[tonumber(a[1]) + 1] end
        v[i] = p
      elseif line.word == "curve" then v[i] = (params[a[2]](v[tonumber(a[1])]))
      else error("no operation " .. line.word) end
    end
    if fail and v[fail] ~= 0 then return nil, messages[v[fail]] end
    local results = {}
    for i, at in ipairs(out) do results[i] = v[tonumber(at)] end
    return results
  end, #lines, bisect
end

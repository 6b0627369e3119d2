-- Writes COUNT hostile rigs to a folder, made by chance from the cases of tests/lua/hostile and
-- tests/lua/hostile_rigs: lua5.4 tests/e2e/hostile_variants.lua SEED COUNT FOLDER. A case is put
-- into a script as it is, into what a component computes, draws or verifies, into a coroutine or a
-- metatable; its numbers change, lines are left out or repeated, and two cases are mixed.
local seed, count, folder = tonumber(arg[1]), tonumber(arg[2]), arg[3]
math.randomseed(seed)

-- the cases of a file: the lines before the first go before each
local function cases_of(path, into)
  local before, case = {}, nil
  for line in io.lines(path) do
    if line:match "^%-%-%- " then
      case = { head = table.concat(before, "\n"), body = {} }
      into[#into + 1] = case
    elseif case then
      case.body[#case.body + 1] = line
    else
      before[#before + 1] = line
    end
  end
end

local cases = {}
for _, list in ipairs { "hostile/errors", "hostile/files", "hostile/globals", "hostile/loops",
  "hostile/memory", "hostile/stack", "hostile/strings", "hostile/tables", "hostile/weak_chains",
  "hostile_rigs/evals", "hostile_rigs/on_a_bone", "hostile_rigs/plain",
  "hostile_rigs/recordings" } do
  cases_of("tests/lua/" .. list .. ".lua", cases)
end

local extremes = { "0", "-1", "1e9", "1 << 60", "math.huge", "0/0", "0.5", "-0.0", "2^53", "65537" }
local function one_of(list) return list[math.random(#list)] end

-- some lines twice, some not at all, some numbers others
local function changed(body)
  local new = {}
  for _, line in ipairs(body) do
    local dice = math.random(30)
    if dice <= 4 then
      line = line:gsub("%f[%w_]%d+%f[^%w_%.]", function(number)
        return math.random(3) == 1 and "(" .. one_of(extremes) .. ")" or number
      end)
    end
    if dice ~= 5 then new[#new + 1] = line end
    if dice == 6 then new[#new + 1] = line end
  end
  return table.concat(new, "\n")
end

local good = [[
local sinew = require 'sinew'
local rig = sinew.rig 'one'
local dof = rig:dof('d', { min = 0, max = 90 })
local Half = sinew.component { name = 'half', inputs = { 'angle' }, outputs = { 'angle' }, %s }
rig:segment('bone', { at = {0, 1, 0} }):drive(rig:rotation {
  rig:add(Half { dof, name = 'half' }).angle, axis = {1, 0, 0} })
return rig
]]
local plain = "record = false, eval = function(self, a) return a / 2 end"

-- a case in a function of its own, which gets what the case's head defines
local function inside(case)
  return "(function(...)\n" .. case.head .. "\n" .. changed(case.body) .. "\nend)"
end

local ways = {
  function(case) return case.head .. "\n" .. changed(case.body) end,
  function(case, other) -- one after the other
    return "pcall" .. inside(case) .. "\n" .. other.head .. "\n" .. changed(other.body)
  end,
  function(case) -- what a component computes
    return good:format("record = " .. one_of { "false", "nil", "true" } ..
      ", eval = function(self, a)\nlocal r = " .. inside(case) .. "(self, a)\nreturn a end")
  end,
  function(case) return good:format(plain .. ", draw = " .. inside(case)) end,
  function(case) return good:format(plain .. ", verify = " .. inside(case)) end,
  function(case) -- only when the DOF moves
    return good:format("record = false, eval = function(self, a)\nif a > 30 then " ..
      inside(case) .. "(self, a) end return a end")
  end,
  function(case)
    return "local co = coroutine.wrap" .. inside(case) .. "\nfor i = 1, 100 do pcall(co) end\n" ..
      good:format(plain)
  end,
  function(case)
    return "local t = setmetatable({}, { __index = " .. inside(case) .. ", __close = print })\n" ..
      "pcall(function() local x <close> = t return t.x end)\n" .. good:format(plain)
  end,
}

for i = 1, count do
  local text = ways[(i - 1) % #ways + 1](one_of(cases), one_of(cases))
  local file = assert(io.open(("%s/%d.lua"):format(folder, i), "w"))
  file:write(text, "\n")
  file:close()
end

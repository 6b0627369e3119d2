-- Components whose eval harms its recording.
-- A case: `--- name (limits): part of the message`, then its script; limits are optional, such as
-- (seconds=1 instructions=1000 memory=1000). `./dev test hostile_rig_NAME` runs one case.
-- Each script starts with the lines before the first case.
local sinew = require "sinew"
local rig = sinew.rig "r"
local bone = rig:segment("bone", { at = {0, 1, 0} })
local set = rig:joint_set "j"
local dof = set:dof("d", { min = -90, max = 90 })
local function drive(eval)
  local Bad = sinew.component { name = "bad", inputs = { "angle" }, outputs = { "angle" },
    eval = eval, record = true }
  bone:drive(set:rotation { set:add(Bad { dof }).angle, axis = {1, 0, 0}, angles = {-90, 90} })
  return rig
end
--- record_calls: call each other more than 150 deep
return drive(function(_, angle)
  local function deep(x) return 1 + deep(x + 1) end return deep(angle)
end)
--- record_discards: more than 20000 operations
return drive(function(_, angle)
  for i = 1, 1e7 do local _ = sinew.sin(angle + i) end return angle
end)
--- record_duals: a dual cannot be made while eval is recorded
return drive(function(_, angle)
  return angle * sinew.dual(1, { 1 })
end)
--- record_endless: more than 64 branches in one call
return drive(function(_, angle) while angle < 1e9 do angle = angle + 1 end return angle end)
--- record_equations: more than 4 equations inside each other
return drive(function(_, angle)
  local function nest(n, x) if n == 0 then return x * x - angle end
    return sinew.root(function(y) return nest(n - 1, y) - x end, -100, 100) end
  return nest(12, angle)
end)
--- record_joins: more than 16 joined functions inside each other
local join = sinew.join
return drive(function(_, angle)
  local f
  f = join(function(x) if x > 1 then return f(x - 1) end return x end) return f(angle)
end)
--- record_keeps: a value that was kept from an earlier call is used
local kept
return drive(function(_, angle) kept = kept or angle return kept + angle end)
--- record_metatables: more than 20000 operations
return drive(function(_, angle)
  local t = setmetatable({}, { __index = function(_, k) return angle * k end })
  local x = angle
  for i = 1, 1e7 do x = x + t[i] end return x
end)
--- record_operations: more than 20000 operations
return drive(function(_, angle)
  local x = angle for i = 1, 1e7 do x = 0.999 * sinew.sin(x) + i end return x
end)
--- record_paths: more than 256 paths through its branches
return drive(function(_, angle)
  local sum = 0
  for i = 1, 40 do if angle > i then sum = sum + sinew.sin(i * angle) end end
  return sum
end)
--- record_values: more than 20000 operations
return drive(function(_, angle)
  local list, sum = {}, 0
  for i = 1, 1e6 do list[i] = sinew.sin(i * angle) end
  for i = 1, 1e6 do sum = sum + list[i] end
  return sum
end)

-- Components whose eval does harm.
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
    eval = eval }
  bone:drive(set:rotation { set:add(Bad { dof }).angle, axis = {1, 0, 0}, angles = {-90, 90} })
  return rig
end
--- eval_deep: stopped
return drive(function() local function f() return f() + 1 end return f() end)
--- eval_endless: stopped: one evaluation
return drive(function() while true do end end)
--- eval_index_loops: the table it returned has no 'angle'
return drive(function() return setmetatable({}, {__index = function() while true do end end}) end)
--- eval_index_raises: the table it returned has no 'angle'
return drive(function() return setmetatable({}, {__index = function() error "out" end}) end)
--- eval_infinite: not finite
return drive(function() return 1e300 end)
--- eval_makes_rigs: stopped
return drive(function(self, angle)
  kept = kept or {} for i = 1, 1e9 do kept[#kept + 1] = sinew.rig("x" .. i) end return angle
end)
--- eval_not_a_number: not finite
return drive(function() return 0 / 0 end)
--- eval_nothing: must be a number, not nil
return drive(function() end)
--- eval_raises_table: raised a table
return drive(function()
  error(setmetatable({}, {__tostring = function() while true do end end}))
end)
--- eval_swallows_kill: stopped: one evaluation
return drive(function() while true do pcall(function() while true do end end) end end)
--- eval_text: must be a number, not string
return drive(function() return "12" end)
--- eval_yields: yield
return drive(function() coroutine.yield() return 1 end)

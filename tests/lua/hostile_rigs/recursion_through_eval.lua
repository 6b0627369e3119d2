-- expect: component 'j.own1' (own)
local sinew = require "sinew"
local rig = sinew.rig "r"
local bone = rig:segment("bone", { at = {0, 1, 0} })
local set = rig:joint_set "j"
local dof = set:dof("d", { min = -90, max = 90 })
-- a rig in the eval of a rig in the eval of a rig ...
local function nest(deep)
  local inner = sinew.rig("inner" .. deep)
  local joint = inner:joint_set "j"
  local Own = sinew.component {
    name = "own", inputs = { "a" }, outputs = { "a" },
    eval = function() nest(deep + 1) return 0 end,
  }
  inner:segment "s":drive(joint:rotation { joint:add(Own { joint:dof("d", { min = 0, max = 1 }) }),
    axis = { 1, 0, 0 } })
  inner:pose():eval()
end
nest(1)

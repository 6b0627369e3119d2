-- expect: eval_closes_its_rig.lua
local sinew = require "sinew"
local rig = sinew.rig "r"
local bone = rig:segment("bone", { at = {0, 1, 0} })
local set = rig:joint_set "j"
local dof = set:dof("d", { min = -90, max = 90 })
local pose
local Own = sinew.component {
  name = "own", inputs = { "a" }, outputs = { "a" },
  eval = function(_, a)
    if pose then pcall(pose.close, pose) pcall(rig.close, rig) collectgarbage() end
    return a
  end,
}
bone:drive(set:rotation { set:add(Own { dof }), axis = { 1, 0, 0 } })
pose = rig:pose()
pose["j.d"] = 5
pose:eval()
error "done"

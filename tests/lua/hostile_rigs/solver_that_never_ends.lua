-- expect: took more than
local sinew = require "sinew"
local rig = sinew.rig "endless"
local bone = rig:segment "bone"
bone:drive(rig:rotation { rig:dof("turn", { min = -90, max = 90 }), axis = { 0, 0, 1 } })
local solver = sinew.solver(rig, { goals = {
  { segment = bone, point = { 1, 0, 0 }, target = { -5, 0, 0 } } } })
local pose = rig:pose()
while true do solver:solve(pose, { iterations = 1000000 }) end

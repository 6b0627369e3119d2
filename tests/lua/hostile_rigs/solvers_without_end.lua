-- expect: bytes of memory
local sinew = require "sinew"
local rig = sinew.rig "many"
local bone = rig:segment "bone"
bone:drive(rig:rotation { rig:dof("turn", { min = -90, max = 90 }), axis = { 0, 0, 1 } })
local kept = {}
while true do
  kept[#kept + 1] = sinew.solver(rig, { goals = {
    { segment = bone, point = { 1, 0, 0 }, target = { -5, 0, 0 } } } })
end

-- expect: bytes of memory
local sinew = require "sinew"
local rig = sinew.rig "r"
local kept = {}
for i = 1, 1e6 do kept[i] = sinew.mesh.ball(200, 200, { 0, 0, 0 }, { 1, 1, 1 }) end
rig:segment("bone", { shape = { mesh = kept[1] } })
return rig

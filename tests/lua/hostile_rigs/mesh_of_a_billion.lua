-- expect: whole number from 3 to
local sinew = require "sinew"
local rig = sinew.rig "r"
rig:segment("bone", { shape = { mesh = sinew.mesh.ball(1e9, 1e9, { 0, 0, 0 }, { 1, 1, 1 }) } })
return rig

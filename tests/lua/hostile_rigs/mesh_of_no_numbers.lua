-- expect: number 1 of its shape's 'vertices' is none
local sinew = require "sinew"
local rig = sinew.rig "r"
local points = { { 0 / 0, 0, 0 }, { 0, math.huge, 0 }, { 0, 0, -math.huge } }
local sizes = {}
for i = 1, 18 do sizes[i] = 0 / 0 end
rig:segment("bone", { shape = { mesh = sinew.mesh.tube(points, 4, sizes, 9, { 0, 0 / 0, 0 }, 0 / 0) } })
return rig

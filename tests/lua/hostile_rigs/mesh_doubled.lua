-- expect: bytes of memory
local sinew = require "sinew"
local rig = sinew.rig "r"
local m = sinew.mesh.ball(8, 4, { 0, 0, 0 }, { 1, 1, 1 })
for _ = 1, 100 do m = sinew.mesh.merge { m, m } end
rig:segment("bone", { shape = { mesh = m } })
return rig

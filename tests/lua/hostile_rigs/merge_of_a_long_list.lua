-- expect: stopped
local sinew = require "sinew"
local m, list = sinew.mesh { vertices = {}, triangles = {} }, {}
for i = 1, 200000 do list[i] = m end
while true do sinew.mesh.merge(list) end

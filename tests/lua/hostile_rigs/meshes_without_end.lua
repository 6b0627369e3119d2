-- expect: stopped
local sinew = require "sinew"
local m = sinew.mesh.ball(200, 200, { 0, 0, 0 }, { 1, 1, 1 })
while true do
  m = m:mirrored()
  pcall(sinew.mesh.loft, { m.vertices }, m, m)
end

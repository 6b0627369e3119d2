-- expect: stopped: loading took more than
-- limits: instructions=10000000
local sinew = require "sinew"
local samples = {}
for i = 1, 20000 do
  local a, b = 40 * math.sin(i), 40 * math.cos(3 * i)
  samples[i] = { math.sin(math.rad(a)), math.sin(math.rad(b)), 0, 1 }
end
for _ = 1, 1e9 do pcall(sinew.fit_cone, { samples = samples, rest = { 0, 0, 1 } }) end
return sinew.rig "r"

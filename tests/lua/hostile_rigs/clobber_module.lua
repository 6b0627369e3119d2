-- expect: no function 'rig'
local sinew = require "sinew"
for k in pairs(sinew) do sinew[k] = nil end
return sinew.rig "x"

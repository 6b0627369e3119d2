-- expect: returns nothing
local rig = 1

-- One right knee: plate 1 of seed 000 and figure 5 of seed 003, with the numbers of the walker
-- knee.
local sinew = require "sinew"
local knee = require "parts.knee"

local rig = sinew.rig "knee"
local femur = rig:segment("femur", { at = { 0, 0.85, 0 }, shape = require "parts.femur"() })
knee(rig, femur)
return rig

-- One right knee [Shao 2003, plate 1; Ng-Thow-Hing a, fig. 5], with the numbers of the walker
-- knee.
local sinew = require "sinew"
local knee = require "parts.knee"

local rig = sinew.rig "knee"
local femur = rig:segment("femur", { at = { 0, 0.85, 0 }, shape = require "parts.femur"() })
knee(rig, femur)
return rig

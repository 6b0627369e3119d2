-- Two shoulders with the numbers that [Shao 2003] prints, to the letter.
local sinew = require "sinew"
local thorax = require "parts.thorax"
local shoulder = require "parts.shoulder"

local rig = sinew.rig "shoulder_paper"
sinew.mirror(shoulder(rig, thorax(rig, { at = { 0, 1.4, 0 } }), require "data.shoulder_paper"))
return rig

-- A spine with its rib cage: nine DOFs move 24 vertebrae, 24 ribs and a sternum
-- [Shao 2003, 5.1, plates 2 to 4].
local sinew = require "sinew"
local shapes = require "sinew.shapes"
local spine = require "parts.spine"

local rig = sinew.rig "spine"
local sacrum = rig:segment("sacrum", { at = { 0, 1, 0 }, shape = shapes.sacrum {} })
spine(rig, sacrum)
return rig

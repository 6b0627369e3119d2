-- A spine with its rib cage: nine DOFs move 24 vertebrae, 24 ribs and a sternum
-- [Shao 2003, 5.1, plates 2 to 4].
local sinew = require "sinew"
local shapes = require "sinew.shapes"
local spine = require "parts.spine"

local rig = sinew.rig "spine"
local sacrum = rig:segment("sacrum", { at = { 0, 1, 0 }, shape = shapes.tube {
  points = { { 0, 0, 0 }, { 0, -0.045, -0.035 }, { 0, -0.09, -0.04 }, { 0, -0.115, -0.022 } },
  radius = { 0.02, 0.016, 0.01, 0.005 }, flat = 2, up = { 1, 0, 0 } } })
spine(rig, sacrum)
return rig

-- One right knee: plate 1 of seed 000 and figure 5 of seed 003, with the numbers of the walker
-- knee.
local sinew = require "sinew"
local shapes = require "sinew.shapes"
local knee = require "parts.knee"

local rig = sinew.rig "knee"
local femur = rig:segment("femur", { at = { 0, 0.85, 0 }, shape = shapes.long_bone {
  to = { 0.003, -0.405, 0.006 }, neck = { -0.045, -0.035, 0 }, radius = 0.014, head = 0.024,
  foot = 0.03, condyles = 0.026, bow = { 0, 0, 0.008 } } })
knee(rig, femur)
return rig

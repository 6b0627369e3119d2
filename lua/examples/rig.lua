-- A small figure for the examples: two arms and two legs on a trunk, moved by nine DOFs.
--   sinew eval lua/examples/rig.lua trunk.lean=20
local sinew = require "sinew"

local rig = sinew.rig "figure"
local lean = rig:dof("trunk.lean", -30, 30)
local pelvis = rig:bone("pelvis", { at = { 0, 0.95, 0 } })
local chest = pelvis:bone("chest", { at = { 0, 0.3, 0 }, hinge = { 2 / 3 * lean, axis = "z" } })
local head = chest:bone("head", { at = { 0, 0.32, 0 }, hinge = { lean / 3, axis = "z" } })
head:bone("crown", { at = { 0, 0.2, 0 } })

-- raising an arm beyond 90 degrees also raises the collar bone
local function arm(side, sign)
  local raise = rig:dof(side .. "_arm.raise", 0, 160)
  local collar = chest:bone(side .. " collar", { set = side .. "_arm",
    at = { 0.03 * sign, 0.2, 0 },
    hinge = { raise:curve { { 0, 0 }, { 60, 5 }, { 160, 35 } }, axis = { 0, 0, sign } } })
  local upper = collar:bone(side .. " upper arm", { at = { 0.15 * sign, 0, 0 },
    hinge = { raise:curve { { 0, 0 }, { 60, 55 }, { 160, 125 } }, axis = { 0, 0, sign } } })
  local fore = upper:bone(side .. " forearm", { at = { 0, -0.29, 0 },
    hinge = { "bend", 0, 140, axis = { -0.3, 0, sign } } })
  fore:bone(side .. " hand", { at = { 0, -0.26, 0 } })
end

-- the shin slides down the thigh bone a little as the knee bends
local function leg(side, sign)
  local thigh = pelvis:bone(side .. " thigh", { set = side .. "_leg",
    at = { 0.09 * sign, -0.05, 0 }, hinge = { "spread", -10, 45, axis = { 0, 0, sign } } })
  local knee = rig:dof(side .. "_leg.knee", 0, 120)
  local shin = thigh:bone(side .. " shin", { at = { 0, -0.42, 0 },
    slider = { knee:spline { { 0, 0 }, { 40, -0.004 }, { 120, -0.012 } }, axis = "y" },
    hinge = { knee, axis = { 1, 0, 0.08 * sign } } })
  local foot = shin:bone(side .. " foot", { at = { 0, -0.4, 0 } })
  foot:bone(side .. " toes", { at = { 0.05 * sign, -0.06, 0.14 } })
end

for _, side in ipairs { "right", "left" } do
  local sign = side == "right" and -1 or 1
  arm(side, sign)
  leg(side, sign)
end
return rig

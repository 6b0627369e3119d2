-- A small figure for the examples: two arms and two legs on a trunk, moved by nine DOFs.
local sinew = require "sinew"

local rig = sinew.rig "figure"
local pelvis = rig:segment("pelvis", { at = { 0, 0.95, 0 } })
local chest = rig:segment("chest", { parent = pelvis, at = { 0, 0.3, 0 } })
local head = rig:segment("head", { parent = chest, at = { 0, 0.32, 0 } })
rig:segment("crown", { parent = head, at = { 0, 0.2, 0 } })

local trunk = rig:joint_set "trunk"
local lean = trunk:dof("lean", { min = -30, max = 30 })
local share = trunk:map {
  lean,
  chest = sinew.linear { { -30, -20 }, { 30, 20 } },
  head = sinew.linear { { -30, -10 }, { 30, 10 } },
}
chest:drive(trunk:rotation { share.chest, axis = { 0, 0, 1 } })
head:drive(trunk:rotation { share.head, axis = { 0, 0, 1 } })

-- raising an arm beyond 90 degrees also raises the collar bone
local function arm(side, sign)
  local set = rig:joint_set(side .. "_arm")
  local collar = rig:segment(side .. " collar", { parent = chest, at = { 0.03 * sign, 0.2, 0 } })
  local upper = rig:segment(side .. " upper arm", { parent = collar, at = { 0.15 * sign, 0, 0 } })
  local fore = rig:segment(side .. " forearm", { parent = upper, at = { 0, -0.29, 0 } })
  rig:segment(side .. " hand", { parent = fore, at = { 0, -0.26, 0 } })
  local raise = set:dof("raise", { min = 0, max = 160 })
  local bend = set:dof("bend", { min = 0, max = 140 })
  local split = set:map {
    raise,
    collar = sinew.monotone { { 0, 0 }, { 60, 5 }, { 160, 35 } },
    upper = sinew.monotone { { 0, 0 }, { 60, 55 }, { 160, 125 } },
  }
  collar:drive(set:rotation { split.collar, axis = { 0, 0, sign } })
  upper:drive(set:rotation { split.upper, axis = { 0, 0, sign } })
  fore:drive(set:rotation { bend, axis = { -0.3, 0, sign } })
end

-- the shin slides down the thigh bone a little as the knee bends
local function leg(side, sign)
  local set = rig:joint_set(side .. "_leg")
  local thigh = rig:segment(side .. " thigh", { parent = pelvis, at = { 0.09 * sign, -0.05, 0 } })
  local shin = rig:segment(side .. " shin", { parent = thigh, at = { 0, -0.42, 0 } })
  local foot = rig:segment(side .. " foot", { parent = shin, at = { 0, -0.4, 0 } })
  rig:segment(side .. " toes", { parent = foot, at = { 0.05 * sign, -0.06, 0.14 } })
  local spread = set:dof("spread", { min = -10, max = 45 })
  local knee = set:dof("knee", { min = 0, max = 120 })
  local bend = set:map {
    knee,
    angle = sinew.linear { { 0, 0 }, { 120, 120 } },
    slide = sinew.spline { { 0, 0 }, { 40, -0.004 }, { 120, -0.012 } },
  }
  thigh:drive(set:rotation { spread, axis = { 0, 0, sign } })
  shin:drive(set:multiply {
    set:translation { y = bend.slide },
    set:rotation { bend.angle, axis = { 1, 0, 0.08 * sign } },
  })
end

for _, side in ipairs { "right", "left" } do
  local sign = side == "right" and -1 or 1
  arm(side, sign)
  leg(side, sign)
end
return rig

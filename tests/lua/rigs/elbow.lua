-- An elbow with a limit inside the network, for the tests of the command: the elbow's flexion
-- limits the forearm's twist.
local sinew = require "sinew"

local rig = sinew.rig "elbow"
local upper = rig:segment("upper arm", { at = { 0, 1.4, 0 } })
local fore = rig:segment("forearm", { parent = upper, at = { 0, -0.3, 0 } })
rig:segment("hand", { parent = fore, at = { 0, -0.26, 0 } })

local elbow = rig:joint_set "elbow"
local flexion = elbow:dof("flexion", { min = 0, max = 140 })
local twist = elbow:dof("twist", { min = -90, max = 90 })
local held = elbow:dependency {
  name = "held twist",
  active = flexion,
  passive = twist,
  upper = sinew.linear { { 0, 80 }, { 140, 20 } },
}
fore:drive(elbow:multiply {
  elbow:rotation { flexion, axis = { -1, 0, 0 } },
  elbow:rotation { held, axis = { 0, -1, 0 } },
})
return rig

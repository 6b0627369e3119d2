-- The head on the neck, and the jaw on the head.
--
--   local head = require "parts.head"
--   head(rig, skull)      -- a skull that nothing drives yet, its origin the joint with the neck
--
-- The skull nods, tilts and turns a little on the atlas; the neck's own DOFs do the rest. The jaw
-- is one rotation with two centres: it swings about its joints first, then about a point below
-- them, so that the condyles glide forward [Shao 2003, 4.4]. Positive: down,
-- to the right, to the right; open, to the left. Gives { set =, jaw_set =, jaw = }.
local sinew = require "sinew"
local shapes = require "sinew.shapes"
local data = require "data.limbs"

return function(rig, skull)
  local h, j = data.head, data.jaw
  local set = rig:joint_set "head"
  local nod = set:dof("nod", { min = -h.up, max = h.down, label = "nod" })
  local tilt = set:dof("tilt", { min = -h.tilt, max = h.tilt, label = "tilt" })
  local turn = set:dof("turn", { min = -h.turn, max = h.turn, label = "turn" })
  skull:drive(set:multiply {
    set:rotation { turn, axis = { 0, -1, 0 }, name = "turning" },
    set:rotation { nod, axis = { 1, 0, 0 }, name = "nodding" },
    set:rotation { tilt, axis = { 0, 0, 1 }, name = "tilting" },
    name = "on_atlas",
  })

  local jaw_set = rig:joint_set "jaw"
  local open = jaw_set:dof("open", { min = j.angles[1], max = j.angles[#j.angles],
    label = "open" })
  local side = jaw_set:dof("side", { min = -j.side, max = j.side, unit = "m",
    label = "to the left" })
  local jaw = jaw_set:segment("jaw", { parent = skull, at = j.at, shape = shapes.jaw {} })
  jaw:drive(jaw_set:multiply {
    jaw_set:translation { x = side, name = "slide" },
    jaw_set:rotation { open, axis = { 1, 0, 0 }, angles = j.angles, centres = j.centres,
      name = "hinge" },
    name = "chew",
  })
  return { set = set, jaw_set = jaw_set, jaw = jaw, centre = sinew.vec3(j.at) }
end

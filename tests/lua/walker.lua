-- A walker with any number of legs, for the tests and benchmarks of what games use.
local sinew = require "sinew"

-- pairs of legs along the body; gives the rig, the body and the legs
return function(count, lengths, knee)
  local rig = sinew.rig "walker"
  local set = rig:joint_set "body"
  local function place(name) return set:dof(name, { min = -1000, max = 1000, unit = "m" }) end
  local body = set:segment("body", { at = { 0, 0.35, 0 } })
  body:drive(set:multiply {
    set:translation { x = place "x", y = place "y", z = place "z" },
    set:rotation { set:dof("turn", { min = -180, max = 180 }), axis = { 0, 1, 0 } },
  })
  local legs, rows = {}, math.ceil(count / 2)
  for i = 1, count do
    local side = i % 2 == 1 and -1 or 1
    local z = rows > 1 and 0.35 - 0.7 * math.floor((i - 1) / 2) / (rows - 1) or 0
    legs[i] = sinew.limb(body, "leg" .. i, { at = { 0.15 * side, 0, z },
      foot = { 0.6 * side, -0.35, 1.5 * z }, lengths = lengths or { 0.4, 0.5 }, knee = knee })
  end
  return rig, body, legs
end

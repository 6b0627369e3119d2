-- Which segments of a rig are which parts of a human body, by the names that rigs/human.lua has.
-- Another rig that uses these names is bound in the same way; one that does not needs a map.
local body = {}

-- slot without its side: the segment without its suffix
body.limbs = { clavicle = "clavicle", upperarm = "humerus", forearm = "ulna", hand = "carpus",
  thigh = "femur", shin = "tibia", foot = "tarsus", toe = "proximal_toe2" }
-- where the joint's centre is, if that is another segment
body.centres = { foot = "talus" }
body.trunk = { hips = "pelvis", head = "skull", jaw = "jaw" }
body.vertebrae = {}
for i = 5, 1, -1 do table.insert(body.vertebrae, "L" .. i) end
for i = 12, 1, -1 do table.insert(body.vertebrae, "T" .. i) end
for i = 7, 1, -1 do table.insert(body.vertebrae, "C" .. i) end
body.suffix = { L = "_l", R = "_r" }
body.side = { L = "left", R = "right" }

-- segments of a finger with so many joints; a thumb of three starts at the metacarpal
function body.finger(finger, joints)
  if finger == "thumb" then
    local list = { "metacarpal_thumb", "proximal_thumb", "distal_thumb" }
    if joints == 2 then table.remove(list, 1) end
    return list
  end
  local list = { "proximal_" .. finger, "middle_" .. finger, "distal_" .. finger }
  if joints >= 4 then table.insert(list, 1, "metacarpal_" .. finger) end
  return list
end

-- Whether the rig has what a body needs: nil, or the name of the first segment that is missing.
function body.missing(has)
  for _, name in ipairs { "pelvis", "skull", "C7" } do
    if not has[name] then return name end
  end
  for _, suffix in pairs(body.suffix) do
    for _, name in ipairs { "femur", "tibia", "talus", "tarsus", "clavicle", "humerus", "ulna",
      "carpus" } do
      if not has[name .. suffix] then return name .. suffix end
    end
  end
end

-- the slot of a segment, for maps that are written by hand: "forearmL", "spine", "indexL"
function body.slot(segment)
  for slot, name in pairs(body.trunk) do
    if name == segment then return slot end
  end
  if segment:find "^C%d" then return "neck" end
  if segment:find "^[LT]%d" then return "spine" end
  for side, suffix in pairs(body.suffix) do
    local base = segment:match("^(.*)" .. suffix .. "$")
    for slot, name in pairs(body.limbs) do
      if base and (base == name or base == body.centres[slot]) then return slot .. side end
    end
    if base == "radius" then return "forearm" .. side end
    local finger = base and base:match "^proximal_(%l+)$"
    if base == "metacarpal_thumb" then finger = "thumb" end
    if finger and finger ~= "thumb" or base == "metacarpal_thumb" then return finger .. side end
  end
end

return body

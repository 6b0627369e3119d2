-- The masses of a man, from data/mass.lua, for the segments of rigs/human.lua. Those that stay
-- without one (fingers, toes, ribs, shoulder blades) are part of what they hang on.
--
--   require "parts.mass"(rig, frames)   -- frames: the vertebrae's, in the frame of the pelvis
local sinew = require "sinew"
local data = require "data.mass"
local bones = require "data.spine"
local limbs = require "data.limbs"
local shoulder = require "data.shoulder"
local hand = require "data.hand"
local knee = require "data.knee"

local function kilograms(share) return data.body * share / 100 end

-- the far end of each part of a limb, in the frame of its bone
local function far_ends()
  local middle, toe = hand.fingers[2], hand.rays[2]
  local at, head = sinew.vec3(middle.at) / 1000, sinew.vec3(toe.head) / 1000
  return {
    humerus = sinew.vec3(0, -shoulder.humerus.length, 0),
    ulna = sinew.vec3(limbs.forearm.wrist),
    carpus = at + sinew.vec3(0, -middle.lengths[1] / 1000, 0),
    femur = sinew.vec3(0, knee.femur.at[2] - knee.tibia.at[2], 0),
    tibia = sinew.vec3(limbs.ankle.at),
    calcaneus = head + sinew.vec3(0, 0, (toe.lengths[1] + toe.lengths[2]) / 1000),
  }
end

local function add_limbs(find)
  local ends = far_ends()
  for _, limb in ipairs(data.limbs) do
    local name, share, along = limb[1], limb[2], limb[3]
    for suffix, side in pairs { _r = 1, _l = -1 } do
      local bone, at = find(name .. suffix), ends[name] * (along / 100)
      bone.mass, bone.mass_at = kilograms(share), { side * at.x, at.y, at.z }
    end
  end
end

local function tall(level) return (level.height + level.disc) / 1000 end

-- all vertebrae from L5 upwards, and their places in the list by name
local function column()
  local levels, number = {}, {}
  for _, region in ipairs { "lumbar", "thoracic", "cervical" } do
    for _, level in ipairs(bones[region]) do
      levels[#levels + 1] = level
      number[level.name] = #levels
    end
  end
  return levels, number
end

-- the middle of a vertebra's share of the trunk, in the frame of the pelvis
local function centre_of(frame, part)
  return frame:point { 0, 0, 0 } + sinew.vec3(0, 0, part.forward)
end

-- from the hips to the navel
local function lower_height(frames, levels, number)
  local top = data.trunk[1].to
  return frames[top]:position().y + tall(levels[number[top]]) / 2
end

-- A segment that stands for several vertebrae is named after the topmost, and takes them all.
local function add_vertebrae(find, frames, levels, number)
  local mass, moment = 0, sinew.vec3()
  for i, part in ipairs(data.trunk) do
    local first, last, height = number[part.from], number[part.to], 0
    for k = first, last do height = height + tall(levels[k]) end
    if i == 1 then height = lower_height(frames, levels, number) end
    for k = first, last do
      local name = levels[k].name
      local own = kilograms(part.share) * tall(levels[k]) / height
      mass, moment = mass + own, moment + centre_of(frames[name], part) * own
      local segment = find(name)
      if segment then
        segment.mass, segment.mass_at = mass, frames[name]:inverse():point(moment / mass)
        mass, moment = 0, sinew.vec3()
      end
    end
  end
end

-- what the vertebrae leave of the lower trunk
local function add_pelvis(find, frames, levels, number)
  local lower, height = data.trunk[1], lower_height(frames, levels, number)
  local left, raised = 1, 1 - data.lower_centre / 100
  for k = number[lower.from], number[lower.to] do
    local share = tall(levels[k]) / height
    left = left - share
    raised = raised - share * frames[levels[k].name]:position().y / height
  end
  local pelvis = find "pelvis"
  pelvis.mass = kilograms(lower.share) * left
  pelvis.mass_at = { 0, raised / left * height, -data.pelvis_behind }
end

return function(rig, frames)
  local by_name = {}
  for _, segment in ipairs(rig.segments) do by_name[segment.name] = segment end
  local function find(name) return by_name[name] end
  local levels, number = column()
  add_limbs(find)
  add_vertebrae(find, frames, levels, number)
  add_pelvis(find, frames, levels, number)
  local skull = find "skull"
  skull.mass, skull.mass_at = kilograms(data.head.share), data.head.at
end

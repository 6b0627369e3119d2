-- The joints of the Carnegie Mellon clips, as B. Hahne converted them to BVH, on rigs/human.lua.
--
-- Their trunk is short: the shoulders hang on a joint 23 cm above the hips, about where the sixth
-- thoracic vertebra of the figure is once its lower spine has been drawn together. The hands are
-- stumps, of which the tips tell how the forearm is turned.
local points = {
  Hips = { segment = "pelvis", point = { 0, 0.1, -0.035 }, weight = 0.5 },
  Spine = { segment = "L1", weight = 0.1 },
  Neck = { segment = "T6", point = { 0, 0, 0.03 }, weight = 0.5 },
  Head = { segment = "skull", weight = 0.2 },
  ["Head end"] = { segment = "skull", point = { 0, 0.09, 0 }, weight = 0.2 },
}
local links = { { "Hips", "Neck" } }

for _, of in ipairs { { "Left", "_l", 1 }, { "Right", "_r", -1 } } do
  local side, suffix, out = of[1], of[2], of[3]
  points[side .. "UpLeg"] = "femur" .. suffix
  points[side .. "Leg"] = "tibia" .. suffix
  points[side .. "Foot"] = "talus" .. suffix
  points[side .. "ToeBase"] = { segment = "tarsus" .. suffix, point = { out * -0.008, 0, 0.15 },
    weight = 0.5 }
  points[side .. "ToeBase end"] = { segment = "proximal_toe2" .. suffix, point = { 0, 0, 0.05 },
    weight = 0.2 }
  points[side .. "Arm"] = "humerus" .. suffix
  points[side .. "ForeArm"] = "ulna" .. suffix
  points[side .. "Hand"] = "carpus" .. suffix
  points[side .. "HandIndex1 end"] = { segment = "carpus" .. suffix, point = { 0, -0.067, 0 },
    weight = 0.3 }
  points[side:sub(1, 1) .. "Thumb end"] = { segment = "carpus" .. suffix,
    point = { out * -0.01, -0.03, 0.03 }, weight = 0.3 }
  links[#links + 1] = { side .. "UpLeg", side .. "Leg" }
  links[#links + 1] = { side .. "Leg", side .. "Foot" }
  links[#links + 1] = { side .. "Arm", side .. "ForeArm" }
  links[#links + 1] = { side .. "ForeArm", side .. "Hand" }
end

return {
  unit = 0.0254 / 0.45, -- inches over the database's length scale
  still = { "left_hand", "right_hand", "jaw" },
  points = points,
  links = links,
}

-- The rib cage, right half; the left one is its mirror image. Millimetres, at rest, in a frame with
-- x to the side, y up from the upper face of the sacrum and z forward, where the spine of
-- data/spine.lua stands. An adult man's cage of 27 cm width and 18 cm depth, ribs falling forwards,
-- the first ring at T1 to the manubrium, the arch of the last true ribs open by about 80 degrees:
-- chosen after anatomical plates, with bone and cartilage in one.
local function rib(width, side_z, back, junction, tip)
  return { width = width, side_z = side_z, back = back, junction = junction, tip = tip }
end

return {
  -- by number: greatest distance from the middle plane and the z of that place, how far the angle
  -- of the rib stands behind its head, the junction of bone and cartilage, and the costal end
  ribs = {
    rib(56, 6, 20, { 47, 390, 43 }, { 26, 384, 51 }),
    rib(83, 4, 27, { 62, 350, 62 }, { 21, 350, 68 }),
    rib(101, 4, 31, { 72, 318, 76 }, { 18, 327, 76 }),
    rib(114, 6, 34, { 78, 286, 86 }, { 17, 306, 83 }),
    rib(122, 8, 36, { 84, 254, 91 }, { 17, 287, 89 }),
    rib(128, 8, 37, { 92, 222, 92 }, { 16, 270, 94 }),
    rib(132, 7, 37, { 102, 190, 86 }, { 14, 254, 98 }),
    rib(134, 5, 36, { 112, 166, 74 }, { 42, 216, 99 }),
    rib(133, 2, 34, { 119, 143, 57 }, { 70, 175, 92 }),
    rib(129, -3, 31, { 121, 124, 38 }, { 97, 139, 71 }),
    rib(nil, nil, 27, nil, { 124, 132, 6 }),
    rib(nil, nil, 22, nil, { 90, 124, -46 }),
  },
  -- down the middle: jugular notch, sternal angle, end of the body, tip of the xiphoid; the
  -- sternum's origin is the first
  sternum = { { 0, 393, 48 }, { 0, 350, 68 }, { 0, 252, 98 }, { 0, 222, 103 } },
  -- the sternum hangs on T4, at whose height manubrium and body meet
  sternum_on = "T4",
  -- how much of a vertebra's turn in the cage its ribs take back. Chosen: at 1 they would keep
  -- their place on the sternum but shear at the spine.
  keep = 0.85,
}

-- The rib cage, right half; the left one is its mirror image. Millimetres, at rest, in a frame with
-- x to the side, y up from the upper face of the sacrum and z forward, where the spine of
-- data/spine.lua stands. An adult man's cage of 27 cm width and 18 cm depth, ribs falling forwards,
-- the first ring at T1 to the manubrium, the arch of the last true ribs open by about 80 degrees:
-- chosen after anatomical plates, with bone and cartilage in one.
local function rib(width, side_z, back, junction, tip, seat, tilt)
  return { width = width, side_z = side_z, back = back, junction = junction, tip = tip,
    seat = seat, tilt = tilt }
end

return {
  -- by number: greatest distance from the middle plane and the z of that place, how far the angle
  -- of the rib stands behind its head, the junction of bone and cartilage, and the costal end. What
  -- is drawn: where the cartilage ends, at the edge of the sternum or of the cartilage above, and
  -- how far the upper edge leans outwards at the back, the side and the front, in degrees (measured
  -- on the ribs of the OpenSim model of Rajagopal et al. 2016).
  ribs = {
    rib(56, 6, 20, { 47, 381, 43 }, { 26, 384, 51 }, { 25, 375, 55 },
      { -115, -100, -80 }),
    rib(83, 4, 27, { 62, 350, 62 }, { 21, 350, 68 }, { 19, 350, 68 },
      { -100, -75, -20 }),
    rib(101, 4, 31, { 72, 318, 76 }, { 18, 327, 76 }, { 16, 327, 76 },
      { -65, -40, -5 }),
    rib(114, 6, 34, { 78, 286, 86 }, { 17, 306, 83 }, { 15, 306, 83 },
      { -45, -17, -5 }),
    rib(122, 8, 36, { 84, 254, 91 }, { 17, 287, 89 }, { 15, 287, 89 },
      { -15, -5, -5 }),
    rib(128, 8, 37, { 92, 222, 92 }, { 16, 270, 94 }, { 14, 270, 94 },
      { -20, -15, 0 }),
    rib(132, 7, 37, { 102, 190, 86 }, { 14, 254, 98 }, { 12, 255, 98 },
      { -20, 0, 5 }),
    rib(134, 5, 36, { 112, 166, 74 }, { 42, 216, 99 }, { 43, 215, 98 },
      { 0, -5, 10 }),
    rib(133, 2, 34, { 119, 143, 57 }, { 70, 175, 92 }, { 72, 177, 91 },
      { 15, 10, 30 }),
    rib(129, -3, 31, { 121, 124, 38 }, { 97, 139, 71 }, { 99, 140, 70 },
      { 15, 20, 35 }),
    rib(nil, nil, 27, nil, { 124, 132, 6 }, nil, { 10, 22, 25 }),
    rib(nil, nil, 22, nil, { 90, 124, -46 }, nil, { -25, -15, 0 }),
  },
  -- down the middle: jugular notch, sternal angle, end of the body, tip of the xiphoid; the
  -- sternum's origin is the first
  sternum = { { 0, 393, 48 }, { 0, 350, 68 }, { 0, 252, 98 }, { 0, 222, 103 } },
  -- from the first of these: the middle of the end of the right clavicle, and the manubrium's
  -- corner beside it
  clavicle = { -27.5, -2, -2.6 }, shoulder = { -16, -8, 0.5 },
  -- the sternum hangs on T4, at whose height manubrium and body meet
  sternum_on = "T4",
  -- how much of a vertebra's turn in the cage its ribs take back. Chosen: at 1 they would keep
  -- their place on the sternum but shear at the spine.
  keep = 0.85,
}

-- The bones of a spine, an adult's, from the sacrum upwards. Millimetres and degrees.
--
-- height, width, depth   of the vertebral body. Heights C3 to L5 are posterior body heights after
--                        Panjabi et al. 1991 and 1992 (Spine 16 and 17; cervical, thoracic, lumbar
--                        vertebrae, quantitative three-dimensional anatomy), widths and depths
--                        their end plates, rounded. C2 without its tooth, C1 and the processes:
--                        chosen.
-- disc                   the gap below the body. Chosen: about 5 in the neck, 4 to 7 in the thorax,
--                        8 to 11 in the loins, together a fifth to a third of the column.
-- pitch                  how far the vertebra leans forward at rest. Chosen within what standing
--                        adults show: sacral slope 40, lumbar lordosis (S1 to L1) 54, thoracic
--                        kyphosis (T12 to T1) 41, cervical lordosis (C7 to C2) 22.
-- spinous, slope         the spinous process: length and fall.
-- transverse             how far that process reaches beyond the canal, 13.5 from the middle.
local function level(name, height, width, depth, disc, pitch, spinous, slope, transverse)
  return { name = name, height = height, width = width, depth = depth, disc = disc, pitch = pitch,
    spinous = spinous, slope = slope, transverse = transverse }
end

return {
  sacrum = { pitch = 40, width = 50, depth = 34 },
  lumbar = {
    level("L5", 22.9, 49, 34, 10, 24, 22, 15, 30),
    level("L4", 24.1, 48, 34, 11, 9, 28, 12, 32),
    level("L3", 23.8, 46, 34, 10.5, -2, 30, 12, 34),
    level("L2", 24.3, 44, 34, 9.5, -9, 30, 14, 31),
    level("L1", 23.8, 42, 33, 8, -14, 29, 17, 27),
  },
  thoracic = {
    level("T12", 22.7, 40, 32, 7, -17, 26, 22, 8.5),
    level("T11", 21.3, 37, 31, 6.5, -18, 26, 30, 10.5),
    level("T10", 20.2, 34, 30, 6, -16, 28, 38, 14.5),
    level("T9", 19.3, 32, 29, 5.5, -13, 32, 46, 16.5),
    level("T8", 18.7, 30, 28, 5, -9, 36, 54, 18.5),
    level("T7", 18.2, 29, 27, 4.5, -5, 38, 58, 18.5),
    level("T6", 17.4, 28, 26, 4.5, -1, 38, 58, 18.5),
    level("T5", 16.2, 27, 24, 4, 4, 36, 54, 18.5),
    level("T4", 16.2, 26, 22, 4, 9, 33, 50, 18.5),
    level("T3", 15.7, 26, 20, 4, 14, 31, 45, 19),
    level("T2", 15.6, 27, 18, 4.5, 19, 31, 38, 21),
    level("T1", 14.1, 28, 17, 4.5, 24, 33, 28, 24),
  },
  cervical = {
    level("C7", 12.8, 20, 17, 5.5, 23, 32, 22, 17.5),
    level("C6", 10.9, 19, 17, 5.5, 19, 22, 22, 14),
    level("C5", 11.4, 18, 16, 5.5, 14, 15, 22, 12.5),
    level("C4", 11.4, 17, 16, 5, 9, 14, 22, 11.5),
    level("C3", 11.6, 16, 15, 5, 5, 14, 22, 10.5),
    level("C2", 19, 17, 15, 5, 1, 17, 22, 11.5),
    level("C1", 11, 24, 10, 7, 0, 5, 0, 24.5),
  },
  -- the joint of the head stands above and a little in front of the atlas's middle
  skull = { at = { 0, 9, 2 } },
}

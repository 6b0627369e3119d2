-- A right hand and foot: lengths in millimetres, angles in degrees.
--
-- Lengths of the hand's bones: Buryanov and Kotiuk 2010 ("Proportions of hand segments", Int. J.
-- Morphol. 28), 66 adults. Ranges of the fingers: American Academy of Orthopaedic Surgeons 1965,
-- rounded (knuckle 90, middle joint 100, end joint 70). The end joint follows the middle one by two
-- thirds (Rijpkema and Girard 1991). Places, the fan of the bones and the relaxed bend: chosen.
local hand = {}

-- at: the base in the carpus, millimetres back to front (z), down (y), towards the palm (x); fan:
-- the bone leans to the thumb's side; hollow: its own bend in a fist, at the wrist
hand.fingers = {
  { name = "index", at = { 3, -24, 18 }, fan = 3, lengths = { 68.1, 39.8, 22.4, 15.8 },
    spread = { -6, 16 }, hollow = 0, width = 5.3 },
  { name = "middle", at = { 0, -26, 6 }, fan = 0, lengths = { 64.6, 44.6, 26.3, 17.4 },
    spread = { -1, 2 }, hollow = 0, width = 5.5 },
  { name = "ring", at = { 1, -24, -6 }, fan = -3, lengths = { 58.0, 41.4, 25.7, 17.3 },
    spread = { 4, -11 }, hollow = 8, width = 5.1 },
  { name = "little", at = { 4, -21, -16 }, fan = -6, lengths = { 53.7, 32.7, 18.1, 16.0 },
    spread = { 8, -20 }, hollow = 14, width = 4.6 },
}

-- at the curl's -1, 0 (relaxed) and 1, for the knuckle and the middle joint
hand.knuckle = { -20, 15, 90 }
hand.middle = { 0, 18, 100 }
hand.coupling = 2 / 3
-- how much of the spread is left when the knuckle bends: its ligaments are tight in a fist
hand.tight = { { -20, 1 }, { 15, 1 }, { 90, 0.1 } }

hand.thumb = {
  at = { 9, -10, 20 }, lengths = { 46.2, 31.6, 21.7 }, width = 6,
  -- of the metacarpal: where it points, and which way the thumb bends
  direction = { 0.5, -1, 0.75 }, palm = { 0.55, 0.1, -0.85 },
  -- at the curl's -1, 0 and 1: base, knuckle, end joint
  base = { -8, 0, 10 }, knuckle = { -8, 12, 55 }, tip = { -12, 12, 80 },
  -- across the palm: degrees at -1, 0 and 1 of the opposition, swing and roll
  swing = { -26, 0, 40 }, roll = { -10, 0, 38 },
}

-- where bones of the wrist are, which the joint's middle is in the midst of: millimetres, as `at`
-- of the fingers
hand.carpals = {
  scaphoid_palm = { 3, 7, 9 }, lunate_palm = { 4, 7, -3 }, pisiform = { 11, -7, -17 },
  trapezium = { 3, -13.5, 25 }, trapezoid = { 2.9, -17.6, 14 }, mc2 = { 3, -23, 18 },
  mc5 = { 4.5, -16.7, -16 },
}

-- the foot's rays from the great toe: base and head of the metatarsal in the calcaneus's frame
-- (millimetres, x to the left of a right foot's long axis: the great toe is at +x), its toe's two
-- bones, half width
hand.rays = {
  { name = "toe1", base = { 22, 20, 118 }, head = { 27, -6, 178 }, lengths = { 30, 24 },
    width = 9 },
  { name = "toe2", base = { 9, 22, 114 }, head = { 8, -5, 184 }, lengths = { 26, 18 },
    width = 6.4 },
  { name = "toe3", base = { -1, 18, 110 }, head = { -8, -6, 176 }, lengths = { 23, 16 },
    width = 6.2 },
  { name = "toe4", base = { -11, 12, 104 }, head = { -22, -7, 165 }, lengths = { 20, 14 },
    width = 6.1 },
  { name = "toe5", base = { -21, 5, 97 }, head = { -35, -8, 151 }, lengths = { 17, 12 },
    width = 6.3 },
}

return hand

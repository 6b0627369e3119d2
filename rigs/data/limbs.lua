-- Limbs below the shoulder and the hip, right side: how far joints go and where they are.
-- Degrees and metres. Frames as the rig's: x to the left, y up, z forward.
--
-- Ranges marked B are the means of Boone and Azen 1979 ("Normal range of motion of joints in male
-- subjects", J. Bone Joint Surg. 61-A), 109 men. Axes and places marked R are those of the OpenSim
-- model of Rajagopal et al. 2016, whose foot is from Delp 1990; (x, y, z) there is (-z, y, x) here.
-- What has no source is chosen.
local function opensim(x, y, z) return { -z, y, x } end

return {
  elbow = {
    flexion = { 0, 142 }, -- [Wilhelms 2001]; B has 143
    axis = { -1, 0.1, 0.05 }, -- leans with the carrying angle; chosen
  },
  forearm = {
    -- from the thumb forward: B has 82 and 76, together 158; [Wilhelms 2001] has 160
    supination = 84, pronation = 76,
    length = 0.25,
    -- the axis of forearm rotation runs from the head of the radius to that of the ulna; chosen
    radius_head = { -0.018, -0.01, 0.004 }, ulna_head = { 0, -0.25, -0.014 },
    wrist = { 0.002, -0.255, 0.012 },
  },
  -- B; the hand's own limits are the eight points that these four give ([Wilhelms 2001]: eight)
  wrist = { flexion = 76, extension = 75, radial = 22, ulnar = 36 },

  hip = {
    at = { -0.085, 0, 0 }, -- from the middle between both; R has 0.077, for a man of 1.70
    flexion = 122, extension = 10, abduction = 46, adduction = 27, -- B
    internal = 47, external = 47, -- B
    -- the reach of the thigh as flexion and abduction, round about from the front, all of it seen
    -- from the thigh that hangs; its ends are the ranges above, its corners chosen: flexed or
    -- stretched, a hip has less room to the side
    reach = { { 122, 0 }, { 116, 26 }, { 92, 42 }, { 55, 46 }, { 18, 46 }, { 0, 46 }, { -8, 32 },
      { -10, 12 }, { -10, -10 }, { 0, -27 }, { 40, -27 }, { 84, -22 }, { 112, -12 } },
    -- of the range of turning, how much is left when stretched (chosen; B measured it sitting)
    stretched = 0.8,
  },
  -- Muscles over two joints. With the knee straight the hip flexes to about 70 to 80; at 90 the
  -- knee lacks about 25 (straight leg raise and popliteal angle of men; values chosen among what
  -- clinics call usual). The quadriceps: heel to buttock is out of reach with the hip stretched.
  hamstrings = { { 0, 0 }, { 75, 0 }, { 90, 25 }, { 122, 70 } },
  quadriceps = { { -10, 110 }, { 0, 120 } },

  ankle = {
    at = opensim(-0.01, -0.4, 0), -- R, in the tibia
    flexion_axis = opensim(-0.10501355, -0.17402245, 0.97912632), -- R
    inversion_axis = opensim(0.7871796, 0.60474746, -0.12094949), -- R
    subtalar = opensim(-0.04877, -0.04195, 0.00792), -- R, in the talus
    dorsal = 13, plantar = 56, inversion = 37, eversion = 21, -- B
    sole = 0.058, -- below the ankle; chosen
  },
  -- great toe, American Academy of Orthopaedic Surgeons: 70 up, 45 down; each about its own joint
  toes = { extension = 70, flexion = 45 },

  -- Atlanto-occipital joint: 0.556, 0.5, 0.111 of the upper neck's 16 down, 24 up, 6, 38
  -- (Mortensen 2014)
  head = { down = 8.9, up = 13.3, tilt = 3, turn = 4.2 },
  -- The jaw turns about its joint first, then about a point near the foramen of the mandible, so
  -- that the condyles glide forward; the widest opening is about 50 mm between the teeth. Chosen.
  jaw = {
    at = { 0, 0.03, 0.012 }, angles = { 0, 11, 30 },
    centres = { { 0, 0, 0 }, { 0, -0.034, -0.008 } }, side = 0.008,
  },
}

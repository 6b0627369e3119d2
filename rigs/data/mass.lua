-- How heavy a man is, part by part.
--
-- Shares of the body's mass in percent, and centres of mass along each part, in percent of its
-- length from the first end named: de Leva 1996 ("Adjustments to Zatsiorsky-Seluyanov's segment
-- inertia parameters", J. Biomech. 29, table 4), the men. How far in front of the vertebral bodies
-- the trunk's mass is: Pearsall et al. 1996 ("Segmental inertial parameters of the human trunk as
-- determined from computed tomography", Ann. Biomed. Eng. 24), about 4 cm in the upper trunk and 1
-- cm in the middle. R is the OpenSim model of Rajagopal et al. 2016. What has no source is chosen.
return {
  -- kilograms of a man of 1.71 m: chosen, with the body mass index of de Leva's (73 kg, 1.741 m)
  body = 70,
  limbs = {
    { "humerus", 2.71, 57.72 }, -- shoulder to elbow
    { "ulna", 1.62, 45.74 }, -- elbow to wrist
    { "carpus", 0.61, 79.00 }, -- wrist to the head of the third metacarpal
    { "femur", 14.16, 40.95 }, -- hip to knee
    { "tibia", 4.33, 44.59 }, -- knee to ankle
    { "calcaneus", 1.37, 44.15 }, -- heel to the tip of the toes
  },
  -- with the neck, half way (50.02) from the vertex to the seventh cervical vertebra, in the frame
  -- of the skull; chosen: the vertex 16 cm above its joint, and 1.5 cm in front of it
  head = { share = 6.94, at = { 0, 0.02, 0.015 } },
  -- The three parts of the trunk and the vertebrae behind them, from below. Their borders are the
  -- navel, taken to be between L4 and L3, and the end of the sternum, between T10 and T9. A
  -- vertebra takes the part of the mass that its height (with its disc) is of the whole part, and
  -- the pelvis what is left of the lower one, at the height that brings it to its centre of mass.
  trunk = {
    { from = "L5", to = "L4", share = 11.17, forward = 0.01 },
    { from = "L3", to = "T10", share = 16.33, forward = 0.01 },
    { from = "T9", to = "T1", share = 15.96, forward = 0.04 },
  },
  lower_centre = 61.15, -- of the lower trunk, from the navel to the middle between the hips
  pelvis_behind = 0.014, -- of that middle; R
}

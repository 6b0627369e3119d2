-- A distal phalanx, bending towards +x. Landmarks fitted to that of the right middle finger in the
-- OpenSim model of Rajagopal et al. 2016; scaled, it does for all fingers and the thumb.
-- joint: what it turns about; b: the base; t, e: the tuft; cup: the cut of the base.
return {
  side = "right", origin = "base", cell = 1.1,
  points = { -- x, y, z, radius
    joint = { 0.3, 2.1, 0, 1 }, b_r = { -0.2, -2.7, 4.1, 1.8 }, b_u = { 0.8, -3, -3.4, 2.3 },
    b_p = { 0.9, -3.1, 2.1, 1.9 }, b_d = { -1.9, -2, -0.9, 1.5 }, s1 = { -0.5, -8.4, -0.9, 1.6 },
    s2 = { -0.7, -9.8, 0.2, 1.3 }, t_r = { 0.5, -12.8, 2.7, 1.1 }, t_u = { -0.1, -12.3, -2.7, 1.2 },
    tip = { -0.3, -17, -0.6, 1 }, e_r = { 0.1, -16.4, 2, 1.1 }, e_u = { 0.1, -15.6, -2.7, 1.1 },
    cup_r = { 0.3, 2.1, 5, 3 }, cup_u = { 0.3, 2.1, -5, 3 },
  },
  parts = {
    { k = 0, "tube b_p s1 s2 tip" },
    { k = 1.5, "b_r b_u b_p", "b_r b_u b_d", "b_r b_u s1" },
    { k = 1.1, "s2 t_r t_u", "tip e_r t_r", "tip e_u t_u", "tip t_r t_u" },
    { cut = true, k = 1, "cup_r cup_u" },
  },
}

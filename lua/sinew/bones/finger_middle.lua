-- A middle phalanx, bending towards +x. Landmarks fitted to that of the right middle finger in the
-- OpenSim model of Rajagopal et al. 2016; scaled, it does for all fingers.
-- joint: what it turns about; b: the base, on the sides of thumb, little finger (r, u), palm and
-- back (p, d); cup: the cut of the base.
return {
  side = "right", origin = "base", cell = 1.3,
  points = { -- x, y, z, radius
    joint = { 0.3, 2.4, 0, 1 }, b_r = { 0.8, -4.7, 4.4, 2.4 }, b_u = { 0.4, -5.1, -4.6, 2.2 },
    b_p = { 3, -4.3, -0.3, 1.9 }, b_d = { -4.1, -2.6, -1.2, 1.6 }, s1_r = { 0.2, -7.8, 3.2, 1.8 },
    s1_u = { -0.4, -8.2, -3.4, 1.9 }, s2_r = { -1.1, -21.4, 1.3, 1.6 },
    s2_u = { -0.8, -22.6, -2, 1.7 }, s3_r = { -0.2, -26.2, 2.8, 2.2 },
    s3_u = { 0.2, -26.9, -2.9, 2.3 }, head_r = { 0.2, -29.2, 2.6, 2.6 },
    head_u = { 0.2, -29.7, -2.5, 2.7 }, head = { -0.7, -29.3, 1.7, 2.6 },
    cup_r = { 0.3, 2.4, 6, 4 }, cup_u = { 0.3, 2.4, -6, 4 },
  },
  parts = {
    { k = 0, "tube b_r s1_r s2_r s3_r head_r", "tube b_u s1_u s2_u s3_u head_u",
      "sheet s1_r s1_u s2_r s2_u s3_r s3_u head" },
    { k = 2.3, "b_r b_u b_p", "b_r b_u b_d", "b_d b_p s1_r", "b_d b_p s1_u", "b_d s1_r s1_u" },
    { k = 1, "head_r head", "head_u head" },
    { cut = true, k = 1, "cup_r cup_u" },
  },
}

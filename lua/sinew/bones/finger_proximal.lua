-- A proximal phalanx, bending towards +x. Landmarks fitted to that of the right middle finger in
-- the OpenSim model of Rajagopal et al. 2016; scaled, it does for all fingers and the thumb.
-- joint: middle of the knuckle that it turns about; b: the base, on the sides of thumb, little
-- finger (r, u), palm and back (p, d).
return {
  side = "right", origin = "base", cell = 1.4,
  points = { -- x, y, z, radius
    joint = { 0, 6.5, 0, 1 }, b_r = { -0.1, -5.1, 4.8, 3.9 }, b_u = { 0.6, -4.5, -4.9, 3.9 },
    b_p = { 2.2, -3.9, 4.2, 3.8 }, b_d = { -2.7, -6.9, -0.4, 4.5 },
    s1_r = { -1.6, -16.5, 1.6, 3.1 }, s1_u = { -1.8, -15.8, -2.3, 3.6 },
    s2_r = { -1.2, -27.8, 1.9, 2.4 }, s2_u = { -1.8, -27, -1.6, 3.8 },
    s3_r = { -1.5, -39, 1.5, 2.8 }, s3_u = { -1.1, -38.2, -1.9, 2.6 },
    head_r = { 0.3, -45.4, 2.3, 3.7 }, head_u = { 0.6, -46.1, -2.5, 3.5 },
    head = { -0.4, -45.7, 0, 3.1 }, cup = { 0, 6.5, 0, 7.5 },
  },
  parts = {
    { k = 0, "tube b_r s1_r s2_r s3_r head_r", "tube b_u s1_u s2_u s3_u head_u",
      "sheet s1_r s1_u s2_r s2_u s3_r s3_u head" },
    { k = 2.8, "b_r b_u b_p", "b_r b_u b_d", "b_d b_p s1_r", "b_d b_p s1_u", "b_d s1_r s1_u" },
    { k = 1.5, "head_r head", "head_u head" },
    { cut = true, k = 1.5, "cup" },
  },
}

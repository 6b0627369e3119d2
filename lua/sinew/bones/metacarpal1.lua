-- The metacarpal of a right thumb, bending towards +x. Landmarks fitted to the bone mesh of the
-- OpenSim model of Rajagopal et al. 2016. base: middle of the saddle, cup: its cut; head: knuckle.
return {
  side = "right", origin = "base", cell = 1.6,
  points = { -- x, y, z, radius
    base = { 0, -1.5, 0, 1 }, b_p = { 6.3, -3.3, -1.8, 2.6 }, b_d = { -3.4, -4.8, 0.3, 4.9 },
    b_r = { 4.3, -5, 4, 2.9 }, b_u = { 1.2, -6.5, -4, 2.9 }, s1_r = { -1.2, -9.7, 1, 4.9 },
    s1_u = { -4.3, -7.5, -3.2, 3.3 }, s2_r = { -1.9, -25.8, 1.6, 3.3 },
    s2_u = { -2.9, -29.5, -2.9, 2.3 }, n_r = { -1.2, -40.8, 2.2, 3.5 },
    n_u = { -1.8, -41.1, -4.1, 3 }, head_r = { 2.8, -40.2, 3.4, 3.8 },
    head_u = { 0.4, -42.6, -1.6, 5.5 }, head = { -0.3, -43.1, 1.6, 4.8 }, cup_d = { -1, 10, -3, 8 },
    cup_p = { 1, 10, 3, 8 },
  },
  parts = {
    { k = 0, "tube b_r s1_r s2_r n_r", "tube b_u s1_u s2_u n_u",
      "sheet b_r b_u s1_r s1_u s2_r s2_u n_r n_u head" },
    { k = 3.3, "b_p b_r b_u", "b_d b_r b_u", "b_p s1_r s1_u" },
    { k = 2.2, "n_r head_r head", "n_u head_u head", "n_r n_u head", "head_r head_u" },
    { cut = true, k = 2, "cup_d cup_p" },
  },
}

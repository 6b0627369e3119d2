-- The atlas, C1. Landmarks measured on and fitted to the bone meshes of the OpenSim model of
-- Rajagopal et al. 2016; the cups for the skull are chosen.
return {
  origin = "middle of front arch and lateral masses", side = "middle", mirror = true, fold = 1,
  cell = 1.2,
  points = { -- x, y, z, radius
    ant0 = { 0, -0.2, 4.5, 2.7 }, ant1 = { -8.1, 0.5, 3.1, 2.9 },
    ant2 = { -10.8, -3.1, -0.6, 2.9 }, lm1 = { -13, 1.2, -3.5, 4.3 },
    lm2 = { -15.1, -0.4, -6.1, 5.5 }, lm3 = { -17.5, 0.4, -14.8, 3.4 },
    lower = { -16.5, -5.5, -17, 3 }, lower2 = { -13, -3.8, -5, 2.6 },
    upper = { -17, 3.5, -17, 2.8 },
    upper2 = { -11.5, 3.3, -3, 2.8 }, tpa = { -22.9, 1.5, -4.7, 2.4 },
    tpa1 = { -22.2, -2, -3.9, 1.9 }, tp = { -32.8, -0.5, -11, 2.4 },
    tpb = { -33.1, -1, -12.9, 2.3 }, tpb1 = { -25.7, -1.1, -17.1, 2 },
    tpb0 = { -19.7, -4.4, -14.1, 2 }, in1 = { -14.8, -1.3, -22.9, 1.9 },
    in2 = { -12.2, -1.7, -26.9, 2.1 }, in3 = { -8.3, -1.9, -31.8, 3.4 },
    in4 = { 0, -2.1, -34.8, 3.3 }, out1 = { -18.5, -1.7, -24.8, 3.3 },
    out2 = { -15.6, -1.8, -29.9, 1.7 }, out3 = { -5.3, -2.4, -39, 1.6 },
    out4 = { 0, -2.5, -41.3, 1.5 }, for1 = { -25, 8, -10.5, 2.5 }, for2 = { -25, -8, -11, 2.5 },
  },
  ellipsoids = { -- x, y, z, three radii, rotation vector in degrees
    cup = { -14.7, 12.2, -9.5, 6.3, 9.4, 11, 0, 23, 0 },
  },
  parts = {
    { k = 0, inner = 1, "tube ant0 ant1 ant2 lm1" },
    { k = 3.6, inner = 0, "tube lm1 lm2 lm3" },
    { k = 2.5, inner = 1, "upper upper2", "lower lower2" },
    { k = 3.3, inner = 0, "tube tpa tpa1 tp tpb tpb1 tpb0" },
    { k = 6.2, inner = 0, "lm3 in1 out1", "in1 out1 out2", "in1 in2 out2", "in2 out2 out3",
      "in2 in3 out3", "in3 out3 out4", "in3 in4 out4" },
    { cut = true, k = 1.5, inner = 0, "for1 for2", "cup" },
  },
}

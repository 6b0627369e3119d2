-- Right ulna. Landmarks fitted to the bone mesh of the OpenSim model of Rajagopal et al. 2016.
-- beak, ole: olecranon; cor: coronoid process; notch: the trochlear notch, whose middle line is the
-- joint's; rad_notch: for the head of the radius; f, b: front and back of the shaft.
return {
  side = "right", origin = "elbow", cell = 2.2,
  points = { -- x, y, z, radius
    beak = { 0, 10, -14, 4.5 }, ole_lat = { -6, 7, -21, 4.5 }, ole_med = { 4, 6, -22, 6 },
    ole_low = { -1, 1, -25, 7 }, cor_tip = { 0, -13, -5, 4 }, cor_med = { 8, -12, -10, 5.5 },
    cor_lat = { -12, -23, -18, 4.5 }, tub = { -5, -24, -20, 7.5 }, sup = { -12, -42, -24, 3.5 },
    b0 = { -8, -31, -29, 4 }, f1 = { -7, -64, -26, 4 }, b1 = { -11, -62, -29, 5 },
    f2 = { -9, -97, -28, 3.5 }, b2 = { -11, -97, -29, 5 }, f3 = { -14, -133, -23, 2.5 },
    b3 = { -11, -130, -28, 4.5 }, f4 = { -13, -166, -24, 3.5 }, b4 = { -12, -167, -26, 4.5 },
    s5 = { -15, -198, -24, 4.5 }, s6 = { -22, -229, -22, 5 }, inter = { -16, -108, -23, 1.5 },
    head = { -24, -235, -20, 6.5 }, styloid = { -20, -240, -27, 2.5 },
    notch_lat = { -7, 2, -6, 10 }, notch_med = { 10, -5, -6, 9.5 },
    rad_notch = { -15, -18, -12, 5.5 },
  },
  parts = {
    { k = 0, "tube tub f1 f2 f3 f4 s5 s6", "tube ole_low b0 b1 b2 b3 b4 s5",
      "sheet ole_low tub b0 f1 b1 f2 b2 f3 b3 f4 b4 s5" },
    { k = 4.8, "beak ole_lat ole_med", "ole_lat ole_med ole_low", "beak ole_low" },
    { k = 3.7, "cor_tip cor_med tub", "cor_tip cor_lat tub", "tub b0", "cor_lat sup b0",
      "cor_med tub b0", "cor_lat ole_low cor_med" },
    { k = 2.7, "tube sup inter f3" },
    { k = 3.2, "s6 head", "head styloid" },
    { cut = true, k = 4.8, "notch_lat notch_med" },
    { cut = true, k = 3.2, "rad_notch" },
  },
}

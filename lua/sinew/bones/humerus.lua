-- Right humerus. Landmarks fitted to the bone mesh of the OpenSim model of Rajagopal et al. 2016.
-- head: centre of the ball; gt, lt: tubercles; f, b: front and back of the shaft; delt: deltoid
-- tuberosity; cap: capitulum; tr, flange: trochlea; olecranon, coronoid, radial: the fossae.
return {
  side = "right", origin = "middle of the shoulder joint", cell = 2.4,
  points = { -- x, y, z, radius
    head = { 6, -1, 6, 18.5 }, gt = { -6, 1, 8, 13.5 }, gt_f = { -8, -2, 14, 9 },
    lt = { 3, -3, 22, 7.5 }, neck = { -1, -19, 8, 10.5 }, groove_top = { -5, 12, 27, 3 },
    groove_low = { -2, -30, 23, 3 }, f1 = { 2, -61, 8, 6 }, b1 = { -1, -64, 7, 8 },
    f2 = { -1, -111, 4, 7 }, b2 = { 0, -112, 4, 6.5 }, f3 = { -3, -154, 6, 4.5 },
    b3 = { 0, -155, 0, 6 }, f4 = { 0, -195, 6, 4 }, b4 = { 0, -198, 0, 7.5 },
    s5 = { 0, -217, 1, 7 }, delt = { -2, -119, 12, 3 }, lat1 = { -1, -236, 3, 6.5 },
    med1 = { 7, -240, 0, 3.5 }, lat2 = { -14, -260, 2, 4 }, med2 = { 13, -264, 4, 3.5 },
    lat_epi = { -18, -276, 8, 6.5 }, med_epi = { 27, -285, 6, 5 }, med3 = { 27, -279, 4, 4.5 },
    mid = { 1, -254, 6, 7 }, cap = { -12, -284, 18, 8 }, tr_lat = { -10, -282, 10, 7 },
    tr_mid = { -2, -286, 15, 7 }, tr_med = { 11, -287, 12, 7.5 }, olecranon = { 2, -276, 1, 8.5 },
    coronoid = { 8, -274, 17, 5.5 }, radial = { -12, -272, 17, 4.5 },
  },
  ellipsoids = { -- x, y, z, three radii, rotation vector in degrees
    flange = { 14, -289, 13, 5, 10.5, 10, -2, 20, -5 },
  },
  parts = {
    { k = 0, "tube neck f1 f2 f3 f4 s5", "tube neck b1 b2 b3 b4 s5",
      "sheet f1 b1 f2 b2 f3 b3 f4 b4 s5" },
    { k = 4.2, "head neck" },
    { k = 6.9, inner = 2, "gt neck", "gt gt_f neck", "lt neck" },
    { k = 2.4, "tube f1 delt f3" },
    { k = 4.1, "s5 lat1 med1", "lat1 med1 mid", "tube s5 lat1 lat2 lat_epi",
      "tube s5 med1 med2 med3 med_epi", "lat1 lat2 mid", "med1 med2 mid", "lat2 lat_epi cap",
      "lat2 mid tr_lat", "med2 mid tr_med", "mid tr_lat tr_med", "lat2 cap tr_lat",
      "med2 med3 tr_med" },
    { k = 3.4, "cap", "tube tr_lat tr_mid tr_med", "flange" },
    { cut = true, k = 5.4, "olecranon" },
    { cut = true, k = 5.7, "coronoid" },
    { cut = true, k = 6.3, "radial" },
    { cut = true, k = 4.2, "groove_top groove_low" },
  },
}

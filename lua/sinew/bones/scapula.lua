-- Right scapula. Landmarks fitted to the bone mesh of the OpenSim model of Rajagopal et al. 2016;
-- chosen: the blade is 4 mm thick at least, and the ball that hollows the socket (glen_cut).
-- socket: middle of the socket's surface; joint: where the clavicle meets the acromion; crest: edge
-- of the spine; acr: acromion; cor: coracoid process; lat, med: the blade's borders.
return {
  side = "right", origin = "middle of the acromion", cell = 1.8,
  points = { -- x, y, z, radius
    socket = { 7, -35, 1, 1 }, joint = { 10, 3, 6, 1 }, inferior = { 26, -148, -67, 2.5 },
    lat0 = { 21, -132, -50, 2.5 }, lat1 = { 21, -112, -43, 3 }, lat2 = { 17, -76, -24, 3.5 },
    infra = { 13, -53, -9, 3 }, neck = { 20, -32, -10, 3.5 }, notch = { 44, -23, -27, 2 },
    superior = { 60, -12, -47, 2 }, sup_side = { 65, -16, -62, 2 }, root = { 63, -39, -76, 2 },
    med = { 58, -76, -85, 2 }, med2 = { 42, -116, -81, 2 }, med3 = { 32, -140, -74, 2.5 },
    upper = { 50, -33, -52, 2 }, mid = { 30, -88, -40, 2 }, mid2 = { 31, -119, -62, 2 },
    glen_cut = { -13, -28, 16, 27.5 }, crest1 = { 35, -37, -64, 2.5 },
    crest2 = { 17, -21, -48, 2 }, crest3 = { 3, -9, -28, 3 }, angle = { -1, -10, -23, 5 },
    acr_side = { -12, -3, -10, 3.5 }, acr_front = { -1, 5, 13, 2.5 }, acr_tip = { 11, 4, 13, 3 },
    acr_in = { 5, 1, -2, 4 }, base_end = { 18, -31, -25, 4 }, base_mid = { 39, -35, -51, 2 },
    cor_base = { 20, -19, -1, 4 }, cor_knee = { 35, -15, -5, 7 }, cor_mid = { 31, -10, 8, 7 },
    cor_tip = { 24, -13, 27, 5.5 },
  },
  ellipsoids = { -- x, y, z, three radii, rotation vector in degrees
    glenoid = { 9, -35, -2, 9, 16.5, 13, 2, 29, -13 },
  },
  parts = {
    { k = 0, smooth = 2, "fan mid lat0 lat1 lat2 infra neck base_mid root med med2 mid2 lat0",
      "fan mid2 inferior med3 med2", "mid2 lat0 inferior",
      "fan upper notch superior sup_side root base_mid neck notch" },
    { k = 1.9, inner = 1, "tube inferior lat0 lat1 lat2 infra" },
    { k = 0.8, inner = 1, "tube superior sup_side root med med2 med3 inferior" },
    { k = 12.3, inner = 4, "glenoid", "infra neck", "neck cor_base" },
    { k = 10.6, smooth = 1, "fan base_end root crest1 crest2 crest3 angle" },
    { k = 3.2, "tube root crest1 crest2 crest3 angle", "tube angle acr_side acr_front acr_tip",
      "angle acr_side acr_in", "acr_side acr_front acr_in", "acr_front acr_in acr_tip",
      "crest3 angle acr_in" },
    { k = 15.9, "tube cor_base cor_knee cor_mid cor_tip" },
    { cut = true, k = 2, "glen_cut" },
  },
}

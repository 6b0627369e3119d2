-- The right hip bone. Landmarks measured on and fitted to the bone meshes of the OpenSim model of
-- Rajagopal et al. 2016, which is coarse here: socket, pubis and rami are chosen.
return {
  origin = "middle between the hip joints", side = "right", cell = 2.5,
  points = { -- x, y, z, radius
    asis = { -122, 60, 65, 6 }, crest1 = { -128, 89, 52, 5.5 }, crest2 = { -123, 111, 32, 7 },
    crest3 = { -112, 126, 23, 6 }, crest4 = { -97, 142, 6, 4.5 }, crest5 = { -78, 144, -11, 6.5 },
    crest6 = { -65, 134, -30, 8 }, crest7 = { -60, 119, -49, 7 }, psis = { -55, 102, -64, 6 },
    piis = { -60, 61, -55, 4 }, nta = { -108, 49, 44, 3.5 }, aiis = { -90, 24, 29, 4 },
    notch = { -74, 51, -15, 3.5 }, wing1 = { -115, 87, 28, 5 }, wing2 = { -94, 83, 6, 2.5 },
    wing3 = { -64, 95, -14, 5.5 }, above = { -84, 34, 6, 10.5 }, auric = { -65, 80, -31, 7 },
    auric2 = { -61, 103, -48, 8.5 }, brim = { -72, 43, 2, 6.5 }, i0 = { -71, 22, -24, 7 },
    isch = { -63, -18, -30, 11 }, spine = { -57, 8, -47, 2.5 }, tuber = { -62, -28, -54, 10 },
    tuber_low = { -52, -45, -44, 9.5 }, ramus = { -38, -56, -23, 6 }, ramus2 = { -24, -47, 2, 5 },
    sr0 = { -66, 3, 18, 7.5 }, sr1 = { -46, -3, 26, 8 }, tubercle = { -27, -11, 38, 6.5 },
    symph = { -8.8, -16, 40, 6.5 }, symph_low = { -8.4, -36, 18, 6 }, pub = { -22, -27, 22, 4.5 },
    socket = { -83, 0, 0, 24.5 }, open = { -104, -7, 8, 25 }, inc = { -81, -27, 8, 6 },
  },
  ellipsoids = { -- x, y, z, three radii, rotation vector in degrees
    acet = { -76, 3, -5, 25, 33, 32 },
  },
  parts = {
    { k = 0, inner = 0, smooth = 2,
      "fan wing1 aiis nta asis crest1 crest2 crest3 wing2 above aiis",
      "fan wing2 crest3 crest4 crest5 wing3 above",
      "fan wing3 crest5 crest6 crest7 psis piis notch above" },
    { k = 3.3, inner = 0, "tube asis crest1 crest2 crest3 crest4 crest5 crest6 crest7 psis",
      "tube asis nta aiis", "psis piis" },
    { k = 14.1, inner = 6, "auric auric2", "auric brim", "above brim notch" },
    { k = 10.3, inner = 6, "acet", "above aiis", "i0 notch above" },
    { k = 19.3, inner = 0, "tube sr0 sr1 tubercle symph symph_low", "symph symph_low pub",
      "tubercle symph pub" },
    { k = 5.4, inner = 4, "i0 isch", "isch spine tuber", "i0 isch spine",
      "tube isch tuber tuber_low ramus ramus2 symph_low" },
    { cut = true, k = 5, inner = 2, "socket open", "inc" },
  },
}

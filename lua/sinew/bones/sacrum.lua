-- The sacrum with the coccyx. Landmarks measured on and fitted to the bone meshes of the OpenSim
-- model of Rajagopal et al. 2016, which is coarse here: end plate, alae, joint processes and
-- foramina are chosen. The upper face leans forward by 40 degrees.
return {
  origin = "middle of the upper face of S1", side = "middle", mirror = true, fold = 1.5, cell = 2.2,
  points = { -- x, y, z, radius
    ala0 = { -22, -8, -9, 8 }, ala = { -38, -4, -9, 8 }, ala_back = { -38, -3, -25, 8 },
    auric = { -39, -24, -11, 8 }, auric2 = { -38, -24, -30, 8 }, sap0 = { -17, -8, -30, 6.5 },
    sap = { -19, 9, -27, 5 }, s2 = { 0, -28, -6, 14 }, s3 = { 0, -49, -33, 9.5 },
    s4 = { 0, -65, -47, 6 }, s5 = { 0, -81, -68, 6 }, cox1 = { 0, -93, -64, 6 },
    cox = { 0, -103, -65, 3 }, lat2 = { -27, -39, -23, 8 }, lat3 = { -18, -55, -34, 8 },
    lat4 = { -15, -71, -47, 5 }, lat5 = { -9, -87, -56, 4.5 }, crest1 = { 0, -13, -28, 5 },
    crest2 = { 0, -31, -53, 5.5 }, crest3 = { 0, -43, -63, 5 }, crest4 = { 0, -61, -70, 4.5 },
    crest5 = { 0, -84, -72, 4.5 }, lamb = { -16, -20, -33, 13.5 }, lamb2 = { -19, -37, -52, 6 },
    lamb3 = { -18, -55, -58, 5 }, lamb4 = { -9, -70, -62, 5 }, f1 = { -17, -31, 1, 5 },
    f2 = { -15, -47, -18, 4.5 }, f3 = { -12, -61, -34, 4 }, f4 = { -10, -73, -45, 3.5 },
    fill = { -8, -24, -28, 10 }, fill2 = { -6, -44, -45, 9 }, fill3 = { 0, -64, -60, 8 },
    g1 = { -18, -32, -56, 4 }, g2 = { -15, -47, -64, 3.5 }, g3 = { -11, -62, -70, 3 },
  },
  drums = { -- x, y, z, three radii (y: half height), rotation vector in degrees
    s1 = { 0, -8, -7, 26, 11, 17.5, 40, 0, 0 }, lid = { 0, 15, 13, 33, 20, 26, 40, 0, 0 },
  },
  parts = {
    { k = 0, inner = 0, "s1" },
    { k = 24, inner = 0, smooth = 1, "ala0 ala auric", "ala ala_back auric2", "ala auric auric2",
      "ala0 auric s2", "s2 auric lat2", "s2 s3 lat2", "s3 lat2 lat3", "s3 s4 lat3",
      "s4 lat3 lat4", "s4 s5 lat5", "s4 lat4 lat5", "auric auric2 lat2" },
    { k = 4.5, inner = 0, "tube s5 cox1 cox", "tube fill fill2 fill3" },
    { k = 4.2, inner = 0, smooth = 1, "lamb crest1 crest2", "lamb lamb2 crest2",
      "lamb2 crest2 crest3", "lamb2 lamb3 crest3", "lamb3 crest3 crest4", "lamb3 lamb4 crest4",
      "lamb4 crest4 crest5", "ala_back auric2 lamb", "auric2 lamb lamb2", "auric2 lat2 lamb2",
      "lat2 lamb2 lat3", "lamb2 lamb3 lat3", "lamb3 lat3 lat4", "lamb3 lamb4 lat4" },
    { k = 3.1, inner = 0, "tube crest1 crest2 crest3 crest4 crest5" },
    { k = 5, inner = 0, "sap0 sap" },
    { cut = true, k = 2, inner = 0, "lid" },
    { cut = true, k = 2.5, inner = 0, "f1", "f2", "f3", "f4", "g1", "g2", "g3" },
  },
}

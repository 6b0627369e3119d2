-- Right tibia, after the bone mesh of the OpenSim model of Rajagopal et al. 2016, which is coarse
-- (286 triangles). plat_ is the rim of the plateau, em_ its two eminences, crest the shin, pl_ the
-- lower end, mal_ the medial malleolus, ankle_ the socket of the talus. Chosen, since the mesh has
-- none of them: eminences, malleolus, the notch behind and the edge of the plateau there.
return {
  side = "right", origin = "middle of the knee", cell = 3,
  points = { -- x, y, z, radius
    plat_mid = { -4, -42, 2, 8 }, plat_med = { 19, -45, 4, 10.5 },
    plat_med_front = { 12, -42, 15, 9 }, plat_front = { -4, -42, 21, 9.5 },
    plat_lat_front = { -19, -45, 14, 8 }, plat_lat = { -27, -43, 6, 7.5 },
    plat_lat_back = { -18, -46, -12, 9.5 }, plat_back = { -4, -47, -15, 8 },
    plat_med_back = { 9, -46, -17, 11 }, med_con = { -1, -51, -7, 21 },
    lat_con = { -13, -59, 7, 22.5 }, front = { 2, -60, 9, 23 }, em_med = { 2, -33, -3, 3.5 },
    em_lat = { -7, -33, -2, 3.5 }, tuberosity = { -5, -76, 19, 20 },
    shaft_top = { -6, -84, 3, 13.5 }, shaft1 = { -4, -124, 1, 12 }, shaft2 = { -4, -180, 0, 9 },
    shaft3 = { -4, -242, 4, 9.5 }, shaft4 = { -5, -302, 2, 9 }, shaft5 = { -4, -342, 6, 14.5 },
    shaft_low = { -3, -380, 6, 18.5 }, crest1 = { -3, -113, 21, 16 }, crest2 = { -2, -169, 16, 12 },
    crest3 = { -3, -230, 12, 10.5 }, crest4 = { -3, -291, 11, 9.5 },
    pl_front = { -3, -397, 16, 15.5 }, pl_back = { -3, -403, -8, 15 },
    pl_lat = { -11, -392, 7, 16 }, pl_med = { 9, -389, 8, 9 }, mal_front = { 15, -410, 8, 7 },
    mal_back = { 13, -407, -4, 7.5 }, ankle_lat = { -30, -423, 5, 19 },
    ankle_med = { -1, -422, 5, 17 }, notch = { -4, -38, -37, 12 },
  },
  parts = {
    { "tube shaft_top shaft1 shaft2 shaft3 shaft4 shaft5 shaft_low" },
    { k = 4, smooth = 1, "tube tuberosity crest1 crest2 crest3 crest4 shaft5",
      "sheet shaft_top tuberosity shaft1 crest1 shaft2 crest2 shaft3 crest3 shaft4 crest4 shaft5" },
    { k = 10, "med_con lat_con shaft_top", "med_con lat_con front", "front shaft_top tuberosity" },
    { k = 10, smooth = 2, "fan plat_mid plat_med plat_med_front plat_front plat_lat_front plat_lat",
      "fan plat_mid plat_lat plat_lat_back plat_back plat_med_back plat_med" },
    { k = 5, "em_med", "em_lat" },
    { k = 5, "fan shaft_low pl_med pl_front pl_lat pl_back pl_med" },
    { k = 10, "pl_med mal_front mal_back" },
    { cut = true, k = 5, "ankle_lat ankle_med" },
    { cut = true, k = 8, "notch" },
  },
}

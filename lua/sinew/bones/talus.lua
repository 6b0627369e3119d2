-- Right talus, measured on the bone mesh of the OpenSim model of Rajagopal et al. 2016. lat_ and
-- med_ are the rims of the trochlea; facet and sulcus below are cut.
return {
  side = "right", origin = "ankle joint", cell = 2,
  points = { -- x, y, z, radius
    lat_back = { -5.5, 0, -8, 4.5 }, lat_top = { -11.5, 7.5, 6.5, 5 },
    lat_front = { -8, 2.5, 12, 6.5 }, med_back = { 9.5, 1, -5, 6 },
    med_top = { 13.5, 6.5, 7.5, 5.5 }, med_front = { 13, 4.5, 14.5, 6 },
    mid = { -0.5, 1.5, 4.5, 7 }, neck = { 2.5, -1.5, 15.5, 10 }, head = { 4.5, 0, 21, 7.5 },
    head_med = { 11.5, -1, 20, 7 }, head_lat = { -4, -0.5, 17.5, 8 },
    lat_process = { -14.5, -9.5, 5, 5 }, post_process = { 0.5, -6.5, -13.5, 5 },
    post_med = { 10.5, -5, -3, 10 }, facet = { 6, -17.5, 2, 11 }, sulcus = { -1.5, -14, 15, 6.5 },
  },
  parts = {
    { "tube lat_back lat_top lat_front" },
    { k = 2, "tube med_back med_top med_front" },
    { k = 1.5, "fan mid lat_back lat_top lat_front med_front med_top med_back lat_back" },
    { k = 4.5, "tube head_lat head head_med", "head head_med neck", "head head_lat neck",
      "neck mid" },
    { k = 6, "lat_process mid lat_top" },
    { k = 6, "fan post_process lat_back med_back post_med" },
    { cut = true, k = 6, "facet" },
    { cut = true, k = 5, "sulcus" },
  },
}

-- Right cuboid, measured on the bone mesh of the OpenSim model of Rajagopal et al. 2016, in the
-- frame of the calcaneus: a block by its corners; mid fills it.
return {
  side = "right", origin = "subtalar joint", cell = 1.8,
  points = { -- x, y, z, radius
    mid = { -14, 17, 75, 7.5 }, med_top_back = { -10.1, 21.5, 74.7, 6.3 },
    med_top_front = { -11.9, 21, 81.7, 5.3 }, med_low_front = { -7.8, 10.8, 82.8, 3.2 },
    med_low_back = { -7.4, 13.3, 70, 3.6 }, lat_top_front = { -18.5, 16.9, 79.1, 5.8 },
    lat_low_front = { -20.8, 13.2, 81.1, 3.7 }, lat_top_back = { -16.4, 21.6, 72, 7.3 },
    lat_low_back = { -21.3, 14.8, 62.8, 3.6 },
  },
  parts = {
    { "sheet med_top_back med_top_front lat_top_back lat_top_front lat_low_back lat_low_front",
      "sheet lat_low_back lat_low_front med_low_back med_low_front med_top_back med_top_front",
      "sheet med_top_back lat_top_back med_low_back lat_low_back",
      "sheet med_top_front lat_top_front med_low_front lat_low_front", "mid" },
  },
}

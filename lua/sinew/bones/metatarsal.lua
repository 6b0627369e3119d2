-- Right second metatarsal, measured on the bone mesh of the OpenSim model of Rajagopal et al. 2016,
-- in the frame of the calcaneus; scaled it is the third and the fourth.
return {
  side = "right", origin = "subtalar joint", cell = 1.8,
  points = { -- x, y, z, radius
    base = { 6, 26, 106, 1 },
    base_top = { 1.6, 32, 108.3, 3.1 }, base_med = { 9.1, 29.8, 112.5, 5.5 },
    base_low = { 6.9, 22.8, 113.4, 7 }, base_lat = { 1, 24, 108.6, 2.6 },
    neck_base = { 5.7, 27.3, 116.1, 5.3 }, mid1 = { 4, 21.2, 132, 4.6 },
    mid2 = { 2.3, 14.8, 148.1, 3.4 }, neck = { 0.5, 7.5, 162.6, 3.6 },
    head = { -0.5, 2.1, 174.6, 4.7 }, head_low = { -0.5, 1.2, 170.2, 5.8 },
  },
  parts = {
    { "tube neck_base mid1 mid2 neck head" },
    { k = 5.9, "fan neck_base base_top base_med base_low base_lat base_top",
      "sheet base_top base_med base_lat base_low" },
    { k = 1.3, "neck head head_low" },
  },
}

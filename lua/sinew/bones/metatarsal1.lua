-- Right first metatarsal, measured on the bone mesh of the OpenSim model of Rajagopal et al. 2016,
-- in the frame of the calcaneus.
return {
  side = "right", origin = "subtalar joint", cell = 1.8,
  points = { -- x, y, z, radius
    base = { 23, 17, 118, 1 },
    base_top = { 25.9, 25.4, 128.8, 6.1 }, base_med = { 30.6, 11.9, 120.6, 5.2 },
    base_low = { 20.9, 9.9, 120.8, 4.3 }, base_lat = { 14, 18.8, 129.9, 5.5 },
    neck_base = { 23.7, 16.3, 136.8, 8.2 }, mid = { 26.2, 13, 149.6, 7 },
    neck = { 28.7, 6.2, 167.5, 6.5 }, head = { 28.1, 3.9, 174, 8.2 },
    head_lat = { 23.6, 2.5, 176.5, 6.8 }, head_med = { 30, 3.9, 172.4, 7.6 },
  },
  parts = {
    { "tube neck_base mid neck head" },
    { k = 5.9, "fan neck_base base_top base_med base_low base_lat base_top",
      "sheet base_top base_med base_lat base_low" },
    { k = 4, "head_lat head_med", "neck head_lat head_med" },
  },
}

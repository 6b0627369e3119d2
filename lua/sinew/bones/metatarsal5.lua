-- Right fifth metatarsal with its styloid process, measured on the bone mesh of the OpenSim model
-- of Rajagopal et al. 2016, in the frame of the calcaneus.
return {
  side = "right", origin = "subtalar joint", cell = 1.8,
  points = { -- x, y, z, radius
    base = { -31, 13, 76, 1 },
    styloid = { -35.1, 19.3, 71, 2 }, base_top = { -32.1, 18.2, 86.2, 4.6 },
    base_med = { -26.8, 10.1, 78.5, 4.1 }, base_low = { -32, 9.4, 76.3, 2.8 },
    base_lat = { -34.2, 14.7, 81.4, 3.5 }, neck_base = { -30.6, 14.7, 90.8, 5.3 },
    mid1 = { -33.4, 11.9, 105, 3.7 }, mid2 = { -36.9, 9.1, 118.9, 3.1 },
    neck = { -38.1, 6.6, 126.9, 3.4 }, head = { -41.1, 2.8, 137.6, 4 },
  },
  parts = {
    { "tube neck_base mid1 mid2 neck head" },
    { k = 5.9, "fan neck_base base_top base_med base_low base_lat base_top",
      "sheet base_top base_med base_lat base_low", "styloid base_lat base_top",
      "styloid base_lat base_low" },
  },
}

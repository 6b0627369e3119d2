-- Right medial cuneiform, measured on the bone mesh of the OpenSim model of Rajagopal et al. 2016,
-- in the frame of the calcaneus.
return {
  side = "right", origin = "subtalar joint", cell = 1.8,
  points = { -- x, y, z, radius
    low_back = { 29.1, 12.9, 99.5, 5.4 }, low_front = { 24, 16.1, 113.8, 7.2 },
    low_mid = { 29.6, 10.6, 106.1, 4.5 }, top_back = { 27.9, 23.4, 99.7, 2.3 },
    top_mid = { 23.6, 27.9, 106.2, 3 }, top_front = { 18.7, 31.5, 113.9, 3 },
    mid = { 24.8, 16.6, 108.9, 4.1 },
  },
  parts = {
    { smooth = 1, "fan mid low_back low_mid low_front top_front top_mid top_back low_back" },
  },
}

-- Right navicular, measured on the bone mesh of the OpenSim model of Rajagopal et al. 2016, in the
-- frame of the calcaneus. socket takes the head of the talus.
return {
  side = "right", origin = "subtalar joint", cell = 1.8,
  points = { -- x, y, z, radius
    mid = { 23.4, 27.7, 88, 5.7 }, lat = { 12.6, 29.6, 77.6, 6.1 },
    low_lat = { 18.7, 24.8, 80.8, 4.4 }, low = { 27.3, 16.7, 82.6, 4.1 },
    tuber = { 34.2, 22.6, 86.2, 4.4 }, med = { 33, 30.2, 87, 5.2 }, top = { 23.7, 33.3, 85.7, 6.7 },
    top_lat = { 14, 30.6, 82.4, 5.8 }, socket = { 18.6, 29.9, 64.4, 7.4 },
  },
  parts = {
    { smooth = 1, "fan mid lat low_lat low tuber med top top_lat lat" },
    { cut = true, k = 2.3, "socket" },
  },
}

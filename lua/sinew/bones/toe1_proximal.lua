-- Proximal phalanx of the right great toe, measured on the bone mesh of the OpenSim model of
-- Rajagopal et al. 2016.
return {
  side = "right", origin = "toe joint", cell = 1.6,
  points = { -- x, y, z, radius
    base = { 23.3, 1.3, 13.5, 5.7 }, base_lat = { 18.2, 1, 13.3, 3.2 },
    base_med = { 30.4, 1.5, 14.3, 5.3 }, mid1 = { 25, 1.9, 23.3, 3.3 }, mid = { 24, -0.5, 30, 4 },
    mid_lat = { 20.4, -0.4, 27.4, 2.9 }, mid_med = { 27, 0.3, 29.1, 3.1 },
    head = { 22.8, -2.8, 45, 3.1 }, head_lat = { 18.6, -3.9, 41.5, 3.2 },
    head_med = { 26.1, -3.7, 41.4, 3.2 },
  },
  parts = {
    { "base_lat base_med mid1" },
    { k = 2.9, "sheet base_lat base_med mid_lat mid_med head_lat head_med" },
    { k = 3.4, "head_lat head head_med" },
    { k = 3.9, "base mid1" },
  },
}

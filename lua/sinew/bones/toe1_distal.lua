-- Distal phalanx of the right great toe, measured on the bone mesh of the OpenSim model of
-- Rajagopal et al. 2016.
return {
  side = "right", origin = "toe joint", cell = 1.5,
  points = { -- x, y, z, radius
    base = { 16.8, -3.4, 56.1, 6 }, base_lat = { 12.1, -3.6, 54.9, 4.5 },
    base_med = { 21.2, -3.9, 56.7, 5.4 }, mid = { 17.3, -2.9, 64, 1.9 },
    tuft_lat = { 12.3, -3.8, 67.6, 3.3 }, tuft_med = { 19.7, -3.9, 70.1, 3.6 },
    head = { 16.2, -2.6, 75.2, 2 },
  },
  parts = {
    { "base_lat base base_med", "base_lat base_med mid" },
    { k = 3.9, "mid tuft_lat tuft_med", "tuft_lat tuft_med head" },
  },
}

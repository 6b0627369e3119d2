-- Middle phalanx of the right second toe, measured on the bone mesh of the OpenSim model of
-- Rajagopal et al. 2016; scaled it is that of the third to the fifth.
return {
  side = "right", origin = "toe joint", cell = 1.4,
  points = { -- x, y, z, radius
    base = { -9.3, -2.8, 47, 1 }, head = { -11, -2.8, 59, 1 },
    base_lat = { -9.4, -2.8, 47, 3.8 }, base_med = { -9.3, -2.8, 47.1, 4.5 },
    mid = { -10.3, -2, 52.4, 1.9 }, head_lat = { -11.3, -3.5, 58.5, 3.2 },
    head_med = { -10.7, -2.1, 59.4, 2.9 },
  },
  parts = {
    { "base_lat base_med mid" },
    { k = 3.9, "mid head_lat head_med" },
  },
}

-- Distal phalanx of the right second toe, measured on the bone mesh of the OpenSim model of
-- Rajagopal et al. 2016; scaled it is that of the third to the fifth.
return {
  side = "right", origin = "toe joint", cell = 1,
  points = { -- x, y, z, radius
    base = { -12.8, -3.1, 64.3, 1 },
    base_lat = { -14.1, -3.1, 64.2, 1.6 }, base_med = { -11.5, -3.2, 64.7, 1.9 },
    mid = { -13.4, -3.1, 65.4, 1.2 }, head = { -12.8, -3.2, 69.2, 1.6 },
  },
  parts = {
    { "base_lat base_med mid" },
    { k = 0.7, "mid head" },
  },
}

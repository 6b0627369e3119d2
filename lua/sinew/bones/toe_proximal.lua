-- Proximal phalanx of the right second toe, measured on the bone mesh of the OpenSim model of
-- Rajagopal et al. 2016; scaled it is that of the third to the fifth.
return {
  side = "right", origin = "toe joint", cell = 1.5,
  points = { -- x, y, z, radius
    base = { -2.1, -0.2, 8.6, 4.5 }, mid1 = { -3.2, -0.4, 13.7, 3.8 },
    mid = { -5.5, -1.9, 24.7, 2.9 }, head = { -6.9, -4.4, 36.2, 3.4 },
    head_low = { -6.7, -6.6, 34.1, 2.6 },
  },
  parts = {
    { "tube base mid1 mid head" },
    { k = 0.9, "mid head_low" },
  },
}

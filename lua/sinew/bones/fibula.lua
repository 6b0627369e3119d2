-- Right fibula, measured on the bone mesh of the OpenSim model of Rajagopal et al. 2016, in the
-- frame of the tibia. apex is its upper tip, tip the lower one, of the lateral malleolus.
return {
  side = "right", origin = "middle of the knee", cell = 2.5,
  points = { -- x, y, z, radius
    apex = { -32, -64, -9, 5 }, head = { -31, -74, -13, 7.5 }, core = { -36, -75, -4, 7.5 },
    head_front = { -30, -76, 2, 5.5 }, head_side = { -44, -78, -3, 4 },
    neck = { -33, -102, -5, 7.5 }, shaft1 = { -30, -145, -2, 6 }, shaft2 = { -28, -190, -2, 6 },
    shaft3 = { -28, -240, -2, 6 }, shaft4 = { -28, -290, -3, 5.5 }, shaft5 = { -29, -335, -4, 5.5 },
    shaft_low = { -30, -375, -5, 6 }, mal_top = { -30, -400, -5, 7 },
    malleolus = { -31, -409, -5, 11.5 }, mal_side = { -37, -417, -4, 5.5 },
    tip = { -29, -424, -6, 3 },
  },
  parts = {
    { "tube 1.2 1 0 0 core neck shaft1 shaft2 shaft3 shaft4 shaft5 shaft_low mal_top" },
    { k = 3.5, inner = 1, "fan apex head head_front head_side head",
      "fan neck head head_front head_side head", "core neck" },
    { k = 3.5, inner = 3, "tube mal_top malleolus tip", "mal_top mal_side tip" },
  },
}

-- A metacarpal of the right hand, the palm at +x and the thumb at +z. Landmarks fitted to the third
-- one in the OpenSim model of Rajagopal et al. 2016; scaled, it does for the second to the fifth.
-- base: middle of the face on the wrist; bd, bp: back and palm of the base; head: the knuckle.
return {
  side = "right", origin = "base", cell = 1.7,
  points = { -- x, y, z, radius
    base = { 0, -5, 0, 1 }, bd_r = { -6.5, -7.8, 1, 2.3 }, bd_u = { 0.2, -9.3, -5.7, 2.6 },
    bp = { 5.2, -9.9, 0.8, 4.8 }, tip = { -4.6, -3.6, 1.3, 2.7 }, neck0 = { -1.3, -21, 0.5, 4.5 },
    s1 = { -2.1, -29.3, -0.5, 3.9 }, s2 = { -2.5, -43.4, -1.6, 3.7 }, s3 = { -2.6, -47.6, -2.1, 3 },
    n_r = { -2.7, -67.1, 0.8, 4.3 }, n_u = { -0.1, -62.7, -4.7, 2.9 },
    head_r = { -0.3, -71, 5.5, 3.3 }, head_u = { 0.6, -72.7, -4.1, 3.5 },
    head = { 1.2, -74.1, 0.9, 4.8 },
  },
  parts = {
    { k = 0, "tube neck0 s1 s2 s3 head" },
    { k = 3.7, "bd_r bd_u bp", "bd_r bp neck0", "bd_u bp neck0", "bd_r bd_u neck0",
      "tip bd_r bd_u" },
    { k = 3.1, "s3 n_r n_u", "n_r n_u head", "n_r head_r head", "n_u head_u head" },
    { k = 1.5, "head_r head_u", "head" },
  },
}

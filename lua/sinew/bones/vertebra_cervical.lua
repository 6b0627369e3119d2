-- A cervical vertebra, C3 to C7. Landmarks measured on and fitted to C5 of the bone meshes of the
-- OpenSim model of Rajagopal et al. 2016; foramen and the fork of the spinous process are chosen.
return {
  origin = "middle of the body", side = "middle", mirror = true, fold = 1, cell = 1.2,
  points = { -- x, y, z, radius
    unc0 = { -8.8, 2.5, 0.4, 2 }, unc1 = { -11.8, 7.9, -5, 2.2 }, unc2 = { -7.4, 6.7, -7.2, 1.7 },
    ant0 = { -11.2, -2.4, 0.4, 3.3 }, ant1 = { -17.5, 2, -5, 2.3 },
    ant = { -25.8, -1.3, -7, 2.1 }, post0 = { -23, 0.1, -12.8, 2.6 },
    post = { -23.8, 2.5, -10.1, 2.1 }, ped0 = { -10.9, -1.2, -9.3, 3 },
    ped1 = { -19.5, 6.4, -9.6, 2.4 }, upper = { -21.8, 4.2, -12.6, 2.6 },
    upper2 = { -13, 1.6, -15.9, 2.4 }, lower = { -19.5, -4.8, -18.7, 1.8 },
    lower2 = { -6.6, -6.5, -22.6, 1.9 }, lam = { -10, 0, -18, 2.6 }, sp0 = { 0, -1.1, -15.5, 3.8 },
    sp0b = { 0, -8, -22.5, 2.4 }, sp1 = { 0, -9.6, -42, 3.8 }, tip = { -4.6, -12, -47.4, 2.3 },
    canal = { -3.5, 11.9, -12.6, 6.2 }, canal2 = { -1.3, -13.6, -15.9, 6.1 },
    for1 = { -19, 9, -7.4, 2 }, for2 = { -19, -8, -8.4, 2 },
  },
  drums = { -- x, y, z, three radii (y: half height), rotation vector in degrees
    body = { 0, 0, 0, 14, 6.3, 9 },
  },
  parts = {
    { k = 0, inner = 0, "body" },
    { k = 3.5, inner = 0, "tube unc0 unc1 unc2" },
    { k = 5.4, inner = 0, "ped0 ped1" },
    { k = 2.7, inner = 0, "tube ant0 ant1 ant post post0" },
    { k = 3.1, inner = 0, "upper upper2 lower", "upper2 lower lower2" },
    { k = 2.8, inner = 0, "lam sp0 sp0b", "lam lower2 sp0b", "upper2 lam lower2" },
    { k = 11.3, inner = 1, "tube sp0 sp1", "sp1 tip" },
    { cut = true, k = 3.1, inner = 0, "canal canal2" },
    { cut = true, k = 1.5, inner = 0, "for1 for2" },
  },
}

-- The axis, C2. Landmarks measured on and fitted to the bone meshes of the OpenSim model of
-- Rajagopal et al. 2016, which has a spike for the dens: dens and upper joints are chosen.
return {
  origin = "middle of the body without the dens", side = "middle", mirror = true, fold = 1,
  cell = 1.2,
  points = { -- x, y, z, radius
    den0 = { 0, 2.6, 1, 5 }, den1 = { 0, 7.6, -1.5, 4.4 }, den2 = { 0, 11.6, -2.5, 4.6 },
    dens = { 0, 15.1, -3, 3.2 }, ridge = { 0, -4.4, 5, 3 }, upper = { -12.5, 5.1, -2.5, 2.4 },
    upper1 = { -6, 4.1, 0, 2.8 }, upper2 = { -8.5, 5.9, -5.5, 2.2 }, base = { -5.2, -1, -0.3, 5.6 },
    ant0 = { -10.1, -2.9, -2.3, 3 }, ant1 = { -14.7, -1.1, -4.3, 2.4 },
    ant = { -22.2, -6.9, -7.7, 2.1 }, post0 = { -20.1, -4.4, -12.9, 2.6 },
    post = { -20.3, 0.1, -10.1, 2.1 }, ped0 = { -7.6, -3.5, -11.1, 2.9 },
    ped1 = { -17.3, 3.2, -11.4, 2.1 }, pil = { -15.5, -0.4, -14.8, 2.3 },
    pil2 = { -4.2, 1.6, -16.7, 2.5 }, lower = { -17.3, -7.1, -17.9, 1.7 },
    lower2 = { -5.2, -9.3, -20.7, 1.8 }, lam = { -9, -1.4, -17, 2.6 },
    sp0 = { 0, -6.3, -13.6, 3.4 },
    sp0b = { 0, -10.4, -21, 2.4 }, sp1 = { 0, -17, -34.9, 3.7 }, tip = { -3.8, -18.4, -37, 2.6 },
    canal = { -3, 12.6, -13.5, 5.8 }, canal2 = { -0.7, -16.4, -14.1, 6 },
    for1 = { -17.5, 7.6, -6.2, 1.9 }, for2 = { -18.5, -11.4, -8, 1.9 },
  },
  drums = { -- x, y, z, three radii (y: half height), rotation vector in degrees
    body = { 0, -3.6, 0, 12.5, 4.1, 8.7 },
  },
  parts = {
    { k = 0, inner = 0, "body" },
    { k = 5.3, inner = 0, "upper upper1 upper2", "upper upper2 base", "upper upper1 base" },
    { k = 4, inner = 2, "ridge den0" },
    { k = 6.2, inner = 0, "ped0 ped1" },
    { k = 2.9, inner = 0, "tube ant0 ant1 ant post post0" },
    { k = 3, inner = 0, "pil pil2 lower", "pil2 lower lower2" },
    { k = 2.9, inner = 0, "lam sp0 sp0b", "lam lower2 sp0b", "pil2 lam lower2" },
    { k = 8.4, inner = 1, "tube sp0 sp1", "sp1 tip" },
    { cut = true, k = 3.2, inner = 0, "canal canal2" },
    { k = 2.5, inner = 0, "tube den0 den1 den2 dens" },
    { cut = true, k = 1.5, inner = 0, "for1 for2" },
  },
}

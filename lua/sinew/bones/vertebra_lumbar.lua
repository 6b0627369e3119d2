-- A lumbar vertebra. Landmarks measured on and fitted to L4 of the bone meshes of the OpenSim model
-- of Rajagopal et al. 2016.
return {
  origin = "middle of the body", side = "middle", mirror = true, fold = 1, cell = 1.5,
  points = { -- x, y, z, radius
    ped0 = { -16.1, 2.2, -17.8, 3.7 }, ped1 = { -16.3, 7.9, -25.1, 4.7 },
    tp0 = { -20.2, 3.4, -20.4, 2.6 }, tp = { -29.5, 5.5, -24.2, 2.1 },
    upper0 = { -13.2, 11.2, -23.1, 3.3 }, upper = { -16.6, 10.5, -32.1, 3.7 },
    lam = { -7.2, 1.8, -24, 3.4 }, lam_low = { -8.2, -11.4, -28.5, 4.8 },
    lower = { -11.3, -17.4, -28.5, 3.4 }, isth = { -10.5, -4.2, -28.5, 2.7 },
    sp0 = { 0, -2.5, -30.4, 3.6 }, sp0b = { 0, -14.4, -35.8, 3.6 },
    tip_top = { 0, -11.5, -48.5, 2.7 }, tip = { 0, -18.5, -45.7, 4.7 },
    canal = { -0.9, 24.8, -21.4, 4.7 }, canal2 = { -2.4, -24.9, -18.1, 4.8 },
  },
  drums = { -- x, y, z, three radii (y: half height), rotation vector in degrees
    body = { 0, 0, 0, 21, 12.7, 15.5 },
  },
  parts = {
    { k = 0, inner = 0, "body" },
    { k = 17.8, inner = 0, "ped0 ped1" },
    { k = 3.2, inner = 0, "tube 1.6 0 1 0 tp0 tp" },
    { k = 3.2, inner = 0, "tube upper0 upper", "ped1 upper0" },
    { k = 3, inner = 0, "isth lam lam_low", "isth lower lam_low", "upper0 isth lam" },
    { k = 5.1, inner = 0, "lam sp0 sp0b", "lam lam_low sp0b" },
    { k = 5.1, inner = 0, "sp0 tip_top tip", "sp0 sp0b tip" },
    { cut = true, k = 2.5, inner = 0, "canal canal2" },
  },
}

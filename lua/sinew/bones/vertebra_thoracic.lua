-- A thoracic vertebra. Landmarks measured on and fitted to T6 of the bone meshes of the OpenSim
-- model of Rajagopal et al. 2016.
return {
  origin = "middle of the body", side = "middle", mirror = true, fold = 1, cell = 1.4,
  points = { -- x, y, z, radius
    ped0 = { -11.9, 0, -10.5, 3.7 }, ped1 = { -14.6, 3, -17.3, 4 },
    costal = { -18.4, 0, -21.5, 2.5 }, tp0 = { -15.2, 6.3, -25.9, 4.1 },
    tp = { -26.8, 8.9, -36, 3.3 }, upper0 = { -9.8, 6.6, -18.9, 2.7 },
    upper = { -11.8, 8.8, -21.6, 2.3 }, lam = { -6.9, 0.9, -21.2, 2.6 },
    lam_low = { -8.3, -10.5, -26.7, 2.6 }, lower = { -10.1, -12.8, -31.5, 3.1 },
    isth = { -10.1, 1.3, -24.8, 2.5 }, sp0 = { 0, -4, -28.1, 3 },
    sp0b = { 0, -9.9, -35.2, 2.8 }, sp1 = { 0, -15.4, -37.6, 3 }, tip = { 0, -26, -46.3, 3.3 },
    canal = { -1.9, 20, -16.5, 4.8 }, canal2 = { -0.9, -19.8, -19.5, 4.4 },
  },
  drums = { -- x, y, z, three radii (y: half height), rotation vector in degrees
    body = { 0, 0, 0, 17.8, 9.5, 13 },
  },
  parts = {
    { k = 0, inner = 0, "body" },
    { k = 13.1, inner = 0, "ped0 ped1" },
    { k = 3.8, inner = 0, "tp0 tp", "ped1 costal" },
    { k = 3.7, inner = 0, "upper0 upper", "ped1 upper0" },
    { k = 3.9, inner = 0, "isth lam lam_low", "isth lower lam_low", "upper0 isth lam" },
    { k = 5, inner = 0, "lam sp0 sp0b", "lam lam_low sp0b" },
    { k = 4.9, inner = 0, "tube 1.5 0 1 0.6 sp0 sp1 tip", "sp0 sp0b sp1" },
    { cut = true, k = 2.8, inner = 0, "canal canal2" },
  },
}

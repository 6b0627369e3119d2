-- Right patella, after the bone mesh of the OpenSim model of Rajagopal et al. 2016 (140 triangles).
-- facet_ are the hollows that run on the condyles; they and the ridge between them are chosen: the
-- mesh has one hollow.
return {
  side = "right", origin = "lower pole", cell = 2,
  points = { -- x, y, z, radius
    low = { -1, 12.5, 0.5, 11 }, apex = { -1, 7.5, -1, 7.5 }, base_lat = { -11.3, 41.5, 1.5, 6 },
    base_med = { 11.3, 42, 1.2, 6.5 }, lat = { -21.5, 34, 0.5, 4 }, med = { 20, 33.5, 1, 4.5 },
    facet_lat = { -12, 33, -26, 18 }, facet_med = { 11, 33, -26, 18 },
    ridge_high = { -1, 42, -1, 4 }, ridge_low = { -1, 20, -2, 4 },
  },
  ellipsoids = { -- x, y, z, three radii, rotation vector in degrees
    body = { -2, 33.5, 4.5, 21.5, 19, 10, -17, -5, -1 },
  },
  parts = {
    { "body" },
    { k = 6, "low apex" },
    { k = 4, "fan base_lat base_med med low lat" },
    { cut = true, k = 4, "facet_lat" },
    { cut = true, k = 4, "facet_med" },
    { k = 4, "ridge_high ridge_low" },
  },
}

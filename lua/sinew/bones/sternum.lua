-- Sternum without cartilage. Landmarks fitted to the bone mesh of the OpenSim model of Rajagopal et
-- al. 2016; chosen: the notch of the clavicle, the end of the body and the xiphoid process.
-- n1 to n7: where the ribs' cartilages meet the edge, e: between them.
return {
  side = "middle", origin = "jugular notch", cell = 2, mirror = true, fold = 1,
  points = { -- x, y, z, radius
    jugular = { 0, -2, 0, 3.5 }, top = { -14, -5, 1, 5.5 }, n1 = { -26, -7, 0, 4.5 },
    m0 = { -26, -17, 6, 4 }, m1 = { -12, -31, 16, 4 }, man_c = { 0, -16, 10, 3.5 },
    n2 = { -14, -47, 26, 3.5 }, angle = { 0, -46, 25, 4 }, e2 = { -11, -56, 31, 3.5 },
    n3 = { -14, -68, 36, 3.5 }, b3 = { 0, -67, 38, 4 }, e3 = { -10, -81, 41, 3.5 },
    n4 = { -15, -95, 46, 3.5 }, b4 = { 0, -93, 47, 3.5 }, e4 = { -11, -106, 50, 3.5 },
    n5 = { -14, -117, 55, 3.5 }, b5 = { 0, -122, 57, 3 }, e5 = { -14, -130, 57, 3 },
    n6 = { -13, -138, 60, 3.5 }, e6 = { -11, -144, 61, 3.5 }, body_end = { 0, -146, 64, 2.5 },
    n7 = { -10, -149, 62, 3 }, xi = { -4, -159, 63, 2.5 }, xiphoid = { 0, -176, 61, 2 },
    clavicle = { -26, 2, 1, 10 },
  },
  parts = {
    { k = 0, smooth = 1, "sheet jugular top man_c n1 m0", "man_c m0 m1", "fan man_c m1 n2 angle",
      "fan angle n2 e2 n3 b3", "fan b3 n3 e3 n4 b4", "fan b4 n4 e4 n5 b5",
      "fan b5 n5 e5 n6 e6 body_end", "fan body_end e6 n7 xi", "body_end xi xiphoid" },
    { k = 2, "tube top n1 m0 m1 n2 e2 n3 e3 n4 e4 n5 e5 n6 e6 n7 xi xiphoid" },
    { cut = true, k = 3, "clavicle" },
  },
}

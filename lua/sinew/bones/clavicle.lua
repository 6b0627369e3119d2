-- Right clavicle. Landmarks fitted to the bone mesh of the OpenSim model of Rajagopal et al. 2016.
-- medial, lateral: middle of its ends; f, b: the front and the back edge.
return {
  side = "right", origin = "sternal end", cell = 2.2,
  points = { -- x, y, z, radius
    medial = { 2, -1, 0, 1 }, lateral = { -122, 23, -12, 1 }, sternal = { -2, 1, -1, 4 },
    st_low = { -10, -5, -2, 5 }, st_front = { -7, -3, 4, 6 }, f1 = { -15, 2, 6, 5 },
    b1 = { -21, 1, 3, 6 }, f2 = { -36, 6, 4, 4 }, b2 = { -37, 3, 3, 4 }, f3 = { -51, 9, 0, 4 },
    b3 = { -52, 9, -2, 4.5 }, f4 = { -65, 12, -3, 3 }, b4 = { -67, 12, -9, 3.5 },
    f5 = { -82, 16, -11, 3.5 }, conoid = { -83, 18, -18, 4.5 }, f6 = { -98, 19, -14, 2.5 },
    b6 = { -97, 20, -20, 4 }, f7 = { -115, 20, -8, 3.5 }, b7 = { -108, 24, -21, 3.5 },
    f8 = { -119, 21, -11, 3.5 }, acromial = { -117, 26, -15, 3.5 },
  },
  parts = {
    { k = 0, "tube sternal f1 f2 f3 f4 f5 f6 f7 f8",
      "tube st_low b1 b2 b3 b4 conoid b6 b7 acromial", "sheet sternal st_low f1 b1 f2 b2 f3 b3 "
      .. "f4 b4 f5 conoid f6 b6 f7 b7 f8 acromial" },
    { k = 4.4, "st_low sternal st_front" },
  },
}

-- Right radius, thumb forward. Landmarks fitted to the bone mesh of the OpenSim model of Rajagopal
-- et al. 2016, which was turned by 72 degrees about the axis from its head to the ulna's.
-- fovea: cut of the head; tuber: tuberosity; f, b: the shaft on the side of the thumb and of the
-- ulna; sty: styloid process; lun, scaph: the cuts for two bones of the wrist.
return {
  side = "right", origin = "middle of the head's face", cell = 2.2,
  points = { -- x, y, z, radius
    neck = { 0, -10, -1, 5.5 }, tuber = { 1, -35, 0, 5.5 }, f1 = { 0, -33, 1, 4.5 },
    b1 = { 0, -44, 3, 4.5 }, f2 = { 1, -75, 8, 4.5 }, b2 = { -1, -74, 3, 3 },
    f3 = { 0, -112, 13, 5 }, b3 = { -1, -112, 7, 2.5 }, f4 = { -1, -144, 15, 4.5 },
    b4 = { -2, -146, 12, 3 }, f5 = { 0, -181, 15, 5.5 }, b5 = { -1, -181, 12, 4.5 },
    f6 = { 0, -202, 16, 5 }, b6 = { -1, -216, 10, 5 }, sty = { 7, -235, 21, 5.5 },
    collar = { -2, -3, 0, 8.5 }, rim_f = { 7, -229, 19, 5 }, rim_b = { -3, -229, 13, 6 },
    ulnar_f = { 8, -230, -1, 4 }, ulnar_b = { -3, -229, 2, 4.5 }, lister = { -3, -222, 9, 3 },
    fovea = { 0, 10, 0, 10.5 }, lun = { 5, -240, 0, 11 }, scaph = { 7, -241, 15, 7.5 },
    ulnar_cut = { 4, -226, -14, 7 },
  },
  drums = { -- x, y, z, three radii (y: half height), rotation vector in degrees
    head = { 1, -2, 0, 9, 4.5, 10, -10, -2, 0 },
  },
  parts = {
    { k = 0, "tube neck f1 f2 f3 f4 f5 f6", "tube neck tuber b1 b2 b3 b4 b5 b6",
      "sheet f1 tuber f2 b1 b2 f3 b3 f4 b4 f5 b5 f6 b6" },
    { k = 3.7, inner = 2, "head", "collar neck" },
    { k = 5.1, "f6 sty rim_b", "f6 sty rim_f", "sty rim_f rim_b", "rim_f ulnar_f ulnar_b",
      "rim_b ulnar_b rim_f", "rim_f ulnar_f b6", "ulnar_b ulnar_f b6", "rim_b ulnar_b b6",
      "lister b6 rim_b" },
    { cut = true, k = 3.5, "fovea" },
    { cut = true, k = 3.4, "lun scaph" },
    { cut = true, k = 3, "ulnar_cut" },
  },
}

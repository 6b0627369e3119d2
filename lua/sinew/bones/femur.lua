-- Right femur, measured on the bone mesh of the OpenSim model of Rajagopal et al. 2016. head is the
-- hip joint's centre; gt_ is the greater trochanter, lesser the lesser one and crest the ridge
-- between them; line_ is the linea aspera; med_ and lat_ are the condyles (front, low, back), their
-- epicondyles (epi) and the widening above them (meta); fossa, notch_ and groove_ are cut.
return {
  side = "right", origin = "centre of the head", cell = 3,
  points = { -- x, y, z, radius
    head = { 0, 0, 0, 22.5 }, neck = { -17, -11, -3, 13 }, neck_base = { -19, -21, -5, 11.5 },
    gt_front = { -45, -13, -10, 12.5 }, gt_tip = { -40, -10, -25, 12 },
    gt_side = { -50, -26, -17, 12.5 }, gt_back = { -43, -27, -25, 10.5 },
    lesser = { -17, -55, -22, 8 }, crest = { -36, -47, -20, 6 }, shaft_top = { -34, -49, -14, 13 },
    shaft1 = { -34, -85, -3, 10.5 }, shaft2 = { -33, -128, 7, 10 }, shaft3 = { -29, -183, 17, 9.5 },
    shaft4 = { -22, -247, 22, 10 }, shaft5 = { -14, -304, 22, 10.5 },
    shaft6 = { -10, -342, 21, 10.5 }, shaft_low = { -10, -380, 19, 11.5 },
    line_top = { -44, -87, -9, 6 }, line_mid = { -33, -192, 16, 5 },
    line_low = { -21, -289, 18, 3.5 }, med_meta = { 18, -395, 13, 7 },
    lat_meta = { -18, -396, 9, 8 }, med_front = { 11, -411, 22, 8 },
    med_low = { 18, -415, 4, 16.5 }, med_back = { 22, -409, -6, 15.5 },
    lat_front = { -12, -403, 22, 13.5 }, lat_low = { -18, -411, 9, 14 },
    lat_back = { -19, -406, -5, 17 }, med_epi = { 28, -399, 4, 10 }, lat_epi = { -28, -402, 4, 8 },
    notch_low = { 3, -432, -2, 11.5 }, notch_high = { 3, -408, -16, 8.5 },
    groove_low = { -2, -424, 33, 9 }, groove_high = { -6, -400, 44, 9.5 },
    fossa = { -33, -12, -22, 6 },
  },
  parts = {
    { "tube 1.15 1 0 0 shaft_top shaft1 shaft2 shaft3 shaft4 shaft5 shaft6 shaft_low" },
    { k = 12, "tube neck neck_base shaft_top" },
    { k = 3.5, "head" },
    { k = 4.5, "fan gt_side neck_base gt_front gt_tip gt_back shaft_top" },
    { k = 5.5, "tube gt_back crest lesser", "lesser crest shaft_top" },
    { k = 6, "tube shaft_top line_top line_mid line_low shaft6" },
    { k = 6, "shaft_low med_meta lat_meta", "shaft_low med_meta shaft6",
      "shaft_low lat_meta shaft6" },
    { k = 12, "tube med_front med_low med_back", "med_epi med_low", "med_meta med_epi med_low" },
    { k = 12, "tube lat_front lat_low lat_back", "lat_epi lat_low", "lat_meta lat_epi lat_low" },
    { k = 12, "med_front lat_front med_meta", "lat_front lat_meta med_meta" },
    { cut = true, k = 12, "notch_low notch_high" },
    { cut = true, k = 12, "groove_low groove_high" },
    { cut = true, k = 12, "fossa" },
  },
}

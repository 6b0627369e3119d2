-- Right calcaneus, measured on the bone mesh of the OpenSim model of Rajagopal et al. 2016. tuber_
-- is the heel, sust the shelf that carries the talus (sustentaculum), front the end towards the
-- cuboid.
return {
  side = "right", origin = "subtalar joint", cell = 2.4,
  points = { -- x, y, z, radius
    tuber_top = { 2.5, 18.5, 10.5, 15 }, tuber_back = { 6, 9, 5.5, 13 },
    tuber_low = { 14, 1, 10, 10.5 }, tuber_med = { 18, -1, 19.5, 8 },
    tuber_lat = { -8, 5.5, 22.5, 6.5 }, body_top = { 3, 25.5, 24.5, 12 },
    body_low = { 8.5, 15, 35, 6.5 }, waist = { -11, 23, 43, 6 }, waist_low = { -1.5, 21, 35, 14.5 },
    post_facet = { 11, 29.5, 30.5, 4 }, sust = { 22.5, 35, 48.5, 5.5 },
    sust_root = { 5, 22.5, 47.5, 8.5 }, front = { -8, 29.5, 55.5, 7 },
    front_low = { -4.5, 19, 53.5, 8.5 }, front_top = { 4, 27.5, 57, 5.5 },
  },
  parts = {
    { "fan body_top tuber_top tuber_back tuber_low body_low", "body_top body_low tuber_lat",
      "tuber_low tuber_med body_low", "tuber_low tuber_lat body_low",
      "tuber_back tuber_lat body_top" },
    { k = 8, "body_top waist waist_low", "body_top body_low waist_low" },
    { k = 3, "waist front front_low", "waist waist_low front_low", "waist front front_top" },
    { k = 5, "body_top post_facet waist" },
    { k = 8, "post_facet sust_root sust", "sust_root sust front_top" },
  },
}

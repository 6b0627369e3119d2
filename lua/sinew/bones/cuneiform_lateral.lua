-- Right lateral cuneiform, measured on the bone mesh of the OpenSim model of Rajagopal et al. 2016,
-- in the frame of the calcaneus: a wedge by its corners; mid fills it.
return {
  side = "right", origin = "subtalar joint", cell = 1.6,
  points = { -- x, y, z, radius
    mid = { -1, 24, 89, 4 }, med_back = { 3.4, 29.8, 80.4, 2.7 },
    med_front = { 1.6, 29.4, 95.3, 3.3 }, lat_back = { -1.6, 30.4, 81.6, 1.9 },
    lat_front = { -6.6, 30.2, 96.6, 1.8 }, low_back = { 0.9, 14.5, 84.6, 2.5 },
    low_front = { -4.4, 18.3, 95, 2.8 },
  },
  parts = {
    { "sheet med_back med_front lat_back lat_front low_back low_front med_back med_front",
      "med_back lat_back low_back", "med_front lat_front low_front", "mid" },
  },
}

-- Right intermediate cuneiform, measured on the bone mesh of the OpenSim model of Rajagopal et al.
-- 2016, in the frame of the calcaneus: a wedge by its corners; mid fills it.
return {
  side = "right", origin = "subtalar joint", cell = 1.6,
  points = { -- x, y, z, radius
    mid = { 13.4, 29, 98.1, 4.5 }, med_back = { 14.2, 32.9, 95.7, 4.9 },
    med_front = { 17.3, 30.4, 102.9, 4.2 }, lat_back = { 8.7, 34.8, 91.9, 2.2 },
    lat_front = { 8, 35.1, 102.5, 1.9 }, low_back = { 13.6, 22.4, 91.5, 1.8 },
    low_front = { 13.1, 19.4, 105.3, 1.8 },
  },
  parts = {
    { "sheet med_back med_front lat_back lat_front low_back low_front med_back med_front",
      "med_back lat_back low_back", "med_front lat_front low_front", "mid" },
  },
}

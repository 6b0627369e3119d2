-- The eight bones of a right wrist, which stay apart; the palm at +x, the thumb at +z. Landmarks
-- fitted to the bone meshes of the OpenSim model of Rajagopal et al. 2016, where they are there.
-- Each bone is an ellipsoid and an octahedron of six balls, towards the forearm (prox), the fingers
-- (dist), the palm, the back, the thumb and the little finger. mc1 to mc5: where the bases of the
-- metacarpals stand.
local recipe = {
  side = "right", origin = "wrist", cell = 1.5,
  points = { -- x, y, z, radius
    mc1 = { 3, -24, 28, 1 }, mc2 = { -4.6, -32, 12.3, 1 }, mc3 = { -11, -30, -1, 1 },
    mc4 = { -8.6, -31, -12.3, 1 }, mc5 = { -3, -29, -22.5, 1 },
  },
  ellipsoids = { -- x, y, z, three radii, rotation vector in degrees
    scaphoid = { -4.8, -11.8, 13.3, 4.1, 6.3, 5.4, 12, 11, 30 },
    lunate = { 1.6, -3.5, -8.5, 6.2, 3.3, 9.3, -31, 18, -55 },
    triquetrum = { -1.8, -11, -19.8, 3.3, 5.7, 5.3, -11, 20, 50 },
    pisiform = { 6.7, -12.4, -22.6, 4.7, 7, 4, -9, 39, 21 },
    trapezium = { -6, -20.6, 24.5, 6.2, 4.6, 7.7, 3, -15, -12 },
    trapezoid = { -4.5, -24.6, 11.2, 7.4, 3.8, 4.8, -12, -11, -15 },
    capitate = { -0.2, -15, -0.1, 6.3, 9.4, 4.7, 14, -9, -21 },
    hamate = { -5.6, -24.9, -16.1, 7.8, 3.4, 5.3, -14, 56, 10 },
  },
}
local balls = { -- of each bone, in the order of `sides` below
  scaphoid = { { -1.4, 0.7, 8.6, 3 }, { -7.7, -6.6, 8.6, 2.5 }, { 0.2, 2.7, 6, 2.2 },
    { -6.7, -3.4, 9.7, 2.8 }, { -5.4, -12.7, 18.9, 2.7 }, { -3.1, -1, 1.4, 3.1 } },
  lunate = { { 1.5, -0.3, -8.6, 2.8 }, { -5.6, -8.1, -12.3, 2.3 }, { 3.9, -0.5, 0, 2 },
    { -9.6, -8.1, -0.7, 1.7 }, { 1, 0.3, -6.8, 2.5 }, { -5.7, -3.6, -8.5, 3.1 } },
  triquetrum = { { -3.1, -7.4, -21.7, 2.5 }, { -1.1, -18.5, -25.5, 2.9 },
    { 2.5, -19.8, -24.7, 2.2 }, { -8.6, -15, -19.3, 1.8 }, { -7.1, -11, -16.6, 2.3 },
    { 1.4, -17.4, -26.5, 2 } },
  trapezium = { { -0.7, -16, 24.9, 3.1 }, { -10.4, -30.7, 21.7, 2.3 }, { -4, -27.3, 20.5, 2.1 },
    { -13.1, -27.8, 19.9, 2.7 }, { -8.5, -23.5, 23.6, 2.4 }, { -1.7, -19.4, 19.6, 2.1 } },
  trapezoid = { { -6.9, -20.2, 12.5, 2.7 }, { -13.6, -29.4, 9.2, 1.9 }, { 0.9, -21.7, 11.6, 2.4 },
    { -12, -24.4, 14.2, 2.2 }, { 0.1, -22.1, 11.4, 2.9 }, { -10.4, -28.4, 5.9, 2.7 } },
  capitate = { { 2.2, -10.5, -3, 3.7 }, { 1.6, -25.3, 2.8, 3.3 }, { 0.3, -13.8, 5.4, 2.9 },
    { -10.7, -23, 0.2, 2.3 }, { -2.8, -19, 5.3, 2.4 }, { -11.3, -25.2, -6.1, 2.6 } },
  hamate = { { -1.7, -12.8, -9.7, 2 }, { 9.8, -30.7, -12.5, 2.2 }, { 10.1, -27.1, -13.9, 1.5 },
    { -9.1, -17, -12.1, 2.6 }, { -1, -25.9, -9.8, 1.7 }, { -5.7, -20.5, -18.2, 2.8 } },
}

recipe.parts = { { k = 0, "pisiform" } }
local sides = { "prox", "dist", "palm", "back", "thumb", "little" }
for _, name in ipairs { "scaphoid", "lunate", "triquetrum", "trapezium", "trapezoid", "capitate",
  "hamate" } do
  local names, faces = {}, { k = 3.5 }
  for i, side in ipairs(sides) do
    names[i] = name .. "_" .. side
    recipe.points[names[i]] = balls[name][i]
  end
  for a = 1, 2 do
    for b = 3, 4 do
      for c = 5, 6 do faces[#faces + 1] = names[a] .. " " .. names[b] .. " " .. names[c] end
    end
  end
  table.insert(recipe.parts, { apart = true, k = 0, name })
  table.insert(recipe.parts, faces)
end
return recipe

-- The large bones of a skeleton, each made of several plates and balls: pelvis, skull and jaw. See
-- bones.lua for their parameters.
local mesh = require "sinew.mesh"
local shapes = require "sinew.shapes"

local bones = {}

local size = shapes.want_size

-- points given as multiples of width, height and depth
local function scaled(list, w, h, d)
  local dest = {}
  for i, p in ipairs(list) do dest[i] = { w * p[1], h * p[2], d * p[3] } end
  return dest
end

local function both_sides(parts, part)
  parts[#parts + 1] = part
  parts[#parts + 1] = part:mirrored()
end

-- a curved sheet through rows of equally many points, thick in the middle of each row
local function sheet(rows, thickness)
  local across, rings = {}, {}
  for i, row in ipairs(rows) do across[i] = mesh.smooth(row, 3) end
  local lines = {}
  for k = 1, #across[1] do
    local line = {}
    for i = 1, #across do line[i] = across[i][k] end
    lines[k] = mesh.smooth(line, 2)
  end
  local count, steps = #lines[1], #lines
  for i = 1, count do
    local front, back = {}, {}
    for k = 1, steps do
      local p, before, after = lines[k][i], lines[k][math.max(i - 1, 1)],
        lines[k][math.min(i + 1, count)]
      local low, high = lines[math.max(k - 1, 1)][i], lines[math.min(k + 1, steps)][i]
      local ux, uy, uz = after[1] - before[1], after[2] - before[2], after[3] - before[3]
      local vx, vy, vz = high[1] - low[1], high[2] - low[2], high[3] - low[3]
      local nx, ny, nz = mesh.unit(vy * uz - vz * uy, vz * ux - vx * uz, vx * uy - vy * ux)
      local half = thickness / 2 * ((k == 1 or k == steps) and 0.6 or 1)
      front[k] = { p[1] + half * nx, p[2] + half * ny, p[3] + half * nz }
      back[steps + 1 - k] = { p[1] - half * nx, p[2] - half * ny, p[3] - half * nz }
    end
    for k = 1, steps do front[steps + k] = back[k] end
    rings[i] = front
  end
  local function middle(ring)
    local m = { 0, 0, 0 }
    for _, p in ipairs(ring) do
      for k = 1, 3 do m[k] = m[k] + p[k] / #ring end
    end
    return m
  end
  return mesh.loft(rings, middle(rings[1]), middle(rings[count]))
end

-- The origin is the middle between the hip joints, which are 0.31 of the width to each side.
function bones.pelvis(params)
  local w = size("pelvis", params, "width", 0.28)
  local h, d = size("pelvis", params, "height", 0.2), size("pelvis", params, "depth", 0.16)
  local thick, parts = 0.05 * w, {}
  local function at(...) return scaled({ ... }, w, h, d) end
  -- the wing of the ilium, from the front spine to the back one, each row up to the crest
  both_sides(parts, sheet({
    at({ -0.35, 0.12, 0.2 }, { -0.42, 0.3, 0.33 }, { -0.46, 0.46, 0.4 }),
    at({ -0.33, 0.1, 0.08 }, { -0.41, 0.38, 0.16 }, { -0.5, 0.64, 0.2 }),
    at({ -0.27, 0.12, -0.1 }, { -0.36, 0.42, -0.06 }, { -0.48, 0.72, -0.06 }),
    at({ -0.22, 0.14, -0.26 }, { -0.28, 0.42, -0.28 }, { -0.37, 0.68, -0.32 }),
    at({ -0.17, 0.2, -0.38 }, { -0.19, 0.36, -0.46 }, { -0.23, 0.56, -0.55 }),
    at({ -0.14, 0.24, -0.44 }, { -0.14, 0.34, -0.52 }, { -0.15, 0.46, -0.6 }),
  }, 0.75 * thick))
  both_sides(parts, mesh.ellipsoid(12, 5, { -0.31 * w, 0, 0 }, { 0.09 * w, 0.14 * h, 0.17 * d }))
  -- pubis in front, ischium below
  both_sides(parts, shapes.tube_mesh(at({ -0.28, 0.02, 0.1 }, { -0.14, -0.06, 0.42 },
    { -0.02, -0.12, 0.46 }), { 0.9 * thick, 0.6 * thick, 0.9 * thick }, 1, { 0, 1, 0 }, 1, 8, 4))
  both_sides(parts, shapes.tube_mesh(at({ -0.28, -0.04, -0.06 }, { -0.24, -0.32, -0.2 },
    { -0.18, -0.42, -0.02 }, { -0.03, -0.2, 0.42 }), { thick, 1.1 * thick, 0.8 * thick,
    0.6 * thick }, 1, { 1, 0, 0 }, 1, 8, 4))
  -- the sacrum, a wedge that bends backwards
  parts[#parts + 1] = shapes.tube_mesh(at({ 0, 0.5, -0.34 }, { 0, 0.26, -0.52 }, { 0, 0, -0.58 },
    { 0, -0.18, -0.46 }), { 1.7 * thick, 1.5 * thick, 0.9 * thick, 0.35 * thick }, 2,
    { 1, 0, 0 }, 0.6, 12, 4)
  both_sides(parts, mesh.ellipsoid(10, 5, { -0.11 * w, 0.42 * h, -0.44 * d },
    { 0.08 * w, 0.1 * h, 0.1 * d }))
  return shapes.finish("pelvis", params, mesh.merge(parts))
end

-- A row of teeth on the arch x = w sin, z = back + d cos, `high` from gum to edge (negative: down).
local function add_teeth(parts, y, high, w, back, d)
  for i = -6, 6 do
    local angle = math.rad(13 * i)
    local wide = math.abs(i) > 3 and 0.075 or 0.055
    local x, z = w * math.sin(angle), back + d * math.cos(angle)
    parts[#parts + 1] = mesh.ellipsoid(6, 3, { x, y + high / 2, z }, { 1.5 * wide * w,
      math.abs(high) * 0.62, 1.5 * wide * w })
  end
end

-- the outline of the face by height: half width, and depth forward; h = 1
local face = {
  { 0.6, 0.25, 0.49 }, { 0.47, 0.345, 0.525 }, { 0.36, 0.35, 0.47 }, { 0.26, 0.335, 0.455 },
  { 0.18, 0.27, 0.45 }, { 0.09, 0.2, 0.465 }, { 0, 0.17, 0.475 }, { -0.045, 0.155, 0.465 },
}

local function face_at(y)
  for i = 2, #face do
    local above, below = face[i - 1], face[i]
    if y >= below[1] or i == #face then
      local t = (above[1] - y) / (above[1] - below[1])
      return above[2] + (below[2] - above[2]) * t, above[3] + (below[3] - above[3]) * t
    end
  end
end

-- depth of the eye sockets and of the nose opening at a point of the face
local function hollow(x, y)
  local eye = 1 - ((math.abs(x) - 0.168) / 0.118) ^ 2 - ((y - 0.35) / 0.098) ^ 2
  if eye > 0 then return 0.2 * math.sqrt(eye) end
  local narrow = 0.068 - 0.28 * math.max(0, y - 0.13)
  if y > 0.085 and y < 0.29 and math.abs(x) < narrow then return 0.1 end
  return 0
end

local function face_mesh(h)
  local rings, sides, steps = {}, 44, 20
  local high, low = face[1][1], face[#face][1]
  for i = 0, steps do
    local y = low + (high - low) * i / steps
    local half, front = face_at(y)
    local back, ring = y > 0.2 and 0.05 or 0.13, {}
    for k = 1, sides do
      -- counter-clockwise seen from above, where the next ring is
      local angle = -2 * math.pi * k / sides
      local c, s = math.cos(angle), math.sin(angle)
      local x = half * (c < 0 and -1 or 1) * math.abs(c) ^ 0.85
      local z = (front + back) / 2 + (front - back) / 2 * (s < 0 and -1 or 1) * math.abs(s) ^ 0.75
      if s > 0.2 then z = z - hollow(x, y) end
      ring[k] = { h * x, h * y, h * z }
    end
    rings[i + 1] = ring
  end
  return mesh.loft(rings, { 0, h * low, h * 0.3 }, { 0, h * high, h * 0.25 })
end

-- The origin is the joint with the neck; the head extends upwards from there by its height.
function bones.skull(params)
  local h = size("skull", params, "height", 0.19)
  local parts = {}
  local function r(x, y, z) return { h * x, h * y, h * z } end
  -- the vault, narrower below and towards the face
  parts[1] = mesh.ball(24, 13, function(x, y, z)
    local narrow = 1 - 0.16 * math.max(0, z) ^ 2 - 0.22 * math.max(0, -y) ^ 2
    local low = math.max(0, -y) * math.max(0, z)
    return h * 0.40 * x * narrow, h * (0.57 + 0.43 * y), h * (0.03 + 0.5 * z - 0.22 * low)
  end)
  parts[2] = face_mesh(h)
  -- nasal bone, cheekbones and the arches to the ears, mastoids
  parts[3] = shapes.tube_mesh({ r(0, 0.43, 0.48), r(0, 0.35, 0.475), r(0, 0.28, 0.5) },
    { 0.045 * h, 0.035 * h, 0.04 * h }, 0.8, { 0, 0, 1 }, 1, 8, 3)
  both_sides(parts, shapes.tube_mesh({ r(-0.36, 0.25, 0), r(-0.395, 0.23, 0.14),
    r(-0.325, 0.225, 0.3), r(-0.22, 0.2, 0.41) }, { 0.03 * h, 0.03 * h, 0.05 * h, 0.05 * h }, 1.3,
    { 0, 1, 0 }, 1, 8, 4))
  both_sides(parts, shapes.tube_mesh({ r(-0.315, 0.25, 0.32), r(-0.32, 0.36, 0.33),
    r(-0.29, 0.46, 0.38) }, { 0.045 * h, 0.035 * h, 0.04 * h }, 1, { 0, 0, 1 }, 1, 8, 3))
  both_sides(parts, mesh.ellipsoid(8, 4, r(-0.32, 0.1, -0.04), { 0.055 * h, 0.12 * h, 0.08 * h }))
  add_teeth(parts, -0.04 * h, -0.045 * h, 0.14 * h, 0.29 * h, 0.165 * h)
  return shapes.finish("skull", params, mesh.merge(parts))
end

-- A horseshoe to the chin; the joints are half a width to each side of the origin.
function bones.jaw(params)
  local w, l = size("jaw", params, "width", 0.1), size("jaw", params, "length", 0.085)
  local function at(...) return scaled({ ... }, w, l, l) end
  local parts = {
    shapes.tube_mesh(at({ -0.5, 0, 0 }, { -0.48, -0.35, 0.05 }, { -0.4, -0.62, 0.3 },
      { -0.24, -0.72, 0.75 }, { 0, -0.74, 0.95 }, { 0.24, -0.72, 0.75 }, { 0.4, -0.62, 0.3 },
      { 0.48, -0.35, 0.05 }, { 0.5, 0, 0 }), 0.07 * w, 1.9, { 0, 1, 0 }, 1, 8, 3),
    mesh.ellipsoid(10, 5, { 0, -0.76 * l, 0.93 * l }, { 0.14 * w, 0.16 * l, 0.1 * l }),
  }
  -- the branch that goes up to the joint is broad
  both_sides(parts, shapes.tube_mesh(at({ -0.49, -0.06, 0.03 }, { -0.475, -0.3, 0.12 },
    { -0.43, -0.56, 0.26 }), { 0.05 * w, 0.055 * w, 0.06 * w }, 3, { 0, 0, 1 }, 1, 8, 3))
  add_teeth(parts, -0.6 * l, 0.09 * l, 0.25 * w, 0.48 * l, 0.42 * l)
  return shapes.finish("jaw", params, mesh.merge(parts))
end

return bones

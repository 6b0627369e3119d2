-- The slow way to make meshes, point by point: what sinew.mesh is compared with.
--
-- A mesh is { vertices = flat x y z, triangles = flat numbers of vertices, from 1 }, with triangles
-- counter-clockwise seen from outside. Each piece is closed (every edge has two triangles), and so
-- is what merge makes of several.
local mesh = {}

local sqrt, sin, cos, pi, floor = math.sqrt, math.sin, math.cos, math.pi, math.floor

function mesh.new() return { vertices = {}, triangles = {} } end

-- Rings of equally many points { x, y, z } joined into a tube, its ends closed by a fan about the
-- points `first` and `last`. Each ring runs counter-clockwise seen from the next.
function mesh.loft(rings, first, last)
  local m, sides, count = mesh.new(), #rings[1], #rings
  local v, t, n = m.vertices, m.triangles, 0
  local function add(p)
    v[n + 1], v[n + 2], v[n + 3] = p[1], p[2], p[3]
    n = n + 3
  end
  for r = 1, count do
    local ring = rings[r]
    for k = 1, sides do add(ring[k]) end
  end
  add(first)
  add(last)
  local head, end_ring = count * sides + 1, (count - 1) * sides
  n = 0
  for k = 1, sides do
    local next_k = k % sides + 1
    t[n + 1], t[n + 2], t[n + 3] = head, next_k, k
    t[n + 4], t[n + 5], t[n + 6] = head + 1, end_ring + k, end_ring + next_k
    n = n + 6
    for base = 0, end_ring - sides, sides do
      local a, c = base + k, base + sides + next_k
      t[n + 1], t[n + 2], t[n + 3] = a, base + next_k, c
      t[n + 4], t[n + 5], t[n + 6] = a, c, base + sides + k
      n = n + 6
    end
  end
  return m
end

-- A sphere of rings about the y axis; each point is mapped by `place(x, y, z)`.
function mesh.ball(sides, rings, place)
  local loops = {}
  for r = 1, rings do
    local polar, loop = pi * r / (rings + 1), {}
    for k = 1, sides do
      local a = 2 * pi * k / sides
      loop[k] = { place(sin(polar) * cos(a), cos(polar), sin(polar) * sin(a)) }
    end
    loops[r] = loop
  end
  return mesh.loft(loops, { place(0, 1, 0) }, { place(0, -1, 0) })
end

local function unit(x, y, z)
  local length = sqrt(x * x + y * y + z * z)
  if length < 1e-12 then return 0, 0, 0, 0 end
  return x / length, y / length, z / length, length
end

-- a direction perpendicular to the unit vector (x, y, z), as near to `up` as possible
local function across(x, y, z, up)
  local ux, uy, uz = up[1], up[2], up[3]
  local along = ux * x + uy * y + uz * z
  local sx, sy, sz, length = unit(ux - along * x, uy - along * y, uz - along * z)
  if length and length > 1e-3 then return sx, sy, sz end
  if math.abs(x) < 0.9 then return across(x, y, z, { 1, 0, 0 }) end
  return across(x, y, z, { 0, 1, 0 })
end

-- A tube along points. `size(t)` returns the half widths across the path, along `up` and sideways,
-- at t from 0 to 1 along it; the ends are rounded by `cap` (times the half width; 0: flat).
function mesh.tube(path, size, sides, up, cap)
  local rings, count = {}, #path
  local function ring_at(p, t, scale, shift, direction, side)
    local a, b = size(t)
    local ring = {}
    local dx, dy, dz = direction[1], direction[2], direction[3]
    local ux, uy, uz = side[1], side[2], side[3]
    local vx, vy, vz = dy * uz - dz * uy, dz * ux - dx * uz, dx * uy - dy * ux
    for k = 1, sides do
      local angle = 2 * pi * k / sides
      local u, v = a * scale * cos(angle), b * scale * sin(angle)
      ring[k] = { p[1] + u * ux + v * vx + shift * dx, p[2] + u * uy + v * vy + shift * dy,
        p[3] + u * uz + v * vz + shift * dz }
    end
    rings[#rings + 1] = ring
  end
  local side, ends = up, {}
  for i, p in ipairs(path) do
    local before, after = path[math.max(i - 1, 1)], path[math.min(i + 1, count)]
    local dx, dy, dz = unit(after[1] - before[1], after[2] - before[2], after[3] - before[3])
    local direction, t = { dx, dy, dz }, (i - 1) / (count - 1)
    -- carried along the path, so that the tube does not twist
    side = { across(dx, dy, dz, side) }
    local a, b = size(t)
    local reach = cap * math.min(a, b)
    if i == count then ring_at(p, t, 1, 0, direction, side) end
    if i == 1 or i == count then
      local sign = i == 1 and -1 or 1
      ends[#ends + 1] = { p[1] + sign * reach * dx, p[2] + sign * reach * dy,
        p[3] + sign * reach * dz }
      if cap > 0 then ring_at(p, t, 0.75, sign * reach * 0.66, direction, side) end
    end
    if i < count then ring_at(p, t, 1, 0, direction, side) end
  end
  return mesh.loft(rings, ends[1], ends[2])
end

-- on the Catmull-Rom curve through b and c, at t from 0 to 1
local function between(a, b, c, d, t)
  return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t
    + (3 * b - a - 3 * c + d) * t * t * t)
end

-- Points on a Catmull-Rom curve through the given ones, `steps` for each interval.
function mesh.smooth(points, steps)
  local dest, count = {}, #points
  for i = 1, count - 1 do
    local p0, p1 = points[math.max(i - 1, 1)], points[i]
    local p2, p3 = points[i + 1], points[math.min(i + 2, count)]
    for s = 0, steps - 1 do
      local t = s / steps
      local point = {}
      for k = 1, 3 do
        point[k] = between(p0[k], p1[k], p2[k], p3[k], t)
      end
      dest[#dest + 1] = point
    end
  end
  dest[#dest + 1] = { points[count][1], points[count][2], points[count][3] }
  return dest
end

function mesh.merge(list)
  local m = mesh.new()
  for _, part in ipairs(list) do
    local offset, v, t = floor(#m.vertices / 3), m.vertices, m.triangles
    local v_count, t_count = #v, #t
    for i = 1, #part.vertices do v[v_count + i] = part.vertices[i] end
    for i = 1, #part.triangles do t[t_count + i] = part.triangles[i] + offset end
  end
  return m
end

-- Maps every vertex by `place(x, y, z)`; set `turned` if that mirrors, to keep the outside outside.
function mesh.placed(m, place, turned)
  local v, t = m.vertices, m.triangles
  local dest = { vertices = {}, triangles = {} }
  for i = 1, #v, 3 do
    dest.vertices[i], dest.vertices[i + 1], dest.vertices[i + 2] = place(v[i], v[i + 1], v[i + 2])
  end
  for i = 1, #t, 3 do
    local second, third = i + 1, i + 2
    if turned then second, third = third, second end
    dest.triangles[i], dest.triangles[i + 1], dest.triangles[i + 2] = t[i], t[second], t[third]
  end
  return dest
end

-- Smooth normals: the area-weighted mean of the triangles at each vertex.
function mesh.normals(m)
  local v, dest = m.vertices, {}
  for i = 1, #v do dest[i] = 0 end
  for i = 1, #m.triangles, 3 do
    local a, b, c = 3 * m.triangles[i] - 2, 3 * m.triangles[i + 1] - 2, 3 * m.triangles[i + 2] - 2
    local bx, by, bz = v[b] - v[a], v[b + 1] - v[a + 1], v[b + 2] - v[a + 2]
    local cx, cy, cz = v[c] - v[a], v[c + 1] - v[a + 1], v[c + 2] - v[a + 2]
    local nx, ny, nz = by * cz - bz * cy, bz * cx - bx * cz, bx * cy - by * cx
    for _, at in ipairs { a, b, c } do
      dest[at], dest[at + 1], dest[at + 2] = dest[at] + nx, dest[at + 1] + ny, dest[at + 2] + nz
    end
  end
  for i = 1, #dest, 3 do
    local x, y, z, length = unit(dest[i], dest[i + 1], dest[i + 2])
    dest[i], dest[i + 1], dest[i + 2] = x, length > 0 and y or 1, z
  end
  return dest
end

return mesh

-- Builds triangle meshes for shapes.lua: rings of points joined into closed surfaces.
--
-- A mesh is a sinew.mesh, or a table { vertices = flat x y z, triangles = flat indices of vertices,
-- from 1 }, with triangles counter-clockwise seen from outside. Each piece is closed (every edge
-- has two triangles), and so is the result of merge.
local sinew = require "sinew"

local mesh = {}

local sqrt = math.sqrt

function mesh.new() return { vertices = {}, triangles = {} } end

-- Rings of equally many points { x, y, z } joined into a tube. A fan closes each end, around the
-- points `first` and `last`. Each ring is counter-clockwise seen from the next.
mesh.loft = sinew.mesh.loft

-- An ellipsoid of rings about the y axis.
function mesh.ellipsoid(sides, rings, centre, radii)
  return sinew.mesh.ball(sides, rings, centre, radii)
end

local function unit(x, y, z)
  local length = sqrt(x * x + y * y + z * z)
  if length < 1e-12 then return 0, 0, 0, 0 end
  return x / length, y / length, z / length, length
end

-- A tube along points. `size(t)` gives the half widths across the path, along `up` and sideways, at
-- t from 0 to 1 along it; the ends are rounded by `cap` (times the half width; 0: flat). With
-- `steps` it runs along a smooth curve through the points, see mesh.smooth.
function mesh.tube(path, size, sides, up, cap, steps)
  steps = steps or 1
  local sizes, last = {}, (#path - 1) * steps
  for i = 0, last do
    sizes[2 * i + 1], sizes[2 * i + 2] = size(i / last)
  end
  return sinew.mesh.tube(path, steps, sizes, sides, up, cap)
end

-- a point of the Catmull-Rom curve between b and c, at t from 0 to 1
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

-- A plate with a rounded rim. The outline must be star-shaped about its middle; each edge has
-- `steps` points. The plate is `thickness` thick in its middle, which is displaced by `bulge`.
-- `round` makes a curve through the outline's points instead of straight edges.
function mesh.plate(outline, thickness, bulge, steps, round)
  local rim, middle, count = {}, { 0, 0, 0 }, #outline
  local nx, ny, nz = 0, 0, 0
  for i, p in ipairs(outline) do
    local q = outline[i % count + 1]
    nx, ny = nx + (p[2] - q[2]) * (p[3] + q[3]), ny + (p[3] - q[3]) * (p[1] + q[1])
    nz = nz + (p[1] - q[1]) * (p[2] + q[2])
    for k = 1, 3 do middle[k] = middle[k] + p[k] / count end
    local before, after = outline[(i - 2) % count + 1], outline[(i + 1) % count + 1]
    for s = 0, steps - 1 do
      local t, corner = s / steps, {}
      for k = 1, 3 do
        corner[k] = round and between(before[k], p[k], q[k], after[k], t)
          or p[k] + (q[k] - p[k]) * t
      end
      rim[#rim + 1] = corner
    end
  end
  nx, ny, nz = unit(nx, ny, nz)
  local function lifted(p, scale, height)
    local h = height + bulge * (1 - scale * scale)
    return { middle[1] + (p[1] - middle[1]) * scale + nx * h,
      middle[2] + (p[2] - middle[2]) * scale + ny * h,
      middle[3] + (p[3] - middle[3]) * scale + nz * h }
  end
  local rings = {}
  for _, level in ipairs { { 0.4, -0.5 }, { 0.8, -0.45 }, { 0.97, -0.4 }, { 1, 0 }, { 0.97, 0.4 },
    { 0.8, 0.45 }, { 0.4, 0.5 } } do
    local ring = {}
    for i, p in ipairs(rim) do ring[i] = lifted(p, level[1], level[2] * thickness) end
    rings[#rings + 1] = ring
  end
  return mesh.loft(rings, lifted(middle, 0, -0.5 * thickness), lifted(middle, 0, 0.5 * thickness))
end

-- Merges several meshes; they share no vertices.
mesh.merge = sinew.mesh.merge

-- Smooth normals: the mean of each vertex's triangles, weighted by area.
function mesh.normals(m) return sinew.normals(m.vertices, m.triangles) end

return mesh

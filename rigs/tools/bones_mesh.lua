-- Triangle meshes in plain Lua, for bones.lua: reading VTP files, pieces, samples, the nearest
-- point, and what is seen from outside. A mesh is { vertices = list of {x, y, z}, triangles = list
-- of {a, b, c} }.
local meshes = {}

-- Reads the polygons of an ASCII VTP file of OpenSim and turns them into the rig's frame: (x, y, z)
-- there is (-z, y, x) here. Nil and why if it cannot be read.
function meshes.read(path)
  local file, message = io.open(path, "rb")
  if not file then return nil, message end
  local text = file:read "*a"
  file:close()
  local function numbers(section, name)
    local part = text:match("<" .. section .. "[%s>].-</" .. section .. ">") or ""
    local list = {}
    for head, body in part:gmatch "<DataArray(.-)>(.-)</DataArray>" do
      if head:find 'format="ascii"' and (not name or head:find(('Name="%s"'):format(name))) then
        for word in body:gmatch "%S+" do list[#list + 1] = tonumber(word) end
        return list
      end
    end
    return list
  end
  local places, corners, ends = numbers "Points", numbers("Polys", "connectivity"),
    numbers("Polys", "offsets")
  if #places == 0 or #ends == 0 then return nil, path .. ": no polygons in ASCII" end
  local vertices, triangles, first = {}, {}, 0
  for i = 1, #places, 3 do
    vertices[#vertices + 1] = { -places[i + 2], places[i + 1], places[i] }
  end
  for _, last in ipairs(ends) do
    for k = first + 3, last do
      triangles[#triangles + 1] = { corners[first + 1] + 1, corners[k - 1] + 1, corners[k] + 1 }
    end
    first = last
  end
  return meshes.weld { vertices = vertices, triangles = triangles }
end

-- joins vertices within 0.02 mm and drops triangles that vanish
function meshes.weld(mesh)
  local known, map, vertices, triangles = {}, {}, {}, {}
  for i, v in ipairs(mesh.vertices) do
    local key = ("%.0f %.0f %.0f"):format(v[1] * 5e4, v[2] * 5e4, v[3] * 5e4)
    if not known[key] then
      vertices[#vertices + 1] = v
      known[key] = #vertices
    end
    map[i] = known[key]
  end
  for _, t in ipairs(mesh.triangles) do
    local a, b, c = map[t[1]], map[t[2]], map[t[3]]
    if a ~= b and b ~= c and c ~= a then triangles[#triangles + 1] = { a, b, c } end
  end
  return { vertices = vertices, triangles = triangles }
end

-- the lists of a sinew.mesh
function meshes.of(made)
  local vertices, triangles = {}, {}
  local v, t = made.vertices, made.triangles
  for i = 1, #v, 3 do vertices[#vertices + 1] = { v[i], v[i + 1], v[i + 2] } end
  for i = 1, #t, 3 do triangles[#triangles + 1] = { t[i], t[i + 1], t[i + 2] } end
  return { vertices = vertices, triangles = triangles }
end

-- the connected pieces, in the order of their first triangles
function meshes.pieces(mesh)
  local parent = {}
  for i = 1, #mesh.vertices do parent[i] = i end
  local function root(i)
    while parent[i] ~= i do
      parent[i] = parent[parent[i]]
      i = parent[i]
    end
    return i
  end
  for _, t in ipairs(mesh.triangles) do
    parent[root(t[2])] = root(t[1])
    parent[root(t[3])] = root(t[1])
  end
  local known, pieces = {}, {}
  for _, t in ipairs(mesh.triangles) do
    local r = root(t[1])
    if not known[r] then
      known[r] = { vertices = mesh.vertices, triangles = {} }
      pieces[#pieces + 1] = known[r]
    end
    table.insert(known[r].triangles, t)
  end
  return pieces
end

-- whether every edge has two triangles, one in each direction
function meshes.closed(mesh)
  local edges = {}
  for _, t in ipairs(mesh.triangles) do
    for k = 1, 3 do
      local key = t[k] .. " " .. t[k % 3 + 1]
      if edges[key] then return false end
      edges[key] = true
    end
  end
  for key in pairs(edges) do
    local a, b = key:match "(%d+) (%d+)"
    if not edges[b .. " " .. a] then return false end
  end
  return true
end

-- --- points

-- `count` points on the surface, by area, the same ones every time
function meshes.samples(mesh, count)
  local sums, sum, seed = {}, 0, 12345
  local function random()
    seed = (seed * 1664525 + 1013904223) % 4294967296
    return seed / 4294967296
  end
  local v = mesh.vertices
  for i, t in ipairs(mesh.triangles) do
    local a, b, c = v[t[1]], v[t[2]], v[t[3]]
    local ux, uy, uz = b[1] - a[1], b[2] - a[2], b[3] - a[3]
    local wx, wy, wz = c[1] - a[1], c[2] - a[2], c[3] - a[3]
    local x, y, z = uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx
    sum = sum + math.sqrt(x * x + y * y + z * z)
    sums[i] = sum
  end
  local points = {}
  for i = 1, count do
    local at, low, high = random() * sum, 1, #sums
    while low < high do
      local middle = math.floor((low + high) / 2)
      if sums[middle] < at then low = middle + 1 else high = middle end
    end
    local t = mesh.triangles[low]
    local a, b, c, p, q = v[t[1]], v[t[2]], v[t[3]], random(), random()
    if p + q > 1 then p, q = 1 - p, 1 - q end
    local point = {}
    for k = 1, 3 do point[k] = a[k] + p * (b[k] - a[k]) + q * (c[k] - a[k]) end
    points[i] = point
  end
  return points
end

-- the point of triangle a, b, c that is nearest to p [Ericson 2005, 5.1.5]
local function nearest_of(p, a, b, c)
  local abx, aby, abz = b[1] - a[1], b[2] - a[2], b[3] - a[3]
  local acx, acy, acz = c[1] - a[1], c[2] - a[2], c[3] - a[3]
  local x, y, z = p[1] - a[1], p[2] - a[2], p[3] - a[3]
  local d1, d2 = abx * x + aby * y + abz * z, acx * x + acy * y + acz * z
  local s, t = 0, 0
  if d1 > 0 or d2 > 0 then
    x, y, z = p[1] - b[1], p[2] - b[2], p[3] - b[3]
    local d3, d4 = abx * x + aby * y + abz * z, acx * x + acy * y + acz * z
    x, y, z = p[1] - c[1], p[2] - c[2], p[3] - c[3]
    local d5, d6 = abx * x + aby * y + abz * z, acx * x + acy * y + acz * z
    local va, vb, vc = d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2
    if d3 >= 0 and d4 <= d3 then
      s = 1
    elseif vc <= 0 and d1 >= 0 and d3 <= 0 then
      s = d1 / (d1 - d3)
    elseif d6 >= 0 and d5 <= d6 then
      t = 1
    elseif vb <= 0 and d2 >= 0 and d6 <= 0 then
      t = d2 / (d2 - d6)
    elseif va <= 0 and d4 >= d3 and d5 >= d6 then
      t = (d4 - d3) / (d4 - d3 + d5 - d6)
      s = 1 - t
    else
      s, t = vb / (va + vb + vc), vc / (va + vb + vc)
    end
  end
  return a[1] + s * abx + t * acx, a[2] + s * aby + t * acy, a[3] + s * abz + t * acz
end

-- the longest side of its box, and the corners
function meshes.size(mesh)
  local low, high = { 9, 9, 9 }, { -9, -9, -9 }
  for _, t in ipairs(mesh.triangles) do
    for i = 1, 3 do
      local v = mesh.vertices[t[i]]
      for k = 1, 3 do low[k], high[k] = math.min(low[k], v[k]), math.max(high[k], v[k]) end
    end
  end
  return math.max(high[1] - low[1], high[2] - low[2], high[3] - low[3]), low, high
end

-- A function that gives the distance from a point to the mesh and the nearest place. Triangles
-- stand in all cells of a grid that their boxes touch; cells are visited in growing shells. `count`
-- cells along the longest side (40, at most 60): fewer are better for points far away.
function meshes.nearest(mesh, count)
  local v, most, low, high = mesh.vertices, meshes.size(mesh)
  local size, cells, last = most / (count or 40) + 1e-6, {}, {}
  for k = 1, 3 do last[k] = math.floor((high[k] - low[k]) / size) end
  local function cell(x, k)
    return math.max(0, math.min(last[k], math.floor((x - low[k]) / size)))
  end
  for n, t in ipairs(mesh.triangles) do
    local a, b, c, from, to = v[t[1]], v[t[2]], v[t[3]], {}, {}
    for k = 1, 3 do
      from[k] = cell(math.min(a[k], b[k], c[k]), k)
      to[k] = cell(math.max(a[k], b[k], c[k]), k)
    end
    for i = from[1], to[1] do
      for j = from[2], to[2] do
        for l = from[3], to[3] do
          local key = (i * 64 + j) * 64 + l
          cells[key] = cells[key] or {}
          table.insert(cells[key], n)
        end
      end
    end
  end
  return function(p)
    local ci, cj, cl = cell(p[1], 1), cell(p[2], 2), cell(p[3], 3)
    local off = 0 -- how far outside of the grid's box it is
    for k = 1, 3 do off = math.max(off, low[k] - p[k], p[k] - high[k]) end
    local best, x, y, z = math.huge, nil, nil, nil
    for ring = 0, 64 do
      if math.max(off, (ring - 1) * size) > best then break end
      for i = math.max(0, ci - ring), math.min(last[1], ci + ring) do
        for j = math.max(0, cj - ring), math.min(last[2], cj + ring) do
          local edge = math.abs(i - ci) == ring or math.abs(j - cj) == ring
          for l = cl - ring, cl + ring, (edge or ring == 0) and 1 or 2 * ring do
            local list = l >= 0 and l <= last[3] and cells[(i * 64 + j) * 64 + l]
            for n = 1, list and #list or 0 do
              local t = mesh.triangles[list[n]]
              local qx, qy, qz = nearest_of(p, v[t[1]], v[t[2]], v[t[3]])
              local d = math.sqrt((qx - p[1]) ^ 2 + (qy - p[2]) ^ 2 + (qz - p[3]) ^ 2)
              if d < best then best, x, y, z = d, qx, qy, qz end
            end
          end
        end
      end
    end
    return best, { x, y, z }
  end
end

-- --- what is seen

-- how far the mesh reaches along a direction, over squares of `size` across it: by "column row"
local function depths(mesh, way, across, up, size)
  local places, map = {}, {}
  for i, v in ipairs(mesh.vertices) do
    places[i] = { (v[1] * across[1] + v[2] * across[2] + v[3] * across[3]) / size,
      (v[1] * up[1] + v[2] * up[2] + v[3] * up[3]) / size,
      v[1] * way[1] + v[2] * way[2] + v[3] * way[3] }
  end
  for _, t in ipairs(mesh.triangles) do
    local a, b, c = places[t[1]], places[t[2]], places[t[3]]
    local area = (b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1])
    for i = math.ceil(math.min(a[1], b[1], c[1])), math.floor(math.max(a[1], b[1], c[1])) do
      for j = math.ceil(math.min(a[2], b[2], c[2])), math.floor(math.max(a[2], b[2], c[2])) do
        local u = ((b[1] - i) * (c[2] - j) - (b[2] - j) * (c[1] - i)) / area
        local w = ((c[1] - i) * (a[2] - j) - (c[2] - j) * (a[1] - i)) / area
        if u >= 0 and w >= 0 and u + w <= 1 then
          local key, depth = i * 65536 + j, u * a[3] + w * b[3] + (1 - u - w) * c[3]
          if not map[key] or depth > map[key] then map[key] = depth end
        end
      end
    end
  end
  return map
end

-- those of the points on a mesh that are seen from a tenth of all directions outside
function meshes.seen(mesh, points)
  local times, kept, count, size = {}, {}, 40, 0.0012
  for n = 1, count do
    local y, angle = 1 - (2 * n - 1) / count, 2.399963 * n
    local r = math.sqrt(1 - y * y)
    local way, across = { r * math.cos(angle), y, r * math.sin(angle) },
      { -math.sin(angle), 0, math.cos(angle) }
    local up = { way[2] * across[3] - way[3] * across[2], way[3] * across[1] - way[1] * across[3],
      way[1] * across[2] - way[2] * across[1] }
    local map = depths(mesh, way, across, up, size)
    local function along(p, v) return p[1] * v[1] + p[2] * v[2] + p[3] * v[3] end
    for i, p in ipairs(points) do
      local key = math.floor(along(p, across) / size + 0.5) * 65536
        + math.floor(along(p, up) / size + 0.5)
      if along(p, way) > (map[key] or -9) - 0.002 then times[i] = (times[i] or 0) + 1 end
    end
  end
  for i, p in ipairs(points) do
    if (times[i] or 0) >= count / 10 then kept[#kept + 1] = p end
  end
  return kept
end

return meshes

-- Measures the bones of lua/sinew/bones against the meshes that they were measured on. After a
-- build:
--
--   lua5.4 rigs/tools/bones.lua [-d FOLDER] [NAME ...]
--
-- FOLDER has the VTP files of the OpenSim model of Rajagopal et al. 2016 (../shared/data/geometry).
-- Prints a table: landmarks, parts, triangles and milliseconds at the recipe's cell, the mean and
-- the 95th percentile of the distance in mm from the recipe's surface to the mesh and back, the
-- limit of the means, whether the surface is closed, with two triangles at each edge, and how many
-- pieces it has. Ends with 1 if one is over its limit or open. From Lua: `require "bones"` gives
-- `measure(name, folder)`.
local root = ((arg and arg[0] or ""):match("^(.*)[/\\]") or "rigs/tools") .. "/../.."
local build = rawget(_G, "jit") and "luajit" or "lua"
package.path = ("%s/rigs/tools/?.lua;%s/lua/?.lua;%s"):format(root, root, package.path)
package.cpath = ("%s/build/%s/?.so;%s"):format(root, build, package.cpath)

local sinew = require "sinew"
local blend = require "sinew.blend"
local meshes = require "bones_mesh"

-- The counterpart of each recipe: the file and, where it holds several bones, the number of the
-- piece. `align`: the recipe has another frame, so that the mesh is moved and turned to it first.
-- `limit`: 1 mm unless given. `seen`: only what is seen from outside counts, since the mesh has an
-- inside. `part`: the mesh has more than the recipe, so that only the way there counts. `origin`:
-- of the recipe, in the frame of the mesh.
local real = {
  { "skull", "hat_skull", align = true, seen = true }, { "jaw", "hat_jaw", align = true },
  { "atlas", "hat_spine", piece = 42, align = true, limit = 0.8 },
  { "axis", "hat_spine", piece = 46, align = true, limit = 0.8 },
  { "vertebra_cervical", "hat_spine", piece = 43, align = true, limit = 0.8 },
  { "vertebra_thoracic", "hat_spine", piece = 29, align = true, limit = 0.8 },
  { "vertebra_lumbar", "hat_spine", piece = 38, align = true, limit = 0.8 },
  { "sternum", "hat_ribs_scap", piece = 16, origin = { 0, 0.3785, 0.019 }, part = true },
  { "clavicle", "hat_ribs_scap", piece = 27, align = true },
  { "scapula", "hat_ribs_scap", piece = 29, align = true, limit = 1.2 },
  { "humerus", "humerus_rv", align = true }, { "ulna", "ulna_rv", align = true },
  { "radius", "radius_rv", align = true },
  { "metacarpal1", "metacarpal1_rvs", align = true },
  { "metacarpal", "metacarpal3_rvs", align = true },
  { "finger_proximal", "middle_proximal_rvs", align = true },
  { "finger_middle", "middle_medial_rvs", align = true },
  { "finger_distal", "middle_distal_rvs", align = true },
  { "hipbone", "r_pelvis", align = true, limit = 2.5 },
  { "sacrum", "sacrum", align = true, limit = 2.5 },
  { "femur", "r_femur" }, { "tibia", "r_tibia" }, { "fibula", "r_fibula" },
  { "patella", "r_patella" }, { "talus", "r_talus" },
  { "calcaneus", "r_foot", piece = 11 }, { "navicular", "r_foot", piece = 10 },
  { "cuboid", "r_foot", piece = 9 }, { "cuneiform_medial", "r_foot", piece = 6 },
  { "cuneiform_intermediate", "r_foot", piece = 7 }, { "cuneiform_lateral", "r_foot", piece = 8 },
  { "metatarsal1", "r_foot", piece = 1 }, { "metatarsal", "r_foot", piece = 2 },
  { "metatarsal5", "r_foot", piece = 5 }, { "toe1_proximal", "r_bofoot", piece = 10 },
  { "toe1_distal", "r_bofoot", piece = 1 }, { "toe_proximal", "r_bofoot", piece = 11 },
  { "toe_middle", "r_bofoot", piece = 6 }, { "toe_distal", "r_bofoot", piece = 2 },
}

-- --- alignment

-- where the rotation `rows` about `from`, which comes to `to`, takes a point
local function moved(p, rows, from, to)
  local x, y, z = p[1] - from[1], p[2] - from[2], p[3] - from[3]
  local dest = {}
  for k = 1, 3 do dest[k] = rows[k][1] * x + rows[k][2] * y + rows[k][3] * z + to[k] end
  return dest
end

local function moved_back(p, rows, from, to)
  local x, y, z = p[1] - to[1], p[2] - to[2], p[3] - to[3]
  local dest = {}
  for k = 1, 3 do dest[k] = rows[1][k] * x + rows[2][k] * y + rows[3][k] * z + from[k] end
  return dest
end

-- The rotation (rows) and the middles of the best motion from points to others: the polar factor
-- of their covariance, by Newton's iteration X = (X + X^-T) / 2.
local function best_motion(from, to)
  local a, b, x = { 0, 0, 0 }, { 0, 0, 0 }, { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }
  for i = 1, #from do
    for k = 1, 3 do a[k], b[k] = a[k] + from[i][k] / #from, b[k] + to[i][k] / #from end
  end
  for i = 1, #from do
    for k = 1, 3 do
      for j = 1, 3 do
        x[k][j] = x[k][j] + 1e3 * (to[i][k] - b[k]) * (from[i][j] - a[j])
      end
    end
  end
  for _ = 1, 60 do
    local c, det = {}, 0 -- cofactors
    for i = 1, 3 do
      local p, q = x[i % 3 + 1], x[(i + 1) % 3 + 1]
      c[i] = { p[2] * q[3] - p[3] * q[2], p[3] * q[1] - p[1] * q[3], p[1] * q[2] - p[2] * q[1] }
    end
    for k = 1, 3 do det = det + x[1][k] * c[1][k] end
    for i = 1, 3 do
      for k = 1, 3 do x[i][k] = (x[i][k] + c[i][k] / det) / 2 end
    end
  end
  return x, a, b
end

-- Steps of the iterative closest point method from a start { rows, from, to }, both ways, without
-- scaling: gives the last such triple and the mean distance before it.
local function approach(start, target, ours, steps, count)
  local last, mean = start, nil
  local here, there = meshes.samples(target.mesh, count), meshes.samples(ours.mesh, count)
  for _ = 1, steps do
    local from, to, sum = {}, {}, 0
    for _, p in ipairs(here) do
      local d, q = ours.near(moved(p, last[1], last[2], last[3]))
      from[#from + 1], to[#to + 1], sum = p, q, sum + d
    end
    for _, q in ipairs(there) do
      local d, p = target.near(moved_back(q, last[1], last[2], last[3]))
      from[#from + 1], to[#to + 1], sum = p, q, sum + d
    end
    local rows, a, b = best_motion(from, to)
    local settled = mean and math.abs(mean - sum / #from) < 1e-7
    last, mean = { rows, a, b }, sum / #from
    if settled then break end
  end
  return last, mean
end

local function middle(mesh)
  local sum, points = { 0, 0, 0 }, meshes.samples(mesh, 400)
  for _, p in ipairs(points) do
    for k = 1, 3 do sum[k] = sum[k] + p[k] / #points end
  end
  return sum
end

-- The target in the frame of `ours`: as it stands, or where that does not come near, turned by
-- right angles first, with the best of 24 ways.
local function aligned(mesh, mine)
  local target, ours = { mesh = mesh, near = meshes.nearest(mesh, 12) },
    { mesh = mine, near = meshes.nearest(mine, 12), size = meshes.size(mine) }
  local from, to, best, least = middle(mesh), middle(mine), nil, math.huge
  for n = 0, 23 do
    local m = sinew.mat4.turn({ 0, 1, 0 }, 90 * (n % 4))
    local side = math.floor(n / 4)
    m = m * sinew.mat4.turn(side < 4 and { 1, 0, 0 } or { 0, 0, 1 }, side < 4 and 90 * side
      or side == 4 and 90 or 270)
    local x, y, z = m:direction { 1, 0, 0 }, m:direction { 0, 1, 0 }, m:direction { 0, 0, 1 }
    local rows = { { x.x, y.x, z.x }, { x.y, y.y, z.y }, { x.z, y.z, z.z } }
    local tried, mean = approach({ rows, from, to }, target, ours, 6, 80)
    if mean < least then best, least = tried, mean end
    if n == 0 and mean < 0.01 * ours.size then break end
  end
  target.near, ours.near = meshes.nearest(mesh), meshes.nearest(mine)
  best = approach(best, target, ours, 30, 300)
  local vertices = {}
  for i, v in ipairs(mesh.vertices) do vertices[i] = moved(v, best[1], best[2], best[3]) end
  return { vertices = vertices, triangles = mesh.triangles }
end

-- --- distances

-- the mean and the 95th percentile in mm
local function spread(points, near)
  local list, sum = {}, 0
  for i, p in ipairs(points) do
    list[i] = 1000 * near(p)
    sum = sum + list[i]
  end
  table.sort(list)
  return sum / #list, list[math.max(1, math.floor(0.95 * #list))]
end

local function count(list)
  local n = 0
  for _ in pairs(list or {}) do n = n + 1 end
  return n
end

-- The figures of one recipe; nil and why if there is no such recipe or file.
local function measure(name, folder)
  local entry
  for _, e in ipairs(real) do entry = e[1] == name and e or entry end
  if not entry then return nil, ("'%s' has no counterpart"):format(name) end
  local known, recipe = pcall(require, "sinew.bones." .. name)
  if not known then return nil, ("no recipe '%s'"):format(name) end
  local target, message = meshes.read(("%s/%s.vtp"):format(folder, entry[2]))
  if not target then return nil, message end
  if entry.piece then target = meshes.pieces(target)[entry.piece] end

  local solid = blend.solid(recipe, {})
  local start = os.clock()
  local made = solid:mesh()
  local figures = { name = name, limit = entry.limit or 1, ms = 1000 * (os.clock() - start),
    landmarks = count(recipe.points) + count(recipe.ellipsoids) + count(recipe.drums),
    parts = #recipe.parts }
  local ours = meshes.of(made)
  figures.triangles, figures.pieces = #ours.triangles, #meshes.pieces(ours)
  figures.closed = meshes.closed(ours)
  if entry.align then target = aligned(target, ours) end
  for i, v in ipairs(entry.origin and target.vertices or {}) do
    local at = entry.origin
    target.vertices[i] = { v[1] - at[1], v[2] - at[2], v[3] - at[3] }
  end
  local near_target, near_ours = meshes.nearest(target), meshes.nearest(ours)
  local there = meshes.samples(ours, 3000)
  local back = meshes.samples(target, 3000)
  if entry.seen then
    there, back = meshes.seen(ours, there), meshes.seen(target, back)
  end
  figures.there, figures.there95 = spread(there, near_target)
  if not entry.part then figures.back, figures.back95 = spread(back, near_ours) end
  figures.good = figures.closed and figures.there <= figures.limit
    and (figures.back or 0) <= figures.limit
  return figures
end

local function fail(message)
  io.stderr:write(message, "\n")
  os.exit(1)
end

local function main()
  local folder, names, i = root .. "/../shared/data/geometry", {}, 1
  while arg[i] do
    if arg[i] == "-d" then
      folder, i = arg[i + 1] or fail "'-d' wants a folder", i + 1
    else
      names[#names + 1] = arg[i]
    end
    i = i + 1
  end
  local file = io.open(folder .. "/r_femur.vtp")
  if not file then fail(("no bone meshes in '%s': -d FOLDER says where"):format(folder)) end
  file:close()
  local asked = #names > 0
  if not asked then
    for k, entry in ipairs(real) do names[k] = entry[1] end
  end
  print "| bone | landmarks | parts | triangles | ms | to the mesh: mean / 95 % | back | limit | |"
  print "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
  local good = true
  for _, name in ipairs(names) do
    local f, message = measure(name, folder)
    if f then
      good = good and f.good
      print(("| %s | %d | %d | %d | %.0f | %.2f / %.2f | %s | %.1f | %s%s%s |"):format(f.name,
        f.landmarks, f.parts, f.triangles, f.ms, f.there, f.there95,
        f.back and ("%.2f / %.2f"):format(f.back, f.back95) or "-", f.limit,
        f.closed and "closed" or "OPEN", f.pieces == 1 and ", one piece" or ", " .. f.pieces
        .. " pieces", f.good and "" or ", OVER"))
    elseif asked or not message:find "^no recipe" then
      fail(message)
    end
  end
  os.exit(good and 0 or 1)
end

if arg and arg[0] and arg[0]:match "tools[/\\]bones%.lua$" then return main() end
return measure

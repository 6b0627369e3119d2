-- Curves, cones, fields, solids and meshes.
-- A case: `--- name: the functions that it covers`, then its script, which prepares arguments and
-- returns a function. It is called whole, then with a third of that work, and half of that memory.
-- SINEW_BUDGET_FIGURES=1 build/bin/sinew-tests budget_calls prints the times.
local sinew = require "sinew"
local function points(n)
  local list = {}
  for i = 1, n do list[i] = { i, math.sin(i) } end
  return list
end
local function turns(n)
  local list = {}
  for i = 1, n do
    list[i] = sinew.quat.axis({1, 0, 0}, 40 * math.sin(0.37 * i)) *
      sinew.quat.axis({0, 0, 1}, 25 * math.sin(0.91 * i))
  end
  return list
end
local function angles(n, axes)
  local list = {}
  for i = 1, n do
    list[i] = {}
    for k = 1, axes do list[i][k] = 40 * math.sin((0.37 + k / 10) * i) end
  end
  return list
end
local function blob(n)
  local points, parts = {}, {}
  for i = 1, n do
    points["p" .. i] = { 30 * i, 10 * (i % 3), 0, 20 }
    if i > 1 then parts[i - 1] = { "p" .. i - 1 .. " p" .. i } end
  end
  return sinew.shapes.blend { parts = parts, points = points }
end
local function ball(n) return sinew.mesh.ball(2 * n, n, {0, 0, 0}, {1, 1, 1}) end
--- spline: sinew.spline
local list = points(10000)
return function() for _ = 1, 10 do sinew.spline(list) end end
--- monotone: sinew.monotone
local list = points(10000)
return function() for _ = 1, 10 do sinew.monotone(list) end end
--- simm: sinew.simm
local list = points(10000)
return function() for _ = 1, 10 do sinew.simm(list) end end
--- piecewise: sinew.piecewise
local list = points(10000)
return function() for _ = 1, 10 do sinew.piecewise(list) end end
--- curve_points: sinew.piecewise
local curve = sinew.piecewise(points(20000))
return function() for _ = 1, 3 do local _ = curve.points end end
--- cone: sinew.cone
return function()
  for _ = 1, 3000 do
    sinew.cone { rest = {0, -1, 0}, ellipse = {60}, right = {1, 0, 0}, smooth = 3 }
  end
end
--- fit_cone: sinew.fit_cone
local samples = turns(20000)
return function() sinew.fit_cone { samples = samples, rest = {0, -1, 0} } end
--- field_two: sinew.field
local axis, samples = { min = -60, max = 60, resolution = 200 }, angles(4000, 2)
return function() sinew.field { axes = { axis, axis }, samples = samples } end
--- field_three: sinew.field
local axis, samples = { min = -60, max = 60, resolution = 48 }, angles(2000, 3)
return function() sinew.field { axes = { axis, axis, axis }, samples = samples } end
--- field_joined: sinew.field
local axis, samples = { min = -60, max = 60, resolution = 40 }, angles(2000, 3)
return function() sinew.field { axes = { axis, axis, axis }, samples = samples, join = true } end
--- field_of_turns: sinew.field
local axis, samples = { min = -60, max = 60, resolution = 24 }, turns(2000)
for i, q in ipairs(samples) do samples[i] = { q.x, q.y, q.z, q.w } end
return function() sinew.field { axes = { axis, axis, axis }, samples = samples,
  quaternions = true, order = "xyz" } end
--- mesh_ball: sinew.mesh.ball
return function() ball(400) end
--- mesh_normals: sinew.normals
local m = ball(60)
local v, t = m.vertices, m.triangles
return function() for _ = 1, 20 do sinew.normals(v, t) end end
--- mesh_merge: sinew.mesh.merge
local m, list = ball(60), {}
for i = 1, 20 do list[i] = m end
return function() for _ = 1, 10 do sinew.mesh.merge(list) end end
--- mesh_lists: sinew.mesh
local m = ball(60)
local lists = { vertices = m.vertices, triangles = m.triangles, normals = m.normals }
return function() for _ = 1, 20 do sinew.mesh(lists) end end
--- mesh_placed: sinew.mesh.placed sinew.mesh.mirrored mesh:placed mesh:mirrored
local m = ball(100)
return function() for _ = 1, 20 do m:mirrored() m:placed(sinew.mat4()) end end
--- solid_mesh: sinew.solid solid:mesh
local s = blob(2).solid
return function() s:mesh { cell = 0.001 } end
--- solid_of_many: sinew.solid solid:distance
return function() for _ = 1, 100 do blob(60) end end
--- solid_distance: solid:distance
local s = blob(60).solid
return function() for i = 1, 20000 do s:distance {0.0001 * i, 0, 0} end end
--- solid_merge: sinew.solid.merge solid:placed solid:mirrored
local s, list = blob(60).solid, {}
for i = 1, 20 do list[i] = s end
return function() for _ = 1, 1000 do sinew.solid.merge(list):mirrored():placed(sinew.mat4()) end end
--- solid_fit: sinew.solid.fit
local list, from, to = {}, {}, {}
for i = 1, 150 do
  from[i] = { math.sin(i), math.cos(2 * i), math.sin(3.3 * i) }
  list[i], to[i] = { i / 99, 0, 0 }, { math.sin(1.1 * i), math.cos(2 * i), math.sin(3.3 * i) }
end
return function() for _ = 1, 10 do sinew.solid.fit(from, to, list) end end
--- field_wrong: sinew.field
local axis, samples = { min = -60, max = 60, resolution = 4 }, angles(100000, 1)
samples[#samples + 1] = "wrong"
return function() pcall(sinew.field, { axes = { axis }, samples = samples }) end
--- field_surface: field:surface
local axis, samples = { min = -60, max = 60, resolution = 40 }, angles(2000, 3)
local field = sinew.field { axes = { axis, axis, axis }, samples = samples }
return function() for _ = 1, 10 do field:surface() end end
--- field_project: field:project field:lookup field:feasible
local axis, samples = { min = -60, max = 60, resolution = 40 }, angles(2000, 3)
local field = sinew.field { axes = { axis, axis, axis }, samples = samples }
return function() for i = 1, 20000 do field:project(i % 60, 50, 20) end end
--- cone_hold: cone:hold cone:inside cone:twist
local cone = sinew.cone { rest = {0, -1, 0}, ellipse = {60}, right = {1, 0, 0}, smooth = 3 }
return function() for i = 1, 20000 do cone:hold {1, math.sin(i), 0} end end
--- mesh_tube: sinew.mesh.tube
local path, sizes = points(300), {}
for i = 1, 2 * (299 * 20 + 1) do sizes[i] = 0.1 end
for _, p in ipairs(path) do p[3] = 0 end
return function() for _ = 1, 20 do sinew.mesh.tube(path, 20, sizes, 16, {0, 0, 1}, 0) end end
--- mesh_loft: sinew.mesh.loft
local rings = {}
for i = 1, 2000 do
  rings[i] = {}
  for k = 1, 20 do rings[i][k] = { math.sin(k), i / 100, math.cos(k) } end
end
return function() for _ = 1, 4 do sinew.mesh.loft(rings, {0, 0, 0}, {0, 21, 0}) end end
--- polynomial: sinew.polynomial sinew.linear
local list = {}
for i = 1, 16 do list[i] = 1 / i end
return function()
  for _ = 1, 20000 do sinew.polynomial(list) sinew.linear { { 0, 0 }, { 1, 1 } } end
end
--- buffer: sinew.buffer buffer:copy buffer:fill buffer:set
return function()
  for _ = 1, 100 do
    local b = sinew.buffer(100000)
    b:fill(1)
    b:copy():set(b)
  end
end
--- buffer_as_table: buffer:table buffer:string buffer:set
local b = sinew.buffer(100000)
return function() for _ = 1, 20 do b:set(b:table()) b:set(b:string()) end end
--- buffer_from_table: buffer:set buffer:table buffer:fill
local b = sinew.buffer(100000)
local list = b:table()
return function() for _ = 1, 10 do b:set(list) b:table(list) end end
--- buffer_whole: buffer:set buffer:fill
local b, other = sinew.buffer(100000), sinew.buffer(100000)
return function() for _ = 1, 20 do assert(b:fill(1):set(other) == other) end end

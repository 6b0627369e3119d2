-- Meshes made in C equal those of the slow method for all kinds of input; invalid input is refused.
local check, tests = ...
local sinew = require "sinew"
local slow = require "slow_mesh"
local mesh, shapes = sinew.mesh, sinew.shapes

local function check_same(got, expected)
  check.equal(#got.vertices, #expected.vertices)
  check.equal(#got.triangles, #expected.triangles)
  check.near_all(got.vertices, expected.vertices, 1e-12)
  for i, index in ipairs(expected.triangles) do check.equal(got.triangles[i], index) end
  check.near_all(got.normals, expected.normals or slow.normals(expected), 1e-9)
end

local function point(random, size)
  return { random(-size, size), random(-size, size), random(-size, size) }
end

local function path_of(random, count)
  local path = {}
  for i = 1, count do path[i] = point(random, 1) end
  return path
end

-- a tube by both methods, with sizes from the same function
local function check_tube(path, steps, size, sides, up, cap)
  local line = slow.smooth(path, steps)
  local sizes = {}
  for i = 1, #line do sizes[2 * i - 1], sizes[2 * i] = size((i - 1) / (#line - 1)) end
  check_same(mesh.tube(path, steps, sizes, sides, up, cap), slow.tube(line, size, sides, up, cap))
end

function tests.tube_agrees_with_the_slow_method()
  local random = check.random(3)
  for _ = 1, 60 do
    local a, b = random(0.01, 0.2), random(0.01, 0.2)
    check_tube(path_of(random, 2 + math.floor(random(0, 5))), 1 + math.floor(random(0, 4)),
      function(t) return a + b * t, b + a * t * t end, 3 + math.floor(random(0, 9)),
      point(random, 1), random() < 0.3 and 0 or random(0, 1))
  end
end

function tests.tube_agrees_with_the_slow_method_in_awkward_cases()
  local function size() return 0.1, 0.2 end
  local along_x, along_y = { { 0, 0, 0 }, { 1, 0, 0 } }, { { 0, 0, 0 }, { 0, -1, 0 }, { 0, -2, 0 } }
  for _, up in ipairs { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 0, 0, 0 }, { -1, 1e-9, 0 } } do
    for _, cap in ipairs { 0, 1, -0.5 } do
      check_tube(along_x, 1, size, 4, up, cap)
      check_tube(along_y, 3, size, 3, up, cap)
      -- a repeated point, a path that reverses, and all points in one place
      check_tube({ { 0, 0, 0 }, { 1, 0, 0 }, { 1, 0, 0 }, { 2, 1, 0 } }, 2, size, 5, up, cap)
      check_tube({ { 0, 0, 0 }, { 1, 0, 0 }, { 0, 0, 0 } }, 1, size, 5, up, cap)
      check_tube({ { 1, 1, 1 }, { 1, 1, 1 } }, 1, size, 5, up, cap)
      check_tube(along_x, 1, function() return 0, 0 end, 5, up, cap)
    end
  end
  -- `up` along the path, where another direction is used
  for _, along in ipairs { { 1, 2, 2 }, { -5, 1, 3 }, { 9, 1, 1 }, { -9, 1, 0 }, { 0, 1, 0 } } do
    check_tube({ { 0, 0, 0 }, along }, 2, size, 5, along, 1)
  end
end

function tests.ball_agrees_with_the_slow_method()
  local random = check.random(5)
  for i = 1, 30 do
    local centre, radii = point(random, 2), point(random, 1)
    -- an odd number of sides gives shapes.ellipsoid a fractional number of rings
    local sides, rings = 2 + i, math.max(3, (2 + i) / 2 - 1)
    check_same(mesh.ball(sides, rings, centre, radii), slow.ball(sides, rings, function(x, y, z)
      return centre[1] + radii[1] * x, centre[2] + radii[2] * y, centre[3] + radii[3] * z
    end))
  end
  check_same(mesh.ball(3, 1, { 0, 0, 0 }, { 1, 1, 1 }),
    slow.ball(3, 1, function(...) return ... end))
end

function tests.loft_agrees_with_the_slow_method()
  local random = check.random(11)
  for i = 1, 20 do
    local rings = {}
    for r = 1, i do rings[r] = path_of(random, 3 + i % 7) end
    local first, last = point(random, 1), point(random, 1)
    check_same(mesh.loft(rings, first, last), slow.loft(rings, first, last))
  end
  local v = sinew.vec3
  check_same(mesh.loft({ { v(1, 0, 0), v(0, 0, 1), v(-1, 0, 0) } }, v(0, 1, 0), v(0, -1, 0)),
    slow.loft({ { { 1, 0, 0 }, { 0, 0, 1 }, { -1, 0, 0 } } }, { 0, 1, 0 }, { 0, -1, 0 }))
end

local function some_meshes(random)
  local list = {}
  for i = 1, 4 do list[i] = mesh.ball(4 + i, i, point(random, 1), { 1, 0.5, 2 }) end
  return list
end

function tests.merge_agrees_with_the_slow_method()
  local list = some_meshes(check.random(13))
  check_same(mesh.merge(list), slow.merge(list))
  check_same(mesh.merge {}, { vertices = {}, triangles = {} })
  -- tables, and tables with a mesh, are treated like meshes; items after a nil are ignored
  local plain = { vertices = list[1].vertices, triangles = list[1].triangles }
  check_same(mesh.merge { plain, { mesh = list[2] }, nil, list[3] },
    slow.merge { list[1], list[2] })
  -- given normals stay, the others are computed
  local given = {}
  for i = 1, #plain.vertices do given[i] = i % 3 == 0 and 1 or 0 end
  local made = mesh.merge { list[2],
    { vertices = plain.vertices, triangles = plain.triangles, normals = given } }
  local expected = slow.merge { list[2], plain }
  expected.normals = slow.normals(list[2])
  for _, number in ipairs(given) do table.insert(expected.normals, number) end
  check_same(made, expected)
end

function tests.placed_and_mirrored_agree_with_the_slow_method()
  local random = check.random(17)
  for _, m in ipairs(some_meshes(random)) do
    for _, flip in ipairs { 1, -1 } do
      local matrix = sinew.mat4.translation(point(random, 3))
        * sinew.mat4.from(sinew.quat.axis({ 1, 2, random(-3, 3) }, random(-180, 180)))
        * sinew.mat4.scaling(flip, 2, 0.5)
      local n = { matrix:unpack() }
      check_same(m:placed(matrix), slow.placed(m, function(x, y, z)
        return n[1] * x + n[5] * y + n[9] * z + n[13], n[2] * x + n[6] * y + n[10] * z + n[14],
          n[3] * x + n[7] * y + n[11] * z + n[15]
      end, flip < 0))
    end
    check_same(m:mirrored(), slow.placed(m, function(x, y, z) return -x, y, z end, true))
  end
  local given = mesh { vertices = { 1, 2, 3, 4, 5, 6, 7, 8, 10 }, triangles = { 1, 2, 3 },
    normals = { 1, 0, 0, 0, 1, 0, 0, 0, 1 } }
  check_same(given:mirrored(), { vertices = { -1, 2, 3, -4, 5, 6, -7, 8, 10 },
    triangles = { 1, 3, 2 }, normals = { -1, 0, 0, 0, 1, 0, 0, 0, 1 } })
  check.near_all(sinew.normals(given.vertices, given.triangles), slow.normals(given), 1e-12)
  check.equal(tostring(given), "mesh(3 vertices, 1 triangles)")
end

function tests.refuses_other_values_as_a_mesh()
  local function refused(part, call, ...)
    local message = check.fails(part, call, ...)
    check.that(#message < 300, message)
  end
  refused("mesh or table expected, got nil", mesh, nil)
  refused("mesh or table expected, got string", mesh, "x")
  refused("a table with vertices and triangles expected", mesh, {})
  refused("a table with vertices and triangles expected", mesh, { vertices = {} })
  refused("'vertices' must be a list of numbers, a multiple of 3", mesh, { vertices = 1 })
  refused("'vertices' must be a list of numbers, a multiple of 3", mesh, { vertices = { 1, 2 } })
  refused("item 2 of 'vertices': number expected, got string", mesh,
    { vertices = { 1, "2", 3 }, triangles = {} })
  for _, wrong in ipairs { 0, -1, 2, 1.5, 0 / 0, math.huge } do
    refused("triangle 1 refers to a missing vertex", mesh,
      { vertices = { 1, 2, 3 }, triangles = { 1, 1, wrong } })
  end
  refused("1 vertices, but 0 normals", mesh,
    { vertices = { 1, 2, 3 }, triangles = {}, normals = {} })
  refused("whole number from 3 to 4096 expected, got 2", mesh.ball, 2, 3, { 0, 0, 0 }, { 1, 1, 1 })
  for _, wrong in ipairs { 0, -1, 1e9, 0 / 0, math.huge } do
    refused("bad argument #2", mesh.ball, 8, wrong, { 0, 0, 0 }, { 1, 1, 1 })
    refused("bad argument #1", mesh.ball, wrong, 3, { 0, 0, 0 }, { 1, 1, 1 })
    refused("bad argument #2", mesh.tube, { { 0, 0, 0 }, { 1, 0, 0 } }, wrong, {}, 3, {}, 0)
  end
  refused("a mesh has at most", mesh.ball, 4096, 4096, { 0, 0, 0 }, { 1, 1, 1 })
  refused("vec3 or three numbers expected, got table", mesh.ball, 3, 3, { 0, 0 }, { 1, 1, 1 })
  refused("vec3 or three numbers expected, got no value", mesh.ball, 3, 3, { 0, 0, 0 })
end

function tests.refuses_other_values_as_a_list_of_points()
  local refused = check.fails
  local ring, p = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } }, { 0, 0, 1 }
  refused("list expected, got nil", mesh.loft, nil, p, p)
  refused("list of at least 1 expected", mesh.loft, {}, p, p)
  refused("a ring needs at least three points", mesh.loft, { { p, p } }, p, p)
  refused("a ring needs at least three points", mesh.loft, { 7 }, p, p)
  refused("ring 2 is not a list of 3 points", mesh.loft, { ring, { p, p } }, p, p)
  refused("ring 2 is not a list of 3 points", mesh.loft, { ring, 7, ring }, p, p)
  for _, wrong in ipairs { { 1, 2 }, { x = 1, y = 2, z = 3 }, "p", { 1, 2, "3" } } do
    refused("point 2 of a ring must be a vec3 or three numbers", mesh.loft, { { p, wrong, p } }, p,
      p)
  end
  local path, sizes, up = { p, { 1, 0, 0 } }, { 1, 1, 1, 1 }, { 0, 1, 0 }
  refused("list of at least 2 expected", mesh.tube, { p }, 1, sizes, 3, up, 0)
  refused("point 1 of a tube", mesh.tube, { {}, p }, 1, sizes, 3, up, 0)
  refused("two sizes for each of 3 points", mesh.tube, path, 2, sizes, 3, up, 0)
  refused("item 3 of 'sizes': number expected, got boolean", mesh.tube, path, 1,
    { 1, 1, true, 1 }, 3, up, 0)
  refused("number expected, got no value", mesh.tube, path, 1, sizes, 3, up)
  refused("too many points", mesh.tube, (function()
    local long = {}
    for i = 1, 1000 do long[i] = p end
    return long
  end)(), 4096, sizes, 3, up, 0)
  refused("part 2 of merge: mesh expected, got number", mesh.merge,
    { mesh.loft({ ring }, p, p), 5 })
  refused("table expected", mesh.merge, 5)
  local ball = mesh.ball(64, 64, p, p)
  local many = {}
  for i = 1, 300 do many[i] = ball end
  refused("a mesh has at most", mesh.merge, many)
  refused("mat4", ball.placed, ball, 5)
  refused("a method is called with ':'", ball.mirrored)
  refused("mesh has no field 'normal'", function() return ball.normal end)
end

-- NaNs pass through, and no loop hangs on them
function tests.nan_does_not_hang()
  local none = 0 / 0
  local up, sizes = { none, 0, 0 }, { none, 1, 1, math.huge }
  local m = mesh.tube({ { none, 0, 0 }, { 0, math.huge, 0 } }, 1, sizes, 5, up, none)
  check.equal(#m.triangles, 3 * 2 * 2 * 5)
  check.equal(#m.normals, #m.vertices)
  check.equal(#mesh.ball(5, 3, up, up):mirrored().vertices, 3 * 17)
end

local function read_back(shape)
  local rig = sinew.rig "r"
  rig:segment("bone", { shape = shape })
  return assert(sinew.parse_xml(rig:xml())).segments[1].shape
end

local function check_read_back(shape)
  local read = read_back(shape)
  check.near_all(read.vertices, shape.vertices)
  check.near_all(read.normals, shape.normals)
  check.near_all(read.triangles, shape.triangles)
end

function tests.a_shape_gives_its_lists_when_asked()
  local shape = shapes.ellipsoid { radii = 1 }
  check.equal(sinew.type(rawget(shape, "mesh")), "mesh")
  check.equal(shape.kind, "ellipsoid")
  check.equal(shape.nothing, nil)
  check.equal(sinew.type(rawget(shape, "mesh")), "mesh")
  local before = read_back(shape)
  local v = shape.vertices
  check.equal(rawget(shape, "mesh"), nil)
  check.equal(shape.vertices, v)
  check.that(rawget(shape, "normals") and rawget(shape, "triangles"))
  check.near_all(before.vertices, v)
  check_read_back(shape)
  -- changing the list on purpose is allowed
  v[1] = 5
  check.equal(read_back(shape).vertices[1], 5)
  check.equal(shapes.mirrored(shape).vertices[1], -5)
  local other = shapes.ellipsoid { radii = 1 }
  other.normals = {}
  check.equal(rawget(other, "mesh"), nil)
  check.fails("segment 'bone': its shape has", read_back, other)
  other = shapes.ellipsoid { radii = 1 }
  other.mine = 1
  check.equal(other.mine, 1)
  check_read_back(shapes.merge { other, shapes.mirrored(other), shape })
  check_read_back(shapes.mirrored(shapes.mirrored(other)))
end

function tests.pairs_of_a_shape_include_its_lists()
  if _VERSION == "Lua 5.1" then return end -- LuaJIT does not call __pairs
  local seen = {}
  for key in pairs(shapes.ellipsoid { radii = 1 }) do seen[key] = true end
  check.that(seen.vertices and seen.normals and seen.triangles and seen.kind and not seen.mesh)
end

function tests.a_shape_with_values_that_are_not_numbers_is_refused()
  local shape = { mesh = mesh.ball(3, 1, { 0, 0 / 0, 0 }, { 1, 1, 1 }) }
  check.fails("segment 'bone': item 2 of its shape's 'vertices' is not a number", read_back, shape)
  shape = { mesh = mesh.ball(3, 1, { 0, 0, 1e200 }, { 1, 1, 1 }) }
  check.fails("segment 'bone': item 3 of its shape's 'vertices' is not a number", read_back, shape)
  check.fails("'vertices' must be a list of numbers", read_back, { mesh = 5 })
end

function tests.detail_must_be_a_whole_number()
  for _, wrong in ipairs { 2, 2.5, 1e9, 0 / 0, "10" } do
    check.fails("shapes.ellipsoid: 'detail' must be a whole number from 3 to 4096",
      shapes.ellipsoid, { radii = 1, detail = wrong })
  end
  local points = { { 0, 0, 0 }, { 1, 0, 0 } }
  check.fails("shapes.tube: 'cap' must be a number, not x", shapes.tube,
    { points = points, radius = 1, cap = "x" })
  check.fails("shapes.tube: 'flat' must be a number", shapes.tube,
    { points = points, radius = 1, flat = {} })
end

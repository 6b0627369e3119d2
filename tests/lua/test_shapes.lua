-- Shapes are closed, face outwards, are finite and have unit normals; files are read or refused.
local check, tests = ...
local sinew = require "sinew"
local shapes = sinew.shapes

local function volume(shape)
  local v, t, sum = shape.vertices, shape.triangles, 0
  for i = 1, #t, 3 do
    local a, b, c = 3 * t[i] - 2, 3 * t[i + 1] - 2, 3 * t[i + 2] - 2
    sum = sum + v[a] * (v[b + 1] * v[c + 2] - v[b + 2] * v[c + 1])
      + v[a + 1] * (v[b + 2] * v[c] - v[b] * v[c + 2])
      + v[a + 2] * (v[b] * v[c + 1] - v[b + 1] * v[c])
  end
  return sum / 6
end

-- vertex numbers of each piece: a piece that is inside out must not be hidden by the others
local function pieces(shape)
  local parent = {}
  for i = 1, #shape.vertices / 3 do parent[i] = i end
  local function root(i)
    while parent[i] ~= i do
      parent[i] = parent[parent[i]]
      i = parent[i]
    end
    return i
  end
  local t, lists = shape.triangles, {}
  for i = 1, #t, 3 do
    parent[root(t[i])] = root(t[i + 1])
    parent[root(t[i])] = root(t[i + 2])
  end
  for i = 1, #t, 3 do
    local r = root(t[i])
    lists[r] = lists[r] or { vertices = shape.vertices, triangles = {} }
    for k = 0, 2 do table.insert(lists[r].triangles, t[i + k]) end
  end
  return lists
end

local function check_shape(name, shape)
  check.equal(type(shape.kind), "string")
  check.equal(#shape.normals, #shape.vertices)
  check.that(#shape.triangles > 0 and #shape.triangles % 3 == 0, name .. " has no triangles")
  for i = 1, #shape.vertices do
    check.that(math.abs(shape.vertices[i]) < 10, name .. ": a vertex is far off")
  end
  for i = 1, #shape.normals, 3 do
    local x, y, z = shape.normals[i], shape.normals[i + 1], shape.normals[i + 2]
    check.near(x * x + y * y + z * z, 1, 1e-6)
  end
  local edges, used = {}, {}
  for i = 1, #shape.triangles, 3 do
    for k = 0, 2 do
      local a, b = shape.triangles[i + k], shape.triangles[i + (k + 1) % 3]
      check.that(a >= 1 and a <= #shape.vertices / 3 and a % 1 == 0, name .. ": no such vertex")
      check.that(a ~= b, name .. ": an edge without length")
      local key = a * 0x1000000 + b
      check.that(not edges[key], name .. ": an edge runs twice the same way")
      edges[key], used[a] = b * 0x1000000 + a, true
    end
  end
  for _, back in pairs(edges) do
    check.that(edges[back], name .. ": an edge has one triangle")
  end
  for i = 1, #shape.vertices / 3 do check.that(used[i], name .. ": a vertex is not used") end
  for _, piece in pairs(pieces(shape)) do
    check.that(volume(piece) > 0, name .. ": a piece is inside out")
  end
end

local rib = { { 0, 0, 0 }, { 0.06, -0.01, -0.03 }, { 0.12, -0.05, 0.04 }, { 0.04, -0.1, 0.12 } }
local samples = {
  ellipsoid = { radii = { 0.1, 0.2, 0.3 } },
  box = { size = { 0.1, 0.2, 0.3 } },
  tube = { points = rib, radius = { 0.01, 0.02, 0.01 }, flat = 2 },
  plate = { outline = { { 0, 0, 0 }, { 1, 0, 0.1 }, { 0.4, 1, 0 } }, thickness = 0.05,
    bulge = 0.1 },
  long_bone = { to = { 0.01, -0.42, 0 }, radius = 0.014, neck = { -0.04, -0.03, 0 }, head = 0.024,
    condyles = 0.022, bow = { 0, 0, 0.01 } },
  vertebra = {}, rib = { points = rib }, clavicle = {}, scapula = {}, pelvis = {}, skull = {},
  jaw = {},
}

function tests.are_closed_outward_facing_and_smooth()
  local count = 0
  for name, params in pairs(samples) do
    check_shape(name, shapes[name](params))
    count = count + 1
  end
  check.equal(count, 12)
  check_shape("plain bone", shapes.long_bone {})
end

function tests.stay_closed_at_random_sizes_and_places()
  local random = check.random(7)
  for _ = 1, 20 do
    local params = { at = { random(-1, 1), random(-1, 1), random(-1, 1) },
      turn = sinew.quat.axis({ random(-1, 1), 1, random(-1, 1) }, random(-180, 180)),
      width = random(0.01, 0.2), depth = random(0.01, 0.2), height = random(0.005, 0.1),
      spinous = random(0.01, 0.1), slope = random(-80, 80), transverse = random(0.01, 0.1) }
    check_shape("vertebra", shapes.vertebra(params))
    check_shape("long_bone", shapes.long_bone { at = params.at, turn = params.turn,
      to = { random(-1, 1), random(-1, 1), random(-1, 1) }, radius = random(0.005, 0.05) })
    local points = {}
    for i = 1, 3 + math.floor(random(0, 5)) do
      points[i] = { 0.2 * i, random(-0.5, 0.5), random(-0.5, 0.5) }
    end
    check_shape("tube", shapes.tube { points = points, radius = random(0.001, 0.01) })
  end
end

local function count_pieces(shape)
  local count = 0
  for _ in pairs(pieces(shape)) do count = count + 1 end
  return count
end

function tests.bones_are_one_piece_and_a_pelvis_is_three()
  for name, params in pairs { skull = {}, jaw = {}, hipbone = {}, sacrum = {} } do
    local shape = shapes[name](params)
    check_shape(name, shape)
    check.equal(count_pieces(shape), 1)
  end
  check.equal(count_pieces(shapes.pelvis {}), 3)
end

function tests.vertebrae_of_each_region_have_the_body_that_was_asked_for()
  for _, region in ipairs { "lumbar", "thoracic", "cervical", "axis", "atlas" } do
    local shape = shapes.vertebra { region = region, width = 0.03, depth = 0.022, height = 0.016 }
    local function at(x, y, z) return 1000 * shape.solid:distance { x, y, z } end
    if region == "atlas" then
      check.that(at(0, 0, 0) > 1) -- the dens stands here
    else
      check.near(at(0, -0.008, 0), 0, 0.3)
      if region ~= "axis" then check.near(at(0, 0.008, 0), 0, 0.3) end
      if region ~= "axis" then check.near(at(0, 0, 0.011), 1.4, 0.2) end -- bodies have a waist
      check.that(at(0, 0, -0.011 - 0.006) > 1) -- the canal
    end
    check_shape(region, shape)
    check.equal(count_pieces(shape), 1)
  end
  check.fails("shapes.vertebra: no region 'neck'", shapes.vertebra, { region = "neck" })
  local facet = { -0.02, 0.01, -0.03 }
  local moved = shapes.vertebra { upper = facet, lower = { -0.01, -0.02, -0.03 } }
  check.near_all(moved.landmarks.upper, facet, 1e-6)
  check.that(moved.solid:distance(facet) < -0.002)
end

function tests.a_pelvis_has_its_sockets_and_the_sacrum_where_rigs_expect_them()
  local pelvis = shapes.pelvis { width = 0.28, height = 0.2, depth = 0.16 }
  local socket = { 0.31 * 0.28, 0, 0 }
  check.near(pelvis.solid:distance(socket), 0.025, 0.002)
  check.that(pelvis.solid:distance { socket[1] - 0.027, 0, 0 } < 0)
  check.near(pelvis.solid:distance { 0, 0.103, -0.05 }, 0, 0.0005)
  check.near(pelvis.landmarks.s1.x, 0, 1e-9)
end

function tests.have_the_size_they_were_asked_for()
  -- 32 points around: slightly less than a sphere
  local ball = shapes.ellipsoid { radii = { 1, 2, 3 }, detail = 32 }
  check.near(volume(ball) / (4 / 3 * math.pi * 6), 1, 0.03)
  local pipe = shapes.tube { points = { { 0, 0, 0 }, { 0, 1, 0 } }, radius = 0.1, cap = 0,
    detail = 32 }
  check.near(volume(pipe), 0.01 * math.pi, 0.0005)
  local low, high = 1, -1
  local box = shapes.box { size = { 1, 1, 0.5 }, at = { 0, 0, 2 } }
  for i = 3, #box.vertices, 3 do
    low, high = math.min(low, box.vertices[i] - 2), math.max(high, box.vertices[i] - 2)
  end
  check.near(low, -0.25, 0.02)
  check.near(high, 0.25, 0.02)
end

function tests.normals_of_a_ball_point_from_its_middle()
  local ball = shapes.ellipsoid { radii = 2, detail = 32 }
  for i = 1, #ball.vertices do check.near(ball.normals[i], ball.vertices[i] / 2, 0.05) end
end

function tests.stay_outward_facing_when_mirrored_and_placed()
  local shape = shapes.scapula {}
  local other = shapes.mirrored(shape)
  check_shape("mirrored", other)
  check.near(volume(other), volume(shape), 1e-9)
  for i = 1, #shape.vertices, 3 do
    check.equal(other.vertices[i], -shape.vertices[i])
    check.equal(other.normals[i], -shape.normals[i])
    check.equal(other.normals[i + 1], shape.normals[i + 1])
  end
  check.equal(other.mirrored, true)
  check.equal(shapes.mirrored(other).mirrored, false)
  local moved = shapes.placed(shape, sinew.mat4.translation(1, 2, 3) * sinew.mat4.scaling(-1, 1, 1))
  check_shape("placed", moved)
  check.near(moved.vertices[1], 1 - shape.vertices[1], 1e-6)
  check.equal(shapes.mirrored({ kind = "mine", file = "x" }).mirrored, true)
end

function tests.merge_keeps_every_piece()
  local one = shapes.ellipsoid { radii = 1 }
  local two = shapes.merge { one, shapes.placed(one, sinew.mat4.translation(3, 0, 0)) }
  check_shape("merge", two)
  check.near(volume(two), 2 * volume(one), 1e-6)
end

function tests.refuse_bad_arguments_with_a_message()
  check.fails("shapes.ellipsoid: 'radii' must be a vec3 or three numbers", shapes.ellipsoid, {})
  check.fails("shapes.ellipsoid: 'radii' must be a positive number, not -1", shapes.ellipsoid,
    { radii = { 1, -1, 1 } })
  check.fails("shapes.tube: 'points' must be a list of 2 points or more", shapes.tube,
    { points = { { 0, 0, 0 } } })
  check.fails("shapes.tube: 'points[2]' must be a vec3 or three numbers", shapes.tube,
    { points = { { 0, 0, 0 }, { 1 } }, radius = 1 })
  check.fails("shapes.tube: 'radius' must be a positive number, not nil", shapes.tube,
    { points = { { 0, 0, 0 }, { 1, 0, 0 } } })
  for _, wrong in ipairs { 0, -1, 0 / 0, math.huge, "1" } do
    check.fails("shapes.vertebra: 'width' must be a positive number", shapes.vertebra,
      { width = wrong })
  end
  check.fails("shapes has no 'femurr'", function() return shapes.femurr end)
  check.fails({ "test_shapes.lua:", "shapes.plate: 'outline' must be a list of 3 points" },
    function() shapes.plate { outline = {} } end)
end

function tests.read_a_mesh_file()
  check.with_file("# a pyramid\nv -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nv 0 1 0 1.0\nvn 0 1 0\n"
    .. "f 1/1/1 2//1 3 4\nf 2 1 -1\nf 3 2 5\nf 4 3 5\nf 1 4 5\n", function(path)
    local shape = assert(shapes.obj(path))
    check.equal(shape.kind, "obj")
    check.equal(#shape.vertices, 15)
    check_shape("pyramid", shape)
    check.near(volume(shape), 4 / 3, 1e-9)
  end)
end

function tests.report_mistakes_in_a_mesh_file()
  local wrong = {
    ["v 1 2\n"] = ":1: a vertex needs three numbers",
    ["v 1 2 x\n"] = ":1: 'x' is not a number",
    ["v 1 2 nan\n"] = ":1: 'nan' is not a number",
    ["v 0 0 0\nf 1 2 3\n"] = ":2: '2' is not a vertex before this line",
    ["v 0 0 0\nf 1 1\n"] = ":2: a face needs three vertices",
    ["v 0 0 0\n"] = ": no faces",
    ["\0\255garbage"] = ": no faces",
  }
  for text, expected in pairs(wrong) do
    check.with_file(text, function(path)
      local shape, message = shapes.obj(path)
      check.equal(shape, nil)
      check.equal(message:sub(-#expected), expected)
    end)
  end
  check.returns_error("/no/such/file.obj", shapes.obj, "/no/such/file.obj")
  check.fails("the path of a file is wanted", shapes.obj)
end

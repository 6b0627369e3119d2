local check, tests = ...
local sinew = require "sinew"
local mat4, vec3, quat = sinew.mat4, sinew.vec3, sinew.quat

local function random_mat4(random)
  local m = {}
  for i = 1, 16 do m[i] = random(-2, 2) end
  return m
end

local function random_rigid(random)
  return mat4.from(quat(random(-1, 1), random(-1, 1), random(-1, 1), random(-1, 1)),
    { random(-5, 5), random(-5, 5), random(-5, 5) })
end

-- a * b of flat column-major tables, in doubles
local function product(a, b)
  local p = {}
  for column = 0, 3 do
    for row = 1, 4 do
      local sum = 0
      for k = 0, 3 do sum = sum + a[4 * k + row] * b[4 * column + k + 1] end
      p[4 * column + row] = sum
    end
  end
  return p
end

-- the determinant by elimination with pivots, in doubles
local function determinant(flat)
  local m, result = {}, 1
  for row = 1, 4 do
    m[row] = {}
    for column = 1, 4 do m[row][column] = flat[4 * (column - 1) + row] end
  end
  for k = 1, 4 do
    local pivot = k
    for row = k + 1, 4 do
      if math.abs(m[row][k]) > math.abs(m[pivot][k]) then pivot = row end
    end
    if pivot ~= k then m[k], m[pivot], result = m[pivot], m[k], -result end
    result = result * m[k][k]
    for row = k + 1, 4 do
      local factor = m[row][k] / m[k][k]
      for column = k, 4 do m[row][column] = m[row][column] - factor * m[k][column] end
    end
  end
  return result
end

local identity = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }

function tests.is_made_from_many_kinds_of_arguments()
  check.near_all(mat4(), identity, 0)
  local flat = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 }
  local m = mat4(flat)
  check.near_all(m, flat, 0)
  check.near_all(mat4(m:unpack()), flat, 0)
  check.that(mat4(m) == m and not rawequal(mat4(m), m))
  check.near_all(mat4.rows {
    { 1, 5, 9, 13 }, { 2, 6, 10, 14 }, { 3, 7, 11, 15 }, { 4, 8, 12, 16 },
  }, flat, 0)
  check.near_all(mat4.columns {
    { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 9, 10, 11, 12 }, { 13, 14, 15, 16 },
  }, flat, 0)
  local affine = { 1, 2, 3, 0, 5, 6, 7, 0, 9, 10, 11, 0, 13, 14, 15, 1 }
  check.near_all(mat4.rows { { 1, 5, 9, 13 }, { 2, 6, 10, 14 }, { 3, 7, 11, 15 } }, affine, 0)
  check.near_all(mat4.columns {
    { 1, 2, 3 }, vec3(5, 6, 7), { x = 9, y = 10, z = 11 }, { 13, 14, 15 },
  }, affine, 0)
  local quarter = mat4.columns { { 0, 1, 0 }, { -1, 0, 0 }, { 0, 0, 1 } }
  check.near_all(quarter * vec3(2, 0, 0), { 0, 2, 0 }, 0)
  check.near_all(mat4.translation(1, 2, 3):position(), { 1, 2, 3 }, 0)
  check.near_all(mat4.translation { 1, 2, 3 } * vec3(1, 1, 1), { 2, 3, 4 }, 0)
  check.near_all(mat4.scaling(2) * vec3(1, 2, 3), { 2, 4, 6 }, 0)
  check.near_all(mat4.scaling(1, 2, 3) * vec3(1, 1, 1), { 1, 2, 3 }, 0)
  check.near_all(mat4.from(nil, { 1, 2, 3 }), mat4.translation(1, 2, 3), 0)
  check.near_all(mat4.from(), identity, 0)
end

function tests.refuses_other_values_as_a_matrix()
  check.fails("mat4 of 16 numbers expected, got 1", mat4, 1)
  check.fails("mat4 or a table of sixteen numbers expected, got a table of 3 numbers", mat4,
    { 1, 2, 3 })
  check.fails("mat4 or a table of sixteen numbers expected, got vec3", mat4, vec3())
  check.fails("three or four rows expected", mat4.rows, { { 1, 2, 3, 4 } })
  check.fails("row 2 is not a table of four numbers", mat4.rows,
    { { 1, 2, 3, 4 }, { 1, 2, 3 }, { 1, 2, 3, 4 } })
  check.fails("row 1 is not a table of four numbers", mat4.rows, { vec3(), vec3(), vec3() })
  check.fails("column 3 is not a vec3 or a table of three or four numbers", mat4.columns,
    { vec3(), { 1, 2, 3 }, { 1, 2 } })
  check.fails("table expected", mat4.columns, 3)
  check.fails("vec3 or a table of three numbers expected, got no value", mat4.translation)
  check.fails("length 0 has no direction", mat4.turn, { 0, 0, 0 }, 3)
  check.fails("number expected, got no value", mat4.turn, { 0, 0, 1 })
  check.fails("quat or a table of four numbers expected, got vec3", mat4.from, vec3())
end

function tests.multiplies_by_the_definition()
  local random = check.random(2)
  for _ = 1, 100 do
    local a, b = random_mat4(random), random_mat4(random)
    local m, n, expected = mat4(a), mat4(b), product(a, b)
    check.near_all(m * n, expected, 1e-5)
    check.near_all(m:copy():mul(n), expected, 1e-5)
    check.near_all(n:copy():premul(m), expected, 1e-5)
    check.near_all(m:copy():mul(m), product(a, a), 1e-5)
    check.near_all(m * b, expected, 1e-5)
    check.that(m == mat4(a) and n == mat4(b))
  end
end

function tests.inverts_any_regular_matrix()
  local random = check.random(13)
  for _ = 1, 200 do
    local flat = random_mat4(random)
    local m, size = mat4(flat), determinant(flat)
    check.near(m:determinant(), size, 1e-4)
    if math.abs(size) > 0.1 then
      check.near_all(m * m:inverse(), identity, 2e-4)
      check.near_all(m:inverse() * m, identity, 2e-4)
      check.that(m:copy():invert() == m:inverse())
    end
    local rigid = random_rigid(random)
    local inverse = rigid:inverse()
    check.near_all(rigid * inverse, identity, 5e-6)
    check.that(inverse:rigid())
    for row = 1, 3 do
      for column = 1, 3 do check.near(inverse:get(row, column), rigid:get(column, row), 1e-6) end
    end
  end
  check.near_all(mat4.scaling(1e-5, 1, 1e5):inverse() * vec3(1, 1, 1), { 1e5, 1, 1e-5 })
  check.near_all(mat4.translation(1e6, 0, 0):inverse(), mat4.translation(-1e6, 0, 0), 0)
end

function tests.refuses_to_invert_a_singular_matrix()
  local no = "a singular mat4 has no inverse"
  local flat = mat4.scaling(1, 1, 0)
  check.fails(no, flat.inverse, flat)
  check.fails(no, flat.invert, flat)
  check.that(flat == mat4.scaling(1, 1, 0))
  local r = { 0.1, 0.2, 0.3, 0.4 }
  local doubled = mat4.rows { r, { 0.2, 0.4, 0.6, 0.8 }, { 1, 0, 0, 0 }, { 0, 1, 0, 0 } }
  check.fails(no, doubled.inverse, doubled)
  -- the third row is the sum of two: exact in floats, but the determinant's terms are rounded
  local random = check.random(29)
  for _ = 1, 20 do
    local rows = { {}, {}, {}, {} }
    for i = 1, 4 do
      rows[1][i], rows[2][i] = math.floor(random(0, 8e6)), math.floor(random(0, 8e6))
      rows[3][i], rows[4][i] = rows[1][i] + rows[2][i], math.floor(random(0, 8e6))
    end
    check.fails(no, mat4.inverse, mat4.rows(rows))
  end
  check.fails(no, mat4.inverse, mat4(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  check.fails(no, mat4.inverse, mat4.scaling(0 / 0))
  check.fails(no, mat4.inverse, mat4.scaling(1 / 0))
end

function tests.transforms_points_and_directions()
  local random = check.random(17)
  for _ = 1, 100 do
    local m, p = random_rigid(random), vec3(random(-3, 3), random(-3, 3), random(-3, 3))
    local column = { p.x, p.y, p.z, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
    local expected = product({ m:unpack() }, column)
    check.near_all(m * p, { expected[1], expected[2], expected[3] }, 5e-6)
    check.that(m:point(p) == m * p and p:copy():transform(m) == m * p)
    check.that(m:direction(p):near(m * p - m:position(), 5e-6))
    check.that(m:direction(p):near(m:rotation() * p, 5e-6))
  end
  -- the last row divides
  local projection = mat4.rows { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 }, { 0, 0, 1, 0 } }
  check.near_all(projection * vec3(2, 4, 2), { 1, 2, 1 }, 0)
end

function tests.rotates_about_a_centre()
  check.near_all(mat4.turn({ 0, 0, 5 }, 90) * vec3(1, 0, 0), { 0, 1, 0 }, 0)
  local m = mat4.turn({ 0, 1, 0 }, 33, { 1, 2, 3 })
  check.near_all(m * vec3(1, 2, 3), { 1, 2, 3 })
  check.near_all(m * vec3(1, 9, 3), { 1, 9, 3 })
  local there, back = mat4.translation(1, 2, 3), mat4.translation(-1, -2, -3)
  local by_hand = there * mat4.turn({ 0, 1, 0 }, 33) * back
  check.that(m:near(by_hand, 1e-6))
  local random = check.random(19)
  for _ = 1, 50 do
    local axis, degrees = { random(-1, 1), random(-1, 1), random(-1, 1) }, random(-400, 400)
    check.that(mat4.turn(axis, degrees):near(mat4.from(quat.axis(axis, degrees)), 1e-6))
  end
end

function tests.is_composed_in_place()
  local m = mat4()
  check.that(rawequal(m:translate(1, 2, 3), m))
  check.that(rawequal(m:rotate({ 0, 0, 1 }, 90), m))
  check.that(m:near(mat4.translation(1, 2, 3) * mat4.turn({ 0, 0, 1 }, 90)))
  check.near_all(m:copy():translate { 1, 0, 0 } * vec3(), { 1, 3, 3 })
  check.that(m:copy():rotate({ 1, 0, 0 }, 20, { 4, 5, 6 })
    :near(m * mat4.turn({ 1, 0, 0 }, 20, { 4, 5, 6 }), 1e-5))
  check.that(rawequal(m:set(), m))
  check.near_all(m, identity, 0)
  check.near_all(m:set(mat4.scaling(2)), mat4.scaling(2), 0)
  m[13] = 5
  check.near_all(m:position(), { 5, 0, 0 }, 0)
  check.equal(m:get(1, 4), 5)
  check.equal(m[13], 5)
  check.near_all(m:transposed():transposed(), m, 0)
  check.equal(m:transposed()[4], 5)
  check.that(m:copy():transpose() == m:transposed())
end

function tests.returns_its_parts()
  local random = check.random(23)
  for _ = 1, 200 do
    local m = random_rigid(random)
    local q = m:rotation()
    check.near(q:length(), 1, 1e-6)
    check.that(q.w >= 0)
    check.that(mat4.from(q, m:position()):near(m, 2e-6))
    check.that((m * mat4.scaling(2, 3, 0.5)):rotation():near(q, 2e-6))
  end
  for _, axis in ipairs { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 1, 1 }, { -1, 2, 0.1 } } do
    for _, degrees in ipairs { 180, 179.99, 120, 90, 1e-3, 0 } do
      local m = mat4.turn(axis, degrees)
      check.that(m:rotation():near(quat.axis(axis, degrees), 1e-6), tostring(m))
    end
  end
end

function tests.reports_a_matrix_without_rotation()
  local no = "a mat4 that mirrors, shears or flattens has no rotation"
  check.fails(no, mat4.rotation, mat4.scaling(-1, 1, 1))
  check.fails(no, mat4.angles, mat4.scaling(1, 0, 1), "xyz")
  check.fails(no, mat4.rotation, mat4.columns { { 1, 0, 0 }, { 1, 1, 0 }, { 0, 0, 1 } })
  check.fails(no, mat4.rotation, mat4.scaling(0 / 0))
  check.that(mat4.scaling(-1, 1, 1):rigid())
  check.that(not mat4.scaling(2):rigid())
  check.that(mat4.scaling(1.01):rigid(0.1))
end

function tests.writes_results_to_the_given_object()
  local m, dest, v, q = mat4.turn({ 1, 2, 3 }, 40, { 1, 1, 1 }), mat4(), vec3(), quat()
  for _, name in ipairs { "inverse", "transposed", "copy" } do
    check.writes(dest, m[name](m, dest), m[name](m))
  end
  check.that(rawequal(m:point({ 1, 2, 3 }, v), v) and v == m:point { 1, 2, 3 })
  check.that(rawequal(m:direction({ 1, 2, 3 }, v), v) and v == m:direction { 1, 2, 3 })
  check.that(rawequal(m:position(v), v) and v == m:position())
  check.that(rawequal(m:rotation(q), q) and q == m:rotation())
  check.that(rawequal(dest:transposed(dest), dest) and dest == m:transposed())
  v:set(1, 2, 3)
  check.that(m:point(v, v) == m * vec3(1, 2, 3))
  check.fails("mat4 expected, got vec3", m.inverse, m, v)
end

function tests.reports_mistakes()
  local m = mat4()
  check.fails("cannot apply '*' to mat4 and number", function() return m * 2 end)
  check.fails("cannot apply '*' to mat4 and quat", function() return m * quat() end)
  check.fails("index 17 of a mat4 is not in 1 to 16", function() return m[17] end)
  check.fails("mat4 has no field 'inverze' (did you mean 'inverse'",
    function() return m.inverze end)
  check.fails("mat4 has no function 'rowz' (did you mean 'rows'?)", function() return mat4.rowz end)
  check.fails("whole number from 1 to 4 expected, got 5", m.get, m, 5, 1)
  check.fails("whole number from 1 to 4 expected, got 1.5", m.get, m, 1, 1.5)
  check.fails("a method is called with ':', not '.'", function() m.mul(m) end)
  check.fails("[3]: number expected, got string", function() m[3] = "x" end)
end

function tests.prints_rows()
  check.equal(tostring(mat4.translation(1, 2, 0.5)), "mat4(1 0 0 1; 0 1 0 2; 0 0 1 0.5; 0 0 0 1)")
  check.equal(tostring(mat4.translation(1, 2, 3):inverse()),
    "mat4(1 0 0 -1; 0 1 0 -2; 0 0 1 -3; 0 0 0 1)")
  local long = -1.23456789e-30
  local m = mat4(long, long, long, long, long, long, long, long, long, long, long, long, long, long,
    long, long)
  check.equal(#tostring(m), #"mat4(" + 16 * #"-1.23456793e-30" + 15 + 3 + 1)
end

function tests.makes_no_garbage_in_place()
  local m, n, dest, v, q = mat4(), mat4.turn({ 1, 2, 3 }, 10, { 1, 0, 0 }), mat4(), vec3(), quat()
  local axis = vec3(0, 1, 0)
  check.no_garbage(function(i)
    m:mul(n):premul(n):translate(v):rotate(axis, i):invert():transpose()
    m:set(n):inverse(dest)
    n:transposed(dest)
    n:point(v, v)
    n:direction(v, v)
    n:position(v)
    n:rotation(q)
    m[13] = n:determinant() + m:get(1, 2) + m[3]
    v:set(n:angles "zyz")
  end)
end

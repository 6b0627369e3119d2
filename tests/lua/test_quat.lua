local check, tests = ...
local sinew = require "sinew"
local quat, vec3, mat4 = sinew.quat, sinew.vec3, sinew.mat4

local orders = {
  "xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz", "zyz",
}
local axes = { x = { 1, 0, 0 }, y = { 0, 1, 0 }, z = { 0, 0, 1 } }

local function random_unit(random)
  while true do
    local x, y, z, w = random(-1, 1), random(-1, 1), random(-1, 1), random(-1, 1)
    local length = math.sqrt(x * x + y * y + z * z + w * w)
    if length > 0.1 and length < 1 then
      return quat(x / length, y / length, z / length, w / length)
    end
  end
end

-- Rodrigues' formula, in doubles
local function turned(axis, degrees, v)
  local x, y, z = axis[1], axis[2], axis[3]
  local length = math.sqrt(x * x + y * y + z * z)
  x, y, z = x / length, y / length, z / length
  local s, c = math.sin(math.rad(degrees)), math.cos(math.rad(degrees))
  local d = (x * v[1] + y * v[2] + z * v[3]) * (1 - c)
  return { c * v[1] + s * (y * v[3] - z * v[2]) + d * x,
    c * v[2] + s * (z * v[1] - x * v[3]) + d * y,
    c * v[3] + s * (x * v[2] - y * v[1]) + d * z }
end

function tests.is_made_from_numbers_tables_and_others()
  check.near_all(quat(), { 0, 0, 0, 1 }, 0)
  check.near_all(quat(1, 2, 3, 4), { 1, 2, 3, 4 }, 0)
  check.near_all(quat { 1, 2, 3, 4 }, { 1, 2, 3, 4 }, 0)
  check.near_all(quat { w = 4, x = 1 }, { 1, 0, 0, 4 }, 0)
  check.that(quat(quat(1, 2, 3, 4)) == quat(1, 2, 3, 4))
  check.equal(#quat(), 4)
  check.fails("quat of 4 numbers expected, got 3", quat, 1, 2, 3)
  check.fails("quat or a table of four numbers expected, got vec3", quat, vec3())
end

function tests.rotates_by_rodrigues_formula()
  local random = check.random(11)
  for _ = 1, 200 do
    local axis = { random(-1, 1), random(-1, 1), random(-1, 1) }
    local degrees, v = random(-720, 720), { random(-2, 2), random(-2, 2), random(-2, 2) }
    local q, expected = quat.axis(axis, degrees), turned(axis, degrees, v)
    check.near_all(q * vec3(v), expected, 2e-6)
    check.near_all(q:direction(v), expected, 2e-6)
    check.near_all(vec3(v):rotate(q), expected, 2e-6)
    check.near_all((q * 3):direction(v), expected, 2e-6)
    check.near_all(mat4.from(q) * vec3(v), expected, 2e-6)
  end
end

function tests.is_exact_at_180_and_360_degrees()
  check.near_all(quat.axis({ 0, 0, 2 }, 180), { 0, 0, 1, 0 }, 0)
  check.near_all(quat.axis({ 0, 3, 0 }, 360), { 0, 0, 0, -1 }, 0)
  check.near_all(quat.axis({ 1, 0, 0 }, 0), { 0, 0, 0, 1 }, 0)
  check.near_all(quat.axis({ 1, 0, 0 }, -180), { -1, 0, 0, 0 }, 0)
end

function tests.applies_the_right_factor_first()
  local random = check.random(5)
  for _ = 1, 100 do
    local a, b, v = random_unit(random), random_unit(random), vec3(random(), random(), random())
    check.that(((a * b) * v):near(a * (b * v), 1e-5))
    local c = a:copy()
    check.that(rawequal(c:mul(b), c))
    check.that(c == a * b)
    check.that((a * a:inverse()):near(quat(), 1e-6))
    check.that(a:copy():invert() == a:inverse())
    check.that((a * b):inverse():near(b:inverse() * a:inverse(), 1e-6))
    check.that((a * 2):inverse():near(a:inverse() / 2, 1e-6))
  end
  local a, b = quat.axis({ 0, 0, 1 }, 90), quat.axis({ 1, 0, 0 }, 90)
  check.near_all(a * b * vec3(0, 1, 0), { 0, 0, 1 })
end

function tests.round_trips_euler_angles_in_list_order()
  local random = check.random(3)
  for _, order in ipairs(orders) do
    for _ = 1, 60 do
      local a, b, c = random(-180, 180), random(-180, 180), random(-180, 180)
      local q = quat.euler(order, a, b, c)
      local by_axes = quat.axis(axes[order:sub(1, 1)], a) * quat.axis(axes[order:sub(2, 2)], b)
        * quat.axis(axes[order:sub(3, 3)], c)
      check.that(q:near(by_axes, 1e-6), order)
      check.that(quat.euler(order, q:angles(order)):near(q, 1e-6), order)
      local m = mat4.euler(order, a, b, c)
      check.that(m:near(mat4.from(q), 2e-6), order)
      check.that(mat4.euler(order, m:angles(order)):near(m, 2e-6), order)
    end
  end
end

function tests.round_trips_small_euler_angles()
  local random = check.random(4)
  for _, order in ipairs(orders) do
    local returns = order:sub(1, 1) == order:sub(3, 3)
    for _ = 1, 20 do
      local a, c = random(-170, 170), random(-170, 170)
      local b = returns and random(5, 175) or random(-85, 85)
      local x, y, z = quat.euler(order, a, b, c):angles(order)
      check.near_all({ x, y, z }, { a, b, c }, 2e-4)
    end
  end
end

function tests.survives_gimbal_lock()
  for _, order in ipairs(orders) do
    local ends = order:sub(1, 1) == order:sub(3, 3) and { 0, 180 } or { -90, 90 }
    for _, b in ipairs(ends) do
      for _, off in ipairs { 0, 1e-6, 1e-5, 1e-4, 1e-3 } do
        local q = quat.euler(order, 30, b + off, 20)
        local x, y, z = q:angles(order)
        check.that(quat.euler(order, x, y, z):near(q, 1e-6), order .. b)
        if off == 0 then check.near(z, 0, 1e-2) end
      end
    end
  end
end

function tests.refuses_wrong_orders()
  for _, wrong in ipairs { "xxy", "xyy", "xy", "xyzx", "abc", "XYZ", "" } do
    local message = "axis order such as 'xyz' or 'zyz' expected, got '" .. wrong
    check.fails(message, quat.euler, wrong, 1, 2, 3)
  end
  check.fails("string expected, got no value", quat.euler)
  check.fails("number expected, got no value", quat.euler, "xyz", 1, 2)
end

function tests.interpolates_along_the_shorter_arc_at_constant_speed()
  local random = check.random(9)
  for _ = 1, 100 do
    local a, b, t = random_unit(random), random_unit(random), random()
    local whole, q = a:angle(b), a:slerp(b, t)
    check.that(whole <= 180)
    check.near(q:length(), 1, 1e-6)
    check.near(a:angle(q), t * whole, 1e-3)
    check.near(q:angle(b), (1 - t) * whole, 1e-3)
    check.that(a:slerp(-b, t):near(q, 1e-6))
    check.that(a:slerp(b, 0):near(a, 1e-6) and a:slerp(b, 1):near(b, 1e-6))
  end
  local a = quat.axis({ 0, 1, 0 }, 10)
  check.that(a:slerp(a, 0.3):near(a, 1e-7))
  check.near(quat():slerp(quat.axis({ 1, 0, 0 }, 1e-4), 0.5):angle(), 5e-5, 1e-9)
  check.near(quat():slerp(quat.axis({ 1, 0, 0 }, 40), 2):angle(), 80, 1e-4)
end

function tests.finds_the_shortest_rotation_between_directions()
  local random = check.random(21)
  for _ = 1, 100 do
    local from = vec3(random(-1, 1), random(-1, 1), random(-1, 1))
    local to = vec3(random(-1, 1), random(-1, 1), random(-1, 1))
    local q = quat.between(from, to)
    check.that((q * from:unit()):near(to:unit(), 1e-6))
    check.near(q:angle(), from:angle(to), 1e-3)
  end
  for _, v in ipairs { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 2, 3 }, { 1, 1, 0 } } do
    local q = quat.between(v, -vec3(v))
    check.that((q * vec3(v)):near(-vec3(v), 1e-5))
    check.near(q:length(), 1, 1e-6)
    check.that(quat.between(v, v):near(quat(), 1e-7))
  end
  check.fails("length 0 has no direction", quat.between, { 0, 0, 0 }, { 1, 0, 0 })
end

function tests.returns_axis_and_angle()
  local random = check.random(33)
  for _ = 1, 100 do
    local q = random_unit(random)
    local axis, degrees = q:axis_angle()
    check.that(degrees >= 0 and degrees <= 180)
    check.near(degrees, q:angle(), 1e-4)
    check.that(quat.axis(axis, degrees):near(q, 1e-6))
  end
  local dest = vec3()
  local axis, degrees = quat():axis_angle(dest)
  check.that(rawequal(axis, dest))
  check.near_all(axis, { 1, 0, 0 }, 0)
  check.equal(degrees, 0)
  check.near(quat.axis({ 1, 0, 0 }, 1e-3):angle(), 1e-3, 1e-9)
  check.near(quat.axis({ 1, 0, 0 }, 350):angle(), 10, 1e-4)
end

function tests.of_zero_length_is_not_a_rotation()
  local zero, no = quat(0, 0, 0, 0), "a quat of length 0, or not finite, is not a rotation"
  for _, name in ipairs { "normalize", "invert", "unit", "angle", "axis_angle" } do
    check.fails(no, zero[name], zero)
  end
  check.fails(no, zero.angles, zero, "xyz")
  check.fails(no, zero.direction, zero, { 1, 0, 0 })
  check.fails(no, zero.slerp, quat(), zero, 0.5)
  check.fails(no, function() return zero * vec3() end)
  check.fails(no, quat.normalize, quat(0 / 0, 0, 0, 1))
  check.fails(no, quat.normalize, quat(1 / 0, 0, 0, 1))
  check.fails("a quat of length 0 is not a rotation", mat4.from, zero)
  check.fails("length 0 has no direction", quat.axis, { 0, 0, 0 }, 10)
  check.near_all(quat(1e-20, 0, 0, 0):normalize(), { 1, 0, 0, 0 }, 0)
end

function tests.has_operators_and_in_place_forms()
  local a, b = quat(1, 2, 3, 4), quat(5, 6, 7, 8)
  check.near_all(a + b, { 6, 8, 10, 12 }, 0)
  check.near_all(b - a, { 4, 4, 4, 4 }, 0)
  check.near_all(2 * a, { 2, 4, 6, 8 }, 0)
  check.near_all(a / 2, { 0.5, 1, 1.5, 2 }, 0)
  check.near_all(-a, { -1, -2, -3, -4 }, 0)
  check.near(a:dot(b), 70, 0)
  check.near(quat(1, 2, 2, 4):length(), 5, 0)
  check.that(a == quat(1, 2, 3, 4) and a ~= -a)
  check.that(a:near(-a) and not a:near(b))
  local c = a:copy()
  check.writes(c, c:add(b, 2), { 11, 14, 17, 20 })
  check.near_all(c:mul(0.5):negate(), { -5.5, -7, -8.5, -10 }, 0)
  check.near(c:normalize():length(), 1)
  check.that(rawequal(a:unit(c), c) and c == a:unit())
  check.that(rawequal(a:inverse(c), c) and c == a:inverse())
  check.that(rawequal(a:slerp(b, 0.5, c), c) and c == a:slerp(b, 0.5))
  c.w, c[1] = 3, 5
  check.near_all(c, { 5, c.y, c.z, 3 }, 0)
  check.fails("cannot apply '*' to quat and string", function() return a * "x" end)
  check.fails("cannot apply '+' to quat and number", function() return a + 1 end)
  check.fails("cannot apply '/' to quat and quat", function() return a / b end)
  check.fails("quat has no field 'slurp' (did you mean 'slerp'?)", function() return a.slurp end)
  check.fails("quat has no function 'eular' (did you mean 'euler'?)",
    function() return quat.eular end)
  check.fails("a method is called with ':', not '.'", function() a.mul(b) end)
end

function tests.prints_its_numbers()
  check.equal(tostring(quat(0.5, -1, 0, 1e-10)), "quat(0.5, -1, 0, 1.00000001e-10)")
end

function tests.makes_no_garbage_in_place()
  local q, r, dest, v = quat(), quat.axis({ 1, 2, 3 }, 10), quat(), vec3(1, 2, 3)
  check.no_garbage(function(i)
    q:mul(r):normalize():invert()
    q:slerp(r, 0.5, dest)
    q:inverse(dest)
    dest:set(r):add(q, 0.1):normalize()
    q:direction(v, v)
    q:axis_angle(v)
    q.x = i
    v:set(q:angles "xyz")
  end)
end

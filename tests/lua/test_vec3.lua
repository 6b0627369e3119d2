local check, tests = ...
local sinew = require "sinew"
local vec3 = sinew.vec3

function tests.is_made_from_numbers_tables_and_others()
  check.near_all(vec3(), { 0, 0, 0 }, 0)
  check.near_all(vec3(1, -2, 3.5), { 1, -2, 3.5 }, 0)
  check.near_all(vec3 { 1, 2, 3 }, { 1, 2, 3 }, 0)
  check.near_all(vec3 { x = 1, y = 2, z = 3 }, { 1, 2, 3 }, 0)
  check.near_all(vec3 { y = 2 }, { 0, 2, 0 }, 0)
  local v = vec3(1, 2, 3)
  local w = vec3(v)
  w.x = 9
  check.equal(v.x, 1)
  check.equal(#v, 3)
end

function tests.refuses_other_values_as_a_vector()
  check.fails("vec3 of 3 numbers expected, got 2", vec3, 1, 2)
  check.fails("vec3 of 3 numbers expected, got 4", vec3, 1, 2, 3, 4)
  check.fails("number expected, got nil", vec3, 1, nil, 3)
  for _, wrong in ipairs { {}, { 1, 2 }, { 1, 2, 3, 4 }, { 1, 2, "3" }, { x = 1, Y = 2 },
    { x = 1, w = 2 }, { x = "1" }, { 1, y = 2 }, "x", true, print } do
    local message = check.fails("vec3 or a table of three numbers expected, got ", vec3, wrong)
    check.that(message:find(type(wrong), 1, true), message)
  end
  check.fails("got mat4", vec3, sinew.mat4())
  check.fails("got nil", vec3, nil)
end

function tests.reads_and_writes_fields_by_name_and_index()
  local v = vec3(1, 2, 3)
  check.has(v, { x = 1, y = 2, z = 3 })
  v.x, v[2], v.z = 4, 5, 6
  check.has(v, { 4, y = 5, [3] = 6 })
  local x, y, z = v:unpack()
  check.equal(x + 10 * y + 100 * z, 654)
end

function tests.suggests_the_right_field()
  local v = vec3()
  check.fails("vec3 has no field 'lenght' (did you mean 'length'?)", function() return v.lenght end)
  check.fails("vec3 has no field 'normalise' (did you mean 'normalize'?)",
    function() v:normalise() end)
  check.fails("vec3 has no field 'quux'", function() v.quux = 1 end)
  check.fails("vec3:add cannot be replaced", function() v.add = 1 end)
  check.fails("index 4 of a vec3 is not in 1 to 3", function() return v[4] end)
  check.fails("index 0 of a vec3 is not in 1 to 3", function() v[0] = 1 end)
  check.fails("index 1.5 of a vec3 is not in 1 to 3", function() return v[1.5] end)
  check.fails("index nan of a vec3 is not in 1 to 3", function() return v[0 / 0] end)
  check.fails("vec3 has no boolean keys", function() return v[true] end)
  check.fails("[x]: number expected, got table", function() v.x = {} end)
  check.fails("[2]: number expected, got nil", function() v[2] = nil end)
  check.fails("vec3 has no function 'lerpp' (did you mean 'lerp'?)",
    function() return vec3.lerpp end)
end

function tests.suggests_the_colon()
  local v, w = vec3(1, 2, 3), vec3(4, 5, 6)
  local hint = "a method is called with ':', not '.'"
  check.fails(hint, function() v.add(w) end)
  check.fails(hint, function() v.add() end)
  check.fails(hint, function() v.add(3) end)
  check.fails("vec3 expected, got number", function() v.length(3) end)
  check.fails("vec3 expected, got quat", function() v.length(sinew.quat()) end)
  local message = check.fails("got number", function() v:add(3) end)
  check.that(not message:find(hint, 1, true), message)
  message = check.fails("got no value", function() v:add() end)
  check.that(not message:find(hint, 1, true), message)
end

function tests.names_the_line_of_the_script()
  local message = check.fails("got string", function()
    local v = vec3()
    v:dot("x")
  end)
  check.that(message:find("test_vec3.lua:%d+: "), message)
end

function tests.hides_its_metatable()
  check.equal(getmetatable(vec3()), false)
  check.equal(getmetatable(vec3), false)
  check.fails("", setmetatable, vec3(), {})
end

function tests.has_operators_that_leave_the_operands_alone()
  local a, b = vec3(1, 2, 3), vec3(4, 6, 8)
  check.near_all(a + b, { 5, 8, 11 }, 0)
  check.near_all(b - a, { 3, 4, 5 }, 0)
  check.near_all(a * b, { 4, 12, 24 }, 0)
  check.near_all(b / vec3(2, 3, 4), { 2, 2, 2 }, 0)
  check.near_all(a * 2, { 2, 4, 6 }, 0)
  check.near_all(2 * a, { 2, 4, 6 }, 0)
  check.near_all(b / 2, { 2, 3, 4 }, 0)
  check.near_all(-a, { -1, -2, -3 }, 0)
  check.near_all(a + { 1, 1, 1 }, { 2, 3, 4 }, 0)
  check.near_all({ 1, 1, 1 } - a, { 0, -1, -2 }, 0)
  check.near_all(a, { 1, 2, 3 }, 0)
  check.near_all(b, { 4, 6, 8 }, 0)
  check.that(a == vec3(1, 2, 3))
  check.that(a ~= vec3(1, 2, 4))
  check.that(a ~= sinew.quat(1, 2, 3, 0))
  check.that(vec3(0 / 0, 0, 0) ~= vec3(0 / 0, 0, 0))
end

function tests.names_incompatible_operands()
  local v = vec3()
  check.fails("cannot apply '+' to vec3 and boolean", function() return v + true end)
  check.fails("cannot apply '+' to number and vec3", function() return 1 + v end)
  check.fails("cannot apply '-' to vec3 and number", function() return v - 1 end)
  check.fails("cannot apply '*' to vec3 and quat", function() return v * sinew.quat() end)
  check.fails("cannot apply '/' to number and vec3", function() return 1 / v end)
  check.fails("cannot apply '*' to vec3 and nil", function() return v * nil end)
end

function tests.changes_in_place_and_returns_itself()
  local v = vec3(1, 2, 3)
  check.writes(v, v:add { 1, 1, 1 }, { 2, 3, 4 })
  check.writes(v, v:add(vec3(2, 0, 0), 0.5), { 3, 3, 4 })
  check.writes(v, v:sub(vec3(1, 0, 0)), { 2, 3, 4 })
  check.writes(v, v:mul(2), { 4, 6, 8 })
  check.writes(v, v:mul { 1, 2, 3 }, { 4, 12, 24 })
  check.writes(v, v:div(4), { 1, 3, 6 })
  check.writes(v, v:negate(), { -1, -3, -6 })
  check.writes(v, v:set(v), { -1, -3, -6 })
  check.near_all(v:set(7, 8, 9), { 7, 8, 9 }, 0)
  check.near_all(v:set(), { 0, 0, 0 }, 0)
  check.near_all(v:add(v:set(1, 2, 3)), { 2, 4, 6 }, 0)
end

function tests.is_unchanged_when_a_change_is_refused()
  local v = vec3(1, 2, 3)
  pcall(v.set, v, 7, 8, "no")
  pcall(v.set, v, { 7, 8, "no" })
  pcall(v.add, v, vec3(1, 1, 1), "no")
  pcall(v.mul, v, {})
  check.near_all(v, { 1, 2, 3 }, 0)
end

function tests.computes_products_and_lengths()
  local random = check.random(7)
  for _ = 1, 200 do
    local a = { random(-3, 3), random(-3, 3), random(-3, 3) }
    local b = { random(-3, 3), random(-3, 3), random(-3, 3) }
    local v, w = vec3(a), vec3(b)
    local dot = a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
    local la = math.sqrt(a[1] * a[1] + a[2] * a[2] + a[3] * a[3])
    local lb = math.sqrt(b[1] * b[1] + b[2] * b[2] + b[3] * b[3])
    check.near(v:dot(w), dot, 1e-5)
    check.near(v:length(), la, 1e-5)
    check.near(v:unit():length(), 1, 1e-6)
    check.near(v:unit():dot(v), la, 1e-5)
    check.near(v:distance(w), (v - w):length(), 1e-5)
    check.near(v:angle(w), math.deg(math.acos(dot / (la * lb))), 1e-2)
    local c = v:cross(w)
    check.near(c:dot(v), 0, 1e-4)
    check.near(c:dot(w), 0, 1e-4)
    check.near(c:length(), la * lb * math.sin(math.rad(v:angle(w))), 1e-4)
    local t = random()
    check.near_all(v:lerp(w, t), { a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2]),
      a[3] + t * (b[3] - a[3]) }, 1e-5)
  end
  check.near_all(vec3(1, 0, 0):cross { 0, 1, 0 }, { 0, 0, 1 }, 0)
  check.near(vec3(1, 0, 0):angle { 0, 1, 0 }, 90, 1e-12)
  check.near(vec3(1, 0, 0):angle { -2, 0, 0 }, 180, 1e-12)
  check.near(vec3(1, 0, 0):angle { 1, 1e-6, 0 }, math.deg(1e-6), 1e-10)
  check.that(vec3(0.1, 0.2, 0.3):lerp({ 0.7, 0.8, 0.9 }, 1) == vec3(0.7, 0.8, 0.9))
  check.near(vec3(1e30, 0, 0):length(), 1e30, 1e24)
  check.near_all(vec3(3e-30, 4e-30, 0) * 1e30, { 3, 4, 0 }, 1e-5)
end

function tests.writes_results_to_the_given_object()
  local v, w, dest = vec3(1, 2, 3), vec3(4, 5, 6), vec3()
  check.writes(dest, v:cross(w, dest), { -3, 6, -3 })
  check.writes(dest, v:lerp(w, 0.5, dest), { 2.5, 3.5, 4.5 })
  check.that(rawequal(v:unit(dest), dest))
  check.near(dest:length(), 1)
  check.that(rawequal(v:copy(dest), dest))
  check.that(dest == v and not rawequal(v:copy(), v) and v:copy() == v)
  check.near_all(v:cross(w, v), { -3, 6, -3 }, 0)
  check.near_all(w:lerp({ 0, 0, 0 }, 0.5, w), { 2, 2.5, 3 }, 0)
  check.fails("vec3 expected, got table", v.cross, v, w, {})
end

function tests.of_zero_length_has_no_direction()
  check.fails("vec3(0, 0, 0) has no direction", function() vec3():normalize() end)
  check.fails("has no direction", function() vec3():unit() end)
  check.fails("vec3(nan, 0, 0) has no direction", function() vec3(0 / 0, 0, 0):normalize() end)
  check.fails("vec3(inf, 0, 0) has no direction", function() vec3(1 / 0, 0, 0):normalize() end)
  check.fails("has no direction", function() vec3(1, 0, 0):angle { 0, 0, 0 } end)
end

function tests.is_rotated_and_transformed_in_place()
  local v = vec3(1, 0, 0)
  check.that(rawequal(v:rotate(sinew.quat.axis({ 0, 0, 1 }, 90)), v))
  check.near_all(v, { 0, 1, 0 })
  check.that(rawequal(v:transform(sinew.mat4.translation(5, 0, 0)), v))
  check.near_all(v, { 5, 1, 0 })
  check.fails("quat or a table of four numbers expected, got vec3", v.rotate, v, v)
  check.fails("mat4 expected, got vec3", v.transform, v, v)
  check.fails("a quat of length 0", v.rotate, v, sinew.quat(0, 0, 0, 0))
end

function tests.is_near_within_a_tolerance()
  local v = vec3(1, 2, 3)
  check.that(v:near { 1, 2, 3.000001 })
  check.that(not v:near { 1, 2, 3.1 })
  check.that(v:near({ 1, 2, 3.1 }, 0.2))
  check.that(not v:near { 1, 2, 0 / 0 })
end

function tests.prints_its_numbers()
  check.equal(tostring(vec3(1, -2.5, 0.1)), "vec3(1, -2.5, 0.100000001)")
  check.equal(tostring(vec3(0 / 0, 1 / 0, -1 / 0)), "vec3(nan, inf, -inf)")
  check.equal(tostring(vec3(-1.17549421e-38, -3.40282347e38, -1.23456789e-30)),
    "vec3(-1.17549421e-38, -3.40282347e+38, -1.23456793e-30)")
end

function tests.makes_no_garbage_in_place()
  local v, w, dest, q = vec3(1, 2, 3), vec3(4, 5, 6), vec3(), sinew.quat.axis({ 0, 1, 0 }, 1)
  local m = sinew.mat4.turn({ 0, 0, 1 }, 1)
  check.no_garbage(function(i)
    v:add(w):sub(w):mul(2):div(2):add(w, 0.5):add(w, -0.5):negate():negate():rotate(q):transform(m)
    v:cross(w, dest)
    v:lerp(w, 0.5, dest)
    w.x, w[2] = i, v.y
    dest:set(v):normalize()
    v:set(1, 2, (v:dot(w) + v:length() + v:distance(w)) / (i * i + v:angle(w)))
  end)
  check.that(check.garbage(1000, function() return v + w end) > 16000, "an operator makes a vec3")
end

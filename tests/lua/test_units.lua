local check, tests = ...
local sinew = require "sinew"
local units = sinew.units

function tests.convert_numbers_into_metres_and_degrees()
  check.near(units.cm(8.5), 0.085, 1e-15)
  check.near(units.mm(8.5), 0.0085, 1e-15)
  check.near(units.inches(1), 0.0254, 1e-15)
  check.near(units.m(3), 3, 0)
  check.near(units.degrees(math.pi), 180, 1e-12)
  check.near(units.radians(units.degrees(1.25)), 1.25, 1e-12)
  check.near(units.turns(0.5), 180, 0)
end

function tests.convert_nested_tables_without_changing_them()
  local given = { { 1, 2 }, { 3, { 4 } }, name = 5 }
  local got = units.cm(given)
  check.near_all(got[1], { 0.01, 0.02 }, 1e-15)
  check.near(got[2][2][1], 0.04, 1e-15)
  check.near(got.name, 0.05, 1e-15)
  check.equal(given[1][1], 1)
  local shared = { 1 }
  local twice = units.cm { shared, shared }
  check.near(twice[2][1], 0.01, 1e-15)
end

function tests.convert_vectors_and_only_the_translation_of_matrices()
  local v = sinew.vec3(1, 2, 3)
  check.near_all(units.cm(v), { 0.01, 0.02, 0.03 })
  check.equal(v.x, 1)
  local m = sinew.mat4.turn({ 0, 1, 0 }, 30)
  m[13] = 10
  local got = units.mm(m)
  check.near(got[13], 0.01)
  check.near(got[1], m[1], 0)
  check.equal(m[13], 10)
end

function tests.zip_two_lists_into_points()
  local points = units.points({ 0, math.pi }, { 10, 20 }, units.degrees, units.mm)
  check.near_all(points[1], { 0, 0.01 }, 1e-12)
  check.near_all(points[2], { 180, 0.02 }, 1e-12)
  check.near(sinew.linear(units.points({ 0, 2 }, { 0, 4 }))(1), 2)
end

function tests.refuse_bad_arguments_with_a_message()
  check.fails("units.cm: a number, vec3, mat4 or table of these expected, not a string",
    units.cm, "1")
  check.fails("units.mm: a number, vec3, mat4 or table of these expected, not a boolean",
    units.mm, { true })
  check.fails("units.cm: a number", units.cm, sinew.rig "r")
  local loop = {}
  loop[1] = loop
  check.fails("a table that holds itself", units.cm, loop)
  check.fails("units.points: 2 x for 1 y", units.points, { 1, 2 }, { 1 })
  check.fails("two lists of numbers are wanted", units.points, 1, 2)
  check.fails({ "test_units.lua:", "units.cm" }, function() units.cm "x" end)
end

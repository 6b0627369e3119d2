local check, tests = ...
local sinew = require "sinew"

local function at(curve, x, y, slope)
  local value, derivative = curve(x)
  check.near(value, y, 1e-5)
  if slope then check.near(derivative, slope, 1e-5) end
end

function tests.passes_through_its_points()
  local points = { { 0, 0 }, { 1, 2 }, { 3, 1 }, { 4, 5 } }
  for _, kind in ipairs { "piecewise", "spline", "monotone", "simm" } do
    local curve = sinew[kind](points)
    for _, p in ipairs(points) do at(curve, p[1], p[2]) end
    check.equal(curve.kind, kind)
    check.equal(#curve.points, 4)
    check.near_all(curve.points[3], { 3, 1 })
    check.equal(#curve.coefficients, 0)
    check.equal(tostring(curve), ("%s curve of 4 points, %s outside"):format(kind,
      kind == "simm" and "extend" or "clamp"))
  end
end

function tests.returns_value_and_slope()
  at(sinew.linear { { 0, 1 }, { 2, 5 } }, 0.5, 2, 2)
  at(sinew.piecewise { { 0, 0 }, { 1, 3 }, { 2, 2 } }, 1, 3, -1)
  at(sinew.constant(7), 99, 7, 0)
  -- 1 + 2x + 3x^2 at 2: 17, with slope 14
  at(sinew.polynomial { 1, 2, 3 }, 2, 17, 14)
  at(sinew.linear { { 0, 0 }, { 1, 1 } }, -3, 0, 0)
  local eval = sinew.linear { { 0, 0 }, { 1, 4 } }
  check.near(eval:eval(0.25), 1)
  -- a natural cubic through (0,0), (1,1), (2,0): y = 1.5 x - 0.5 x^3 on the first half
  at(sinew.spline { { 0, 0 }, { 1, 1 }, { 2, 0 } }, 0.5, 0.6875, 1.125)
end

function tests.continues_outside_by_the_given_rule()
  local points = { { 0, 0 }, { 1, 2 } }
  local function curve(outside)
    return sinew.piecewise { points[1], points[2], outside = outside }
  end
  at(curve "clamp", 3, 2, 0)
  at(curve "extend", 3, 6, 2)
  at(curve "repeat", 2.25, 0.5, 2)
  check.equal(curve "repeat".outside, "repeat")
end

function tests.scales_and_shifts_the_result()
  local curve = sinew.linear { { 0, 0 }, { 1, 2 }, scale = 10, offset = 1 }
  at(curve, 0.5, 11, 20)
  check.equal(curve.scale, 10)
  check.equal(curve.offset, 1)
  local p = sinew.polynomial { 0, 1, scale = 2 }
  at(p, 3, 6, 2)
  check.near_all(p.coefficients, { 0, 1 })
  check.equal(tostring(p), "polynomial curve of 2 coefficients")
end

function tests.reports_wrong_points()
  check.fails("spline curve: point 2 must be a pair of numbers, such as {0, 1}", sinew.spline,
    { { 0, 0 }, 5 })
  check.fails("spline curve: point 1 must be a pair", sinew.spline, { { 0 }, { 1, 1 } })
  check.fails("spline curve: point 1 must be a pair", sinew.spline, { { 0, 1, 2 }, { 1, 1 } })
  check.fails("spline curve: point 1 must be a pair", sinew.spline, { { "0", 1 }, { 1, 1 } })
  check.fails("without gaps", sinew.spline, { { 0, 0 }, { 1, 1 }, [5] = { 2, 2 } })
  check.fails("polynomial curve: coefficient 2 must be a number, not string", sinew.polynomial,
    { 1, "x" })
  check.fails("linear curve has no option 'outsid' (did you mean 'outside'?)", sinew.linear,
    { { 0, 0 }, { 1, 1 }, outsid = "clamp" })
  check.fails("'outside' must be 'clamp', 'extend' or 'repeat'", sinew.linear,
    { { 0, 0 }, { 1, 1 }, outside = "bounce" })
  check.fails("'scale' must be a number", sinew.linear, { { 0, 0 }, { 1, 1 }, scale = "2" })
  check.fails("linear curve: a table of points expected, not number", sinew.linear, 3)
  check.fails("number expected", sinew.constant, {})
  for _, points in ipairs { {}, { { 0, 0 } }, { { 1, 0 }, { 0, 1 } }, { { 0, 0 }, { 0, 1 } },
    { { 0, 0 }, { 1, 0 / 0 } }, { { 0, 0 }, { 1 / 0, 1 } } } do
    check.fails("point", sinew.piecewise, points)
  end
end

function tests.reports_a_wrong_call()
  local curve = sinew.constant(1)
  check.fails("number expected, got no value", curve)
  check.fails("curve expected, got number; a method is called with ':', not '.'", curve.eval, 3)
  check.fails("curve has no field 'point' (did you mean 'points'?)",
    function() return curve.point end)
  check.fails("field 'kind' of curve cannot be set", function() curve.kind = "x" end)
  curve:close()
  curve:close()
  check.equal(tostring(curve), "curve (closed)")
  check.fails("the curve was closed", curve, 1)
  check.fails("the curve was closed", function() return curve.points end)
  local rig = sinew.rig "r"
  check.fails("the curve was closed", rig.map, rig, { rig:dof "x", y = curve })
end

local check, tests = ...
local sinew = require "sinew"

function tests.agree_with_radians()
  for degrees = -720, 720, 7.3 do
    check.near(sinew.sin(degrees), math.sin(math.rad(degrees)), 1e-6)
    check.near(sinew.cos(degrees), math.cos(math.rad(degrees)), 1e-6)
  end
  for degrees = -80, 80, 3.7 do
    check.near(sinew.tan(degrees), math.tan(math.rad(degrees)), 1e-5)
    check.near(sinew.asin(math.sin(math.rad(degrees))), degrees, 1e-9)
    check.near(sinew.acos(math.cos(math.rad(degrees))), math.abs(degrees), 1e-9)
  end
end

function tests.are_exact_at_right_angles()
  for turns = -3, 3 do
    check.equal(sinew.sin(360 * turns + 90), 1)
    check.equal(sinew.cos(360 * turns + 90), 0)
    check.equal(sinew.cos(360 * turns + 180), -1)
    check.equal(sinew.sin(360 * turns), 0)
  end
end

function tests.return_the_angle_in_all_four_quadrants()
  check.near(sinew.atan2(1, 1), 45, 1e-12)
  check.near(sinew.atan2(1, -1), 135, 1e-12)
  check.near(sinew.atan2(-1, -1), -135, 1e-12)
  check.near(sinew.atan2(-1, 1), -45, 1e-12)
  check.fails("number expected, got no value", sinew.atan2, 1)
end

function tests.accept_only_rounding_beyond_one()
  check.equal(sinew.acos(1 + 1e-7), 0)
  check.equal(sinew.asin(-1 - 1e-7), -90)
  check.fails("number from -1 to 1 expected", sinew.acos, 1.1)
  check.fails("number from -1 to 1 expected", sinew.asin, 0 / 0)
end

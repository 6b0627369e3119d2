-- Cones and fields from Lua: queries, draw data, fitting, and both as limits in a rig.
local check, tests = ...
local sinew = require "sinew"
local square = { { 1, -1, 1 }, { 1, 1, 1 }, { -1, 1, 1 }, { -1, -1, 1 } }

function tests.tells_whether_a_direction_is_inside()
  local cone = sinew.cone { points = square, rest = { 0, 0, 1 } }
  check.equal(#cone, 4)
  check.that(cone:inside { 0, 0, 1 })
  check.that(cone:inside { 0.6, 0.3, 1 })
  check.that(not cone:inside { 1.5, 0, 1 })
  check.that(not cone:inside { 0, 0, -1 })
  check.equal(tostring(cone), "reach cone of 4 points")
end

function tests.clamps_on_the_path_from_rest()
  local cone = sinew.cone { points = square, rest = { 0, 0, 1 } }
  local held, outside = cone:hold { 1, 0, 0 }
  check.that(outside)
  -- the boundary between (1,-1,1) and (1,1,1) is at 45 degrees
  check.near_all(held, sinew.vec3(1, 0, 1):normalize(), 1e-4)
  local same, free = cone:hold { 0.1, 0.1, 1 }
  check.that(not free)
  check.near_all(same, sinew.vec3(0.1, 0.1, 1):normalize(), 1e-6)
end

function tests.interpolates_twist_limits()
  local cone = sinew.cone { points = square, rest = { 0, 0, 1 },
    twist_limits = { { -10, 10 }, { -10, 10 }, { -10, 10 }, { -10, 10 } },
    visible_twist = { { -90, 90 } } }
  local low, high = cone:twist { 0, 0, 1 }
  check.near(low, -90, 1e-3)
  check.near(high, 90, 1e-3)
  low, high = cone:twist { 1, 1, 1 }
  check.near(low, -10, 1e-2)
  check.near(high, 10, 1e-2)
  check.equal(#cone.twist_limits, 5)
  local free = sinew.cone { points = square, rest = { 0, 0, 1 } }
  check.equal(select("#", free:twist { 0, 0, 1 }), 0)
  check.equal(free.twist_limits, nil)
end

function tests.may_be_an_ellipse_of_four_half_angles()
  local cone = sinew.cone { ellipse = { 30, 60, 30, 20 }, rest = { 0, 1, 0 }, right = { 1, 0, 0 },
    count = 48 }
  check.equal(#cone, 48)
  check.that(cone:inside(sinew.vec3(sinew.sin(29), sinew.cos(29), 0)))
  check.that(not cone:inside(sinew.vec3(sinew.sin(31), sinew.cos(31), 0)))
  -- azimuth 90 is rest x right = -z
  check.that(cone:inside(sinew.vec3(0, sinew.cos(59), -sinew.sin(59))))
  check.that(not cone:inside(sinew.vec3(0, sinew.cos(21), sinew.sin(21))))
end

function tests.reports_mistakes()
  check.fails("clockwise", sinew.cone,
    { points = { square[4], square[3], square[2], square[1] }, rest = { 0, 0, 1 } })
  check.fails("cone has no option 'point' (did you mean 'points' or 'count'?)", sinew.cone,
    { point = square, rest = { 0, 0, 1 } })
  check.fails("item 2 of 'points' must be a row of 3 numbers", sinew.cone,
    { points = { { 1, 0, 0 }, { 1, 0 }, { 0, 0, 1 } }, rest = { 0, 0, 1 } })
  check.fails("3 pairs of 'twist_limits' for 4 points", sinew.cone,
    { points = square, rest = { 0, 0, 1 }, twist_limits = { { 0, 1 }, { 0, 1 }, { 0, 1 } } })
end

-- rotations about x and z by up to 40 and 25 degrees
local function swings()
  local samples = {}
  for i = 0, 71 do
    local a = i * 5
    for _, r in ipairs { 0.2, 0.5, 0.8, 1 } do
      samples[#samples + 1] = sinew.quat.axis({ 1, 0, 0 }, 40 * r * sinew.cos(a))
        * sinew.quat.axis({ 0, 0, 1 }, 25 * r * sinew.sin(a))
    end
  end
  return samples
end

function tests.is_fitted_to_motion()
  local samples = swings()
  local cone, report = sinew.fit_cone { samples = samples, rest = { 0, -1, 0 }, share = 0.99 }
  check.equal(report.samples, #samples)
  check.that(report.kept >= 0.99 * #samples, "kept " .. report.kept)
  check.that(#cone < 40, "it has " .. #cone .. " points")
  check.that(cone:inside(sinew.quat.axis({ 1, 0, 0 }, 37) * sinew.vec3(0, -1, 0)))
  check.that(not cone:inside(sinew.quat.axis({ 0, 0, 1 }, 35) * sinew.vec3(0, -1, 0)))
end

function tests.limits_a_rig()
  local rig = sinew.rig "arm"
  local bone = rig:segment("bone")
  local set = rig:joint_set "arm"
  local angle = set:dof("angle", { min = -180, max = 180 })
  local cone = set:cone { swing = set:rotation { angle, axis = { 0, 1, 0 } }, points = square,
    rest = { 0, 0, 1 } }
  bone:drive(cone.transform)
  local pose = rig:pose()
  pose["arm.angle"] = 30
  check.equal(pose:value(cone.inside), 1)
  check.equal(#pose:holds(), 0)
  pose["arm.angle"] = 80
  check.equal(pose:value(cone.inside), 0)
  check.near_all(pose:driven(bone):direction { 0, 0, 1 }, sinew.vec3(1, 0, 1):normalize(), 1e-4)
  check.has(pose:holds()[1], { port = "swing", by = "the reach cone" })
end

-- a closed path of two angles
local function loop()
  local samples = {}
  for i = 0, 99 do
    samples[#samples + 1] = { 40 * sinew.cos(3.6 * i), 20 * sinew.sin(3.6 * i) }
  end
  samples[#samples + 1] = samples[1]
  return samples
end

local axes = { { min = -90, max = 90, resolution = 41 }, { min = -90, max = 90, resolution = 41 } }

function tests.field_contains_what_a_motion_encloses()
  local field, report = sinew.field { axes = axes, samples = loop() }
  check.equal(#field, 2)
  check.equal(report.components, 1)
  check.that(report.bytes > 41 * 41 * 4)
  check.that(field:feasible(0, 0))
  check.that(field:feasible(38, 0))
  check.that(not field:feasible(0, 60))
  check.that(field:lookup(0, 0) < 0)
  local a, b, moved = field:project(0, 60)
  check.that(field:feasible(a, b))
  check.near(moved, 60 - b, 0.5)
  check.near(b, 20, 6)
end

function tests.field_is_restored_from_its_file()
  local field = sinew.field { axes = axes, samples = loop() }
  local path = os.tmpname()
  check.that(field:save(path))
  local again = sinew.load_field(path)
  os.remove(path)
  check.equal(again:lookup(12, 34), (field:lookup(12, 34)))
  check.returns_error("nowhere", field.save, field, "/nowhere/at/all")
  check.fails("no-such-file", sinew.load_field, "no-such-file")
end

function tests.field_limits_a_rig_and_is_read_back()
  local field = sinew.field { axes = axes, samples = loop() }
  local rig = sinew.rig "two"
  local bone = rig:segment "bone"
  local set = rig:joint_set "joint"
  local u = set:dof("u", { min = -90, max = 90 })
  local v = set:dof("v", { min = -90, max = 90 })
  local held = set:field { u, v, field = field }
  bone:drive(set:euler { held.angle1, held.angle2, 0, order = "xyz" })
  local pose = rig:pose()
  pose:set { ["joint.u"] = 0, ["joint.v"] = 70 }
  check.that(field:feasible(pose:value(held.angle1), pose:value(held.angle2)))
  check.that(#pose:holds() > 0)
  check.equal(held:param("field"):lookup(1, 2), (field:lookup(1, 2)))
  check.fails("parameter 'field' must be", function() set:field { u, v, field = 3 } end)
end

function tests.field_refuses_angles_that_are_not_finite()
  local field = sinew.field { axes = axes, samples = loop() }
  for _, wrong in ipairs { 0 / 0, 1 / 0, -1 / 0, 1e300 } do
    check.fails("the angle is not finite", field.project, field, 0, wrong)
    check.fails("the angle is not finite", field.lookup, field, wrong, 0)
    check.fails("the angle is not finite", field.feasible, field, wrong, 0)
  end
  local a, b, moved = field:project(1e30, -1e30)
  check.that(field:feasible(a, b))
  check.that(moved > 1e30 and moved < 1 / 0)
end

function tests.directions_may_have_any_length_except_zero()
  local points = { { 1, 0, 1 }, { 0, 1, 1 }, { -1, 0, 1 }, { 0, -1, 1 } }
  for _, length in ipairs { 1e-45, 1e-30, 1e-13, 1e30 } do
    local cone = sinew.cone { points = points, rest = { 0, 0, length } }
    check.that(cone:inside { 0, 0, length })
    check.near_all(sinew.vec3(0, length, 0):normalize(), { 0, 1, 0 }, 0)
  end
  check.fails("has no direction", sinew.cone, { points = points, rest = { 0, 0, 0 } })
  local left = sinew.cone { points = points, rest = { 0, 0, 1 } }
  local held = left:hold { 1, 0.3, 0.2 }
  check.that(left:inside(held))
  check.fails("on the boundary, at edge 1", sinew.cone,
    { points = points, rest = { 1, 1, 2 }, visible = { 0, 0, 1 } })
end

function tests.field_reports_mistakes()
  check.fails("'axes' must be a table", sinew.field, { samples = loop() })
  check.fails("field: axis 1 has no option 'mim' (did you mean 'min'?)", sinew.field,
    { axes = { { mim = 1 } }, samples = { 1 } })
  check.fails("'samples' or 'clips' is missing", sinew.field, { axes = axes })
  check.fails("item 1 of 'samples' must be a row of 2 numbers", sinew.field,
    { axes = axes, samples = { { 1, 2, 3 } } })
end

function tests.takes_one_pair_of_visible_twist()
  for _, wrong in ipairs { {}, { 1, 2, 3, 4 } } do
    check.fails("'visible_twist' takes one pair", sinew.cone, { rest = { 0, 0, 1 },
      points = square, visible_twist = wrong })
  end
end

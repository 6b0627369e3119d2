local check, tests = ...
local sinew = require "sinew"
local sample = require "sample"

-- a rig with a DOF "x" and what `make` adds to it; returns the pose, the component and the rig
local function one(make)
  local rig = sinew.rig "one"
  local x = rig:dof("x", { min = -1000, max = 1000 })
  local component = make(rig, x)
  return rig:pose(), component, rig
end

function tests.translation_moves_by_scalars_or_a_vector()
  local pose, c = one(function(rig, x) return rig:translation { x, z = 3 } end)
  pose.x = 2
  check.near_all(pose:value(c):position(), { 2, 0, 3 })
  pose, c = one(function(rig) return rig:translation { vector = { 1, 2, 3 } } end)
  check.near_all(pose:value(c):position(), { 1, 2, 3 })
end

function tests.rotation_rotates_about_its_centre()
  local pose, c = one(function(rig, x)
    return rig:rotation { x, axis = { 0, 0, 2 }, centre = { 1, 0, 0 } }
  end)
  pose.x = 90
  -- the origin rotates about (1, 0, 0) to (1, -1, 0)
  check.near_all(pose:value(c):position(), { 1, -1, 0 }, 1e-6)
end

function tests.rotation_changes_its_centre_between_intervals()
  local pose, c = one(function(rig, x)
    return rig:rotation { x, axis = { 0, 0, 1 }, angles = { 0, 90, 180 },
      centres = { { 0, 0, 0 }, { 0, 1, 0 } } }
  end)
  pose.x = 90
  check.near_all(pose:value(c):position(), { 0, 0, 0 }, 1e-6)
  pose.x = 500
  -- first about the origin, which stays, then about (0, 1, 0)
  check.near_all(pose:value(c):position(), { 1, 1, 0 }, 1e-6)
  check.equal(pose:holds()[1].name, "rotation1")
  check.near(pose:holds()[1].amount, -320)
end

function tests.euler_multiplies_in_the_order_of_the_letters()
  local pose, c = one(function(rig, x) return rig:euler { x, 90, order = "zxy" } end)
  pose.x = 90
  local expected = sinew.mat4.turn({ 0, 0, 1 }, 90) * sinew.mat4.turn({ 1, 0, 0 }, 90)
  check.near_all(pose:value(c), expected, 1e-6)
  check.equal(c.order, "zxy")
  check.equal(({ one(function(rig) return rig:euler {} end) })[2].order, "xyz")
end

function tests.multiply_takes_ports_components_and_constants()
  local a, b = sinew.mat4.translation(1, 0, 0), sinew.mat4.turn({ 0, 0, 1 }, 90)
  local pose, c = one(function(rig, x)
    return rig:multiply { a, rig:rotation { x, axis = { 0, 0, 1 } }.transform, a,
      rig:translation { y = 2 } }
  end)
  pose.x = 90
  check.near_all(pose:value(c), a * b * a * sinew.mat4.translation(0, 2, 0), 1e-6)
end

function tests.map_has_an_output_for_each_curve()
  local pose, c = one(function(rig, x)
    return rig:map { x, double = sinew.polynomial { 0, 2 }, square = sinew.polynomial { 0, 0, 1 } }
  end)
  pose.x = 3
  check.near(pose:value(c.double), 6)
  check.near(pose:value(c.square), 9)
  check.equal(#c.outputs, 2)
  check.equal(c.outputs[1].name, "double")
  check.equal(tostring(c.double), "scalar port 'map1.double'")
end

function tests.dependency_bounds_and_shifts()
  local line = sinew.polynomial { 0, 2 }
  for _, case in ipairs { { { map = line }, 6 }, { { lower = line }, 6 }, { { upper = line }, 5 },
    { { offset = line }, 11 }, { { lower = line, upper = sinew.constant(100) }, 6 } } do
    local pose, c = one(function(rig, x)
      local arguments = { x, 5 }
      for key, curve in pairs(case[1]) do arguments[key] = curve end
      return rig:dependency(arguments)
    end)
    pose.x = 3
    check.near(pose:value(c), case[2])
  end
end

function tests.compensate_accepts_segments_as_handles_or_names()
  for _, by_name in ipairs { true, false } do
    local k = sample.knee()
    local foot = k.rig:segment("foot", { parent = k.tibia, at = { 0, -0.4, 0 } })
    local cancel = k.knee:compensate { k.turn, ancestor = by_name and "tibia" or k.tibia,
      segment = by_name and "foot" or foot }
    foot:drive(cancel)
    local pose = k.rig:pose()
    pose["knee.flexion"] = 90
    local m = pose:world "foot"
    check.near_all(m:position(), { 0, 0.491, -0.4 }, 1e-5)
    check.near_all({ m[1], m[2], m[3], m[5], m[6], m[7] }, { 1, 0, 0, 0, 1, 0 }, 1e-5)
    check.equal(cancel.segment, "foot")
  end
end

function tests.accepts_inputs_in_order_or_by_name()
  for _, arguments in ipairs { { 1, 2, 3 }, { x = 1, y = 2, z = 3 }, { 1, z = 3, y = 2 } } do
    local pose, c = one(function(rig) return rig:translation(arguments) end)
    check.near_all(pose:value(c):position(), { 1, 2, 3 })
  end
end

function tests.describes_itself_and_its_ports()
  local k = sample.knee()
  check.has(k.bend, { name = "knee.bend", kind = "map", angle = k.bend.outputs[1] })
  check.equal(tostring(k.bend), "map 'knee.bend'")
  check.has(k.bend.angle, { name = "angle", kind = "scalar", component = k.bend })
  check.equal(k.turn.transform.kind, "matrix")
  check.that(k.bend.angle ~= k.bend.slide)
  check.equal(k.bend:port "angle", k.bend.angle)
  local clash = k.knee:map { k.flexion, kind = sinew.constant(1) }
  check.equal(clash.kind, "map")
  check.equal(clash:port "kind".name, "kind")
  check.fails("map 'knee.bend' has no port 'angel' (did you mean 'angle'?)", k.bend.port, k.bend,
    "angel")
end

function tests.returns_its_parameters()
  local _, c = one(function(rig, x)
    return rig:rotation { x, axis = { 0, 0, 1 }, angles = { 0, 90, 180 }, rest = 10,
      centres = { { 1, 0, 0 }, sinew.vec3(0, 1, 0) } }
  end)
  check.near_all(c.axis, { 0, 0, 1 })
  check.near_all(c:param "angles", { 0, 90, 180 })
  check.near_all(c.centres[2], { 0, 1, 0 })
  check.equal(c.rest, 10)
  check.equal(c.centre, nil)
  local _, m = one(function(rig, x) return rig:map { x, y = sinew.constant(4) } end)
  check.equal(m:param "y"(0), 4)
end

function tests.accepts_lists_from_buffers()
  local _, c = one(function(rig, x)
    return rig:rotation { x, axis = { 0, 0, 1 }, angles = sinew.buffer { -5, 5 } }
  end)
  check.near_all(c.angles, { -5, 5 })
end

function tests.changes_parameters_of_a_compiled_rig()
  local pose, c, rig = one(function(r, x) return r:rotation { x, axis = { 0, 0, 1 } } end)
  pose.x = 90
  check.near_all(pose:value(c) * sinew.vec3(1, 0, 0), { 0, 1, 0 }, 1e-6)
  c.axis = { 0, 1, 0 }
  check.near_all(pose:value(c) * sinew.vec3(1, 0, 0), { 0, 0, -1 }, 1e-6)
  check.equal(c:set("axis", sinew.vec3(0, 0, -1)), c)
  check.near_all(pose:value(c) * sinew.vec3(1, 0, 0), { 0, -1, 0 }, 1e-6)
  check.near_all(c.axis, { 0, 0, -1 })
  local fresh = rig:pose()
  fresh.x = 90
  check.near_all(fresh:value(c) * sinew.vec3(1, 0, 0), { 0, -1, 0 }, 1e-6)
end

function tests.keeps_the_old_parameter_when_the_new_one_is_wrong()
  local pose, c = one(function(rig, x)
    return rig:rotation { x, axis = { 0, 0, 1 }, angles = { 0, 180 } }
  end)
  pose.x = 90
  for _, wrong in ipairs { { "axis", { 0, 0, 0 } }, { "axis", { 0 / 0, 0, 1 } },
    { "angles", { 3, 1 } }, { "rest", 500 }, { "rest", 0 / 0 } } do
    check.fails("rotation1", c.set, c, wrong[1], wrong[2])
    check.near_all(c.axis, { 0, 0, 1 })
    check.near_all(c.angles, { 0, 180 })
    check.near_all(pose:value(c) * sinew.vec3(1, 0, 0), { 0, 1, 0 }, 1e-6)
  end
end

function tests.changes_a_curve_through_its_output()
  local pose, c = one(function(rig, x) return rig:map { x, y = sinew.polynomial { 0, 2 } } end)
  pose.x = 3
  check.near(pose:value(c.y), 6)
  c.y = sinew.polynomial { 1, 1 }
  check.near(pose:value(c.y), 4)
  check.fails("map 'map1' has no parameter 'z'", function() c:set("z", sinew.constant(1)) end)
end

function tests.reports_wrong_arguments()
  local rig = sinew.rig "wrong"
  local x = rig:dof "x"
  local other = sinew.rig "other"
  local bend = rig:map { x, a = sinew.constant(1), b = sinew.constant(2) }
  local function fails(part, arguments, kind)
    check.fails(part, rig[kind or "rotation"], rig, arguments)
  end
  fails("rotation has no input or parameter 'axsi' (did you mean 'axis'?)", { x, axsi = 1 })
  fails("rotation 'r' has no input or parameter 'axsi'", { x, axsi = 1, name = "r" })
  fails("rotation: 'name' must be a string, not number", { x, name = 5 })
  fails("rotation takes 1 input, got 2", { x, x })
  fails("rotation: input 'angle' expects a DOF, a port or a number, not string", { "x" })
  fails("rotation: input 'angle' expects a DOF, a port or a number, not segment",
    { rig:segment "s" })
  fails("rotation: input 'angle' expects a DOF, a port or a number, not table", { {} })
  fails("cannot wire a DOF of another rig", { other:dof "y" })
  fails("cannot wire a port of another rig",
    { other:map { 1, a = sinew.constant(1) }.a })
  fails("cannot wire a component of another rig",
    { other:map { 1, a = sinew.constant(1) } })
  fails("component 'map1' has 2 outputs: name one, such as bend.angle", { bend })
  fails("rotation: parameter 'axis' must be a vec3 or a table of three numbers, not number",
    { x, axis = 1 })
  fails("rotation: parameter 'angles' must be a table of numbers, not string",
    { x, angles = "0 90" })
  fails("rotation: parameter 'centres' must be a table of vec3", { x, centres = { 1, 2 } })
  fails("euler: parameter 'order' must be a string, not number", { order = 5 }, "euler")
  fails("map: parameter 'y' must be a curve, such as sinew.linear", { x, y = 5 }, "map")
  fails("dependency: parameter 'map' must be a curve", { x, map = {} }, "dependency")
  fails("compensate: parameter 'ancestor' must be a segment or its name, not number",
    { ancestor = 5 }, "compensate")
  fails("translation: input 'vector' expects a DOF, a port or a vec3, not number", { vector = 1 },
    "translation")
  fails("multiply: input 'matrix' is nil", { nil, x }, "multiply")
  fails("multiply: input 'matrix' expects a DOF, a port or a mat4, not boolean", { true },
    "multiply")
  fails("multiply: 'matrix' must be a list, without names", { matrix = sinew.mat4() },
    "multiply")
  fails("without gaps", { [2] = x, axis = { 1, 0, 0 } })
  fails("without gaps", { x, [0] = x })
  fails("without gaps", { x, [true] = x })
  fails("rotation { ... } expected: a table of inputs and parameters, not DOF", x)
  fails("rotation { ... } expected: a table of inputs and parameters, not nil", nil)
end

function tests.reports_missing_inputs_when_the_rig_is_compiled()
  local rig = sinew.rig "missing"
  rig:rotation { nil, axis = { 0, 0, 1 } }
  check.fails("input 'angle'", rig.compile, rig)
  rig = sinew.rig "missing"
  rig:rotation { rig:dof "x" }
  check.fails("parameter 'axis'", rig.compile, rig)
end

function tests.reports_wrong_fields_and_calls()
  local k = sample.knee()
  check.fails("component has no port, parameter or method 'angel' (did you mean 'angle'?)",
    function() return k.bend.angel end)
  check.fails("component has no port, parameter or method 'axs' (did you mean 'axis'?)",
    function() k.turn.axs = { 1, 0, 0 } end)
  check.fails("component has no field 3", function() return k.bend[3] end)
  check.fails("port 'transform' is an output of rotation 'knee.turn': it cannot be set",
    function() k.turn.transform = sinew.mat4() end)
  check.fails("field 'name' of component cannot be set", function() k.turn.name = "x" end)
  check.fails("component:set cannot be replaced", function() k.turn.set = 1 end)
  check.fails("rotation 'knee.turn' has no parameter 'axsi' (did you mean 'axis'?)", k.turn.set,
    k.turn, "axsi", 1)
  check.fails("rotation 'knee.turn' has no parameter 'angle'", k.turn.param, k.turn, "angle")
  check.fails("rotation 'knee.turn': parameter 'axis' must be a vec3 or a table of three numbers, "
    .. "not nil", function() k.turn.axis = nil end)
  check.fails("value expected", k.turn.set, k.turn, "axis")
  check.fails("component expected, got string; a method is called with ':', not '.'", k.turn.set,
    "axis", {})
  check.fails("port has no field 'nam' (did you mean 'name' or 'named'?)",
    function() return k.bend.angle.nam end)
  check.fails("segment 'tibia' has no DOF, field or method 'drvie' "
    .. "(did you mean 'drive' or 'driver'?)",
    function() k.tibia:drvie(k.turn) end)
  check.fails("port, or component with one output, expected, got number", k.tibia.drive, k.tibia, 5)
  check.fails("component 'knee.bend' has 2 outputs", k.tibia.drive, k.tibia, k.bend)
end

function tests.has_many_outputs_without_running_out_of_stack()
  local rig = sinew.rig "wide"
  local arguments = { rig:dof "x" }
  for i = 1, 300 do arguments["y" .. i] = sinew.constant(i) end
  local map = rig:map(arguments)
  check.equal(#map.outputs, 300)
  check.fails("(did you mean 'y300'", function() return map.y3000 end)
  check.equal(rig:pose():value(map.y77), 77)
  local list = {}
  for i = 1, 300 do list[i] = sinew.mat4.translation(1, 0, 0) end
  local product = rig:multiply(list)
  check.near(rig:pose():value(product):position().x, 300)
end

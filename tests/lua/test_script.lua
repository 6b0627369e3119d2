local check, tests = ...
local sinew = require "sinew"
local sample = require "sample"

local function kind(t)
  t.name = t.name or "custom"
  t.outputs = t.outputs or { "y" }
  return sinew.component(t)
end

function tests.maps_scalars_to_scalars()
  local Spring = sinew.component {
    name = "spring", inputs = { "angle" }, outputs = { "angle" }, params = { stiffness = 1 },
    eval = function(self, angle) return angle / (1 + self.stiffness) end,
  }
  check.equal(tostring(Spring), "kind of component 'spring': 1 input, 1 output")
  local s = sample.scripted(Spring, { stiffness = 0.5 })
  local pose = s.rig:pose()
  pose["set.x"] = 45
  check.near(pose:value(s.component), 30)
  check.equal(tostring(s.component), "spring 'set.spring1'")
  check.equal(s.component.angle.kind, "scalar")
  check.equal(tostring(Spring { 1 }), "'spring', to be added to a rig or joint set")
end

function tests.gets_vectors_and_matrices_as_userdata()
  local Apply = kind { inputs = { "m: matrix", "v:vector", "k" }, outputs = { "w: vector" },
    eval = function(_, m, v, k) return (m * v) * k end }
  local rig = sinew.rig "apply"
  local x = rig:dof "x"
  local c = rig:add(Apply { rig:rotation { x, axis = { 0, 0, 1 } }, sinew.vec3(1, 0, 0), 2 })
  local pose = rig:pose()
  pose.x = 90
  check.near_all(pose:value(c), { 0, 2, 0 }, 1e-6)
  check.equal(c.w.kind, "vector")
  local dest = sinew.vec3()
  check.that(rawequal(pose:value(c, dest), dest))
end

function tests.returns_outputs_in_order_or_in_a_table_by_name()
  local m = sinew.mat4.translation(1, 2, 3)
  local list = { m:unpack() }
  local results = {
    function() return 1, sinew.vec3(1, 2, 3), m end,
    function() return 1, { 1, 2, 3 }, list end,
    function() return { a = 1, b = sinew.vec3(1, 2, 3), c = m } end,
    function() return { a = 1, b = { x = 1, y = 2, z = 3 }, c = list } end,
  }
  for _, eval in ipairs(results) do
    local Three = kind { inputs = {}, outputs = { "a", "b: vector", "c: matrix" }, eval = eval }
    local rig = sinew.rig "three"
    local c = rig:add(Three {})
    local pose = rig:pose()
    check.near(pose:value(c.a), 1)
    check.near_all(pose:value(c.b), { 1, 2, 3 })
    check.near_all(pose:value(c.c), m)
  end
  -- a vector input whose name is that of one of its fields
  local V = kind { outputs = { "x: vector" }, eval = function() return { x = 1, y = 2, z = 3 } end }
  local rig = sinew.rig "v"
  local c = rig:add(V {})
  check.near_all(rig:pose():value(c), { 1, 2, 3 })
end

function tests.drives_a_segment()
  local Lift = kind { inputs = { "h" }, outputs = { "m: matrix" },
    eval = function(_, h) return sinew.mat4.translation(0, h, 0) end }
  local s = sample.scripted(Lift)
  s.rig:segment "bone":drive(s.component)
  local pose = s.rig:pose()
  pose["set.x"] = 7
  check.near_all(pose:world "bone":position(), { 0, 7, 0 })
end

function tests.has_parameters_of_every_type()
  local seen
  local Params = kind { inputs = { "x" },
    params = { number = 0.1, flag = false, text = "a", vector = { 1, 2, 3 }, list = { 1, 2 },
      vectors = { { 1, 2, 3 }, { 4, 5, 6 } }, matrix = sinew.mat4(), curve = sinew.constant(4) },
    eval = function(self, x) seen = self return x end }
  local s = sample.scripted(Params)
  s.rig:pose():eval()
  check.has(seen, { number = 0.1, flag = false, text = "a", vector = { y = 2 }, list = { 1, 2 },
    matrix = sinew.mat4() })
  check.near_all(seen.vectors[2], { 4, 5, 6 })
  check.equal(seen.curve(0), 4)
  s = sample.scripted(Params, { number = 5, flag = true, text = "b", vector = { 7, 8, 9 },
    list = { 3 }, vectors = { { 0, 0, 1 } }, matrix = sinew.mat4.translation(1, 0, 0),
    curve = sinew.constant(6) })
  s.rig:pose():eval()
  check.has(seen, { number = 5, flag = true, text = "b", vector = { z = 9 }, list = { 3 } })
  check.near_all(seen.vectors[1], { 0, 0, 1 })
  check.near(seen.matrix:position().x, 1)
  check.equal(seen.curve(0), 6)
  check.equal(s.component.number, 5)
  check.equal(s.component:param "text", "b")
  check.near_all(s.component.vector, { 7, 8, 9 })
end

function tests.ignores_later_changes_of_the_tables_it_was_given()
  local defaults = { gain = 2, list = { 0 } }
  local Gain = sample.scalar(function(self, x) return self.gain * x + self.list[1] end, defaults)
  defaults.gain = 99
  local list = { 1 }
  local s = sample.scripted(Gain, { list = list })
  list[1] = 50
  local pose = s.rig:pose()
  pose["set.x"] = 3
  check.near(pose:value(s.component), 7)
end

function tests.changes_parameters_of_a_compiled_rig()
  local Gain = sample.scalar(function(self, x) return self.gain * x end, { gain = 2 })
  local s = sample.scripted(Gain)
  local pose = s.rig:pose()
  pose["set.x"] = 3
  check.near(pose:value(s.component), 6)
  s.component.gain = 5
  check.near(pose:value(s.component), 15)
  check.equal(s.component.gain, 5)
  check.fails("parameter 'gain' must be a number, not string",
    function() s.component.gain = "6" end)
  check.fails("not finite", function() s.component.gain = 0 / 0 end)
  check.fails("scalar 'set.scalar1' has no parameter 'gian' (did you mean 'gain'?)",
    s.component.set, s.component, "gian", 1)
  check.fails("has no parameter 'self'", s.component.set, s.component, "self", 1)
  check.equal(s.component.gain, 5)
  check.near(pose:value(s.component), 15)
end

function tests.keeps_parameters_separate_for_each_component()
  local Gain = sample.scalar(function(self, x) return self.gain * x end, { gain = 2 })
  local rig = sinew.rig "two"
  local x = rig:dof "x"
  local asked = Gain { x }
  local a, b = rig:add(asked), rig:add(asked)
  b.gain = 10
  local pose = rig:pose()
  pose.x = 1
  check.near(pose:value(a), 2)
  check.near(pose:value(b), 10)
  -- and in another rig
  check.fails("cannot wire a DOF of another rig",
    function() sinew.rig "three":add(asked) end)
end

function tests.reports_script_line_component_and_joint_set_of_an_error()
  local s = sample.scripted(sample.scalar(function() error "broken" end))
  local message = check.fails("component 'set.scalar1' (scalar)", s.rig.pose(s.rig).eval,
    s.rig:pose())
  local _, places = message:gsub("%.lua:%d+: ", "")
  check.equal(places, 2) -- where it failed, and where it was added
  check.that(message:match("^[^:]*test_script%.lua:%d+: component 'set.scalar1' %(scalar%), "
    .. "made at [^:]*sample%.lua:%d+: broken$"), message)
end

function tests.an_undeclared_parameter_is_named()
  local s = sample.scripted(sample.scalar(function(self, x) return self.stif * x end,
    { stiff = 2, damping = 1 }))
  check.fails("self has no parameter 'stif' (did you mean 'stiff'?)",
    function() s.rig:pose():eval() end)
  local Twice = sinew.component { name = "twice", inputs = { "x" }, outputs = { "y" },
    params = { by = 2 }, build = function(self, owner, x)
      return owner:map { x, y = sinew.polynomial { 0, self.bye } }
    end }
  check.fails("self has no parameter 'bye' (did you mean 'by'?)",
    function() s.rig:add(Twice { s.x }) end)
end

function tests.an_eval_keeps_nothing_in_self()
  local function fails(eval)
    local s = sample.scripted(sample.scalar(eval, { gain = 2 }))
    local message = check.fails("cannot be set: eval keeps nothing", function()
      s.rig:pose():eval()
    end)
    check.that(message:match "test_script%.lua:%d+: component", message)
    check.equal(s.component.gain, 2)
  end
  fails(function(self, x) self.last = x return x end)
  fails(function(self, x) self.gain = x return x end)
  -- parameters are read as before, also after one was set
  local s = sample.scripted(sample.scalar(function(self, x) return self.gain * x end, { gain = 2 }))
  local pose = s.rig:pose()
  pose["set.x"] = 3
  check.equal(pose:value(s.component), 6)
  s.component.gain = 5
  check.equal(pose:value(s.component), 15)
end

function tests.keeps_the_last_good_transforms_after_a_failure()
  local s = sample.scripted(sample.scalar(function(_, x)
    if x > 50 then error "too far" end
    return x
  end))
  s.rig:segment "bone":drive(s.set:translation { s.component })
  local pose = s.rig:pose()
  -- before the first success nothing is driven
  pose["set.x"] = 60
  check.fails("too far", pose.eval, pose)
  check.near_all(pose:world "bone":position(), { 0, 0, 0 })
  pose["set.x"] = 20
  check.near_all(pose:world "bone":position(), { 20, 0, 0 })
  pose["set.x"] = 60
  check.fails("too far", pose.world, pose, "bone")
  check.near_all(pose:world "bone":position(), { 20, 0, 0 })
  check.near(pose:worlds()[13], 20)
  check.near(pose:value(s.component), 20)
  check.equal(pose["set.x"], 60)
  -- an explicit call tries again; and so does the next evaluation after something was set
  check.fails("too far", pose.eval, pose)
  pose["set.x"] = 70
  check.fails("too far", pose.world, pose, "bone")
  pose["set.x"] = 30
  check.near_all(pose:world "bone":position(), { 30, 0, 0 })
end

function tests.tries_again_when_a_parameter_changes()
  local s = sample.scripted(sample.scalar(function(self, x)
    if self.broken then error "broken" end
    return x
  end, { broken = true }, false))
  local pose = s.rig:pose()
  check.fails("broken", pose.value, pose, s.component)
  check.equal(pose:value(s.component), 0)
  s.component.broken = false
  pose["set.x"] = 3
  check.equal(pose:value(s.component), 3)
  s.component.broken = true
  check.fails("broken", pose.value, pose, s.component)
  check.equal(pose:value(s.component), 3)
end

function tests.accepts_every_kind_of_error()
  local raised = { {}, true, print, sinew.vec3(), setmetatable({}, { __tostring = function()
    error "in tostring"
  end }) }
  local function fails(part, eval)
    local pose = sample.scripted(sample.scalar(eval)).rig:pose()
    check.fails(part, pose.eval, pose)
  end
  for _, value in ipairs(raised) do
    fails(("raised a %s instead of a message"):format(type(value)), function() error(value) end)
  end
  fails("raised a nil instead of a message", function() error() end)
  fails("xxxx", function() error(("x"):rep(100000), 0) end)
  fails("%s%n%d", function() error("%s%n%d", 0) end)
  fails("attempt to", function(self) return self + 1 end)
end

function tests.refuses_wrong_outputs()
  local cases = {
    { { "y" }, function() end, "output 'y' must be a number, not nil" },
    { { "y" }, function() return "5" end, "output 'y' must be a number, not string" },
    { { "y" }, function() return sinew.vec3() end, "output 'y' must be a number, not vec3" },
    { { "y" }, function() return {} end, "the table it returned has no 'y', which is an output" },
    { { "y" }, function() return { y = "5" } end, "output 'y' must be a number, not string" },
    { { "y", "z" }, function() return 1 end, "output 'z' must be a number, not nil" },
    { { "y", "z" }, function() return { y = 1 } end, "the table it returned has no 'z'" },
    { { "v: vector" }, function() return 1 end, "output 'v' must be a vec3, not number" },
    { { "v: vector" }, function() return { 1, 2 } end, "has no 'v', which is an output" },
    { { "m: matrix" }, function() return sinew.vec3() end, "output 'm' must be a mat4, not vec3" },
    { { "m: matrix" }, function() return sinew.quat() end, "output 'm' must be a mat4, not quat" },
    { { "m: matrix" }, function() return sinew.mat4():transposed():set {
      1, 0, 0, 0.5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 } end,
      "output 'm' must be an affine matrix: its last row is not 0 0 0 1" },
    { { "y" }, function() return 0 / 0 end, "gave a value that is not finite" },
    { { "y" }, function() return 1e300 end, "gave a value that is not finite" },
    { { "v: vector" }, function() return { 0, 1 / 0, 0 } end,
      "gave a value that is not finite" },
    { { "y" }, function() return setmetatable({}, { __index = function() error "raised" end }) end,
      "the table it returned has no 'y'" },
  }
  for _, case in ipairs(cases) do
    local rig = sinew.rig "wrong"
    rig:add(kind { outputs = case[1], eval = case[2], record = false } {})
    local pose = rig:pose()
    check.fails(case[3], pose.eval, pose)
  end
end

function tests.ignores_extra_return_values()
  local s = sample.scripted(sample.scalar(function(_, x) return x, "more", {} end))
  check.equal(s.rig:pose():value(s.component), 0)
end

function tests.reports_a_wrong_declaration()
  -- a valid declaration except for these options; false leaves one out
  local function fails(part, options)
    local t = { name = "s", outputs = { "y" }, eval = function() end }
    for key, value in pairs(options) do t[key] = value or nil end
    check.fails(part, sinew.component, t)
  end
  fails("'name' must be a string, not nil", { name = false })
  fails("sinew.component 'a.b': its name", { name = "a.b" })
  fails("sinew.component '': its name", { name = "" })
  fails("sinew.component 's': 'eval' (or 'build') must be a function, not nil", { eval = false })
  fails("give 'eval' or 'build', not both", { build = print })
  fails("'outputs' needs at least one name", { outputs = false })
  fails("'outputs' needs at least one name", { outputs = {} })
  fails("'inputs' must be a table of names, not string", { inputs = "x" })
  fails("'outputs' must be a table of names, such as {\"angle\"}", { outputs = { 5 } })
  fails("'x: tensor' in 'inputs': the kind must be scalar, vector or matrix",
    { inputs = { "x: tensor" } })
  fails("'a.b' in 'inputs': the name", { inputs = { "a.b" } })
  fails("': vector' in 'outputs': the name", { outputs = { ": vector" } })
  fails("duplicate 'y' in 'outputs'", { outputs = { "y", "y" } })
  fails("sinew.component 's' has no option 'output' (did you mean 'outputs'?)",
    { output = { "y" } })
  fails("'params' must be a table of defaults, not number", { params = 1 })
  fails("'params' must be given by name", { params = { 1 } })
  fails("the default of 'f' cannot be a function", { params = { f = print } })
  fails("parameter 'l' must be a table of numbers, not a table with a string at 2",
    { params = { l = { 1, "x" } } })
  fails("'x' is both an input and a parameter", { inputs = { "x" }, params = { x = 1 } })
  for _, taken in ipairs { "self", "name" } do
    fails(("a parameter cannot be named '%s'"):format(taken),
      { inputs = { "x" }, params = { [taken] = 1 } })
  end
  local many = {}
  for i = 1, 65 do many[i] = "p" .. i end
  fails("more than 64 inputs", { inputs = many })
  check.fails("table expected", sinew.component, 5)
end

function tests.accepts_sixty_four_inputs_and_outputs()
  local names = {}
  for i = 1, 64 do names[i] = "p" .. i end
  local Many = sinew.component { name = "many", inputs = names, outputs = names,
    eval = function(_, ...) return ... end }
  local rig = sinew.rig "many"
  local numbers = {}
  for i = 1, 64 do numbers[i] = i end
  local c = rig:add(Many(numbers))
  check.equal(rig:pose():value(c.p64), 64)
end

function tests.reports_wrong_arguments()
  local Gain = sample.scalar(function(self, x) return self.gain * x end, { gain = 2 })
  local rig = sinew.rig "wrong"
  local function fails(part, arguments)
    check.fails(part, function() rig:add(Gain(arguments)) end)
  end
  fails("scalar has no input or parameter 'gian' (did you mean 'gain'?)", { 1, gian = 2 })
  fails("scalar takes 1 input, got 2", { 1, 2 })
  fails("scalar: parameter 'gain' must be a number, not string", { 1, gain = "2" })
  fails("scalar: input 'x' expects a DOF, a port or a number, not string", { "x" })
  fails("scalar { ... } expected: a table of inputs and parameters, not number", 5)
  check.fails("kind of component called with its inputs expected, got kind of component",
    rig.add, rig, Gain)
  check.fails("kind of component called with its inputs expected, got nil", rig.add, rig)
  check.fails("rig or joint set expected, got component to be added; a method is called with ':'",
    rig.add, Gain { 1 })
  rig:add(sinew.component { name = "scalar", outputs = { "y" }, eval = function() return 1 end } {})
  fails("the rig already has another kind of component named 'scalar'", { 1 })
  check.fails("the rig already has another kind of component named 'rotation'", function()
    rig:add(sinew.component { name = "rotation", outputs = { "y" }, eval = print } {})
  end)
  Gain:close()
  check.equal(tostring(Gain), "kind of component (closed)")
  check.fails("the kind of component was closed", Gain, { 1 })
end

function tests.finds_scripts_that_keep_state_between_calls()
  local count = 0
  local s = sample.scripted(sample.scalar(function(_, x)
    count = count + 1
    return x + count
  end))
  local pose = s.rig:pose()
  pose:eval()
  check.equal(sinew.check_purity(true), false)
  pose["set.x"] = 1
  local ok, message = pcall(pose.eval, pose)
  check.equal(sinew.check_purity(false), true)
  check.that(not ok and message:find("output 'y' differs between two calls with the same inputs; "
    .. "eval must not keep anything", 1, true), message)
  pose["set.x"] = 2
  pose:eval()
  -- and leaves other calls alone, also one that changes its arguments
  local Shift = kind { inputs = { "v: vector" }, outputs = { "v: vector" },
    eval = function(_, v) return v:add { 1, 0, 0 } end }
  local rig = sinew.rig "pure"
  local c = rig:add(Shift { { 1, 2, 3 } })
  sinew.check_purity(true)
  local value = rig:pose():value(c)
  sinew.check_purity(false)
  check.near_all(value, { 2, 2, 3 })
  check.fails("boolean expected", sinew.check_purity, 1)
end

function tests.runs_in_the_coroutine_that_evaluates()
  local running
  local s = sample.scripted(sample.scalar(function(_, x)
    running = coroutine.running()
    return x
  end, nil, false))
  local pose = s.rig:pose()
  local thread = coroutine.create(function()
    for i = 1, 3 do
      pose["set.x"] = i
      coroutine.yield(pose:value(s.component))
    end
  end)
  for i = 1, 3 do
    local ok, value = coroutine.resume(thread)
    check.that(ok, value)
    check.equal(value, i)
    check.equal(running, thread)
  end
  pose["set.x"] = 9
  pose:eval()
  check.that(running ~= thread)
end

function tests.cannot_yield_out_of_an_evaluation()
  local s = sample.scripted(sample.scalar(function(_, x)
    coroutine.yield(1)
    return x
  end))
  local pose = s.rig:pose()
  local wrapped = coroutine.wrap(function() pose:eval() end)
  check.fails("yield", wrapped)
  -- but may use coroutines itself
  s = sample.scripted(sample.scalar(function(_, x)
    return coroutine.wrap(function() coroutine.yield(x + 1) end)()
  end))
  check.equal(s.rig:pose():value(s.component), 1)
end

function tests.may_evaluate_another_pose()
  local inner = sample.knee()
  local other = inner.rig:pose()
  local s = sample.scripted(sample.scalar(function(_, x)
    other["knee.flexion"] = x
    return other:value(inner.bend.angle) + 1
  end))
  local pose = s.rig:pose()
  pose["set.x"] = 30
  check.equal(pose:value(s.component), 31)
end

function tests.may_evaluate_another_pose_with_scripts_in_another_coroutine()
  local function pass(_, x) return x end
  local a = sample.scripted(sample.scalar(pass))
  local inner = a.rig:pose()
  local after
  local Outer = sinew.component { name = "outer", inputs = { "x" }, outputs = { "y" },
    eval = function(_, x)
      inner["set.x"] = x
      local value = coroutine.wrap(function() return inner:value(a.component) end)()
      return value + 1
    end }
  local Next = sinew.component { name = "next", inputs = { "x" }, outputs = { "y" },
    record = false, eval = function(_, x)
      after = coroutine.running()
      return x
    end }
  local b = sample.scripted(Outer)
  local last = b.set:add(Next { b.component })
  local pose = b.rig:pose()
  local thread = coroutine.create(function()
    pose["set.x"] = 5
    return pose:value(last)
  end)
  local ok, value = coroutine.resume(thread)
  check.that(ok, value)
  check.equal(value, 6)
  check.equal(after, thread)
end

function tests.keeps_its_inputs_when_its_kind_is_evaluated_recursively()
  local depth, inner = 0, nil
  local Nest = kind { inputs = { "v: vector", "m: matrix" }, outputs = { "v: vector" },
    eval = function(_, v, m)
      depth = depth + 1
      if depth == 1 then
        inner:reset()
        inner.x = 50
        inner:eval()
      end
      depth = depth - 1
      return v + m:position()
    end }
  local Vector = kind { name = "vec", inputs = { "x" }, outputs = { "v: vector" },
    eval = function(_, x) return { x, x, x } end }
  local rig = sinew.rig "nest"
  local x = rig:dof "x"
  local c = rig:add(Nest { rig:add(Vector { x }), rig:translation { x } })
  inner = rig:pose()
  local pose = rig:pose()
  pose.x = 3
  check.near_all(pose:value(c), { 6, 3, 3 })
  check.near_all(inner:value(c), { 100, 50, 50 })
end

function tests.cannot_touch_the_pose_that_is_being_evaluated()
  local pose, action, s
  s = sample.scripted(sample.scalar(function(self, x)
    action(self)
    return x
  end, { gain = 1 }))
  pose = s.rig:pose()
  local refused = {
    function() pose:eval() end, function() pose:close() end, function() pose:reset() end,
    function() pose:set { 1 } end, function() pose["set.x"] = 1 end,
    function() pose:value(s.component) end,
  }
  for i, act in ipairs(refused) do
    action = act
    pose["set.x"] = -i
    check.fails("the pose is being evaluated: a scripted component cannot change or evaluate it",
      pose.eval, pose)
    action = function() end
    pose["set.x"] = i
    check.equal(pose:value(s.component), i)
  end
  action = function() s.component.gain = 2 end
  pose["set.x"] = 20
  check.fails("'gain' cannot be set while the rig is evaluated", pose.eval, pose)
  check.equal(s.component.gain, 1)
  -- reading is allowed, and so is editing or closing the rig
  action = function() check.equal(pose["set.x"], 6) s.rig:segment "more" s.rig:close() end
  pose["set.x"] = 6
  pose:eval()
  local crowd
  local t = sample.scripted(sample.scalar(function(_, x)
    crowd:close()
    return x
  end))
  crowd = t.rig:crowd(2)
  check.fails("the crowd is being evaluated", crowd.eval, crowd)
end

function tests.stops_endless_recursion_of_evaluations()
  local s
  s = sample.scripted(sample.scalar(function(_, x)
    return s.rig:pose():value(s.component) + x
  end))
  local pose = s.rig:pose()
  check.fails("too many evaluations inside each other", pose.eval, pose)
end

function tests.works_when_the_module_is_first_loaded_in_a_coroutine()
  local loaded = package.loaded.sinew
  package.loaded.sinew = nil
  local again = coroutine.wrap(function() return require "sinew" end)()
  package.loaded.sinew = loaded
  collectgarbage()
  collectgarbage()
  local s = sample.scripted(again.component { name = "again", inputs = { "x" }, outputs = { "y" },
    eval = function(_, x) return 2 * x end })
  local pose = s.rig:pose()
  pose["set.x"] = 4
  check.equal(pose:value(s.component), 8)
end

function tests.is_refused_when_its_tables_change_while_being_read()
  local names = setmetatable({}, { __index = function() return "x" end })
  check.fails("'outputs' needs", sinew.component,
    { name = "s", outputs = names, eval = function() end })
end

function tests.makes_no_garbage()
  local Turn = kind { inputs = { "x", "v: vector", "m: matrix" }, outputs = { "v: vector" },
    eval = function(_, x, v) return v:mul(x) end }
  local rig = sinew.rig "quiet"
  local x = rig:dof "x"
  rig:add(Turn { x, { 1, 2, 3 }, rig:translation { x } })
  local pose = rig:pose()
  check.no_garbage(function(i)
    pose.x = i % 100
    pose:eval()
  end)
end

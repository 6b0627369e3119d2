-- Dual numbers, the derivatives of scripted components by them and by differences, and
-- pose:jacobian.
local check, tests = ...
local sinew = require "sinew"
local dual = sinew.dual

-- f at x with rate 1, against differences of f on plain numbers
local function agrees(f, x)
  local h = 1e-4
  local given, plain = f(dual(x, 1)), f(x)
  check.equal(type(plain), "number")
  check.near(dual.value(given), plain, 1e-6 * math.max(1, math.abs(plain)))
  local slope = (f(x + h) - f(x - h)) / (2 * h)
  check.near(dual.rate(given), slope, 2e-3 * math.max(1, math.abs(slope)))
end

function tests.carry_their_rate_through_operators_and_functions()
  local functions = {
    function(x) return x + 2 end, function(x) return 3 - x end, function(x) return -x * x end,
    function(x) return (x + 1) / (x * x + 2) end, function(x) return x ^ 3 - 2 / x end,
    function(x) return 1.5 ^ x end, function(x) return x ^ x end,
    function(x) return 100 * dual.sin(40 * x) end, function(x) return 100 * dual.cos(40 * x) end,
    function(x) return dual.tan(30 * x) end, function(x) return dual.asin(x / 4) end,
    function(x) return dual.acos(x / 4) end, function(x) return dual.atan2(x, 2 - x) end,
    function(x) return dual.sqrt(x) end, function(x) return dual.exp(-x) * dual.log(x) end,
    function(x) return dual.abs(1 - x) + dual.min(x, 5) * dual.max(2, 3 * x, 1) end,
    function(x) return dual.clamp(x, 0, 1) + dual.clamp(x, 0.1, 5) end,
    function(x) return 100 * sinew.sin(30 * x) + sinew.atan2(1, x) end,
    function(x) return dual.dot(dual.vec3(x, 1, 2), dual.vec3(2, x * x, 1)) end,
    function(x) return dual.length(dual.cross({ x, 1, 2 }, dual.vec3(2, x * x, 1))) end,
    function(x) return dual.unit(dual.vec3(x, x * x, 1))[2] end,
  }
  for _, f in ipairs(functions) do
    for _, x in ipairs { 0.3, 0.7, 1.9 } do agrees(f, x) end
  end
end

function tests.of_matrices_follow_the_product_rule()
  -- every entry of a matrix that depends on one number
  local function matrix(x)
    local m = dual.turn({ 1, 2, 3 }, 50 * x, { 0.1, 0.2, 0.3 })
      * dual.euler("zxy", x, 20 * x * x, 7) * dual.translation(x, 2, x * x)
    return dual.inverse(m) * (m * m)
  end
  local h = 1e-2
  for _, x in ipairs { 0.2, 1.1 } do
    local d, low, high = matrix(dual(x, 1)), matrix(x - h), matrix(x + h)
    check.near_all(d:value(), matrix(x), 1e-5)
    for i = 1, 16 do check.near(d:rate()[i], (high[i] - low[i]) / (2 * h), 2e-3) end
    local p, q = d:point { 1, 2, 3 }, d:direction(dual.vec3(1, 2, 3)) + d:position()
    check.near_all(p:value(), q:value(), 1e-5)
    check.near_all(p:rate(), q:rate(), 1e-5)
    check.near_all((d * sinew.vec3(1, 2, 3)):rate(), p:rate(), 1e-6)
  end
end

function tests.mix_with_plain_values_on_either_side()
  local x, v, m = dual(3, 1), sinew.vec3(1, 2, 3), sinew.mat4.translation(1, 2, 3)
  check.near_all((v * x):rate(), { 1, 2, 3 })
  check.near_all((x * v):rate(), { 1, 2, 3 })
  check.near_all((v + dual.vec3(x, 0, x)):value(), { 4, 2, 6 })
  check.near_all((dual.vec3(x, 0, x) - v):rate(), { 1, 0, 1 })
  check.near_all((v / x):rate(), { -1 / 9, -2 / 9, -3 / 9 })
  check.near_all((m * dual.vec3(x, 0, 0)):value(), { 4, 2, 3 })
  check.near((m * dual.translation(x, 0, 0))[13]:rate(), 1)
  check.near((2 * x + x / 2 - 1):value(), 6.5)
  check.equal(tostring(x), "dual(3, 1)")
  check.that(x == dual(3, 5) and x < dual(4) and dual(2) <= x)
  check.near(dual(v).y:value(), 2)
end

function tests.have_rate_0_where_there_is_no_derivative()
  check.near(dual.sqrt(dual(0, 1)):rate(), 0)
  check.near(dual.asin(dual(1, 1)):rate(), 0)
  check.near(dual.atan2(dual(0, 1), 0):rate(), 0)
  check.near((dual(0, 1) ^ 0.5):rate(), 0)
  check.near(dual.length(dual({ 0, 0, 0 }, { 3, 0, 4 })):rate(), 5)
  -- free on a bound, held beyond it
  check.near(dual.clamp(dual(1, 1), 0, 1):rate(), 1)
  check.near(dual.clamp(dual(1.1, 1), 0, 1):rate(), 0)
end

function tests.refuse_invalid_operations()
  check.fails("cannot apply '+' to dual and boolean", function() return dual(1) + true end)
  check.fails("cannot apply '*' to dual and mat4", function() return dual(1) * sinew.mat4() end)
  check.fails("number or dual", function() return dual.sin "x" end)
  check.fails("rate of the same kind", dual, 1, sinew.vec3())
  check.fails("has no direction", function() return dual.unit { 0, 0, 0 } end)
  check.fails("has no inverse", function() return dual.inverse(sinew.mat4.scaling(0)) end)
  check.fails("length", function() return dual(1).lenght end)
  check.fails("number from -1 to 1", function() return sinew.asin(dual(2)) end)
end

-- --- scripted components

-- two angles to a matrix, a vector and a number: the same code, declared with both kinds of
-- derivative
local function declare(tangent)
  return sinew.component {
    name = "arm", inputs = { "a", "frame: matrix", "v: vector", "b" },
    outputs = { "m: matrix", "w: vector", "y" }, params = { reach = 0.4 }, tangent = tangent,
    eval = function(self, a, frame, v, b)
      local m = dual.turn({ 0, 0, 1 }, a) * dual.translation(self.reach * dual.cos(b), 0, 0) * frame
      local w = m * v + v * (b / 50)
      return m, w, dual.length(w) * dual.exp(a / 90)
    end,
  }
end

local function arm(tangent)
  local rig = sinew.rig "arm"
  local set = rig:joint_set "set"
  local a = set:dof("a", { min = -90, max = 90 })
  local b = set:dof("b", { min = -90, max = 90 })
  local c = set:dof("c", { min = -90, max = 90 })
  local upper = rig:segment("upper", { at = { 0, 1, 0 } })
  local lower = rig:segment("lower", { parent = upper, at = { 0, -0.3, 0 } })
  local part = set:add(declare(tangent) { a, set:rotation { c, axis = { 1, 0, 1 } },
    sinew.vec3(1, 2, 3), b })
  upper:drive(part.m)
  lower:drive(set:translation { vector = part.w })
  return rig
end

function tests.differentiate_a_script_as_differences_do()
  local exact, slow = arm "dual", arm "differences"
  check.equal(exact.components[2].definition.tangent, "dual")
  check.equal(slow.components[2].definition.tangent, "differences")
  check.equal(arm().components[2].definition.tangent, "differences")
  local p, q = exact:pose(), slow:pose()
  for i = 1, 20 do
    local at = { ["set.a"] = 7 * i - 70, ["set.b"] = 5 * i - 40, ["set.c"] = 40 - 3 * i }
    p:set(at)
    q:set(at)
    for _, segment in ipairs { "upper", "lower" } do
      local move, turn = p:jacobian(segment, { point = { 0.1, 0.2, 0.3 } })
      local slow_move, slow_turn = q:jacobian(segment, { point = { 0.1, 0.2, 0.3 } })
      check.equal(#move, 3)
      for c = 1, 3 do
        check.near_all(move[c], slow_move[c], 2e-4)
        check.near_all(turn[c], slow_turn[c], 2e-5)
      end
    end
  end
end

function tests.give_outputs_by_name_and_constants_too()
  local Kind = sinew.component { name = "named", inputs = { "x" }, outputs = { "y", "z: vector" },
    tangent = "dual", eval = function(_, x) return { z = { x, 2, x * x }, y = 5 } end }
  local rig = sinew.rig "named"
  local c = rig:add(Kind { rig:dof("x", { min = -10, max = 10 }) })
  rig:segment("s"):drive(rig:translation { vector = c.z })
  local pose = rig:pose()
  pose.x = 3
  check.near_all(pose:value(c.z), { 3, 2, 9 })
  check.near_all(pose:jacobian("s")[1], { 1, 0, 6 })
end

function tests.report_mistakes_of_a_script()
  local function with(eval, outputs)
    local Kind = sinew.component { name = "wrong", inputs = { "x" }, outputs = outputs or { "y" },
      tangent = "dual", record = false, eval = eval }
    local rig = sinew.rig "wrong"
    local c = rig:add(Kind { rig:dof("x", { min = -10, max = 10 }) })
    rig:segment("s"):drive(rig:translation { x = c.y })
    return rig:pose()
  end
  -- math.sin does not accept duals, and the message says so; evaluation still works
  local pose = with(function(_, x) return math.sin(x) end)
  check.near(pose:world "s"[13], 0)
  check.fails("component 'wrong1' (wrong)", pose.jacobian, pose, "s")
  check.near(pose:world "s"[13], 0)
  pose = with(function(_, x) return type(x) == "number" and x or dual.vec3(x, x, x) end)
  check.fails("output 'y' must be a number or its dual, not dual", pose.jacobian, pose, "s")
  pose = with(function(_, x) return type(x) == "number" and x or { y = true } end)
  check.fails("output 'y' must be a number or its dual, not boolean", pose.jacobian, pose, "s")
  pose = with(function(_, x) return type(x) == "number" and x or dual(0, 0 / 0) end)
  check.fails("the derivative of output 'y' is not finite", pose.jacobian, pose, "s")
  check.fails("'tangent' must be 'differences' or 'dual'", sinew.component,
    { name = "k", outputs = { "y" }, tangent = "exact", eval = function() end })
  check.fails("only allowed with 'eval'", sinew.component,
    { name = "k", outputs = { "y" }, tangent = "dual", build = function() end })
end

-- --- pose:jacobian

local function hinge()
  local rig = sinew.rig "hinge"
  local set = rig:joint_set "set"
  local x = set:dof("x", { min = -90, max = 90 })
  local y = set:dof("y", { min = -1, max = 1, unit = "m" })
  local root = rig:segment("root", { at = { 0, 1, 0 } })
  local leaf = rig:segment("leaf", { parent = root, at = { 1, 0, 0 } })
  root:drive(set:rotation { x, axis = { 0, 0, 1 } })
  leaf:drive(set:translation { y = y })
  return rig, leaf, y
end

function tests.jacobians_are_in_the_order_of_the_dofs()
  local rig, leaf, y = hinge()
  local pose = rig:pose()
  local rad = math.pi / 180
  local move, turn = pose:jacobian "leaf"
  check.near_all(move[1], { 0, rad, 0 })
  check.near_all(move[2], { 0, 1, 0 })
  check.near_all(turn[1], { 0, 0, rad })
  check.near_all(turn[2], { 0, 0, 0 })
  move = pose:jacobian(leaf, { dofs = { y, "set.x" }, point = { 0, 2, 0 } })
  check.near_all(move[1], { 0, 1, 0 })
  check.near_all(move[2], { -2 * rad, rad, 0 })
  check.equal(#pose:jacobian(leaf, { dofs = {} }), 0)
  pose["set.x"] = 90
  check.near_all(pose:jacobian("leaf", { dofs = { y } })[1], { -1, 0, 0 })
end

function tests.jacobians_refuse_unknown_names_without_leaks()
  local rig = hinge()
  local pose = rig:pose()
  pose:eval()
  local blocks = check.live_blocks()
  check.fails("did you mean 'leaf'", pose.jacobian, pose, "leave")
  check.fails("did you mean 'set.x'", pose.jacobian, pose, "leaf", { dofs = { "set.z" } })
  check.fails("must be a list of DOFs", pose.jacobian, pose, "leaf", { dofs = { 5 } })
  check.fails("duplicate DOF 'set.x'", pose.jacobian, pose, "leaf",
    { dofs = { "set.x", "set.x" } })
  check.fails("'point'", pose.jacobian, pose, "leaf", { point = 5 })
  check.fails("did you mean 'dofs'", pose.jacobian, pose, "leaf", { dof = {} })
  check.equal(check.live_blocks(), blocks)
end

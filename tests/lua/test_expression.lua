-- Expressions of DOFs and ports: their values and derivatives, the components that they become, and
-- what mistakes say.
local check, tests = ...
local sinew = require "sinew"

local seed
local function random(n)
  seed = (seed * 16807) % 2147483647
  return n and 1 + seed % n or seed / 2147483647
end

local function number() return math.floor(random() * 600 - 300) / 100 end

local operators = { "+", "-", "*", "negate", "scale", "/", "min", "max", "abs", "mix", "clamp" }

-- a random tree: an input, a number, or an operator with its operands
local function make(depth, count)
  if depth == 0 or random(6) == 1 then
    return random(3) > 1 and { input = random(count) } or { number = number() }
  end
  return { operator = operators[random(#operators)], k = number(), make(depth - 1, count),
    make(depth - 1, count) }
end

-- of numbers or expressions; `note` sees each term
local function calculate(t, x, f, note)
  if t.input then return note(x[t.input]) end
  if t.number then return note(t.number) end
  local a, b = calculate(t[1], x, f, note), calculate(t[2], x, f, note)
  local o = t.operator
  return note(o == "+" and a + b or o == "-" and a - b or o == "*" and a * b or o == "negate" and -a
    or o == "scale" and t.k * a or o == "/" and a / (math.abs(t.k) + 0.5)
    or o == "min" and f.min(a, b) or o == "max" and f.max(a, b, t.k) or o == "abs" and f.abs(a)
    or o == "clamp" and f.clamp(a, -math.abs(t.k), math.abs(t.k)) or f.mix(a, b, x[1]))
end

local plain = {
  min = math.min, max = math.max, abs = math.abs,
  mix = function(a, b, t) return a + (b - a) * t end,
  clamp = function(x, low, high) return math.max(low, math.min(x, high)) end,
}

local function same(v) return v end

-- a rig of 100 segments, each turned by a random expression
local function random_rig(count)
  local rig = sinew.rig "random"
  local set, dofs, trees, numbers = rig:joint_set "set", {}, {}, {}
  for i = 1, count do dofs[i] = set:dof("d" .. i, { min = -4, max = 4, unit = "" }) end
  for i = 1, 100 do
    trees[i] = make(random(4), count)
    local e = calculate(trees[i], dofs, sinew, same)
    local segment = set:segment("s" .. i)
    if type(e) == "number" then
      numbers[i] = true
    elseif i % 2 == 0 then
      segment:drive(sinew.rotate(e, "z"))
    else
      segment:drive(set:rotation { e, axis = { 0, 0, 1 } })
    end
  end
  return rig, dofs, trees, numbers
end

local function turned(m) return sinew.atan2(m[2], m[1]) end

-- the difference of two angles
local function apart(a, b) return math.abs((a - b + 180) % 360 - 180) end

local function check_derivative(pose, i, tree, x, most)
  local _, about = pose:jacobian("s" .. i, {})
  local checked = 0
  for d = 1, #x do
    local function at(h)
      local moved = { x[1], x[2], x[3] }
      moved[d] = moved[d] + h
      return calculate(tree, moved, plain, same)
    end
    local h = 1e-5
    local left, right = (at(0) - at(-h)) / h, (at(h) - at(0)) / h
    if math.abs(left - right) < 1e-3 * most then -- else it bends here
      check.near(about[d].z * 180 / math.pi, (left + right) / 2, 1e-5 * most)
      checked = checked + 1
    end
  end
  return checked
end

-- Values against Lua's own arithmetic, relative to the largest term; derivatives against
-- differences in doubles; in a pose and in a crowd.
function tests.ten_thousand_random_ones_give_what_lua_gives()
  seed = 4711
  local total, rates = 0, 0
  for _ = 1, 100 do
    local rig, dofs, trees, numbers = random_rig(3)
    local pose, crowd, x, rows = rig:pose(), rig:crowd(9), {}, {}
    for i = 1, 3 do x[i] = number() end
    for i, dof in ipairs(dofs) do pose[dof.name] = x[i] end
    for k = 1, 9 do
      for i = 1, 3 do rows[#rows + 1] = k == 6 and x[i] or number() end
    end
    crowd:set(rows)
    local worlds = crowd:worlds()
    for i, tree in ipairs(trees) do
      local most = 1e-2
      local right = calculate(tree, x, plain, function(v)
        most = math.max(most, math.abs(v))
        return v
      end)
      if not numbers[i] then
        local got = turned(pose:world("s" .. i))
        check.that(apart(got, right) < 1e-6 * math.max(1, most),
          ("%d: %g for %g"):format(i, got, right))
        local at = 16 * (5 * 100 + i - 1)
        local crowd_got = turned { worlds[at + 1], worlds[at + 2] }
        check.that(apart(crowd_got, got) < 2e-4, "the crowd differs")
        if i % 7 == 0 then rates = rates + check_derivative(pose, i, tree, x, math.max(1, most)) end
      end
      total = total + 1
    end
  end
  check.equal(total, 10000)
  check.that(rates > 2000, ("only %d derivatives"):format(rates))
end

local function knee()
  local rig = sinew.rig "knee"
  local set = rig:joint_set "knee"
  local k = { rig = rig, set = set, femur = set:segment("femur"),
    flexion = set:dof("flexion", { min = 0, max = 120 }),
    fold = set:dof("fold", { min = 0, max = 1, unit = "" }),
    stroke = set:dof("stroke", { min = 0, max = 300, unit = "mm" }) }
  k.tibia = set:segment("tibia", { parent = k.femur, at = { 0, -0.4, 0 } })
  return k
end

local function components_of(rig)
  local names = {}
  for i, c in ipairs(rig.components) do names[i] = c.kind .. " " .. c.name end
  return table.concat(names, ", ")
end

function tests.they_are_values_until_they_are_used()
  local k = knee()
  local e = -k.flexion * 0.5 + 10 - k.fold
  local m = sinew.rotate(e, "x") * sinew.translate(k.stroke, "y")
  check.equal(#k.rig.components, 0)
  check.equal(sinew.type(e), "expression")
  check.equal(tostring(e), "10 - 0.5*knee.flexion - knee.fold")
  check.equal(e.kind, "scalar")
  check.equal(m.kind, "matrix")
  check.equal(k.flexion - k.flexion, 0)
  check.equal(sinew.min(3, 2), 2)
  check.equal(sinew.mix(10, 20, 0.25), 12.5)
  check.equal(sinew.type(sinew.rotate(30, "x")), "mat4")
  k.tibia:drive(m)
  check.equal(components_of(k.rig), "formula knee.tibia_rotate_angle, rotation knee.tibia_rotate, "
    .. "translation knee.tibia_translate, multiply knee.tibia_motion")
end

function tests.signs_and_offsets_of_angles_need_no_component()
  local k = knee()
  k.tibia:drive(sinew.rotate(25 - k.flexion, { 1, 0, 0.08 }))
  check.equal(components_of(k.rig), "rotation knee.tibia_rotate")
  local pose = k.rig:pose()
  pose["knee.flexion"] = 70
  local right = sinew.mat4.translation(0, -0.4, 0) * sinew.mat4.turn({ 1, 0, 0.08 }, 25 - 70)
  check.that(pose:world "tibia":near(right, 1e-6))
end

function tests.curves_of_a_source_on_a_bone_share_a_map()
  local k = knee()
  k.tibia:drive(sinew.translate { y = k.flexion:curve { { 0, 0 }, { 120, -0.012 } },
    z = -2 * k.flexion:spline { { 0, 0 }, { 40, 0.004 }, { 120, 0.012 } } }
    * sinew.rotate(0.5 * k.flexion, "x"))
  check.equal(components_of(k.rig), "map knee.tibia_by_flexion, translation knee.tibia_translate, "
    .. "rotation knee.tibia_rotate, multiply knee.tibia_motion")
  local pose = k.rig:pose()
  pose["knee.flexion"] = 40
  check.near(pose:world "tibia"[15], -0.008, 1e-6)
end

function tests.products_are_flat_and_their_constants_merge()
  local k = knee()
  local move = sinew.mat4.translation(0, 1, 0)
  local m = move * move * sinew.rotate(k.flexion, "x") * (move * sinew.rotate(k.fold, "y"))
  k.tibia:drive(m * move)
  local product = k.rig:find "knee.tibia_motion"
  check.equal(#product.inputs, 5)
  check.equal(product.inputs[1].source[14], 2)
end

function tests.a_shared_expression_is_made_once()
  local k = knee()
  local e = 0.5 * k.flexion + k.fold
  k.tibia:drive(sinew.rotate(e, "x") * sinew.rotate(e, "y"))
  k.set:rotation { e, axis = { 0, 0, 1 } }
  check.equal(components_of(k.rig):gsub("rotation.-, ", ""), "formula knee.tibia_rotate_angle, "
    .. "multiply knee.tibia_motion, rotation knee.rotation1")
end

function tests.names_follow_the_role_and_named_overrides()
  local k = knee()
  local rhythm = (k.flexion * k.fold):named "rhythm"
  k.set:rotation { rhythm + 1, axis = { 0, 0, 1 }, name = "turn" }
  check.equal(components_of(k.rig),
    "formula knee.rhythm, formula knee.turn_angle, rotation knee.turn")
  -- a component is never named like a DOF
  k.set:rotation { (2 * k.flexion):named "fold", axis = { 0, 0, 1 }, name = "again" }
  check.equal(k.rig:find "knee.fold2".kind, "formula")
end

function tests.components_are_in_the_joint_set_of_the_bone()
  local k = knee()
  local free = k.rig:segment("free")
  free:drive(sinew.rotate(2 * k.flexion, "x"))
  check.equal(k.rig:find "knee.free_rotate".kind, "rotation")
  local other = k.rig:joint_set "other"
  local bone = other:segment("bone")
  bone:drive(sinew.rotate(2 * k.flexion, "x"))
  check.equal(k.rig:find "other.bone_rotate".kind, "rotation")
  local lean = other:dof "lean"
  local loose = k.rig:segment("loose")
  loose:drive(sinew.rotate(k.flexion + lean, "x"))
  check.equal(k.rig:find "loose_rotate".kind, "rotation")
end

function tests.a_limit_holds_and_tells_of_it()
  local k = knee()
  k.tibia:drive(sinew.rotate(k.flexion:limit { min = 10, max = 65 - 55 * k.fold }, "x"))
  local limit = k.rig:find "knee.flexion_limit"
  check.equal(limit.max, "65 - 55*x2")
  local pose = k.rig:pose()
  pose["knee.flexion"], pose["knee.fold"] = 60, 0.8
  check.near(pose:value(limit), 21)
  check.near(pose:holds()[1].amount, -39, 1e-4)
  check.that(not k.rig.warnings:find "limit", k.rig.warnings)
end

function tests.a_limit_that_nothing_uses_is_a_warning()
  local k = knee()
  local _ = k.flexion:limit { max = 90 }
  k.tibia:drive(sinew.rotate(k.flexion, "x"))
  check.that(k.rig.warnings:find("test_expression.lua:%d+: the limit of knee.flexion is used by "
    .. "nothing; it gives the limited value"), k.rig.warnings)
end

function tests.a_curve_that_ends_before_its_source_is_a_warning()
  local k = knee()
  local _ = k.flexion:curve { { 0, 0 }, { 90, 1 }, outside = "clamp" }
  _ = sinew.spline { { 0, 0 }, { 50, 1 }, { 90, 1 }, outside = "extend" }(k.flexion)
  _ = k.flexion:curve { { 0, 0 }, { 120, 1 } }
  check.that(not k.rig.warnings:find "curve", k.rig.warnings)
  _ = k.flexion:curve { { 0, 0 }, { 90, 1 } }
  _ = sinew.monotone { { 0, 0 }, { 100, 1 } }(k.flexion)
  k.rig:segment("more")
  local _, count = k.rig.warnings:gsub("goes from 0 to 120, its curve only from 0 to %d+ and stays "
    .. "there beyond; say outside = 'clamp' or 'extend'", "")
  check.equal(count, 2)
end

function tests.a_function_is_sampled_to_its_tolerance()
  local k = knee()
  local function four_bar(angle)
    local x, y = 0.1 - 0.03 * sinew.cos(angle), -0.03 * sinew.sin(angle)
    local d = math.sqrt(x * x + y * y)
    return 180 + sinew.atan2(y, x) - sinew.acos((0.07 ^ 2 + d * d - 0.09 ^ 2) / (2 * 0.07 * d))
  end
  local calls = 0
  local e = k.flexion:curve(function(x)
    calls = calls + 1
    return four_bar(x)
  end)
  local port = k.set:rotation { e, axis = { 0, 0, 1 } }.inputs[1].source
  local pose, worst = k.rig:pose(), 0
  local once = calls
  for i = 0, 1200 do
    pose["knee.flexion"] = i / 10
    worst = math.max(worst, math.abs(pose:value(port) - four_bar(i / 10)))
  end
  check.equal(calls, once)
  check.that(worst < 1e-3, worst)
  check.that(#port.component.params.value.points < 60)
  -- steep at one end only, where a natural spline alone would be off
  local steep = (k.fold + 1):curve(math.sqrt, { tolerance = 1e-6 })
  port = k.set:rotation { steep, axis = { 0, 0, 1 } }.inputs[1].source
  pose = k.rig:pose()
  for i = 0, 100 do
    pose["knee.fold"] = i / 100
    check.near(pose:value(port), math.sqrt(1 + i / 100), 4e-6)
  end
end

function tests.ranges_and_units_follow()
  local k = knee()
  check.equal((2 * k.flexion - 10).max, 230)
  check.equal((2 * k.flexion - 10).min, -10)
  check.equal((k.flexion * -k.fold).min, -120)
  check.equal(sinew.abs(k.flexion - 60).max, 60)
  check.equal(sinew.clamp(k.flexion, 5, 50).max, 50)
  check.equal(k.flexion:limit { max = 65 - 55 * k.fold }.max, 65)
  check.equal(k.flexion:curve { { 0, 3 }, { 120, 7 } }.max, 7)
  check.equal((-k.flexion).unit, "deg")
  check.equal((k.flexion + 10).unit, "deg")
  check.equal((2 * k.flexion).unit, "")
  check.equal(k.rig:joint_set "b":dof("x").unit, "deg")
end

function tests.units_are_converted_where_a_dof_declares_them()
  local k = knee()
  check.has(k.stroke, { unit = "m", min = 0 })
  check.near(k.stroke.max, 0.3, 1e-7)
  local a = k.rig:dof("a", { min = -math.pi, max = math.pi / 2, rest = 1, unit = "rad" })
  check.equal(a.unit, "deg")
  check.near(a.min, -180, 1e-4)
  check.near(a.rest, 180 / math.pi, 1e-4)
  check.near(k.rig:dof("b", { min = 0, max = 25, unit = "cm" }).max, 0.25, 1e-7)
  check.fails("DOF 'c': there is no unit 'met'", function() k.rig:dof("c", { unit = "met" }) end)
  check.fails("(did you mean 'mm'?)", function() k.rig:dof("c", { unit = "mmm" }) end)
end

function tests.units_are_converted_where_an_input_declares_them()
  for _, tangent in ipairs { "differences", "dual" } do
    local k = knee()
    local Ram = sinew.component { name = "ram", inputs = { "stroke: mm", "angle: rad" },
      outputs = { "y" }, tangent = tangent, eval = function(_, s, a) return s + a end }
    local ram = k.set:add(Ram { k.stroke, k.flexion })
    k.tibia:drive(sinew.rotate(ram.y, "z"))
    local pose = k.rig:pose()
    pose["knee.stroke"], pose["knee.flexion"] = 0.02, 90
    check.near(pose:value(ram.y), 20 + math.pi / 2, 1e-4)
    local _, about = pose:jacobian("tibia", { dofs = { k.stroke } })
    check.near(about[1].z * 180 / math.pi, 1000, 1)
    check.fails("takes a length (mm), but said is an angle (deg)", function()
      k.set:add(Ram { k.rig:dof("said", { unit = "deg" }), 0 })
    end)
  end
  check.fails({ "there is no unit 'metre'", "units are deg, rad, m, cm and mm" }, function()
    sinew.component { name = "x", inputs = { "a: metre" }, outputs = { "y" }, eval = print }
  end)
  check.fails("only inputs of an eval are converted; write m", function()
    sinew.component { name = "x", inputs = { "a" }, outputs = { "y: mm" }, eval = print }
  end)
end

function tests.an_angle_is_not_wired_to_a_length()
  local k = knee()
  check.fails("sinew.translate takes a length (m), but knee.flexion is an angle (deg)",
    function() return (sinew.translate(k.flexion, "y")) end)
  check.fails("sinew.rotate takes an angle (deg), but knee.stroke is a length (m)",
    function() return (sinew.rotate(k.stroke, "y")) end)
  check.fails("knee.flexion is an angle (deg) and knee.stroke a length (m): they cannot be added",
    function() return k.flexion + k.stroke end)
  check.fails("rotation: input 'angle' takes an angle (deg), but knee.stroke is a length (m)",
    function() k.set:rotation { k.stroke, axis = { 1, 0, 0 } } end)
  check.fails("rotation: input 'angle' takes an angle (deg), but -knee.stroke is a length (m)",
    function() k.set:rotation { -k.stroke, axis = { 1, 0, 0 } } end)
  local said = k.rig:dof("said", { unit = "deg" })
  check.fails("input 'x' takes a length (m), but said is an angle (deg)",
    function() k.set:translation { x = said } end)
  k.set:translation { x = 0.001 * k.flexion }
end

function tests.mistakes_say_what_to_write()
  local k = knee()
  local other = sinew.rig "arm":dof "bend"
  local flexion, fold = k.flexion, k.fold
  local function fails(text, f) check.fails({ "test_expression.lua:", text }, f) end
  fails("knee.flexion and knee.fold are compared, but have no value while the rig is written; "
    .. "sinew.min, max, clamp, a curve or :limit {} choose at run time",
    function() return flexion < fold end)
  fails("are compared", function() return flexion + 1 <= fold end)
  fails("knee.flexion is of rig 'knee' and bend of rig 'arm': an expression stays within one rig",
    function() return flexion + other end)
  fails("'tibia' is driven by a matrix; -knee.flexion is a number: sinew.rotate(-knee.flexion, "
    .. "axis) or sinew.translate(-knee.flexion, axis)", function() k.tibia:drive(-flexion) end)
  fails("'tibia': nothing in this moves", function() k.tibia:drive(sinew.rotate(3, "x")) end)
  fails("sinew.rotate needs an axis", function() return (sinew.rotate(flexion)) end)
  fails("axis 'w' is none of x, y, z", function() return (sinew.rotate(flexion, "w")) end)
  fails("the axis has length 0", function() return (sinew.rotate(flexion, { 0, 0, 0 })) end)
  fails("\"knee.fold\" is a text, not a DOF", function() return flexion + "knee.fold" end)
  fails("knee.fold may be 0 (0 to 1), so nothing can be divided by it",
    function() return flexion / fold end)
  fails("there are no powers of ports", function() return flexion ^ 2 end)
  fails("matrices are not added",
    function() return sinew.rotate(flexion, "x") + sinew.rotate(fold, "x") end)
  fails("is still", function()
    return (flexion:curve(function(x) return x < 50 and 0 or 1 end))
  end)
  fails("gives a string at 0", function() return (flexion:curve(function() return "x" end)) end)
  fails("the range of", function()
    return (k.set:formula { flexion, text = "x1" }.value:curve(math.sin))
  end)
  fails("knee.flexion:limit takes { min =, max = }", function() return (flexion:limit {}) end)
  fails("min 5 is above max 4", function() return (flexion:limit { min = 5, max = 4 }) end)
  fails("limit has no option 'mx'", function() return (flexion:limit { min = 5, mx = 4 }) end)
  fails("has 2 outputs: say which, such as .a (a, b)", function()
    return k.set:map { flexion, a = sinew.constant(1), b = sinew.constant(2) } + 1
  end)
  fails("finite numbers", function() return flexion * (1 / 0) end)
  fails("input 'angle' takes a scalar, but a matrix is a matrix",
    function() k.set:rotation { sinew.rotate(flexion, "x"), axis = { 1, 0, 0 } } end)
  fails("expression has no field 'foo'", function() return (-flexion).foo end)
end

function tests.a_function_that_raises_names_its_own_line()
  local k = knee()
  check.fails("test_expression.lua", function()
    return (k.flexion:curve(function(x) return x.y end))
  end)
end

function tests.they_stand_wherever_a_source_may()
  local k = knee()
  local Twice = sinew.component { name = "twice", inputs = { "x" }, outputs = { "y" },
    eval = function(_, x) return 2 * x end }
  local twice = k.set:add(Twice { k.flexion + 10, name = "double" })
  k.tibia:drive(sinew.rotate(twice.y - 1, "x"))
  local e = k.set:euler { -k.flexion, 2 * k.flexion, 0, name = "three" }
  k.femur:drive(e)
  local pose = k.rig:pose()
  pose["knee.flexion"] = 5
  check.near(pose:value(twice.y), 30)
  check.near(pose:value(e.inputs[2].source), 10)
end

function tests.an_old_form_may_be_mixed_with_them()
  local k = knee()
  local bend = k.set:rotation { k.flexion, axis = { 1, 0, 0 }, name = "bend" }
  k.tibia:drive(bend * sinew.mat4.translation(0, 1, 0) * sinew.rotate(k.fold, "y"))
  check.equal(#k.rig:find "knee.tibia_motion".inputs, 3)
  local turn = sinew.vec3(0, 1, 0) * k.stroke
  check.equal(turn.kind, "vector")
  k.femur:drive(sinew.translate(turn))
end

-- XML carries them, the mirror copies them
function tests.they_are_written_and_mirrored()
  local rig = sinew.rig "bird"
  local set = rig:joint_set "wing_r"
  local flap = set:dof("flap", { min = -90, max = 90 })
  local fold = set:dof("fold", { min = 0, max = 1, unit = "" })
  local wing = set:segment("wing_r", { at = { 0.1, 0, 0 } })
  wing:drive(sinew.rotate(flap:limit { max = 65 - 55 * fold }, "z")
    * sinew.rotate(0.5 * flap * fold, "y"))
  sinew.mirror(rig)
  local pose = rig:pose()
  pose:set { ["wing_r.flap"] = 70, ["wing_r.fold"] = 0.5, ["wing_l.flap"] = 70,
    ["wing_l.fold"] = 0.5 }
  local rules = require "sinew.mirror_rules"
  check.that(rules.matrix(pose:world "wing_r"):near(pose:world "wing_l", 1e-6))
  local again = assert(sinew.parse_xml(rig:xml()))
  local other = again:pose()
  other:set(pose:dofs())
  check.that(other:world "wing_l":near(pose:world "wing_l", 0))
end

-- a DOF of the middle that is opposite on the other side changes its sign in the formula itself
function tests.a_formula_takes_the_minus_of_the_mirror()
  local rig = sinew.rig "bird"
  local lean = rig:joint_set "body":dof "lean"
  local set = rig:joint_set "wing_r"
  local flap = set:dof "flap"
  set:segment("wing_r"):drive(sinew.rotate(flap:limit { max = 60 - 0.5 * lean } + 2 * lean, "z"))
  sinew.mirror(set, { opposite = { lean } })
  check.equal(rig:find "wing_l.flap_limit".max, "60 - 0.5*(-x2)")
  check.equal(rig:find "wing_l.wing_l_rotate_angle".text, "x1 + 2*(-x2)")
  local pose = rig:pose()
  pose:set { ["wing_r.flap"] = 70, ["wing_l.flap"] = 70, ["body.lean"] = 10 }
  check.near(pose:value(rig:find "wing_r.wing_r_rotate_angle"), 75, 1e-4)
  check.near(pose:value(rig:find "wing_l.wing_l_rotate_angle"), 45, 1e-4)
end

function tests.a_rig_with_expressions_is_collected()
  local before = check.live_blocks()
  for _ = 1, 5 do
    local k = knee()
    k.tibia:drive(sinew.rotate(k.flexion:limit { max = 90 - k.fold } * k.fold, "x"))
    local _ = k.rig:pose():world "tibia"
  end
  check.equal(check.live_blocks(), before)
  local k = knee()
  local e = k.flexion + 1
  k.rig:close()
  check.equal(tostring(e), "expression (its rig was closed)")
  check.fails("closed", function() return e + k.flexion end)
end

function tests.a_subnetwork_takes_and_gives_them()
  local k = knee()
  local Net = sinew.component { name = "net", inputs = { "x" }, outputs = { "y", "z" },
    build = function(_, owner, x) return owner:rotation { 2 * x, axis = { 0, 0, 1 } }, x / 2 end }
  local net = k.set:add(Net { k.flexion + 5 })
  k.tibia:drive(net.y * sinew.rotate(-2 * net.z, "z"))
  local pose = k.rig:pose()
  pose["knee.flexion"] = 10
  check.near(pose:world "tibia"[2], sinew.sin(15), 1e-6)
end

function tests.an_expression_that_doubles_too_often_is_refused()
  local e = sinew.rig "r":dof("x", 0, 9) + 1
  check.fails("more than 10000 parts", function()
    for _ = 1, 60 do e = e * e end
  end)
end

function tests.a_name_with_a_byte_0_is_refused()
  local rig = sinew.rig "r"
  local x = rig:dof("x", 0, 9)
  rig:dof("a", 0, 9)
  check.fails("goes on after a byte 0", function()
    rig:rotation { x:limit { max = 3, name = "a\0b" }, axis = { 1, 0, 0 } }
  end)
end

-- What a scripted component declares: units, docs, defaults, kinds of parameters, segments, holds.
local check, tests = ...
local sinew = require "sinew"

local function kind(t)
  t.name = t.name or "custom"
  t.outputs = t.outputs or { "y" }
  t.eval = t.eval or not t.build and function(_, x) return x end or nil
  return sinew.component(t)
end

local function fails(part, t) check.fails(part, kind, t) end

-- a rig with one component and DOFs x, y, z; its output for these values
local function with(Kind, arguments)
  local rig = sinew.rig "declared"
  local dofs = {}
  for _, name in ipairs { "x", "y", "z" } do dofs[name] = rig:dof(name, -200, 200) end
  local component = rig:add(Kind(arguments(dofs, rig)))
  return rig, component
end

function tests.an_input_with_a_default_may_be_left_out()
  local Sum = kind {
    inputs = { "length (m): between the pins", "slack (m) = 0.5", "turn (rad) = 2: how far",
      "gap (mm) = 250" },
    eval = function(_, length, slack, turn, gap) return length + slack + turn + gap end,
  }
  local rig, c = with(Sum, function(d) return { d.x } end)
  local pose = rig:pose()
  pose.x = 1
  check.near(pose:value(c), 1 + 0.5 + 2 + 250, 1e-4)
  rig, c = with(Sum, function(d) return { d.x, slack = 0, gap = d.y } end)
  pose = rig:pose()
  pose.y = 0.002
  check.near(pose:value(c), 2 + 2, 1e-5)
  rig = with(Sum, function() return {} end)
  check.fails("input 'length': is not wired (a scalar: between the pins)", rig.pose, rig)
end

function tests.vectors_and_matrices_have_defaults()
  local At = kind { inputs = { "frame (matrix) = identity",
    "point (vector, m) = 0, -0.5,2e0: where", "other (vector) = 0,0,0" },
    outputs = { "at (vector)" },
    eval = function(_, frame, point, other) return frame * point + other end }
  local rig, c = with(At, function() return {} end)
  check.near_all(rig:pose():value(c), { 0, -0.5, 2 })
  rig, c = with(At, function() return { sinew.mat4.translation(1, 1, 1), { 1, 2, 3 } } end)
  check.near_all(rig:pose():value(c), { 2, 3, 4 })
  rig, c = with(At, function(_, r) return { point = { 1, 2, 3 },
    other = r:add(kind { name = "v", inputs = {}, outputs = { "v (vector)" },
      eval = function() return { 1, 1, 1 } end } {}) } end)
  check.near_all(rig:pose():value(c), { 2, 3, 4 })
end

function tests.a_subnetwork_has_defaults_too()
  local Twice = kind { name = "twice", inputs = { "x", "by = 2: how often" },
    params = { most = { 1, min = 0, max = 10 } },
    build = function(self, owner, x, by) return owner:map { x, y = sinew.polynomial {
      0, by * self.most } } end }
  local rig = sinew.rig "twice"
  local x = rig:dof("x", -9, 9)
  local out = rig:add(Twice { x })
  local pose = rig:pose()
  pose.x = 3
  check.near(pose:value(out.y), 6)
  check.fails("parameter 'most': 11", function() rig:add(Twice { x, most = 11 }) end)
  check.fails("input 'x' is not wired", function() rig:add(Twice {}) end)
end

function tests.the_old_forms_stay()
  local Old = kind { inputs = { "frame: matrix", "angle: rad", "v:vector", "k" },
    outputs = { "angle: deg" }, eval = function(_, _, angle, _, k) return angle + k end }
  local rig, c = with(Old, function(d) return { sinew.mat4(), d.x, { 0, 0, 0 }, 1 } end)
  local pose = rig:pose()
  pose.x = 180
  check.near(pose:value(c), math.pi + 1, 1e-6)
end

function tests.wrong_ports_are_reported()
  fails("'x (m' in 'inputs': ')' is missing", { inputs = { "x (m" } })
  fails("'x (metres)' in 'inputs': the kind must be scalar, vector or matrix (or segment), or a "
    .. "unit: there is no unit 'metres'", { inputs = { "x (metres)" } })
  fails("after ')' comes '= default', ': doc' or the end", { inputs = { "x (m) 0" } })
  fails("the default must be a number", { inputs = { "x (m) = much" } })
  fails("the default must be a number", { inputs = { "x =" } })
  fails("the default must be a number", { inputs = { "x = 1e99" } })
  fails("the default must be three numbers", { inputs = { "x (vector) = 0, 1" } })
  fails("the default must be three numbers", { inputs = { "x (vector) = 0, 1, 2, 3" } })
  fails("the default of a matrix can only be 'identity'", { inputs = { "x (matrix) = 0" } })
  fails("a segment has no default", { inputs = { "x (segment) = pelvis" } })
  fails("an output has no default", { outputs = { "y = 1" } })
  fails("'y (segment)' in 'outputs': the kind must be", { outputs = { "y (segment)" } })
  fails("only inputs of an eval are converted; write m", { outputs = { "y (mm)" } })
  fails("only scalar inputs of an eval are converted; write m", { inputs = { "x (vector, mm)" } })
  fails("'x: docs' in 'inputs': the kind must be", { inputs = { "x: docs" } })
  fails("only a segment is seen 'from' another", { inputs = { "x (m) from y" } })
  fails("input 'x': 'from y' names neither another input nor a parameter",
    { inputs = { "x (segment) from y", "y (matrix)" } })
end

function tests.a_parameter_says_its_unit_doc_and_range()
  local seen
  local Piston = kind { inputs = { "x" }, params = {
      stroke = { 0.2, unit = "m", min = 0, max = 1, doc = "how far it goes" },
      rates = { { 1, 2 }, min = 0, doc = "of the springs" },
      list = { 3, 4 }, axis = { x = 0, y = 1, z = 0 }, word = { "text", doc = "a text" } },
    eval = function(self, x) seen = self return x * self.stroke end }
  local rig, c = with(Piston, function(d) return { d.x } end)
  local pose = rig:pose()
  pose.x = 2
  check.near(pose:value(c), 0.4)
  check.equal(seen.rates[2], 2)
  check.equal(seen.list[2], 4)
  check.equal(seen.word, "text")
  check.near_all(seen.axis, { 0, 1, 0 })
  c.stroke = 0.5
  check.near(pose:value(c), 1)
  check.fails("parameter 'stroke': 2 is outside 0 to 1", function() c.stroke = 2 end)
  check.fails("is outside 0 to inf", function() c.rates = { -1 } end)
  fails("parameter 's' has no option 'units' (did you mean 'unit'?)",
    { params = { s = { 1, doc = "", units = "m" } } })
  fails("parameter 's': its default is outside its range", { params = { s = { 3, max = 2 } } })
  fails("'min' must be less than 'max'", { params = { s = { 3, min = 4, max = 2 } } })
  fails("'min' and 'max' are only for numbers", { params = { s = { "a", min = 1 } } })
  fails("give a default, or 'kind'", { params = { s = { doc = "none" } } })
  fails("there is no kind 'segmnt' (did you mean 'segment'?)",
    { params = { s = { kind = "segmnt" } } })
  fails("its default is a number, not a curve", { params = { s = { 1, kind = "curve" } } })
end

function tests.parameters_may_be_segments_curves_and_cones()
  local seen
  local Kind = kind { inputs = { "x" }, params = { target = { kind = "segment", doc = "where to" },
      profile = { kind = "curve" }, reach = { kind = "cone" } },
    eval = function(self, x)
      seen = self.target
      local held = self.reach:hold(sinew.vec3(0, 1, 0))
      return self.profile(x) + held.x
    end }
  local cone = sinew.cone { ellipse = { 30 }, right = { 0, 0, 1 }, rest = { 1, 0, 0 } }
  local rig = sinew.rig "kinds"
  local x, bone = rig:dof("x", -9, 9), rig:segment "bone"
  local c = rig:add(Kind { x, target = bone, profile = sinew.polynomial { 0, 3 }, reach = cone })
  cone = nil -- luacheck: ignore
  collectgarbage()
  local pose = rig:pose()
  pose.x = 2
  check.near(pose:value(c), 6 + math.cos(math.rad(30)), 0.02)
  check.equal(seen, "bone")
  check.equal(sinew.type(c.reach), "cone")
  check.fails("parameter 'reach' must be a cone, not number", function() c.reach = 5 end)
  check.fails("parameter 'profile' is not given", function() rig:add(Kind { x, target = bone }) end)
  rig:add(Kind { x, target = "bnoe", profile = sinew.constant(1), reach = c.reach })
  check.fails("no segment named 'bnoe' (did you mean 'bone'?)", rig.pose, rig)
  check.fails("is a segment of another rig", function()
    sinew.rig "other":add(Kind { 1, target = bone, profile = sinew.constant(1), reach = c.reach })
  end)
end

-- a rig of three bones in a row, each 1 m above the last and turned about z by a, b and c
local function row()
  local rig = sinew.rig "row"
  local bones = {}
  for i, name in ipairs { "a", "b", "c" } do
    bones[i] = rig:segment(name, { parent = bones[i - 1], at = { 0, 1, 0 } })
    bones[i]:drive(rig:rotation { rig:dof(name .. "_turn", -180, 180), axis = { 0, 0, 1 } })
  end
  return rig, bones
end

function tests.an_input_of_kind_segment_is_its_frame()
  local rig, bones = row()
  local See = kind {
    inputs = { "base (segment)", "other (segment): seen", "near (segment) from base" },
    outputs = { "other (matrix)", "near (matrix)" },
    eval = function(_, _, other, near) return other, near end }
  local c = rig:add(See { bones[2], bones[3], near = bones[3] })
  local pose = rig:pose()
  pose.a_turn, pose.b_turn, pose.c_turn = 40, 50, -20
  local a, b, last = pose:world "a", pose:world "b", pose:world "c"
  check.near_all(pose:value(c.other), a:inverse() * last, 1e-5)
  check.near_all(pose:value(c.near), b:inverse() * last, 1e-5)
  -- any matrix will do
  c = rig:add(See { bones[1], rig:relative { of = bones[1], to = bones[2] }, sinew.mat4() })
  pose = rig:pose()
  check.near_all(pose:value(c.other), pose:world "b":inverse() * pose:world "a", 1e-5)
  check.fails("input 'base' must be a segment, since 'near' is seen from it", function()
    rig:add(See { sinew.mat4(), bones[1], bones[2] })
  end)
  check.fails("input 'other' expects a DOF, a port or a mat4, not string", function()
    rig:add(See { bones[1], "b", bones[2] })
  end)
end

function tests.a_segment_may_be_seen_from_a_parameter()
  local rig, bones = row()
  local See = kind { inputs = { "other (segment) from base" },
    params = { base = { kind = "segment" } }, outputs = { "y (matrix)" },
    eval = function(_, other) return other end }
  local c = rig:add(See { bones[1], base = bones[3] })
  local pose = rig:pose()
  pose.b_turn, pose.c_turn = 30, 20
  check.near_all(pose:value(c), pose:world "c":inverse() * pose:world "a", 1e-5)
  c = rig:add(See { bones[1], base = "b" })
  pose = rig:pose()
  check.near_all(pose:value(c), pose:world "b":inverse() * pose:world "a", 1e-5)
  check.fails("parameter 'base' is not given", function() rig:add(See { bones[1] }) end)
end

function tests.a_subnetwork_gets_the_segment_itself()
  local rig, bones = row()
  local See = kind { inputs = { "other (segment)" }, params = { base = { kind = "segment" } },
    outputs = { "y (matrix)" }, build = function(self, _, other)
      return sinew.relative { of = other, to = self.base }
    end }
  local out = rig:add(See { bones[3], base = bones[1] })
  local pose = rig:pose()
  pose.b_turn = 30
  check.near_all(pose:value(out.y), pose:world "a":inverse() * pose:world "c", 1e-5)
  check.fails("input 'other' must be a segment, not mat4", function()
    rig:add(See { sinew.mat4(), base = bones[1] })
  end)
end

-- clamps x to 0 .. 10 and y to at most 5, and says so in one of four ways
local function clamp(eval)
  return kind { name = "clamp", inputs = { "x (deg)", "y (rad) = 0" }, outputs = { "u", "v" },
    holds = { y = "its top", x = "its range" }, eval = eval }
end

local ways = {
  function(_, x, y)
    local u, v = math.max(0, math.min(10, x)), math.min(1, y)
    return u, v, u - x, v - y
  end,
  function(_, x, y)
    local u, v = math.max(0, math.min(10, x)), math.min(1, y)
    return { u = u, v = v, holds = { x = u - x, y = v - y } }
  end,
  function(self, x, y)
    local u, v = math.max(0, math.min(10, x)), math.min(1, y)
    self:hold("y", v - y)
    self:hold("x", u - x)
    return u, v
  end,
  function(self, x, y)
    local u, v = math.max(0, math.min(10, x)), math.min(1, y)
    if u ~= x then self:hold("x", u - x) end
    return { u = u, v = v, holds = { y = v ~= y and v - y or nil } }
  end,
}

function tests.holds_are_returned_or_set()
  for i, eval in ipairs(ways) do
    local rig = with(clamp(eval), function(d) return { d.x, d.y } end)
    local pose = rig:pose()
    pose.x, pose.y = 5, 10
    check.equal(#pose:holds(), 0, i)
    pose.x, pose.y = 12, math.deg(1.5)
    local held = pose:holds()
    check.equal(#held, 2, i)
    check.has(held[1], { name = "clamp1", port = "x", by = "its range" })
    check.near(held[1].amount, -2)
    check.near(held[2].amount, math.deg(-0.5), 1e-4)
    pose.x, pose.y = -1, 0
    held = pose:holds()
    check.equal(#held, 1)
    check.near(held[1].amount, 1)
  end
end

function tests.wrong_holds_are_reported()
  local cases = {
    { function() return 1, 2, "a" end, "what it holds of 'x' must be a number, not string" },
    { function() return 1, 2, 0, 0 / 0 end, "what it holds of 'y' is not finite" },
    { function(self) self:hold("x", 1 / 0) return 1, 2 end, "what it holds of 'x' is not finite" },
    { function(self) self:hold("x", {}) end, "the amount of 'x' must be a number, not table" },
    { function(self) self:hold("z", 1) end, "self has no hold 'z'" },
    { function() return { u = 1, v = 2, holds = 5 } end, "must be a table, not number" },
    { function() return { u = 1, v = 2, holds = { z = 5 } } end,
      "has a name that is not declared" },
    { function() return { u = 1, v = 2, holds = { x = "5" } } end,
      "what it holds of 'x' must be a number, not string" },
  }
  for _, case in ipairs(cases) do
    local rig = with(clamp(case[1]), function(d) return { d.x, d.y } end)
    local pose = rig:pose()
    check.fails(case[2], pose.eval, pose)
  end
  fails("'holds': there is no input or output 'lenght' (did you mean 'length'?)",
    { inputs = { "length" }, holds = { lenght = "" } })
  fails("'holds' must say by what each port is held", { inputs = { "x" }, holds = { "x" } })
  fails("'holds' is only allowed with 'eval'",
    { inputs = { "x" }, holds = { x = "" }, build = function() end })
  fails("cannot be named 'holds'", { inputs = { "x" }, outputs = { "holds" }, holds = { x = "" } })
  fails("cannot be named 'hold'",
    { inputs = { "x" }, params = { hold = 1 }, holds = { x = "" } })
  local kept
  local rig = with(clamp(function(self) kept = self return 1, 2 end),
    function(d) return { d.x, d.y } end)
  rig:pose():eval()
  check.fails("self:hold can only be called inside eval", function() kept:hold("x", 1) end)
end

function tests.holds_go_with_dual_numbers_and_purity()
  local Clamp = kind { name = "clamp", inputs = { "x" }, outputs = { "y" }, tangent = "dual",
    holds = { x = "its top" },
    eval = function(self, x)
      local y = sinew.min(x, 3)
      self:hold("x", y - x)
      return y
    end }
  local rig, c = with(Clamp, function(d) return { d.x } end)
  local before = sinew.check_purity(true)
  local pose = rig:pose()
  pose.x = 5
  check.near(pose:holds()[1].amount, -2)
  sinew.check_purity(before)
  check.equal(pose:value(c), 3)
end

function tests.a_solver_stays_inside_what_a_script_holds()
  local Under = kind { name = "under", inputs = { "a (deg)", "b (deg)" }, outputs = { "b (deg)" },
    holds = { b = "what a allows" },
    eval = function(_, a, b)
      local y = math.min(b, 0.5 * a + 0.01 * a * a)
      return y, y - b
    end }
  local rig = sinew.rig "under"
  local a, b = rig:dof("a", -90, 90), rig:dof("b", -90, 90)
  local one = rig:segment "one"
  one:drive(rig:rotation { a, axis = { 0, 0, 1 } })
  rig:segment("two", { parent = one, at = { 1, 0, 0 } })
    :drive(rig:rotation { rig:add(Under { a, b }), axis = { 0, 0, 1 } })
  local pose = rig:pose()
  for near = 0, 60, 15 do
    for far = -60, 90, 15 do
      local u, v = math.rad(near), math.rad(near + far)
      pose.a, pose.b = 70, -40
      sinew.solver(rig, { goals = { { segment = "two", point = { 1, 0, 0 },
        target = { math.cos(u) + math.cos(v), math.sin(u) + math.sin(v), 0 } } } }):solve(pose)
      check.equal(#pose:holds(), 0, near .. " " .. far)
    end
  end
end

local function drawing(draw)
  local rig, c = with(kind { inputs = { "x (rad)", "m (matrix) = identity" }, draw = draw },
    function(d) return { d.x } end)
  local pose = rig:pose()
  pose.x = 90
  return pose, c
end

function tests.draws_marks_on_a_canvas()
  local kept
  local pose, c = drawing(function(_, canvas, x, m)
    kept = canvas
    canvas:line({ 0, 0, 0 }, m:position(), "red")
    canvas:arrow({ 0, 0, 0 }, { x, 0, 0 })
    canvas:disc({ 1, 2, 3 }, { 0, 2, 0 }, 0.5, "#102030")
    canvas:ellipsoid({ 0, 0, 0 }, { 1, 2, 3 }, "grey")
    canvas:ellipsoid({ 0, 0, 0 }, { 1, 2, 3 }, sinew.quat.axis({ 0, 0, 1 }, 90), "grey")
    canvas:cone({ 0, 0, 0 }, { 0, 0, 3 }, 30, 2)
    canvas:text({ 0, 0, 0 }, "here")
  end)
  local marks = pose:marks(c)
  check.equal(#marks, 7)
  check.has(marks[1], { kind = "line", colour = "#d84c3e" })
  check.near(marks[2].to.x, math.pi / 2, 1e-6)
  check.equal(marks[2].colour, nil)
  check.has(marks[3], { kind = "disc", radius = 0.5, colour = "#102030" })
  check.near_all(marks[3].normal, { 0, 1, 0 })
  check.near_all(marks[4].turn, sinew.mat4())
  check.near_all(marks[5].turn * sinew.vec3(1, 0, 0), { 0, 1, 0 }, 1e-6)
  check.has(marks[6], { half_angle = 30, length = 2 })
  check.equal(marks[7].words, "here")
  check.fails("the canvas can only be used inside draw", function() kept:text({ 0, 0, 0 }, "") end)
  local rig, plain = with(kind { inputs = { "x" } }, function(d) return { d.x } end)
  check.equal(#rig:pose():marks(plain), 0)
end

function tests.reports_errors_of_draw()
  local cases = {
    { function() error "no paint" end, "no paint" },
    { function(_, canvas) canvas:line(1) end, "vec3 expected" },
    { function(_, canvas) canvas:line({ 0, 0, 0 }, { 0 / 0, 0, 0 }) end, "is not finite" },
    { function(_, canvas) canvas:disc({ 0, 0, 0 }, { 0, 0, 0 }, 1) end, "has no direction" },
    { function(_, canvas) canvas:disc({ 0, 0, 0 }, { 0, 1, 0 }, -1) end, "at least 0" },
    { function(_, canvas) canvas:text({ 0, 0, 0 }, "x", "rde") end,
      "there is no colour 'rde' (did you mean 'red'?)" },
    { function(_, canvas) for _ = 1, 2000 do canvas:line({ 0, 0, 0 }, { 1, 0, 0 }) end end,
      "more than 1024 marks" },
    { function(_, canvas) canvas:text({ 0, 0, 0 }, ("x"):rep(99)) end, "at most 79 bytes" },
    { function(_, canvas) canvas:lien() end, "canvas has no" },
    { function(self) self:hold("x", 1) end, "has no parameter 'hold'" },
  }
  for _, case in ipairs(cases) do
    local pose, c = drawing(case[1])
    check.fails(case[2], pose.marks, pose, c)
    check.near(pose:value(c), math.pi / 2, 1e-6)
  end
  fails("'draw' must be a function, not number", { inputs = { "x" }, draw = 5 })
  fails("'verify' is only allowed with 'eval'",
    { inputs = { "x" }, verify = print, build = function() end })
end

function tests.a_cone_is_not_lost_in_xml()
  local Kind = kind { name = "kind", inputs = { "x" }, params = { reach = { kind = "cone" } } }
  package.loaded.cone_kind = Kind
  local rig = with(Kind, function(d) return { d.x, reach = sinew.cone { ellipse = { 30 },
    rest = { 1, 0, 0 }, right = { 0, 0, 1 } } } end)
  check.fails("parameter 'reach': an object of the class 'cone' cannot be written", rig.xml, rig)
  package.loaded.cone_kind = nil
end

function tests.segments_of_a_scripted_component_are_mirrored()
  local mirror = require "sinew.mirror"
  local See = kind { inputs = { "other (segment) from base" }, outputs = { "y (matrix)" },
    params = { base = { kind = "segment" } }, mirror = {},
    eval = function(_, other) return other end }
  local rig = sinew.rig "sides"
  local set = rig:joint_set "left_arm"
  local upper = set:segment "left_upper"
  upper:drive(set:rotation { set:dof("turn", -90, 90), axis = { 1, 0, 0 } })
  local lower = set:segment("left_lower", { parent = upper, at = { 0.2, 1, 0 } })
  lower:drive(set:rotation { set:dof("bend", -90, 90), axis = { 1, 0, 0 } })
  set:add(See { lower, base = upper, name = "see" })
  mirror(rig, { "left_arm" })
  check.equal(rig:find "right_arm.see".base, "right_upper")
  local pose = rig:pose()
  pose["right_arm.bend"] = 30
  check.near_all(pose:value(rig:find "right_arm.see"),
    pose:world "right_upper":inverse() * pose:world "right_lower", 1e-5)
end

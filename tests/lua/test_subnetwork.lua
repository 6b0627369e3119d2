local check, tests = ...
local sinew = require "sinew"

-- a saddle joint: two rotations about axes through one centre
local Saddle = sinew.component {
  name = "saddle", inputs = { "flexion", "abduction" }, outputs = { "transform: matrix", "half" },
  params = { centre = { 0, 0, 0 }, gain = 1 },
  build = function(self, owner, flexion, abduction)
    local scaled = owner:map { flexion, full = sinew.polynomial { 0, self.gain },
      half = sinew.polynomial { 0, self.gain / 2 } }
    local product = owner:multiply {
      owner:rotation { scaled.full, axis = { 1, 0, 0 }, centre = self.centre },
      owner:rotation { abduction, axis = { 0, 0, 1 }, centre = self.centre },
    }
    return product, scaled.half
  end,
}

function tests.wires_built_in_components()
  local rig = sinew.rig "thumb"
  local set = rig:joint_set "thumb"
  local flexion, abduction = set:dof "flexion", set:dof "abduction"
  local saddle = set:add(Saddle { flexion, abduction, centre = { 0, 1, 0 }, gain = 2 })
  rig:segment "bone":drive(saddle.transform)
  check.equal(#rig.components, 4)
  check.equal(rig.components[1].name, "thumb.map1")
  check.equal(tostring(Saddle), "subnetwork 'saddle': 2 inputs, 2 outputs")
  local pose = rig:pose()
  pose["thumb.flexion"] = 45
  -- the origin rotates by 90 about x around (0, 1, 0)
  check.near_all(pose:world "bone":position(), { 0, 1, -1 }, 1e-6)
  check.near(pose:value(saddle.half), 45)
  check.equal(saddle[1], saddle.transform)
  check.equal(saddle[2], saddle.half)
  check.equal(saddle[3], nil)
end

function tests.compiles_to_built_in_components_only()
  local rig = sinew.rig "plain"
  local saddle = rig:add(Saddle { 90, 0 })
  rig:segment "bone":drive(saddle.transform)
  local pose = rig:pose()
  local lua = 0
  debug.sethook(function()
    if debug.getinfo(2, "S").what == "Lua" then lua = lua + 1 end
  end, "c")
  pose:eval()
  debug.sethook()
  check.equal(lua, 0)
  check.near(pose:world "bone":position().x, 0)
end

function tests.accepts_inputs_by_name_and_constants()
  local rig = sinew.rig "named"
  local saddle = rig:add(Saddle { abduction = 0, flexion = rig:dof "f" })
  local pose = rig:pose()
  pose.f = 10
  check.near(pose:value(saddle.half), 5)
end

function tests.may_return_outputs_in_a_table()
  local function outputs(build)
    local rig = sinew.rig "table"
    local T = sinew.component { name = "t", inputs = { "x" }, outputs = { "a", "b" },
      build = build }
    local t = rig:add(T { rig:dof "x" })
    local pose = rig:pose()
    return pose:value(t.a), pose:value(t.b), t
  end
  local function map(owner, x)
    return owner:map { x, p = sinew.constant(1), q = sinew.constant(2) }
  end
  local builds = {
    function(_, owner, x) local m = map(owner, x) return m.p, m.q end,
    function(_, owner, x) local m = map(owner, x) return { m.p, m.q } end,
    function(_, owner, x) local m = map(owner, x) return { a = m.p, b = m.q } end,
    function(_, owner, x) return { b = map(owner, x).q, a = map(owner, x).p } end,
  }
  for _, build in ipairs(builds) do
    local a, b = outputs(build)
    check.equal(a, 1)
    check.equal(b, 2)
  end
end

function tests.nests_and_can_be_wired_as_its_only_output()
  local Double = sinew.component { name = "double", inputs = { "x" }, outputs = { "y" },
    build = function(_, owner, x) return owner:map { x, y = sinew.polynomial { 0, 2 } } end }
  local Quadruple = sinew.component { name = "quadruple", inputs = { "x" }, outputs = { "y" },
    build = function(_, owner, x) return owner:add(Double { owner:add(Double { x }) }) end }
  local rig = sinew.rig "nested"
  local x = rig:dof "x"
  local lift = rig:translation { y = rig:add(Quadruple { x }) }
  local pose = rig:pose()
  pose.x = 3
  check.near(pose:value(lift):position().y, 12)
  local bone = rig:segment "bone"
  local Lift = sinew.component { name = "lift", inputs = { "x" }, outputs = { "m: matrix" },
    build = function(_, owner, y) return owner:translation { y = y } end }
  bone:drive(rig:add(Lift { x }))
  pose = rig:pose()
  pose.x = 3
  check.near(pose:world "bone":position().y, 3)
end

function tests.may_contain_scripted_components()
  local Script = sinew.component { name = "inc", inputs = { "x" }, outputs = { "y" },
    eval = function(_, x) return x + 1 end }
  local Net = sinew.component { name = "net", inputs = { "x" }, outputs = { "y" },
    build = function(_, owner, x) return owner:add(Script { x }) end }
  local rig = sinew.rig "mixed"
  local net = rig:add(Net { 4 })
  check.equal(rig:pose():value(net.y), 5)
end

function tests.reports_mistakes()
  local rig = sinew.rig "wrong"
  local x = rig:dof "x"
  local function fails(part, arguments)
    return check.fails(part, function() rig:add(Saddle(arguments)) end)
  end
  fails("subnetwork 'saddle': input 'abduction' is not wired", { x })
  fails("subnetwork 'saddle' takes 2 inputs, got 3", { x, x, x })
  fails("subnetwork 'saddle' has no input or parameter 'gian' (did you mean 'gain'?)",
    { x, x, gian = 1 })
  fails("subnetwork 'saddle': parameter 'gain' must be a number, not string", { x, x, gain = "1" })
  fails("input 'x' expects a DOF, a port or a number, not string", { "x", x })
  fails("cannot wire a DOF of another rig", { sinew.rig "other":dof "y", x })
  local saddle = rig:add(Saddle { x, x })
  check.fails("subnetwork 'saddle' has no output 'haf' (did you mean 'half'?)",
    function() return saddle.haf end)
  local function build(part, f)
    local Bad = sinew.component { name = "bad", outputs = { "y" }, build = f }
    return check.fails(part, function() rig:add(Bad {}) end)
  end
  build("subnetwork 'bad': output 'y' must be a port, not nil", function() end)
  build("subnetwork 'bad': output 'y' must be a port, not number", function() return 5 end)
  build("subnetwork 'bad': output 'y' must be a port, not nil", function() return { z = x } end)
  local message = build("stop", function() error "stop" end)
  check.that(message:match("test_subnetwork%.lua:%d+: stop"), message)
end

function tests.survives_being_closed_by_its_own_function()
  local Bad, asked
  Bad = sinew.component { name = "closing", outputs = { "y" },
    build = function(_, owner)
      asked:close()
      Bad:close()
      collectgarbage()
      return owner:map { 1, y = sinew.constant(1) }
    end }
  asked = Bad {}
  local rig = sinew.rig "closing"
  local c = rig:add(asked)
  check.equal(rig:pose():value(c.y), 1)
  check.fails("the component to be added was closed", rig.add, rig, asked)
end

function tests.ports_of_a_subnetwork_are_not_a_scalar()
  local Half = sinew.component { name = "half", inputs = { "x" }, outputs = { "y" },
    build = function(_, owner, x) return owner:formula { x, text = "0.5*x1" } end }
  local rig = sinew.rig "r"
  local made = rig:joint_set "s":add(Half { rig:dof "s.x" })
  check.fails("the angle is a table of ports: take one of them, such as its field 'y'",
    sinew.rotate, made, "x")
end

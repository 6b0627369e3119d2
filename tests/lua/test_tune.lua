local check, tests = ...
local sinew = require "sinew"

-- a door on a hinge, with a cone, a map and a constant in between
local function door()
  local rig = sinew.rig "door"
  local frame = rig:segment("frame", { at = { 1, 2, 3 }, turn = sinew.quat.axis({ 0, 1, 0 }, 90) })
  local leaf = rig:segment("leaf", { parent = frame, at = { 1, 0, 0 } })
  local hinge = rig:joint_set "hinge"
  local turn = hinge:dof("turn", { min = -90, max = 90, rest = 10 })
  local bend = hinge:map { turn, name = "bend", angle = sinew.linear { { 0, 0 }, { 90, 90 } } }
  local swing = hinge:rotation { bend.angle, name = "swing", axis = { 0, 1, 0 } }
  local reach = hinge:cone { swing, name = "reach", rest = { 0, 0, 1 }, ellipse = { 80 },
    right = { 1, 0, 0 } }
  hinge:rotation { 30, name = "still", axis = { 1, 0, 0 } }
  hinge:translation { y = 0.5, name = "lift" }
  leaf:drive(reach.transform)
  return rig
end

local function world(rig, degrees)
  local pose = rig:pose()
  pose["hinge.turn"] = degrees
  return pose:world "leaf"
end

function tests.changes_only_what_it_names()
  local rig, plain = door(), door()
  check.equal(rig:tune { components = { ["hinge.swing"] = { axis = { 1, 0, 0 } } } }, rig)
  check.near_all(rig:find "hinge.swing".axis, { 1, 0, 0 })
  local m = world(rig, 40)
  check.near_all({ m[5], m[6] }, { sinew.sin(40), sinew.cos(40) }, 1e-6)
  rig:tune { components = { ["hinge.swing"] = { axis = sinew.vec3(0, 1, 0) } } }
  check.near_all(world(rig, 40), world(plain, 40), 0)
  rig:tune {}
  check.near_all(world(rig, 40), world(plain, 40), 0)
end

function tests.places_a_segment_and_keeps_other_values()
  local rig = door()
  rig:tune { segments = { frame = { at = { 4, 5, 6 } } } }
  check.near_all(rig:find "frame".rest, { 0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 4, 5, 6, 1 }, 1e-6)
  rig:tune { segments = { frame = { turn = { 0, 0, 0, 1 } }, leaf = { at = { 2, 0, 0 } } } }
  check.near_all(rig:find "frame".rest, sinew.mat4.translation(4, 5, 6), 0)
  check.near_all(world(rig, 0):position(), { 6, 5, 6 })
  rig:tune { segments = { frame = { rest = sinew.mat4.turn({ 0, 0, 1 }, 90) } } }
  check.near_all(world(rig, 0):position(), { 0, 2, 0 })
end

function tests.changes_a_range_and_clamps_the_rest_value()
  local rig = door()
  rig:tune { dofs = { ["hinge.turn"] = { min = 20 } } }
  local turn = rig:find "hinge.turn"
  check.near_all({ turn.min, turn.max, turn.rest }, { 20, 90, 20 })
  rig:tune { dofs = { ["hinge.turn"] = { min = -5, max = 5, rest = 1 } } }
  check.near_all({ turn.min, turn.max, turn.rest }, { -5, 5, 1 })
  local pose = rig:pose()
  check.near(pose["hinge.turn"], 1)
end

function tests.changes_constants_of_a_list_by_position()
  local rig = sinew.rig "list"
  local segment = rig:segment "bone"
  local turn = rig:rotation { rig:dof "d", axis = { 1, 0, 0 }, name = "turn" }
  segment:drive(rig:multiply { sinew.mat4.translation(1, 0, 0), turn,
    sinew.mat4.translation(0, 1, 0), name = "both" })
  rig:tune { components = { both = { matrix = { [3] = sinew.mat4.translation(0, 5, 0) } } } }
  check.near_all(rig:pose():world "bone":position(), { 1, 5, 0 })
  local function fails(part, value)
    check.fails(part, rig.tune, rig, { components = { both = { matrix = value } } })
  end
  fails("is wired; a tuning changes constants only", { [2] = sinew.mat4() })
  fails("has no such wire", { [4] = sinew.mat4() })
  fails("takes mat4 in a tuning, not number", { [1] = 7 })
  fails("takes a table of constants by position", 7)
end

function tests.changes_constants_and_curves_and_removes_parameters()
  local rig = door()
  rig:tune { components = {
    ["hinge.still"] = { angle = 45 },
    ["hinge.lift"] = { y = 2, z = 3 },
    ["hinge.bend"] = { angle = sinew.constant(7) },
    ["hinge.reach"] = { ellipse = false, right = false,
      points = { { 1, 0, 1 }, { 0, 1, 1 }, { -1, 0, 1 }, { 0, -1, 1 } } },
  } }
  check.near(rig:find "hinge.still".inputs[1].source, 45)
  check.equal(#rig:find "hinge.lift".inputs, 2)
  check.equal(rig:find "hinge.reach".params.ellipse, nil)
  local m = world(rig, 80)
  check.near(m[9], sinew.sin(97))
end

function tests.keeps_existing_poses_unchanged()
  local rig = door()
  local old = rig:pose()
  rig:tune { segments = { leaf = { at = { 9, 0, 0 } } } }
  old["hinge.turn"] = 0
  check.near_all(old:world "leaf":position(), { 1, 2, 2 }, 1e-6)
  check.near_all(world(rig, 0):position(), { 1, 2, -6 }, 1e-6)
end

function tests.changes_parameters_of_a_scripted_component()
  local rig = sinew.rig "spring"
  local Spring = sinew.component { name = "spring", inputs = { "x" }, outputs = { "y" },
    params = { k = 1 }, eval = function(self, x) return x * self.k end }
  local x = rig:dof("x", { min = 0, max = 9 })
  local soft = rig:add(Spring { x, name = "soft" })
  rig:segment "s":drive(rig:translation { x = soft.y })
  rig:tune { components = { soft = { k = 3 } } }
  local pose = rig:pose()
  pose.x = 2
  check.near_all(pose:world "s":position(), { 6, 0, 0 })
  check.fails("parameter 'k' must be a number", rig.tune, rig,
    { components = { soft = { k = false } } })
end

function tests.reports_mistakes_with_the_nearest_name()
  local function fails(part, values)
    local rig = door()
    check.fails(part, rig.tune, rig, values)
  end
  fails("a tuning must be a table, not nil", nil)
  fails("tuning has no option 'component' (did you mean 'components'?)", { component = {} })
  fails("tuning: 'components' must be a table, not number", { components = 3 })
  fails("tuning: 'segments': its keys must be names, not number", { segments = { {} } })
  fails("rig 'door' has no component 'hinge.swinge' (did you mean 'hinge.swing'?)",
    { components = { ["hinge.swinge"] = {} } })
  fails("tuning: component 'hinge.swing' must be a table, not string",
    { components = { ["hinge.swing"] = "axis" } })
  fails("rotation 'hinge.swing' has no parameter 'axes' (did you mean 'axis'?)",
    { components = { ["hinge.swing"] = { axes = 1 } } })
  fails("parameter 'axis' must be a vec3 or a table of three numbers, not number",
    { components = { ["hinge.swing"] = { axis = 1 } } })
  fails("rotation 'hinge.swing': input 'angle' is wired; a tuning changes constants only",
    { components = { ["hinge.swing"] = { angle = 1 } } })
  fails("rotation 'hinge.still': input 'angle' takes number in a tuning, not string",
    { components = { ["hinge.still"] = { angle = "1" } } })
  fails("map 'hinge.bend': parameter 'angle' must be a curve",
    { components = { ["hinge.bend"] = { angle = false } } })
  fails("rig 'door' has no segment 'leav' (did you mean 'leaf'?)", { segments = { leav = {} } })
  fails("segment 'leaf' has no option 'att' (did you mean 'at'?)",
    { segments = { leaf = { att = 1 } } })
  fails("segment 'leaf': give 'rest', or 'at' and 'turn', not both",
    { segments = { leaf = { at = { 1, 2, 3 }, rest = sinew.mat4() } } })
  fails("rig 'door' has no DOF 'turn' (did you mean 'hinge.turn'?)", { dofs = { turn = {} } })
  fails("DOF 'hinge.turn': 'min' must be a number, not string",
    { dofs = { ["hinge.turn"] = { min = "1" } } })
  fails("must be a plain table, without metatable",
    { dofs = setmetatable({}, { __index = function() return {} end }) })
end

function tests.invalid_values_are_reported_when_compiled()
  local rig = door()
  rig:tune { components = { ["hinge.swing"] = { axis = { 0, 0, 0 } } },
    dofs = { ["hinge.turn"] = { min = 4, max = 1 } } }
  check.fails({ "'axis' is zero", "DOF 'hinge.turn': min 4 is above max 1" }, rig.compile, rig)
end

function tests.options_are_read_without_metamethods()
  local rig = sinew.rig "open"
  local trap = setmetatable({}, { __index = function() rig:close() end })
  check.equal(rig:segment("s", trap).name, "s")
  check.equal(rig:dof("d", trap).name, "d")
  rig:find("s"):drive(rig:rotation { rig:find "d", axis = { 1, 0, 0 } })
  local solver = sinew.solver(rig, { goals = { { segment = "s", point = { 0, 1, 0 },
    target = { 0, 0, 1 } } } })
  local closing = setmetatable({}, { __index = function() solver:close() end })
  check.that(solver:solve(rig:pose(), closing).reached)
  check.that(sinew.bake(rig, sinew.clip():set("d", 1, 1), trap):find "HIERARCHY")
end

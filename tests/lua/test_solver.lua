local check, tests = ...
local sinew = require "sinew"

-- three rotations in the xy plane, each link 0.3 long
local function arm()
  local rig = sinew.rig "arm"
  local parent
  for i, name in ipairs { "upper", "lower", "hand" } do
    local bone = rig:segment(name, { parent = parent, at = { i > 1 and 0.3 or 0, 0, 0 } })
    local dof = rig:dof("bend" .. i, { min = -150, max = 150 })
    bone:drive(rig:rotation { dof, axis = { 0, 0, 1 } })
    parent = name
  end
  return rig
end

function tests.reaches_a_point()
  local rig = arm()
  local pose = rig:pose()
  local solver = sinew.solver(rig, {
    goals = { { segment = "hand", point = { 0.3, 0, 0 }, target = { 0.4, 0.5, 0 } } } })
  local result = solver:solve(pose)
  check.equal(result.reached, true)
  check.equal(result.reason, "reached")
  check.near_all(pose:world "hand":point { 0.3, 0, 0 }, { 0.4, 0.5, 0 }, 2e-4)
  check.near(result.error, solver:error(1, pose), 1e-7)
  check.equal(table.concat(solver.dofs, " "), "bend1 bend2 bend3")
  check.equal(tostring(solver), "solver of rig 'arm': 1 goal, 3 DOFs")
  -- further targets go into the same result
  check.equal(solver:target(1, sinew.vec3(0.5, 0.3, 0)), solver)
  local same = solver:solve(pose, { restarts = false, iterations = 30 }, result)
  check.that(rawequal(same, result))
  check.near_all(pose:world "hand":point { 0.3, 0, 0 }, { 0.5, 0.3, 0 }, 2e-4)
end

function tests.takes_every_kind_of_goal()
  local rig = arm()
  local pose = rig:pose()
  local hand = rig:find "hand"
  local turn = sinew.quat.axis({ 0, 0, 1 }, 70)
  local function solve(goal)
    pose:reset()
    goal.segment = hand
    local solver = sinew.solver(rig, { goals = { goal } })
    local result = solver:solve(pose, { tolerance = 1e-5, tolerance_turn = 0.01 })
    check.equal(result.reached, true)
    return solver
  end
  solve { turn = turn }
  check.near_all(pose:world "hand":rotation(), turn, 1e-3)
  solve { turn = sinew.mat4.from(turn) }
  check.near_all(pose:world "hand":rotation(), turn, 1e-3)
  solve { aim = { 0, 1, 0 }, direction = { 1, 0, 0 } }
  check.near_all(pose:world "hand":direction { 1, 0, 0 }, { 0, 1, 0 }, 1e-3)
  solve { look_at = { 0.5, 0.7, 0 }, direction = { 1, 0, 0 } }
  local at = pose:world "hand":position()
  local way = (sinew.vec3(0.5, 0.7, 0) - at):unit()
  check.near_all(pose:world "hand":direction { 1, 0, 0 }, way, 1e-3)
  local solver = solve { distance = 0.2, point = { 0.3, 0, 0 }, other = "upper" }
  check.near(pose:world "hand":point { 0.3, 0, 0 }:length(), 0.2, 2e-5)
  solver:target(1, 0.45):solve(pose)
  check.near(pose:world "hand":point { 0.3, 0, 0 }:length(), 0.45, 2e-4)
  solve { distance = 0.1, target = { 0.4, 0.4, 0 } }
  check.near((pose:world "hand":position() - sinew.vec3(0.4, 0.4, 0)):length(), 0.1, 2e-5)
end

function tests.keeps_weights_ranges_and_posture()
  local rig = arm()
  local pose = rig:pose()
  local solver = sinew.solver(rig, { dofs = { "bend1", rig:find "bend2" }, goals = {
    { segment = "hand", target = { 0.5, 0, 0 } },
    { segment = "hand", target = { 0, 0.4, 0 }, weight = 0 },
  } })
  check.equal(solver:solve(pose).reached, true)
  check.equal(pose.bend3, 0)
  solver:goal(1, { weight = 0 }):goal(2, { weight = 1, point = { 0, 0, 0 } })
  check.equal(solver:solve(pose).reached, true)
  check.near_all(pose:world "hand":position(), { 0, 0.4, 0 }, 2e-4)
  solver:range("bend1", 0, 10)
  check.equal(solver:solve(pose).reason, "nearest")
  check.that(pose.bend1 >= 0 and pose.bend1 <= 10)
  solver:range "bend1"
  check.equal(solver:solve(pose).reached, true)
  -- a posture pulls towards rest
  local free = sinew.solver(rig, { goals = { { segment = "upper", target = { 0, 0, 0 } } } })
  pose:set { bend1 = 80 }
  free:solve(pose, { posture = 0.1, rest = { bend1 = 20 } })
  check.near(pose.bend1, 20, 0.5)
  free:solve(pose, { posture = 0.1, rest = { -30 } })
  check.near(pose.bend1, -30, 0.5)
end

function tests.works_with_scripted_components()
  local rig = sinew.rig "scripted"
  local bone = rig:segment "bone"
  local running
  local Half = sinew.component { name = "half", inputs = { "angle" }, outputs = { "angle" },
    record = false, eval = function(_, angle)
      if running then running() end
      return angle / 2
    end }
  local turn = rig:dof("turn", { min = -170, max = 170 })
  bone:drive(rig:rotation { rig:add(Half { turn }), axis = { 0, 0, 1 } })
  local pose = rig:pose()
  local solver = sinew.solver(rig, { goals = {
    { segment = bone, point = { 1, 0, 0 }, target = { math.cos(0.5), math.sin(0.5), 0 } } } })
  check.equal(solver:solve(pose).reached, true)
  check.near(pose.turn, math.deg(1), 0.05)
  -- a script cannot use the solver that runs it, or its pose
  for _, meddle in ipairs { function() solver:solve(pose) end, function() solver:close() end,
    function() solver:target(1, { 0, 0, 0 }) end, function() pose.turn = 3 end } do
    running = meddle
    pose:reset()
    check.fails("scripted component cannot change", function() solver:solve(pose) end)
    running = nil
    check.equal(solver:solve(pose).reached, true)
  end
end

function tests.reports_mistakes()
  local rig = arm()
  local pose = rig:pose()
  local function fails(options, message)
    check.fails(message, function() sinew.solver(rig, options) end)
  end
  local goal = { segment = "hand", target = { 0, 0, 0 } }
  fails({}, "'goals' must be a list of tables")
  fails({ goals = {} }, "a solver needs a goal")
  fails({ goals = { goal }, dof = {} }, "did you mean 'dofs'")
  fails({ goals = { 3 } }, "goal 1 must be a table")
  fails({ goals = { goal, { target = { 0, 0, 0 } } } }, "goal 2: 'segment' is missing")
  fails({ goals = { { segment = "hnd", target = {} } } }, "did you mean 'hand'")
  fails({ goals = { { segment = "hand" } } }, "goal 1 needs one of")
  fails({ goals = { { segment = "hand", aim = { 0, 1, 0 }, turn = sinew.quat() } } },
    "has both 'turn' and 'aim'")
  fails({ goals = { { segment = "hand", target = "there" } } },
    "goal 1: 'target' must be a vec3 or a table of three numbers, not string")
  fails({ goals = { { segment = "hand", turn = 3 } } }, "'turn' must be a quat or a mat4")
  fails({ goals = { { segment = "hand", turn = { 0, 0, 0, 0 } } } }, "'turn' must be a quat")
  fails({ goals = { { segment = "hand", distance = {} } } }, "goal 1: 'distance' must be a number")
  fails({ goals = { { segment = "hand", target = { 0, 0, 0 }, other = "upper" } } },
    "'other' is only allowed with 'distance'")
  fails({ goals = { { segment = "hand", target = { 0 / 0, 0, 0 } } } }, "not finite")
  fails({ goals = { { segment = "hand", aim = { 0, 0, 0 } } } }, "needs a target direction")
  fails({ goals = { goal }, dofs = { "bend9" } }, "bend1")
  fails({ goals = { goal }, dofs = { "bend1", "bend1" } }, "duplicate DOF 'bend1'")
  fails({ goals = { goal }, dofs = 3 }, "'dofs' must be a list")
  check.fails("rig", function() sinew.solver(3, {}) end)

  local solver = sinew.solver(rig, { goals = { goal }, dofs = { "bend1", "bend2" } })
  check.fails("bad argument", function() solver:target(2, { 0, 0, 0 }) end)
  check.fails("'target' must be", function() solver:target(1, 5) end)
  check.fails("'turn'", function() solver:goal(1, { turn = sinew.quat() }) end)
  check.fails("the solver does not move DOF", function() solver:range("bend3", 0, 1) end)
  check.fails("nothing of 500 to 600", function() solver:range("bend1", 500, 600) end)
  check.fails("did you mean 'iterations'", function() solver:solve(pose, { iteration = 3 }) end)
  check.fails("whole number", function() solver:solve(pose, { iterations = -3 }) end)
  check.fails("option 'posture'", function() solver:solve(pose, { posture = -3 }) end)
  check.fails("3 values for 2 DOFs", function() solver:solve(pose, { rest = { 1, 2, 3 } }) end)
  check.fails("number for each DOF", function() solver:solve(pose, { rest = { 1, "x" } }) end)
  check.fails("another rig", function() solver:solve(arm():pose()) end)
  check.fails("pose expected", function() solver:solve() end)
  solver:close()
  solver:close()
  check.equal(tostring(solver), "solver (closed)")
  check.fails("the solver was closed", function() solver:solve(pose) end)
end

function tests.is_collected_and_outlives_its_rig()
  local before = check.live_blocks()
  local function solve_without_rig()
    local rig = arm()
    local pose, solver = rig:pose(), sinew.solver(rig, { goals = {
      { segment = "hand", target = { 0, 0.5, 0 } } } })
    rig:close()
    check.equal(solver:solve(pose).reached, true)
  end
  solve_without_rig()
  check.equal(check.live_blocks(), before)
end

function tests.drags_without_garbage()
  local rig = arm()
  local pose = rig:pose()
  local solver = sinew.solver(rig, { goals = { { segment = "hand", target = { 0.5, 0, 0 } } } })
  local target, options, result = sinew.vec3(0.5, 0, 0), { restarts = false }, {}
  check.no_garbage(function(i)
    target.y = 0.01 * (i % 20)
    solver:target(1, target):solve(pose, options, result)
    target.y = target.y + 0.005
    solver.hand = target -- by name
    solver:solve(pose, options, result)
  end)
end

function tests.goals_go_by_name()
  local rig = arm()
  local pose, turn = rig:pose(), sinew.quat.axis({ 0, 0, 1 }, 70)
  local solver = sinew.solver(rig, { goals = { { segment = "hand", target = { 0.3, 0.4, 0 } } } })
  solver.hand = { 0.2, 0.5, 0 }
  check.near_all(solver.hand, { 0.2, 0.5, 0 }, 1e-7)
  check.equal(solver:solve(pose).reached, true)
  check.near_all(pose:position "hand", { 0.2, 0.5, 0 }, 2e-4)
  solver.hand = sinew.vec3(0.1, 0.5, 0)
  solver:solve(pose)
  check.near(solver:error("hand", pose), 0, 2e-4)
  solver:target("hand", { 0.3, 0.4, 0 })
  solver:goal("hand", { weight = 2 })
  check.near_all(solver.hand, { 0.3, 0.4, 0 }, 1e-7)

  -- a name of its own; the others are sorted by name behind those in order
  local many = sinew.solver(rig, { goals = { { segment = "upper", aim = { 0, 1, 0 } },
    place = { segment = "hand", target = { 0.3, 0.4, 0 } },
    face = { segment = "hand", turn = turn },
    far = { segment = "hand", distance = 0.2, target = { 1, 0, 0 } } } })
  many.face = sinew.quat()
  check.near_all(many.face, sinew.mat4(), 1e-7)
  many.far = 0.25
  check.near(many.far, 0.25)
  many.upper = { 1, 0, 0 }
  check.near(many:error("far", pose), many:error(3, pose), 0)
  check.near(many:error("place", pose), many:error(4, pose), 0)
  check.fails("solver has no goal, field or method 'plaze' (did you mean 'place'?)",
    function() many.plaze = { 0, 0, 0 } end)
  check.fails("solver has no goal 'plaze' (did you mean 'place'?)",
    function() many:error("plaze", pose) end)
  check.fails("goal 4: 'target' must be a vec3 or a table of three numbers, not number",
    function() many.place = 3 end)

  local twice = sinew.solver(rig, { goals = { { segment = "hand", target = { 0.3, 0.4, 0 } },
    { segment = "hand", turn = turn } } })
  check.fails("several goals are on 'hand'; give them names",
    function() twice.hand = { 0, 0, 0 } end)
  check.fails("a goal cannot be called 'solve'", sinew.solver, rig,
    { goals = { solve = { segment = "hand", target = { 0, 0, 0 } } } })
  check.fails("in order, without gaps, or by name", sinew.solver, rig,
    { goals = { [3] = { segment = "hand", target = { 0, 0, 0 } } } })
end

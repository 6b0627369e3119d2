-- Posing with the solver: whole-body goals of rigs/human.lua, stiffness, posture, drags, crowds.
local check, tests = ...
local sinew = require "sinew"
local rigs = require "rigs"
local human = rigs.open "human"

-- the largest movement of a DOF away from `from` (a pose; rest unless given), in its range, among
-- those whose names match
local function moved(pose, pattern, from)
  local most = 0
  for _, dof in ipairs(human.dofs) do
    if dof.name:find(pattern) then
      local start = from and from[dof] or dof.rest
      most = math.max(most, math.abs(pose[dof] - start) / (dof.max - dof.min))
    end
  end
  return most
end

-- the centre of mass of the human in the world
local function centre_of_mass(pose)
  local mass, moment = 0, sinew.vec3()
  for _, segment in ipairs(human.segments) do
    local own = segment.mass
    if own then
      mass, moment = mass + own, moment + pose:world(segment):point(segment.mass_at) * own
    end
  end
  return moment / mass, mass
end

function tests.the_human_weighs_what_his_parts_weigh()
  for _, options in ipairs { {}, { spine = "simple" }, { hands = false, height = 1.9 } } do
    local rig = assert(sinew.load((arg[0]:match "^(.*)[/\\]" or ".") .. "/../../rigs/human.lua",
      options))
    local sum = 0
    for _, segment in ipairs(rig.segments) do sum = sum + (segment.mass or 0) end
    check.near(sum, 70 * ((options.height or 1.71) / 1.71) ^ 3, 1e-3)
  end
  local centre = centre_of_mass(human:pose())
  check.near(centre.x, 0, 1e-6)
  -- above half of the stature, over the feet
  check.that(centre.y > 0.53 * 1.71 and centre.y < 0.58 * 1.71)
  check.that(math.abs(centre.z) < 0.04)
end

function tests.a_hand_moves_and_the_man_stays_on_the_ground()
  local pose = human:pose()
  local solver = sinew.solver(pose, { goals = { { "carpus_r", target = { 0, 1.2, 0.4 } } } })
  check.that(solver:solve(pose).reached)
  check.near_all(pose:position "carpus_r", { 0, 1.2, 0.4 }, 2e-4)
  check.equal(moved(pose, "^body%."), 0)
  check.that(moved(pose, "^lumbar") < 0.01 and moved(pose, "^thoracic") < 0.01)
  check.equal(moved(pose, "^left_"), 0)
  for _, name in ipairs(solver.dofs) do check.that(not name:find "^body", name) end
end

function tests.feet_pinned_a_hand_and_the_gaze_are_one_solve()
  local pose = human:pose()
  local solver = sinew.solver(pose, { root = true, goals = { "calcaneus_r", "calcaneus_l",
    hand = { "carpus_r", target = { -0.4, 0.6, 0.5 } },
    gaze = { "skull", look_at = { -0.4, 0.6, 0.5 }, direction = "z" } } })
  local feet = { pose:world "calcaneus_r", pose:world "calcaneus_l" }
  check.near_all(solver.calcaneus_r, feet[1], 1e-6)
  for _, target in ipairs { { -0.4, 0.6, 0.5 }, { 0.2, 1.5, 0.4 }, { -0.5, 0.35, 0.3 } } do
    solver.hand, solver.gaze = target, target
    check.that(solver:solve(pose).reached)
    check.near_all(pose:position "carpus_r", target, 2e-4)
    for i, name in ipairs { "calcaneus_r", "calcaneus_l" } do
      local metres, degrees = solver:error(name, pose)
      check.that(metres < 5e-4 and degrees < 0.5)
      check.near_all(pose:world(name), feet[i], 2e-3)
    end
    local skull = pose:world "skull"
    local way = (sinew.vec3(target) - skull:position()):unit()
    check.near_all(skull:direction { 0, 0, 1 }, way, 2e-3)
  end
end

function tests.pins_hold_a_position_a_turn_or_both()
  local pose = human:pose()
  pose:set { ["right_elbow.flexion"] = 60, ["right_shoulder.raise"] = 40 }
  local place, turn = pose:position "carpus_r", pose:world "carpus_r":rotation()
  for _, pin in ipairs { true, "position", "turn" } do
    local solver = sinew.solver(pose, { goals = { hand = { "carpus_r", pin = pin } } })
    local other = human:pose()
    check.that(solver:solve(other).reached)
    check.equal((other:position "carpus_r" - place):length() < 2e-4, pin ~= "turn")
    local between = other:world "carpus_r":rotation():angle(turn)
    check.equal(between < 0.2, pin ~= "position")
  end
  -- of a rig, pins are where they are at rest
  local solver = sinew.solver(human, { goals = { "carpus_r" } })
  check.near_all(solver.carpus_r, human:pose():world "carpus_r", 1e-6)
  -- a pin takes another place, another turn, or both
  solver.carpus_r = { 0.1, 1.2, 0.3 }
  check.near_all({ solver.carpus_r:position():unpack() }, { 0.1, 1.2, 0.3 })
  solver.carpus_r = turn
  check.near(solver.carpus_r:rotation():angle(turn), 0, 0.1)
  check.near_all({ solver.carpus_r:position():unpack() }, { 0.1, 1.2, 0.3 })
  local matrix = sinew.mat4.from(sinew.quat.axis({ 1, 0, 0 }, 20), { 0, 1, 0.2 })
  solver.carpus_r = matrix
  check.near_all(solver.carpus_r, matrix)
  -- of a point of the bone that is not its origin
  local tip = sinew.solver(pose, { goals = { hand = { "carpus_r", pin = true,
    point = { 0, -0.1, 0 } } } })
  check.near_all(tip.hand, pose:world "carpus_r", 1e-6)
  tip.hand = matrix
  check.near_all(tip.hand, matrix)
end

function tests.a_target_and_a_turn_are_one_goal()
  local pose, turn = human:pose(), sinew.quat.axis({ 1, 0, 0 }, -60)
  local solver = sinew.solver(pose, { goals = {
    hand = { "carpus_r", target = { -0.2, 1.1, 0.4 }, turn = turn, weight = 2 } } })
  check.equal(tostring(solver):match "%d+ goals?", "1 goal")
  check.that(solver:solve(pose).reached)
  check.near_all(pose:position "carpus_r", { -0.2, 1.1, 0.4 }, 2e-4)
  check.near(pose:world "carpus_r":rotation():angle(turn), 0, 0.2)
  solver:goal("hand", { target = { -0.25, 1.1, 0.35 }, turn = sinew.quat.axis({ 1, 0, 0 }, -50) })
  check.that(solver:solve(pose).reached)
  check.near_all(pose:position "carpus_r", { -0.25, 1.1, 0.35 }, 2e-4)
end

function tests.a_pole_turns_the_elbow()
  local pose = human:pose()
  local solver = sinew.solver(pose, { goals = { hand = { "carpus_r", target = { -0.2, 1.2, 0.4 } },
    elbow = { "ulna_r", pole = { -2, 1.2, 0.2 }, to = "carpus_r" } } })
  check.that(solver:solve(pose).reached)
  local out = pose:position "ulna_r"
  solver.elbow = { -0.2, -2, 0.2 }
  check.that(solver:solve(pose).reached)
  local down = pose:position "ulna_r"
  check.that(out.x < down.x - 0.03 and down.y < out.y - 0.03)
  check.near_all(solver.elbow, { -0.2, -2, 0.2 })
  check.near_all(pose:position "carpus_r", { -0.2, 1.2, 0.4 }, 2e-4)
  check.that(solver:error("elbow", pose) < 0.2)
end

function tests.what_stays_above_the_floor_does()
  local pose = human:pose()
  local goals = { hand = { "carpus_r", target = { -0.3, 0.15, 0.3 }, priority = 1 } }
  local plain = sinew.solver(pose, { root = true, goals = goals })
  plain:solve(pose)
  check.that(pose:position "distal_middle_r".y < 0.3)
  goals.floor = { "distal_middle_r", above = 0.3 }
  pose:reset()
  local solver = sinew.solver(pose, { root = true, goals = goals })
  check.near(solver.floor, 0.3)
  solver:solve(pose)
  check.that(pose:position "distal_middle_r".y > 0.2999)
  solver.floor = 0.4
  solver:solve(pose)
  check.that(pose:position "distal_middle_r".y > 0.3999)
end

function tests.a_balanced_man_has_his_mass_over_his_feet()
  local pose = human:pose()
  local goals = { "calcaneus_r", "calcaneus_l", hand = { "carpus_r", target = { -0.2, 0.9, 0.7 } } }
  local function over_feet()
    local feet = (pose:world "calcaneus_r":point { 0, 0, 0.1 }
      + pose:world "calcaneus_l":point { 0, 0, 0.1 }) / 2
    local centre = centre_of_mass(pose)
    return math.abs(centre.z - feet.z)
  end
  check.that(sinew.solver(pose, { root = true, goals = goals }):solve(pose).reached)
  local before = over_feet()
  pose:reset()
  goals.balance = { balance = { "calcaneus_r", "calcaneus_l" }, point = { 0, 0, 0.1 },
    within = 0.03 }
  local solver = sinew.solver(pose, { root = true, goals = goals })
  check.near(solver.balance, 0.03)
  check.that(solver:solve(pose).reached)
  check.that(over_feet() < 0.0302, ("%g, %g without"):format(over_feet(), before))
  solver.balance = 0.01
  check.that(solver:solve(pose).reached)
  check.that(over_feet() < 0.0102)
end

function tests.of_two_goals_the_one_of_a_higher_number_gives_way()
  local pose = human:pose()
  local solver = sinew.solver(pose, { goals = { near = { "carpus_r", target = { -0.3, 1.2, 0.3 } },
    far = { "carpus_r", target = { -0.3, 1.2, 0.5 }, priority = 1 } } })
  solver:solve(pose)
  check.near(pose:position "carpus_r".z, 0.3, 2e-3)
  solver:goal("near", { priority = 2 })
  solver:solve(pose)
  check.near(pose:position "carpus_r".z, 0.5, 2e-3)
end

function tests.joint_sets_name_dofs_and_their_stiffness()
  local pose = human:pose()
  local arm = sinew.solver(pose, { goals = { { "carpus_r", target = { -0.3, 1.1, 0.3 } } },
    dofs = { "right_shoulder", human:find "right_elbow.flexion".joint_set } })
  check.equal(#arm.dofs, 7)
  check.that(arm:solve(pose).reached)
  local solver = sinew.solver(pose, { goals = { { "carpus_r", target = { -0.3, 1.1, 0.3 } } },
    stiffness = { right_shoulder = 25, ["right_shoulder.twist"] = 2,
      [human:find "right_elbow.twist"] = 3 } })
  check.equal(solver:stiffness "right_shoulder.raise", 25)
  check.equal(solver:stiffness "right_shoulder.twist", 2)
  check.equal(solver:stiffness "right_elbow.twist", 3)
  check.that(solver:stiffness "lumbar.bend" > 30)
  check.equal(solver:stiffness("lumbar", 5), solver)
  check.equal(solver:stiffness "lumbar.twist", 5)
  -- what is stiff moves less: the spine, unless it is as soft as the arm
  local function bent(stiffness)
    local other = human:pose()
    sinew.solver(other, { goals = { { "carpus_r", target = { -0.3, 1.1, 0.3 } } },
      stiffness = stiffness }):solve(other)
    return moved(other, "^lumbar")
  end
  check.equal(bent(), 0)
  check.that(bent { lumbar = 1 } > 0.02)
end

function tests.posture_pulls_to_rest_the_start_or_a_pose()
  local solver = sinew.solver(human, { goals = { { "carpus_r", target = { -0.2, 1.2, 0.4 } } } })
  local other = human:pose()
  other["right_wrist.flexion"] = 40
  for _, row in ipairs { { "rest", 0 }, { "start", 30 }, { other, 40 },
    { { ["right_wrist.flexion"] = -20 }, -20 } } do
    local pose = human:pose()
    pose:set { ["right_wrist.flexion"] = 30, ["right_shoulder.raise"] = 120,
      ["right_elbow.flexion"] = 100 }
    check.that(solver:solve(pose, { towards = row[1] }).reached)
    check.near(pose["right_wrist.flexion"], row[2], 0.5)
  end
end

function tests.a_drag_that_returns_gives_the_pose_of_the_press()
  local pose = human:pose()
  pose:set { ["right_elbow.flexion"] = 40, ["right_shoulder.raise"] = 30 }
  local start, last = human:pose(), human:pose()
  start:carry(pose)
  local solver = sinew.solver(pose, { goals = { hand = { "carpus_r", pin = "position" } } })
  local from, to = pose:position "carpus_r", sinew.vec3(0.05, 1.55, 0.15)
  check.equal(solver:press(pose), solver)
  local steps, result, most = 80, {}, 0
  for i = 1, 2 * steps do
    last:carry(pose)
    solver.hand = from:lerp(to, i <= steps and i / steps or 2 - i / steps)
    check.that(rawequal(solver:drag(pose, nil, result), result))
    most = math.max(most, moved(pose, "", last))
    if i == steps then
      check.that(solver:error("hand", pose) < 0.01)
      check.that(moved(pose, "^lumbar") < 0.02 and moved(pose, "^thoracic") < 0.02)
    end
  end
  check.that(most <= 0.0501, most)
  check.that(moved(pose, "", start) < 0.01, moved(pose, "", start))
  check.that(result.reached)
  -- a smaller step a frame
  solver:press(pose)
  solver.hand = to
  solver:drag(pose, { most_step = 0.01, escapes = false })
  check.that(moved(pose, "", start) <= 0.0101 + 0.01)
end

function tests.a_crowd_is_solved_as_its_characters_are_alone()
  local count, dofs = 9, #human.dofs
  local solver = sinew.solver(human, { goals = { hand = { "carpus_r", target = { 0, 0, 0 } },
    foot = { "calcaneus_l", pin = true } }, stiffness = { right_elbow = 4 } })
  solver:range("right_elbow.flexion", 0, 90)
  local targets, flat = {}, sinew.buffer(3 * count)
  for i = 1, count do
    targets[i] = sinew.vec3(-0.4 + 0.05 * i, 0.9 + 0.06 * i, 0.3)
    for k = 1, 3 do flat[3 * i - 3 + k] = targets[i][k] end
  end
  local crowd, result = human:crowd(count), {}
  check.that(rawequal(crowd:solve(solver, { hand = targets }, nil, result), result))
  local missed = result.missed
  check.equal(result.reached + #missed, count)
  local values, pose = crowd:dofs(), human:pose()
  for i = 1, count do
    pose:reset()
    solver.hand = targets[i]
    local alone = solver:solve(pose)
    check.equal(alone.reached, missed[1] ~= i)
    if missed[1] == i then table.remove(missed, 1) end
    check.near_all(pose:dofs(), { (table.unpack or unpack)(values, (i - 1) * dofs + 1, i * dofs) },
      0)
    check.near_all({ crowd:worlds()[16 * 148 * (i - 1) + 13] }, { pose:world "pelvis"[13] }, 1e-6)
  end
  -- numbers in a buffer, and two threads
  local two = human:crowd(count, { threads = 2 })
  two:solve(solver, { hand = flat }, { restarts = true })
  check.near_all(two:dofs(), values, 0)
  -- matrices for a pin; targets that are not given are those of the solver
  local matrices = sinew.buffer(16 * count)
  local place = pose:reset():world "calcaneus_l"
  for i = 1, count do
    for k = 1, 16 do matrices[16 * i - 16 + k] = place[k] end
    matrices[16 * i - 2] = place[14] + 0.002 * i
  end
  solver.hand = { -0.3, 1.1, 0.3 }
  check.equal(human:crowd(count):solve(solver, { foot = matrices }).reached, count)
end

function tests.mistakes_in_goals_name_the_right_word()
  local pose = human:pose()
  local function fails(message, goal, options)
    options = options or {}
    options.goals = { goal }
    check.fails(message, function() sinew.solver(pose, options) end)
  end
  local hand = { "carpus_r", target = { 0, 1, 0.4 } }
  fails("no segment named 'carpusr' (did you mean 'carpus_r'", "carpusr")
  fails("goal 1 has no option 'targt' (did you mean 'target'?)", { "skull", targt = { 0, 0, 0 } })
  fails("'direction' is only allowed with 'aim' or 'look_at'",
    { "skull", above = 0, direction = "z" })
  fails("'direction' must be \"x\", \"-z\" and so on, or a direction, not \"forward\"",
    { "skull", look_at = { 0, 0, 1 }, direction = "forward" })
  fails("it has one segment, first in its list or as 'segment'",
    { "skull", "pelvis", target = { 0, 0, 0 } })
  fails("give 'to', the segment where the limb ends", { "ulna_r", pole = { 0, 0, 0 } })
  fails("'pelvis' has no parent", { "pelvis", pole = { 0, 0, 0 }, to = "skull" })
  fails("'balance' must be one or two segments, not 3",
    { balance = { "calcaneus_r", "calcaneus_l", "pelvis" } })
  fails("its segments are in 'balance'", { "pelvis", balance = { "calcaneus_r" } })
  fails("'pin' must be true, \"position\" or \"turn\", not \"place\"", { "skull", pin = "place" })
  fails("has both 'pin' and 'target'", { "skull", pin = true, target = { 0, 0, 0 } })
  fails("'priority' must be a whole number from 0 to 3",
    { "skull", target = { 0, 0, 0 }, priority = 4 })
  fails("goal 1 must be a table, or a segment to pin", true)
  fails("'above' must be a number, or a vec3", { "skull", above = "floor" })
  fails("rig 'human' has no DOF or joint set 'right_elbo' (did you mean 'right_elbow'", hand,
    { dofs = { "right_elbo" } })
  fails("has no DOF or joint set 'lumba'", hand, { stiffness = { lumba = 3 } })
  fails("the solver does not move a DOF of joint set 'left_knee'", hand,
    { stiffness = { left_knee = 3 } })
  fails("'stiffness' must be a table of numbers", hand, { stiffness = 3 })
  fails("a stiffness must be above 0, not -3", hand, { stiffness = { lumbar = -3 } })
  fails("give 'root', or 'dofs' with those of the root, not both", hand,
    { root = true, dofs = { "right_elbow" } })

  local solver = sinew.solver(pose, { goals = { "carpus_r", hand } })
  check.fails("several goals are on 'carpus_r'", function() solver.carpus_r = { 0, 0, 0 } end)
  check.fails("keeps its kind and segments", function() solver:goal(1, { pin = true }) end)
  check.fails("goal 2 has no 'turn'", function() solver:goal(2, { turn = sinew.quat() }) end)
  check.fails("'target' must be a vec3, a quat or a mat4", function() solver:target(1, "x") end)
  check.fails("'turn' must be a rigid matrix",
    function() solver:target(1, sinew.mat4.scaling(2, 2, 2)) end)
  check.fails("'towards' must be \"start\", \"rest\", a pose or a table of numbers, not \"strat\"",
    function() solver:solve(pose, { towards = "strat" }) end)
  check.fails("'towards' is a pose of another rig",
    function() solver:solve(pose, { towards = sinew.rig "a":pose() }) end)
  check.fails("'rest' and 'towards' are the same",
    function() solver:solve(pose, { towards = "start", rest = "rest" }) end)
  check.fails("did you mean 'most_step'", function() solver:solve(pose, { most_steps = 1 }) end)
  check.fails("no segment of the rig has a mass", function()
    local rig = sinew.rig "light"
    rig:bone("foot", { hinge = { "bend", 0, 90, axis = "x" } })
    sinew.solver(rig, { goals = { { balance = "foot" } } })
  end)

  local crowd = human:crowd(4)
  check.fails("solver has no goal 'hnd'", function() crowd:solve(solver, { hnd = {} }) end)
  check.fails("5 numbers for 4 characters",
    function() crowd:solve(solver, { [2] = sinew.buffer(5) }) end)
  check.fails("goal 2: 'target' must be a vec3",
    function() crowd:solve(solver, { [2] = { 1, 2, 3, 4 } }) end)
  check.fails("table or buffer expected", function() crowd:solve(solver, { [2] = 7 }) end)
  check.fails("character 3: goal 2, on 'carpus_r', has a number that is not finite", function()
    local t = { 0, 1, 0.4 }
    crowd:solve(solver, { [2] = { t, t, { 0, 0 / 0, 0 }, t } })
  end)
  check.fails("solver expected", function() crowd:solve(3) end)
  check.fails("another rig", function()
    local rig = sinew.rig "other"
    rig:bone("a", { hinge = { "bend", 0, 90, axis = "x" } })
    rig:crowd(2):solve(solver)
  end)
end

function tests.a_crowd_of_a_scripted_rig_is_solved_too()
  local rig = sinew.rig "scripted"
  local solver
  local crowd, meddle
  local Half = sinew.component { name = "half", inputs = { "angle" }, outputs = { "angle" },
    record = false, eval = function(_, angle)
      if meddle then meddle() end
      return angle / 2
    end }
  local turn = rig:dof("turn", -170, 170)
  rig:segment "bone":drive(rig:rotation { rig:add(Half { turn }), axis = { 0, 0, 1 } })
  solver = sinew.solver(rig, { goals = { tip = { "bone", point = { 1, 0, 0 },
    target = { 1, 0, 0 } } } })
  crowd = rig:crowd(3, { threads = 2 })
  local targets = {}
  for i = 1, 3 do targets[i] = { math.cos(0.2 * i), math.sin(0.2 * i), 0 } end
  check.equal(crowd:solve(solver, { tip = targets }).reached, 3)
  for i, value in ipairs(crowd:dofs()) do check.near(value, math.deg(0.4 * i), 0.05) end
  for _, bad in ipairs { function() crowd:reset() end, function() solver:close() end,
    function() crowd:solve(solver) end } do
    meddle = bad
    check.fails("scripted component cannot", function() crowd:solve(solver, { tip = targets }) end)
    meddle = nil
  end
  check.equal(crowd:reset():solve(solver, { tip = targets }).reached, 3)
end

function tests.solving_by_name_and_dragging_make_no_garbage()
  local pose = human:pose()
  local solver = sinew.solver(pose, { goals = { "calcaneus_l",
    hand = { "carpus_r", pin = "position" } } })
  local target, options, result = pose:position "carpus_r", { restarts = false }, {}
  local y = target.y
  solver:press(pose)
  check.no_garbage(function(i)
    target.y = y + 0.001 * (i % 20)
    solver.hand = target
    solver:drag(pose, options, result)
  end)
end

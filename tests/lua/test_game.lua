-- What games use on top of poses: limbs, gaits, springs, lines, drawing in LÖVE.
local check, tests = ...
local sinew = require "sinew"
local walker = require "walker"

-- --- limbs

local function foot_of(pose, leg) return pose:world(leg.segments[#leg.segments]):position() end

local function one_limb(options)
  local rig = sinew.rig "one"
  local set = rig:joint_set "body"
  local body = set:segment("body", { at = { 0, 1, 0 } })
  body:drive(set:multiply {
    set:translation { x = set:dof("x", { min = -9, max = 9, unit = "m" }) },
    set:rotation { set:dof("turn", { min = -180, max = 180 }), axis = { 0.2, 1, 0.3 } },
  })
  return rig, sinew.limb(body, "leg", options), body
end

local shapes = {
  { at = { 0.1, 0, 0 }, foot = { 0.6, -0.3, 0.1 }, lengths = { 0.4, 0.5 } },
  { at = { 0.1, 0, 0 }, foot = { 0.6, -0.3, 0.1 }, lengths = { 0.1, 0.4, 0.5 } },
  { at = { 0, 0.1, 0 }, foot = { 0, -0.6, 0.1 }, lengths = { 0.45, 0.4 }, knee = { 0, 0, 1 } },
  { at = { 0, 0.1, 0 }, foot = { 0, -0.6, 0 }, lengths = { 0.3, 0.6 }, knee = { 0, 0.2, -1 } },
}

function tests.a_limb_rests_at_its_foot()
  for _, shape in ipairs(shapes) do
    local rig, leg, body = one_limb(shape)
    local pose = rig:pose()
    check.near_all(foot_of(pose, leg), pose:world(body):point(shape.foot), 1e-6)
  end
end

function tests.a_limb_reaches_every_point_in_its_range()
  local random = check.random(3)
  for _, shape in ipairs(shapes) do
    local rig, leg = one_limb(shape)
    local pose, other = rig:pose(), rig:pose()
    for _ = 1, 500 do
      for _, p in ipairs { pose, other } do p["body.x"], p["body.turn"] = 0.5, 40 end
      -- a point that some angles reach, from the other pose
      for _, name in ipairs(leg.dofs) do
        local dof = rig:find(name)
        other[name] = random(dof.min, dof.max)
      end
      local goal = foot_of(other, leg)
      local off = leg:reach(pose, goal)
      -- the leg has two ways for most points, of which one may be out of its ranges
      local reached = foot_of(pose, leg):distance(goal)
      check.near(reached, off, 2e-6)
      pose["body.x"] = -1
      if off == 0 then
        local g = goal + { -1.5, 0, 0 }
        check.near(leg:reach(pose, g.x, g.y, g.z), 0, 0)
      end
    end
    -- points near the rest are all reached
    for _ = 1, 200 do
      local near = sinew.vec3(shape.foot) + { random(-0.05, 0.05), random(-0.05, 0.05),
        random(-0.05, 0.05) }
      check.near(leg:place(pose, near:unpack()), 0, 0)
      check.near(foot_of(pose, leg):distance(pose:world(leg.body):point(near)), 0, 2e-6)
    end
  end
end

function tests.a_limb_stretches_towards_what_is_too_far()
  local rig, leg = one_limb(shapes[1])
  local pose = rig:pose()
  local hip, goal = sinew.vec3(0.1, 0, 0), sinew.vec3(3, 0.5, 0.4)
  local off, x, y, z = leg:place(pose, goal:unpack())
  check.near(off, goal:distance(hip) - 0.9, 1e-5)
  check.near_all({ x, y, z }, hip + (goal - hip):unit() * 0.9, 1e-5)
  check.near(foot_of(pose, leg):distance(pose:world(leg.body):point { x, y, z }), 0, 2e-6)
end

function tests.a_limb_says_what_is_wrong_with_it()
  local function fails(part, change)
    local options = { at = { 0.1, 0, 0 }, foot = { 0.6, -0.3, 0.1 }, lengths = { 0.4, 0.5 } }
    for key, value in pairs(change) do options[key] = value end
    check.fails(part, one_limb, options)
  end
  fails({ "limb 'leg'", "there is no option 'lenghts'", "lengths" }, { lenghts = { 1, 2 } })
  fails("two or three lengths", { lengths = { 1 } })
  fails("longer than 0", { lengths = { 1, -1 } })
  fails({ "0.592 m", "from 0.1 to 0.5 m" }, { lengths = { 0.2, 0.3 } })
  fails({ "straight along", "{0, 0, 1}" }, { foot = { 0.1, -0.5, 0 } })
  fails("`yaw` must be { min, max }", { yaw = { 3, -3 } })
  fails({ "at rest its bend is", "range -20 to 0" }, { bend = { -20, 0 } })
  check.fails("a segment, a name and a table", sinew.limb, 1, "leg", {})
end

-- --- gaits

-- Walks to one goal after the other; gives for all frames how often a foot was over 1 cm from where
-- the gait says, how far standing feet slipped at most, and how few feet stood at least.
local function wander(count, options, frames, dt)
  local rig, _, legs = walker(count, options.lengths)
  options.lengths = nil
  local pose, random = rig:pose(), check.random(7)
  local walk = sinew.gait(pose, legs, options)
  local result, last, x, z = { off = 0, slip = 0, standing = count, steps = 0 }, {}, 0, 0
  for frame = 1, frames do
    if frame % 60 == 1 then x, z = random(-3, 3), random(-3, 3) end
    walk:toward(x, z, dt)
    local standing = 0
    for i, leg in ipairs(legs) do
      local fx, fy, fz, stands = walk:foot(i)
      local p = foot_of(pose, leg)
      if p:distance { fx, fy, fz } > 0.01 then result.off = result.off + 1 end
      if stands then
        standing = standing + 1
        if last[i] then
          result.slip = math.max(result.slip, p:distance(last[i]))
        else
          result.steps = result.steps + 1
        end
      end
      last[i] = stands and p or nil
    end
    result.standing = math.min(result.standing, standing)
  end
  return result, walk, pose
end

function tests.feet_are_where_the_gait_says_however_fast_it_turns()
  for _, case in ipairs { { 1.2, 120, 1 / 60 }, { 1.2, 360, 1 / 60 }, { 3, 720, 1 / 60 },
    { 6, 1500, 1 / 60 }, { 1.2, 120, 1 / 240 }, { 1.2, 120, 1 / 15 } } do
    local got = wander(6, { stride = 0.25, lift = 0.15, time = 0.18, speed = case[1],
      turning = case[2] }, 1500, case[3])
    check.equal(got.off, 0)
    check.near(got.slip, 0, 1e-5)
    check.that(got.steps > 50, "it walks")
  end
end

function tests.any_number_of_legs_walks()
  for _, count in ipairs { 1, 2, 3, 4, 6, 8, 11 } do
    local got = wander(count, { stride = 0.25, speed = 1, lengths = { 0.1, 0.4, 0.5 } }, 900,
      1 / 60)
    check.equal(got.off, 0)
    check.near(got.slip, 0, 1e-5)
    -- every other leg at most steps while it does not hurry
    check.that(got.standing >= math.floor(count / 2), count .. " legs")
  end
end

function tests.groups_step_in_turn()
  local rig, _, legs = walker(4)
  local pose = rig:pose()
  local walk = sinew.gait(pose, legs, { stride = 0.3, groups = { 1, 2, 3, 4 } })
  local order = {}
  for frame = 1, 600 do
    pose["body.z"] = 0.3 * frame / 60
    walk:update(1 / 60)
    for i = 1, 4 do
      local flies = not select(4, walk:foot(i))
      if flies and order[#order] ~= i then order[#order + 1] = i end
    end
  end
  check.that(#order > 20, "it walks")
  for i = 2, #order do check.equal(order[i], order[i - 1] % 4 + 1) end
end

function tests.a_walker_that_stops_puts_its_feet_below_itself()
  local rig, _, legs = walker(6)
  local pose = rig:pose()
  local walk = sinew.gait(pose, legs, { stride = 0.25 })
  for _ = 1, 200 do walk:toward(1, 2, 1 / 60) end
  for _ = 1, 600 do walk:update(1 / 60) end
  for i, leg in ipairs(legs) do
    local x, y, z, standing = walk:foot(i)
    local home = pose:world(leg.body):point { leg.home.x, leg.home.y, leg.home.z }
    check.that(standing, "all stand")
    check.near(y, 0, 0)
    check.that(home:distance { x, 0, z } <= 0.15 * 0.25 + 1e-6, "near its home")
  end
end

function tests.feet_stand_on_the_ground_and_tell_where_they_land()
  local function ground(x, z) return 0.1 * math.sin(x) * math.cos(z) end
  local rig, _, legs = walker(6)
  local landed, pose = 0, rig:pose()
  local function land(leg, x, y, z)
    landed = landed + 1
    check.that(legs[leg], "a leg's number")
    check.near(y, ground(x, z), 1e-9)
  end
  local walk = sinew.gait(pose, legs, { stride = 0.25, ground = ground, land = land })
  for frame = 1, 600 do
    walk:toward(2 * math.sin(frame / 200), 3, 1 / 60)
    for i = 1, 6 do
      local x, y, z, standing = walk:foot(i)
      if standing then check.near(y, ground(x, z), 1e-9) end
      check.near_all(foot_of(pose, legs[i]), { x, y, z }, 1e-5)
    end
  end
  check.that(landed > 30, "feet land")
end

function tests.a_body_that_jumps_takes_its_feet_along()
  local rig, _, legs = walker(6)
  local pose = rig:pose()
  local walk = sinew.gait(pose, legs)
  pose["body.x"] = 50
  walk:update(1 / 60)
  for i, leg in ipairs(legs) do
    local x, y, z = walk:foot(i)
    check.near_all(foot_of(pose, leg), { x, y, z }, 1e-4)
  end
  for _ = 1, 120 do walk:update(1 / 60) end
  for i = 1, 6 do check.that(select(4, walk:foot(i)), "all stand again") end
  pose["body.x"] = -50
  walk:plant()
  local x, y, _, standing = walk:foot(1)
  check.near_all({ x, y }, { -50.6, 0 }, 1e-5)
  check.that(standing, "planted")
end

function tests.legs_may_be_on_several_segments()
  local rig = walker(2)
  local set = rig:joint_set "rear"
  local rear = set:segment("rear", { parent = "body", at = { 0, 0, -0.6 } })
  rear:drive(set:rotation { set:dof("bend", { min = -40, max = 40 }), axis = { 0, 1, 0 } })
  local legs = {}
  for i, body in ipairs { rig:find "body", rear } do
    for k, side in ipairs { -1, 1 } do
      legs[2 * i - 2 + k] = sinew.limb(body, ("own%d%d"):format(i, k), { at = { 0.1 * side, 0, 0 },
        foot = { 0.4 * side, -0.35, 0 }, lengths = { 0.3, 0.4 } })
    end
  end
  local pose = rig:pose()
  local walk = sinew.gait(pose, legs, { stride = 0.2, speed = 0.8 })
  local steps = 0
  for frame = 1, 600 do
    pose["rear.bend"] = 30 * math.sin(frame / 30)
    walk:toward(3, 4, 1 / 60)
    for i, leg in ipairs(legs) do
      local x, y, z, standing = walk:foot(i)
      check.near_all(foot_of(pose, leg), { x, y, z }, 1e-5)
      if not standing then steps = steps + 1 end
    end
  end
  check.that(steps > 100, "it walks")
end

function tests.a_gait_says_what_is_wrong_with_it()
  local rig, _, legs = walker(2)
  local pose = rig:pose()
  check.fails("a pose and a list of limbs", sinew.gait, pose, {})
  check.fails("leg 1 is not made by sinew.limb", sinew.gait, pose, { 3 })
  check.fails("no option 'strid'", sinew.gait, pose, legs, { strid = 1 })
  check.fails("`stride` must be a number above 0", sinew.gait, pose, legs, { stride = 0 })
  check.fails("`ground` must be a function", sinew.gait, pose, legs, { ground = 0 })
  check.fails("`groups` has no number for leg 2", sinew.gait, pose, legs, { groups = { 1 } })
  local walk = sinew.gait(pose, legs, { turn = "body.twist" })
  check.fails("no 'body.twist'", walk.toward, walk, 1, 1, 0.1)
  check.fails("dt is", walk.update, walk, -1)
end

-- --- springs

local function tail()
  local rig = sinew.rig "tail"
  rig:joint_set("tail"):dof("bend", { min = -90, max = 90 })
  rig:find "tail.bend"
  return rig:pose()
end

-- what x'' = -w^2 (x - goal) - 2 d w x' gives, by many small steps of the fourth order
local function integrated(frequency, damping, seconds, goal)
  local w, x, v, h = 2 * math.pi * frequency, 0, 0, 1e-4
  local function pull(at, speed) return -w * w * (at - goal) - 2 * damping * w * speed end
  for _ = 1, math.floor(seconds / h + 0.5) do
    local a1 = pull(x, v)
    local v2 = v + h / 2 * a1
    local a2 = pull(x + h / 2 * v, v2)
    local v3 = v + h / 2 * a2
    local a3 = pull(x + h / 2 * v2, v3)
    local v4 = v + h * a3
    local a4 = pull(x + h * v3, v4)
    x, v = x + h / 6 * (v + 2 * v2 + 2 * v3 + v4), v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
  end
  return x
end

function tests.a_spring_is_exact_at_any_frame_rate()
  for _, damping in ipairs { 0, 0.2, 0.4, 1, 1.5, 30 } do
    local expected = integrated(1.5, damping, 0.5, 20)
    for _, frames in ipairs { 1, 5, 30, 120, 1000 } do
      local pose = tail()
      local spring = sinew.spring(pose, { "tail.bend", frequency = 1.5, damping = damping })
      pose["tail.bend"] = 20
      for _ = 1, frames do spring:update(0.5 / frames) end
      check.near(pose["tail.bend"], expected, 1e-4)
      check.equal(spring:goal(1), 20)
    end
  end
end

function tests.a_spring_comes_to_rest_at_what_was_set_last_and_stops_at_the_range()
  local pose = tail()
  local spring = sinew.spring(pose, { pose.rig:find "tail.bend", frequency = 4, damping = 0.3 })
  for _, goal in ipairs { 30, -45, 10 } do
    for _ = 1, 600 do
      pose["tail.bend"] = goal -- every frame, as a game does
      spring:update(1 / 60)
    end
    check.near(pose["tail.bend"], goal, 1e-4)
  end
  pose["tail.bend"] = 90
  local most = -90
  for _ = 1, 600 do
    spring:update(1 / 60)
    most = math.max(most, pose["tail.bend"])
  end
  check.equal(most, 90)
  pose["tail.bend"] = -20
  spring:jump()
  spring:update(0.1)
  check.equal(pose["tail.bend"], -20)
  spring:update(1e6)
  check.equal(pose["tail.bend"], -20)
end

function tests.a_spring_says_what_is_wrong_with_it()
  local pose = tail()
  check.fails("no option 'stiffness'", sinew.spring, pose, { "tail.bend", stiffness = 3 })
  check.fails("`damping` must be a number, 0 or more", sinew.spring, pose,
    { "tail.bend", damping = -1 })
  check.fails("did you mean 'tail.bend'", sinew.spring, pose, { "tail.bent" })
  check.fails("no DOF is given", sinew.spring, pose, {})
  check.fails("a pose and a table", sinew.spring, {}, {})
end

-- --- lines and drawing

function tests.lines_go_from_each_parent_to_its_children()
  local rig = walker(3)
  local pose, seen = rig:pose(), {}
  pose["body.turn"] = 30
  sinew.lines(pose, function(x1, y1, z1, x2, y2, z2, name)
    local segment = rig:find(name)
    check.near_all({ x1, y1, z1 }, pose:world(segment.parent):position(), 0)
    check.near_all({ x2, y2, z2 }, pose:world(segment):position(), 0)
    seen[#seen + 1] = name
  end)
  check.equal(#seen, 9)
  rig:segment("late", { parent = "body", at = { 0, 1, 0 } })
  local count = 0
  sinew.lines(pose, function() count = count + 1 end)
  check.equal(count, 9)
  check.fails("a pose and a function", sinew.lines, rig, print)
end

-- LÖVE's functions that are used, counting what is drawn
local function with_love(call)
  local counts = { polygon = 0, line = 0, circle = 0, color = nil }
  local graphics = { getWidth = function() return 800 end, getHeight = function() return 600 end,
    getDimensions = function() return 800, 600 end, setLineWidth = function() end,
    setColor = function(r) counts.color = r end,
    polygon = function() counts.polygon = counts.polygon + 1 end,
    circle = function() counts.circle = counts.circle + 1 end,
    line = function() counts.line = counts.line + 1
      counts[counts.color] = (counts[counts.color] or 0) + 1 end }
  local before = rawget(_G, "love")
  rawset(_G, "love", { graphics = graphics })
  local ok, problem = pcall(call, require "sinew.love", counts)
  rawset(_G, "love", before)
  if not ok then error(problem, 0) end
end

function tests.love_draws_bones_and_limits()
  with_love(function(view, counts)
    local rig = walker(6)
    local pose = rig:pose()
    view.draw(pose)
    check.equal(counts.polygon, 2 * 18) -- filled, and its outline
    check.equal(counts.line, 2 * 19) -- an arc and a hand for each hinge
    check.equal(counts[0.8], nil)
    pose["leg3.bend"] = 0
    view.draw(pose)
    check.equal(counts[0.8], 2) -- held
    counts.line = 0
    view.draw(pose, view.camera { limits = false, shadow = 0 })
    check.equal(counts.line, 18)
    check.fails("no option 'zoom'", view.camera, { zoom = 3 })
  end)
end

function tests.love_draws_reach_cones()
  with_love(function(view, counts)
    local rig = sinew.rig "cone"
    local set = rig:joint_set "hip"
    local flexion = set:dof("flexion", { min = -90, max = 90 })
    local femur = set:segment("femur", { at = { 0, 1, 0 } })
    set:segment("tibia", { parent = femur, at = { 0, -0.4, 0 } })
    local swing = set:rotation { flexion, axis = { 1, 0, 0 } }
    femur:drive(set:cone { swing = swing, rest = { 0, -1, 0 }, ellipse = { 30 },
      right = { 1, 0, 0 } }.transform)
    local pose = rig:pose()
    view.draw(pose)
    check.equal(counts.line, 1)
    check.equal(counts[0.8], nil)
    pose["hip.flexion"] = 80
    view.draw(pose)
    check.equal(counts[0.8], 1)
  end)
end

function tests.a_camera_finds_the_ground_below_a_pixel()
  with_love(function(view)
    local random = check.random(5)
    for _ = 1, 200 do
      local camera = view.camera { scale = random(50, 200), turn = random(-180, 180),
        tilt = random(5, 90), at = { random(-1, 1), random(-1, 1), random(-1, 1) } }
      local x, y, z = random(-3, 3), random(-1, 1), random(-3, 3)
      local left, top = camera:project(x, y, z)
      check.near_all({ camera:ground(left, top, y) }, { x, z }, 1e-6)
    end
    local flat = view.camera()
    check.fails("does not look down", flat.ground, flat, 1, 1)
    -- from the front: x to the right, y up, the nearer z on top
    check.near_all({ flat:project(1, 2, 3) }, { 500, 100, 3 }, 1e-9)
  end)
end

-- --- garbage

function tests.nothing_here_leaves_garbage()
  local rig, _, legs = walker(6, { 0.1, 0.4, 0.5 })
  local pose, other = rig:pose(), rig:pose()
  local walk = sinew.gait(pose, legs, { stride = 0.25 })
  local spring = sinew.spring(other, { "leg1.yaw", "leg2.lift" })
  check.no_garbage(function(i)
    walk:toward(3 * math.sin(i / 100), 3 * math.cos(i / 170), 1 / 60)
  end)
  check.no_garbage(function(i)
    other["leg1.yaw"] = i % 40
    spring:update(1 / 60)
  end)
  local target = sinew.vec3(0.5, 0, 0.3)
  check.no_garbage(function() legs[1]:reach(other, target) end)
  check.no_garbage(function(i) other:blend(pose, i % 10 / 10) end)
  check.no_garbage(function() other:carry(pose) end)
  local total = 0
  local function add(x1, y1) total = total + x1 + y1 end
  check.no_garbage(function() sinew.lines(pose, add) end)
  with_love(function(view)
    local camera = view.camera { tilt = 30, shadow = 0 }
    check.no_garbage(function() view.draw(pose, camera) end)
  end)
end

local check, tests = ...
local sinew = require "sinew"
local sample = require "sample"
local rigs = require "rigs"

-- all DOFs of `count` characters, each up to `beyond` of its range's width outside the range
local function random_dofs(rig, count, random, beyond)
  local values, n = sinew.buffer(count * #rig.dofs), 0
  for _ = 1, count do
    for _, dof in ipairs(rig.dofs) do
      local low, high = math.max(dof.min, -180), math.min(dof.max, 180)
      local margin = (beyond or 0) * (high - low)
      n = n + 1
      values[n] = random(low - margin, high + margin)
    end
  end
  return values
end

-- compares every number of a crowd with a pose for each character
local function equals_poses(rig, count, random, options)
  local crowd, pose = rig:crowd(count, options), rig:pose()
  local dofs, numbers = #rig.dofs, 16 * #rig.segments
  local worlds = sinew.buffer(count * numbers)
  for round = 1, 3 do
    local values = random_dofs(rig, count, random, round == 3 and 0.1 or 0)
    local inside = crowd:pose(values, worlds)
    check.near_all(crowd:worlds(), worlds, 0)
    local held, all_inside = crowd:dofs(sinew.buffer(#values)), true
    for c = 1, count do
      all_inside = pose:set(values:copy((c - 1) * dofs + 1, c * dofs)) and all_inside
      check.near_all(held:copy((c - 1) * dofs + 1, c * dofs), pose:dofs(), 0)
      check.near_all(worlds:copy((c - 1) * numbers + 1, c * numbers), pose:worlds())
    end
    check.equal(inside, all_inside)
    check.equal(crowd:set(values), inside)
  end
end

function tests.equals_poses_one_by_one_for_every_rig()
  local random = check.random(11)
  for i, name in ipairs { "human", "knee", "spine", "shoulder", "reach", "field", "creature",
    "shoulder_scripted" } do
    equals_poses(rigs.open(name), ({ 9, 7, 4, 1, 3, 5, 2, 6 })[i], random)
  end
  equals_poses(rigs.open "human", 5, random, { threads = 2, lanes = 4 })
end

function tests.equals_poses_with_a_scripted_component()
  local Wave = sinew.component { name = "wave", inputs = { "x", "v: vector" },
    outputs = { "m: matrix" }, params = { k = 2 },
    eval = function(self, x, v)
      return sinew.mat4.translation(v.x * math.sin(x), self.k * x, v.z)
    end }
  local s = sample.scripted(Wave, { [2] = { 1, 2, 3 } })
  s.rig:segment "bone":drive(s.component)
  local random = check.random(12)
  for count = 1, 9 do equals_poses(s.rig, count, random, { threads = count % 2 + 1 }) end
end

function tests.does_not_depend_on_threads_and_neighbours()
  local rig = rigs.open "human"
  local count = 37
  local one, two = rig:crowd(count), rig:crowd(count, { threads = 2 })
  local values = random_dofs(rig, count, check.random(13), 0.05)
  local first = sinew.buffer(count * 16 * #rig.segments)
  local second = first:copy()
  for _ = 1, 5 do
    one:pose(values, first)
    two:pose(values, second)
    check.that(first:string() == second:string())
  end
end

function tests.accepts_empty_rigs()
  local rig = sinew.rig "empty"
  local crowd, none = rig:crowd(3), sinew.buffer(0)
  check.equal(crowd:set {}, true)
  check.equal(crowd:pose(none, none), true)
  check.equal(#crowd:worlds(), 0)
  check.equal(#crowd:dofs(), 0)
  rig = sinew.rig "still"
  rig:segment("bone", { at = { 1, 2, 3 } })
  local worlds = rig:crowd(2):worlds()
  check.near_all({ worlds[13], worlds[30], worlds[31], worlds[32] }, { 1, 2, 3, 1 })
end

function tests.poses_every_character_as_a_pose_would()
  local rig = sample.chain(4)
  local crowd, pose = rig:crowd(3), rig:pose()
  check.equal(#crowd, 3)
  check.equal(tostring(crowd), "crowd of 3 poses of rig 'chain'")
  local values = {}
  for i = 1, 12 do values[i] = 5 * i end
  for _, given in ipairs { values, sinew.buffer(values) } do
    check.equal(crowd:reset(), crowd)
    check.equal(crowd:set(given), true)
    check.near_all(crowd:dofs(), values)
    check.equal(crowd:eval(), crowd)
    local worlds = crowd:worlds()
    check.equal(#worlds, 3 * 4 * 16)
    for c = 0, 2 do
      pose:set { values[4 * c + 1], values[4 * c + 2], values[4 * c + 3], values[4 * c + 4] }
      local expected = pose:worlds()
      for i = 1, 64 do check.near(worlds[64 * c + i], expected[i]) end
    end
  end
  local buffer = sinew.buffer(192)
  check.writes(buffer, crowd:worlds(buffer), crowd:worlds())
  local reused = {}
  check.that(rawequal(crowd:worlds(reused), reused))
  local dofs = sinew.buffer(12)
  check.near_all(crowd:dofs(dofs), values)
  crowd:reset()
  check.near_all(crowd:dofs(), sinew.buffer(12))
end

function tests.reports_values_clamped_to_a_range()
  local crowd = sample.chain(2):crowd(2)
  check.equal(crowd:set { 1, 2, 3, 91 }, false)
  check.near_all(crowd:dofs(), { 1, 2, 3, 90 })
  check.equal(crowd:set(sinew.buffer { 1, 2, -91, 4 }), false)
  check.near_all(crowd:dofs(), { 1, 2, -90, 4 })
end

function tests.sets_all_or_none()
  local crowd = sample.chain(2):crowd(2)
  crowd:set { 1, 2, 3, 4 }
  check.fails("character 2: DOF 'j1.q': ", crowd.set, crowd, { 5, 6, 0 / 0, 8 })
  check.fails("character 2: DOF 'j2.q': ", crowd.set, crowd, sinew.buffer { 5, 6, 7, 1 / 0 })
  check.fails("character 1: DOF 'j2.q': number expected, got string", crowd.set, crowd,
    { 5, "6", 7, 8 })
  check.fails("3 values for 2 characters of 2 DOFs", crowd.set, crowd, { 1, 2, 3 })
  check.fails("5 values for 2 characters of 2 DOFs", crowd.set, crowd, sinew.buffer(5))
  check.near_all(crowd:dofs(), { 1, 2, 3, 4 })
end

function tests.reports_mistakes()
  local rig = sample.chain(2)
  for _, wrong in ipairs { 0, -1, 1.5, 1e9, "x", {}, 0 / 0 } do
    check.fails("number", rig.crowd, rig, wrong)
  end
  local crowd = rig:crowd(2)
  check.fails("table or buffer expected, got number", crowd.set, crowd, 5)
  check.fails("table or buffer expected, got string", crowd.worlds, crowd, "x")
  check.fails("the buffer holds 63 numbers, 64 are needed", crowd.worlds, crowd, sinew.buffer(63))
  check.fails("crowd has no field 'wolrds' (did you mean 'worlds'?)",
    function() crowd:wolrds() end)
  check.fails("crowd expected, got no value; a method is called with ':', not '.'", crowd.eval)
  crowd:close()
  crowd:close()
  check.equal(tostring(crowd), "crowd (closed)")
  check.fails("the crowd was closed", crowd.eval, crowd)
  check.fails("the crowd was closed", crowd.pose, crowd, {}, sinew.buffer(64))
  check.fails("the crowd was closed", function() return #crowd end)
  check.fails("the crowd was closed", function() return crowd.lanes end)
end

function tests.poses_into_a_buffer()
  local rig = sample.chain(2)
  local crowd, worlds = rig:crowd(2), sinew.buffer(66)
  worlds[65], worlds[66] = 7, 8
  check.equal(crowd:pose(sinew.buffer { 1, 2, 3, 4 }, worlds), true)
  check.near_all(crowd:dofs(), { 1, 2, 3, 4 })
  check.near_all(worlds, crowd:worlds(), 0)
  check.equal(worlds[65] + worlds[66], 15) -- elements after them are unchanged
  check.equal(crowd:pose({ 1, 2, 3, 91 }, worlds), false)
  check.near_all(crowd:dofs(), { 1, 2, 3, 90 })
  check.near_all(crowd:worlds(), worlds:copy(1, 64), 0)
  -- in a coroutine
  worlds = sinew.buffer(64)
  coroutine.wrap(function() crowd:pose({ 9, 8, 7, 6 }, worlds) end)()
  check.near_all(crowd:dofs(), { 9, 8, 7, 6 })
  check.near_all(worlds, crowd:worlds(), 0)
end

function tests.poses_from_a_buffer_into_itself()
  local rig = sinew.rig "square"
  local bone = rig:segment "bone"
  local dofs = {}
  for i = 1, 16 do dofs[i] = rig:dof("d" .. i) end
  bone:drive(rig:translation { dofs[1], dofs[2], dofs[16] })
  local crowd, both = rig:crowd(3), sinew.buffer(48)
  for i = 1, 48 do both[i] = i end
  crowd:pose(both, both)
  for c = 0, 2 do
    check.near_all(both:copy(16 * c + 13, 16 * c + 16), { 16 * c + 1, 16 * c + 2, 16 * c + 16, 1 })
  end
  check.equal(crowd:dofs()[48], 48)
end

function tests.poses_all_or_none()
  local crowd, worlds = sample.chain(2):crowd(2), sinew.buffer(64)
  crowd:set { 1, 2, 3, 4 }
  local five = { 5, 6, 7, 8 }
  local function fails(part, ...) check.fails(part, crowd.pose, crowd, ...) end
  fails("character 2: DOF 'j1.q': ", { 5, 6, 0 / 0, 8 }, worlds)
  fails("character 2: DOF 'j2.q': ", sinew.buffer { 5, 6, 7, 1 / 0 }, worlds)
  fails("character 1: DOF 'j1.q': ", sinew.buffer { -1 / 0, 6, 7, 8 }, worlds)
  fails("character 1: DOF 'j2.q': number expected, got string", { 5, "6", 7, 8 }, worlds)
  fails("3 values for 2 characters of 2 DOFs", { 1, 2, 3 }, worlds)
  fails("64 values for 2 characters of 2 DOFs", worlds, worlds)
  fails("the buffer holds 63 numbers, 64 are needed", five, sinew.buffer(63))
  fails("buffer expected, got table", five, {})
  fails("buffer expected, got no", five)
  fails("table or buffer expected, got number", 5, worlds)
  check.near_all(crowd:dofs(), { 1, 2, 3, 4 })
  check.near_all(worlds, sinew.buffer(64), 0)
end

function tests.finds_infinite_values_anywhere()
  for dofs = 1, 9 do
    local crowd, worlds = sample.chain(dofs):crowd(3), sinew.buffer(3 * 16 * dofs)
    for at = 1, 3 * dofs do
      for _, wrong in ipairs { 1 / 0, -1 / 0, 0 / 0 } do
        local values = sinew.buffer(3 * dofs)
        values[at] = wrong
        local who = ("character %d: DOF 'j%d.q': "):format(math.floor((at - 1) / dofs) + 1,
          (at - 1) % dofs + 1)
        check.fails(who, crowd.set, crowd, values)
        check.fails(who, crowd.pose, crowd, values, worlds)
      end
      local values = sinew.buffer(3 * dofs)
      values[at] = at % 2 == 0 and 90.5 or -90.5
      check.equal(crowd:set(values), false)
      values[at] = 90
      check.equal(crowd:set(values), true)
    end
  end
end

function tests.accepts_threads_and_lanes()
  local rig = sample.chain(2)
  local crowd = rig:crowd(2, { threads = 2, lanes = 4 })
  check.has(crowd, { threads = 2, lanes = 4 })
  check.that(crowd.instructions == "SSE2" or crowd.instructions == "NEON", crowd.instructions)
  for _, plain in ipairs { rig:crowd(2), rig:crowd(2, {}), rig:crowd(2, nil) } do
    check.equal(plain.threads, 1)
    check.that(plain.lanes == 4 or plain.lanes == 8)
  end
  -- not every machine has eight
  local ok, eight = pcall(rig.crowd, rig, 2, { lanes = 8 })
  if ok then check.equal(eight.lanes, 8) else check.that(eight:find "lanes", eight) end
  check.fails("'threads'", function() crowd.threads = 3 end)
end

function tests.names_a_wrong_option()
  local rig = sample.chain(2)
  local function fails(part, options)
    check.fails("rig:crowd: " .. part, rig.crowd, rig, 2, options)
  end
  for _, wrong in ipairs { 0, -1, 257, 1.5, 0 / 0, 1 / 0 } do
    fails("'threads' must be a whole number from 1 to 256", { threads = wrong })
  end
  for _, wrong in ipairs { 0, 1, 5, 16, -4, 4.5, 0 / 0 } do
    fails("'lanes' must be 4 or 8", { lanes = wrong })
  end
  fails("'threads' must be a number, not string", { threads = "2" })
  fails("'lanes' must be a number, not boolean", { lanes = true })
  fails("options must be given by name", { 2 })
  check.fails("rig:crowd has no option 'thread' (did you mean 'threads'?)", rig.crowd, rig, 2,
    { thread = 2 })
  check.fails("table expected, got number", rig.crowd, rig, 2, 2)
  local large = sample.chain(17)
  check.fails("1048576 characters with 17 segments and 17 DOFs do not fit into a buffer",
    large.crowd, large, 2 ^ 20)
end

-- three characters with a scripted component that fails for negative values
local function failing()
  local s = sample.scripted(sample.scalar(function(_, x)
    if x < 0 then error "negative" end
    return x
  end))
  s.rig:segment "bone":drive(s.set:translation { s.component })
  return s.rig:crowd(3)
end

local function places(worlds) return { worlds[13], worlds[29], worlds[45] } end

function tests.reports_the_failing_character_and_moves_the_others()
  local crowd = failing()
  crowd:set { 1, 2, 3 }
  crowd:eval()
  crowd:set { 4, -5, 6 }
  check.fails({ "character 2: ", "component 'set.scalar1'", "negative" }, crowd.eval, crowd)
  check.near_all(places(crowd:worlds()), { 4, 0, 6 })
  check.fails("character 2: ", crowd.eval, crowd)
  crowd:set { 7, 8, 9 }
  check.near_all(places(crowd:worlds()), { 7, 8, 9 })
end

function tests.poses_the_others_when_one_fails()
  local crowd, worlds = failing(), sinew.buffer(48)
  check.equal(crowd:pose({ 1, 2, 3 }, worlds), true)
  check.fails("character 1: ", crowd.pose, crowd, { -4, 5, -6 }, worlds)
  check.near_all(places(worlds), { 0, 5, 0 })
  check.near_all(crowd:dofs(), { -4, 5, -6 })
  -- the error is raised once more when the crowd's matrices are read; then they can be read
  check.fails("character 1: ", crowd.worlds, crowd)
  check.near_all(places(crowd:worlds()), { 0, 5, 0 })
  check.equal(crowd:pose({ 7, 8, 9 }, worlds), true)
  check.near_all(places(worlds), { 7, 8, 9 })
  check.near_all(places(crowd:worlds()), { 7, 8, 9 })
end

function tests.follows_live_changes_of_the_rig()
  local k = sample.knee()
  local crowd, pose, worlds = k.rig:crowd(2), k.rig:pose(), sinew.buffer(64)
  local function same()
    for c = 0, 1 do
      pose["knee.flexion"] = 30 + 20 * c
      check.near_all(worlds:copy(32 * c + 1, 32 * c + 32), pose:worlds())
      check.near_all(crowd:worlds(), worlds, 0)
    end
  end
  crowd:pose({ 30, 50 }, worlds)
  same()
  k.turn.axis = { 0, 1, 0 }
  crowd:worlds(worlds)
  same()
  k.turn.axis = { 0, 0, 1 }
  crowd:pose({ 30, 50 }, worlds)
  same()
  local s = sample.scripted(sample.scalar(function(self, x)
    if self.k < 0 then error "below" end
    return self.k * x
  end, { k = 2 }))
  s.rig:segment "bone":drive(s.set:translation { s.component })
  crowd = s.rig:crowd(3)
  crowd:set { 1, 2, 3 }
  check.near_all(places(crowd:worlds()), { 2, 4, 6 })
  s.component.k = -1
  check.fails("character 1: ", crowd.worlds, crowd)
  check.near_all(places(crowd:worlds()), { 0, 0, 0 })
  s.component.k = 5
  check.near_all(places(crowd:worlds()), { 5, 10, 15 })
end

function tests.cannot_be_changed_by_a_component_that_it_evaluates()
  local worlds, act = sinew.buffer(32), nil
  local s = sample.scripted(sample.scalar(function(_, x)
    act()
    return x
  end, { gain = 1 }))
  s.rig:segment "bone":drive(s.set:translation { s.component })
  local crowd = s.rig:crowd(2)
  for _, wrong in ipairs {
    function() crowd:pose({ 1, 2 }, worlds) end, function() crowd:set { 1, 2 } end,
    function() crowd:reset() end, function() crowd:eval() end, function() crowd:worlds() end,
    function() crowd:close() end } do
    act = wrong
    check.fails({ "character 1: ", "the crowd is being evaluated" }, crowd.pose, crowd, { 3, 4 },
      worlds)
  end
  act = function() s.component.gain = 2 end
  check.fails("'gain' cannot be set while the rig is evaluated", crowd.pose, crowd, { 3, 4 },
    worlds)
  -- another crowd of the same rig, and reading, are allowed
  local other, inner = s.rig:crowd(2), sinew.buffer(32)
  act = function()
    act = function() end
    other:pose({ 8, 9 }, inner)
    check.near_all(crowd:dofs(), { 5, 6 })
    collectgarbage()
  end
  crowd:pose({ 5, 6 }, worlds)
  check.near_all({ worlds[13], worlds[29], inner[13], inner[29] }, { 5, 6, 8, 9 })
  act = function() crowd:pose({ 1, 1 }, worlds) end
  check.fails("", crowd.pose, crowd, { 5, 6 }, worlds)
  act = function() end
  crowd:close()
  check.fails("the crowd was closed", crowd.pose, crowd, { 5, 6 }, worlds)
end

function tests.makes_no_garbage_in_ten_thousand_frames()
  local crowd = sample.chain(3):crowd(10)
  local values, numbers, worlds = sinew.buffer(30), {}, sinew.buffer(480)
  for i = 1, 30 do numbers[i] = i end
  check.no_garbage(function(i)
    values[1 + i % 30] = i % 80
    crowd:set(values)
    crowd:eval()
    crowd:worlds(worlds)
  end)
  check.no_garbage(function(i)
    numbers[1 + i % 30] = i % 80
    crowd:set(numbers)
    crowd:worlds(worlds)
    crowd:dofs(values)
  end)
  check.no_garbage(function(i)
    values[1 + i % 30] = i % 80
    crowd:pose(values, worlds)
    crowd:pose(numbers, worlds)
  end)
  crowd = failing()
  numbers = { 1, 2, 3 }
  check.no_garbage(function(i)
    numbers[1 + i % 3] = i % 80
    crowd:pose(numbers, worlds)
  end)
end

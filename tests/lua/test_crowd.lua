local check = ...
local sinew = require "sinew"
local sample = require "sample"

local tests = {}

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
      for i = 1, 64 do check.equal(worlds[64 * c + i], expected[i]) end
    end
  end
  local buffer = sinew.buffer(192)
  check.that(rawequal(crowd:worlds(buffer), buffer))
  check.near_all(buffer, crowd:worlds(), 0)
  local reused = {}
  check.that(rawequal(crowd:worlds(reused), reused))
  local dofs = sinew.buffer(12)
  check.near_all(crowd:dofs(dofs), values)
  crowd:reset()
  check.near_all(crowd:dofs(), sinew.buffer(12))
end

function tests.says_when_a_range_held_something()
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
  check.fails("character 1: DOF 'j2.q': a number is wanted, not string", crowd.set, crowd,
    { 5, "6", 7, 8 })
  check.fails("3 values are given for 2 characters of 2 DOFs", crowd.set, crowd, { 1, 2, 3 })
  check.fails("5 values are given for 2 characters of 2 DOFs", crowd.set, crowd, sinew.buffer(5))
  check.near_all(crowd:dofs(), { 1, 2, 3, 4 })
end

function tests.says_what_is_wrong()
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
  check.fails("the crowd was closed", function() return #crowd end)
end

function tests.tells_which_character_fails_and_moves_the_others()
  local s = sample.scripted(sample.scalar(function(_, x)
    if x < 0 then error "negative" end
    return x
  end))
  s.rig:segment "bone":drive(s.set:translation { s.component })
  local crowd = s.rig:crowd(3)
  crowd:set { 1, 2, 3 }
  crowd:eval()
  crowd:set { 4, -5, 6 }
  local message = check.fails("character 2: ", crowd.eval, crowd)
  check.that(message:find("component 'set.scalar1'", 1, true), message)
  local worlds = crowd:worlds()
  check.near_all({ worlds[13], worlds[29], worlds[45] }, { 4, 2, 6 })
  crowd:set { 7, 8, 9 }
  worlds = crowd:worlds()
  check.near_all({ worlds[13], worlds[29], worlds[45] }, { 7, 8, 9 })
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
end

return tests

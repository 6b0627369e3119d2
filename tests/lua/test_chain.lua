-- Chains: links are parented to each other, rotate by their share of each DOF, and rest at rest.
local check, tests = ...
local sinew = require "sinew"

local cervical = { { -13.2, 5.5 }, { -7.5, 5.5 }, { -4, 5.5 }, { -4.6, 5.5 }, { -8, 6.5 },
  { -5.5, 6.5 }, { -18.5, 6.5 } }
local names = { "C7", "C6", "C5", "C4", "C3", "C2", "C1" }

local function neck(rig)
  return sinew.chain(rig, "neck", {
    parent = rig:segment("T1", { at = { 0, 1.4, 0 } }), links = names, at = { 0, 0.016, 0.001 },
    turns = {
      { name = "flexion", axis = { 1, 0, 0 }, ranges = cervical },
      { name = "lateral", axis = { 0, 0, 1 }, range = { -33, 30 }, centre = { 0, 0.01, 0 },
        shares = { 0.2, 0.2, 0.1, 0.1, 0.1, 0.1, 0.2 } },
      { name = "axial", axis = { 0, 1, 0 }, range = { -70, 70 } },
    },
  })
end

-- straight lines through (low, a), (0, 0), (high, b)
local function piecewise(x, a, b) return x < 0 and -a * x or b * x end

function tests.rest_at_the_identity()
  local rig = sinew.rig "r"
  neck(rig)
  local pose = rig:pose()
  for i, name in ipairs(names) do
    check.near_all(pose:world(name), sinew.mat4.translation(0, 1.4 + 0.016 * i, 0.001 * i), 1e-6)
  end
end

function tests.rotate_each_link_by_its_own_range()
  local rig = sinew.rig "r"
  local made = neck(rig)
  check.equal(made.tip.name, "C1")
  check.equal(#made.segments, 7)
  check.equal(made.segments[2].parent, "C7")
  local pose, random = rig:pose(), check.random(5)
  for _ = 1, 40 do
    local f, l, a = random(-1, 1), random(-1, 1), random(-1, 1)
    pose["neck.flexion"], pose["neck.lateral"], pose["neck.axial"] = f, l, a
    local shares = { 0.2, 0.2, 0.1, 0.1, 0.1, 0.1, 0.2 }
    local world = sinew.mat4.translation(0, 1.4, 0)
    for i, name in ipairs(names) do
      world = world * sinew.mat4.translation(0, 0.016, 0.001)
        * sinew.mat4.turn({ 1, 0, 0 }, piecewise(f, cervical[i][1], cervical[i][2]))
        * sinew.mat4.turn({ 0, 0, 1 }, piecewise(l, -33 * shares[i], 30 * shares[i]),
          { 0, 0.01, 0 })
        * sinew.mat4.turn({ 0, 1, 0 }, a * 10)
      check.near_all(pose:world(name), world, 1e-5)
    end
  end
end

function tests.make_fingers_with_one_curl_and_a_spread_of_the_first_link()
  local rig = sinew.rig "r"
  local curl = rig:dof("grip", { min = 0, max = 100 })
  local finger = sinew.chain(rig, "index", {
    parent = rig:segment "hand",
    links = {
      { name = "proximal", at = { 0, -0.09, 0 }, ranges = { curl = { 0, 85 } } },
      { name = "middle", at = { 0, -0.045, 0 }, axes = { curl = { 1, 0.1, 0 } } },
      { name = "distal", at = { 0, -0.025, 0 }, centres = { curl = { 0, 0.001, 0 } } },
    },
    turns = {
      { name = "curl", dof = curl, axis = { 1, 0, 0 }, ranges = { nil, { 0, 100 }, { 0, 70 } } },
      { name = "spread", min = -10, max = 10, axis = { 0, 0, 1 },
        ranges = { { -12, 12 }, false, false } },
    },
  })
  check.equal(finger.dofs.curl, curl)
  check.equal(finger.segments[2].driver.component.kind, "rotation")
  local pose = rig:pose()
  pose["grip"], pose["index.spread"] = 50, 5
  local world = sinew.mat4.translation(0, -0.09, 0) * sinew.mat4.turn({ 1, 0, 0 }, 42.5)
    * sinew.mat4.turn({ 0, 0, 1 }, 6) * sinew.mat4.translation(0, -0.045, 0)
    * sinew.mat4.turn({ 1, 0.1, 0 }, 50) * sinew.mat4.translation(0, -0.025, 0)
    * sinew.mat4.turn({ 1, 0, 0 }, 35, { 0, 0.001, 0 })
  check.near_all(pose:world "distal", world, 1e-5)
end

function tests.make_tails_from_a_number()
  local rig = sinew.rig "r"
  local tail = sinew.chain(rig, "tail", { links = 12,
    at = function(i) return { 0, 0, i > 1 and -0.1 / i or 0 } end,
    shape = function(i) return { kind = "mine", number = i } end,
    turns = { { name = "sway", min = -30, max = 30, rest = 10, axis = { 0, 1, 0 },
      range = { -240, 120 } } } })
  check.equal(tail.tip.name, "tail12")
  check.equal(tail.segments[3].shape.number, 3)
  local pose = rig:pose()
  check.near_all(pose:world("tail12"):rotation(), { 0, 0, 0, 1 }, 1e-6)
  pose["tail.sway"] = 30
  check.that(pose:world("tail12"):near(sinew.mat4.from(sinew.quat.axis({ 0, 1, 0 }, 120),
    pose:world("tail12"):position()), 1e-4))
end

function tests.refuse_bad_arguments_with_a_message()
  local rig = sinew.rig "r"
  local function chain(options) return function() sinew.chain(rig, "c", options) end end
  check.fails("sinew.chain: a rig, a name and a table of options are wanted", sinew.chain, rig)
  check.fails("'c' has no field 'link'", chain { link = 3 })
  check.fails("'c': `links` must be a list of links or their number", chain {})
  check.fails("'c': the number of links must be a whole number from 1, not 1.5",
    chain { links = 1.5 })
  check.fails("'c': link 1 must be a name, or a table with one", chain { links = { {} } })
  check.fails("'c': link 'a' has no field 'axis'",
    chain { links = { { name = "a", axis = { 1, 0, 0 } } } })
  check.fails("'c': each of `turns` needs a name", chain { links = 1, turns = { {} } })
  check.fails("'c': turn 't' has no axis for 'c1'",
    chain { links = 1, turns = { { name = "t", range = { -1, 1 } } } })
  check.fails("'c': turn 't' rests at its lowest value, where the angle must be 0, not -10",
    chain { links = 1, turns = { { name = "t", min = 0, axis = { 1, 0, 0 },
      range = { -10, 10 } } } })
  check.fails("'c': turn 't': min 1, rest 0, max -1 are not in order",
    chain { links = 1, turns = { { name = "t", min = 1, max = -1, rest = 0 } } })
  check.fails("the range of link 'c1' must be two numbers or false",
    chain { links = 1, turns = { { name = "t", axis = { 1, 0, 0 }, ranges = { 3 } } } })
  check.fails({ "test_chain.lua:", "must be a whole number from 1, not 0" }, chain { links = 0 })
end

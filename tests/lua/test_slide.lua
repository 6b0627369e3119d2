-- The scapula constraint exists twice: the component in C and a scripted one must agree.
local check, tests = ...
local sinew = require "sinew"
local Slide = require "sinew.slide"

-- the right scapula as [Shao 2003] prints it, in centimetres, on an ellipsoid that suits it
local function paper()
  return {
    radii = { 9, 15, 10 }, centre = { -10, 0, 8 }, axis = { 0.263, -0.912, 0.314 },
    pair1 = { { 8.5, -4, -0.3 }, { 8.7, -2.4, -0.1 } },
    pair2 = { { 8.2, 0, -0.1 }, { 7.5, 2, 0 } },
    pair3 = { { 8, 2, -0.8 }, { 7, 3, -0.6 } },
    lift_range = { -10, 23 }, rotation_range = { 0, 60 },
  }
end

local function with(arguments, frame, lift, rotation)
  local all = { frame, lift, rotation }
  for name, value in pairs(arguments) do all[name] = value end
  return all
end

-- thorax, clavicle and scapula as in Figure 11, with either implementation
local function shoulder(arguments, scripted)
  local rig = sinew.rig "shoulder"
  local clavicle_at, scapula_at = { -2, 3, 4 }, { -14, 1, -6 }
  local thorax = rig:segment "thorax"
  local clavicle = rig:segment("clavicle", { parent = thorax, at = clavicle_at })
  local scapula = rig:segment("scapula", { parent = clavicle, at = scapula_at })
  local elevation = rig:dof("elevation", { min = -10, max = 23 })
  local protraction = rig:dof("protraction", { min = -15, max = 15 })
  local abduction = rig:dof("abduction", { min = 0, max = 180 })
  local clavicle_turn = rig:multiply {
    rig:rotation { elevation, axis = { 0, 0, -1 } },
    rig:rotation { protraction, axis = { 0, 1, 0 } },
  }
  local level = rig:compensate { clavicle_turn, ancestor = clavicle, segment = scapula }
  local rhythm = rig:dependency { abduction, map = sinew.linear { { 0, 0 }, { 180, 60 } } }
  local turn = rig:rotation { rhythm, axis = { 0, 0, -1 } }
  local frame = rig:multiply {
    sinew.mat4.translation(clavicle_at), clavicle_turn,
    sinew.mat4.translation(scapula_at), level, turn,
  }
  local all = with(arguments, frame, elevation, rhythm)
  local glide = scripted and rig:add(Slide(all)) or rig:slide(all)
  clavicle:drive(clavicle_turn)
  scapula:drive(rig:multiply { level, turn, glide.transform })
  return { pose = rig:pose(), glide = glide }
end

local outputs = { "theta", "psi", "contact", "first", "second", "transform" }

-- compares every output, and the position of the scapula
local function agree(one, other, where)
  one.pose:eval()
  other.pose:eval()
  for _, name in ipairs(outputs) do
    local a, b = one.pose:value(one.glide[name]), other.pose:value(other.glide[name])
    local numbers = type(a) == "number" and { a } or { a:unpack() }
    local others = type(b) == "number" and { b } or { b:unpack() }
    for i, number in ipairs(numbers) do
      local apart = math.abs(number - others[i])
      if apart ~= apart or apart > 2e-3 then -- its program runs in floats
        error(("%s: %s is %.9g in C, %.9g in Lua"):format(where, name, number, others[i]), 2)
      end
    end
  end
  check.near_all(other.pose:world "scapula", one.pose:world "scapula", 1e-4)
end

local function grid(arguments, step)
  local one, other = shoulder(arguments, false), shoulder(arguments, true)
  local count, touching = 0, 0
  for elevation = -10, 23, step do
    for protraction = -15, 15, step do
      for abduction = 0, 180, 3 * step do
        for _, rig in ipairs { one, other } do
          rig.pose.elevation = elevation
          rig.pose.protraction = protraction
          rig.pose.abduction = abduction
        end
        agree(one, other, ("at %g %g %g"):format(elevation, protraction, abduction))
        count = count + 1
        touching = touching + one.pose:value(one.glide.contact)
      end
    end
  end
  return count, touching
end

function tests.is_the_same_in_c_and_lua_over_the_shoulder()
  local count, touching = grid(paper(), 3)
  check.equal(count, 12 * 11 * 21)
  check.equal(touching, count)
end

function tests.is_the_same_out_of_reach()
  local arguments = paper()
  arguments.radii = { 4, 6, 3 }
  local count, touching = grid(arguments, 5)
  check.that(touching < count / 2, "this should miss mostly")
end

function tests.is_the_same_in_narrow_and_wide_windows()
  local windows = {
    { window = 3 }, { window = { 4 } }, { window = { -180, 180 } }, { window = { 5, 120 } },
    { window = { -160, -2 } }, { psi_window = { -20, 1 } }, { window = 150, psi_window = 10 },
  }
  for _, window in ipairs(windows) do
    local arguments = paper()
    for name, value in pairs(window) do arguments[name] = value end
    grid(arguments, 11)
  end
end

-- slides of all kinds, one pose each
function tests.is_the_same_on_random_slides()
  -- numbers that fit a float: near a tangency the eighth digit of a parameter matters
  local next_random = check.random(7)
  local function random(low, high)
    return math.floor(next_random(low, high) * 2 ^ 20) / 2 ^ 20
  end
  local function vector(size)
    return { random(-size, size), random(-size, size), random(-size, size) }
  end
  local touching, count = 0, 2000
  for i = 1, count do
    local arguments = {
      radii = { random(0.05, 0.2), random(0.05, 0.2), random(0.05, 0.2) },
      centre = vector(0.1), axis = vector(1),
      orientation = sinew.mat4.turn(vector(1), random(-180, 180)),
      pair1 = { vector(0.15), vector(0.15) },
      pair2 = { sinew.vec3(vector(0.15)), sinew.vec3(vector(0.15)) },
      pair3 = { vector(0.15), vector(0.15) },
    }
    local rig = sinew.rig "slides"
    local frame = sinew.mat4.turn(vector(1), random(-180, 180))
    frame:premul(sinew.mat4.translation(vector(0.1)))
    local lift = rig:dof("lift", { min = 0, max = 1 })
    local rotation = rig:dof("rotation", { min = 0, max = 1 })
    local one = { glide = rig:slide(with(arguments, frame, lift, rotation)) }
    local other = { glide = rig:add(Slide(with(arguments, frame, lift, rotation))) }
    rig:segment "scapula":drive(one.glide.transform)
    one.pose = rig:pose()
    other.pose = one.pose
    one.pose.lift, one.pose.rotation = random(0, 1), random(0, 1)
    agree(one, other, ("slide %d"):format(i))
    touching = touching + one.pose:value(one.glide.contact)
  end
  check.that(touching > count / 5 and touching < count * 4 / 5, "both cases should come up")
end

function tests.does_not_rotate_when_a_point_is_at_the_joint()
  local arguments = paper()
  arguments.pair2 = { { -8.5, 4, 0.3 }, { 7.5, 2, 0 } }
  local one, other = shoulder(arguments, false), shoulder(arguments, true)
  for _, rig in ipairs { one, other } do rig.pose.elevation = 6.5 end
  agree(one, other, "at the joint")
  check.equal(other.pose:value(other.glide.psi), 0)
end

function tests.reports_a_wrong_parameter()
  local arguments = paper()
  arguments.axis = { 0, 0, 0 }
  check.fails("'axis' is zero", function() shoulder(arguments, true).pose:eval() end)
  arguments = paper()
  arguments.radii = { 9, 0, 10 }
  check.fails("radius 2 is 0", function() shoulder(arguments, true).pose:eval() end)
end

function tests.keeps_no_state_and_makes_no_garbage()
  sinew.check_purity(true)
  local rig = shoulder(paper(), true)
  rig.pose.elevation = 12
  rig.pose:eval()
  sinew.check_purity(false)
  rig = shoulder(paper(), true)
  check.no_garbage(function(i)
    rig.pose.elevation = i % 20
    rig.pose:eval()
  end)
end

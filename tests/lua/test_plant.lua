-- Feet that slide are planted.
local sinew = require "sinew"
local plant = require "sinew.plant"
local _, tests = ...

-- the body glides forward without moving its legs, then stands
local function glide()
  local clip = sinew.clip()
  clip.fps = 10
  clip:set("body.z", 0, 0, "linear"):set("body.z", .5, .15, "linear"):set("body.z", 1, .15)
  return clip
end

function tests.feet_that_slide_stay_where_they_stand()
  local rig = assert(sinew.load "rigs/human.lua")
  local planted, report = plant(rig, glide())
  assert(report.stands == 2, report.stands)
  assert(report.slide[1] > .05 and report.slide[2] < .002, report.slide[2])
  assert(planted.duration == 1 and #planted.channels == #rig.dofs)
end

function tests.a_body_with_the_legs_of_the_clip_goes_as_far()
  local rig = assert(sinew.load "rigs/human.lua")
  local planted = plant(rig, glide(), { from = rig, speed = 0 })
  assert(math.abs(planted:sample("body.z", 1) - .15) < .01)
end

function tests.feet_that_are_not_there_are_named()
  local rig = assert(sinew.load "rigs/human.lua")
  local ok, problem = pcall(plant, rig, sinew.clip(), { feet = { { "hoof" } } })
  assert(not ok and problem:find("no segment 'hoof'", 1, true), problem)
end

-- a long step forward over a left foot that stands, the right one in the air
local function stride()
  local clip = sinew.clip()
  clip.fps = 30
  clip:set("body.z", 0, 0, "linear"):set("body.z", 1, .5)
  clip:set("left_hip.flexion", 0, 25, "linear"):set("left_hip.flexion", 1, -10)
  clip:set("right_hip.flexion", 0, -10, "linear"):set("right_hip.flexion", 1, 40)
  clip:set("right_knee.flexion", 0, 10, "linear"):set("right_knee.flexion", .5, 70, "linear")
  clip:set("right_knee.flexion", 1, 10)
  return clip
end

function tests.a_body_is_moved_over_its_feet_and_not_turned()
  local rig = assert(sinew.load "rigs/human.lua")
  local planted, report = plant(rig, stride(), { speed = 1 })
  assert(report.slide[1] > .03 and report.slide[2] < .01, report.slide[2])
  local pose, before = rig:pose(), nil
  for k = 0, 30 do
    planted:apply(pose, k / 30)
    for _, name in ipairs { "body.lean", "body.tilt", "body.turn" } do
      assert(math.abs(pose[name]) < 1e-3, name)
    end
    local at = pose:position "skull"
    assert(not before or (at - before):length() < .04, "the body jumps")
    before = at
  end
end

function tests.a_foot_that_turns_about_its_heel_goes_on_standing()
  local rig = assert(sinew.load "rigs/human.lua")
  local clip = sinew.clip()
  clip.fps = 30
  clip:set("left_ankle.flexion", 0, 10, "linear"):set("left_ankle.flexion", .2, 10, "linear")
  clip:set("left_ankle.flexion", .3, -25, "linear"):set("left_ankle.flexion", .6, -25)
  local _, report = plant(rig, clip)
  assert(report.stands == 2, report.stands)
end

function tests.feet_in_the_air_are_left_alone()
  local rig = assert(sinew.load "rigs/human.lua")
  local clip = sinew.clip()
  clip:set("body.y", 0, .4, "linear"):set("body.y", .5, .42)
  local planted, report = plant(rig, clip)
  assert(report.stands == 0, report.stands)
  assert(math.abs(planted:sample("body.y", .5) - .42) < 1e-3)
end

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

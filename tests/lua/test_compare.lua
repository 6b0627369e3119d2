-- The comparison of limits: the arm's angles against its own rig, limits that pass the motion they
-- were made from, and the order of the kinds.
local check, tests = ...
local sinew = require "sinew"
require "rigs"
package.path = (arg[0]:match("^(.*)[/\\]") or ".") .. "/../../rigs/tools/?.lua;" .. package.path
local compare = require "compare_arm"
local plot = require "compare_plot"

local motion = compare.made_up()

local function learn(kind)
  local path = os.tmpname()
  local limits = compare.learn(kind, motion.frames, path)
  os.remove(path)
  return limits
end

local function put(pose, angles)
  for i, name in ipairs { "flexion", "abduction", "twist", "bend" } do
    pose["arm." .. name] = angles[i]
  end
end

function tests.angles_from_elbow_and_hand_give_the_same_arm()
  local pose = compare.rig(motion, learn "none"):pose()
  for i = 1, 60 do
    local wanted = { -170 + 5.6 * i, 80 * sinew.sin(37 * i), 170 * sinew.sin(53 * i), 5 + 2 * i }
    put(pose, wanted)
    local elbow, hand = pose:world("forearm"):position(), pose:world("hand"):position()
    local found = compare.angles_of(elbow, hand)
    for k = 1, 4 do
      local off = (found[k] - wanted[k] + 180) % 360 - 180
      check.near(off, 0, 0.05)
    end
  end
end

function tests.each_limit_passes_the_motion_it_was_made_from()
  for _, kind in ipairs(compare.kinds) do
    local pose = compare.rig(motion, learn(kind)):pose()
    local worst = 0
    for i = 1, #motion.frames, 3 do
      local frame = motion.frames[i]
      put(pose, frame.angles)
      worst = math.max(worst, pose:world("hand"):position():distance(frame.hand))
    end
    -- the boundary of a cone is up to two degrees off
    check.that(worst < (kind == "cone" and 0.04 or 0.003), kind .. " holds the motion by " .. worst)
  end
end

function tests.a_sampled_field_is_tighter_than_a_box_and_repeatable()
  local function rms(kind)
    local sum = 0
    local found = compare.follow(motion, learn(kind), motion.frames)
    for _, off in ipairs(found.elbow) do sum = sum + off * off end
    return math.sqrt(sum / #found.elbow)
  end
  local box, field = rms "box", rms "field, sampled"
  check.that(field < 0.6 * box, ("%g m and %g m"):format(field, box))
  check.equal(rms "field, sampled", field)
end

function tests.the_plot_has_a_curve_for_each_kind()
  local text = plot("title", { { name = "box", values = { 0, 1, 2 } },
    { name = "cone", values = { 2, 1, 0 } } }, 30, "cm")
  local _, count = text:gsub("<polyline", "")
  check.equal(count, 2)
  check.that(text:find("points=\"60.0,370.0 470.0,205.0 880.0,40.0\"", 1, true), text)
end

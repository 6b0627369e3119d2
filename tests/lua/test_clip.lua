-- Clips in Lua: keyframes are set, read, sampled, applied, stored as text and files, and baked.
local check, tests = ...
local sinew = require "sinew"
local rigs = require "rigs"

local function elbow()
  local rig = sinew.rig "arm"
  local upper = rig:segment("upper", { at = { 0, 1, 0 } })
  local fore = rig:segment("fore", { parent = upper, at = { 0, -0.3, 0 } })
  local set = rig:joint_set "elbow"
  fore:drive(set:rotation { set:dof("flexion", { min = 0, max = 140 }), axis = { 1, 0, 0 } })
  return rig
end

function tests.keyframes_are_set_read_and_removed()
  local clip = sinew.clip()
  check.equal(clip:set("elbow.flexion", 1, 90):set("elbow.flexion", 0, 10, "linear"), clip)
  clip:set("a", 2, 5, "hold")
  check.equal(table.concat(clip.channels, " "), "a elbow.flexion")
  check.equal(clip.duration, 2)
  local keys = clip:keys "elbow.flexion"
  check.equal(#keys, 2)
  check.has(keys, { { time = 0, value = 10, way = "linear" }, { way = "smooth" } })
  check.equal(clip:sample("elbow.flexion", 0.5), 50)
  check.equal(clip:sample("none", 0), nil)
  check.equal(clip:keys "none", nil)
  check.equal(clip:remove("elbow.flexion", 0.5), false)
  check.equal(clip:remove("elbow.flexion", 0), true)
  check.equal(clip:remove "a", true)
  check.equal(clip:remove "a", false)
  check.equal(clip.duration, 1)
  clip.fps, clip.loop = 24, true
  local copy = clip:copy()
  clip:set("late", 7, 0)
  check.has(copy, { fps = 24, loop = true, duration = 1 })
end

function tests.mistakes_are_reported()
  local clip = sinew.clip()
  check.fails("unknown interpolation 'fast'", clip.set, clip, "a", 0, 0, "fast")
  check.fails("the time -1 is not from 0", clip.set, clip, "a", -1, 0)
  check.fails("fps is 0, must be above 0", function() clip.fps = 0 end)
  check.fails("walk:1:1: a clip must be an object", sinew.clip, "[]", "walk")
  check.fails("the clip was closed", function()
    clip:close()
    clip:set("a", 0, 0)
  end)
  check.equal(tostring(clip), "clip (closed)")
  check.returns_error("no/such/clip.json: cannot open", sinew.load_clip, "no/such/clip.json")
end

function tests.a_clip_moves_a_pose()
  local pose = elbow():pose()
  local clip = sinew.clip():set("elbow.flexion", 0, 0, "linear"):set("elbow.flexion", 2, 80)
  check.equal(clip:apply(pose, 0.5), 0)
  check.near(pose["elbow.flexion"], 20)
  clip:set("elbow.flexoin", 0, 1)
  local unknown, which = clip:apply(pose, 1)
  check.equal(unknown, 1)
  check.that(which:find("did you mean 'elbow.flexion'?", 1, true))
  check.fails("pose expected, got number", clip.apply, clip, 3, 0)
end

function tests.texts_and_files_round_trip()
  local clip = sinew.clip():set("x", 0.1, 1 / 3):set("x", 2, 5, "hold")
  check.equal(sinew.clip(clip:text()):text(), clip:text())
  check.with_file(nil, function(path)
    check.equal(clip:save(path), true)
    check.equal(assert(sinew.load_clip(path)):text(), clip:text())
  end)
  check.returns_error("cannot write", clip.save, clip, "no/such/folder/clip.json")
  local curves = sinew.clip("time,a\n0,1\n0.5,2\n", "a.csv")
  check.equal(curves:sample("a", 0.25), 1.5)
end

function tests.baking_returns_curves_and_bvh()
  local rig = elbow()
  local clip = sinew.clip():set("elbow.flexion", 0, 0, "linear"):set("elbow.flexion", 1, 90)
  local curves = sinew.clip(sinew.bake(rig, clip, { format = "csv", fps = 10 }), "c.csv")
  check.equal(#curves:keys "elbow.flexion", 11)
  check.near(curves:sample("elbow.flexion", 0.5), 45, 1e-4)
  check.fails("'format' must be 'bvh' or 'csv'", sinew.bake, rig, clip, { format = "fbx" })
  check.fails("no option 'rate'", sinew.bake, rig, clip, { rate = 3 })
end

function tests.a_scripted_component_may_close_the_clip_while_it_is_baked()
  local clip = sinew.clip():set("d", 0, 0):set("d", 1, 1)
  local Closer = sinew.component { name = "closer", inputs = { "x" }, outputs = { "x" },
    record = false,
    eval = function(_, x)
      clip:close()
      return x
    end }
  local rig = sinew.rig "r"
  rig:segment("s"):drive(rig:translation { x = rig:add(Closer { rig:dof("d", { max = 5 }) }) })
  local motion = sinew.motion(sinew.bake(rig, clip, { fps = 2 }), "r.bvh")
  check.equal(#motion, 3)
  check.near(motion:world(3, "s"):position().x, 1)
end

-- the poses are restored from the file, for every bone of the whole body
function tests.the_human_is_restored_from_bvh()
  local rig = rigs.open "human"
  local random = check.random(5)
  local clip = sinew.clip()
  for _, dof in ipairs(rig.dofs) do
    for frame = 0, 6 do
      clip:set(dof.name, frame / 4, frame == 0 and dof.rest or random(dof.min, dof.max))
    end
  end
  local motion = sinew.motion(sinew.bake(rig, clip, { fps = 8, unit = 0.01 }), "human.bvh",
    { unit = 0.01 })
  check.equal(#motion, 13)
  local pose = rig:pose()
  local worst, turn = 0, 0
  for frame = 1, #motion do
    check.equal(clip:apply(pose, (frame - 1) / 8), 0)
    for _, segment in ipairs(rig.segments) do
      local want, got = pose:world(segment), motion:world(frame, segment.name)
      worst = math.max(worst, want:position():distance(got:position()))
      turn = math.max(turn, want:rotation():angle(got:rotation()))
    end
  end
  check.that(worst < 1e-4, ("a joint is off by %g m"):format(worst))
  check.that(turn < 0.02, ("a joint is off by %g degrees"):format(turn))
end

-- Solvers, crowds, clips and motion.
-- A case: `--- name: the functions that it covers`, see shapes.lua.
local sinew = require "sinew"
local function chain_of(n) -- each bone on the one before
  local rig = sinew.rig "chain"
  local bone = rig:bone "base"
  for i = 1, n do
    bone = bone:bone("b" .. i, { at = {0, 1 / n, 0}, set = "s" .. i,
      hinge = { "turn", -90, 90, axis = i % 2 == 0 and "x" or "z" } })
  end
  bone:bone("tip", { at = {0, 1 / n, 0} })
  return rig
end
local function bvh_of(frames)
  local lines = { [[
HIERARCHY
ROOT arm
{
  OFFSET 0 1 0
  CHANNELS 3 Zrotation Xrotation Yrotation
  End Site
  {
    OFFSET 0 0.5 0
  }
}
MOTION
Frames: ]] .. frames .. "\nFrame Time: 0.04" }
  for i = 1, frames do lines[#lines + 1] = i % 90 .. " 0.5 0.25" end
  return table.concat(lines, "\n") .. "\n"
end
local function clip_of(n)
  local clip = sinew.clip()
  for i = 1, n do clip:set("s" .. i % 5 .. ".turn", i / 10, i % 9) end
  return clip
end
local function follower() -- a character of 12 joints, and the rig that it follows
  local joints = {}
  for i = 0, 11 do joints[i + 1] = ('"j%d":{"segment":"b%d"}'):format(i, i + 1) end
  local rig, character = chain_of(12), sinew.character "model.glb"
  assert(character:bind(rig, '{"file":"model.glb","place":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],'
    .. '"pose":{},"joints":{' .. table.concat(joints, ",") .. "}}"))
  return character, rig
end
--- solver: sinew.solver
local rig = chain_of(100)
rig:compile()
return function()
  for _ = 1, 10 do
    sinew.solver(rig, { goals = { { segment = "tip", target = {0.4, 0.3, 0} } } })
  end
end
--- solve: solver:solve
local rig = chain_of(40)
local solver = sinew.solver(rig, { goals = { { segment = "tip", target = {3, 3, 0} } } })
local pose = rig:pose()
return function() solver:solve(pose, { iterations = 1000 }) end
--- solve_many_dofs: solver:solve
local rig = chain_of(200)
local solver = sinew.solver(rig, { goals = { { segment = "tip", target = {3, 3, 0} } } })
local pose = rig:pose()
return function() solver:solve(pose, { iterations = 6 }) end
--- solve_many_goals: solver:solve
local rig, goals = chain_of(60), {}
for i = 1, 60 do goals[i] = { segment = "b" .. i, target = { math.sin(i), 0.5, math.cos(i) } } end
local solver = sinew.solver(rig, { goals = goals })
local pose = rig:pose()
return function() solver:solve(pose, { iterations = 30 }) end
--- drag: solver:drag solver:press solver:target
local rig = chain_of(40)
local solver = sinew.solver(rig, { goals = { { segment = "tip", target = {3, 3, 0} } } })
local pose = rig:pose()
return function()
  solver:press(pose)
  for i = 1, 30 do
    solver:target(1, { math.sin(i / 10), 0.5, 0 })
    solver:drag(pose)
  end
end
--- solver_error: solver:error solver:goal solver:range solver:stiffness
local rig = chain_of(200)
local solver = sinew.solver(rig, { goals = { { segment = "tip", target = {3, 3, 0} } } })
local pose = rig:pose()
return function()
  for i = 1, 2000 do
    pose.s1.turn = i % 9
    solver:error(1, pose)
  end
end
--- crowd: rig:crowd
local rig = chain_of(100)
rig:compile()
return function() rig:crowd(2000) end
--- crowd_eval: crowd:eval crowd:set crowd:dofs crowd:worlds crowd:reset
local crowd = chain_of(100):crowd(200)
return function() for _ = 1, 50 do crowd:reset() crowd:eval() end end
--- crowd_solve: crowd:solve
local rig = chain_of(20)
local solver = sinew.solver(rig, { goals = { { segment = "tip", target = {0.4, 0.3, 0} } } })
local crowd = rig:crowd(200)
local targets = {}
for i = 1, 200 do targets[i] = { 0.4, 0.01 * i, 0 } end
return function() crowd:solve(solver, { tip = targets }) end
--- clip_set: sinew.clip clip:set clip:remove
return function() for _ = 1, 4 do clip_of(5000) end end
--- clip_read: sinew.clip
local text = clip_of(5000):text()
return function() for _ = 1, 3 do sinew.clip(text) end end
--- clip_of_csv: sinew.clip
local lines = { "time,a,b" }
for i = 1, 10000 do lines[#lines + 1] = i .. ",1.5," .. i end
local text = table.concat(lines, "\n")
return function() for _ = 1, 4 do sinew.clip(text, "a.csv") end end
--- clip_text: clip:text clip:copy clip:keys
local clip = clip_of(5000)
return function() for _ = 1, 20 do clip:text() clip:copy() clip:keys "s1.turn" end end
--- clip_keys: clip:keys
local clip = sinew.clip()
for i = 1, 20000 do clip:set("a.b", i, i) end
return function() clip:keys "a.b" end
--- clip_remove: clip:remove clip:set
local clip = sinew.clip()
for i = 1, 20000 do clip:set("a.b", i, i) end
return function() for i = 1, 500 do clip:set("a.b", i / 2, i) clip:remove("a.b", i / 2) end end
--- clip_of_blanks: sinew.clip
local text = '{"sinew_clip":1,' .. (" "):rep(900000) .. '"fps":30,"channels":{}}'
return function() for _ = 1, 10 do sinew.clip(text) end end
--- clip_apply: clip:apply clip:sample
local clip, pose = clip_of(500), chain_of(50):pose()
return function()
  for i = 1, 20000 do clip:apply(pose, i / 100) clip:sample("s1.turn", i / 100) end
end
--- bake: sinew.bake
local rig, clip = chain_of(50), clip_of(500)
rig:compile()
return function() sinew.bake(rig, clip, { fps = 10 }) end
--- bake_csv: sinew.bake
local rig, clip = chain_of(50), clip_of(500)
rig:compile()
return function() sinew.bake(rig, clip, { fps = 10, format = "csv" }) end
--- motion: sinew.motion
local text = bvh_of(10000)
return function() for _ = 1, 5 do sinew.motion(text, "a.bvh") end end
--- motion_wrong: sinew.motion
local text = ("a"):rep(1000000)
return function() for _ = 1, 20 do pcall(sinew.motion, text, "a.bvh") end end
--- motion_world: motion:world motion:joint
local motion = sinew.motion(bvh_of(1000), "a.bvh")
return function() for i = 1, 20000 do motion:world(i % 1000 + 1, "arm") end end
--- trc: sinew.motion motion:gaps motion:marker
local lines = { "PathFileType\t4\t(X/Y/Z)\ta.trc",
  "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits",
  "100\t100\t10000\t1\tm", "Frame#\tTime\ta\t\t", "\t\tX1\tY1\tZ1", "" }
for i = 1, 10000 do lines[#lines + 1] = i .. "\t" .. i / 100 .. "\t1.5\t2.5\t3.5" end
local text = table.concat(lines, "\n") .. "\n"
return function() for _ = 1, 3 do sinew.motion(text, "a.trc"):gaps() end end
--- crowd_pose: crowd:pose
local crowd = chain_of(100):crowd(200)
local values, worlds = crowd:dofs(), sinew.buffer(16 * #crowd * 102)
return function() for _ = 1, 10 do crowd:pose(values, worlds) end end
--- crowd_dofs: crowd:dofs crowd:worlds crowd:set
local crowd = chain_of(100):crowd(200)
local values, worlds = sinew.buffer(100 * #crowd), sinew.buffer(16 * #crowd * 102)
return function() for _ = 1, 20 do crowd:set(crowd:dofs(values)) crowd:worlds(worlds) end end
--- character: sinew.character
return function() for _ = 1, 10 do sinew.character "model.glb" end end
--- nodes: sinew.nodes
return function() for _ = 1, 50 do sinew.nodes "model.glb" end end
--- character_worlds: character:worlds character:matrices character:bind
local character, rig = follower()
local pose, crowd = rig:pose(), rig:crowd(100)
local worlds, matrices = character:worlds(pose), character:matrices(crowd)
return function()
  for _ = 1, 300 do character:worlds(pose, worlds) character:matrices(crowd, matrices) end
end
--- character_limits: character:limits
local character, rig = follower()
local pose = rig:pose()
return function() character:limits(pose, 5000) end

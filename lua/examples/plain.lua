-- A rig in plain Lua 5.4, without any framework. In the repository, after `./dev build`:
--   LUA_CPATH="build/lua/?.so" LUA_PATH="lua/?.lua;lua/?/init.lua" lua5.4 lua/examples/plain.lua
local sinew = require "sinew"

local path = arg[1] or "lua/examples/rig.lua"
local live, problem = sinew.watch(path)
if not live then
  io.stderr:write(problem, "\n")
  os.exit(1)
end
print(live.rig)

-- every DOF a quarter of the way from rest to its maximum, then all positions in one call
local pose = live.pose
for _, dof in ipairs(live.rig.dofs) do
  pose[dof.name] = dof.rest + 0.25 * (dof.max - dof.rest)
end
local worlds = pose:worlds(sinew.buffer(16 * #live.rig.segments))
for i, segment in ipairs(live.rig.segments) do
  local at = 16 * (i - 1)
  print(("%-24s %10.5f %10.5f %10.5f"):format(segment.name, worlds[at + 13], worlds[at + 14],
    worlds[at + 15]))
end

-- three characters in one call, each farther from rest: DOFs in, every world matrix out
local dofs, crowd = live.rig.dofs, live.rig:crowd(3)
local values, all = sinew.buffer(3 * #dofs), sinew.buffer(3 * #worlds)
for i = 1, #values do
  local dof, character = dofs[(i - 1) % #dofs + 1], math.floor((i - 1) / #dofs)
  values[i] = dof.rest + 0.25 * character * (dof.max - dof.rest)
end
crowd:pose(values, all)
print(("%s: %d numbers"):format(tostring(crowd), #all))

-- what holds the first DOF when it is set beyond its range
local first = live.rig.dofs[1]
if first then
  pose[first.name] = first.max + 10
  for _, hold in ipairs(pose:holds()) do
    print(("%s is held back by %g: %s"):format(hold.name, -hold.amount, hold.by))
  end
end

-- a longer-running program would check now and then whether the script was saved
if live:poll() then print("reloaded") end

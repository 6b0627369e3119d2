-- Prints what tests/e2e/xml_eval.c prints, for a rig in Lua or XML: xml_eval.lua RIG COUNT.
local sinew = require "sinew"

local path, count = arg[1], tonumber(arg[2])
package.path = "rigs/?.lua;" .. package.path
local rig = path:find "%.xml$" and assert(sinew.load_xml(path)) or assert(loadfile(path))()

local seed = 1
local function random_between(low, high)
  seed = seed * 16807 % 2147483647
  if high - low > 1e6 then low, high = -400, 400 end
  return low + (high - low) * (seed / 2147483647)
end

local function print_line(numbers, first, length)
  local words = {}
  for i = 1, length do words[i] = ("%a"):format(numbers[first + i]) end
  print(table.concat(words, " "))
end

local pose, values = rig:pose(), sinew.buffer(count * #rig.dofs)
local floats = 16 * #rig.segments
for k = 0, count - 1 do
  for i, dof in ipairs(rig.dofs) do
    local value = random_between(dof.min, dof.max)
    values[k * #rig.dofs + i] = value
    pose[dof] = value
  end
  if pcall(pose.eval, pose) then print_line(pose:worlds(), 0, floats) else print "failed" end
end
local crowd = rig:crowd(count)
crowd:set(values)
pcall(crowd.eval, crowd)
local worlds = crowd:worlds()
for k = 0, count - 1 do print_line(worlds, k * floats, floats) end

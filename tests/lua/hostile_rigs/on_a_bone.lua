-- Harm done with a rig of one bone that a joint set with one DOF may turn.
-- A case: `--- name (limits): part of the message`, then its script; limits are optional, such as
-- (seconds=1 instructions=1000 memory=1000). `./dev test hostile_rig_NAME` runs one case.
-- Each script starts with the lines before the first case.
local sinew = require "sinew"
local rig = sinew.rig "r"
local bone = rig:segment("bone", { at = {0, 1, 0} })
local set = rig:joint_set "j"
local dof = set:dof("d", { min = -90, max = 90 })
--- buffer_of_a_trillion: whole number from 0 to
sinew.buffer(1e12)
--- buffer_too_large: stopped
sinew.buffer(2e8)
--- buffers_kept: bytes of memory
local t = {}
for i = 1, 1e9 do t[i] = sinew.buffer(100000) end
--- collected_parents: port, or component
rig = nil set = nil collectgarbage() collectgarbage()
print(dof, bone) bone:drive(7)
return bone
--- compile_in_a_loop: stopped
for i = 1, 1e9 do
  rig:segment("s" .. i)
  rig:compile()
end
--- crowd_of_a_billion: whole number from 1 to
rig:crowd(1e9)
--- crowd_of_a_million: bytes of memory
local crowd = rig:crowd(1000000)
return rig, crowd
--- crowd_of_many_threads: threads: 1
error("threads: " .. rig:crowd(1, { threads = 256 }).threads)
--- crowd_posed_for_ever: instructions
bone:drive(set:rotation { dof, axis = {1, 0, 0} })
local crowd = rig:crowd(10000)
local values, worlds = sinew.buffer(10000), sinew.buffer(160000)
while true do pcall(crowd.pose, crowd, values, worlds) end
--- crowd_posed_in_itself: the crowd is being evaluated
local crowd
local values, worlds = sinew.buffer(3), sinew.buffer(48)
local Bad = sinew.component { name = "bad", inputs = { "angle" }, outputs = { "angle" },
  eval = function(self, angle)
    crowd:pose(values, worlds)
    return angle
  end }
bone:drive(set:rotation { set:add(Bad { dof }).angle, axis = {1, 0, 0} })
crowd = rig:crowd(3)
crowd:pose(values, worlds)
--- crowd_swallowed: bytes of memory
while true do pcall(rig.crowd, rig, 1000000) end
--- crowd_with_endless_eval: stopped
local Bad = sinew.component { name = "bad", inputs = { "angle" }, outputs = { "angle" },
  eval = function(self, angle)
    while true do pcall(function() while true do end end) end
  end }
bone:drive(set:rotation { set:add(Bad { dof }).angle, axis = {1, 0, 0} })
local crowd = rig:crowd(10000)
while true do pcall(crowd.pose, crowd, sinew.buffer(10000), sinew.buffer(160000)) end
--- crowds_dropped: stopped
for i = 1, 1e9 do rig:crowd(1000) end
--- crowds_kept: stopped
local t = {}
for i = 1, 1e9 do t[i] = rig:crowd(1000) end
--- crowds_of_threads_kept: stopped
local t = {}
for i = 1, 1e9 do t[i] = rig:crowd(1, { threads = 256 }) end
--- curve_of_a_million: stopped
local points = {}
for i = 1, 300000 do points[i] = { i, i } end
for _ = 1, 1e9 do sinew.spline(points) end
--- error_is_a_pose: not a string
error(rig:pose())
--- eval_in_itself: component 'j.bad1'
local pose
local Bad = sinew.component { name = "bad", inputs = { "angle" }, outputs = { "angle" },
  eval = function(self, angle)
    pose["j.d"] = angle == 1 and 2 or 1
    pose:eval()
    return angle
  end }
bone:drive(set:rotation { set:add(Bad { dof }).angle, axis = {1, 0, 0}, angles = {-90, 90} })
pose = rig:pose()
pose["j.d"] = 3
pose:eval()
return rig
--- handle_of_a_closed_rig: closed
rig:close()
bone:drive(set:rotation { dof, axis = { 1, 0, 0 } })
--- huge_name: xxxx
rig:segment(("x"):rep(1000000))
return rig
--- liar_multiply: multiply
bone:drive(set:multiply(setmetatable({}, {__len = function() return 1 << 60 end, __index = function() return dof end})))
return rig
--- long_chain: stopped
local p = bone
for i = 1, 1e6 do p = rig:segment("s" .. i, { parent = p }) end
return rig
--- many_components: stopped
for i = 1, 1e9 do set:rotation { dof, axis = {1, 0, 0}, angles = {0, 1} } end
--- many_components_swallowed: stopped
while true do pcall(function() while true do set:rotation { dof, axis = {1, 0, 0}, angles = {0, 1} } end end) end
--- many_poses: stopped
local t = {}
for i = 1, 1e9 do t[i] = rig:pose() end
--- many_segments: stopped
for i = 1, 1e9 do rig:segment("s" .. i) end
--- metamethods_of_handles: done
-- nothing of these may crash; the last one raises
local all = { rig, bone, set, dof, rig:pose(), sinew.linear { { 0, 0 }, { 1, 1 } } }
for _, a in ipairs(all) do
  for _, b in ipairs(all) do
    pcall(function() return a + b end)
    pcall(function() return a .. b end)
    pcall(function() return a < b end)
    pcall(function() return a == b end)
    pcall(function() return a(b) end)
    pcall(function() a[b] = b end)
    pcall(function() return #a, -a end)
    tostring(a)
  end
end
for _, a in ipairs(all) do
  for _, name in ipairs { "segment", "dof", "pose", "crowd", "eval", "worlds", "drive", "close", "note" } do
    for _, b in ipairs(all) do pcall(function() return a[name](b, b, b) end) end
  end
end
error "done"
--- metatable_of_rig: attempt to index a boolean
getmetatable(rig).__gc(rig)
return rig
--- method_of_another: segment expected, got rig
bone.drive(rig, dof)
return rig
--- method_with_dot: bad argument
rig.segment("x")
return rig
--- name_is_a_table: string expected, got table
sinew.rig(setmetatable({}, { __tostring = function() while true do end end }))
--- name_with_zero: already a segment
rig:segment("a\0b")
rig:segment("a\0c")
return rig
--- pose_of_a_closed_rig: closed
local pose = rig:pose()
pose:close()
pose:eval()
--- recursion_through_eval: component 'j.own1' (own)
-- a rig in the eval of a rig in the eval of a rig ...
local function nest(deep)
  local inner = sinew.rig("inner" .. deep)
  local joint = inner:joint_set "j"
  local Own = sinew.component {
    name = "own", inputs = { "a" }, outputs = { "a" },
    eval = function() nest(deep + 1) return 0 end,
  }
  inner:segment "s":drive(joint:rotation { joint:add(Own { joint:dof("d", { min = 0, max = 1 }) }),
    axis = { 1, 0, 0 } })
  inner:pose():eval()
end
nest(1)
--- setmetatable_of_rig: table expected, got rig
setmetatable(rig, {})
return rig
--- wire_of_other_rig: another rig
local other = sinew.rig "o"
local s = other:segment "s"
bone:drive(other:joint_set("k"):rotation { dof, axis = {1,0,0}, angles={0,1} })
return rig
--- wrong_parent: 'parent' must be a segment
rig:segment("x", { parent = rig })
return rig
--- wrong_wire: port, or component
bone:drive(rig)
return rig

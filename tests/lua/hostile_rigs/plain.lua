-- Rigs, meshes and other objects of the module in the wrong hands.
-- A case: `--- name (limits): part of the message`, then its script; limits are optional, such as
-- (seconds=1 instructions=1000 memory=1000). `./dev test hostile_rig_NAME` runs one case.
-- Each script starts with the lines before the first case.
local sinew = require "sinew"
--- clobber_module: no function 'rig'
for k in pairs(sinew) do sinew[k] = nil end
return sinew.rig "x"
--- liar_curve: needs at least two points, has 0
return sinew.spline(setmetatable({}, {__len = function() return 1 << 60 end, __index = function(_, i) return {i, i} end}))
--- many_rigs: stopped
local t = {}
for i = 1, 1e9 do t[i] = sinew.rig("r" .. i) end
--- merge_of_a_long_list: stopped
local m, list = sinew.mesh { vertices = {}, triangles = {} }, {}
for i = 1, 200000 do list[i] = m end
while true do sinew.mesh.merge(list) end
--- mesh_doubled: bytes of memory
local rig = sinew.rig "r"
local m = sinew.mesh.ball(8, 4, { 0, 0, 0 }, { 1, 1, 1 })
for _ = 1, 100 do m = sinew.mesh.merge { m, m } end
rig:segment("bone", { shape = { mesh = m } })
return rig
--- mesh_of_a_billion: whole number from 3 to
local rig = sinew.rig "r"
rig:segment("bone", { shape = { mesh = sinew.mesh.ball(1e9, 1e9, { 0, 0, 0 }, { 1, 1, 1 }) } })
return rig
--- mesh_of_no_numbers: item 1 of its shape's 'vertices' is not a number
local rig = sinew.rig "r"
local points = { { 0 / 0, 0, 0 }, { 0, math.huge, 0 }, { 0, 0, -math.huge } }
local sizes = {}
for i = 1, 18 do sizes[i] = 0 / 0 end
rig:segment("bone", { shape = { mesh = sinew.mesh.tube(points, 4, sizes, 9, { 0, 0 / 0, 0 }, 0 / 0) } })
return rig
--- meshes_kept: bytes of memory
local rig = sinew.rig "r"
local kept = {}
for i = 1, 1e6 do kept[i] = sinew.mesh.ball(200, 200, { 0, 0, 0 }, { 1, 1, 1 }) end
rig:segment("bone", { shape = { mesh = kept[1] } })
return rig
--- meshes_without_end: stopped
local m = sinew.mesh.ball(200, 200, { 0, 0, 0 }, { 1, 1, 1 })
while true do
  m = m:mirrored()
  pcall(sinew.mesh.loft, { m.vertices }, m, m)
end
--- name_of_other_bytes: joint set 'a?': its name is not UTF-8
local rig = sinew.rig "r"
rig:joint_set "a\xff"
return rig
--- name_of_two_lines: segment 'a?b': its name has a control character
local rig = sinew.rig "r"
rig:segment "a\nb"
return rig
--- name_that_goes_on: its name is longer than 100 bytes
local rig = sinew.rig "r"
rig:segment(("long"):rep(10000))
return rig
--- name_that_turns: segment 'a?b': its name has a control character
local rig = sinew.rig "r"
rig:segment "a\u{202e}b"
return rig
--- option_not_finite: option 'size': its default is not finite
sinew.options { size = 0 / 0 }
return sinew.rig "r"
--- parameter_not_finite: sinew.component 'k': the default of 'share' is not finite
sinew.component { name = "k", inputs = { "a" }, outputs = { "a" }, params = { share = 1 / 0 },
  eval = function(_, a) return a end }
return sinew.rig "r"
--- parameter_vector_not_finite: sinew.component 'k': the default of 'at' is not finite
sinew.component { name = "k", inputs = { "a" }, outputs = { "a" }, params = { at = { 0, 0 / 0, 0 } },
  eval = function(_, a) return a end }
return sinew.rig "r"
--- returns_module: must return its rig, not table
return require "sinew"
--- returns_number: must return its rig, not number
return 7
--- solver_that_never_ends: took more than
local rig = sinew.rig "endless"
local bone = rig:segment "bone"
bone:drive(rig:rotation { rig:dof("turn", { min = -90, max = 90 }), axis = { 0, 0, 1 } })
local solver = sinew.solver(rig, { goals = {
  { segment = bone, point = { 1, 0, 0 }, target = { -5, 0, 0 } } } })
local pose = rig:pose()
while true do solver:solve(pose, { iterations = 1000000 }) end
--- solvers_without_end: bytes of memory
local rig = sinew.rig "many"
local bone = rig:segment "bone"
bone:drive(rig:rotation { rig:dof("turn", { min = -90, max = 90 }), axis = { 0, 0, 1 } })
local kept = {}
while true do
  kept[#kept + 1] = sinew.solver(rig, { goals = {
    { segment = bone, point = { 1, 0, 0 }, target = { -5, 0, 0 } } } })
end
--- vec_bomb: stopped
local t = {}
for i = 1, 1e9 do t[i] = sinew.vec3(1, 2, 3) end
--- cone_fit_of_many_samples (instructions=10000000): stopped: loading took more than
local samples = {}
for i = 1, 20000 do
  local a, b = 40 * math.sin(i), 40 * math.cos(3 * i)
  samples[i] = { math.sin(math.rad(a)), math.sin(math.rad(b)), 0, 1 }
end
for _ = 1, 1e9 do pcall(sinew.fit_cone, { samples = samples, rest = { 0, 0, 1 } }) end
return sinew.rig "r"
--- field_of_512_cubed: million bytes of memory; it may hold
local axis = { min = -90, max = 90, resolution = 512 }
sinew.field { axes = { axis, axis, axis }, samples = { { 1, 2, 3 } }, memory = 1e12 }
return sinew.rig "r"
--- field_of_long_clips (instructions=3000000): stopped: loading took more than
local axis = { min = 0, max = 0.02, resolution = 64 }
local samples = {}
for i = 1, 1000 do samples[i] = { i % 2 == 0 and 30000 or -30000 } end
sinew.field { axes = { axis }, samples = samples, join = true, depth = 20, memory = 1e12 }
return sinew.rig "r"
--- fields_swallowed (instructions=3000000): stopped
local axis = { min = -90, max = 90, resolution = 64 }
for _ = 1, 1e9 do
  pcall(sinew.field, { axes = { axis, axis, axis }, samples = { { 1, 2, 3 } } })
end
return sinew.rig "r"
--- rotation_of_a_million_angles (instructions=100000000 memory=60000000): million bytes of memory; it may hold
local rig = sinew.rig "r"
local set = rig:joint_set "j"
local dof = set:dof("d", { min = -90, max = 90 })
local angles = {}
for i = 1, 1000000 do angles[i] = i / 1e4 - 50 end
local last = rig:segment "bone0"
for i = 1, 20 do
  last = rig:segment("bone" .. i, { parent = last })
  last:drive(set:rotation { dof, axis = { 1, 0, 0 }, angles = angles })
end
return rig

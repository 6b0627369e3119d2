-- Examples of functions and helpers that belong together: a title, their names and the code.
-- docs/examples.lua says how examples are written.
local sections = {}

local function section(title, names, code)
  sections[#sections + 1] = { title = title, names = names, code = code }
end

section("A rig", "rig version type", [[
local rig = sinew.rig "door"
rig:bone("leaf", { at = {0.5, 0, 0}, set = "door", hinge = { "swing", 0, 120, axis = "y" } })
local pose = rig:pose()
pose.door.swing = 90
print(pose:position "leaf", sinew.type(rig)) --> vec3(0.5, 0, 0) rig
]])

section("Rigs from files", "load options scale skeleton nodes watch character bind bound", [[
-- a script that offers choices, as rigs/human.lua does
sinew.write_file("post.lua", [=[
local sinew = require "sinew"
local options = sinew.options { lamp = true, height = { 2, min = 1, max = 4, doc = "metres" } }
local rig = sinew.rig "post"
local post = rig:bone("post", { set = "post", hinge = { "turn", -90, 90, axis = "y" } })
if options.lamp then post:bone("lamp", { at = {0, options.height, 0} }) end
return rig
]=])
local rig, list = sinew.load("post.lua", { height = 3 })
print(rig:pose():position "lamp", list[1].name, list[1].value) --> vec3(0, 3, 0) height 3
sinew.scale(rig, 0.5)
print(rig:pose():position "lamp") --> vec3(0, 1.5, 0)

local live = assert(sinew.watch "post.lua") -- the same, reloaded when it is saved
live.pose.post.turn = 45
print(live:poll(), live.rig.name) --> false post

-- a skeleton that exists: its bones, and its nodes as data
sinew.write_file("arm.bvh", [=[
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
Frames: 1
Frame Time: 0.04
0 0 0
]=])
local bones = assert(sinew.skeleton "arm.bvh")
bones:find "arm":hinge { "arm.raise", 0, 90, axis = "x" }
print(#bones.segments, sinew.nodes "arm.bvh"[1].name) --> 2 arm

-- a character that follows a rig: three joints by a map; the rig takes their places
sinew.write_file("lamp.gltf", [=[{ "asset": { "version": "2.0" },
  "scenes": [{ "nodes": [0] }], "nodes": [
  { "name": "Foot", "children": [1] },
  { "name": "Neck", "translation": [0, 1, 0], "children": [2] },
  { "name": "Shade", "translation": [0.5, 0, 0] }] }]=])
local lamp = sinew.rig "lamp"
lamp:bone("base"):bone("stem", { at = {0, 0.9, 0}, hinge = { "lamp.bend", -90, 90, axis = "z" } })
  :bone("head", { at = {0.4, 0, 0} })
print(select("#", sinew.bind(lamp, "lamp.gltf"))) --> 3
local bound = assert(sinew.bind(lamp, "lamp.gltf", { xml = "lamp.xml",
  map = { Foot = "base", Neck = "stem", Shade = "head" } }))
print(bound.driven, bound.residual < 1e-5) --> 3 true
assert(lamp:save_xml "lamp.xml")
-- local rig = require "sinew.bound" { rig = "lamp.xml", ... }
sinew.write_file("lamp.lua", bound.script)
local again = assert(sinew.load "lamp.lua")
local pose = again:pose()
pose.lamp.bend = 90
local character = assert(sinew.character("lamp.gltf", again))
print(character:worlds(pose):mat4(3):position():near({0, 1.5, 0}, 1e-4)) --> true
]])

section("Calculating with DOFs", "min max abs clamp mix", [[
local rig = sinew.rig "crane"
local lift, fold = rig:dof("crane.lift", 0, 90), rig:dof("crane.fold", 0, 100)
local jib = rig:bone("jib", { set = "crane",
  hinge = { sinew.mix(lift, 0.5 * fold, 0.25), axis = "x" } })
jib:bone("hook", { at = {0, 0, 2},
  hinge = { sinew.max(-lift, sinew.min(0, sinew.abs(fold) - 90)), axis = "x" } })
jib:bone("lamp", { at = {0, 0, 1}, hinge = { sinew.clamp(lift - fold, -30, 30), axis = "x" } })
print(sinew.clamp(7, 0, 5), sinew.mix(10, 20, 0.5)) --> 5 15.0
]])

section("Moving a bone", "rotate translate", [[
local rig = sinew.rig "drill"
local stroke, spin = rig:dof("drill.stroke", 0, 0.3, { unit = "m" }), rig:dof("drill.spin", 0, 360)
rig:bone("bit", { set = "drill" })
  :drive(sinew.translate(stroke, "-y") * sinew.rotate(spin, "y")) -- the last one acts first
local pose = rig:pose()
pose.drill.stroke = 0.2
print(pose:position "bit") --> vec3(0, -0.200000003, 0)
]])

section("Where other bones are", "relative distance blend", [[
local rig = sinew.rig "ram"
local base = rig:bone("base")
local boom = base:bone("boom", { at = {0, 1, 0}, set = "boom",
  hinge = { "lift", 0, 60, axis = "-x" } })
local length = sinew.distance(base, {0, 0.2, 0.3}, boom, {0, 0, 0.6})
local seen = sinew.relative { of = boom, to = base }
base:bone("half", { at = {0, 1, 0} }):drive(sinew.blend(sinew.mat4(), boom.driver, 0.5))
local pose = rig:pose()
pose.boom.lift = 60
print(("%.3f"):format(pose:value(length)), pose:value(seen):position()) --> 1.320 vec3(0, 1, 0)
]])

section("Curves", "constant linear piecewise spline monotone simm polynomial", [[
local ends = { {0, 0}, {100, 1} }
local points = { {0, 0}, {40, 0.8}, {100, 1} }
local values = {}
for i, curve in ipairs { sinew.constant(0.5), sinew.linear(ends), sinew.piecewise(points),
  sinew.spline(points), sinew.monotone(points), sinew.simm(points),
  sinew.polynomial { 0, 0.02, -0.0001 } } do
  values[i] = ("%.3f"):format(curve(50))
end
print(table.concat(values, " "))
--> 0.500 0.500 0.833 0.910 0.878 0.917 0.750
]])

section("A kind of joint of your own", "component check_purity", [[
sinew.check_purity(true) -- while you try it: every eval runs twice
local Soft = sinew.component { name = "soft", inputs = { "angle" }, outputs = { "angle" },
  params = { limit = 40 }, tangent = "dual",
  eval = function(self, angle) return self.limit * sinew.dual.sin(90 * angle / self.limit) end }
local Screw = sinew.component { name = "screw", inputs = { "angle" },
  outputs = { "frame: matrix" }, params = { pitch = 0.001 },
  build = function(self, owner, angle)
    return owner:multiply { owner:translation { y = angle * self.pitch },
      owner:rotation { angle, axis = {0, 1, 0} } }
  end }
local rig = sinew.rig "bolt"
local set = rig:joint_set "bolt"
local soft = set:add(Soft { set:dof("turn", -40, 40) })
set:segment "bolt":drive(set:add(Screw { soft.angle, pitch = 0.01 }))
local pose = rig:pose()
pose.bolt.turn = 20
print(("%.3f %.4f"):format(pose:value(soft), pose:position "bolt".y)) --> 28.284 0.2828
sinew.check_purity(false)
]])

section("Recorded joints", "join root newton contact", [[
-- an eval is recorded when its rig is compiled, and then runs without Lua
local soft = sinew.join(function(x) if x < 0 then return 0 end return x end)
local Cam = sinew.component { name = "cam", inputs = { "angle" }, outputs = { "lift", "turn" },
  params = { radius = 0.02 }, record = true,
  eval = function(self, angle)
    local lift = sinew.root(function(y)
      return y * y + y * sinew.sin(angle) * self.radius - self.radius * self.radius
    end, 0, 1)
    local c, s = sinew.contact(-0.5, 1, 0, 0, 0, 0, 90) -- cos t = 0.5
    return soft(lift), sinew.atan2(s, c)
  end }
print(Cam.recorded, Cam.refusal) --> true nil
print(("%.3f"):format(sinew.root(function(x) return x * x - 2 end, 0, 2))) --> 1.414
local x, y = sinew.newton(function(x, y) return x * x + y * y - 2, x - y end, 2, 1)
print(("%.3f %.3f"):format(x, y)) --> 1.000 1.000
local Odd = sinew.component { name = "odd", inputs = { "x" }, outputs = { "y" },
  eval = function(_, x) return #tostring(x) end }
print(Odd.recorded, Odd.refusal:match "cannot become text") --> false cannot become text
]])

section("Limits from motion", "cone fit_cone field load_field sculpt_field", [[
local cone = sinew.cone { rest = {0, -1, 0}, ellipse = {60}, right = {1, 0, 0} }
print(cone:inside {0, -1, 0.5}, cone:inside {0, 0, 1}) --> true false

local turns, angles = {}, {}
for i = 1, 400 do
  local a, b = 40 * math.sin(0.37 * i), 25 * math.sin(0.91 * i)
  turns[i] = sinew.quat.axis({1, 0, 0}, a) * sinew.quat.axis({0, 0, 1}, b)
  angles[i] = { a, b }
end
local fitted, report = sinew.fit_cone { samples = turns, rest = {0, -1, 0} }
print(#fitted > 3, report.samples) --> true 400.0

local axis = { min = -60, max = 60, resolution = 24 }
local field = sinew.field { axes = { axis, axis }, samples = angles }
field:save "swing.field"
print(sinew.load_field "swing.field":feasible(0, 0), field:feasible(55, 55)) --> true false

-- a box of angles as a surface
local box, lines = sinew.shapes.box { size = {60, 40, 20} }, {}
for i = 1, #box.vertices, 3 do
  lines[#lines + 1] = ("v %g %g %g"):format(box.vertices[i], box.vertices[i + 1],
    box.vertices[i + 2])
end
for i = 1, #box.triangles, 3 do
  lines[#lines + 1] = ("f %d %d %d"):format(box.triangles[i], box.triangles[i + 1],
    box.triangles[i + 2])
end
sinew.write_file("box.obj", table.concat(lines, "\n") .. "\n")
print(sinew.sculpt_field { axes = { axis, axis, axis }, obj = "box.obj" }:feasible(0, 0, 0))
--> true
]])

section("XML", "load_xml parse_xml xml_schema", [[
local rig = sinew.rig "lid"
rig:bone("lid", { set = "lid", hinge = { "open", 0, 100, axis = "x" } })
assert(rig:save_xml "lid.xml")
print(#sinew.load_xml "lid.xml".segments, sinew.parse_xml(rig:xml(), "lid").name) --> 1 lid
print(sinew.xml_schema():match "<xs:schema" ~= nil) --> true
]])

section("Clips and motion", "clip load_clip bake motion load_motion write_file", [[
local rig = sinew.rig "flag"
rig:bone("flag", { set = "flag", hinge = { "wave", -30, 30, axis = "y" } })
  :bone("tip", { at = {1, 0, 0} })
local clip = sinew.clip():set("flag.wave", 0, -30):set("flag.wave", 1, 30)
clip:save "wave.json"
local text = sinew.bake(rig, sinew.load_clip "wave.json", { fps = 10 })
local motion = sinew.motion(text, "wave.bvh")
print(#motion, motion.rate, motion:world(11, "tip"):position())
--> 11 10.0 vec3(0.866025388, 0, -0.5)
print(sinew.write_file("wave.bvh", text)) --> true
print(#sinew.load_motion "wave.bvh".joints) --> 3
]])

section("Inverse kinematics", "solver", [[
local rig = sinew.rig "arm"
local upper = rig:bone("upper", { at = {0, 1, 0}, set = "arm",
  hinge = { { "swing", -90, 90, axis = "y" }, { "raise", -90, 90, axis = "x" } } })
local lower = upper:bone("lower", { at = {0, 0, 0.4}, set = "arm",
  hinge = { "bend", 0, 140, axis = "-x" } })
lower:bone("hand", { at = {0, 0, 0.3} })
local pose = rig:pose()
local solver = sinew.solver(rig, { goals = { { segment = "hand", target = {0.2, 1.2, 0.4} } } })
print(solver:solve(pose).reached, pose:position "hand":near({0.2, 1.2, 0.4}, 1e-3))
--> true true
]])

section("Legs, steps and swings", "limb gait spring", [[
local rig = sinew.rig "bird"
local body = rig:bone("body", { at = {0, 0.5, 0}, set = "body", free = {} })
body:bone("tail", { at = {0, 0, -0.2}, set = "tail", hinge = { "wag", -40, 40, axis = "y" } })
local legs = {}
for i, side in ipairs { 1, -1 } do
  legs[i] = sinew.limb(body, "leg" .. i, { at = {0.1 * side, 0, 0},
    foot = {0.1 * side, -0.5, 0.05}, lengths = {0.3, 0.3}, knee = {0, 0, -1} })
end
local pose = rig:pose()
local walk = sinew.gait(pose, legs, { stride = 0.15, speed = 0.5 })
local wag = sinew.spring(pose, { "tail.wag", frequency = 2, damping = 0.2 })
for _ = 1, 60 do
  walk:toward(0, 1, 1 / 60)
  pose.tail.wag = 20
  wag:update(1 / 60)
end
print(("%.2f"):format(pose.body.z), pose.tail.wag > 0) --> 0.44 true
return rig
]])

section("One side from the other, and chains", "mirror chain", [[
local rig = sinew.rig "crab"
local shell = rig:bone("shell")
local arm = shell:bone("right_arm", { at = {-0.3, 0, 0}, set = "right_arm",
  hinge = { "raise", 0, 80, axis = "-z" } })
arm:bone("right_claw", { at = {-0.4, 0, 0} })
sinew.mirror(rig)
local tail = sinew.chain(rig, "tail", { parent = shell, links = 5, at = {0, 0, -0.2},
  turns = { { name = "curl", axis = {1, 0, 0}, range = {-60, 120} } } })
local pose = rig:pose()
pose.left_arm.raise, pose.tail.curl = 60, 1
print(pose:position "left_claw", pose:position(tail.tip))
--> vec3(0.5, 0.346410155, 0) vec3(0, 0.619092047, -0.55743295)
return rig
]])

section("Shapes and units", "shapes units mesh normals solid", [[
local shapes, units = sinew.shapes, sinew.units
local rig = sinew.rig "spoon"
rig:bone("spoon", { shape = shapes.merge {
  shapes.tube { points = units.cm { {0, 0, 0}, {0, 1, 6}, {0, 0, 12} }, radius = 0.004 },
  shapes.ellipsoid { radii = units.mm { 20, 8, 30 }, at = {0, 0, 0.145} } } })
local blob = shapes.blend { parts = { { "a b" } },
  points = { a = {0, 0, 0, 20}, b = {0, -90, 0, 8} } }
rig:bone("pin", { at = {0.1, 0.05, 0.06}, shape = blob })
local solid = blob.solid -- a sinew.solid until somebody asks for its triangles
local mesh = sinew.mesh(shapes.box { size = {0.1, 0.1, 0.1} })
print(solid:distance {0, 0, 0} < 0, #mesh.vertices % 3, units.degrees(math.pi)) --> true 0 180.0
print(#sinew.normals(mesh.vertices, mesh.triangles) == #mesh.vertices) --> true
return rig
]])

section("Drawing", "lines", [[
local rig = sinew.rig "pole"
rig:bone("foot"):bone("top", { at = {0, 2, 0} })
sinew.lines(rig:pose(), function(x1, y1, z1, x2, y2, z2, name)
  print(name, x1, y1, z1, x2, y2, z2) --> top 0.0 0.0 0.0 0.0 2.0 0.0
end)
]])

section("Drawing in LÖVE", "sinew.love", [[
-- main.lua
local view = require "sinew.love"
local rig = sinew.rig "arm"
rig:bone("arm", { at = {0, 1, 0}, set = "arm", hinge = { "raise", -60, 60, axis = "z" } })
  :bone("hand", { at = {0, -0.6, 0} })
local pose = rig:pose()
local camera = view.camera { scale = 200, at = {0, 0.7, 0}, turn = 20 }
function love.update(dt) pose.arm.raise = pose.arm.raise + 30 * dt end
function love.draw() view.draw(pose, camera) end
]])

section("Vectors, rotations and matrices", "vec3 quat mat4 buffer", [[
local v = sinew.vec3(1, 2, 2)
print(v:length(), v * 2, sinew.quat.axis({0, 0, 1}, 90) * sinew.vec3(1, 0, 0))
--> 3.0 vec3(2, 4, 4) vec3(2.22044605e-16, 1, 0)
print(sinew.mat4.translation(1, 2, 3) * sinew.vec3(), #sinew.buffer(3)) --> vec3(1, 2, 3) 3
]])

section("Degrees", "sin cos tan asin acos atan2", [[
print(sinew.sin(30), sinew.cos(60), ("%.3f"):format(sinew.tan(45))) --> 0.5 0.5 1.000
print(sinew.asin(0.5), sinew.acos(0.5), sinew.atan2(1, 1)) --> 30.0 60.0 45.0
]])

section("Values with their rate of change", "dual", [[
local x = sinew.dual(3, 1) -- 3, changing by 1
local y = x * x + sinew.dual.sin(30)
print(y:value(), y:rate()) --> 9.5 6.0
]])

section("What the module has", "catalog types live_blocks", [[
print(sinew.catalog()[1].name, sinew.types().vec3.methods[1] ~= nil) --> multiply true
local blocks, bytes = sinew.live_blocks()
print(blocks >= 0 and bytes >= 0) --> true
]])

return sections

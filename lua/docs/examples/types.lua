-- An example of each type, in which all of its methods occur; docs/examples.lua says how examples
-- are written.
local types = {}

types.rig = [[
local rig = sinew.rig "gate"
local set = rig:joint_set "gate"
local post = rig:segment("post", { at = {1, 0, 0} })
rig:bone("leaf", { parent = post, set = set, hinge = { "swing", 0, 90, axis = "y" } })
rig:dof("gate.latch", 0, 1, { unit = "" })
rig:tune { dofs = { ["gate.swing"] = { max = 120 } } }
local Twice = sinew.component { name = "twice", inputs = { "x" }, outputs = { "x" },
  eval = function(_, x) return 2 * x end }
rig:bone("bolt", { set = set })
  :drive(sinew.translate { y = rig:add(Twice { rig:find "gate.latch" }) })
rig:compile()
print(rig.name, #rig.segments, #rig.dofs, #rig.components, rig.joint_sets[1].name)
--> gate 3 2 3 gate
print(rig:pose():position "leaf", #rig:crowd(3), rig.warnings) --> vec3(1, 0, 0) 3
local plain = sinew.rig "plain" -- a scripted component would need a module of its own
plain:bone "only"
print(#plain:xml() > 100, plain:save_xml "plain.xml") --> true true
plain:close()
]]

types.joint_set = [[
local rig = sinew.rig "arm"
local set = rig:joint_set "elbow"
local arm = set:segment "upper"
arm:bone("lower", { at = {0, -0.3, 0} }):drive(
  set:rotation { set:dof("flexion", 0, 140), axis = {-1, 0, 0} })
set:bone("pad", { parent = arm })
local Same = sinew.component { name = "same", inputs = { "x" }, outputs = { "x" },
  eval = function(_, x) return x end }
set:add(Same { set.dofs[1] })
set:note("author", "me")
print(set.name, #set.segments, #set.components, set.notes.author, set.rig == rig)
--> elbow 3 2 me true
]]

types.segment = [[
local rig = sinew.rig "robot"
local base = rig:bone("base", { set = "base", free = true })
local arm = base:bone("arm", { at = {0, 1, 0}, set = "arm" }):hinge { "lift", 0, 90, axis = "-x" }
local rod = arm:bone("rod", { at = {0, 0, 0.5}, set = "rod" }):slider { "out", 0, 0.3, axis = "z" }
local eye = rod:bone("eye", { at = {0, 0, 0.2}, set = "eye" })
  :ball { { "turn", -40, 40, axis = "y" }, { "nod", -30, 30, axis = "x" }, along = "z" }
local cart = rig:bone("cart", { at = {1, 0, 0}, set = "cart" }):free { range = 2 }
rig:bone("lamp", { at = {0, 2, 0} }):aim { at = eye, along = "z" }
local upper = rig:bone("upper", { at = {0, 1, -1} })
local lower = upper:bone("lower", { at = {0, -0.5, 0.1} })
lower:bone("tip", { at = {0, -0.5, 0} })
upper:ik2 { lower = lower, goal = cart }
local wheel = cart:bone("wheel", { at = {0, 0.1, 0} })
wheel:drive(sinew.rotate(360 * cart.z, "x"))
eye:note("colour", "blue")
print(eye.name, eye.parent, eye.at, eye.joint_set.name, eye.notes.colour)
--> eye rod vec3(0, 0, 0.200000003) eye blue
print(arm.lift.max, eye.held.turn ~= nil, wheel.driver ~= nil, eye.rest:position())
--> 90.0 true true vec3(0, 0, 0.200000003)
print(eye.rotate, eye.shape, eye.rig == rig) --> quat(0, 0, 0, 1) nil true
]]

types.dof = [[
local rig = sinew.rig "gauge"
local x = rig:dof("gauge.x", 0, 100, { rest = 10, label = "pressure", unit = "" })
local needle = rig:bone("needle", { set = "gauge" })
needle:hinge { x:curve(function(v) return 2.4 * v - 120 end):named "needle_angle", axis = "z" }
local c, points = { 0, 0.5 }, { {0, 0}, {50, 10}, {100, 60} }
for i, e in ipairs { x:linear { {0, 0}, {100, 1} }, x:piecewise(points), x:spline(points),
  x:monotone(points), x:simm(points), x:polynomial(c), x:limit { max = 80 } } do
  rig:bone("hand" .. i, { set = "gauge", hinge = { e, axis = "z" } })
end
x:note("seen", true)
print(x.name, x.min, x.max, x.rest, x.label, x.unit == "", x.notes.seen)
--> gauge.x 0.0 100.0 10.0 pressure true true
print(x.rig == rig, x.joint_set.name, (x + 5) * 2) --> true gauge 10 + 2*gauge.x
]]

types.component = [[
local rig = sinew.rig "lid"
local set = rig:joint_set "lid"
local turn = set:rotation { set:dof("open", 0, 100), axis = {1, 0, 0}, name = "turn" }
turn.centre = {0, 0.1, 0} -- a parameter
turn:set("axis", {0, 0, 1})
turn:note("checked", "yes")
set:segment "lid":drive(turn)
local swing, twist = turn:swing_twist "z"
print(turn.name, turn.kind, turn:param "axis", turn.outputs[1].name, turn.notes.checked)
--> lid.turn rotation vec3(0, 0, 1) transform yes
print(turn.inputs[1].name, turn.params.centre, turn:port "transform".kind, turn.definition)
--> angle vec3(0, 0.100000001, 0) matrix nil
print(swing.kind, twist.kind, turn.rig == rig, turn.joint_set == set)
--> matrix scalar true true
]]

types.port = [[
local rig = sinew.rig "cam"
local set = rig:joint_set "cam"
local by = set:map { set:dof("turn", 0, 360), lift = sinew.linear { {0, 0}, {360, 1} } }
local lift, points = by.lift, { {0, 0}, {0.5, 10}, {1, 20} }
for i, e in ipairs { lift:curve(points), lift:linear { {0, 0}, {1, 1} }, lift:piecewise(points),
  lift:spline(points), lift:monotone(points), lift:simm(points), lift:polynomial { 0, 1 },
  lift:limit { max = 0.5 }, lift:named "same" } do
  rig:bone("pin" .. i, { set = set, hinge = { e, axis = "x" } })
end
local turned = set:rotation { lift, axis = {0, 1, 0} }.transform
print(lift.name, lift.kind, lift.component == by, turned:swing_twist "y".kind)
--> lift scalar true matrix
]]

types.expression = [[
local rig = sinew.rig "bent"
local a, b = rig:dof("bent.a", 0, 90), rig:dof("bent.b", -30, 30)
local e = 0.5 * a + b
print(e.kind, e.min, e.max, e.unit, e.rig == rig) --> scalar -30.0 75.0  true
local points = { {0, 0}, {40, 10}, {75, 60} }
for i, x in ipairs { e:curve(points), e:linear { {0, 0}, {75, 1} }, e:piecewise(points),
  e:spline(points), e:monotone(points), e:simm(points), e:polynomial { 1, 2 },
  e:limit { min = 0, max = 60 }:named "held" } do
  rig:bone("bone" .. i, { set = "bent", hinge = { x, axis = "x" } })
end
]]

types.canvas = [[
local Piston = sinew.component { name = "piston", doc = "a rod in a tube",
  inputs = { "length (m): between the pins", "slack (m) = 0" }, outputs = { "length (m)" },
  params = { tube = { 0.3, unit = "m", min = 0, doc = "the shortest length" } },
  holds = { length = "the end of the tube" },
  eval = function(self, length, slack)
    local given = math.max(length, self.tube - slack)
    return given, given - length
  end,
  verify = function(self, _, slack, given)
    return given >= self.tube - slack - 1e-6, "shorter than the tube"
  end,
  draw = function(self, canvas, length)
    canvas:line({0, 0, 0}, {0, self.tube, 0}, "grey")
    canvas:arrow({0, 0, 0}, {0, length, 0})
    canvas:disc({0, self.tube, 0}, {0, 1, 0}, 0.05, "#4f9d4a")
    canvas:ellipsoid({0, 0, 0}, {0.05, 0.02, 0.05})
    canvas:cone({0, length, 0}, {0, 1, 0}, 20, 0.1)
    canvas:text({0.1, length, 0}, "rod")
  end }
local rig = sinew.rig "piston"
local piston = rig:add(Piston { rig:dof("length", 0, 1, { unit = "m" }) })
rig:segment "rod":drive(rig:translation { y = piston })
local pose = rig:pose { length = 0.1 }
pose:eval()
local held = pose:holds()[1]
print(held.name, held.port, held.by, ("%.2f"):format(held.amount))
--> piston1 length the end of the tube 0.20
local marks = pose:marks(piston)
print(#marks, marks[1].kind, marks[6].words) --> 6 line rod
]]

types.kind = [[
local Half = sinew.component { name = "half", inputs = { "x" }, outputs = { "x" },
  eval = function(_, x) return 0.5 * x end }
print(Half.name, Half.tangent, Half.mirror, #Half.segments) --> half differences nil 0
print(Half.recorded, Half.refusal, #Half.program > 0) --> true nil true
Half:close()
]]

types.curve = [[
local curve = sinew.piecewise { {0, 0}, {10, 5}, outside = "extend", scale = 2, offset = 1 }
print(curve(4), curve:eval(20)) --> 5.0 21.0 1.0
print(curve.kind, #curve.points, curve.outside, curve.scale, curve.offset)
--> piecewise 2 extend 2.0 1.0
print(sinew.polynomial { 1, 2 }.coefficients[2]) --> 2.0
curve:close()
]]

types.cone = [[
local cone = sinew.cone { rest = {0, -1, 0}, ellipse = {40}, right = {1, 0, 0}, count = 8,
  twist_limits = {-20, 30} }
print(cone:inside {0, -1, 0}, cone:twist {0, -1, 0}) --> true -20.0 30.0
local held, limited = cone:hold {0, 0, 1}
print(("%.1f"):format(held:angle {0, -1, 0}), limited, #cone, #cone.points) --> 40.0 true 8 8
print(cone.rest, cone.visible, #cone.twist_limits, ("%.2f"):format(cone.area))
--> vec3(0, -1, 0) vec3(0, -1, 0) 9 1.37
cone:close()
]]

types.field = [[
local samples = {}
for i = 1, 500 do
  samples[i] = { 30 * math.sin(i), 20 * math.cos(1.3 * i), 10 * math.sin(2.1 * i) }
end
local axis = { min = -60, max = 60, resolution = 16 }
local field = sinew.field { axes = { axis, axis, axis }, samples = samples }
print(field:feasible(0, 0, 0), field:lookup(50, 50, 50) > 0, #field) --> true true 3
local a = field:project(50, 0, 0)
print(a < 50, field.epsilon > 0, field.bytes > 0, field.components) --> true true true 1
print(#field:surface().triangles > 0, field:save "three.field") --> true true
field:close()
]]

types.clip = [[
local clip = sinew.clip()
clip:set("knee.flexion", 0, 0):set("knee.flexion", 1, 90, "linear"):set("hip.flexion", 0.5, 20)
print(clip:sample("knee.flexion", 0.5), #clip:keys "knee.flexion", clip.duration) --> 45.0 2 1.0
clip.fps, clip.loop = 30, true
print(clip.fps, clip.loop, table.concat(clip.channels, " "), clip:remove "hip.flexion")
--> 30.0 true hip.flexion knee.flexion true
local rig = sinew.rig "leg"
rig:bone("shin", { set = "knee", hinge = { "flexion", 0, 120, axis = "x" } })
local pose = rig:pose()
print(clip:apply(pose, 1), pose.knee.flexion, #clip:copy():text() > 0, clip:save "knee.json")
--> 0 90.0 true true
clip:close()
]]

types.motion = [[
local motion = sinew.motion([=[
PathFileType	4	(X/Y/Z)	walk.trc
DataRate	CameraRate	NumFrames	NumMarkers	Units	OrigDataRate	OrigDataStartFrame	OrigNumFrames
100	100	2	1	mm	100	1	2
Frame#	Time	HEEL
		X1	Y1	Z1
1	0.00	100	20	0
2	0.01	110	25	0
]=], "walk.trc")
print(motion:marker(2, "HEEL"), motion:gaps "HEEL", motion.markers[1], motion.kind)
--> vec3(0.110000007, 0.0250000004, 0) 0 HEEL markers
print(motion.format, motion.frames, motion.rate, motion.unit < 0.002, motion.warnings == "")
--> TRC 2 100.0 true true
local rig = sinew.rig "pole"
rig:bone("foot", { set = "pole", hinge = { "lean", -90, 90, axis = "x" } })
  :bone("top", { at = {0, 1, 0} })
local walk = sinew.motion(sinew.bake(rig, sinew.clip():set("pole.lean", 0, 90)), "pole.bvh")
print(walk:world(1, "top"):position(), walk:joint(1, "top"):position(), walk.joints[2].name)
--> vec3(0, 0, 1) vec3(0, 1, 0) top
walk:close()
]]

types.pose = [[
local rig = sinew.rig "leg"
local thigh = rig:bone("thigh", { at = {0, 1, 0}, set = "hip",
  hinge = { "flexion", 0, 110, axis = "-x" } })
thigh:bone("shin", { at = {0, -0.4, 0}, set = "knee", hinge = { "flexion", 0, 140, axis = "x" } })
  :bone("foot", { at = {0, -0.4, 0} })
local pose = rig:pose()
pose.knee.flexion = 200 -- held to its range
pose[thigh.flexion] = 90
print(pose.knee.flexion, pose:holds()[1].amount, pose:set { ["knee.flexion"] = 90 })
--> 140.0 -60.0 true
print(pose:eval():position "foot", pose:frame("foot", "thigh"):position())
--> vec3(0, 0.600000024, 0.400000006) vec3(0, -0.400000006, -0.399999976)
print(pose:world "shin":position(), pose:driven "shin":rotation():angle())
--> vec3(0, 1, 0.400000006) 90.0
print(#pose:worlds(), pose:dofs()[1], pose:value(thigh.driver):rotation():angle())
--> 48 90.0 90.0
print(#pose:marks(thigh.driver.component)) -- only scripted components draw --> 0
local velocity = pose:jacobian("foot", { dofs = { "knee.flexion" } })
print(velocity[1]) -- metres for each degree --> vec3(0, 0, -0.00698131695)
local other = rig:pose():blend(pose, 0.5)
print(other.knee.flexion, other:carry(pose), other.knee.flexion) --> 45.0 2 90.0
print(pose:put({ 1 }, { 30 }), #pose:pack(), pose:unpack(other:pack()) == pose, pose.rig == rig)
--> true 17 true true
pose:reset()
pose:close()
]]

types.pose_view = [[
local rig = sinew.rig "door"
rig:bone("door", { set = "door", hinge = { "swing", 0, 90, axis = "y" } })
local door = rig:pose().door -- keeps its pose
door.swing = 45
print(door.swing) --> 45.0
]]

types.solver = [[
local rig = sinew.rig "arm"
local upper = rig:bone("upper", { at = {0, 1, 0}, set = "arm",
  hinge = { "raise", -90, 90, axis = "x" } })
upper:bone("lower", { at = {0, 0, 0.4}, set = "arm", hinge = { "bend", 0, 140, axis = "-x" } })
  :bone("hand", { at = {0, 0, 0.3} })
local pose = rig:pose()
local solver = sinew.solver(rig, { goals = { { segment = "hand", target = {0, 1.3, 0.4} } } })
print(#solver.dofs, solver:solve(pose, { restarts = false }).reached) --> 2 true
solver.hand = {0, 0.8, 0.4} -- the same as solver:target("hand", ...)
solver:target(1, {0, 0.8, 0.4}):goal("hand", { weight = 2 }):range("arm.raise", -85, 85)
print(solver:solve(pose).reason, solver:error("hand", pose) < 1e-3) --> reached true
solver:stiffness("arm.raise", 50):press(pose) -- a drag begins; then, every frame:
solver.hand = {0, 0.81, 0.4}
print(solver:drag(pose).reached, solver:stiffness "arm.raise") --> true 50.0
solver:close()
]]

types.character = [[
sinew.write_file("lamp.gltf", [=[{ "asset": { "version": "2.0" },
  "scenes": [{ "nodes": [0] }], "nodes": [
  { "name": "Foot", "children": [1] }, { "name": "Neck", "translation": [0, 1, 0], "mesh": 0 }],
  "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
  "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3" }],
  "bufferViews": [{ "buffer": 0, "byteLength": 36 }], "buffers": [{ "byteLength": 36, "uri":
  "data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA" }] }]=])
local rig = sinew.rig "lamp"
rig:bone("base"):bone("stem", { at = {0, 1, 0}, hinge = { "lamp.bend", -90, 90, axis = "z" } })
local lamp = assert(sinew.character "lamp.gltf")
assert(lamp:bind(rig, [=[{ "place": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1],
  "joints": { "Foot": { "segment": "base" }, "Neck": { "segment": "stem" } } }]=]))
print(lamp.nodes[2].name, lamp.nodes[2].driven, lamp.height == 1, #lamp.warnings)
--> Neck true true 0
local low, high = lamp:extent("Neck", {1, 0, 0})
print(lamp.matrix_count, lamp.part_count, lamp.image_count, low == 0, high == 1)
--> 1 1 0 true true
local pose, crowd, matrices = rig:pose(), rig:crowd(2), nil
pose.lamp.bend = 90
matrices = lamp:matrices(pose, matrices)
print(matrices:mat4(1):point({1, 0, 0}):near({0, 2, 0}, 1e-5), #lamp:matrices(crowd)) --> true 32
print(lamp:worlds(nil):mat4(2):position(), lamp.place:position()) --> vec3(0, 1, 0) vec3(0, 0, 0)
local part = lamp:part(1)
print(#part.positions, part.alpha, part.double_sided) --> 9 opaque false
print((pcall(lamp.image, lamp, 1))) --> false
local limit = lamp:limits(rig:pose(), 500)[1]
print(limit.joint, limit.swing_y + limit.swing_z + limit.twist_max > 80) --> Neck true
lamp:close()
]]

types.crowd = [[
local rig = sinew.rig "flag"
rig:bone("flag", { at = {0, 2, 0}, set = "flag", hinge = { "wind", -90, 90, axis = "y" } })
local crowd = rig:crowd(1000, { threads = 2 })
local values = sinew.buffer(1000 * #rig.dofs):fill(45)
local worlds = sinew.buffer(1000 * 16)
print(crowd:pose(values, worlds), worlds:mat4(1000):position()) --> true vec3(0, 2, 0)
print(crowd:set(values), #crowd:eval():worlds(), crowd:dofs()[7], #crowd:reset())
--> true 16000 45.0 1000
print(#crowd, crowd.threads, crowd.lanes >= 4, #crowd.instructions > 0) --> 1000 2 true true
local wind = sinew.solver(rig, { goals = { tip = { "flag", direction = "z", aim = {1, 0, 1} } } })
print(crowd:solve(wind).reached) --> 1000
crowd:close()
]]

types.vec3 = [[
local v = sinew.vec3(1, 2, 2)
print(v + {1, 0, 0}, v * 2, v:length(), v:dot {0, 1, 0}, v:cross {1, 0, 0})
--> vec3(2, 2, 2) vec3(2, 4, 4) 3.0 2.0 vec3(0, 2, -2)
print(v:unit(), v:distance {1, 2, 5}, sinew.vec3(1, 0, 0):angle {0, 1, 0})
--> vec3(0.333333343, 0.666666687, 0.666666687) 3.0 90.0
print(v:lerp({3, 2, 2}, 0.5), v:copy():add({1, 1, 1}, 2), v:copy():sub {1, 1, 1})
--> vec3(2, 2, 2) vec3(3, 4, 4) vec3(0, 1, 1)
print(v:copy():mul(2), v:copy():div(2), v:copy():negate(), v:copy():normalize())
--> vec3(2, 4, 4) vec3(0.5, 1, 1) vec3(-1, -2, -2) vec3(0.333333343, 0.666666687, 0.666666687)
print(sinew.vec3(1, 0, 0):rotate(sinew.quat.axis({0, 0, 1}, 90)):near({0, 1, 0}, 1e-6)) --> true
print(sinew.vec3():transform(sinew.mat4.translation(1, 2, 3)), v:set(4, 5, 6), v:unpack())
--> vec3(1, 2, 3) vec3(4, 5, 6) 4.0 5.0 6.0
]]

types.quat = [[
local q = sinew.quat.axis({0, 1, 0}, 90)
print(q, q:angle(), q:axis_angle())
--> quat(0, 0.707106769, 0, 0.707106769) 90.0 vec3(0, 1, 0) 90.0
print(("%.1f"):format(sinew.quat.euler("xyz", 30, 0, 0):angle(q)), q * sinew.vec3(0, 0, 1))
--> 93.8 vec3(1, 0, 2.22044605e-16)
print(sinew.quat.between({1, 0, 0}, {0, 1, 0}):angles "xyz") --> -0.0 0.0 90.0
print(q:inverse(), q:slerp(sinew.quat(), 0.5).w, q:direction {0, 1, 0})
--> quat(-0, -0.707106769, -0, 0.707106769) 0.9238795042038 vec3(0, 1, 0)
print(q:copy():mul(q):angle(), q:copy():invert():dot(q), q:copy():negate():length())
--> 180.0 0.0 0.99999998288573
print(q:copy():add {0, 0, 0, 1}:normalize():near(q), q:unit(), q:set(0, 0, 0, 1):unpack())
--> false quat(0, 0.707106769, 0, 0.707106769) 0.0 0.0 0.0 1.0
]]

types.mat4 = [[
local m = sinew.mat4.from(sinew.quat.axis({0, 0, 1}, 90), {1, 2, 3})
print(m:point {1, 0, 0}, m:direction {1, 0, 0}, m:position(), m:rotation():angle())
--> vec3(1, 3, 3) vec3(2.22044605e-16, 1, 0) vec3(1, 2, 3) 90.0
print(m:get(1, 4), m:determinant(), m:rigid(), m:angles "xyz") --> 1.0 1.0 true -0.0 0.0 90.0
print((m:inverse() * m):near(sinew.mat4(), 1e-6), m:transposed():get(4, 1)) --> true 1.0
local n = sinew.mat4.translation(1, 0, 0):rotate({0, 1, 0}, 90):translate {0, 0, 2}
print(n:position(), n:copy():mul(m):premul(m):rigid(), n:copy():invert():transpose():get(1, 1))
--> vec3(3, 0, 0) true 0.0
print(sinew.mat4.turn({1, 0, 0}, 90, {0, 1, 0}):position(), sinew.mat4.scaling(2):determinant())
--> vec3(0, 1, -1) 8.0
print(sinew.mat4.euler("zyx", 90, 0, 0):near(sinew.mat4.turn({0, 0, 1}, 90), 1e-6)) --> true
local rows = sinew.mat4.rows { {1, 0, 0, 5}, {0, 1, 0, 6}, {0, 0, 1, 7}, {0, 0, 0, 1} }
print(rows == sinew.mat4.columns { {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {5, 6, 7} }) --> true
print(n:set(rows) == rows, select("#", n:unpack())) --> true 16
]]

types.dual = [[
local D = sinew.dual
local x = D(60, 1) -- an angle that grows by a degree
print(D.cos(x):value(), D.cos(x):rate() < 0) --> 0.5 true
print(D.sin(x):rate() > 0, D.tan(45) > 0.999, D.asin(D(0.5, 1)):value(), D.acos(0.5), D.atan2(1, 1))
--> true true 30.0 60.0 45.0
print(D.sqrt(D(4, 1)):rate(), D.exp(D(0, 2)):rate(), D.log(D(1, 3)):rate(), D.abs(D(-2, 1)):rate())
--> 0.25 2.0 3.0 -1.0
print(D.min(x, 10), D.max(x, 10):rate(), D.clamp(x, 0, 50):rate()) --> dual(10, 0) 1.0 0.0
local v = D.vec3(D(3, 1), 4, 0)
print(v:length():value(), v:length():rate(), v:unit():value(), v:dot({1, 0, 0}):rate())
--> 5.0 0.6 vec3(0.600000024, 0.800000012, 0) 1.0
local m = D.translation(x, 0, 0) * D.turn({0, 0, 1}, x)
print(m:position():rate(), m:point({1, 0, 0}):value(), m:direction({1, 0, 0}):value())
--> vec3(1, 0, 0) vec3(60.5, 0.866025388, 0) vec3(0.5, 0.866025388, 0)
print(v:cross({0, 0, 1}):rate(), m:inverse():position():value(),
  D.euler("xyz", 0, 0, x):rate():get(1, 1) < 0) --> vec3(0, -1, 0) vec3(-30, 51.961525, 0) true
]]

types.buffer = [[
local b = sinew.buffer { 1, 2, 3 }
print(#b, b[2], b:set({ 9 }, 3):unpack()) --> 3 2.0 1.0 2.0 9.0
print(b:fill(0, 1, 2):table()[3], #b:copy(2), #b:string()) --> 9.0 2 12
local many = sinew.buffer(32)
many:put(2, sinew.mat4.translation(1, 2, 3)):put(1, sinew.vec3(7, 8, 9))
print(many:mat4(2):position(), many:vec3(1), many:quat(1))
--> vec3(1, 2, 3) vec3(7, 8, 9) quat(7, 8, 9, 0)
]]

types.mesh = [[
local ring, up = {}, {}
for i = 1, 8 do
  ring[i] = { sinew.sin(45 * i), 0, sinew.cos(45 * i) }
  up[i] = { ring[i][1], 1, ring[i][3] }
end
local drum = sinew.mesh.loft({ ring, up }, {0, 0, 0}, {0, 1, 0})
local ball = sinew.mesh.ball(12, 6, {0, 0, 0}, {1, 1, 1})
local pipe = sinew.mesh.tube({ {0, 0, 0}, {0, 1, 0} }, 2, { 0.1, 0.1, 0.1, 0.1, 0.1, 0.1 }, 6,
  {0, 0, 1}, 0)
local all = sinew.mesh.merge { drum, ball:placed(sinew.mat4.translation(3, 0, 0)), pipe:mirrored() }
print(#all.vertices == #all.normals, #all.triangles % 3) --> true 0
]]

types.solid = [[
local blend = sinew.shapes.blend { parts = { { "a b" } },
  points = { a = {0, 0, 0, 20}, b = {0, -90, 0, 8} } }
local solid = blend.solid
print(solid:distance {0, 0, 0} < 0, solid:distance {1, 0, 0} > 0) --> true true
local pair = sinew.solid.merge { solid, solid:placed(sinew.mat4.translation(0.1, 0, 0)):mirrored() }
print(#pair:mesh { level = "coarse" }.triangles > 0) --> true
local points = { {0, 0, 0} }
local moved = sinew.solid.fit({ {0, 0, 0}, {1, 0, 0} }, { {1, 0, 0}, {2, 0, 0} }, points)
print(moved:position(), points[1][1]) --> vec3(1, 0, 0) 0
pair:close()
]]

-- what helpers make

types.live = [[
sinew.write_file("arm.lua", [=[
local rig = require "sinew".rig "arm"
rig:bone("arm", { set = "arm", hinge = { "raise", 0, 90, axis = "x" } })
return rig
]=])
local live = assert(sinew.watch("arm.lua", { interval = 0.1 }))
local mine = live.rig:pose()
mine.arm.raise = 30
print(live:poll(), live.error, live.count, live.path, live.milliseconds >= 0, #live.files > 0)
--> false nil 1 arm.lua true true
live:reload()
print(live:carry(mine).arm.raise, live.pose.arm.raise, live.paused) --> 30.0 0.0 nil
]]

types.limb = [[
local rig = sinew.rig "bug"
local body = rig:bone("body", { at = {0, 0.3, 0} })
local leg = sinew.limb(body, "leg", { at = {0.1, 0, 0}, foot = {0.5, -0.3, 0},
  lengths = {0.3, 0.4} })
local pose = rig:pose()
print(leg:reach(pose, 0.4, 0.1, 0.2) < 1e-3, pose:position "leg_foot":near({0.4, 0.1, 0.2}, 1e-3))
--> true true
print((leg:place(pose, 9, 9, 9)) > 1, #{ leg:solve(pose, 0.4, -0.2, 0.2) }) --> true 7
print(leg.name, leg.body.name, #leg.segments, leg.dofs[1], leg.home.x)
--> leg body 3 leg.yaw 0.5
]]

types.gait = [[
local rig = sinew.rig "dog"
local body = rig:bone("body", { at = {0, 0.4, 0}, set = "body", free = {} })
local legs = {}
for i = 1, 4 do
  local side, front = i % 2 * 2 - 1, i < 3 and 1 or -1
  legs[i] = sinew.limb(body, "leg" .. i, { at = {0.1 * side, 0, 0.25 * front}, knee = {0, 0, front},
    foot = {0.1 * side, -0.4, 0.25 * front}, lengths = {0.25, 0.25} })
end
local walk = sinew.gait(rig:pose(), legs)
for _ = 1, 30 do walk:toward(0, 2, 1 / 60) end
walk:update(1 / 60)
print(walk.pose.body.z > 0.3, select(4, walk:foot(1))) --> true false
walk:plant()
]]

types.spring = [[
local rig = sinew.rig "ear"
rig:bone("ear", { set = "ear", hinge = { "bend", -50, 50, axis = "x" } })
local pose = rig:pose()
local spring = sinew.spring(pose, { "ear.bend", damping = 1 })
pose.ear.bend = 20
spring:update(0.05)
print(pose.ear.bend < 20, spring:goal(1), spring.pose == pose) --> true 20.0 true
spring:jump()
]]

return types

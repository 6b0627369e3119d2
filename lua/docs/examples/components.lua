-- An example of each component; docs/examples.lua says how examples are written.
local kinds = {}

kinds.multiply = [[
local rig = sinew.rig "wrist"
local set = rig:joint_set "wrist"
local flex, turn = set:dof("flex", -70, 70), set:dof("turn", -90, 90)
set:segment("hand", { at = {0, 1, 0} }):drive(set:multiply {
  set:rotation { turn, axis = {0, 1, 0} }, set:rotation { flex, axis = {1, 0, 0} } })
local pose = rig:pose()
pose.wrist.flex, pose.wrist.turn = 30, 90
print(pose:world "hand":direction {0, -1, 0}) --> vec3(-0.5, -0.866025388, 0)
]]

kinds.map = [[
local rig = sinew.rig "fan"
local set = rig:joint_set "fan"
local open = set:dof("open", 0, 1)
local by = set:map { open, first = sinew.linear { {0, 0}, {1, 30} },
  second = sinew.spline { {0, 0}, {0.5, 10}, {1, 60} } }
set:segment "first":drive(set:rotation { by.first, axis = {0, 0, 1} })
set:segment "second":drive(set:rotation { by.second, axis = {0, 0, 1} })
local pose = rig:pose()
pose.fan.open = 0.5
print(pose:value(by.first), pose:value(by.second)) --> 15.0 10.0
]]

kinds.translation = [[
local rig = sinew.rig "drawer"
local set = rig:joint_set "drawer"
set:segment "drawer":drive(set:translation { z = set:dof("pull", 0, 0.4, { unit = "m" }), y = 0.1 })
local pose = rig:pose()
pose.drawer.pull = 0.25
print(pose:position "drawer") --> vec3(0, 0.100000001, 0.25)
]]

kinds.euler = [[
local rig = sinew.rig "head"
local set = rig:joint_set "head"
set:segment "head":drive(set:euler { set:dof("turn", -80, 80), set:dof("nod", -40, 40),
  order = "yxz" })
local pose = rig:pose()
pose.head.turn, pose.head.nod = 90, 30 -- held at 80
print(pose:world "head":direction {0, 0, 1}) --> vec3(0.852868497, -0.5, 0.150383726)
]]

kinds.rotation = [[
local rig = sinew.rig "elbow"
local set = rig:joint_set "elbow"
local bend = set:dof("bend", 0, 140)
-- the centre moves once, at 60 degrees
set:segment("ulna", { at = {0, 1, 0} }):drive(set:rotation { bend, axis = {-1, 0, 0},
  angles = {0, 60, 140}, centres = { {0, 0, 0}, {0, 0.005, 0.004} } })
local pose = rig:pose()
pose.elbow.bend = 100
print(pose:position "ulna") --> vec3(0, 0.998598635, 0.00414976012)
]]

kinds.dependency = [[
local rig = sinew.rig "leg"
local set = rig:joint_set "leg"
local hip, knee = set:dof("hip", 0, 110), set:dof("knee", 0, 140)
-- a flexed hip bends the knee: its lower bound rises
local held = set:dependency { hip, knee, lower = sinew.linear { {60, 0}, {110, 50} } }
set:segment "shin":drive(set:rotation { held, axis = {1, 0, 0} })
local pose = rig:pose()
pose.leg.hip = 110
print(pose:value(held), pose:holds()[1].by) --> 50.0 the bound that depends on 'active'
]]

kinds.formula = [[
local rig = sinew.rig "gear"
local set = rig:joint_set "gear"
local crank = set:dof("crank", -180, 180)
local half = set:formula { crank, text = "0.5*x1 + 10" }
local kept = set:formula { crank, min = "-30", max = "30" }
set:segment "wheel":drive(set:rotation { half, axis = {0, 0, 1} })
set:segment "stop":drive(set:rotation { kept, axis = {0, 0, 1} })
local pose = rig:pose()
pose.gear.crank = 90
print(pose:value(half), pose:value(kept)) --> 55.0 30.0
]]

kinds.compensate = [[
local rig = sinew.rig "tray"
local set = rig:joint_set "tray"
local tilt = set:rotation { set:dof("tilt", -60, 60), axis = {0, 0, 1} }
local arm = set:segment "arm"
local tray = set:segment("tray", { parent = arm, at = {0.5, 0, 0} })
arm:drive(tilt)
tray:drive(set:compensate { tilt, ancestor = arm, segment = tray })
local pose = rig:pose()
pose.tray.tilt = 60
print(pose:position "tray", pose:world "tray":direction {0, 1, 0}) -- moved, and still level
--> vec3(0.25, 0.433012694, 0) vec3(0, 1, 0)
]]

kinds.cone = [[
local rig = sinew.rig "reach"
local set = rig:joint_set "shoulder"
local raise, swing = set:dof("raise", -120, 120), set:dof("swing", -120, 120)
local reach = set:cone { set:multiply { set:rotation { swing, axis = {1, 0, 0} },
  set:rotation { raise, axis = {0, 0, 1} } },
  rest = {0, -1, 0}, ellipse = {70, 50, 30, 50}, right = {1, 0, 0} }
set:segment("arm", { at = {0, 1.4, 0} }):drive(reach.transform)
rig:bone("hand", { parent = "arm", at = {0, -0.6, 0} })
local pose = rig:pose()
pose.shoulder.raise = 100
print(pose:value(reach.inside), pose:position "hand") --> 0.0 vec3(0.563815594, 1.19478786, 0)
return rig
]]

kinds.slide = [[
local rig = sinew.rig "blade"
local set = rig:joint_set "blade"
local turn = set:rotation { set:dof("shrug", -20, 20), axis = {0, 0, 1} }
local rest = sinew.mat4.translation(0, 0.1, 0.13)
local glide = set:slide { set:multiply { rest, turn }, radii = {0.1, 0.15, 0.1}, axis = {1, 0, 0},
  pair1 = { {0.02, -0.1, 0}, {-0.05, -0.08, 0} } }
set:segment("blade", { rest = rest }):drive(set:multiply { turn, glide.transform })
local pose = rig:pose()
pose.blade.shrug = 10
print(pose:value(glide.contact), ("%.2f"):format(pose:value(glide.theta))) --> 1.0 21.70
]]

kinds.field = [[
local samples = {}
for i = 1, 600 do samples[i] = { 50 * math.sin(i), 30 * math.cos(1.7 * i) } end
local axis = { min = -90, max = 90, resolution = 30 }
local rig = sinew.rig "eye"
local set = rig:joint_set "eye"
local seen = set:field { set:dof("turn", -90, 90), set:dof("nod", -90, 90),
  field = sinew.field { axes = { axis, axis }, samples = samples } }
set:segment "eye":drive(set:euler { seen.angle1, seen.angle2, order = "yxz" })
local pose = rig:pose()
pose.eye.turn = 85
print(pose:value(seen.inside), pose:value(seen.angle1) < 60) --> 0.0 true
]]

kinds.blend = [[
local rig = sinew.rig "eyelid"
local set = rig:joint_set "eyelid"
local shut = set:dof("shut", 0, 1)
set:segment "lid":drive(set:blend { sinew.mat4(), sinew.mat4.turn({1, 0, 0}, 80), shut })
local pose = rig:pose()
pose.eyelid.shut = 0.5
print(("%.2f"):format(pose:world "lid":rotation():angle())) --> 40.00
]]

kinds.relative = [[
local rig = sinew.rig "hands"
local left = rig:bone("left", { at = {0.3, 1, 0}, set = "left", free = {} })
local right = rig:bone("right", { at = {-0.3, 1, 0} })
local seen = rig:relative { of = left, to = right }
rig:bone("shadow", { parent = right }):drive(seen.frame) -- goes where the left hand is
local pose = rig:pose()
pose.left.y = 0.5
print(pose:position "shadow") --> vec3(0.300000012, 1.5, 0)
]]

kinds.distance = [[
local rig = sinew.rig "ram"
local base = rig:bone("base")
local arm = base:bone("arm", { at = {0, 1, 0}, set = "arm",
  hinge = { "lift", 0, 80, axis = "-x" } })
local length = rig:distance { point = {0, 0, 0.3}, to_point = {0, 0, 0.8}, of = base, to = arm }
local pose = rig:pose()
pose.arm.lift = 30
print(("%.3f"):format(pose:value(length))) --> 1.454
]]

kinds.aim = [[
local rig = sinew.rig "lamp"
local ball = rig:bone("ball", { at = {0.5, 0.5, 1}, set = "ball", free = {} })
local lamp = rig:bone("lamp", { at = {0, 1, 0} })
lamp:drive(rig:aim { segment = lamp, at = ball, along = {0, 0, 1}, up = {0, 1, 0} }.transform)
print(rig:pose():world "lamp":direction {0, 0, 1})
--> vec3(0.408248276, -0.408248276, 0.816496551)
]]

kinds.swing_twist = [[
local rig = sinew.rig "forearm"
local arm = rig:bone("arm", { set = "arm", hinge = { { "bend", 0, 90, axis = "x" },
  { "roll", -90, 90, axis = "y" } } })
local parts = rig:swing_twist { arm.driver, axis = {0, 1, 0} }
-- a bone that follows the bend and half of the roll
rig:bone("half"):drive(parts.swing * sinew.rotate(0.5 * parts.twist, "y"))
local pose = rig:pose()
pose.arm.bend, pose.arm.roll = 40, 60
print(("%.1f %.1f"):format(pose:value(parts.twist), pose:value(parts.angle))) --> 60.0 40.0
]]

kinds.ik2 = [[
local rig = sinew.rig "digger"
local goal = rig:bone("goal", { at = {0, 0.2, 0.9}, set = "goal", free = {} })
local boom = rig:bone("boom", { at = {0, 1, 0} })
local stick = boom:bone("stick", { at = {0, 0.3, 0.6} })
stick:bone("bucket", { at = {0, -0.6, 0.1} })
local reach = rig:ik2 { upper = boom, lower = stick, tip = {0, -0.6, 0.1}, at = goal }
boom:drive(reach.upper)
stick:drive(reach.lower)
print(rig:pose():position "bucket") --> vec3(0, 0.199999928, 0.900000095)
return rig
]]

return kinds

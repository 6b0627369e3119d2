-- Bones with their joints in one call.
local check, tests = ...
local sinew = require "sinew"
local mat4, vec3 = sinew.mat4, sinew.vec3

local function here(level) return debug.getinfo((level or 1) + 1, "l").currentline end

local function random_value(dof) return dof.min + (dof.max - dof.min) * math.random() end

-- a pose with random values of all DOFs, by their full names
local function random_pose(rig)
  local pose, values = rig:pose(), {}
  for _, dof in ipairs(rig.dofs) do
    pose[dof] = random_value(dof)
    values[dof.name] = pose[dof]
  end
  return pose, values
end

local function counts(rig)
  return ("%d %d %d %d"):format(#rig.joint_sets, #rig.segments, #rig.dofs, #rig.components)
end

-- that the call raises with this text, at its own line, and leaves nothing behind
local function refuses(rig, text, call)
  local before = counts(rig)
  local _, message = pcall(call)
  check.fails(text, call)
  check.that(message:match "^[^:]*test_joint%.lua:%d+: ", message)
  check.equal(counts(rig), before)
end

function tests.a_hinge_in_one_line()
  local rig = sinew.rig "knee"
  local femur = rig:bone("femur", { at = { 0, 0.9, 0 } })
  local tibia = femur:bone("tibia", { at = { 0, -0.4, 0 }, hinge = { "knee.flexion", 0, 120,
    axis = "-x", centre = { 0, 0.01, 0 }, rest = 5, label = "bend" } })
  check.equal(tibia, rig:find "tibia")
  check.equal(sinew.type(femur), "segment")
  check.equal(tibia.parent, "femur")
  check.equal(femur.joint_set, nil)
  check.equal(tibia.joint_set.name, "knee")
  check.has(tibia.flexion, { name = "knee.flexion", min = 0, max = 120, rest = 5, label = "bend" })
  check.equal(tibia.driver.component.name, "knee.tibia_flexion")
  check.equal(tibia.held.flexion, tibia.flexion)
  for _ = 1, 20 do
    local pose, values = random_pose(rig)
    local slow = mat4.translation(0, 0.5, 0)
      * mat4.turn({ -1, 0, 0 }, values["knee.flexion"], { 0, 0.01, 0 })
    check.near_all(pose:world "tibia", slow, 1e-5)
  end
  check.equal(rig.warnings, "")
end

function tests.several_hinges_are_a_product_in_their_order()
  local rig = sinew.rig "elbow"
  local arm = rig:bone "arm"
  local set = rig:joint_set "elbow"
  local fore = set:bone("fore", { parent = arm, hinge = {
    { "flexion", 0, 140, axis = { 1, 0, 0.1 } }, { "twist", min = -80, max = 80, axis = "y" } } })
  check.equal(fore.joint_set, set)
  check.equal(fore.driver.component.name, "elbow.fore_motion")
  check.equal(fore.twist.name, "elbow.twist")
  for _ = 1, 20 do
    local pose, values = random_pose(rig)
    check.near_all(pose:world "fore", mat4.turn({ 1, 0, 0.1 }, values["elbow.flexion"])
      * mat4.turn({ 0, 1, 0 }, values["elbow.twist"]), 1e-5)
  end
end

function tests.a_slider_that_follows_an_angle_is_refused()
  local rig = sinew.rig "r"
  local a = rig:bone("a", { set = "s", hinge = { "bend", 0, 90, axis = "x" } })
  local out = rig:dof("s.out", 0, 1, { unit = "m" })
  check.fails("takes a length (m), but s.bend is an angle (deg)", a.bone, a, "b",
    { slider = { a.bend, axis = "x" } })
  a:bone("c", { slider = { out, axis = "x" } })
  local pose = rig:pose()
  pose.s.out = 0.5
  check.near_all(pose:position "c", { 0.5, 0, 0 })
  check.fails("pose:value(bone.held.flexion)", pose.value, pose, 2 * out)
end

function tests.sliders_move_along_any_direction_outside_of_hinges()
  local rig = sinew.rig "crane"
  local mast = rig:bone("mast", { slider = { "up", 0, 2, axis = "y" } })
  local jib = mast:bone("jib", { slider = { { "out", 0, 3, axis = { 1, 2, -2 } },
    { "down", -1, 1, axis = "-y" } }, hinge = { "pan", axis = "y" } })
  check.has(mast.up, { unit = "m", name = "up" })
  check.equal(jib.pan.unit, "deg")
  for _ = 1, 20 do
    local pose, v = random_pose(rig)
    local slow = mat4.translation(0, v.up, 0)
      * mat4.translation(v.out / 3, v.out * 2 / 3 - v.down, -v.out * 2 / 3)
      * mat4.turn({ 0, 1, 0 }, v.pan)
    check.near_all(pose:world "jib", slow, 1e-5)
  end
end

function tests.a_free_bone_has_six_dofs()
  local rig = sinew.rig "boat"
  local hull = rig:bone("hull", { set = "body", free = true })
  check.equal(hull.joint_set.name, "body")
  check.has(hull.x, { name = "body.x", min = -10, max = 10, unit = "m" })
  for _ = 1, 20 do
    local pose, v = random_pose(rig)
    local slow = mat4.translation(v["body.x"], v["body.y"], v["body.z"])
      * mat4.turn({ 0, 1, 0 }, v["body.turn"]) * mat4.turn({ 1, 0, 0 }, v["body.lean"])
      * mat4.turn({ 0, 0, 1 }, v["body.tilt"])
    check.near_all(pose:world "hull", slow, 1e-4)
  end
  check.equal(rig:joint_set "other":bone("buoy", { free = { range = 3 } }).z.max, 3)
end

function tests.a_ball_swings_twice_and_twists()
  local rig = sinew.rig "hip"
  local femur = rig:bone("femur", { set = "hip", ball = { { "flexion", -20, 120, axis = "-x" },
    "abduction", { "turn", -30, 45 }, along = "-y" } })
  for _ = 1, 20 do
    local pose, v = random_pose(rig)
    local slow = mat4.turn({ -1, 0, 0 }, v["hip.flexion"])
      * mat4.turn({ 0, 0, 1 }, v["hip.abduction"]) * mat4.turn({ 0, -1, 0 }, v["hip.turn"])
    check.near_all(pose:world "femur", slow, 1e-4)
  end
  check.equal(femur.held.flexion, femur.flexion)
end

function tests.a_cone_holds_a_ball_in_all_its_forms()
  local ring = {}
  for i = 0, 15 do
    local a = i * 22.5
    ring[i + 1] = { sinew.sin(40) * sinew.cos(a), -sinew.cos(40), sinew.sin(40) * sinew.sin(a) }
  end
  local forms = { 40, { 40 }, { 40, 40, 40, 40 }, ring, { ellipse = { 40 } }, { points = ring },
    sinew.cone { points = ring, rest = { 0, -1, 0 }, twist_limits = { -30, 45 } } }
  for i, cone in ipairs(forms) do
    local rig = sinew.rig "hip"
    local femur = rig:bone("femur", { ball = { along = "-y", cone = cone, { "flexion", -90, 90 },
      { "abduction", -90, 90 }, { "twist", -30, 45 } }, set = "hip" })
    local pose = rig:pose()
    pose.hip.flexion = 70
    local down = pose:world "femur":direction { 0, -1, 0 }
    check.near(down:angle { 0, -1, 0 }, 40, 1.5)
    check.that(femur.held.flexion ~= femur.flexion, "form " .. i)
    check.near(pose:value(femur.held.flexion), 40, 1.5)
    check.near(pose:value(femur.held.twist), 0)
    pose.hip.flexion = 20
    check.near(pose:value(femur.held.flexion), 20, 1e-3)
    check.equal(femur.driver.component.name, "hip.femur_reach")
  end
end

function tests.a_name_is_that_of_the_component()
  local rig = sinew.rig "leg"
  local hip = rig:bone("femur", { set = "hip", ball = { along = "-y", cone = 40, name = "reach",
    { "flexion", -90, 90, name = "bend" }, { "abduction", -90, 90 } } })
  hip:bone("tibia", { set = "knee", slider = { "out", 0, 1, axis = "y", name = "shift" },
    hinge = { 0.5 * hip.flexion, axis = "x", name = "fold" } })
  for _, name in ipairs { "hip.reach", "hip.bend", "hip.femur_abduction", "knee.shift",
    "knee.fold" } do
    check.equal(rig:find(name).name, name)
  end
  rig:bone("other", { set = "hip", hinge = { hip.flexion, axis = "x", name = "bend" } })
  check.fails("'hip.bend'", function() rig:compile() end)
end

function tests.joints_are_methods_of_segments_that_have_none()
  local rig = sinew.rig "arm"
  local base = rig:segment("base"):hinge { "pan", -180, 180, axis = "y" }
  check.equal(base, rig:find "base")
  local arm = rig:segment("arm", { parent = base, at = { 0, 1, 0 } })
    :hinge { { "lift", 0, 90, axis = "x" }, { "roll", axis = "z" } }
  local tool = rig:segment("tool", { parent = arm }):slider { "reach", 0, 1, axis = "z" }
  local head = rig:joint_set "head":segment "head":ball { "nod", "tip", along = "y" }
  local root = rig:segment("root"):free()
  check.equal(base.pan.name .. arm.roll.name .. tool.reach.name .. head.nod.name .. root.lean.name,
    "panrollreachhead.nodlean")
  refuses(rig, "'arm' is driven already, by 'arm_motion'; several joints go in one call: "
    .. "hinge = { {...}, {...} }", function() arm:hinge { "more", axis = "x" } end)
  rig:compile()
end

function tests.a_joint_may_follow_a_dof_or_a_port()
  local rig = sinew.rig "finger"
  local hand = rig:bone "hand"
  local middle = hand:bone("middle", { hinge = { "finger.flexion", 0, 100, axis = "x" } })
  local half = middle.joint_set:map { middle.flexion, angle = sinew.polynomial { 0, 0.5 } }
  local tip = middle:bone("tip", { hinge = { half.angle, axis = "x" } })
  local nail = tip:bone("nail", { hinge = { half, axis = "x" } })
  local pad = rig:bone("pad", { parent = hand, hinge = { middle.flexion, axis = "y" } })
  check.equal(tip.joint_set.name, "finger")
  check.equal(tip.driver.component.name, "finger.tip_rotate")
  check.equal(tip.flexion, middle.flexion)
  check.equal(nail.flexion, middle.flexion)
  -- moves a bone of no joint set: it is in that of its source
  check.equal(pad.joint_set, nil)
  check.equal(pad.driver.component.name, "finger.pad_rotate")
  local pose = rig:pose()
  pose.finger.flexion = 80
  check.near_all(pose:frame("tip", "middle"), mat4.turn({ 1, 0, 0 }, 40), 1e-5)
  check.near_all(pose:frame("pad", "hand"), mat4.turn({ 0, 1, 0 }, 80), 1e-5)
end

function tests.a_joint_may_follow_an_expression()
  local rig = sinew.rig "finger"
  local base = rig:bone("base", { hinge = { "finger.flexion", 0, 90, axis = "x" } })
  local flexion = base.flexion
  local tip = base:bone("tip", { hinge = { 0.5 * flexion + 10, axis = "x",
    centre = { 0, 0.1, 0 } } })
  local nail = tip:bone("nail", { slider = { flexion / 900, axis = "-z" },
    hinge = { { "twist", -5, 5, axis = "y" }, { -flexion, axis = { 0, 0, 1 } } } })
  local ball = rig:bone("ball", { set = "ball", ball = { along = "y", cone = 30, { flexion * 2 },
    "swing", { "twist", -10, 10 } } })
  check.equal(tip.flexion, flexion)
  check.equal(nail.twist.name, "finger.twist")
  check.equal(ball.driver.component.name, "ball.ball_reach")
  for _ = 1, 20 do
    local pose, v = random_pose(rig)
    local f = v["finger.flexion"]
    check.near_all(pose:frame("tip", "base"),
      mat4.turn({ 1, 0, 0 }, 0.5 * f + 10, { 0, 0.1, 0 }), 1e-4)
    check.near_all(pose:frame("nail", "tip"), mat4.translation(0, 0, -f / 900)
      * mat4.turn({ 0, 1, 0 }, v["finger.twist"]) * mat4.turn({ 0, 0, 1 }, -f), 1e-4)
  end
  check.equal(rig.warnings, "")
end

function tests.what_a_refused_joint_had_made_of_an_expression_is_made_again()
  local rig = sinew.rig "r"
  local a = rig:bone("a", { hinge = { "q", axis = "x" } })
  local half, limited = 0.5 * a.q + 3, (2 * a.q):limit { max = 50 }
  refuses(rig, "has no input or parameter 'elipse'", function()
    a:bone("b", { ball = { { half }, { limited }, along = "y", cone = { elipse = { 3 } } } })
  end)
  a:bone("c", { hinge = { { "p", axis = "y" }, { half, axis = "x" }, { limited, axis = "z" } } })
  local pose = rig:pose()
  pose.q, pose.p = 20, 30
  check.near_all(pose:frame("c", "a"), mat4.turn({ 0, 1, 0 }, 30) * mat4.turn({ 1, 0, 0 }, 13)
    * mat4.turn({ 0, 0, 1 }, 40), 1e-5)
end

function tests.bones_are_in_the_joint_set_of_their_parent_unless_they_say_another()
  local rig = sinew.rig "r"
  local a = rig:bone("a", { set = "one", hinge = { "q", axis = "x" } })
  local b = a:bone("b", { hinge = { "p", axis = "x" } })
  check.equal(b.joint_set.name .. b.p.name, "oneone.p")
  check.equal(rig:bone("c", { parent = a }).joint_set.name, "one")
  check.equal(rig:bone("d", { parent = "a" }).joint_set.name, "one")
  check.equal(b:bone("e", { hinge = { "two.p", axis = "x" } }).joint_set.name, "two")
  local three = rig:joint_set "three"
  check.equal(three:bone("f", { parent = a }).joint_set, three)
  check.equal(a:bone("g", { set = three }).joint_set, three)
  -- the DOF's set may be another than the bone's, if the bone says so
  local h = three:bone("h", { parent = a, hinge = { "four.p", axis = "x" } })
  check.equal(h.joint_set.name .. h.p.name .. h.driver.component.name, "threefour.pthree.h_p")
  check.equal(rig:dof("five.x", 1, 2).name, "five.x")
  check.equal(#rig.joint_sets, 5)
  rig:compile()
end

function tests.names_never_meet()
  local rig = sinew.rig "r"
  local set = rig:joint_set "s"
  set:dof "a_q"
  local a = set:bone("a", { hinge = { "q", axis = "x" } })
  check.equal(a.driver.component.name, "s.a_q2")
  local b = set:bone("b", { hinge = { { a.q, axis = "x" }, { a.q, axis = "y" } } })
  check.equal(b.driver.component.inputs[2].source.component.name, "s.b_rotate2")
  rig:compile()
end

function tests.dofs_take_full_names_and_short_ranges()
  local rig = sinew.rig "r"
  local dof = rig:dof("knee.flexion", 0, 120, { rest = 10, label = "bend" })
  check.has(dof, { name = "knee.flexion", min = 0, max = 120, rest = 10, label = "bend" })
  check.equal(dof.joint_set.name, "knee")
  check.equal(rig:dof("knee.twist").joint_set, dof.joint_set)
  check.equal(dof.joint_set:dof("slide", -1, 1).max, 1)
  check.equal(#rig.joint_sets, 1)
  check.fails("min and max are expected", function() rig:dof("x", 3) end)
  check.fails("has no option 'mni'", function() rig:dof("hip.x", { mni = 3 }) end)
  check.equal(#rig.joint_sets, 1)
end

function tests.mirrored_and_loaded_rigs_have_the_dofs_as_fields()
  local rig = sinew.rig "legs"
  local pelvis = rig:bone "pelvis"
  pelvis:bone("femur_r", { set = "hip_r", at = { -0.1, 0, 0 }, ball = { along = "-y", cone = 50,
    { "flexion", -20, 120, axis = "-x" }, { "abduction", -30, 45, axis = "-z" },
    { "turn", -30, 45 } } }):bone("tibia_r", { at = { 0, -0.4, 0 },
    hinge = { "knee_r.flexion", 0, 120, axis = "x" } })
  sinew.mirror(rig)
  local loaded = assert(sinew.parse_xml(rig:xml(), "legs.xml"))
  for _, each in ipairs { rig, loaded } do
    local femur, tibia = each:find "femur_l", each:find "tibia_l"
    check.equal(femur.flexion.name, "hip_l.flexion")
    check.equal(femur.held.flexion.component.name, "hip_l.femur_l_reach")
    check.equal(tostring(femur.held.turn), "-hip_l.femur_l_reach.twist")
    check.equal(each:find "femur_r".held.turn.name, "twist")
    check.equal(tibia.flexion.name, "knee_l.flexion")
    local pose = each:pose()
    pose.hip_l.flexion, pose.knee_l.flexion = 40, 60
    pose.hip_r.flexion, pose.knee_r.flexion = 40, 60
    local l, r = pose:position "tibia_l", pose:position "tibia_r"
    check.near_all({ -l.x, l.y, l.z }, r, 1e-6)
  end
end

function tests.held_follows_a_chain_of_limits()
  local rig = sinew.rig "knee"
  local set = rig:joint_set "s"
  local hip, knee = set:dof("hip", -30, 120), set:dof("knee", 0, 150)
  local limit = set:dependency { hip, knee, upper = sinew.linear { { -30, 60 }, { 120, 150 } } }
  local again = set:dependency { hip, limit.value, lower = sinew.constant(10) }
  local offset = set:dependency { hip, again.value, offset = sinew.constant(5) }
  local bone = set:bone("bone", { hinge = { offset.value, axis = "x" } })
  check.equal(bone.held.knee, again.value)
  check.equal(bone.held.hip, hip)
  check.equal(bone.knee, knee)
  check.fails("segment 'bone' has no DOF 'kne' (did you mean 'knee'?)",
    function() return bone.held.kne end)
end

function tests.dofs_of_the_own_joint_set_come_first()
  local rig = sinew.rig "leg"
  local femur = rig:bone("femur", { hinge = { "hip.flexion", axis = "x" } })
  local set = rig:joint_set "knee"
  local flexion = set:dof("flexion", 0, 120)
  local limit = set:dependency { femur.flexion, flexion, lower = sinew.constant(0) }
  local tibia = set:bone("tibia", { parent = femur, hinge = { limit, axis = "x" } })
  check.equal(tibia.flexion, flexion)
end

function tests.mistakes_say_what_to_write_and_leave_nothing_behind()
  local rig = sinew.rig "r"
  local a = rig:bone("a", { hinge = { "knee.flexion", 0, 120, axis = "x" } })
  local other = sinew.rig("other"):dof "y"
  local function bone(text, options) refuses(rig, text, function() a:bone("b", options) end) end
  bone("hinge of 'b': 'knee.flexion' is there already; to follow it give the DOF, not its name; "
    .. "a new one needs another name or joint set", { hinge = { "flexion", axis = "x" } })
  bone("hinge of 'b' needs an axis: axis = \"x\", or a direction such as {1, 0, 0.08}",
    { hinge = { "bend" } })
  bone("hinge of 'b': axis must be \"x\", \"-x\", \"y\", \"-y\", \"z\", \"-z\" or a direction, "
    .. "not \"w\"", { hinge = { "bend", axis = "w" } })
  bone("hinge of 'b': axis must be a direction, not boolean", { hinge = { "bend", axis = true } })
  bone("hinge of 'b': axis has no direction", { hinge = { "bend", axis = { 0, 0, 0 } } })
  bone("hinge of 'b': 'bend' cannot move: min 5, max 5", { hinge = { "bend", 5, 5, axis = "x" } })
  bone("hinge of 'b' has no option 'center' (did you mean 'centre'", { hinge = { "bend", axis = "x",
    center = { 0, 0, 0 } } })
  bone("hinge of 'b': [4] is one too many", { hinge = { "bend", 0, 1, 2, axis = "x" } })
  bone("hinge of 'b' needs the name of a new DOF or a source first", { hinge = { axis = "x" } })
  bone("hinge of 'b': the name of a new DOF or a source is wanted, not a number",
    { hinge = { 30, axis = "x" } })
  bone("hinge of 'b' follows a number, not a matrix", { hinge = { a.driver, axis = "x" } })
  bone("hinge of 'b': y is of another rig", { hinge = { other, axis = "x" } })
  bone("hinge of 'b' follows knee.flexion, which has its range already; 'min' is for a new DOF",
    { hinge = { a.flexion, 0, 5, axis = "x" } })
  bone("hinge of 'b': 2*y is of another rig", { hinge = { 2 * other, axis = "x" } })
  bone("hinge of 'b' follows a number, not a matrix",
    { hinge = { sinew.rotate(a.flexion, "x"), axis = "x" } })
  bone("hinge of 'b' follows -knee.flexion, which has its range already; 'max' is for a new DOF",
    { hinge = { -a.flexion, max = 5, axis = "x" } })
  -- the first hinge was made already
  bone("hinge of 'b' needs an axis", { hinge = { { "new.one", axis = "x" }, { "two" } } })
  bone("hinge of 'b' needs the name of a new DOF or a source first", { hinge = {} })
  bone("bone 'b' has no option 'hing' (did you mean 'hinge'", { hing = {} })
  bone("bone 'b' has its parent already: 'a'", { parent = a })
  bone("'at' must be a vec3 or a table of three numbers, not string", { at = "x" })
  bone("'rotate' must be a quat or a mat4, not string", { rotate = "x" })
  bone("'rotate' and 'turn' are the same; give one", { rotate = sinew.quat(), turn = sinew.quat() })
  bone("slider of 'b' has no 'centre', which is a hinge's", { slider = { "s", axis = "x",
    centre = { 0, 0, 0 } } })
  bone("ball of 'b' needs two swings", { ball = { "x", along = "y" } })
  bone("ball of 'b' needs an axis: along = \"x\"", { ball = { "s1", "s2" } })
  bone("ball of 'b': its twist is about `along`", { ball = { "s1", "s2", { "t", axis = "x" },
    along = "y" } })
  bone("ball of 'b': cone must be a half angle, four of them, points, a cone or its parameters, "
    .. "not boolean", { ball = { "s1", "s2", along = "y", cone = true } })
  -- found only when the cone itself is made
  bone("has no input or parameter 'elipse' (did you mean 'ellipse'", { ball = { "s1", "s2",
    along = "y", cone = { elipse = { 30 } } } })
  bone("free joint of 'b' has no option 'far'", { free = { far = 3 } })
  bone("set must be a joint set or its name, not number", { set = 3 })
  refuses(rig, "bone 'b' must be a table, not number", function() rig:bone("b", 3) end)
  refuses(rig, "string expected", function() rig:bone() end)
  refuses(rig, "segment 'a' has no DOF, field or method 'flexoin' (did you mean 'flexion'?)",
    function() return a.flexoin end)
  refuses(rig, "field 'flexion' of segment cannot be set", function() a.flexion = 3 end)
  -- what was refused can be made, and nothing of it is left
  local b = a:bone("b", { shape = { 1 }, hinge = { "bend", 0, 5, axis = "x" } })
  check.equal(b.bend.label, nil)
  rig:compile()
end

function tests.notes_of_what_was_refused_are_gone()
  local rig = sinew.rig "r"
  check.fails("needs an axis", function()
    rig:bone("b", { shape = { "old" }, hinge = { { "q", axis = "x", label = "old" }, { "p" } } })
  end)
  local b = rig:bone("b", { hinge = { "q", axis = "x" } })
  check.equal(b.shape, nil)
  check.equal(b.q.label, nil)
end

function tests.mistakes_of_compiling_name_the_line_of_the_bone()
  local rig = sinew.rig "r"
  local line = here() + 1
  rig:bone("b", { hinge = { "q", 0, 10, rest = 20, axis = "x" } })
  check.fails(("test_joint.lua:%d: DOF 'q'"):format(line), rig.compile, rig)
end

function tests.works_through_metatables_and_closed_rigs()
  local rig = sinew.rig "r"
  local evil = setmetatable({ "q", axis = "x" }, { __index = function() rig:close() end,
    __pairs = function() rig:close() end })
  rig:bone("b", { hinge = evil })
  check.equal(rig:find "b".q.name, "q")
  rig:close()
  check.fails("the rig was closed", function() rig:bone "c" end)
end

function tests.a_robot_arm_and_a_spider_are_short()
  local arm = sinew.rig "arm"
  arm:bone("base", { hinge = { "pan", -180, 180, axis = "y" } })
    :bone("upper", { at = { 0, 0.3, 0 }, hinge = { "shoulder", -90, 90, axis = "x" } })
    :bone("lower", { at = { 0, 0.5, 0 }, hinge = { "elbow", 0, 150, axis = "x" } })
    :bone("hand", { at = { 0, 0.4, 0 },
      hinge = { { "pitch", axis = "x" }, { "roll", axis = "y" } } })
  check.equal(#arm.dofs, 5)
  check.near_all(arm:pose():position "hand", vec3(0, 1.2, 0), 1e-6)
  local spider = sinew.rig "spider"
  local body = spider:bone("body", { free = true })
  for i = 1, 8 do
    body:bone("coxa" .. i, { hinge = { ("leg%d.yaw"):format(i), -40, 40, axis = "y" },
        rotate = sinew.quat.axis({ 0, 1, 0 }, 45 * i) })
      :bone("femur" .. i, { at = { 0.1, 0, 0 }, hinge = { "lift", -60, 60, axis = "z" } })
      :bone("tibia" .. i, { at = { 0.3, 0, 0 }, hinge = { "bend", -120, 0, axis = "z" } })
  end
  check.equal(#spider.dofs, 30)
  check.equal(spider:find "tibia3".joint_set.name, "leg3")
  local pose = spider:pose()
  pose.leg3.bend = -30
  check.near(pose:position "tibia8".x, 0.4, 1e-6)
end

-- a rig from XML may have a circle until it is compiled
function tests.wires_in_a_circle_end()
  local rig = sinew.rig "r"
  local set = rig:joint_set "s"
  local minus = sinew.polynomial { 0, -1 }
  local one = set:map { set:dof("q", 0, 1), name = "one", y = minus }
  local two = set:map { one, name = "two", y = minus }
  set:bone("bone", { hinge = { two, axis = "x" } })
  check.equal(rig:find "bone".held.q.name, "s.q")
  local text, count = rig:xml():gsub('from="s.q"', 'from="s.two"')
  check.equal(count, 1)
  local circle = sinew.parse_xml(text, "circle.xml")
  if circle then check.equal(next(circle:find "bone".held), nil) end
end

local check, tests = ...
local sinew = require "sinew"
local sample = require "sample"

function tests.moves_with_its_dofs()
  local k = sample.knee()
  local pose = k.rig:pose()
  check.equal(pose["knee.flexion"], 0)
  check.near_all(pose:world "tibia":position(), { 0, 0.5, 0 })
  pose["knee.flexion"] = 90
  check.equal(pose["knee.flexion"], 90)
  -- translated down by 0.012 * 90 / 120
  check.near_all(pose:world "tibia",
    { 1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0.491, 0, 1 }, 1e-6)
  check.near_all(pose:driven "tibia",
    { 1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, -0.009, 0, 1 }, 1e-6)
  check.near_all(pose:driven "femur", sinew.mat4(), 0)
  check.near(pose:value(k.bend.angle), 90)
  check.near_all(pose:value(k.turn), pose:value(k.turn.transform), 0)
end

function tests.accepts_handles_and_names()
  local k = sample.knee()
  local pose = k.rig:pose()
  pose[k.flexion] = 30
  check.equal(pose["knee.flexion"], 30)
  check.equal(pose[k.flexion], 30)
  check.equal(pose:world(k.tibia), pose:world "tibia")
  check.equal(pose.rig, k.rig)
  check.equal(tostring(pose), "pose of rig 'knee': 1 DOF, 2 segments")
end

function tests.writes_to_the_given_object()
  local k = sample.knee()
  local pose = k.rig:pose()
  local m = sinew.mat4.translation(9, 9, 9)
  check.that(rawequal(pose:world("tibia", m), m))
  check.near_all(m:position(), { 0, 0.5, 0 })
  check.that(rawequal(pose:driven("tibia", m), m))
  check.that(rawequal(pose:value(k.turn, m), m))
  check.fails("mat4 expected, got table", pose.world, pose, "tibia", {})
end

function tests.keeps_poses_separate()
  local k = sample.knee()
  local a, b = k.rig:pose(), k.rig:pose()
  a["knee.flexion"] = 90
  check.equal(b["knee.flexion"], 0)
  check.near_all(b:world "tibia":position(), { 0, 0.5, 0 })
end

function tests.clamps_dofs_to_their_ranges_and_reports_it()
  local k = sample.knee()
  local pose = k.rig:pose()
  check.equal(#pose:holds(), 0)
  pose["knee.flexion"] = 150
  check.equal(pose["knee.flexion"], 120)
  local holds = pose:holds()
  check.equal(#holds, 1)
  check.has(holds[1], { name = "knee.flexion", port = "", by = "its own range", amount = -30 })
  for _, beyond in ipairs { { ["knee.flexion"] = 150 }, { [k.flexion] = -1 }, { 150 },
    sinew.buffer { 150 } } do
    check.equal(pose:set(beyond), false)
  end
  for _, within in ipairs { { ["knee.flexion"] = 50 }, sinew.buffer { 15 }, {} } do
    check.equal(pose:set(within), true)
  end
  check.equal(pose["knee.flexion"], 15)
end

function tests.sets_and_reads_all_dofs_at_once()
  local rig = sample.chain(5)
  local pose = rig:pose()
  local values = { 10, 20, 30, 40, 50 }
  check.equal(pose:set(values), true)
  check.near_all(pose:dofs(), values)
  local buffer = sinew.buffer(5)
  check.equal(pose:dofs(buffer), buffer)
  check.near_all(buffer, values)
  local other = rig:pose()
  other:set(buffer)
  local worlds = other:worlds()
  check.equal(#worlds, 80)
  for i = 1, 5 do
    local m = pose:world("s" .. i)
    for j = 1, 16 do check.equal(worlds[16 * (i - 1) + j], m[j]) end
  end
  local flat = sinew.buffer(80)
  check.writes(flat, pose:worlds(flat), worlds)
  local reused = {}
  check.writes(reused, pose:worlds(reused), worlds)
  pose:set { ["j2.q"] = -5, ["j4.q"] = 5 }
  check.near_all(pose:dofs(), { 10, -5, 30, 5, 50 })
  check.equal(pose:reset(), pose)
  check.near_all(pose:dofs(), { 0, 0, 0, 0, 0 })
end

function tests.sets_all_or_none()
  local pose = sample.chain(3):pose()
  pose:set { 1, 2, 3 }
  check.fails("DOF 'j3.q': ", pose.set, pose, { 4, 5, 0 / 0 })
  check.fails("DOF 'j3.q': number expected, got string", pose.set, pose, { 4, 5, "6" })
  check.fails("DOF 'j3.q': ", pose.set, pose, sinew.buffer { 4, 5, 1 / 0 })
  check.fails("is not finite", pose.set, pose, { ["j1.q"] = 4, ["j2.q"] = 1 / 0 })
  check.fails("number expected", pose.set, pose, { ["j1.q"] = 4, ["j2.q"] = {} })
  check.fails("no DOF named 'j9.q'", pose.set, pose, { ["j1.q"] = 4, ["j9.q"] = 5 })
  check.fails("4 values for 3 DOFs", pose.set, pose, { 1, 2, 3, 4 })
  check.fails("2 values for 3 DOFs", pose.set, pose, sinew.buffer(2))
  check.fails("DOFs must be given in order, or by name or handle", pose.set, pose, { [true] = 1 })
  check.near_all(pose:dofs(), { 1, 2, 3 })
end

function tests.reports_mistakes()
  local k, other = sample.knee(), sample.knee "other"
  local pose = k.rig:pose()
  check.fails("pose has no DOF, joint set, field or method 'knee.flexon' "
    .. "(did you mean 'knee.flexion'?)",
    function() pose["knee.flexon"] = 1 end)
  check.fails("pose has no DOF, joint set, field or method 'wrold' (did you mean 'world'",
    function() return pose.wrold end)
  check.fails("pose has no field 1", function() return pose[1] end)
  check.fails("DOF 'knee.flexion': number expected, got string",
    function() pose["knee.flexion"] = "45" end)
  check.fails("DOF 'knee.flexion': number expected, got nil",
    function() pose["knee.flexion"] = nil end)
  for _, wrong in ipairs { 0 / 0, 1 / 0, -1 / 0, 1e300 } do
    check.fails("is not finite", function() pose["knee.flexion"] = wrong end)
  end
  check.fails("the DOF is of another rig", function() pose[other.flexion] = 1 end)
  check.fails("the DOF is of another rig", function() return pose[other.flexion] end)
  check.fails("the segment is of another rig", pose.world, pose, other.tibia)
  check.fails("the port is of another rig", pose.value, pose, other.bend.angle)
  check.fails("the component is of another rig", pose.value, pose, other.turn)
  check.fails("no segment named 'tibbia' (did you mean 'tibia'?)", pose.world, pose, "tibbia")
  check.fails("segment or its name expected, got number", pose.world, pose, 5)
  check.fails("segment or its name expected, got DOF", pose.driven, pose, k.flexion)
  check.fails("port or component expected, got string", pose.value, pose, "knee.bend")
  check.fails("component 'knee.bend' has 2 outputs", pose.value, pose, k.bend)
  check.fails("table or buffer expected, got number", pose.set, pose, 5)
  check.fails("table or buffer expected, got vec3", pose.worlds, pose, sinew.vec3())
  check.fails("the buffer holds 31 numbers, 32 are needed", pose.worlds, pose, sinew.buffer(31))
  check.fails("pose:eval cannot be replaced", function() pose.eval = 1 end)
  check.fails("field 'rig' of pose cannot be set", function() pose.rig = 1 end)
  check.fails("pose expected, got string; a method is called with ':', not '.'", pose.world,
    "tibia")
  check.fails("pose expected, got rig", pose.eval, k.rig)
end

function tests.raises_after_it_is_closed()
  local pose = sample.knee().rig:pose()
  pose:close()
  pose:close()
  check.equal(tostring(pose), "pose (closed)")
  for _, use in ipairs { "eval", "reset", "dofs", "worlds", "holds" } do
    check.fails("the pose was closed", pose[use], pose)
  end
  check.fails("the pose was closed", pose.world, pose, "tibia")
  check.fails("the pose was closed", pose.set, pose, {})
  check.fails("the pose was closed", function() return pose["knee.flexion"] end)
  check.fails("the pose was closed", function() pose["knee.flexion"] = 1 end)
  check.fails("the pose was closed", function() return pose.rig end)
end

function tests.makes_no_garbage_in_ten_thousand_frames()
  local k = sample.knee()
  local rig = sample.chain(19)
  local pose, knee = rig:pose(), k.rig:pose()
  local values, numbers, worlds = sinew.buffer(19), {}, sinew.buffer(19 * 16)
  for i = 1, 19 do numbers[i] = i end
  local m, flat = sinew.mat4(), pose:worlds()
  check.no_garbage(function(i)
    values:fill(i % 90)
    pose:set(values)
    pose:eval()
    pose:worlds(worlds)
  end)
  check.no_garbage(function(i)
    numbers[3] = i % 80
    pose:set(numbers)
    pose:worlds(flat)
    pose:dofs(values)
    pose:world("s7", m)
  end)
  check.no_garbage(function(i)
    knee["knee.flexion"] = i % 100
    knee:driven("tibia", m)
  end)
end

function tests.reads_and_sets_dofs_by_joint_set()
  local k = sample.knee()
  local pose = k.rig:pose()
  pose.knee.flexion = 60
  check.equal(pose["knee.flexion"], 60)
  check.equal(pose.knee.flexion, 60)
  check.equal(pose[k.flexion], 60)
  pose.knee.flexion = 500
  check.equal(pose.knee.flexion, 120)
  check.that(rawequal(pose.knee, pose.knee))
  check.equal(tostring(pose.knee), "joint set 'knee' of a pose")
  local other = k.rig:pose()
  check.equal(other.knee.flexion, 0)
  check.fails("joint set 'knee' has no DOF 'flexoin' (did you mean 'flexion'?)",
    function() return pose.knee.flexoin end)
  check.fails("joint set 'knee' has no DOF 'flexoin' (did you mean 'flexion'?)",
    function() pose.knee.flexoin = 1 end)
  check.fails("joint set 'knee': the name of a DOF is expected, not a number",
    function() return pose.knee[1] end)
  check.fails("DOF 'knee.flexion': number expected, got string",
    function() pose.knee.flexion = "a" end)
  check.fails("DOF 'knee.flexion': inf is not finite",
    function() pose.knee.flexion = math.huge end)
  check.fails("has no DOF, joint set, field or method 'kneee' (did you mean 'knee'",
    function() return pose.kneee.flexion end)
  check.fails("field 'knee' of pose cannot be set", function() pose.knee = 5 end)
  local view = pose.knee
  pose:close()
  check.fails("the pose was closed", function() return view.flexion end)
  check.fails("the pose was closed", function() view.flexion = 1 end)
end

function tests.keeps_a_view_of_an_older_state_of_its_rig()
  local k = sample.knee()
  local pose = k.rig:pose()
  local view = pose.knee
  k.knee:dof("twist", { min = -10, max = 10 })
  check.fails("joint set 'knee' has no DOF 'twist'", function() return view.twist end)
  check.equal(k.rig:pose().knee.twist, 0)
end

function tests.views_go_with_their_pose()
  local k = sample.knee()
  k.rig:compile()
  local held = setmetatable({}, { __mode = "v" })
  do
    local pose = k.rig:pose()
    held[1], held[2] = pose, pose.knee
  end
  collectgarbage()
  collectgarbage()
  check.equal(next(held), nil)
end

function tests.gives_positions_and_frames_of_segments()
  local rig = sample.chain(4)
  local pose = rig:pose()
  pose:set { 20, -35, 50, 80 }
  check.equal(pose:position "s3", pose:world "s3":position())
  local slow = pose:world "s2":inverse() * pose:world "s4"
  check.near_all(pose:frame("s4", "s2"), slow, 1e-6)
  check.near_all(pose:frame("s2", "s4"), slow:inverse(), 1e-6)
  check.near_all(pose:frame(rig:find "s3", "s3"), sinew.mat4(), 1e-6)
  local v, m = sinew.vec3(), sinew.mat4()
  check.that(rawequal(pose:position("s1", v), v))
  check.that(rawequal(pose:frame("s4", "s2", m), m))
  check.fails("no segment named 's9'", function() pose:position "s9" end)
  check.fails("no segment named 's9'", function() pose:frame("s1", "s9") end)
  check.fails("segment or its name expected, got no value", function() pose:frame "s1" end)
end

function tests.a_flattened_segment_has_no_frames_in_it()
  local rig = sinew.rig "flat"
  local press = sinew.component { name = "press", inputs = { "x" }, outputs = { "m: matrix" },
    eval = function() return sinew.mat4.scaling(1, 0, 1) end }
  local a = rig:segment "a"
  a:drive(rig:add(press { rig:dof "x" }))
  rig:segment("b", { parent = a })
  check.fails("segment 'a' is flattened", function() rig:pose():frame("b", "a") end)
end

function tests.a_pose_takes_values_when_it_is_made()
  local k = sample.knee()
  check.near(k.rig:pose({ ["knee.flexion"] = 40 }).knee.flexion, 40)
  check.near(k.rig:pose().knee.flexion, 0)
  check.fails("knee.flexion", function() k.rig:pose { ["knee.flexio"] = 40 } end)
  check.fails("table or buffer", function() k.rig:pose(40) end)
end

function tests.short_forms_make_no_garbage()
  local k = sample.knee()
  local pose, v, m = k.rig:pose(), sinew.vec3(), sinew.mat4()
  local _ = pose.knee
  check.no_garbage(function(i)
    pose.knee.flexion = i % 100
    pose:position("tibia", v)
    pose:frame("tibia", "femur", m)
    return pose.knee.flexion + pose[k.flexion]
  end)
end

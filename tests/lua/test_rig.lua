local check, tests = ...
local sinew = require "sinew"
local sample = require "sample"

function tests.rests_at_the_rest_frames_of_its_segments()
  local rig = sinew.rig "three"
  local a = rig:segment("a", { at = { 1, 2, 3 } })
  local b = rig:segment("b", { parent = a, at = sinew.vec3(0, 1, 0),
    turn = sinew.quat.axis({ 0, 0, 1 }, 90) })
  rig:segment("c", { parent = "b", at = { x = 1 } })
  rig:segment("d", { rest = sinew.mat4.translation(4, 5, 6) })
  check.near_all(a.at, { 1, 2, 3 })
  check.near_all(b.rotate, sinew.quat.axis({ 0, 0, 1 }, 90), 1e-6)
  local pose = rig:pose()
  check.near_all(pose:world "a":position(), { 1, 2, 3 })
  check.near_all(pose:world(b):position(), { 1, 3, 3 })
  -- b rotates x to y
  check.near_all(pose:world "c":position(), { 1, 4, 3 })
  check.near_all(pose:world "d":position(), { 4, 5, 6 })
end

function tests.is_made_from_the_rotation_of_a_matrix()
  local rig = sinew.rig "turned"
  local m = sinew.mat4.translation(9, 9, 9) * sinew.mat4.turn({ 0, 1, 0 }, 90)
  local s = rig:segment("s", { turn = m, at = { 0, 1, 0 } })
  check.near_all(s.rest, { 0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1 }, 1e-6)
end

function tests.lists_its_contents()
  local k = sample.knee()
  check.has(k.rig, { name = "knee", segments = { k.femur, k.tibia }, dofs = { k.flexion },
    components = { k.bend }, joint_sets = { k.knee } })
  check.near_all({ #k.rig.segments, #k.rig.dofs, #k.rig.components, #k.rig.joint_sets },
    { 2, 1, 4, 1 }, 0)
  check.equal(tostring(k.rig), "rig 'knee': 2 segments, 1 DOF, 4 components, not compiled yet")
  check.equal(k.rig:compile(), k.rig)
  check.equal(tostring(k.rig), "rig 'knee': 2 segments, 1 DOF, 4 components")
  check.equal(k.rig.warnings, "")
end

function tests.describes_segments_dofs_and_joint_sets()
  local k = sample.knee()
  check.has(k.tibia, { name = "tibia", parent = "femur" })
  check.equal(k.femur.parent, nil)
  check.near_all(k.femur.rest:position(), { 0, 0.9, 0 })
  check.equal(tostring(k.tibia), "segment 'tibia'")
  check.equal(k.knee.name, "knee")
  check.equal(tostring(k.knee), "joint set 'knee'")
  check.has(k.flexion, { name = "knee.flexion", min = 0, max = 120, rest = 0, unit = "deg" })
  check.equal(tostring(k.flexion), "DOF 'knee.flexion': 0 to 120 deg, rest 0")
end

function tests.gives_dofs_their_defaults()
  local rig = sinew.rig "dofs"
  check.has(rig:dof "free", { name = "free", min = -180, max = 180, rest = 0 })
  check.equal(rig:dof("above", { min = 10, max = 20 }).rest, 10)
  check.equal(rig:dof("below", { min = -20, max = -10 }).rest, -10)
  local lift = rig:dof("lift", { min = 0, max = 1, rest = 0.5, unit = "m", label = "up" })
  check.has(lift, { rest = 0.5, unit = "m", label = "up" })
  lift.label = "height"
  check.equal(rig:find "lift".label, "height")
  check.equal(rig:pose().lift, 0.5)
end

function tests.keeps_shapes_and_notes()
  local k = sample.knee()
  local shape = { kind = "long bone" }
  k.femur.shape = shape
  check.equal(k.rig:find "femur".shape, shape)
  check.equal(k.tibia.shape, nil)
  check.equal(k.rig:segment("patella", { shape = shape }).shape, shape)
  for _, handle in ipairs { k.femur, k.flexion, k.knee, k.bend } do
    check.equal(handle:note "source", nil)
    check.equal(handle:note("source", "measured"), handle)
    check.equal(handle:note "source", "measured")
    handle:note("source", nil)
    check.equal(handle:note "source", nil)
  end
end

function tests.finds_by_name_before_it_is_compiled()
  local k = sample.knee()
  k.knee:rotation { k.flexion, name = "wrong" } -- the axis is missing: the rig does not compile
  check.equal(k.rig:find "tibia", k.tibia)
  check.equal(k.rig:find "knee.flexion", k.flexion)
  check.equal(k.rig:find "knee.bend", k.bend)
  check.equal(k.rig:find "knee", k.knee)
  check.fails("rig 'knee' has no segment, component, DOF or joint set 'knee.flexon'"
    .. " (did you mean 'knee.flexion'?)", k.rig.find, k.rig, "knee.flexon")
end

function tests.can_be_edited_after_poses_were_made()
  local k = sample.knee()
  local before = k.rig:pose()
  before["knee.flexion"] = 90
  local foot = k.rig:segment("foot", { parent = k.tibia, at = { 0, -0.4, 0 } })
  check.near_all(before:world "tibia":position(), { 0, 0.491, 0 }, 1e-5)
  check.fails("no segment named 'foot'", before.world, before, "foot")
  check.fails("the segment was added to the rig after this pose was created", before.world, before,
    foot)
  local after = k.rig:pose()
  after["knee.flexion"] = 90
  -- the shank points backwards
  check.near_all(after:world(foot):position(), { 0, 0.491, -0.4 }, 1e-5)
end

function tests.lists_every_mistake_at_once_with_its_line()
  local rig = sinew.rig "wrong"
  local set = rig:joint_set "set"
  local x = set:dof "x"
  set:rotation { x, axis = { 0, 0, 0 } }
  set:rotation { x, axis = { 0, 1, 0 }, angles = { 3, 1 } }
  local message = check.fails("rig 'wrong' has 2 mistakes:\n", rig.pose, rig)
  check.that(message:match("test_rig%.lua:%d+: component 'set%.rotation1'"), message)
  check.that(message:match("\n[^\n]*test_rig%.lua:%d+: component 'set%.rotation2'"), message)
end

function tests.reports_a_mistake_with_one_position()
  local rig = sinew.rig "wrong"
  rig:rotation { rig:dof "x", axis = { 0, 0, 0 } }
  local message = check.fails("component 'rotation1'", function() rig:compile() end)
  local _, places = message:gsub("%.lua:%d+:", "")
  check.equal(places, 1)
end

function tests.raises_after_it_is_closed()
  local k = sample.knee()
  local pose = k.rig:pose()
  k.rig:close()
  k.rig:close()
  check.equal(tostring(k.rig), "rig (closed)")
  for kind, handle in pairs { segment = k.tibia, DOF = k.flexion, component = k.bend,
    ["joint set"] = k.knee } do
    check.equal(tostring(handle), kind .. " (its rig was closed)")
  end
  check.fails("the rig was closed", function() return k.rig.name end)
  check.fails("the rig was closed", k.rig.pose, k.rig)
  check.fails("the rig was closed", k.rig.crowd, k.rig, 2)
  check.fails("the rig was closed", k.rig.segment, k.rig, "x")
  check.fails("the rig of this segment was closed", function() return k.tibia.name end)
  check.fails("the rig of this segment was closed", k.tibia.drive, k.tibia, k.turn)
  check.fails("the rig of this joint set was closed", k.knee.dof, k.knee, "x")
  check.fails("the rig of this component was closed", function() return k.bend.angle end)
  check.fails("the rig of this component was closed", k.turn.set, k.turn, "axis", { 0, 1, 0 })
  check.fails("the rig of this DOF was closed", k.flexion.note, k.flexion, "x")
  -- a pose keeps the compiled rig alive
  pose["knee.flexion"] = 90
  check.near_all(pose:world "tibia":position(), { 0, 0.491, 0 }, 1e-5)
end

function tests.warns_of_dofs_that_do_nothing()
  local rig = sinew.rig "r"
  local line = debug.getinfo(1, "l").currentline + 1
  rig:dof("idle", { min = 0, max = 1 })
  local stuck = rig:dof("stuck", { min = 5, max = 5 })
  local far = rig:dof("far", { min = 0, max = 1 })
  local used = rig:dof("used", { min = 0, max = 1 })
  local bone = rig:segment "bone"
  rig:map { far, y = sinew.polynomial { 0, 1 } } -- which nothing reads
  bone:drive(rig:multiply { rig:rotation { used, axis = { 1, 0, 0 } },
    rig:rotation { stuck, axis = { 1, 0, 0 } } })
  check.equal(rig.warnings:gsub("[^\n]*test_rig%.lua:", ""), table.concat({
    ("%d: DOF 'idle' moves nothing: no segment is driven by it"):format(line),
    ("%d: DOF 'stuck' cannot move: its min and max are both 5"):format(line + 1),
    ("%d: DOF 'far' moves nothing: no segment is driven by it"):format(line + 2),
  }, "\n"))
  -- nothing to move
  local network = sinew.rig "network"
  network:dof "x"
  check.equal(network.warnings, "")
end

-- Reading a rig back: its structure, drivers, wires and parameters.
local check, tests = ...
local sinew = require "sinew"

local function knee()
  local rig = sinew.rig "knee"
  local femur = rig:segment "femur"
  local tibia = rig:segment("tibia", { parent = femur, at = { 0, -0.4, 0 } })
  local set = rig:joint_set "knee"
  local flexion = set:dof("flexion", { min = 0, max = 120 })
  local bend = set:map { flexion, angle = sinew.linear { { 0, 0 }, { 120, -120 } },
    slide = sinew.constant(0.01), name = "bend" }
  local moved = set:translation { y = bend.slide, z = 0.25, name = "moved" }
  local turn = set:rotation { bend.angle, axis = { 1, 0, 0.5 }, name = "turn" }
  tibia:drive(set:multiply { moved, turn, sinew.mat4.translation(0, 0, 1), name = "all" })
  return rig, set, femur, tibia, flexion
end

function tests.joint_sets_list_their_members()
  local rig, set, femur, tibia, flexion = knee()
  local shin = set:segment("shin", { parent = tibia })
  check.has(set, { rig = rig, segments = { tibia, shin }, dofs = { flexion } })
  check.near_all({ #set.segments, #set.dofs, #set.components }, { 2, 1, 4 }, 0)
  check.equal(tibia.joint_set, nil)
  for _, member in ipairs { shin, flexion, set.components[1] } do
    check.equal(member.joint_set, set)
  end
  check.equal(femur.rig, rig)
  local other = rig:joint_set "other"
  check.equal(#other.segments + #other.dofs + #other.components, 0)
end

function tests.segments_return_their_driver()
  local rig, set, femur, tibia = knee()
  check.equal(femur.driver, nil)
  check.equal(tibia.driver.component.name, "knee.all")
  check.equal(tibia.driver.name, "transform")
  check.equal(tibia.driver, set.components[4].transform)
  local plain = rig:rotation { 3, axis = { 1, 0, 0 } }
  femur:drive(plain.transform)
  check.equal(femur.driver, plain.transform)
end

function tests.components_list_wires_and_constants()
  local _, set, _, _, flexion = knee()
  local bend, moved, turn, all = set.components[1], set.components[2], set.components[3],
    set.components[4]
  check.equal(#bend.inputs, 1)
  check.has(bend.inputs[1], { name = "x", kind = "scalar", source = flexion })
  local by_name = {}
  for _, input in ipairs(moved.inputs) do by_name[input.name] = input.source end
  check.has(by_name, { y = bend.slide, z = 0.25 })
  check.equal(turn.inputs[1].source, bend.angle)
  check.equal(#all.inputs, 3)
  check.equal(all.inputs[2].source, turn.transform)
  check.equal(all.inputs[3].kind, "matrix")
  check.near_all(all.inputs[3].source, sinew.mat4.translation(0, 0, 1), 0)
end

function tests.components_return_parameters_and_definition()
  local rig, set = knee()
  local bend, turn = set.components[1], set.components[3]
  check.near_all(turn.params.axis, { 1, 0, 0.5 }, 0)
  check.equal(turn.params.centre, nil)
  check.equal(turn.definition, nil)
  check.near(bend.params.angle(60), -60)
  local Spring = sinew.component { name = "spring", inputs = { "a" }, outputs = { "a" },
    params = { stiffness = 1, damping = 2 }, mirror = { stiffness = "same" },
    eval = function(_, a) return a end }
  local soft = rig:add(Spring { bend.angle, stiffness = 4 })
  check.has(soft, { params = { stiffness = 4, damping = 2 },
    definition = { name = "spring", mirror = { stiffness = "same" } } })
  -- a copy: changing it changes nothing
  soft.params.stiffness = 9
  check.equal(soft.params.stiffness, 4)
  local again = rig:add(soft.definition { bend.angle })
  check.equal(again.kind, "spring")
  rig:compile()
end

function tests.notes_are_returned_as_a_copy()
  local _, set, femur, _, flexion = knee()
  femur:note("source", "measured"):note("weight", 3)
  check.has(femur.notes, { source = "measured", weight = 3 })
  femur.notes.weight = 5
  check.equal(femur:note "weight", 3)
  check.equal(next(set.notes), nil)
  check.equal(next(flexion.notes), nil)
end

function tests.reading_from_a_closed_rig_raises()
  local rig, set, femur, tibia = knee()
  local turn = set.components[3]
  rig:close()
  for _, read in ipairs { function() return set.segments end, function() return femur.joint_set end,
    function() return tibia.driver end, function() return turn.inputs end,
    function() return turn.params end, function() return turn.definition end,
    function() return turn.rig end } do
    check.fails("closed", read)
  end
end

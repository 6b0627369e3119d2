-- Rigs that several test files use.
local sinew = require "sinew"

local sample = {}

-- the knee of the README: a hinge about x that also translates
function sample.knee(name)
  local rig = sinew.rig(name or "knee")
  local femur = rig:segment("femur", { at = { 0, 0.9, 0 } })
  local tibia = rig:segment("tibia", { parent = femur, at = { 0, -0.4, 0 } })
  local knee = rig:joint_set "knee"
  local flexion = knee:dof("flexion", { min = 0, max = 120 })
  local bend = knee:map { flexion, name = "bend",
    angle = sinew.linear { { 0, 0 }, { 120, 120 } },
    slide = sinew.linear { { 0, 0 }, { 120, -0.012 } },
  }
  local turn = knee:rotation { bend.angle, name = "turn", axis = { 1, 0, 0 } }
  tibia:drive(knee:multiply { knee:translation { y = bend.slide }, turn })
  return { rig = rig, femur = femur, tibia = tibia, knee = knee, flexion = flexion, bend = bend,
    turn = turn }
end

-- a joint set with one DOF "x" from -100 to 100 and one scripted component behind it
function sample.scripted(kind, arguments)
  local rig = sinew.rig "scripted"
  local set = rig:joint_set "set"
  local x = set:dof("x", { min = -100, max = 100 })
  arguments = arguments or {}
  arguments[1] = arguments[1] or x
  local component = set:add(kind(arguments))
  return { rig = rig, set = set, x = x, component = component }
end

-- a kind with one scalar in and one out
function sample.scalar(eval, params, record)
  return sinew.component { name = "scalar", inputs = { "x" }, outputs = { "y" }, params = params,
    eval = eval, record = record }
end

-- a chain of segments, each rotated about x, y or z by its own DOF
function sample.chain(count)
  local rig = sinew.rig "chain"
  local parent
  for i = 1, count do
    local set = rig:joint_set("j" .. i)
    local segment = rig:segment("s" .. i, { parent = parent, at = { 0, 0.1, 0 } })
    local axis = { 0, 0, 0 }
    axis[i % 3 + 1] = 1
    segment:drive(set:rotation { set:dof("q", { min = -90, max = 90 }), axis = axis })
    parent = segment
  end
  return rig
end

return sample

-- A knee cap whose script gives its derivative by dual numbers, and one whose script does not.
local sinew = require "sinew"
local dual = sinew.dual

local function glide(name, tangent)
  return sinew.component {
    name = name, inputs = { "angle", "frame: matrix" }, outputs = { "place: matrix" },
    params = { radius = 0.05 }, tangent = tangent,
    eval = function(self, angle, frame)
      local y = self.radius * dual.cos(angle / 2)
      return frame * dual.translation(0, y, self.radius - y) * dual.turn({ 1, 0, 0 }, angle / 3)
    end,
  }
end

local rig = sinew.rig "caps"
local knee = rig:joint_set "knee"
local flexion = knee:dof("flexion", { min = 0, max = 120 })
local turn = knee:dof("turn", { min = -20, max = 20 })
local frame = knee:rotation { turn, axis = { 0, 1, 0.2 }, name = "frame" }
local femur = rig:segment("femur", { at = { 0, 0.9, 0 } })
local function cap(name, tangent)
  rig:segment(name, { parent = femur, at = { 0, -0.4, 0.05 } }):drive(
    knee:add(glide("glide_" .. name, tangent) { flexion, frame, name = name }))
end
cap("exact", "dual")
cap("plain", "differences")
return rig

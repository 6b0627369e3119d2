-- A telescope that cannot become shorter than its tube: a scripted component with all that a kind
-- may declare. The tests of the programs and of the viewer use it.
local sinew = require "sinew"

local options = sinew.options { fault = { "none", "draw", "verify", "words",
  doc = "what of it is broken" } }

local Telescope = sinew.component {
  name = "telescope", doc = "a rod in a tube",
  inputs = { "length (m): between the pins", "slack (m) = 0: how far the end stop gives",
    "base (segment): what carries the tube" },
  outputs = { "frame (matrix): where the rod is" },
  params = { tube = { 0.3, unit = "m", min = 0.1, max = 1, doc = "the shortest length" } },
  holds = { length = "the tube's end stop" },
  eval = function(self, length, slack, _)
    local given = math.max(length, self.tube - slack)
    return sinew.mat4.translation(0, given, 0), given - length
  end,
  verify = function(self, _, slack, _, frame)
    if options.fault == "words" then error "no words" end
    local least = options.fault == "verify" and 0.5 or self.tube - slack
    return frame:position().y >= least - 1e-6, "the rod is inside the tube's end"
  end,
  draw = function(self, canvas, length)
    if options.fault == "draw" then error "no paint" end
    canvas:line({ 0.1, 0, 0 }, { 0.1, self.tube, 0 })
    canvas:arrow({ 0.15, 0, 0 }, { 0.15, length, 0 }, "orange")
    canvas:disc({ 0, self.tube, 0 }, { 0, 1, 0 }, 0.1, "#4f9d4a")
    canvas:ellipsoid({ 0, 0, 0 }, { 0.1, 0.05, 0.08 }, sinew.quat.axis({ 0, 1, 0 }, 30))
    canvas:cone({ 0, 0.6, 0 }, { 0, 1, 0 }, 30, 0.2, "purple")
    canvas:text({ 0.2, length, 0 }, ("%.2f m"):format(length))
  end,
}

local rig = sinew.rig "telescope"
local tube = rig:segment "tube"
tube:drive(rig:rotation { rig:dof("turn", -90, 90), axis = { 0, 0, 1 } })
local rod = rig:segment("rod", { parent = tube })
rod:drive(rig:add(Telescope { rig:dof("length", 0, 1, { unit = "m", rest = 0.5 }), base = tube }))
return rig

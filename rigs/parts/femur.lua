-- A right femur's shape: from the head, which is the origin of its segment, to the condyles, as
-- measured: data/knee.lua is of the same model.
local shapes = require "sinew.shapes"

return function() return shapes.femur {} end

-- Two shoulders on a rib cage, wired as [Shao 2003, fig. 9 to 11], with curves and frames fitted
-- to bone-pin measurements: raise the arm, and clavicle and scapula follow as they do in people.
local sinew = require "sinew"
local thorax = require "parts.thorax"
local shoulder = require "parts.shoulder"

local rig = sinew.rig "shoulder"
sinew.mirror(shoulder(rig, thorax(rig, { at = { 0, 1.4, 0 } }), require "data.shoulder"))
return rig

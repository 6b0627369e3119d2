-- shoulder.lua with the scapula constraint that is written in Lua in place of the engine's: a joint
-- of your own, without recompiling anything. The poses are the same.
local sinew = require "sinew"
local thorax = require "parts.thorax"
local shoulder = require "parts.shoulder"

local rig = sinew.rig "shoulder_scripted"
sinew.mirror(shoulder(rig, thorax(rig, { at = { 0, 1.4, 0 } }), require "data.shoulder",
  { slide = require "sinew.slide" }))
return rig

-- A rig that a character follows, as `sinew bind` writes it into a script:
--
--   local rig = require "sinew.bound" {
--     rig = "hero.xml", file = "hero.glb",
--     joints = { Hips = "pelvis", Spine = { "T10", at = "L3" },
--       ForeArm_L = { "ulna_l", toward = "radius_l", share = 0.5, aim = "Hand_L" },
--       ForeArmTwist_L = { twist = "Hand_L", aim = "Hand_L", share = 0.5 } },
--     pose = { ["left_shoulder.raise"] = 90 },
--     place = { 1, 0, 0, 0,  0, 1, 0, 0,  0, 0, 1, 0,  0, 0, 0, 1 },
--   }
--   return rig
--
-- rig and file are in the script's folder. (With `return require ...` the folder would be lost:
-- that
-- is a tail call, which Lua forgets.) joints may be edited: a segment's name or false for a joint
-- that keeps its place on its parent. Another segment for a joint of the body changes what it
-- follows;
-- `sinew bind RIG hero.glb --map hero.lua -o hero.lua` also fits the proportions again. The format
-- of
-- a joint is in sinew/character.h.
local sinew = require "sinew"
local json = require "sinew.bind.json"

local fields = { rig = "string", file = "string", joints = "table", pose = "table",
  place = "table" }

-- the folder of the script that called; a hosted script reads its folder anyway
local function folder()
  local debug = rawget(_G, "debug")
  local source = debug and debug.getinfo and debug.getinfo(3, "S").source or ""
  return source:match "^@(.*[/\\])" or ""
end

return function(binding)
  for field, kind in pairs(fields) do
    if type(binding[field]) ~= kind then
      error(("sinew.bound: '%s' must be a %s"):format(field, kind), 2)
    end
  end
  if #binding.place ~= 16 then error("sinew.bound: 'place' must be 16 numbers", 2) end
  local joints = {}
  for name, drive in pairs(binding.joints) do
    if drive ~= false and type(drive) ~= "string" and type(drive) ~= "table" then
      error(("sinew.bound: the joint '%s' must be a segment's name, a table, or false"):format(
        tostring(name)), 2)
    end
    joints[name] = drive or nil
  end
  local rig, problem = sinew.load_xml(folder() .. binding.rig)
  if not rig then error(problem, 2) end
  rig.binding = json { file = binding.file, place = binding.place, pose = binding.pose,
    joints = joints }
  return rig
end

-- Runs the LÖVE game in the folder $SINEW_GAME for a second, with a mouse that stands still;
-- shot.lua takes its picture and ends it. The pose of a gait is printed too.
local examples = love.filesystem.getSource() .. "/../../../lua/examples"
package.path = package.path .. ";" .. examples .. "/love/?.lua"
local game = os.getenv "SINEW_GAME"
local shot = os.getenv "SINEW_SHOT" and require "shot"
function love.filesystem.getSource() return game end
function love.filesystem.getSourceBaseDirectory() return examples end
function love.mouse.getPosition() return 620, 420 end

local conf = loadfile(game .. "/conf.lua")
if conf then conf() end
-- the same module that main.lua requires, to learn of its gait
local sinew = require "sinew"
local gait, walk = sinew.gait, nil
function sinew.gait(...)
  walk = gait(...)
  return walk
end

package.path = ("%s;%s/?.lua"):format(package.path, game)
dofile(game .. "/main.lua")
if love.load then love.load {} end
shot(function()
  if not walk then return end
  local standing = 0
  for i = 1, 6 do standing = standing + (select(4, walk:foot(i)) and 1 or 0) end
  print(("standing\t%d"):format(standing))
  return { rig = walk.pose.rig, pose = walk.pose }, walk.pose:worlds()
end)

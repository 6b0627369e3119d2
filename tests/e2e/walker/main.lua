-- The walker of lua/examples/walker with a mouse of its own; shot.lua takes its picture.
local examples = love.filesystem.getSource() .. "/../../../lua/examples"
package.path = package.path .. ";" .. examples .. "/love/?.lua"
local shot = require "shot"
function love.filesystem.getSourceBaseDirectory() return examples end
function love.mouse.getPosition() return 620, 420 end

dofile(examples .. "/walker/conf.lua")
-- the same module that main.lua requires, to learn of its gait
local sinew = require "sinew"
local gait, walk = sinew.gait, nil
function sinew.gait(...)
  walk = gait(...)
  return walk
end

dofile(examples .. "/walker/main.lua")
shot(function()
  local standing = 0
  for i = 1, 6 do standing = standing + (select(4, walk:foot(i)) and 1 or 0) end
  print(("standing\t%d"):format(standing))
  return { rig = walk.pose.rig, pose = walk.pose }, walk.pose:worlds()
end)

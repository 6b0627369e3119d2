-- A six-legged walker that follows the mouse. In the repository, after `./dev build`:
--   love lua/examples/walker
local sinew = require "sinew"
local view = require "sinew.love"
local rig = sinew.rig "walker"
local body = rig:bone("body", { set = "body", at = {0, 0.3, 0}, free = { range = 9 } })
body:bone("head", { at = {0, 0.05, 0.4} })
body:bone("abdomen", { at = {0, 0.1, -0.55} })
local legs = {}
for i = 1, 6 do
  local side, row = i % 2 * 2 - 1, 0.6 - 0.3 * math.ceil(i / 2)
  legs[i] = sinew.limb(body, "leg" .. i, { at = {0.08 * side, 0, 0.6 * row},
    foot = {0.5 * side, -0.3, 1.8 * row}, lengths = {0.1, 0.3, 0.45} })
end
local walk = sinew.gait(rig:pose(), legs, { stride = 0.3, lift = 0.12, speed = 1.2 })
local camera = view.camera { scale = 160, turn = 20, tilt = 40, shadow = 0, thickness = 0.07 }
function love.update(dt)
  local goal_x, goal_z = camera:ground(love.mouse.getPosition())
  walk:toward(goal_x, goal_z, dt)
end
function love.draw()
  love.graphics.clear(0.55, 0.65, 0.6)
  view.draw(walk.pose, camera)
end

-- A rig in a LÖVE 11 game. In the repository, after `./dev build`:
--   love lua/examples/love
-- Every DOF swings by itself; the arrow keys choose one and move it, space starts and stops the
-- swinging, r reloads. Save the rig's script while the game runs, and the figure changes. With the
-- script of a bound character (`sinew bind`) in $SINEW_RIG, its hand follows the mouse instead.
local shot = os.getenv "SINEW_SHOT" and require "shot" -- for the tests
local here = love.filesystem.getSource()
package.cpath = package.cpath .. (";%s/../../../build/luajit/?.so"):format(here)
local sinew = require "sinew"

local rig_path = os.getenv "SINEW_RIG" or here .. "/../../../rigs/shoulder.lua"

local figure = require "figure"

local live = assert(sinew.watch(rig_path, { log = print }))
local chosen, time, swinging = 1, 0, true
local trouble -- why the last evaluation failed; the figure keeps its last pose
local worlds -- every world matrix, 16 numbers each; refilled in each frame without allocating

local function dofs() return live.rig.dofs end

local function swing()
  for i, dof in ipairs(dofs()) do
    -- each DOF swings about its rest at its own speed
    local wave = 0.5 - 0.5 * math.cos(time * (0.7 + 0.13 * i))
    local target = i % 2 == 0 and dof.min or dof.max
    if math.abs(target - dof.rest) < 1e-6 then target = dof.min + dof.max - target end
    live.pose[dof.name] = dof.rest + 0.8 * wave * (target - dof.rest)
  end
end

function love.update(dt)
  if live:poll() then worlds = nil end
  chosen = math.min(chosen, #dofs())
  if swinging then
    time = time + dt
    swing()
  end
  local way = (love.keyboard.isDown "right" and 1 or 0) - (love.keyboard.isDown "left" and 1 or 0)
  local dof = dofs()[chosen]
  if dof and way ~= 0 then
    swinging = false
    live.pose[dof.name] = live.pose[dof.name] + way * dt * 0.4 * (dof.max - dof.min)
  end
  worlds = worlds or sinew.buffer(16 * #live.rig.segments)
  local ok, message = pcall(live.pose.worlds, live.pose, worlds)
  trouble = not ok and message or nil
end

function love.keypressed(key)
  local count = #dofs()
  if key == "escape" then love.event.quit() end
  if key == "space" then swinging = not swinging end
  if key == "r" then
    live:reload()
    worlds = nil
  end
  if key == "down" then chosen = chosen % count + 1 end
  if key == "up" then chosen = (chosen - 2) % count + 1 end
end

function love.draw()
  if worlds then figure.draw(live.rig, worlds) end
  figure.panel(live.rig, live.pose, chosen)
  if live.error or trouble then figure.message(live.error or trouble) end
end

if live.rig and live.rig.binding then require "hero"(live, rig_path) end
if shot then shot(function() return worlds and live, worlds end) end

-- A rig that is reloaded when its script changes: for Lua games, whose scripts are trusted.
--
--   local live = assert(sinew.watch "rigs/arm.lua")
--   function love.update() live:poll() end       -- cheap: checks files every 50 ms at most
--   live.pose["arm.raise"] = 30                  -- live.rig and live.pose: the last good ones
--   if live.error then draw(live.error) end      -- message of the last attempt; nil: it succeeded
--
-- A rig in XML (a path that ends with .xml) works the same way.
--
-- When the script, or a Lua module that it required, is saved, it is run again aside; only a rig
-- that loads, compiles and evaluates replaces the old one. DOF values carry over by name. A script
-- is run as sinew.load does.
--
--   live:poll([now])    true if there is a new rig. `now`: seconds of your own clock, optional
--   live:reload()       reloads now: true, or false and the message
--   live:carry(pose)    a pose of the newest rig with the DOF values of an older pose, by name
--   live.paused         set it to true to keep the current rig
--   live.path, live.files, live.count (rigs so far), live.milliseconds (of the last load)
--
-- Options: options = those of the rig's script (see sinew.load), which may be changed before a
-- reload as live.options.options; interval = seconds between looks, patience = seconds that a file
-- may keep changing, log = function(text), called once for each attempt after the first.
-- Where the first attempt fails, sinew.watch gives nil and the message.
local load_rig = require "sinew.load"

local Live = {}
Live.__index = Live

local function carried(rig, old)
  local pose = rig:pose()
  if old then pose:carry(old) end
  return pose
end

function Live:carry(pose) return carried(self.rig, pose) end

local function attempt(live, run)
  local rig = run:rig(live.options.options)
  return rig, carried(rig, live.pose):eval()
end

function Live:reload()
  local watcher = require "sinew.watcher"(self.options.interval, self.options.patience)
  local start, run = os.clock(), load_rig.run(self.path, watcher)
  local ok, rig, pose = pcall(attempt, self, run)
  self.milliseconds = 1000 * (os.clock() - start)
  if ok then
    self.rig, self.pose, self.error, self.count = rig, pose, nil, self.count + 1
  else
    self.error = load_rig.text_of(rig)
    -- the fault may lie in a file that this run did not come to
    for _, path in ipairs(self.files) do run:see(path) end
  end
  self.files, self.watcher = run.files, run.watcher
  if self.options.log and self.count + (ok and 0 or 1) > 1 then
    self.options.log(("%s %s in %.1f ms%s"):format(self.path, ok and "reloaded" or "not reloaded",
      self.milliseconds, ok and "" or ": " .. self.error))
  end
  return ok, self.error
end

function Live:poll(now)
  if self.paused then return false end
  local news = self.watcher:poll(now)
  return news == "changed" and self:reload()
end

local function watch(path, options)
  load_rig.check("sinew.watch", path)
  local live = setmetatable({ path = path, options = options or {}, files = {}, count = 0 }, Live)
  local ok, message = live:reload()
  if not ok then return nil, message end
  return live
end

return setmetatable({}, { __call = function(_, path, options) return watch(path, options) end })

-- A rig that is reloaded when its script changes: for Lua games, whose scripts are trusted.
--
--   local live = assert(sinew.watch "rigs/arm.lua")
--   function love.update() live:poll() end       -- cheap: checks files every 50 ms at most
--   live.pose["arm.raise"] = 30                  -- live.rig and live.pose: the last good ones
--   if live.error then draw(live.error) end      -- message of the last attempt; nil: it succeeded
--
-- A rig in XML (a path that ends with .xml) works the same way.
--
-- When the script, or a Lua module that it required, is saved, it is run again; only a rig that
-- loads, compiles and evaluates replaces the old one. DOF values carry over by name. A script sees
-- the program's globals, but its own globals stay local; each run reloads its modules, except those
-- that the program has loaded already and those not written in Lua.
--
--   live:poll([now])    true if there is a new rig. `now`: seconds of your own clock, optional
--   live:reload()       reloads now: true, or false and the message
--   live:carry(pose)    a pose of the newest rig with the DOF values of an older pose, by name
--   live.paused         set it to true to keep the current rig
--   live.path, live.files, live.count (rigs so far), live.milliseconds (of the last load)
--
-- Options: interval = seconds between checks, patience = seconds that a file may keep changing,
-- log = function(text), called once for each attempt after the first.
-- If the first attempt fails, sinew.watch returns nil and the message.
local sinew = require "sinew"

local Live = {}
Live.__index = Live

-- One run of the script: the files it read, its modules, and a watch that took each file's stamp
-- before it was read, so that no save in between is missed.
local Run = {}
Run.__index = Run

local function text_of(problem)
  if type(problem) == "string" then return problem end
  return ("the script raised a %s instead of a message"):format(sinew.type(problem))
end

function Run:see(path)
  if not self.seen[path] then
    self.seen[path] = true
    table.insert(self.files, path)
    self.watcher:add(path)
  end
end

-- compiles a text that uses the run's globals
function Run:compile(path)
  self:see(path)
  local file, problem = io.open(path, "rb")
  if not file then error(problem, 0) end
  local text = file:read "*a" or ""
  file:close()
  -- a byte-order mark, and a first line for the shell
  text = text:gsub("^\239\187\191", ""):gsub("^#[^\n]*", "")
  local chunk, message = load(text, "@" .. path, "t", self.globals)
  if not chunk then error(message, 0) end
  return chunk
end

local function readable(path)
  local file = io.open(path, "rb")
  if file then file:close() end
  return file and path
end

-- the file of a module: in the script's folder, else on the program's path
function Run:find(name)
  local inside = name:gsub("%.", "/")
  return readable(self.folder .. inside .. ".lua") or readable(self.folder .. inside .. "/init.lua")
    or package.searchpath(name, package.path)
end

function Run:require(name)
  if type(name) ~= "string" then error("require: the name of a module is wanted", 3) end
  if self.modules[name] ~= nil then return self.modules[name] end
  if package.loaded[name] ~= nil or name == "sinew" or name:find("^sinew%.") then
    return require(name)
  end
  local path = self:find(name)
  if not path then return require(name) end
  if self.loading[name] then error(("module '%s' requires itself"):format(name), 3) end
  self.loading[name] = true
  local result = self:compile(path)(name, path)
  self.loading[name] = nil
  if result == nil then result = true end
  self.modules[name] = result
  return result
end

-- a rig in XML instead of a script
function Run:read()
  self:see(self.path)
  local rig, problem = sinew.load_xml(self.path, self.globals.require)
  if not rig then error(problem, 0) end
  return rig
end

function Run:rig()
  if self.path:lower():find("%.xml$") then return self:read():compile() end
  local result = self:compile(self.path)()
  if sinew.type(result) ~= "rig" then
    error(("%s: a rig script must return its rig, not %s"):format(self.path, sinew.type(result)), 0)
  end
  return result:compile()
end

local function new_run(live)
  local run = setmetatable({ path = live.path, folder = live.path:match("^(.*[/\\])") or "",
    files = {}, seen = {}, modules = {}, loading = {},
    watcher = require "sinew.watcher"(live.options.interval, live.options.patience) }, Run)
  run.globals = setmetatable({ require = function(name) return run:require(name) end },
    { __index = _G })
  return run
end

local function carried(rig, old)
  local pose, known = rig:pose(), {}
  for _, dof in ipairs(old and old.rig.dofs or {}) do known[dof.name] = true end
  for _, dof in ipairs(rig.dofs) do
    if known[dof.name] then pose[dof.name] = old[dof.name] end
  end
  return pose
end

function Live:carry(pose) return carried(self.rig, pose) end

local function attempt(live, run)
  local rig = run:rig()
  return rig, carried(rig, live.pose):eval()
end

function Live:reload()
  local start, run = os.clock(), new_run(self)
  local ok, rig, pose = pcall(attempt, self, run)
  self.milliseconds = 1000 * (os.clock() - start)
  if ok then
    self.rig, self.pose, self.error, self.count = rig, pose, nil, self.count + 1
  else
    self.error = text_of(rig)
    -- the mistake may be in a file that this run did not reach
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
  if type(path) ~= "string" then error("sinew.watch: the path of a rig script is wanted", 3) end
  if not (rawget(_G, "io") and rawget(_G, "os") and rawget(_G, "package")) then
    error("sinew.watch reads files, which a script may not do here; the program may", 3)
  end
  local live = setmetatable({ path = path, options = options or {}, files = {}, count = 0 }, Live)
  local ok, message = live:reload()
  if not ok then return nil, message end
  return live
end

return setmetatable({}, { __call = function(_, path, options) return watch(path, options) end })

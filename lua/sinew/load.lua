-- Rigs from files, with the options that their scripts declare: for Lua games, whose scripts are
-- trusted.
--
--   local rig = assert(sinew.load("rigs/human.lua", { hands = false, spine = "simple" }))
--
-- The script declares them, with their defaults, and builds accordingly:
--
--   local options = sinew.options { hands = true, spine = { "full", "simple" },
--     height = { 1.71, min = 1, max = 2.2, doc = "metres" } }
--   if options.hands then ... end
--
-- sinew.load gives the rig, compiled, and a list of its options: { name =, value =, initial =,
-- kind =, allowed =, doc = }, all texts. Where it cannot, nil and the message: also for an option
-- that the script does not have, or a value that it does not take.
-- A path that ends with .xml is a rig in XML, which has no options; sinew.skeleton reads others.
--
-- A script sees the program's globals and keeps its own to itself. It requires modules beside it,
-- each load anew, except what the program has loaded already and what is not written in Lua.
-- pose:carry(other) takes the values of a pose over to one of another level of detail, by name.
local sinew = require "sinew"

local load_rig = {}

-- One run of a script: the files it read and its modules. With a watcher, each file is known to it
-- before it is read, so that no save in between is missed.
local Run = {}
Run.__index = Run

function Run:see(path)
  if not self.seen[path] then
    self.seen[path] = true
    table.insert(self.files, path)
    if self.watcher then self.watcher:add(path) end
  end
end

-- a text chunk that sees the run's globals
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

-- the file of a module: beside the script, else on the program's path
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

function Run:made()
  if self.path:lower():find("%.xml$") then return self:read():compile() end
  local result = self:compile(self.path)()
  if sinew.type(result) ~= "rig" then
    error(("%s: a rig script must return its rig, not %s"):format(self.path, sinew.type(result)), 0)
  end
  return result:compile()
end

-- the rig, and the list of its options
function Run:rig(chosen)
  return require "sinew.chosen"(chosen or {}, function() return self:made() end)
end

-- for sinew.watch
function load_rig.run(path, watcher)
  local run = setmetatable({ path = path, folder = path:match("^(.*[/\\])") or "", files = {},
    seen = {}, modules = {}, loading = {}, watcher = watcher }, Run)
  run.globals = setmetatable({ require = function(name) return run:require(name) end },
    { __index = _G })
  return run
end

function load_rig.text_of(problem)
  if type(problem) == "string" then return problem end
  return ("the script raised a %s instead of a message"):format(sinew.type(problem))
end

-- raises where a script may not read files
function load_rig.check(who, path)
  if type(path) ~= "string" then error(who .. ": the path of a rig script is wanted", 3) end
  if not (rawget(_G, "io") and rawget(_G, "os") and rawget(_G, "package")) then
    error(who .. " reads files, which a script may not do here; the program may", 3)
  end
end

local function load_one(path, options)
  load_rig.check("sinew.load", path)
  if options ~= nil and type(options) ~= "table" then
    error("sinew.load: options are a table, such as { hands = false }", 3)
  end
  local run = load_rig.run(path)
  local ok, rig, list = pcall(run.rig, run, options)
  if ok then return rig, list end
  local message = load_rig.text_of(rig)
  if not message:find(path:match "[^/\\]+$", 1, true) then message = path .. ": " .. message end
  return nil, message
end

return setmetatable(load_rig, {
  __call = function(_, path, options) return load_one(path, options) end,
})

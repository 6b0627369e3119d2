-- The rockspec installs every file of the module.
local check, tests = ...
local sinew = require "sinew"

local root = assert(package.searchpath("docs.api", package.path)):match("^(.*)lua[/\\]docs")
if root == "" then root = "./" end

local function read(path)
  local file = assert(io.open(path, "r"))
  local text = file:read "*a"
  file:close()
  return text
end

local function rockspec()
  local listing = assert(io.popen(("ls '%s' | grep rockspec$"):format(root)))
  local name = listing:read "*l"
  check.that(not listing:read "*l", "two rockspecs")
  listing:close()
  local spec = {}
  assert(load(read(root .. name), "@" .. name, "t", spec))()
  return spec, name
end

function tests.has_the_modules_version()
  local spec, name = rockspec()
  check.equal(spec.version, sinew.version .. "-1")
  check.equal(name, ("%s-%s.rockspec"):format(spec.package, spec.version))
end

function tests.has_the_licence_of_the_project()
  local licence = read(root .. "LICENSE")
  check.equal(rockspec().description.license .. " License", licence:match "^[^\n]*")
  check.that(licence:find("the Sinew authors", 1, true))
end

function tests.installs_exactly_the_helpers()
  local spec, installed = rockspec(), {}
  for module, path in pairs(spec.build.install.lua) do
    check.equal(path, "lua/" .. module:gsub("%.", "/") .. ".lua")
    installed[path] = true
  end
  local command = "cd '%s' && ls lua/sinew/*.lua lua/sinew/bones/*.lua"
  local listing = assert(io.popen(command:format(root)))
  for path in listing:lines() do
    check.that(installed[path], path .. " is not installed by the rockspec")
    installed[path] = nil
  end
  listing:close()
  check.equal(next(installed), nil)
end

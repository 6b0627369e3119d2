-- The rockspec builds and installs every file of the module.
local check, tests = ...
local sinew = require "sinew"

local root = assert(package.searchpath("docs.api", package.path)):match("^(.*)lua[/\\]docs")
if root == "" then root = "./" end

local function rockspec()
  local listing = assert(io.popen(("ls '%s' | grep rockspec$"):format(root)))
  local name = listing:read "*l"
  check.that(not listing:read "*l", "two rockspecs")
  listing:close()
  local spec = {}
  assert(load(check.read(root .. name), "@" .. name, "t", spec))()
  return spec, name
end

function tests.has_the_modules_version()
  local spec, name = rockspec()
  check.equal(spec.version, sinew.version .. "-1")
  check.equal(name, ("%s-%s.rockspec"):format(spec.package, spec.version))
end

function tests.has_the_licence_of_the_project()
  local licence = check.read(root .. "LICENSE")
  check.equal(rockspec().description.license .. " License", licence:match "^[^\n]*")
  check.that(licence:find("the Sinew authors", 1, true))
end

function tests.builds_exactly_the_files_of_the_module()
  local _, name = rockspec()
  local text = check.read(root .. name)
  check.that(require "docs.rockspec".made(text, root) == text, name .. " lacks a file, or has one "
    .. "too many; ./dev docs writes its lists again")
end

function tests.needs_expat_and_neither_raylib_nor_premake()
  local spec = rockspec()
  check.equal(spec.build.type, "builtin")
  check.equal(spec.external_dependencies.EXPAT.header, "expat.h")
  for _, path in ipairs(spec.build.modules.sinew.sources) do
    check.that(not path:find "^viewer" and not path:find "^tests", path)
  end
end

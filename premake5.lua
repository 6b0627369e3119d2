-- What is built from which files. premake5 reads it as it stands; Debian's premake4 4.3 reads it
-- with --file=premake5.lua, after the next few lines have given it the newer names.
if not workspace then
  workspace = solution
  filter = function(terms)
    local plain = {}
    for i, term in ipairs(terms) do plain[i] = term:gsub("^configurations:", "") end
    configuration(plain)
  end
  symbols = function() flags { "Symbols" } end
end

local macos = (os.target and os.target() == "macosx") or (not os.target and os.is("macosx"))

-- Compiler or linker options of the first of these packages that pkg-config knows in this version.
local function package_options(package, option)
  for _, name in ipairs(package) do
    local asked = ("'%s >= %s'"):format(name, package.version or "0")
    local pipe = io.popen(("pkg-config %s %s 2>/dev/null && echo found"):format(option, asked))
    local answer = pipe:read("*a")
    pipe:close()
    if answer:find("found") then return (answer:gsub("%s*found%s*$", "")) end
  end
  error(("pkg-config does not know %s; ./dev installs it"):format(table.concat(package, " or ")), 0)
end

local packages = {
  cglm = { "cglm" },
  lua = { "lua5.4", "lua-5.4", "lua54", "lua", version = "5.4" },
  luajit = { "luajit" },
  raylib = { "raylib", version = "5.5" },
}

-- where a configuration's binaries go, and how it compiles and links
local configs = {
  debug = { out = "build/debug/", options = { "-O0" } },
  release = { out = "build/", options = { "-O2" } },
  sanitize = { out = "build/sanitize/", options = { "-O1", "-fno-omit-frame-pointer",
    "-fsanitize=address,undefined", "-fno-sanitize-recover=all" },
    link = { "-fsanitize=address,undefined" } },
}

local function any(pattern) return #os.matchfiles(pattern) > 0 end

local binding = any "lua/*.c"
local on_engine = { "engine" }
local on_binding = binding and { "binding", "engine" } or on_engine

-- name; kind; folder and name of the binary; sources; projects it links; packages it compiles
-- against and those it also links. A project without sources is left out.
local projects = {
  { "engine", "StaticLib", "lib/sinew", "engine/src/**.c", private = true },
  { "binding", "StaticLib", "lib/sinew-lua", "lua/*.c", headers = { "lua" } },
  { "lua-module", "SharedLib", "lua/sinew", "lua/*.c", on_engine, headers = { "lua" } },
  { "luajit-module", "SharedLib", "luajit/sinew", "lua/*.c", on_engine, headers = { "luajit" } },
  { "command", "ConsoleApp", "bin/sinew", "lua/command/*.c", on_binding, libraries = { "lua" } },
  { "viewer", "ConsoleApp", "bin/sinew-viewer", "viewer/*.c", on_binding,
    libraries = { "lua", "raylib" } },
  { "tests", "ConsoleApp", "bin/sinew-tests", "tests/*.c", on_binding, private = true,
    libraries = binding and { "lua" } },
  { "selftest", "ConsoleApp", "bin/sinew-selftest", "tests/selftest/*.c", private = true,
    also = "tests/minunit.c" },
  { "bench", "ConsoleApp", "bin/sinew-bench", "tests/bench/*.c", on_binding, private = true,
    libraries = binding and { "lua" } },
  { "demo", "ConsoleApp", "bin/sinew-demo", "tests/demo/*.c", on_engine },
}
for _, file in ipairs(os.matchfiles "tests/fuzz/*.c") do
  local name = "fuzz-" .. path.getbasename(file)
  table.insert(projects, { name, "ConsoleApp", "bin/" .. name, file, on_binding, private = true,
    libraries = binding and { "lua" } })
end

-- premake4 names an object after its source alone and would build one over the other
local function refuse_twins(name, sources)
  local seen = {}
  for _, file in ipairs(sources) do
    local base = path.getbasename(file):lower()
    if seen[base] then
      error(("%s: %s and %s need different names"):format(name, seen[base], file), 0)
    end
    seen[base] = file
  end
end

local function add(name, kind_, target, sources, needs, p)
  local folder, base = target:match("^(.-)/(.*)$")
  project(name)
  kind(kind_)
  language "C"
  files(sources)
  objdir("build/obj/" .. name)
  targetname(base)
  if kind_ == "SharedLib" then
    targetprefix ""
    targetextension ".so"
    linkoptions(macos and { "-undefined dynamic_lookup" } or { "-Wl,--exclude-libs,ALL" })
  end

  includedirs { "engine/include" }
  if p.private then includedirs { "engine/src", "tests" } end
  if p.headers or p.libraries then includedirs { "lua" } end
  local headers = table.join({ "cglm" }, p.headers or {}, p.libraries or {})
  for _, package in ipairs(headers) do
    -- other people's headers are not ours to warn about
    buildoptions { (package_options(packages[package], "--cflags"):gsub("%-I", "-isystem ")) }
  end
  if kind_ ~= "StaticLib" then
    -- libraries that only our archives use stand before them in premake's link line
    if not macos then linkoptions { "-Wl,--no-as-needed" } end
    for _, package in ipairs(p.libraries or {}) do
      linkoptions { package_options(packages[package], "--libs") }
    end
    linkoptions { "-pthread" }
    links(table.join(needs or {}, { "m" }))
  end

  for config, settings in pairs(configs) do
    filter { "configurations:" .. config }
    targetdir(settings.out .. folder)
    buildoptions(settings.options)
    if kind_ ~= "StaticLib" then linkoptions(settings.link or {}) end
    -- premake4's makefiles create these too late for make -j
    os.mkdir(settings.out .. folder)
    os.mkdir("build/obj/" .. name .. "/" .. config)
  end
  filter {}
end

workspace "sinew"
configurations { "debug", "release", "sanitize" }
location "build"
symbols "On"
buildoptions { "-std=gnu11", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-ffp-contract=off",
  "-fPIC", "-fvisibility=hidden", "-pthread" }

for _, p in ipairs(projects) do
  local sources = os.matchfiles(p[4])
  if #sources > 0 then
    if p.also then table.insert(sources, p.also) end
    refuse_twins(p[1], sources)
    add(p[1], p[2], p[3], sources, p[5], p)
  end
end

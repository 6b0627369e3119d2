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

-- Compiler or linker options of the first of these packages that pkg-config knows in this version;
-- nil where it knows none.
local function package_options(package, option)
  for _, name in ipairs(package) do
    local asked = ("'%s >= %s'"):format(name, package.version or "0")
    local pipe = io.popen(("pkg-config %s %s 2>/dev/null && echo found"):format(option, asked))
    local answer = pipe:read("*a")
    pipe:close()
    if answer:find("found") then return (answer:gsub("%s*found%s*$", "")) end
  end
end

local packages = {
  cglm = { "cglm" },
  expat = { "expat" },
  lua = { "lua5.4", "lua-5.4", "lua54", "lua", version = "5.4" },
  luajit = { "luajit" },
  raylib = { "raylib", version = "5.5" },
}

local all_checks = "address,undefined,integer,implicit-conversion,nullability," ..
  "float-divide-by-zero,float-cast-overflow,local-bounds"

-- where a configuration's binaries go, and how it compiles and links; -g1 has the lines for
-- backtraces, and debug has the variables too
local configs = {
  debug = { out = "build/debug/", options = { "-O0", "-DSINEW_CHECK_SCHEDULE" } },
  release = { out = "build/", options = { "-O2", "-g1" } },
  sanitize = { out = "build/sanitize/", options = { "-O1", "-g1",
    "-fno-omit-frame-pointer", "-fsanitize=address,undefined,float-cast-overflow",
    "-fno-sanitize-recover=all", "-DSINEW_CHECK_SCHEDULE" },
    link = { "-fsanitize=address,undefined,float-cast-overflow" } },
  -- fuzzers of clang's libFuzzer, and nothing else
  fuzz = { out = "build/fuzz/", options = { "-O1", "-fno-omit-frame-pointer",
    "-fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow", "-fno-sanitize-recover=all",
    "-DFUZZ_LIBFUZZER" },
    link = { "-fsanitize=fuzzer,address,undefined,float-cast-overflow" } },
  -- the API's fuzzer and the module under all that clang checks
  clang = { out = "build/clang/", options = { "-O1", "-fno-omit-frame-pointer",
    "-fsanitize=" .. all_checks, "-fno-sanitize-recover=all",
    "-fsanitize-ignorelist=../tests/fuzz/clang.txt", "-DSINEW_CHECK_SCHEDULE" },
    link = { "-shared-libasan", "-fsanitize=" .. all_checks } },
}

-- what may use the binding and the script host does so once they are there
local binding = #os.matchfiles "lua/base/*.c" > 0
local on_engine = { "character", "interchange", "motion", "solve", "core" }
local on_host = binding and table.join({ "host", "binding" }, on_engine) or on_engine
local lua = binding and { "lua", "expat" } or { "expat" }

-- The sources of some layers; each may use those before it (tests/layers.lua).
local function sources_of(folder, layers)
  local patterns = {}
  for i, layer in ipairs(layers) do patterns[i] = folder .. "/" .. layer .. "/**.c" end
  return patterns
end
local core = sources_of("engine/src", { "base", "math", "shape", "limits", "model", "components",
  "build", "compile", "evaluate", "skin" })
local binding_layers = sources_of("lua", { "base", "math", "shape", "rig", "play", "module" })

-- `out` is the folder and name of the binary, `on` the projects it links, `headers` the packages it
-- compiles against, `libraries` those it links as well; `also` are files of other folders,
-- `include` one more folder of headers, `private` sees inside the engine, and the name of a
-- configuration has an option for it. A project without files is left out, and so is one whose
-- packages are not installed: ./dev installs what it builds.
local projects = {
  { name = "core", kind = "StaticLib", out = "lib/sinew", files = core, private = true },
  { name = "solve", kind = "StaticLib", out = "lib/sinew-solve", files = "engine/src/solve/*.c",
    private = true },
  { name = "motion", kind = "StaticLib", out = "lib/sinew-motion", files = "engine/src/motion/*.c",
    private = true },
  { name = "interchange", kind = "StaticLib", out = "lib/sinew-interchange",
    files = "engine/src/interchange/*.c", headers = { "expat" }, private = true },
  { name = "character", kind = "StaticLib", out = "lib/sinew-character",
    files = "engine/src/character/*.c", private = true },
  { name = "binding", kind = "StaticLib", out = "lib/sinew-lua", files = binding_layers,
    also = { "build/helpers_text.c" }, -- which lua/helpers.sh writes
    headers = { "lua" }, private = true },
  { name = "host", kind = "StaticLib", out = "lib/sinew-host",
    files = { "lua/osim/*.c", "lua/host/**.c" }, headers = { "lua" }, private = true },
  { name = "lua-module", kind = "SharedLib", out = "lua/sinew", files = binding_layers,
    also = { "build/helpers_text.c" }, on = on_engine, headers = { "lua" },
    libraries = { "expat" }, define = "SINEW_MODULE", private = true },
  { name = "luajit-module", kind = "SharedLib", out = "luajit/sinew", files = binding_layers,
    also = { "build/helpers_text.c" }, on = on_engine, headers = { "luajit" },
    libraries = { "expat" }, define = "SINEW_MODULE", private = true },
  { name = "command", kind = "ConsoleApp", out = "bin/sinew", files = "lua/command/*.c",
    on = on_host, libraries = lua, include = "engine/src" },
  { name = "viewer", kind = "ConsoleApp", out = "bin/sinew-viewer", files = "viewer/**.c",
    also = { "build/font.c" }, -- which viewer/font.sh writes
    on = on_host, libraries = table.join(lua, { "raylib" }), include = "viewer",
    private = true, sanitize = "-O0" }, -- compiles in half the time
  { name = "tests", kind = "ConsoleApp", out = "bin/sinew-tests",
    files = { "tests/*.c", "tests/support/*.c", "tests/network/*.c", "tests/engine/**.c",
      "tests/lua/*.c", "tests/host/*.c", "tests/osim/*.c", "tests/viewer/*.c" },
    also = os.matchfiles "viewer/plain/*.c", -- what of the viewer needs no window
    include = "viewer", on = on_host, libraries = lua, private = true,
    sanitize = "-O0" },
  { name = "selftest", kind = "ConsoleApp", out = "bin/sinew-selftest",
    files = "tests/selftest/*.c", also = { "tests/minunit.c" }, private = true },
  { name = "bench", kind = "ConsoleApp", out = "bin/sinew-bench", files = "tests/bench/*.c",
    also = { "tests/network/network_grow.c", "tests/network/network_make.c",
      "tests/support/make.c" },
    on = on_host, libraries = lua, private = true },
  { name = "embed", kind = "ConsoleApp", out = "bin/sinew-embed", files = "lua/examples/embed.c",
    on = on_host, libraries = lua },
  -- without Lua
  { name = "game-loop", kind = "ConsoleApp", out = "bin/sinew-core", files = "lua/examples/core.c",
    on = { "solve", "core" } },
  { name = "xml-eval", kind = "ConsoleApp", out = "bin/sinew-xml-eval",
    files = "tests/e2e/xml_eval.c", on = on_engine, libraries = { "expat" } },
  { name = "crane", kind = "ConsoleApp", out = "bin/sinew-crane", files = "lua/examples/crane.c",
    on = on_engine, libraries = { "expat", "raylib" }, include = "viewer" },
  { name = "crane-xml", kind = "ConsoleApp", out = "bin/sinew-crane-xml",
    files = "lua/examples/crane_xml.c", on = on_engine, libraries = { "expat", "raylib" },
    include = "viewer" },
  { name = "raylib-check", kind = "ConsoleApp", out = "bin/sinew-raylib-check",
    files = "tests/e2e/raylib_check.c", on = on_engine, libraries = { "expat", "raylib" },
    include = "viewer" },
}
-- what a fuzzer shares with the tests
local of_fuzzers = { ["fuzz-network"] = { "tests/network/network_make.c",
  "tests/network/network_ways.c", "tests/network/network_reduce.c", "tests/support/make.c",
  "tests/support/scratch.c" } }
for _, file in ipairs(os.matchfiles "tests/fuzz/*.c") do
  local name = "fuzz-" .. path.getbasename(file)
  if name == "fuzz-api" then -- loads the module
    for ending, package in pairs(macos and {} or { [""] = "lua", ["-luajit"] = "luajit" }) do
      table.insert(projects, { name = name .. ending, kind = "ConsoleApp", out = "bin/" .. name ..
        ending, files = file, libraries = { package }, exports = true })
    end
  elseif name ~= "fuzz-budget" or not macos then
    -- api.c and budget.c put their own functions before the C library's
    table.insert(projects, { name = name, kind = "ConsoleApp", out = "bin/" .. name, files = file,
      also = of_fuzzers[name], on = on_host, libraries = lua, private = true,
      exports = name == "fuzz-budget" })
  end
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

local function packages_of(p) return table.join({ "cglm" }, p.headers or {}, p.libraries or {}) end

local function add(p, sources)
  local folder, base = p.out:match("^(.-)/(.*)$")
  local linked = p.kind ~= "StaticLib"
  project(p.name)
  kind(p.kind)
  language "C"
  files(sources)
  objdir("build/obj/" .. p.name)
  targetname(base)
  if p.kind == "SharedLib" then
    targetprefix ""
    targetextension ".so"
    linkoptions(macos and { "-undefined dynamic_lookup" } or { "-Wl,--exclude-libs,ALL" })
  end

  includedirs { "engine/include" }
  if p.define then buildoptions { "-D" .. p.define } end
  if p.include then includedirs { p.include } end
  if p.private then includedirs { "engine/src", "tests", "tests/support", "tests/network" } end
  if p.headers or p.libraries then includedirs { ".", "lua/include" } end
  for _, package in ipairs(packages_of(p)) do
    -- other people's headers are not ours to warn about
    buildoptions { (package_options(packages[package], "--cflags"):gsub("%-I", "-isystem ")) }
  end
  if linked then
    -- libraries that only our archives use stand before them in premake's link line
    if not macos then linkoptions { "-Wl,--no-as-needed" } end
    for _, package in ipairs(p.libraries or {}) do
      linkoptions { package_options(packages[package], "--libs") }
    end
    linkoptions { "-pthread" }
    if p.exports then linkoptions { "-Wl,-E", "-ldl" } end
    links(table.join(p.on or {}, { "m" }))
  end

  for config, settings in pairs(configs) do
    filter { "configurations:" .. config }
    targetdir(settings.out .. folder)
    buildoptions(settings.options)
    buildoptions { p[config] }
    if linked then linkoptions(settings.link or {}) end
    -- premake4's makefiles create these too late for make -j
    os.mkdir(settings.out .. folder)
    os.mkdir("build/obj/" .. p.name .. "/" .. config)
  end
  filter {}
end

workspace "sinew"
configurations { "debug", "release", "sanitize", "fuzz", "clang" }
location "build"
symbols "On"
buildoptions { "-std=gnu11", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-ffp-contract=off",
  "-fPIC", "-fvisibility=hidden", "-pthread" }

local function can_build(p)
  for _, package in ipairs(packages_of(p)) do
    if not package_options(packages[package], "--exists") then return false end
  end
  for _, file in ipairs(p.also or {}) do
    if not os.isfile(file) then return false end
  end
  return true
end

for _, p in ipairs(projects) do
  local sources = {}
  for _, pattern in ipairs(table.flatten { p.files }) do
    sources = table.join(sources, os.matchfiles(pattern))
  end
  if #sources > 0 and can_build(p) then
    sources = table.join(sources, p.also or {})
    refuse_twins(p.name, sources)
    add(p, sources)
  end
end

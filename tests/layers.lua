-- Checks the order of layers: reads every #include and, from the objects of the release build,
-- every symbol that one file needs and another defines. A file may use its own layer and those
-- before it.
--
-- Usage: lua tests/layers.lua [ROOT]

-- An area's layers are folders, in order. `projects` are the folders of build/obj with its objects;
-- `uses` are the folders of other areas that it shares. Public headers are open to everybody.
local function below(folder, names)
  local folders = {}
  for name in names:gmatch("%S+") do folders[#folders + 1] = folder .. "/" .. name end
  return folders
end
local shared = { "engine/src/base", "engine/src/math" }
local binding = below("lua", "base math shape rig play module")
local function with(...)
  local folders = { ... }
  for _, folder in ipairs(shared) do folders[#folders + 1] = folder end
  return folders
end

local areas = {
  { name = "engine", projects = { "core", "solve", "motion", "interchange", "character" },
    layers = below("engine/src", "base math shape limits model components build compile evaluate "
      .. "skin solve motion interchange character") },
  { name = "binding", projects = { "binding" }, layers = binding, uses = shared },
  -- the importer reads XML by the engine's own reader
  { name = "osim", projects = { "host" }, layers = { "lua/osim" },
    uses = with("lua/base", "engine/src/interchange") },
  { name = "host", projects = { "host" },
    layers = below("lua", "host/sandbox host host/fit"), uses = with(table.unpack(binding)) },
  { name = "command", projects = { "command" }, layers = { "lua/command" },
    uses = shared },
  { name = "viewer", projects = { "viewer" },
    layers = below("viewer", "plain ui draw state tools/edits tools/limits tools/timeline "
      .. "tools/worn tools/cones tools/place tools/network tools/crowd tools film app"),
    uses = shared },
}
local public = { "engine/include/sinew", "lua/include" }

local root = arg[1] or "."
local faults = 0

local function fault(...)
  faults = faults + 1
  print((...):format(select(2, ...)))
end

local function lines_of(command)
  local pipe = assert(io.popen(command))
  local lines = {}
  for line in pipe:lines() do lines[#lines + 1] = line end
  pipe:close()
  return lines
end

local function find(folder)
  return lines_of(("find '%s/%s' -name '*.[ch]' 2>/dev/null | sort"):format(root, folder))
end

-- every file of every area: path below the root to { area, layer, path }
local files, by_base, area_of, number_of = {}, {}, {}, {}
for _, area in ipairs(areas) do
  for i, layer in ipairs(area.layers) do area_of[layer], number_of[layer] = area, i end
end
local function layer_of(path)
  local folder = path:match("^(.*)/[^/]*$")
  while folder and not area_of[folder] do folder = folder:match("^(.*)/[^/]*$") end
  return folder
end
for _, top in ipairs { "engine/src", "lua", "viewer" } do
  for _, path in ipairs(find(top)) do
    path = path:sub(#root + 2)
    local layer = layer_of(path)
    if layer then
      files[path] = { area = area_of[layer], layer = layer, path = path }
      local base = path:match("([^/]*)%.c$")
      for _, project in ipairs(base and area_of[layer].projects or {}) do
        by_base[project .. "/" .. base] = files[path]
      end
    elseif not path:find("^lua/include/") and not path:find("^lua/examples/")
      and path ~= "viewer/sinew_raylib.h" then -- what users include or copy
      fault("%s: belongs to no layer", path)
    end
  end
end

local function allowed(from, to)
  if from.area == to.area then return number_of[to.layer] <= number_of[from.layer] end
  for _, layer in ipairs(from.area.uses or {}) do
    if layer == to.layer then return true end
  end
  return false
end

local function judge(from, to, how)
  if allowed(from, to) then return end
  fault("%s (%s) must not use %s (%s): %s", from.path, from.layer, to.path, to.layer, how)
end

-- includes
local roots = { "", "engine/src/", "viewer/" }
local includes = 0
for path, from in pairs(files) do
  local number = 0
  for line in io.lines(root .. "/" .. path) do
    number = number + 1
    local name = line:match('^%s*#%s*include%s+"([^"]+)"')
    if name then
      local to = files[path:match("^(.*/)") .. name]
      for _, folder in ipairs(roots) do to = to or files[folder .. name] end
      includes = includes + 1
      if to then judge(from, to, ("line %d includes it"):format(number)) end
    end
  end
end

-- symbols
local defined, needed, objects = {}, {}, 0
for _, area in ipairs(areas) do
  for _, project in ipairs(area.projects) do
    local command = "nm -A -g '%s'/build/obj/%s/release/*.o 2>/dev/null"
    for _, line in ipairs(lines_of(command:format(root, project))) do
      local base, kind, symbol = line:match("([^/]*)%.o:%x*%s+(%a) (%S+)$")
      local file = base and by_base[project .. "/" .. base]
      if file and not file.object then
        file.object = true
        objects = objects + 1
      end
      if file and (kind == "U" or kind == "w") then -- w: may be missing
        needed[#needed + 1] = { file = file, symbol = symbol }
      elseif file then
        defined[symbol] = file
      end
    end
  end
end
local symbols = 0
for _, need in ipairs(needed) do
  local to = defined[need.symbol]
  symbols = symbols + (to and 1 or 0)
  -- other areas may use what is public; inside an area the order holds for it too
  local open = to and to.area ~= need.file.area and not need.symbol:find("^si_")
  if to and not open then judge(need.file, to, "it needs " .. need.symbol) end
end
for path, file in pairs(files) do
  if path:find("%.c$") and not file.object then
    fault("%s: has no object in build/obj; build the release configuration first", path)
  end
end

-- names
local names = {}
for _, folder in ipairs(public) do
  for _, path in ipairs(find(folder)) do names[path:match("[^/]*$")] = path:sub(#root + 2) end
end
for path in pairs(files) do
  local twin = path:find("%.h$") and names[path:match("[^/]*$")]
  if twin then fault("%s: has the name of the public %s", path, twin) end
end

print(("%d includes and %d symbols of %d objects read, %d against the order"):format(includes,
  symbols, objects, faults))
os.exit(faults == 0 and includes > 0 and symbols > 0)

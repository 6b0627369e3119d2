-- Holds every file to the order of layers: reads each #include and, from the objects of the debug
-- build, each symbol that one file needs and another defines. A file may use its own layer and
-- those before it. usage: lua tests/layers.lua [ROOT]

-- `projects` are the folders of build/obj with the area's objects; `uses` are the layers of another
-- area that this one shares. Public headers are open to everybody.
local areas = {
  { name = "engine", root = "engine/src", projects = { "core", "solve", "motion", "interchange" },
    layers = { "base", "math", "shape", "limits", "model", "components", "build", "compile",
      "evaluate", "skin", "solve", "motion", "interchange" } },
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

-- every file of every area: path below the root to { area, layer (its number), path }
local files, by_base = {}, {}
for _, area in ipairs(areas) do
  area.number = {}
  for i, layer in ipairs(area.layers) do area.number[layer] = i end
  for _, path in ipairs(find(area.root)) do
    path = path:sub(#root + 2)
    local inside = path:sub(#area.root + 2)
    local layer = inside:match("^(.*)/[^/]*$") or ""
    while layer ~= "" and not area.number[layer] do layer = layer:match("^(.*)/[^/]*$") or "" end
    if not area.number[layer] then
      fault("%s: belongs to no layer of %s", path, area.name)
    else
      files[path] = { area = area, layer = layer, path = path }
      local base = path:match("([^/]*)%.c$")
      for _, project in ipairs(base and area.projects or {}) do
        by_base[project .. "/" .. base] = files[path]
      end
    end
  end
end

local function allowed(from, to)
  if from.area == to.area then
    return from.area.number[to.layer] <= from.area.number[from.layer]
  end
  local shared = from.area.uses and from.area.uses[to.area.name]
  for _, layer in ipairs(shared or {}) do
    if layer == to.layer then return true end
  end
  return false
end

local function judge(from, to, how)
  if allowed(from, to) then return end
  fault("%s (%s) must not use %s (%s): %s", from.path, from.layer, to.path, to.layer, how)
end

-- includes
local roots = { "" }
for _, area in ipairs(areas) do roots[#roots + 1] = area.root .. "/" end
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
    local command = "nm -A -g '%s'/build/obj/%s/debug/*.o 2>/dev/null"
    for _, line in ipairs(lines_of(command:format(root, project))) do
      local base, kind, symbol = line:match("([^/]*)%.o:%x*%s+(%a) (%S+)$")
      local file = base and by_base[project .. "/" .. base]
      if file and not file.object then
        file.object = true
        objects = objects + 1
      end
      if file and kind == "U" then
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
  -- what is public is open to every other area; inside an area the order holds for it too
  local open = to and to.area ~= need.file.area and not need.symbol:find("^si_")
  if to and not open then judge(need.file, to, "it needs " .. need.symbol) end
end
for path, file in pairs(files) do
  if path:find("%.c$") and not file.object then
    fault("%s: has no object in build/obj; build the debug configuration first", path)
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

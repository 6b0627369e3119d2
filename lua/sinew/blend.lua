-- Smooth shapes from named landmarks: balls that are joined, blended and cut. A recipe is a table:
--
--   { points = { name = { x, y, z, radius }, ... },
--     ellipsoids = { name = { x, y, z, three half widths, rotation vector in degrees }, ... },
--     drums = { the same: an elliptic cylinder along y with a waist },
--     parts = { { k =, inner =, smooth =, cut =, "element", ... }, ... },
--     unit = "mm" (or "m"), mirror =, fold =, cell = }
--
-- Parts apply in order: `k` is the width of the blend with what is there, `inner` that within the
-- part, `cut = true` takes away, `smooth` (0 to 3) rounds the part's triangles. With `apart = true`
-- a part begins a body of its own, which blends with none of those before it. Elements:
--
--   "a"                      a ball, an ellipsoid or a drum
--   "a b"                    a cone around both balls
--   "a b c"                  a triangle, as thick as the balls at its corners
--   "tube a b c ..."         along a smooth curve; "tube 2 0 1 0 a b ..." is twice as wide along
--                            0 1 0
--   "chain a b c ..."        cones
--   "fan m a b c ..."        triangles m a b, m b c ...
--   "sheet a b c d ..."      triangles a b c, b c d ...
--
-- With `mirror` the recipe holds the right half (x <= 0), and `fold` softens the middle. `cell` is
-- the size of the cells in which the surface is looked for: a part thinner than a cell is lost.
--
-- Options: `scale` (a number or three, about the origin), `fit` (metres; places of landmarks by
-- name): one is moved there, two also scale and turn the shortest way, more give the best
-- similarity, and what remains is bent smoothly so that each is met. `at`, `turn`: see shapes.lua.
local sinew = require "sinew"

local blend = {}

local units = { mm = 0.001, cm = 0.01, m = 1 }
-- a number by its first character: LuaJIT also takes 'inf' and 'nan', which are good names
local function number_of(word)
  return word and word:find "^[-+.%d]" and tonumber(word) or nil
end

local words = { tube = 2, chain = 2, fan = 3, sheet = 3 }

local function fail(...) error("shapes.blend: " .. string.format(...), 0) end

-- the nearest name, for a message
local function near(names, wanted)
  local best, most = nil, 0
  for name in pairs(names) do
    local common = 0
    for i = 1, math.min(#name, #wanted) do
      if name:sub(i, i) == wanted:sub(i, i) then common = common + 1 end
    end
    local score = common / math.max(#name, #wanted)
    if score > most or (score == most and best and name < best) then best, most = name, score end
  end
  return most >= 0.5 and (" (did you mean '%s'?)"):format(best) or ""
end

-- the elements that a text stands for, appended to `dest`
local function parse(known, text, number, index_of, dest)
  local list = {}
  for word in text:gmatch "%S+" do list[#list + 1] = word end
  local form = words[list[1]] and table.remove(list, 1)
  local element = { kind = "tube" }
  if form == "tube" and number_of(list[1]) then
    element.flat, element.across = number_of(list[1]), {}
    for i = 1, 3 do
      element.across[i] = number_of(list[1 + i])
      if not element.across[i] then
        fail("part %d, '%s': four numbers before the names of a flat tube", number, text)
      end
    end
    for _ = 1, 4 do table.remove(list, 1) end
  end
  local count, round = #list, nil
  for i, name in ipairs(list) do
    if not known[name] then
      fail("part %d: no landmark '%s'%s", number, name, near(known, name))
    end
    round = round or (known[name] ~= "point" and known[name])
    list[i] = index_of(name)
  end
  if count < (form and words[form] or 1) or (not form and count > 3) then
    fail("part %d, '%s': %d landmarks; 'tube' joins more than three", number, text, count)
  end
  if round and (form or count > 1) then
    fail("part %d, '%s': an ellipsoid or drum stands alone", number, text)
  end
  local function add(kind, ...) dest[#dest + 1] = { kind = kind, ... } end
  if form == "tube" then
    for i = 1, count do element[i] = list[i] end
    dest[#dest + 1] = element
  elseif form == "chain" then
    for i = 1, count - 1 do add("cone", list[i], list[i + 1]) end
  elseif form == "fan" then
    for i = 2, count - 1 do add("wedge", list[1], list[i], list[i + 1]) end
  elseif form == "sheet" then
    for i = 1, count - 2 do add("wedge", list[i], list[i + 1], list[i + 2]) end
  elseif round then
    add(round, list[1])
  else
    add(({ "ball", "cone", "wedge" })[count], list[1], list[2], list[3])
  end
end

-- What was compiled last, by the list of parts: most are used again, with other numbers. Hosted
-- scripts have no weak tables, so it is emptied when it is full.
local compiled, compiled_count = {}, 0

local groups = { { "points", "point", 4, 4 }, { "ellipsoids", "ellipsoid", 6, 9 },
  { "drums", "drum", 6, 9 } }

-- the kind of each landmark by name
local function landmarks_of(recipe)
  local known = {}
  for _, group in ipairs(groups) do
    for name, numbers in pairs(recipe[group[1]] or {}) do
      local count = type(numbers) == "table" and #numbers or 0
      if count < group[3] or count > group[4] then
        fail("'%s' of %s needs %d numbers", tostring(name), group[1], group[3])
      end
      if type(name) ~= "string" or name:find "%s" or words[name] or number_of(name) then
        fail("'%s' cannot be a landmark's name", tostring(name))
      end
      if known[name] then fail("'%s' is the name of two landmarks", name) end
      known[name] = group[2]
    end
  end
  return known
end

-- whether all landmarks that the parts use are there, and of the same kind
local function is_like(done, recipe)
  for _, name in ipairs(done.names) do
    local group = done.groups[name]
    if not (recipe[group] and recipe[group][name]) then return false end
  end
  return true
end

local group_of = { point = "points", ellipsoid = "ellipsoids", drum = "drums" }

-- the bodies, each a list of parts, with landmarks by number in the order of their first use
local function compile(recipe)
  if type(recipe.parts) ~= "table" or #recipe.parts == 0 then fail("'parts' must be a list") end
  if not units[recipe.unit or "mm"] then
    fail("'unit' is mm, cm or m, not '%s'", tostring(recipe.unit))
  end
  local done = compiled[recipe.parts]
  if done and is_like(done, recipe) then return done end
  done = { names = {}, groups = {}, bodies = {}, known = landmarks_of(recipe) }
  local numbers = {}
  local function index_of(name)
    if not numbers[name] then
      done.names[#done.names + 1] = name
      done.groups[name] = group_of[done.known[name]]
      numbers[name] = #done.names
    end
    return numbers[name]
  end
  for i, part in ipairs(recipe.parts) do
    if type(part) ~= "table" or #part == 0 then
      fail("part %d must be a table with elements", i)
    end
    local made = { k = part.k, inner = part.inner, smooth = part.smooth, cut = part.cut }
    for _, text in ipairs(part) do
      if type(text) ~= "string" then fail("part %d: an element is a text", i) end
      parse(done.known, text, i, index_of, made)
    end
    if i == 1 or part.apart then done.bodies[#done.bodies + 1] = {} end
    table.insert(done.bodies[#done.bodies], made)
  end
  if compiled_count == 256 then compiled, compiled_count = {}, 0 end
  compiled[recipe.parts], compiled_count = done, compiled_count + 1
  return done
end

-- Moves the landmarks in `places` so that those of `fit` come out where they are asked for, and
-- gives the matrix that takes all of them there.
local function fit_landmarks(recipe, known, places, fit)
  local names, from, to = {}, {}, {}
  for name in pairs(fit) do
    if not known[name] then
      fail("fit: no landmark '%s'%s", tostring(name), near(known, name))
    end
    names[#names + 1] = name
  end
  table.sort(names)
  local function add(p, q) from[#from + 1], to[#to + 1] = p, q end
  for _, name in ipairs(names) do
    local ok, v = pcall(sinew.vec3, fit[name])
    if not ok then fail("fit: '%s' must be a vec3 or three numbers", name) end
    local p = places[name]
    add({ p[1], p[2], p[3] }, { v.x, v.y, v.z })
    if recipe.mirror and math.abs(p[1]) > 1e-9 then
      add({ -p[1], p[2], p[3] }, { -v.x, v.y, v.z })
    end
  end
  if #from == 0 then return sinew.mat4() end
  local list = {}
  for _, p in pairs(places) do list[#list + 1] = p end
  return sinew.solid.fit(from, to, list)
end

local function scale_of(given)
  if given == nil then return { 1, 1, 1 } end
  if type(given) == "number" then given = { given, given, given } end
  local ok, v = pcall(sinew.vec3, given)
  if not ok or not (v.x > 0 and v.y > 0 and v.z > 0) then
    fail("'scale' must be a positive number, or three")
  end
  return { v.x, v.y, v.z }
end

-- the landmarks in metres, scaled: { x, y, z, radius } or { x, y, z, radii, rotation vector }
local function places_of(recipe, scale, average)
  local places, unit = {}, units[recipe.unit or "mm"]
  local sx, sy, sz, mean = scale[1] * unit, scale[2] * unit, scale[3] * unit, average * unit
  for name, n in pairs(recipe.points or {}) do
    places[name] = { n[1] * sx, n[2] * sy, n[3] * sz, n[4] * mean }
  end
  for i = 2, 3 do
    for name, n in pairs(recipe[groups[i][1]] or {}) do
      places[name] = { n[1] * sx, n[2] * sy, n[3] * sz, n[4] * sx, n[5] * sy, n[6] * sz, n[7] or 0,
        n[8] or 0, n[9] or 0 }
    end
  end
  return places, unit
end

local function make(recipe, options, places)
  local done = compile(recipe)
  local scale = scale_of(options.scale)
  local average = (scale[1] * scale[2] * scale[3]) ^ (1 / 3)
  local at, unit = places_of(recipe, scale, average)
  local matrix = options.fit and fit_landmarks(recipe, done.known, at, options.fit)
  local points = {}
  for i, name in ipairs(done.names) do points[i] = at[name] end
  local bodies = {}
  for i, parts in ipairs(done.bodies) do
    bodies[i] = sinew.solid { points = points, parts = parts, mirror = recipe.mirror,
      fold = recipe.mirror and (recipe.fold or 1) or 0, cell = options.cell or recipe.cell,
      scale = unit * average }
  end
  local solid = bodies[2] and sinew.solid.merge(bodies) or bodies[1]
  if places then
    for name, p in pairs(at) do
      places[name] = matrix and matrix:point { p[1], p[2], p[3] } or sinew.vec3(p[1], p[2], p[3])
    end
  end
  return matrix and solid:placed(matrix) or solid
end

-- The solid of a recipe, with the options `scale`, `fit` and `cell`; `places` (optional) is filled
-- with the landmarks where they came out, in metres. Mistakes are raised at the line that called
-- the caller.
function blend.solid(recipe, options, places)
  local ok, result = pcall(make, recipe, options, places)
  if ok then return result end
  error(type(result) == "string" and result:gsub("^[^\n]-%.lua:%d+: ", "") or result, 3)
end

return blend

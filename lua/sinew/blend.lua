-- Smooth shapes from named landmarks: balls that are joined, blended and cut. A recipe is a table:
--
--   { points = { name = { x, y, z, radius }, ... },
--     ellipsoids = { name = { x, y, z, three half widths, rotation vector in degrees }, ... },
--     drums = { the same: an elliptic cylinder along y with a waist },
--     parts = { { k =, inner =, smooth =, cut =, "element", ... }, ... },
--     unit = "mm" (or "m"), mirror =, fold =, cell = }
--
-- Parts apply in order: `k` is the width of the blend with what is there, `inner` that within the
-- part, `cut = true` takes away, `smooth` (0 to 3) rounds the part's triangles. Elements:
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

local function fail(level, ...) error("shapes.blend: " .. string.format(...), level + 1) end

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
        fail(5, "part %d, '%s': four numbers before the names of a flat tube", number, text)
      end
    end
    for _ = 1, 4 do table.remove(list, 1) end
  end
  local count, round = #list, nil
  for i, name in ipairs(list) do
    if not known[name] then
      fail(5, "part %d: no landmark '%s'%s", number, name, near(known, name))
    end
    round = round or (known[name] ~= "point" and known[name])
    list[i] = index_of(name)
  end
  if count < (form and words[form] or 1) or (not form and count > 3) then
    fail(5, "part %d, '%s': %d landmarks; 'tube' joins more than three", number, text, count)
  end
  if round and (form or count > 1) then
    fail(5, "part %d, '%s': an ellipsoid or drum stands alone", number, text)
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

-- What was compiled last, by recipe: most are used again. Hosted scripts have no weak tables, so it
-- is emptied when it is full.
local compiled, compiled_count = {}, 0

local groups = { points = "point", ellipsoids = "ellipsoid", drums = "drum" }
local sizes = { point = { 4, 4 }, ellipsoid = { 6, 9 }, drum = { 6, 9 } }

-- checks the numbers of the landmarks; gives the kind of each by name
local function landmarks_of(recipe)
  local known = {}
  for group, kind in pairs(groups) do
    for name, numbers in pairs(recipe[group] or {}) do
      local size = sizes[kind]
      if type(numbers) ~= "table" or #numbers < size[1] or #numbers > size[2] then
        fail(5, "'%s' of %s needs %d numbers", tostring(name), group, size[1])
      end
      for i = 1, #numbers do
        if type(numbers[i]) ~= "number" or numbers[i] ~= numbers[i] then
          fail(5, "'%s' of %s: %s is no number", tostring(name), group, tostring(numbers[i]))
        end
      end
      if type(name) ~= "string" or name:find "%s" or words[name] or number_of(name) then
        fail(5, "'%s' cannot be a landmark's name", tostring(name))
      end
      if known[name] then fail(5, "'%s' is the name of two landmarks", name) end
      known[name] = kind
    end
  end
  return known
end

-- the parts with landmarks by number, in the order of their first use
local function compile(recipe)
  local done = compiled[recipe]
  if done then return done end
  if type(recipe.parts) ~= "table" or #recipe.parts == 0 then fail(4, "'parts' must be a list") end
  if not units[recipe.unit or "mm"] then
    fail(4, "'unit' is mm, cm or m, not '%s'", tostring(recipe.unit))
  end
  done = { names = {}, parts = {}, known = landmarks_of(recipe) }
  local numbers = {}
  local function index_of(name)
    if not numbers[name] then
      done.names[#done.names + 1] = name
      numbers[name] = #done.names
    end
    return numbers[name]
  end
  for i, part in ipairs(recipe.parts) do
    if type(part) ~= "table" or #part == 0 then
      fail(4, "part %d must be a table with elements", i)
    end
    local made = { k = part.k, inner = part.inner, smooth = part.smooth, cut = part.cut }
    for _, text in ipairs(part) do
      if type(text) ~= "string" then fail(4, "part %d: an element is a text", i) end
      parse(done.known, text, i, index_of, made)
    end
    done.parts[i] = made
  end
  if compiled_count == 256 then compiled, compiled_count = {}, 0 end
  compiled[recipe], compiled_count = done, compiled_count + 1
  return done
end

-- --- fitting

local function minus(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end
local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end
local function length(a) return math.sqrt(dot(a, a)) end

local function mean(list)
  local m = { 0, 0, 0 }
  for _, p in ipairs(list) do
    for k = 1, 3 do m[k] = m[k] + p[k] / #list end
  end
  return m
end

-- the unit quaternion w x y z whose matrix is `n`'s largest eigenvector, by power iteration
local function largest(n)
  local q, shift = { 1, 0.01, 0.02, 0.03 }, 0
  for i = 1, 4 do
    for k = 1, 4 do shift = shift + math.abs(n[i][k]) end
  end
  for i = 1, 4 do n[i][i] = n[i][i] + shift end
  for _ = 1, 12 do -- squaring the matrix 12 times is 4096 steps
    local square, most = {}, 0
    for i = 1, 4 do
      square[i] = {}
      for k = 1, 4 do
        local sum = 0
        for j = 1, 4 do sum = sum + n[i][j] * n[j][k] end
        square[i][k] = sum
        most = math.max(most, math.abs(sum))
      end
    end
    for i = 1, 4 do
      for k = 1, 4 do square[i][k] = most > 0 and square[i][k] / most or 0 end
    end
    n = square
  end
  local r, size = {}, 0
  for i = 1, 4 do
    r[i] = n[i][1] * q[1] + n[i][2] * q[2] + n[i][3] * q[3] + n[i][4] * q[4]
    size = size + r[i] * r[i]
  end
  size = math.sqrt(size)
  for i = 1, 4 do r[i] = size > 0 and r[i] / size or (i == 1 and 1 or 0) end
  return r
end

-- rows of the rotation of a quaternion
local function rows(q)
  local w, x, y, z = q[1], q[2], q[3], q[4]
  return { { 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y) },
    { 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x) },
    { 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y) } }
end

-- the shortest rotation from one direction to another
local function shortest(a, b)
  local la, lb = length(a), length(b)
  if la < 1e-9 or lb < 1e-9 then return { 1, 0, 0, 0 } end
  local w = 1 + dot(a, b) / (la * lb)
  local x, y, z = a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1]
  if w < 1e-9 then -- opposite: about any axis across
    if math.abs(a[1]) < 0.8 * la then
      w, x, y, z = 0, 0, a[3], -a[2]
    else
      w, x, y, z = 0, -a[3], 0, a[1]
    end
    la, lb = 1, 1
  end
  x, y, z = x / (la * lb), y / (la * lb), z / (la * lb)
  local size = math.sqrt(w * w + x * x + y * y + z * z)
  return { w / size, x / size, y / size, z / size }
end

-- The best similarity from points to targets (B. Horn, 1987): rows of a rotation, scale, and both
-- middles.
function blend.similarity(from, to)
  local a, b = mean(from), mean(to)
  local q, size, other = { 1, 0, 0, 0 }, 0, 0
  for i = 1, #from do
    local u, v = minus(from[i], a), minus(to[i], b)
    size, other = size + dot(u, u), other + dot(v, v)
  end
  if #from == 2 then
    q = shortest(minus(from[2], from[1]), minus(to[2], to[1]))
  elseif #from > 2 then
    local s = { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }
    for i = 1, #from do
      local u, v = minus(from[i], a), minus(to[i], b)
      for j = 1, 3 do
        for k = 1, 3 do s[j][k] = s[j][k] + u[j] * v[k] end
      end
    end
    q = largest { { s[1][1] + s[2][2] + s[3][3], s[2][3] - s[3][2], s[3][1] - s[1][3],
        s[1][2] - s[2][1] },
      { s[2][3] - s[3][2], s[1][1] - s[2][2] - s[3][3], s[1][2] + s[2][1], s[3][1] + s[1][3] },
      { s[3][1] - s[1][3], s[1][2] + s[2][1], s[2][2] - s[1][1] - s[3][3], s[2][3] + s[3][2] },
      { s[1][2] - s[2][1], s[3][1] + s[1][3], s[2][3] + s[3][2], s[3][3] - s[1][1] - s[2][2] } }
  end
  local scale = size > 1e-18 and math.sqrt(other / size) or 1
  return rows(q), scale, a, b
end

-- Solves the linear system; nil if it is singular.
local function solve(matrix, right)
  local n = #matrix
  for c = 1, n do
    local best = c
    for r = c + 1, n do
      if math.abs(matrix[r][c]) > math.abs(matrix[best][c]) then best = r end
    end
    if math.abs(matrix[best][c]) < 1e-12 then return nil end
    matrix[c], matrix[best], right[c], right[best] = matrix[best], matrix[c], right[best], right[c]
    for r = c + 1, n do
      local f = matrix[r][c] / matrix[c][c]
      for k = c, n do matrix[r][k] = matrix[r][k] - f * matrix[c][k] end
      for k = 1, 3 do right[r][k] = right[r][k] - f * right[c][k] end
    end
  end
  for r = n, 1, -1 do
    for k = 1, 3 do
      local sum = right[r][k]
      for c = r + 1, n do sum = sum - matrix[r][c] * right[c][k] end
      right[r][k] = sum / matrix[r][r]
    end
  end
  return right
end

-- A smooth displacement that moves each point by what is asked for: a constant and a multiple of
-- the distance to each (the biharmonic spline in space), with multiples that add up to 0.
local function warp(points, moves)
  local n, matrix, right = #points, {}, {}
  for i = 1, n do
    matrix[i], right[i] = {}, { moves[i][1], moves[i][2], moves[i][3] }
    for k = 1, n do matrix[i][k] = length(minus(points[i], points[k])) end
    matrix[i][n + 1] = 1
  end
  matrix[n + 1], right[n + 1] = {}, { 0, 0, 0 }
  for k = 1, n do matrix[n + 1][k] = 1 end
  matrix[n + 1][n + 1] = 0
  local w = solve(matrix, right)
  if not w then return nil end
  return function(p)
    local moved = { p[1] + w[n + 1][1], p[2] + w[n + 1][2], p[3] + w[n + 1][3] }
    for i = 1, n do
      local d = length(minus(p, points[i]))
      for k = 1, 3 do moved[k] = moved[k] + d * w[i][k] end
    end
    return moved
  end
end

-- Moves the landmarks in `places` so that those of `fit` come out where they are asked for, and
-- gives the matrix that takes all of them there.
local function fit_landmarks(recipe, known, places, fit)
  local names, from, to = {}, {}, {}
  for name in pairs(fit) do
    if not known[name] then
      fail(4, "fit: no landmark '%s'%s", tostring(name), near(known, name))
    end
    names[#names + 1] = name
  end
  table.sort(names)
  local function add(p, q) from[#from + 1], to[#to + 1] = p, q end
  for _, name in ipairs(names) do
    local ok, v = pcall(sinew.vec3, fit[name])
    if not ok then fail(4, "fit: '%s' must be a vec3 or three numbers", name) end
    local p = places[name]
    add({ p[1], p[2], p[3] }, { v.x, v.y, v.z })
    if recipe.mirror and math.abs(p[1]) > 1e-9 then
      add({ -p[1], p[2], p[3] }, { -v.x, v.y, v.z })
    end
  end
  if #from == 0 then return sinew.mat4() end
  local r, scale, a, b = blend.similarity(from, to)
  -- what remains, seen from the recipe
  local moves = {}
  for i = 1, #from do
    local d = minus(to[i], b)
    moves[i] = {}
    for k = 1, 3 do
      local back = (r[1][k] * d[1] + r[2][k] * d[2] + r[3][k] * d[3]) / scale
      moves[i][k] = back + a[k] - from[i][k]
    end
  end
  local bend = #from > 2 and warp(from, moves)
  if #from > 2 and not bend then fail(4, "fit: two of the landmarks are in the same place") end
  if bend then
    for _, p in pairs(places) do
      local moved, middle = bend(p), recipe.mirror and math.abs(p[1]) < 1e-9
      for k = 1, 3 do p[k] = moved[k] end
      if middle then p[1] = 0 end
    end
  end
  local m = {}
  for c = 1, 3 do
    for k = 1, 3 do m[4 * c - 4 + k] = scale * r[k][c] end
    m[4 * c] = 0
  end
  for k = 1, 3 do
    m[12 + k] = b[k] - scale * (r[k][1] * a[1] + r[k][2] * a[2] + r[k][3] * a[3])
  end
  m[16] = 1
  return sinew.mat4(m)
end

local function scale_of(given)
  if given == nil then return { 1, 1, 1 } end
  if type(given) == "number" then given = { given, given, given } end
  local ok, v = pcall(sinew.vec3, given)
  if not ok or not (v.x > 0 and v.y > 0 and v.z > 0) then
    fail(4, "'scale' must be a positive number, or three")
  end
  return { v.x, v.y, v.z }
end

-- the landmarks in metres, scaled: { x, y, z, radius } or { x, y, z, radii, rotation vector }
local function places_of(recipe, scale, average)
  local places, unit = {}, units[recipe.unit or "mm"]
  for group, kind in pairs(groups) do
    for name, n in pairs(recipe[group] or {}) do
      local p = { n[1] * scale[1] * unit, n[2] * scale[2] * unit, n[3] * scale[3] * unit }
      if kind == "point" then
        p[4] = n[4] * average * unit
      else
        for k = 1, 3 do p[3 + k] = n[3 + k] * scale[k] * unit end
        for k = 7, 9 do p[k] = n[k] or 0 end
      end
      places[name] = p
    end
  end
  return places, unit
end

-- The solid of a recipe, with the options `scale`, `fit` and `cell`; `places` (optional) is filled
-- with the landmarks where they came out, in metres.
function blend.solid(recipe, options, places)
  local done = compile(recipe)
  local scale = scale_of(options.scale)
  local average = (scale[1] * scale[2] * scale[3]) ^ (1 / 3)
  local at, unit = places_of(recipe, scale, average)
  local matrix = options.fit and fit_landmarks(recipe, done.known, at, options.fit)
  local points = {}
  for i, name in ipairs(done.names) do points[i] = at[name] end
  local cell = options.cell or recipe.cell
  local solid = sinew.solid { points = points, parts = done.parts, mirror = recipe.mirror,
    fold = recipe.mirror and (recipe.fold or 1) or 0, cell = cell, scale = unit * average }
  if places then
    for name, p in pairs(at) do
      places[name] = matrix and matrix:point { p[1], p[2], p[3] } or sinew.vec3(p[1], p[2], p[3])
    end
  end
  return matrix and solid:placed(matrix) or solid
end

return blend

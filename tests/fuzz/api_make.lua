-- Makes the programs of the API fuzzer, from sinew.types(), sinew.catalog() and the signatures and
-- tables of options in lua/docs; and reduces those that crash to the statements that are needed.
-- A program is a list of statements in the words of api_play.lua; a seed always makes the same.
local sinew = require "sinew"
local api = require "docs.api"

local unpack = table.unpack or unpack -- luacheck: ignore

-- --- random choices

local state = 1
local function random(count) -- 1 to count
  state = state * 16807 % 2147483647
  return state % count + 1
end
local function chance(percent) return random(100) <= percent end
local function pick(list) return #list > 0 and list[random(#list)] or nil end

-- --- what there is

local alias, option_rows, enumerable = {}, {}, {}
for _, item in ipairs(api.aliases) do alias[item[1]] = item[2] end
for _, item in ipairs(api.options) do option_rows[item[1]] = item[3] end
local lua_name = {}
for _, item in ipairs(api.types) do lua_name[item[1]] = item.lua or item[1] end
lua_name.kind = "kind of component"
lua_name.userdata = "component to be added"

local function split(text, separator) -- at separators outside of brackets and quotes
  local parts, from, deep, quoted = {}, 1, 0, false
  for i = 1, #text do
    local c = text:sub(i, i)
    if c == "'" then quoted = not quoted end
    if not quoted then
      if c:find "[%(<{]" then deep = deep + 1 elseif c:find "[%)>}]" then deep = deep - 1 end
      if c == separator and deep == 0 then
        parts[#parts + 1] = text:sub(from, i - 1)
        from = i + 1
      end
    end
  end
  parts[#parts + 1] = text:sub(from)
  return parts
end

-- "name(a: vec3, b?: number): x" as its name and a list of { type, optional }
local function parse(signature)
  local name, inside = signature:match "^([%w_]+)(%b())"
  if not name then return signature:match "^[%w_]+", {} end
  local list = {}
  for _, part in ipairs(split(inside:sub(2, -2), ",")) do
    local mark, kind = part:match "^%s*[%w_%.]+(%??):%s*(.-)%s*$"
    if kind then list[#list + 1] = { kind, mark == "?" } end
  end
  return name, list
end

local signatures, functions = {}, {} -- of methods by type and name; { name, arguments }
for _, item in ipairs(api.types) do
  local known = {}
  for _, entry in ipairs(item.methods) do
    local name, arguments = parse(entry[1])
    known[name] = arguments
  end
  signatures[item.lua or item[1]] = known
  for _, entry in ipairs(item.functions or {}) do
    local name, arguments = parse(entry[1])
    functions[#functions + 1] = { item[1] .. "." .. name, arguments }
  end
end
for _, entry in ipairs(api.functions) do
  local name, arguments = parse(entry[1])
  functions[#functions + 1] = { name, arguments }
end
for _, entry in ipairs(api.helpers) do
  if entry[2] then
    local name, arguments = parse(entry[2])
    functions[#functions + 1] = { name, arguments }
  end
end

local types, type_names = sinew.types(), {}
for name in pairs(types) do type_names[#type_names + 1] = name end
table.sort(type_names)
local catalog = sinew.catalog()
local makers = { "rig", "joint set" } -- have a method for each kind of component

-- --- values

local numbers = { "0", "1", "-1", "2", "3", "7", "16", "0.5", "-0.0", "1e-9", "90", "180", "360",
  "1e30", "-1e30", "1/0", "-1/0", "0/0", "2^31", "2^53", "-2^63", "255", "1e308" }
local words = { "x", "set", "set.x", "femur", "tibia", "foot", "knee", "turn", "bend", "q1", "s1",
  "s2", "", "xyz", "zyx", "deg", "m", "y", "k", "l", "smooth", "hold", "name", "a\\0b",
  "\\xff\\xfe", "%s%n", "x + 1", "close", "dofs", ("w"):rep(300), "fine", "made1", "file", "1",
  "self", "t" }
local traps = 4000

local value, table_of

local function fallback_of(kind) return ("g(%q,%d)"):format(kind, random(30)) end

local function integer() return chance(80) and tostring(random(9)) or pick(numbers) end
local function number()
  return chance(70) and tostring((random(2000) - 1000) / 10) or pick(numbers)
end
local function text() return '"' .. pick(words) .. '"' end
local function list(make, least, most)
  local items = {}
  for i = 1, least + random(most - least + 1) - 1 do items[i] = make() end
  return "{" .. table.concat(items, ",") .. "}"
end
local function vector() return list(number, chance(95) and 3 or 0, 3) end

local function any()
  local way = random(14)
  if way <= 4 then return fallback_of(pick(type_names)) end
  if way == 5 then return number() end
  if way == 6 then return text() end
  if way == 7 then return "nil" end
  if way == 8 then return chance(50) and "true" or "false" end
  if way == 9 then return ("T(%d)"):format(random(traps)) end
  if way == 10 then return ("E(%d)"):format(random(traps)) end
  if way == 11 then return list(any, 0, 3) end
  if way == 12 then return vector() end
  if way == 13 then return "sinew_" end
  return ("coroutine.create(E(%d))"):format(random(traps))
end

local function trapped(text_of_table)
  if not chance(8) then return text_of_table end
  return ("T(%d,%s)"):format(random(traps), text_of_table)
end

local function points()
  local items, x = {}, random(20) - 10
  for i = 1, 1 + random(5) do
    items[i] = ("{%g,%s}"):format(x, number())
    x = x + random(40) / (chance(95) and 1 or -1)
  end
  return "{" .. table.concat(items, ",") .. "}"
end

local by_name = {
  number = number, integer = integer, string = text, vector = function()
    return chance(70) and vector() or fallback_of "vec3"
  end,
  turn = function() return chance(50) and list(number, 4, 4) or fallback_of "quat" end,
  matrix = function() return fallback_of "mat4" end,
  numbers = function() return chance(50) and fallback_of "buffer" or list(number, 0, 6) end,
  boolean = function() return chance(50) and "true" or "false" end,
  any = function() return any() end,
  ["function"] = function() return ("E(%d)"):format(random(traps)) end,
  table = function() return list(any, 0, 4) end,
  axis = function() return chance(60) and pick { '"x"', '"y"', '"-z"' } or vector() end,
  points = points,
  ["nil"] = function() return "nil" end,
  declaration = function()
    return ([[{name="n%d",inputs={"x"},outputs={"y"},params={k=%s},%s=E(%d)}]]):format(random(3),
      any(), chance(80) and "eval" or "build", random(traps))
  end,
}

function value(kind)
  if chance(4) then return any() end
  kind = kind:match "^%s*(.-)%s*$"
  local optional = kind:match "^(.*)%?$"
  if optional then return chance(30) and "nil" or value(optional) end
  if kind:find "^fun%(" or kind:find "^%(fun%(" then return ("E(%d)"):format(random(traps)) end
  local item = kind:match "^(.*)%[%]$"
  if item and #split(kind, "|") == 1 then
    item = item:match "^%((.*)%)$" or item
    return trapped(list(function() return value(item) end, 0, 4))
  end
  local ways = split(kind, "|")
  if #ways > 1 then return value(pick(ways)) end
  if kind:find "^'" then return '"' .. kind:sub(2, -2) .. '"' end
  local key, content = kind:match "^table<(.-),%s*(.*)>$"
  if key then
    local items = {}
    for i = 1, random(3) do items[i] = ("[%s or 1]=%s"):format(value(key), value(content)) end
    return trapped("{" .. table.concat(items, ",") .. "}")
  end
  if kind:find "^{" then return vector() end
  if by_name[kind] then return by_name[kind]() end
  if alias[kind] then return value(alias[kind]) end
  if option_rows[kind] then return table_of(option_rows[kind]) end
  local component = kind:match "^sinew%.component%.([%w_]+)"
  if component then
    for _, cls in ipairs(catalog) do
      if cls.name == component then return enumerable.arguments(cls) end
    end
  end
  return fallback_of(lua_name[kind] or kind)
end

function table_of(rows)
  local items, deep = {}, 0
  for _, row in ipairs(rows) do
    local wanted = row[4] == api.options.needed and 95 or 22
    if chance(wanted) and deep < 8 then
      deep = deep + 1
      local key = type(row[1]) == "number" and ("[%d]"):format(row[1]) or ("[%q]"):format(row[1])
      items[#items + 1] = key .. "=" .. value(row[2])
    end
  end
  if chance(3) then items[#items + 1] = "[" .. text() .. "]=" .. any() end
  return trapped("{" .. table.concat(items, ",") .. "}")
end

local ports = { scalar = "scalar", vector = "source", matrix = "source" }
local params = { number = "number", flag = "boolean", vector = "vector", matrix = "matrix",
  text = "string", ["list of numbers"] = "number[]", ["list of vectors"] = "vector[]",
  segment = "segment|string", component = "component|string", curve = "curve|points", object =
  "field", choice = "string" }

-- the table of a component's inputs and parameters
function enumerable.arguments(cls)
  local items = {}
  for i, port in ipairs(cls.inputs) do
    if not port.optional or chance(40) then
      local key = chance(50) and not port.list and port.name or ("[%d]"):format(i)
      items[#items + 1] = key .. "=" .. value(ports[port.kind])
    end
  end
  for _, param in ipairs(cls.params) do
    if param.required and chance(95) or chance(30) then
      items[#items + 1] = param.name .. "=" .. (param.choices and chance(90)
        and ("%q"):format(pick(param.choices)) or value(params[param.type] or "any"))
    end
  end
  if cls.named and chance(90) then
    for i = 1, random(2) do
      items[#items + 1] = pick { "out", "angle", "y" } .. i .. "="
        .. value(params[cls.named.type] or "any")
    end
  end
  if chance(40) then items[#items + 1] = "name=" .. text() end
  return trapped("{" .. table.concat(items, ",") .. "}")
end

-- --- statements

local function arguments_of(list_of_types)
  local items = {}
  for _, entry in ipairs(list_of_types or {}) do
    if entry[2] and chance(40) then break end
    items[#items + 1] = value(entry[1])
  end
  while chance(list_of_types and 3 or 50) do items[#items + 1] = any() end
  return #items > 0 and "," .. table.concat(items, ",") or ""
end

local function a_call()
  local kind = pick(type_names)
  local method = pick(types[kind].methods)
  if not method or chance(10) and (kind == makers[1] or kind == makers[2]) then
    if kind == makers[1] or kind == makers[2] then
      local cls = pick(catalog)
      return ("C(%s,%q,%s)"):format(fallback_of(kind), cls.name, enumerable.arguments(cls))
    end
    return ("O(%q,%s,%s)"):format("()", fallback_of(kind), any())
  end
  if method == "close" and chance(70) then
    return ("O(%q,%s)"):format("tostring", fallback_of(kind))
  end
  local arguments = arguments_of(signatures[kind] and signatures[kind][method])
  if chance(5) then return ("W(%s,%q,%s%s)"):format(fallback_of(kind), method, any(), arguments) end
  return ("C(%s,%q%s)"):format(fallback_of(kind), method, arguments)
end

local function a_component()
  local cls = pick(catalog)
  return ("C(%s,%q,%s)"):format(fallback_of(pick(makers)), cls.name, enumerable.arguments(cls))
end

local function a_field()
  local kind = pick(type_names)
  local field = pick(types[kind].fields)
  local key = field and chance(80) and ("%q"):format(field.name) or text()
  if chance(6) then key = any() end
  if field and not field.writable and chance(80) or chance(50) then
    return ("I(%s,%s)"):format(fallback_of(kind), key)
  end
  return ("N(%s,%s,%s)"):format(fallback_of(kind), key, chance(60) and number() or any())
end

-- slow ones are tried less often
local slow = { fit_cone = 15, field = 10, sculpt_field = 10, solid = 30, bind = 10, skeleton = 10,
  load = 20, watch = 5, character = 20, nodes = 20 }
local function a_function()
  local f = pick(functions)
  if slow[f[1]] and not chance(slow[f[1]]) then f = pick(functions) end
  return ("F(%q%s)"):format(f[1], arguments_of(f[2]))
end

local operators = { "+", "-", "*", "/", "^", "..", "==", "<", "<=", "#", "neg", "()", "tostring",
  "%" }
local function an_operator()
  return ("O(%q,%s,%s)"):format(pick(operators), fallback_of(pick(type_names)), any())
end

local ways = { "plain", "step", "generational", "stop", "plain" }
local function special()
  local way = random(9)
  if way <= 4 then return ("D(%d)"):format(random(traps)) end
  if chance(3) then return "collectgarbage()" end
  if way == 5 then return 'collectgarbage "step"' end
  if way == 6 then return ("G%q"):format(pick(ways)) end
  return ("A(%d)"):format(random(traps))
end

local bases = { "knee", "scripted", "scripted", "chain", "values" }
local function statement()
  local way = random(100)
  local made
  if way <= 40 then made = a_call()
  elseif way <= 52 then made = a_component()
  elseif way <= 68 then made = a_field()
  elseif way <= 80 then made = a_function()
  elseif way <= 87 then made = an_operator()
  elseif way <= 96 then made = special()
  else made = ("B(%q,%d)"):format(pick(bases), random(60)) end
  if chance(2) then made = ("fail(%d) "):format(random(chance(50) and 6 or 200)) .. made end
  if budgets and chance(12) then
    local work = math.floor(10 ^ (random(600) / 100))
    made = ("limit(%d,%d) "):format(chance(85) and work or 0, chance(25) and 40 * work or 0) .. made
  end
  for _ = 1, random(4) - 1 do made = made .. " " .. (chance(50) and a_call() or a_field()) end
  return (chance(6) and "Y" or "P") .. "(function() " .. made .. " end)"
end

local function statements(seed)
  state = seed % 2147483646 + 1
  for _ = 1, 5 do random(9) end
  local made = { ("G%q"):format(pick(ways)), ("J(%s)"):format(tostring(chance(12))) }
  for _, name in ipairs(bases) do
    if chance(80) then made[#made + 1] = ("P(function() B(%q,%d) end)"):format(name, random(60)) end
  end
  for i = #made + 1, 60 + random(200) do made[i] = statement() end
  return made
end

-- a function holds 60 jumps at most in some Luas, and few constants: one for each statement
function program(seed) return table.concat(statements(seed), "\n") end

live_blocks = sinew.live_blocks

-- --- findings

-- what a log says of a crash, short enough to tell two crashes from each other
function signature(log, signal)
  local file = io.open(log)
  local said = file and file:read "*a" or ""
  if file then file:close() end
  local summary = said:match "SUMMARY: ([^\n]*)" or said:match "(sinew: [^\n]*expected[^\n]*)"
    or said:match "runtime error: ([^\n]*)"
  if summary and summary:find "leaked" then -- how much differs from run to run: by whose blocks
    local first
    for trace in said:gmatch "Direct leak(.-)\n\n" do
      for name in trace:gmatch "#%d+ %S+ in ([%w_]+)" do
        if not name:find "alloc" and not name:find "strdup" then
          if not first or name < first then first = name end
          break
        end
      end
    end
    return "blocks leaked, of " .. (first or "none that are known")
  end
  if summary then
    return (summary:gsub("[^ ]*/", ""):gsub("%(sinew.so.-%)", ""):gsub("0x%x+", "0x"))
  end
  if signal == 27 then return "a program that takes longer than it may" end
  return signal > 0 and "signal " .. signal or said:sub(-200)
end

-- the fewest of these statements that die in the same way
local function reduce(all, wanted)
  local tries, size = 0, math.ceil(#all / 2)
  local function dies(part)
    tries = tries + 1
    return tries < 200 and try(table.concat(part, "\n")) == wanted
  end
  if wanted:find "longer" or not dies(all) then return all end
  while size >= 1 do
    local from, smaller = 1, false
    while from <= #all do
      local part = {}
      for i, line in ipairs(all) do
        if i < from or i >= from + size then part[#part + 1] = line end
      end
      if #part < #all and dies(part) then
        all, smaller = part, true
      else
        from = from + size
      end
    end
    if size == 1 and not smaller then break end
    size = size > 1 and math.floor(size / 2) or 1
  end
  return all
end

local known, found = {}, 0

function report(seed, what, log, folder, seconds, calls)
  if known[what] then return false end
  known[what] = true
  found = found + 1
  print(("FOUND  after %.0f s and %.0f calls, seed %d: %s"):format(seconds, calls, seed, what))
  local file = io.open(log)
  local said = file and file:read "*a" or ""
  if file then file:close() end
  io.stdout:flush()
  local fewest = table.concat(reduce(statements(seed), what), "\n") .. "\n"
  local path = ("%s/found-%d.lua"):format(folder, seed)
  file = assert(io.open(path, "w"))
  file:write(fewest)
  file:close()
  file = assert(io.open(path .. ".log", "w"))
  file:write(said)
  file:close()
  print(fewest .. ("again: fuzz-api --run %s"):format(path))
  io.stdout:flush()
  return true
end

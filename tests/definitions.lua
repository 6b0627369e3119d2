-- Reads sinew.d.lua as an editor does, and checks it and scripts against it. No language server is
-- at hand where the tests run, so this is a small one of our own:
--
--   local known = definitions.read(text)       classes, aliases and fields; every name once, every
--                                              type that is used is there
--   definitions.check(known, text, name)       a list of mistakes in a script: fields of the module
--                                              and methods that are not there, and in calls with a
--                                              table the options that it does not take or lacks
local definitions = {}

local basic = {}
for name in ("any nil boolean number integer string table function userdata"):gmatch "%a+" do
  basic[name] = true
end

-- --- types

-- calls `visit` with each name in a type: "fun(x: number): sinew.vec3|'a'|number[]"; raises if it
-- is no type. Returns what follows it.
local function read_type(text, visit)
  local rest
  local function take(pattern)
    local first, last = rest:find("^%s*" .. pattern)
    if not first then return nil end
    local found = rest:sub(first, last):gsub("^%s+", "")
    rest = rest:sub(last + 1)
    return found
  end
  local function want(pattern)
    return take(pattern) or error(("'%s' is wanted at '%s'"):format(pattern, rest), 0)
  end
  local union
  local function arguments(close)
    while not take(close) do
      if not take "%.%.%." then want "[%a_][%w_]*" end
      take "%?"
      if take ":" then union() end
      take ","
    end
  end
  local function one()
    if take "fun%(" then
      arguments "%)"
      if take ":" then
        repeat
          take "%.%.%."
          union()
        until not take ","
      end
    elseif take "{" then
      arguments "}"
    elseif take "%(" then
      union()
      want "%)"
    elseif take "'[^']*'" then
      return
    else
      local name = want "[%a_][%w_.]*"
      if name == "table" and take "<" then
        union()
        want ","
        union()
        want ">"
      end
      visit(name)
    end
  end
  function union()
    repeat
      one()
      while take "%[%]" or take "%?" do end -- luacheck: ignore 542
    until not take "|"
  end
  rest = text
  union()
  return rest
end

function definitions.read(text)
  local known, class, number = { classes = {}, aliases = {} }, nil, 0
  local used = {}
  local function visit(name) used[#used + 1] = { name, number } end
  for line in text:gmatch "([^\n]*)\n" do
    number = number + 1
    local function wrong(...)
      error(("line %d: %s"):format(number, (...):format(select(2, ...))), 0)
    end
    local function typed(types)
      local ok, after = pcall(read_type, types, visit)
      return ok and after or wrong("%s", after)
    end
    local tag, rest = line:match "^%-%-%-@(%a+) (.*)$"
    if tag == "class" then
      local name, parent = rest:match "^([%w_.]+):? ?([%w_.]*)$"
      if not name then wrong "no class" end
      if known.classes[name] then wrong("class %s is declared twice", name) end
      class = { name = name, parent = parent ~= "" and parent or nil, fields = {} }
      known.classes[name] = class
      if class.parent then visit(parent) end
    elseif tag == "alias" then
      local name, types = rest:match "^([%w_.]+) (.*)$"
      if known.aliases[name] or known.classes[name] then wrong("alias %s is there twice", name) end
      known.aliases[name] = types
      typed(types)
    elseif tag == "field" then
      local name, optional, types = rest:match "^(%b[])(%??) (.*)$"
      if not name then name, optional, types = rest:match "^([%a_][%w_]*)(%??) (.*)$" end
      if not name then wrong("no field: %s", rest) end
      if class.fields[name] then wrong("%s of %s is declared twice", name, class.name) end
      local after = typed(types)
      class.fields[name] = { type = types:sub(1, #types - #after), optional = optional == "?" }
    elseif tag == "operator" then
      local argument, result = rest:match "^%a+(%b())%s*:%s*(.*)$"
      typed(result or rest:match ":%s*(.*)$")
      if argument then typed(argument) end
    elseif tag == "overload" then
      typed(rest)
    elseif tag and tag ~= "meta" then
      wrong("the tag %s is not known", tag)
    end
  end
  for _, use in ipairs(used) do
    local name = use[1]
    if not (basic[name] or known.classes[name] or known.aliases[name]) then
      error(("line %d: there is no type %s"):format(use[2], name), 0)
    end
  end
  return known
end

-- --- scripts

-- names, strings and symbols with their lines; comments are left out
local function tokens(text)
  local list, at, line = {}, 1, 1
  local function add(kind, value) list[#list + 1] = { kind = kind, value = value, line = line } end
  while at <= #text do
    local comment = text:match("^(%-%-)%[(=*)%[", at)
    local long = comment and text:match("^%-%-%[(=*)%[", at) or text:match("^%[(=*)%[", at)
    local piece
    if long then
      local _, last = text:find("]" .. long .. "]", at, true)
      piece = text:sub(at, last or #text)
      if not comment then add("string", piece) end
    else
      piece = text:match("^%-%-[^\n]*", at) or text:match("^%s+", at)
      if not piece then
        piece = text:match("^[%a_][%w_]*", at)
        local kind = piece and "name"
        if not piece then
          piece = text:match("^%.?%d[%w.]*", at)
          kind = "number"
        end
        if not piece and text:find("^[\"']", at) then
          local quote, last = text:sub(at, at), at + 1
          while text:sub(last, last) ~= quote do
            last = last + (text:sub(last, last) == "\\" and 2 or 1)
          end
          piece, kind = text:sub(at, last), "string"
        end
        if not piece then
          piece = text:match("^%.%.%.?", at) or text:match("^[=~<>]=", at) or text:sub(at, at)
          kind = "symbol"
        end
        add(kind, piece)
      end
    end
    line = line + select(2, piece:gsub("\n", "\n"))
    at = at + #piece
  end
  return list
end

local closes = { ["{"] = "}", ["("] = ")", ["["] = "]", ["function"] = "end", ["do"] = "end",
  ["if"] = "end" }

-- the keys of the table that starts at a token, positions as [1]; nil if it is not a plain table
local function keys_of(list, at)
  local keys, depth, position, fresh = {}, {}, 0, true
  for i = at + 1, #list do
    local token = list[i]
    local value = token.kind ~= "string" and token.value
    if #depth == 0 and value == "}" then return keys, i end
    if #depth == 0 and fresh and (value ~= ",") then
      fresh = false
      local next_value = list[i + 1] and list[i + 1].kind == "symbol" and list[i + 1].value
      if token.kind == "name" and next_value == "=" then
        keys[#keys + 1] = { token.value, token.line }
      elseif value == "[" then
        keys.computed = true
      else
        position = position + 1
        keys[#keys + 1] = { ("[%d]"):format(position), token.line }
      end
    end
    if #depth > 0 and value == depth[#depth] then
      depth[#depth] = nil
    elseif value and closes[value] then
      depth[#depth + 1] = closes[value]
    elseif #depth == 0 and (value == "," or value == ";") then
      fresh = true
    end
  end
end

local function field_of(known, class, name)
  while class do
    if class.fields[name] then return class.fields[name] end
    class = known.classes[class.parent or ""]
  end
end

-- whether tables of a class are written by hand: objects have methods
local function is_plain(class)
  for _, field in pairs(class.fields) do
    if field.type:find("^fun%(self: " .. class.name) then return false end
  end
  return not class.parent
end

-- the classes of tables that a function takes as its n-th argument, self apart; nil if it also
-- takes lists or other tables
local function argument_classes(known, signature, n)
  local found, position = {}, 0
  local inside = signature:match "^fun(%b())"
  if not inside then return nil end
  inside = inside:sub(2, -2):gsub("^self: [%w_.]+,? ?", "")
  for argument in (inside .. ","):gmatch "([^,]*)," do
    position = position + 1
    if position == n then
      local types = argument:gsub("^[^:]*:", "")
      for _ = 1, 3 do -- aliases of aliases
        types = types:gsub("[%a_][%w_.]*", function(name) return known.aliases[name] end)
      end
      if types:find "[{%[]" or types:find "%f[%w]table%f[%W]" then return nil end
      for name in types:gmatch "[%w_.]+" do
        local class = known.classes[name]
        if class and is_plain(class) then found[#found + 1] = class end
      end
    end
  end
  return found
end

local standard = {}
for name in ([[byte find format gmatch gsub len lower match rep reverse sub upper close lines read
  seek write setvbuf]]):gmatch "%a+" do standard[name] = true end

-- all classes that have a method of this name
local function methods_of(known)
  local methods = {}
  for _, class in pairs(known.classes) do
    for name, field in pairs(class.fields) do
      if field.type:find "^fun%(self" then
        methods[name] = methods[name] or {}
        table.insert(methods[name], field.type)
      end
    end
  end
  return methods
end

function definitions.check(known, text, name)
  local list, wrong, own = tokens(text), {}, {}
  local love = text:find("love.", 1, true) -- whose objects have methods too
  known.methods = known.methods or methods_of(known)
  local function say(line, ...)
    wrong[#wrong + 1] = ("%s:%d: %s"):format(name, line, (...):format(select(2, ...)))
  end
  local function value(i) return list[i] and list[i].kind ~= "string" and list[i].value end
  for i = 1, #list do -- methods and fields that the script itself defines
    if value(i) == "function" and list[i + 1] and list[i + 1].kind == "name" then
      local last = i + 1
      while value(last + 1) == "." or value(last + 1) == ":" do last = last + 2 end
      own[list[last].value] = true
    end
    if list[i].kind == "name" and value(i + 1) == "=" then own[list[i].value] = true end
  end

  -- a call with the signatures that it may have: the table at its end must fit one of them
  local function check_call(called, signatures, i)
    local position, at = 1, i
    if value(i) == "(" then
      local depth = 0
      at = nil
      for k = i + 1, #list do
        local v = value(k)
        if depth == 0 and v == "{" and (value(k - 1) == "(" or value(k - 1) == ",") then at = k end
        if v == "(" or v == "{" or v == "[" then depth = depth + 1 end
        if v == ")" or v == "}" or v == "]" then depth = depth - 1 end
        if depth < 0 or v == "function" then break end
        if at then break end
        if depth == 0 and v == "," then position = position + 1 end
      end
    end
    if not at or value(at) ~= "{" then return end
    local keys = keys_of(list, at)
    if not keys then return end
    local best, fits = nil, false
    for _, signature in ipairs(signatures) do
      local classes = argument_classes(known, signature, position)
      if not classes then return end -- takes any table
      for _, class in ipairs(classes) do
        local faults, given = {}, {}
        local open = field_of(known, class, "[string]")
        for _, key in ipairs(keys) do
          given[key[1]] = true
          local there = field_of(known, class, key[1])
            or key[1]:find "^%[" and field_of(known, class, "[integer]") or open
          if not there then
            faults[#faults + 1] = { key[2], ("%s takes no '%s'"):format(called, key[1]) }
          end
        end
        for field, as in pairs(class.fields) do
          if not as.optional and not given[field] and not field:find "^%[%a" and not keys.computed
            and not (field:find "^%[" and #keys == 0) then
            faults[#faults + 1] = { list[at].line, ("%s lacks '%s'"):format(called, field) }
          end
        end
        if #faults == 0 then fits = true end
        best = best and #best <= #faults and best or faults
      end
    end
    if not fits then
      for _, fault in ipairs(best or {}) do say(fault[1], "%s", fault[2]) end
    end
  end

  for i = 1, #list do
    if value(i) == "sinew" and value(i + 1) == "." and value(i - 1) ~= "." then
      local field = list[i + 2].value
      local as = known.classes.sinew.fields[field]
      if not as then
        say(list[i].line, "sinew has no '%s'", field)
      else
        check_call("sinew." .. field, { as.type }, i + 3)
      end
    elseif value(i) == ":" and list[i + 1] and list[i + 1].kind == "name"
      and (value(i + 2) == "(" or value(i + 2) == "{"
        or list[i + 2] and list[i + 2].kind == "string") then
      local method = list[i + 1].value
      if known.methods[method] then
        if not own[method] then check_call(method, known.methods[method], i + 2) end
      elseif not own[method] and not standard[method] and not love then
        say(list[i].line, "nothing has a method '%s'", method)
      end
    end
  end
  return wrong
end

return definitions

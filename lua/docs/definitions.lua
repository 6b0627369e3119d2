-- Definitions for editors that run LuaLS: a class for each type, and for each kind of component one
-- class for its arguments and one for its ports.
local sinew = require "sinew"
local api = require "docs.api"
local words = require "docs.words"

local details = words.details

-- puts the module's name in front of our own types, but not in words that are quoted
local own = {}
for _, item in ipairs(api.aliases) do own[item[1]] = true end
for _, item in ipairs(api.types) do own[item[1]] = true end
for _, item in ipairs(api.tables) do own[item[1]] = true end
for _, item in ipairs(api.options) do own[item[1]] = true end

local function qualified(types)
  return (types:gsub("('?)([%a_][%w_.]*)", function(quote, word)
    return quote .. (quote == "" and own[word] and "sinew." .. word or word)
  end))
end

-- "name(a: vec3, b?: number): vec3" into its name and a LuaLS type; `class` is that of self
local function parse(signature, class)
  local name, rest = signature:match("^([%w_]+)(%(.*)$")
  assert(name, "a signature is wanted: " .. signature)
  local inside, results = rest:match("^(%b()):?%s*(.*)$")
  inside = inside:sub(2, -2)
  local arguments = inside:gsub("([%w_.]+%??):%s*([^,]+)", function(argument, types)
    return argument .. ": " .. qualified(types)
  end)
  if class then
    arguments = "self: sinew." .. class .. (arguments == "" and "" or ", " .. arguments)
  end
  return name, "fun(" .. arguments .. ")" .. (results == "" and "" or ": " .. qualified(results))
end

local param_types = {
  number = "number", flag = "boolean", vector = "vector", matrix = "matrix", text = "string",
  ["list of numbers"] = "numbers|number", ["list of vectors"] = "vector[]", segment =
  "segment|string", component = "component|string", curve = "curve", object = "userdata",
}
local port_types = { scalar = "scalar", vector = "port|component|expression|vector",
  matrix = "port|component|expression|matrix" }

local function param_type(param)
  if not param.choices then return qualified(param_types[param.type]) end
  local choices = {}
  for i, word in ipairs(param.choices) do choices[i] = ("'%s'"):format(word) end
  return table.concat(choices, "|")
end

local function definitions_of_kind(kind, add)
  add(("---@class sinew.component.%s: sinew.component"):format(kind.name))
  for _, output in ipairs(kind.outputs) do
    add(("---@field %s sinew.port %s%s"):format(output.name, output.doc, details(output)))
  end
  if kind.named then add "---@field [string] sinew.port" end
  add ""
  add(("---@class sinew.component.%s.arguments"):format(kind.name))
  add "---@field name? string"
  for i, input in ipairs(kind.inputs) do
    local types = qualified(port_types[input.kind])
    if input.list then
      add(("---@field [integer] %s %s%s"):format(types, input.doc, details(input)))
    else -- in order, or by name
      add(("---@field [%d]? %s %s%s"):format(i, types, input.doc, details(input)))
      add(("---@field %s? %s %s"):format(input.name, types, input.doc))
    end
  end
  for _, param in ipairs(kind.params) do
    add(("---@field %s%s %s %s%s"):format(param.name, param.required and "" or "?",
      param_type(param), param.doc, details(param)))
  end
  if kind.named then
    add(("---@field [string] %s %s"):format(param_type(kind.named), kind.named.doc))
  end
  add ""
end

local function definitions_of_type(item, kinds, add)
  add("--- " .. item.doc)
  add(("---@class sinew.%s"):format(item[1]))
  for _, field in ipairs(item.fields) do
    add(("---@field %s %s %s"):format(field[1], qualified(field[2]), field[3]))
  end
  for _, method in ipairs(item.methods) do
    local name, types = parse(method[1], item[1])
    add(("---@field %s %s %s"):format(name, types, method[2]))
  end
  if item.others then
    add(("---@field [%s] %s"):format(qualified(item.others[1]), qualified(item.others[2])))
  end
  for _, operator in ipairs(item.operators or {}) do
    add("---@operator " .. operator:gsub("^(%w+)(.*)$", function(name, types)
      return name .. qualified(types)
    end))
  end
  for _, kind in ipairs(item.makes and kinds or {}) do
    add(("---@field %s fun(self: sinew.%s, arguments: sinew.component.%s.arguments): "
      .. "sinew.component.%s %s"):format(kind.name, item[1], kind.name, kind.name, kind.doc))
  end
  add ""
end

return function()
  local lines, kinds = {}, sinew.catalog()
  local function add(line) lines[#lines + 1] = line end
  add "---@meta sinew"
  add "-- Made by `./dev docs` from the module's own tables; do not edit."
  add ""
  for _, item in ipairs(api.aliases) do
    add("--- " .. item[3])
    add(("---@alias sinew.%s %s"):format(item[1], qualified(item[2])))
    add ""
  end
  for _, item in ipairs(api.options) do
    add(("--- %s"):format(item[2]))
    add(("---@class sinew.%s"):format(item[1]))
    for _, field in ipairs(item[3]) do
      local must = field[4] == api.options.needed
      local default = not must and field[4] ~= nil and (" (default %s)"):format(tostring(field[4]))
      add(("---@field %s%s %s %s%s%s"):format(words.option_name(field), must and "" or "?",
        qualified(field[2]), field[3], field[5] and (", in %s"):format(field[5]) or "",
        default or ""))
    end
    add ""
  end
  for _, item in ipairs(api.types) do definitions_of_type(item, kinds, add) end
  for _, item in ipairs(api.tables) do definitions_of_type(item, kinds, add) end
  for _, kind in ipairs(kinds) do definitions_of_kind(kind, add) end
  for _, item in ipairs(api.types) do
    if item.functions then
      add(("---@class sinew.%s.class"):format(item[1]))
      for _, list in ipairs { item.functions, item.methods } do
        for _, each in ipairs(list) do
          local name, types = parse(each[1], list == item.methods and item[1] or nil)
          add(("---@field %s %s %s"):format(name, types, each[2]))
        end
      end
      for _, each in ipairs(api.functions) do
        local name, types = parse(each[1])
        if name == item[1] then add("---@overload " .. types) end
      end
      add ""
    end
  end
  add "---@class sinew"
  for _, item in ipairs(api.values) do
    add(("---@field %s %s %s"):format(item[1], item[2], item[3]))
  end
  local classes = {}
  for _, item in ipairs(api.types) do
    classes[item[1]] = item.functions and ("sinew.%s.class"):format(item[1])
  end
  for _, each in ipairs(api.functions) do
    local name, types = parse(each[1])
    add(("---@field %s %s %s"):format(name, classes[name] or types, each[2]))
  end
  for _, item in ipairs(api.helpers) do
    local types = "table"
    if item[2] then types = select(2, parse(item[2])) end
    add(("---@field %s %s %s"):format(item[1], types, item[3]))
  end
  add "local sinew = {}"
  add ""
  add "return sinew"
  return words.joined(lines)
end

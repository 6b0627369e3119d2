-- The page to read: functions, helpers, components and types, in tables, each with the options that
-- it takes and an example.
local sinew = require "sinew"
local api = require "docs.api"
local examples = require "docs.examples"
local words = require "docs.words"

local details = words.details

local function table_of(add, head, rows)
  if #rows == 0 then return end
  add(("| %s |"):format(table.concat(head, " | ")))
  add(("|%s"):format((" --- |"):rep(#head)))
  for _, row in ipairs(rows) do
    for i, cell in ipairs(row) do row[i] = cell:gsub("|", "\\|") end
    add(("| %s |"):format(table.concat(row, " | ")))
  end
  add ""
end

-- --- options

local option_tables, shown = {}, {}
for _, item in ipairs(api.options) do option_tables[item[1]] = item end

local function add_options(item, add)
  local rows, more = {}, {}
  for i, field in ipairs(item[3]) do
    local default, unit = field[4], field[5]
    rows[i] = { ("`%s`"):format(words.option_name(field)), ("`%s`"):format(field[2]),
      default == api.options.needed and "needed" or default == nil and "" or tostring(default),
      unit or "", field[3] }
    for name in field[2]:gmatch "[%a_][%w_]*" do more[#more + 1] = name end
  end
  add(("<a name=\"%s\"></a>**%s** %s"):format(item[1], item[1], item[2]))
  add ""
  table_of(add, { "option", "type", "default", "unit", "what it is" }, rows)
  return more
end

-- the tables that these signatures name and that the page has not shown yet
local function options_of(signatures, add)
  local waiting = {}
  for _, signature in ipairs(signatures) do
    for name in signature:gmatch "[%a_][%w_]*" do waiting[#waiting + 1] = name end
  end
  local i = 1
  while waiting[i] do
    local item = option_tables[waiting[i]]
    if item and not shown[item[1]] then
      shown[item[1]] = true
      for _, name in ipairs(add_options(item, add)) do waiting[#waiting + 1] = name end
    end
    i = i + 1
  end
end

local function add_example(code, add, picture)
  add(examples.block(code))
  add ""
  if not picture then return end
  add(("![%s](../rigs/pictures/%s.png)"):format(picture[1], picture[1]))
  add ""
  add(picture[2])
  add ""
end

-- --- functions

-- name -> { signature, doc }
local function all_functions()
  local found, order = {}, {}
  local function take(name, signature, doc)
    found[name] = { signature, doc }
    order[#order + 1] = name
  end
  for _, item in ipairs(api.values) do
    take(item[1], ("%s: %s"):format(item[1], item[2]), item[3])
  end
  for _, item in ipairs(api.functions) do take(item[1]:match "^[%w_]+", item[1], item[2]) end
  for _, item in ipairs(api.helpers) do take(item[1], item[2] or item[1], item[3]) end
  for _, item in ipairs(api.modules) do
    take(item[1], ("require \"%s\""):format(item[1]), item[2])
  end
  return found, order
end

local function reference_of_section(section, functions, add)
  add(("### %s"):format(section.title))
  add ""
  local rows, signatures = {}, {}
  for name in section.names:gmatch "%S+" do
    local item = functions[name]
    assert(item, ("the example '%s' names '%s', which is no function"):format(section.title, name))
    functions[name] = nil
    local prefix = item[1]:find "^require" and "" or "sinew."
    rows[#rows + 1] = { ("`%s%s`"):format(prefix, item[1]), item[2] }
    signatures[#signatures + 1] = item[1]
  end
  table_of(add, { "function", "what it does" }, rows)
  options_of(signatures, add)
  add_example(section.code, add, examples.pictures[section.title])
end

-- --- components

local function reference_of_kind(kind, add)
  add(("### %s"):format(kind.name))
  add ""
  add(kind.doc)
  add ""
  local rows = {}
  for _, input in ipairs(kind.inputs) do
    rows[#rows + 1] = { "input", ("`%s`"):format(input.name), input.kind,
      input.doc .. details(input) .. (input.optional and "; may stay unwired" or "") }
  end
  for _, param in ipairs(kind.params) do
    rows[#rows + 1] = { "parameter", ("`%s`"):format(param.name),
      param.choices and table.concat(param.choices, ", ") or param.type,
      param.doc .. details(param) }
  end
  if kind.named then
    rows[#rows + 1] = { "parameter", "any name", kind.named.type, kind.named.doc }
  end
  for _, output in ipairs(kind.outputs) do
    rows[#rows + 1] = { "output", ("`%s`"):format(output.name), output.kind,
      output.doc .. details(output) }
  end
  for _, hold in ipairs(kind.holds) do
    rows[#rows + 1] = { "holds", ("`%s`"):format(hold.port), "", hold.doc }
  end
  table_of(add, { "", "name", "kind", "what it is" }, rows)
  add_example(assert(examples.kinds[kind.name], kind.name .. " has no example"), add,
    examples.pictures[kind.name])
end

-- --- types

local function reference_of_type(item, add)
  add(("### %s"):format(item[1]))
  add ""
  add(item.doc)
  add ""
  local rows, signatures = {}, {}
  for _, field in ipairs(item.fields) do
    rows[#rows + 1] = { ("`.%s`"):format(field[1]), ("%s%s"):format(field[2],
      field[3] ~= "" and ": " .. field[3] or "") }
  end
  for _, each in ipairs(item.functions or {}) do
    rows[#rows + 1] = { ("`sinew.%s.%s`"):format(item[1], each[1]), each[2] }
  end
  for _, method in ipairs(item.methods) do
    rows[#rows + 1] = { ("`:%s`"):format(method[1]), method[2] }
    signatures[#signatures + 1] = method[1]
  end
  table_of(add, { "", "what it is" }, rows)
  options_of(signatures, add)
  add_example(assert(examples.types[item[1]], item[1] .. " has no example"), add)
end

return function()
  local lines = {}
  local function add(line) lines[#lines + 1] = line end
  shown = {}
  add "# The Lua module: reference"
  add ""
  add "Made by `./dev docs` from the module's own tables; do not edit. Angles are degrees, lengths"
  add "metres. `local sinew = require \"sinew\"` gives the module. The tests run every example."
  add ""
  add "[Functions](#functions), [components](#components), [types](#types),"
  add "[what helpers make](#what-helpers-make), [shorthands](#shorthands)"
  add ""
  add "## Functions"
  add ""
  local functions, order = all_functions()
  for _, section in ipairs(examples.sections) do reference_of_section(section, functions, add) end
  for _, name in ipairs(order) do
    assert(not functions[name], ("sinew.%s has no example"):format(name))
  end
  add "## Components"
  add ""
  add "Methods of rigs and joint sets. Inputs are given in order or by name, parameters by name;"
  add "outputs are fields of what is made."
  add ""
  for _, kind in ipairs(sinew.catalog()) do reference_of_kind(kind, add) end
  add "## Types"
  add ""
  for _, item in ipairs(api.types) do reference_of_type(item, add) end
  add "## What helpers make"
  add ""
  for _, item in ipairs(api.tables) do reference_of_type(item, add) end
  for _, item in ipairs(api.options) do
    assert(shown[item[1]], ("no function takes the options '%s'"):format(item[1]))
  end
  add "## Shorthands"
  add ""
  table_of(add, { "in signatures", "means" }, (function()
    local list = {}
    for i, item in ipairs(api.aliases) do
      list[i] = { ("`%s`"):format(item[1]), ("%s (`%s`)"):format(item[3], item[2]) }
    end
    return list
  end)())
  lines[#lines] = nil
  return words.joined(lines)
end

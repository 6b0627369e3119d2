-- The page to read: functions, helpers, components and types, in tables.
local sinew = require "sinew"
local api = require "docs.api"
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
end

local function rows_of(list)
  local rows = {}
  for i, item in ipairs(list) do rows[i] = { ("`%s`"):format(item[1]), item[2] } end
  return rows
end

local function reference_of_type(item, add)
  add(("### %s"):format(item[1]))
  add ""
  add(item.doc)
  add ""
  local rows = {}
  for _, field in ipairs(item.fields) do
    rows[#rows + 1] = { ("`.%s`"):format(field[1]), ("%s%s"):format(field[2],
      field[3] ~= "" and ": " .. field[3] or "") }
  end
  for _, each in ipairs(item.functions or {}) do
    rows[#rows + 1] = { ("`sinew.%s.%s`"):format(item[1], each[1]), each[2] }
  end
  for _, method in ipairs(item.methods) do
    rows[#rows + 1] = { ("`:%s`"):format(method[1]), method[2] }
  end
  table_of(add, { "", "what it is" }, rows)
end

return function()
  local lines = {}
  local function add(line) lines[#lines + 1] = line end
  add "# The Lua module: reference"
  add ""
  add "Made by `./dev docs` from the module's own tables; do not edit. Angles are degrees, lengths"
  add "metres. `local sinew = require \"sinew\"` gives the module."
  add ""
  add "## Functions"
  add ""
  table_of(add, { "function", "what it does" }, rows_of(api.functions))
  add "## Helpers"
  add ""
  add "Lua modules in `lua/sinew/`, loaded when first asked for; each file's head says more."
  add ""
  local rows = {}
  for i, item in ipairs(api.helpers) do
    rows[i] = { ("`sinew.%s`"):format(item[2] or item[1]), item[3] }
  end
  for _, item in ipairs(api.modules) do
    rows[#rows + 1] = { ("`require \"%s\"`"):format(item[1]), item[2] }
  end
  table_of(add, { "helper", "what it does" }, rows)
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
  add "## Options"
  add ""
  for _, item in ipairs(api.options) do
    add(("### %s"):format(item[1]))
    add ""
    rows = {}
    for i, field in ipairs(item[3]) do
      local name = type(field[1]) == "number" and ("[%d]"):format(field[1]) or field[1]
      rows[i] = { ("`%s`"):format(name), ("%s%s"):format(field[2],
        field[3] ~= "" and ": " .. field[3] or "") }
    end
    table_of(add, { item[2], "what it is" }, rows)
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

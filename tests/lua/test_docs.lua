-- The reference describes exactly what the module has.
local check, tests = ...
local sinew = require "sinew"
local docs = require "docs"
local api = require "docs.api"
local examples = require "docs.examples"

local folder = assert(package.searchpath("docs.api", package.path)):match("^(.*)docs[/\\]api")

local function names_of(list)
  local names = {}
  for _, item in ipairs(list) do
    local name = item[1]:match("^[%w_]+")
    check.that(not names[name], name .. " is described twice")
    names[name] = true
  end
  return names
end

-- both ways, so that neither list misses anything
local function check_same(what, described, there)
  for name in pairs(there) do
    check.that(described[name], ("%s '%s' is not described in lua/docs/api.lua"):format(what, name))
  end
  for name in pairs(described) do
    check.that(there[name], ("%s '%s' is described but not there"):format(what, name))
  end
end

function tests.generated_files_are_up_to_date()
  for name, make in pairs(docs.files) do
    check.that(check.read(folder .. name) == make(),
      "lua/" .. name .. " is stale; ./dev docs makes it anew")
  end
end

function tests.every_method_and_field_is_described()
  local described = {}
  for _, item in ipairs(api.types) do described[item.lua or item[1]] = item end
  local types = sinew.types()
  check_same("type", described, types)
  for name, item in pairs(types) do
    local methods, fields = {}, {}
    for _, method in ipairs(item.methods) do methods[method] = true end
    for _, field in ipairs(item.fields) do fields[field.name] = true end
    check_same(name .. " method", names_of(described[name].methods), methods)
    check_same(name .. " field", names_of(described[name].fields), fields)
  end
end

function tests.every_function_of_the_module_is_described()
  local described, there = names_of(api.functions), {}
  for name, value in pairs(sinew) do
    if type(value) == "function" then there[name] = true end
  end
  for _, item in ipairs(api.types) do
    if item.functions then
      there[item[1]] = true
      local functions = {}
      for name in pairs(sinew[item[1]]) do functions[name] = true end
      for name in pairs(names_of(item.methods)) do functions[name] = nil end
      check_same(item[1] .. " function", names_of(item.functions), functions)
    end
  end
  for _, item in ipairs(api.helpers) do
    check.that(sinew[item[1]], item[1] .. " is described but not there")
    there[item[1]], described[item[1]] = nil, nil
  end
  check_same("function", described, there)
end

-- the page itself refuses a function, component or type without an example
function tests.every_method_and_option_table_is_in_an_example_or_signature()
  local all = {}
  for _, section in ipairs(examples.sections) do all[#all + 1] = section.code end
  for _, code in pairs(examples.kinds) do all[#all + 1] = code end
  for _, code in pairs(examples.types) do all[#all + 1] = code end
  all = table.concat(all)
  for _, list in ipairs { api.types, api.tables } do
    for _, item in ipairs(list) do
      for _, method in ipairs(item.methods) do
        local name = method[1]:match "^[%w_]+"
        check.that(examples.types[item[1]]:find("[:.]" .. name .. "[^%w_]")
          or name == "close" and all:find ":close", ("%s:%s has no example"):format(item[1], name))
      end
      for _, each in ipairs(item.functions or {}) do
        local name = each[1]:match "^[%w_]+"
        check.that(examples.types[item[1]]:find("[.]" .. name .. "[^%w_]"),
          ("sinew.%s.%s has no example"):format(item[1], name))
      end
    end
  end
end

function tests.tables_of_options_are_rows_of_name_type_and_words()
  for _, item in ipairs(api.options) do
    local seen = {}
    for _, field in ipairs(item[3]) do
      local where = ("%s.%s"):format(item[1], tostring(field[1]))
      check.that(not seen[field[1]], where .. " is there twice")
      seen[field[1]] = true
      check.that(type(field[2]) == "string" and #field[3] > 0, where)
      check.that(field[5] == nil or #field[5] > 0, where)
    end
  end
end

function tests.the_catalog_has_every_kind_with_its_ports()
  local kinds = {}
  for _, kind in ipairs(sinew.catalog()) do
    kinds[kind.name] = kind
    check.that(#kind.doc > 0 and #kind.inputs + #kind.params > 0, kind.name)
    check.that(sinew.rig("r")[kind.name], kind.name .. " is no method")
    for _, list in ipairs { kind.inputs, kind.outputs, kind.params } do
      for _, item in ipairs(list) do check.that(#item.doc > 0, kind.name .. "." .. item.name) end
    end
  end
  check.has(kinds, {
    rotation = { inputs = { { name = "angle", kind = "scalar" } },
      params = { { type = "vector", required = true } }, holds = { { port = "angle" } } },
    multiply = { inputs = { { list = true } } }, map = { named = { type = "curve" } },
    euler = { params = { { choices = { "xyz" }, default = "xyz" } } },
    translation = { inputs = { { default = 0 } } },
  })
end

function tests.types_are_called_by_their_names()
  local rig = sinew.rig "r"
  local set = rig:joint_set "s"
  local dof = set:dof "d"
  local turn = set:rotation { dof, axis = { 1, 0, 0 } }
  local expected = { vec3 = sinew.vec3(), quat = sinew.quat(), mat4 = sinew.mat4(),
    buffer = sinew.buffer(3), curve = sinew.constant(1), rig = rig, ["joint set"] = set, DOF = dof,
    segment = rig:segment "bone", component = turn, port = turn.transform, pose = rig:pose(),
    number = 1, string = "x", table = {}, ["nil"] = nil }
  for name, value in pairs(expected) do check.equal(sinew.type(value), name) end
  check.equal(sinew.type(nil), "nil")
end

function tests.definition_file_is_valid_lua()
  local chunk = assert(loadfile(folder .. "sinew.d.lua"))
  check.equal(type(chunk()), "table")
end

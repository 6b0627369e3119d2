-- sinew.d.lua, read as an editor does, and every rig and example checked against it.
local check, tests = ...
package.path = package.path .. ";tests/?.lua"
local definitions = require "definitions"

local known = definitions.read(check.read "lua/sinew.d.lua")

local function files(pattern)
  local list, pipe = {}, assert(io.popen("ls " .. pattern))
  for path in pipe:lines() do list[#list + 1] = path end
  pipe:close()
  return list
end

function tests.declares_nothing_twice_and_every_type_that_it_uses()
  check.that(known.classes.sinew and known.classes["sinew.bone_options"].fields.hinge)
  for wrong, text in pairs {
    ["class sinew.a is declared twice"] = "---@class sinew.a\n---@class sinew.a\n",
    ["x of sinew.a is declared twice"] =
      "---@class sinew.a\n---@field x number\n---@field x number\n",
    ["there is no type sinew.b"] = "---@class sinew.a\n---@field x sinew.b[]\n",
    ["line 2: "] = "---@class sinew.a\n---@field x fun(a: number\n",
    ["is wanted at"] = "---@class sinew.a\n---@field x |number\n",
  } do check.fails(wrong, definitions.read, text) end
end

function tests.every_rig_and_example_agrees_with_the_definitions()
  local count = 0
  local patterns = "rigs/*.lua rigs/parts/*.lua rigs/joints/*.lua lua/examples/*.lua "
    .. "lua/examples/*/*.lua"
  for _, path in ipairs(files(patterns)) do
    count = count + 1
    local wrong = definitions.check(known, check.read(path), path)
    check.that(#wrong == 0, table.concat(wrong, "\n"))
  end
  check.that(count > 20, count)
end

function tests.every_block_of_the_documents_agrees_with_the_definitions()
  local blocks, count = require "blocks", 0
  for _, path in ipairs(files "README.md lua/REFERENCE.md lua/docs/tutorials/*.md") do
    for _, block in ipairs(blocks.of(path)) do
      if block.language == "lua" then
        count = count + 1
        local wrong = definitions.check(known, block.text, block.where)
        check.that(#wrong == 0, table.concat(wrong, "\n"))
      end
    end
  end
  check.that(count > 70, count)
end

function tests.mistakes_in_a_script_are_found()
  local function said(text)
    text = "local sinew = require 'sinew'\n" .. text
    return table.concat(definitions.check(known, text, "a.lua"), "; ")
  end
  check.equal(said "local rig = sinew.rgi 'x'", "a.lua:2: sinew has no 'rgi'")
  check.equal(said "rig:bnoe('x')", "a.lua:2: nothing has a method 'bnoe'")
  check.equal(said "rig:bone('x', { at = {0, 1, 0}, higne = { 'f' } })",
    "a.lua:2: bone takes no 'higne'")
  check.equal(said "set:rotation {\n  angle, axsi = {1, 0, 0} }",
    "a.lua:3: rotation takes no 'axsi'; a.lua:2: rotation lacks 'axis'")
  check.equal(said "set:rotation { angle = a, axis = {1, 0, 0} }", "")
  check.equal(said "set:map { x, any = sinew.linear { {0, 0}, {1, 1} } }", "")
  check.equal(said "sinew.limb(body, 'leg', { at = {0, 0, 0}, foot = {0, 1, 0} })",
    "a.lua:2: sinew.limb lacks 'lengths'")
end

-- Options that a rig script declares, sinew.load, sinew.scale, and the levels of rigs/human.lua.
local check, tests = ...
local sinew = require "sinew"

local script = [[
local sinew = require "sinew"
local options = sinew.options { hands = true, spine = { "full", "simple", doc = "vertebrae" },
  height = { 1.8, min = 1, max = 2 }, count = 3 }
local rig = sinew.rig(options.spine)
rig:segment("body", { at = { 0, options.height, options.count } })
if options.hands then rig:segment("hand", { parent = "body" }) end
return rig
]]

local function load_with(text, options)
  local rig, more
  check.with_file(text, function(path) rig, more = sinew.load(path, options) end)
  return rig, more
end

function tests.a_script_gets_its_defaults_or_what_is_chosen()
  local rig, list = load_with(script)
  check.equal(rig.name, "full")
  check.equal(#rig.segments, 2)
  check.near_all(rig:find "body".rest:position(), { 0, 1.8, 3 }, 1e-6)
  check.has(list, { { name = "count", value = "3", initial = "3", kind = "number",
    allowed = "a number" }, { name = "hands", value = "true", allowed = "true|false",
    kind = "flag" }, { name = "height", allowed = "1 to 2" }, { name = "spine", value = "full",
    allowed = "full|simple", doc = "vertebrae", kind = "choice" } })
  rig, list = load_with(script, { hands = false, spine = "simple", height = 1.5 })
  check.equal(rig.name, "simple")
  check.equal(#rig.segments, 1)
  check.near(rig:find "body".rest[14], 1.5)
  check.has(list, { { value = "3" }, { value = "false" }, { value = "1.5" },
    { value = "simple", initial = "full" } })
  -- outside of sinew.load a script has its defaults
  check.equal(assert(load(script))().name, "full")
end

function tests.a_wrong_choice_is_told_with_the_nearest()
  local function refuses(part, options, text)
    check.returns_error(part, load_with, text or script, options)
  end
  refuses("the rig has no option 'hand' (did you mean 'hands'?)", { hand = true })
  refuses("option 'hands' is true or false, not number", { hands = 1 })
  refuses("option 'hands' is true or false, not 'false'", { hands = "false" })
  refuses({ "no choice 'smple' (did you mean 'simple'?)", "there are full, simple" },
    { spine = "smple" })
  refuses("option 'spine' is one of its words, not boolean", { spine = true })
  refuses("option 'height' is a number, not 'tall'", { height = "tall" })
  refuses({ "option 'height': 3", "outside its range 1" }, { height = 3 })
  refuses("outside its range", { count = 0 / 0 })
  refuses("the rig has no options", { hands = true }, "return require 'sinew'.rig 'r'")
  check.fails("options are a table", sinew.load, "x.lua", 3)
  check.fails("the path of a rig script", sinew.load, 3)
  check.returns_error("nowhere.lua", sinew.load, "nowhere.lua")
  check.returns_error("must return its rig, not number", load_with, "return 3")
  check.returns_error("raised a table", load_with, "error {}")
end

function tests.a_wrong_declaration_is_told()
  local function refuses(part, text)
    check.fails(part, assert(load("local sinew = ... " .. text)), sinew)
  end
  refuses("option 'a' must be true or false, a number, or a list", "sinew.options { a = {} }")
  refuses("its choices are a list", "sinew.options { a = 'x' }")
  refuses("two choices or more", "sinew.options { a = { 'x' } }")
  refuses("choice 2 must be a word", "sinew.options { a = { 'x', 'y z' } }")
  refuses("no field 'mni' (did you mean 'min'?)", "sinew.options { b = { 1, mni = 0 } }")
  refuses("outside its range", "sinew.options { b = { 1, min = 2 } }")
  refuses("'max' must be a number", "sinew.options { b = { 1, max = '2' } }")
  refuses("'doc' must be a text", "sinew.options { b = { true, doc = 1 } }")
  refuses("given by name", "sinew.options { 1 }")
  refuses("has a dot", "sinew.options { ['a.b'] = 1 }")
  refuses("no option 'hand' (did you mean 'hands'?)",
    "local o = sinew.options { hands = true } return o.hand")
  check.returns_error("option 'a' is declared already", load_with,
    "local s = require 'sinew' s.options { a = 1 } s.options { a = 2 } return s.rig 'r'")
end

function tests.loads_may_be_inside_others()
  check.with_file(script, function(inner)
    local outer = ([[local sinew = require "sinew"
      local o = sinew.options { depth = 1 }
      local other = assert(sinew.load(%q, { spine = "simple" }))
      return sinew.rig(other.name .. o.depth)]]):format(inner)
    check.equal(load_with(outer, { depth = 2 }).name, ("simple%s"):format(2 * 1.0))
  end)
end

function tests.a_watched_rig_has_its_options()
  check.with_file(script, function(path)
    local live = assert(sinew.watch(path, { options = { hands = false } }))
    check.equal(#live.rig.segments, 1)
    live.options.options.hands = true
    check.that(live:reload(), "reloads")
    check.equal(#live.rig.segments, 2)
  end)
end

-- --- the human

local root = assert(package.searchpath("sinew.load", package.path)):match("^(.*)lua[/\\]sinew")
local function human(options) return assert(sinew.load(root .. "rigs/human.lua", options)) end

function tests.every_level_of_the_human_takes_the_pose_of_another()
  local full = human()
  local pose, random = full:pose(), check.random(4)
  for _, dof in ipairs(full.dofs) do pose[dof.name] = dof.rest + 0.3 * random(dof.min, dof.max) end
  local farthest, shaped = 0, false
  for _, options in ipairs(check.cases { { hands = false, spine = "simple" }, { hands = false },
    { spine = "simple" } }) do
    local rig = human(options)
    check.that(#rig.segments < #full.segments, "fewer")
    check.equal(rig.warnings, "")
    local other = rig:pose()
    check.equal(other:carry(pose), #rig.dofs)
    for _, segment in ipairs(rig.segments) do
      check.that(shaped or #segment.shape.vertices > 0, segment.name) -- seconds for each level
      -- the same place at rest; bent, the simple spine is near the full one
      check.near_all(rig:pose():world(segment), full:pose():world(segment.name), 2e-6)
      local off = other:world(segment):position():distance(pose:world(segment.name):position())
      if not options.spine then check.near(off, 0, 1e-5) end
      farthest = math.max(farthest, off)
    end
    shaped = os.getenv "SINEW_TEST_QUICK" ~= nil
  end
  check.that(farthest < 0.06, ("the simple spine is %.3f m off"):format(farthest))
end

function tests.a_smaller_human_moves_as_the_larger_one()
  local factor = 1.5 / 1.71
  local large, small, random = human(), human { height = 1.5 }, check.random(6)
  local a, b = large:pose(), small:pose()
  for _ = 1, 20 do
    for _, dof in ipairs(large.dofs) do
      local value = random(dof.min, dof.max)
      a[dof.name] = value
      b[dof.name] = dof.unit == "m" and value * factor or value
    end
    for _, segment in ipairs(large.segments) do
      local m, n = a:world(segment), b:world(segment.name)
      check.near_all(n:position(), m:position() * factor, 2e-5)
      check.that(n:rotation():angle(m:rotation()) < 0.1, segment.name)
    end
  end
  local v, w = large:find "femur_r".shape.vertices, small:find "femur_r".shape.vertices
  check.near(w[2], v[2] * factor, 1e-6)
end

function tests.scale_says_what_it_cannot_do()
  check.fails("a factor above 0", sinew.scale, sinew.rig "r", 0)
  check.fails("a rig is wanted", sinew.scale, 3, 1)
  local kind = sinew.component { name = "odd", inputs = { "x" }, outputs = { "y" },
    params = { length = 1 }, eval = function(_, x) return x end }
  local rig = sinew.rig "r"
  rig:add(kind { rig:dof "d" })
  check.fails("is scripted", sinew.scale, rig, 2)
end

-- Rigs as XML: every rig of rigs/ is restored as the same text and, to the bit, the same poses;
-- scripted components are stored by module, with numbers as exact as Lua has them.
local check, tests = ...
local sinew = require "sinew"
local rigs = require "rigs"

local function bits(pose, rig)
  local parts = {}
  for i, segment in ipairs(rig.segments) do
    parts[i] = ("%.9g "):rep(16):format(pose:world(segment):unpack())
  end
  return table.concat(parts, "\n")
end

local function check_same_poses(name, a, b, count)
  local random, p, q = check.random(7), a:pose(), b:pose()
  check.equal(bits(p, a), bits(q, b), name .. " at rest")
  for _ = 1, count do
    for _, dof in ipairs(a.dofs) do
      local value = random(dof.min, dof.max)
      p[dof.name], q[dof.name] = value, value
    end
    check.that(bits(p, a) == bits(q, b), name .. ": the poses differ")
  end
end

local function check_comes_back(name, rig, count)
  local text = rig:xml()
  local read = assert(sinew.parse_xml(text, name .. ".xml"))
  check.that(read:xml() == text, name .. ": the text is another")
  check_same_poses(name, rig, read, count)
  return read, text
end

for _, name in ipairs { "creature", "field", "human", "knee", "reach", "shoulder", "shoulder_paper",
  "shoulder_scripted", "spine" } do
  tests[name .. "_comes_back_as_it_is"] = function()
    local rig = rigs.open(name)
    local read = check_comes_back(name, rig, 6)
    for i, segment in ipairs(rig.segments) do
      local a, b = segment.shape, read.segments[i].shape
      check.equal(b ~= nil, a ~= nil)
      if a and rawget(a, "solid") then
        check.equal(sinew.type(b.solid), "solid")
        check.equal(b.solid:distance { 0, 0.1, 0 }, a.solid:distance { 0, 0.1, 0 })
      elseif a then
        check.equal(#b.vertices, #a.vertices)
        check.equal(#b.triangles, #a.triangles)
        for k, index in ipairs(a.triangles) do check.equal(b.triangles[k], index) end
      end
    end
    for i, dof in ipairs(rig.dofs) do
      check.has(read.dofs[i], { name = dof.name, label = dof.label, unit = dof.unit })
    end
  end
end

function tests.solids_come_back_as_solids()
  local shapes = require "sinew.shapes"
  local bone = shapes.blend { points = { a = { 0, 0, 0, 10 }, b = { 3, 50.3, 0, 7.5 } },
    drums = { d = { 5, 5, 5, 10, 12, 14 } },
    parts = { { k = 4.5, "a b", "tube 2 1 0 0 a b" }, { cut = true, "d" } }, cell = 3 }
  local rig = sinew.rig "bones"
  rig:segment("right", { shape = bone })
  rig:segment("left", { shape = shapes.mirrored(bone) })
  rig:segment("both", { shape = shapes.merge { bone, shapes.placed(bone,
    sinew.mat4.translation { 0, 1, 0 }) } })
  local read, text = check_comes_back("bones", rig, 1)
  check.that(text:find('<part blend="0.0045">', 1, true), text)
  check.that(not text:find "vertices" and #text < 3000, text)
  for i, segment in ipairs(rig.segments) do
    local a, b = segment.shape, read.segments[i].shape
    check.equal(sinew.type(rawget(b, "solid")), "solid")
    check.equal(b.solid:distance { 0.01, 0.3, 0 }, a.solid:distance { 0.01, 0.3, 0 })
    check.equal(#sinew.mesh(b).triangles, #sinew.mesh(a).triangles)
  end
  -- a shape with lists of its own is written as a mesh
  check.that(#bone.vertices > 0 and rig:xml():find "<vertices>", "no lists")
end

-- a rig from XML can be edited, mirrored and written again
function tests.a_rig_that_was_read_can_be_edited()
  local rig = assert(sinew.parse_xml(rigs.open("knee"):xml()))
  local set = rig:joint_set "toe"
  local bend = set:dof("bend", { min = -10, max = 60 })
  local toe = set:segment("toe", { parent = "tibia", at = { 0, -0.4, 0.1 } })
  toe:drive(set:rotation { bend, axis = { 1, 0, 0 } })
  local read = check_comes_back("knee", rig, 3)
  check.equal(read:find("toe.bend").max, 60)
end

-- --- scripted components

local function with_module(name, value, run)
  package.loaded[name] = value
  local ok, message = pcall(run)
  package.loaded[name] = nil
  if not ok then error(message, 0) end
end

local function spring(name)
  return sinew.component {
    name = name or "spring", inputs = { "angle" }, outputs = { "angle" },
    params = { stiffness = 1, rigid = false, word = "x", axis = { 0, 1, 0 }, list = { 1, 2 },
      curve = sinew.linear { { 0, 0 }, { 1, 1 } }, count = 3 },
    record = false,
    eval = function(self, angle)
      return angle / (1 + self.stiffness) + (math.type and math.type(self.count) == "float" and 1
        or 0)
    end,
  }
end

local function sprung(Spring, parameters)
  local rig = sinew.rig "sprung"
  local bone = rig:segment "bone"
  local set = rig:joint_set "s"
  local dof = set:dof("bend", { min = -50, max = 50 })
  parameters[1] = dof
  parameters.name = "soft"
  local soft = set:add(Spring(parameters))
  bone:drive(set:rotation { soft, axis = { 1, 0, 0 } })
  return rig
end

function tests.a_scripted_component_is_stored_by_its_module()
  local Spring = spring()
  with_module("own.spring", Spring, function()
    local rig = sprung(Spring, { stiffness = 0.1 + 1e-12, word = " a\n<b> ", rigid = true,
      axis = { 1, 0, 0.5 }, list = { 3, 2.5 } })
    local read, text = check_comes_back("sprung", rig, 4)
    check.that(text:find('module="own.spring" kind="spring"', 1, true), text)
    check.has(read:find "s.soft", { definition = { name = "spring" },
      params = { stiffness = 0.1 + 1e-12, word = " a\n<b> ", rigid = true, axis = { z = 0.5 },
        list = { 3, 2.5 }, count = 3 } })
  end)
end

function tests.integers_and_floats_of_a_script_keep_their_type()
  if not math.type then return end
  local Spring = spring()
  with_module("own", { Spring = Spring, other = 1 }, function()
    for _, count in ipairs { 5, 5.0, 2 ^ 53, math.maxinteger, 1e300 ~= 1e300 and 0 or 0.1 } do
      local read = check_comes_back("sprung", sprung(Spring, { count = count }), 2)
      local got = read:find("s.soft"):param "count"
      check.equal(got, count)
      check.equal(math.type(got), math.type(count))
    end
  end)
end

function tests.a_kind_without_a_module_is_refused()
  local rig = sprung(spring(), {})
  check.fails("component 's.soft': its kind 'spring' is not defined in a module", rig.xml, rig)
  check.fails("move its sinew.component", rig.save_xml, rig, os.tmpname())
end

function tests.a_module_without_the_kind_is_reported()
  local Spring, text = spring(), nil
  with_module("own", Spring, function() text = sprung(Spring, {}):xml() end)
  with_module("own", { spring = 1 }, function()
    check.fails("component 's.soft': the module 'own' defines no component named 'spring'",
      sinew.parse_xml, text)
  end)
  check.fails("own", sinew.parse_xml, text)
  check.fails("mine", sinew.parse_xml, text, "x.xml", function() error "mine" end)
  with_module("own", Spring, function()
    local wrong = text:gsub('<input name="angle"', '<number name="word" value="1"/>%0')
    check.fails("parameter 'word' must be a string", sinew.parse_xml, wrong)
    wrong = text:gsub('<input name="angle"', '<number name="stifness" value="1"/>%0')
    local rig = assert(sinew.parse_xml(wrong))
    check.fails("did you mean 'stiffness'?", rig.compile, rig)
  end)
end

-- --- files and messages

function tests.files_are_written_and_read()
  check.with_file(nil, function(path)
    local rig = rigs.open "field"
    check.equal(rig:save_xml(path), true)
    check.that(assert(sinew.load_xml(path)):xml() == rig:xml(), "another text")
    check.equal(rig:save_xml(path, { fields = "beside" }), true)
    local beside = path .. ".1.field"
    local read = assert(sinew.load_xml(path))
    os.remove(beside)
    check.that(read:xml() == rig:xml(), "another text")
    check.returns_error("1.field: cannot open", sinew.load_xml, path)
  end)
end

function tests.wrong_files_return_nil_and_a_message_with_the_position()
  local knee = rigs.open "knee"
  check.returns_error("no/such/rig.xml: cannot open", sinew.load_xml, "no/such/rig.xml")
  local none, message = sinew.parse_xml("<rig version='1' name='r'>\n <bones/></rig>", "r.xml")
  check.equal(none, nil)
  check.equal(message, "r.xml:2:2: 'rig' has no element 'bones'")
  check.returns_error("cannot write", knee.save_xml, knee, "no/such/folder/rig.xml")
  check.fails("'inside' or 'beside'", knee.save_xml, knee, "x.xml", { fields = "under" })
end

function tests.compile_errors_have_the_position_in_the_file()
  local rig = assert(sinew.parse_xml(
    "<rig version='1' name='r'><segments>\n<segment name='a' parent='b'/></segments></rig>",
    "r.xml"))
  check.fails("r.xml:2:1: segment 'a': no segment named 'b'", rig.compile, rig)
end

function tests.reading_and_refusing_files_leaks_nothing()
  local before = check.live_blocks()
  do
    local text = rigs.open("field"):xml()
    for _ = 1, 3 do
      sinew.parse_xml(text)
      sinew.parse_xml(text:sub(1, -20))
      pcall(sinew.parse_xml, text:gsub("</components>",
        "<script module='no.such' kind='k'/></components>"))
    end
  end
  check.equal(check.live_blocks(), before)
end

function tests.a_rig_in_xml_is_watched_like_a_script()
  check.with_file(nil, function(path)
    local file = path .. ".xml"
    assert(rigs.open("knee"):save_xml(file))
    local live = assert(sinew.watch(file))
    live.pose["knee.flexion"] = 40
    check.equal(#live.rig.segments, 5)
    local out = assert(io.open(file, "w"))
    out:write "<rig/>"
    out:close()
    check.equal(live:reload(), false)
    check.that(live.error:find(":1:1: 'rig' needs the attribute 'version'", 1, true), live.error)
    assert(rigs.open("knee"):save_xml(file))
    check.equal(live:reload(), true)
    check.equal(live.pose["knee.flexion"], 40)
    os.remove(file)
  end)
end

local check, tests = ...
local sinew = require "sinew"
local sample = require "sample"

function tests.unknown_names_in_the_module_have_suggestions()
  check.fails("sinew has no function 'splin' (did you mean 'spline'",
    function() return sinew.splin end)
  check.fails("sinew has no function 'componnet' (did you mean 'component'?)",
    function() return sinew.componnet end)
  check.fails("sinew has no function", function() return sinew[1] end)
end

function tests.unknown_methods_of_rigs_and_joint_sets_have_suggestions()
  local k = sample.knee()
  check.fails("rig has no field 'segmnet' (did you mean 'segment'",
    function() k.rig:segmnet "x" end)
  check.fails("rig has no field 'rotaton' (did you mean 'rotation'?)",
    function() k.rig:rotaton {} end)
  check.fails("joint set has no field 'multply' (did you mean 'multiply'?)",
    function() k.knee:multply {} end)
  check.fails("rig has no field 3", function() return k.rig[3] end)
  check.fails("rig has no table keys", function() return k.rig[{}] end)
  check.fails("rig has no field 'x'", function() k.rig.x = 1 end)
  check.fails("field 'name' of rig cannot be set", function() k.rig.name = "x" end)
  check.fails("rig:pose cannot be replaced", function() k.rig.pose = 1 end)
end

function tests.options_are_checked()
  local rig = sinew.rig "r"
  local function segment(part, ...) check.fails(part, rig.segment, rig, ...) end
  segment("segment 's' has no option 'parnet' (did you mean 'parent'?)", "s", { parnet = "a" })
  segment("segment 's': options must be given by name", "s", { 1 })
  segment("table expected, got string", "s", "a")
  segment("string expected, got nil", nil)
  segment("segment 's': 'parent' must be a segment or its name, not number", "s", { parent = 5 })
  segment("segment 's': its parent is of another rig", "s",
    { parent = sinew.rig "other":segment "p" })
  segment("segment 's': 'at' must be a vec3 or a table of three numbers, not number", "s",
    { at = 5 })
  local vector = "segment 's': 'at' must be a vec3 or a table of three numbers, not "
  segment(vector .. "a table of 2 numbers", "s", { at = { 1, 2 } })
  segment(vector .. "a table with a string at 2", "s", { at = { 1, "2", 3 } })
  segment(vector .. "an empty table", "s", { at = {} })
  segment(vector .. "a table with the field 'up'", "s", { at = { up = 1 } })
  segment("segment 's': 'turn' must be a quat or a mat4, not string", "s", { turn = "x" })
  segment("segment 's': 'turn' is no rotation: as a quat x, y, z, w it must have length 1, not 0",
    "s", { turn = { 0, 0, 0, 0 } })
  segment("it must have length 1, not 90.0055", "s", { rotate = { 0, 90, 0, 1 } })
  segment("segment 's': 'rest' must be a mat4 or a table of sixteen numbers, not vec3", "s",
    { rest = sinew.vec3() })
  segment("segment 's': give 'rest', or 'at' and 'turn', not both", "s",
    { rest = sinew.mat4(), at = { 0, 0, 0 } })
  local function dof(part, ...) check.fails(part, rig.dof, rig, ...) end
  dof("DOF 'd' has no option 'mim' (did you mean 'min'", "d", { mim = 1 })
  dof("DOF 'd': 'min' must be a number, not string", "d", { min = "0" })
  dof("DOF 'd': 'unit' must be a string, not number", "d", { unit = 5 })
  check.equal(#rig.segments, 0)
  check.equal(#rig.dofs, 0)
end

function tests.compile_errors_name_what_is_wrong()
  local function fails(part, make)
    local rig = sinew.rig "wrong"
    make(rig)
    local message = check.fails(part, function() rig:compile() end)
    check.that(message:match("^[^\n]*test_errors%.lua:%d+: "), message)
  end
  fails("'thigh'", function(r) r:segment("s", { parent = "thigh" }) end)
  fails("DOF 'd'", function(r) r:dof("d", { min = 2, max = 1 }) end)
  fails("'s'", function(r) r:segment "s" r:segment "s" end)
  fails("'s'", function(r) r:segment "s":drive(r:map { 1, y = sinew.constant(1) }) end)
  fails("not finite", function(r) r:segment("s", { at = { 0 / 0, 0, 0 } }) end)
  fails("a.b", function(r) r:segment "a.b" end)
end

function tests.dots_for_colons_are_explained()
  local k = sample.knee()
  local pose, crowd = k.rig:pose(), k.rig:crowd(1)
  local hint = "; a method is called with ':', not '.'"
  for _, case in ipairs {
    { "rig or joint set expected, got string", k.rig.segment, "s" },
    { "rig or joint set expected, got string", k.rig.dof, "d" },
    { "rig or joint set expected, got table", k.knee.rotation, {} },
    { "rig expected, got string", k.rig.joint_set, "j" },
    { "rig expected, got nil", k.rig.pose },
    { "rig expected, got number", k.rig.crowd, 5 },
    { "rig expected, got nil", k.rig.compile },
    { "rig expected, got string", k.rig.find, "x" },
    { "rig expected, got nil", k.rig.close },
    { "segment expected, got component", k.tibia.drive, k.turn },
    { "component expected, got string", k.turn.param, "axis" },
    { "component expected, got string", k.turn.port, "transform" },
    { "joint set, segment, DOF or component expected, got string", k.tibia.note, "x" },
    { "pose expected, got nil", pose.eval },
    { "pose expected, got table", pose.set, {} },
    { "pose expected, got nil", pose.close },
    { "crowd expected, got table", crowd.set, {} },
  } do
    check.fails({ case[1], hint }, case[2], case[3])
  end
end

function tests.methods_refuse_userdata_of_the_wrong_type()
  local k = sample.knee()
  local pose, crowd, curve = k.rig:pose(), k.rig:crowd(1), sinew.constant(1)
  local Kind = sample.scalar(function() end)
  local all = { k.rig, k.knee, k.tibia, k.flexion, k.bend, k.bend.angle, pose, crowd, curve, Kind,
    Kind { 1 }, sinew.vec3(), sinew.quat(), sinew.mat4(), sinew.buffer(1), io.stdout, 5, "x", true,
    {}, print }
  local methods = {
    rig = { "segment", "dof", "add", "joint_set", "compile", "find", "pose", "crowd", "close",
      "rotation" },
    segment = { "drive", "note" }, component = { "set", "param", "port", "note" },
    pose = { "set", "dofs", "reset", "eval", "world", "driven", "worlds", "value", "holds",
      "close" },
    crowd = { "set", "dofs", "reset", "eval", "worlds", "pose", "close" },
    curve = { "eval", "close" }, kind = { "close" },
  }
  local of = { rig = k.rig, segment = k.tibia, component = k.turn, pose = pose, crowd = crowd,
    curve = curve, kind = Kind }
  local shared = { segment = true, dof = true, add = true, rotation = true, note = true }
  for type_name, names in pairs(methods) do
    for _, name in ipairs(names) do
      local method = of[type_name][name]
      for _, wrong in ipairs(all) do
        local same = wrong == of[type_name] or (type_name == "component" and wrong == k.bend)
        if not same and not (shared[name] and type(wrong) == "userdata") then
          local ok, message = pcall(method, wrong)
          check.that(not ok and message:find("expected, got", 1, true), type_name .. ":" .. name)
        end
      end
    end
  end
  -- all of them are still there
  pose["knee.flexion"] = 10
  check.near(pose:value(k.bend.angle), 10)
  check.equal(curve(0), 1)
  check.equal(#crowd, 1)
end

function tests.metatables_are_hidden()
  local k = sample.knee()
  for _, value in ipairs { k.rig, k.knee, k.tibia, k.flexion, k.bend, k.bend.angle, k.rig:pose(),
    k.rig:crowd(1), sinew.constant(1), sample.scalar(function() end) } do
    check.equal(getmetatable(value), false)
    check.fails("", setmetatable, value, {})
    check.that(not pcall(function() return value.__gc end))
  end
end

function tests.handles_of_the_same_object_are_equal()
  local k, other = sample.knee(), sample.knee()
  check.that(k.rig:find "tibia" == k.tibia)
  check.that(k.tibia ~= k.femur)
  check.that(k.tibia ~= other.tibia)
  check.that(k.rig.segments[1] ~= k.rig.components[1])
  check.that(k.rig.segments[1] ~= k.rig.joint_sets[1])
  check.that(k.bend.angle == k.bend.angle)
  check.that(k.bend.angle ~= k.bend)
  check.that(k.tibia ~= sinew.vec3())
end

function tests.name_the_line_of_the_script()
  local message = check.fails("no segment named", function()
    local pose = sample.knee().rig:pose()
    local _ = pose:world "nothing"
  end)
  check.that(message:match("^[^:]*test_errors%.lua:%d+: no segment"), message)
  local _, places = message:gsub("%.lua:%d+:", "")
  check.equal(places, 1)
end

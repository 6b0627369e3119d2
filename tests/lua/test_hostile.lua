-- Calls every C function that can be reached from the module with wrong arguments: values of other
-- types, closed objects, tables whose metamethods close things. It may raise an error or not; it
-- must not crash or hang.
local check, tests = ...
local sinew = require "sinew"
local sample = require "sample"

-- one object of each type that the module makes
local function make_objects()
  local k = sample.knee()
  local kind = sample.scalar(function(_, x) return x end, { k = 1 })
  local own = sample.scripted(kind)
  local net = own.rig:add(sinew.component { name = "net", inputs = { "x" }, outputs = { "y" },
    build = function(_, owner, x) return owner:rotation { x, axis = { 1, 0, 0 } } end } { own.x })
  local clip = sinew.clip():set("knee.flexion", 0, 0):set("knee.flexion", 1, 90)
  return {
    rig = k.rig, segment = k.tibia, joint_set = k.knee, dof = k.flexion, component = k.bend,
    port = k.bend.angle, pose = k.rig:pose(), crowd = k.rig:crowd(2), kind = kind,
    instance = kind { 1 }, own_rig = own.rig, own = own.component, own_pose = own.rig:pose(),
    net = net, dual = sinew.dual(1, 1), vec3 = sinew.vec3(1, 2, 3), quat = sinew.quat(),
    mat4 = sinew.mat4(), buffer = sinew.buffer(6), curve = sinew.constant(1), clip = clip,
    cone = sinew.cone { points = { { 1, 0, 1 }, { 0, 1, 1 }, { -1, -1, 1 } }, rest = { 0, 0, 1 } },
    field = sinew.field { axes = { { min = -40, max = 40, resolution = 9 } },
      samples = { 0, 1, 2, 3 } },
    motion = sinew.motion(sinew.bake(k.rig, clip, { fps = 2 }), "r.bvh"),
    solver = sinew.solver(k.rig, { goals = { { segment = k.tibia, target = { 0, 0, 0 } } } }),
    expression = k.flexion:curve { { 0, 0 }, { 120, 1 } } * 2 + 1,
    mesh = sinew.mesh { vertices = { 0, 0, 0, 1, 0, 0, 0, 1, 0 }, triangles = { 1, 2, 3 } },
  }
end

local function sorted(by_name)
  local names = {}
  for name in pairs(by_name) do names[#names + 1] = name end
  table.sort(names)
  return names
end

local function close_all(objects)
  for _, name in ipairs(sorted(objects)) do pcall(function() objects[name]:close() end) end
  return objects
end

-- C functions by where they were found; those that write files or never return are left out
local function reachable(objects)
  local functions, seen, left_out = {}, {}, { save = true, save_xml = true, watch = true,
    write_file = true }
  local walk
  local function parts(value, path)
    if type(value) == "table" then
      for key, part in next, value do
        if not left_out[key] then walk(part, path .. "." .. tostring(key)) end
      end
    elseif type(value) == "function" and debug.getinfo(value, "S").what == "C" then
      functions[path] = value
      for i = 1, 3 do walk(select(2, debug.getupvalue(value, i)), path .. "^" .. i) end
    end
    local meta = type(value) ~= "string" and debug.getmetatable(value)
    if meta then walk(meta, path .. "!") end
  end
  function walk(value, path)
    local kind = type(value)
    if kind ~= "table" and kind ~= "function" and kind ~= "userdata" or seen[value] then return end
    seen[value] = true
    parts(value, path)
  end
  for _, name in ipairs(sorted(objects)) do walk(objects[name], name) end
  walk(sinew, "sinew")
  return functions
end

-- the arguments: constants, objects, closed objects, and traps that close them
local function make_values(objects)
  local closed = close_all(make_objects())
  local function trap() close_all(objects) end
  local numbers = { 0, -1, 0.5, 2, 7, 1e308, 0 / 0, -1 / 0, 2 ^ 31, 2 ^ 53, 0x414141414141 }
  local values = { false, true, "", "zz", "x", "name", ("long"):rep(1000), {}, { 1, 2, 3 }, print,
    io.stdout, coroutine.create(print), setmetatable({}, {}),
    setmetatable({}, { __index = trap, __newindex = trap, __len = trap, __call = trap,
      __tostring = trap, __pairs = trap, __eq = trap, __lt = trap, __concat = trap }),
    setmetatable({ { 0, 0, 0 }, name = "zz", goals = { {} }, axes = {}, inputs = {},
      outputs = { "y" }, eval = trap }, { __index = trap }),
    setmetatable({}, { __index = objects.rig, __len = function() return 2 ^ 31 end }),
  }
  local _, light = debug.getupvalue(debug.getmetatable(objects.vec3).__index, 2)
  values[#values + 1] = light
  for _, number in ipairs(numbers) do values[#values + 1] = number end
  for _, name in ipairs(sorted(objects)) do
    values[#values + 1] = objects[name]
    values[#values + 1] = closed[name]
  end
  return values, closed
end

local function call_all(f, owner)
  local objects = make_objects()
  local values, closed = make_values(objects)
  local me, gone = objects[owner] or sinew, closed[owner] or {}
  pcall(f)
  for i, value in ipairs(values) do
    local other = values[i * 7 % #values + 1]
    pcall(f, value)
    pcall(f, value, "zz")
    pcall(f, value, me)
    pcall(f, value, other, value)
    pcall(f, me, value)
    pcall(f, me, value, other)
    pcall(f, me, other, value, value)
    pcall(f, gone, value)
    pcall(f, gone, other, value)
    pcall(f, value, value, value, value)
  end
end

function tests.functions_survive_wrong_arguments()
  local count = 0
  local functions = reachable(make_objects())
  for _, path in ipairs(sorted(functions)) do
    count = count + 1
      call_all(functions[path], path:match "^[%a_0-9]+")
  end
  sinew.check_purity(false)
  check.that(count > 200, count)
  check.equal(#make_objects().pose:worlds(), 32)
end

function tests.fields_of_closed_objects_can_be_read_and_set()
  local objects = make_objects()
  local values, closed = make_values(objects)
  local names = {}
  for _, description in pairs(sinew.types()) do
    for _, list in pairs { description.methods, description.fields } do
      for key, entry in pairs(list) do
        names[type(entry) == "table" and entry.name or type(entry) == "string" and entry or key] = 1
      end
    end
  end
  check.that(names.area and names.points and names.dofs)
  for _, owner in ipairs(sorted(objects)) do
    for _, name in ipairs(sorted(names)) do
      pcall(function() return closed[owner][name] end)
      pcall(function() return closed[owner][name](closed[owner]) end)
      for _, value in ipairs(values) do
        if name ~= "close" then
          pcall(function() objects[owner][name] = value end)
          pcall(function() closed[owner][name] = value end)
        end
      end
    end
  end
end

-- closes and edits what it can
local function disturb(objects, count)
  for _, name in ipairs(sorted(objects)) do
    local object = objects[name]
    pcall(function() object:dof("more" .. count) end)
    pcall(function() object:tune { dofs = { ["knee.flexion"] = { max = count } } } end)
    pcall(function() object:set("angle", sinew.constant(count)) end)
    pcall(function() object:pose():eval() end)
    pcall(function() object:eval() end)
    pcall(function() object:target(1, { count, 0, 0 }) end)
    pcall(function() object:remove "knee.flexion" end)
  end
  close_all(objects)
end

-- everything that calls functions of a script: `eval`, `build`, `require`, `mirror`
local function workers(objects, hook)
  local rig = sinew.rig "worked"
  local bone = rig:segment "bone"
  local x = rig:dof("x", { min = -90, max = 90 })
  local calls = 0
  local own = sample.scalar(function(_, angle)
    calls = calls + 1
    if calls > 3 then hook() end
    return angle
  end)
  local made = rig:add(own { x })
  bone:drive(rig:rotation { made, axis = { 1, 0, 0 } })
  local clip = sinew.clip():set("x", 0, 0):set("x", 1, 90)
  local solver = sinew.solver(rig, { goals = { { segment = bone, point = { 0, 1, 0 },
    target = { 0, 0, 1 } } } })
  for name, object in pairs { rig = rig, pose = rig:pose(), crowd = rig:crowd(3), clip = clip,
    solver = solver, segment = bone, dof = x, component = made, kind = own } do
    objects[name] = object
  end
  local o = objects
  return {
    function() for i = 1, 9 do o.pose.x = i o.pose:eval() end end,
    function() for i = 1, 9 do o.pose.x = i o.pose:jacobian(o.segment) end end,
    function() for _ = 1, 9 do o.crowd:set(sinew.buffer { 1, 2, 3 }) o.crowd:eval() end end,
    function() o.solver:solve(o.pose, { rest = { 1 } }, {}) end,
    function() sinew.bake(o.rig, o.clip, { fps = 30 }) end,
    function() o.pose:value(o.component) end,
    function() o.pose:worlds() end,
    function() o.rig:xml() end,
    function()
      o.rig:add(sinew.component { name = "net", inputs = { "x" }, outputs = { "y" },
        build = function(_, owner, angle)
          hook()
          return owner:rotation { angle, axis = { 1, 0, 0 } }
        end } { o.dof })
    end,
    function()
      sinew.parse_xml(o.rig:xml(), "a.xml", function()
        hook()
        return o.kind
      end)
    end,
  }
end

function tests.work_survives_scripts_that_close_and_edit_what_it_works_on()
  local count, stopped = 0, 0
  for i = 1, #workers({}, function() end) do
    local objects, busy = {}, false
    local work = workers(objects, function()
      if busy then return end
      busy = true
      count = count + 1
      disturb(objects, count)
      busy = false
    end)[i]
    if not pcall(work) then stopped = stopped + 1 end
  end
  check.that(count >= 8, count)
end

function tests.work_survives_finalizers_that_close_and_edit_what_it_works_on()
  if _VERSION == "Lua 5.1" then return end -- Lua 5.1 has no finalizers for tables
  local count, left, objects = 0, 0, nil
  local meta = {}
  function meta.__gc()
    if left == 0 then return end
    left, count = left - 1, count + 1
    disturb(objects, count)
    setmetatable({}, meta)
  end
  local pause, step = collectgarbage("setpause", 1), collectgarbage("setstepmul", 1000)
  for i = 1, #workers({}, function() end) do
    objects = {}
    local work = workers(objects, function() end)[i]
    collectgarbage() -- the new pause holds from here on
    left = 20
    for _ = 1, 10000 do
      if left == 0 then break end
      setmetatable({}, meta)
      pcall(work)
    end
    left = 0
  end
  collectgarbage("setpause", pause)
  collectgarbage("setstepmul", step)
  check.that(count > 50, count)
end

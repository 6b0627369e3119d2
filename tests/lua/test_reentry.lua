-- What closes, changes or compiles an object while a function uses it: evals, finalizers, and
-- coroutines that these run. Found by tests/fuzz/api.c.
local check, tests = ...
local sinew = require "sinew"
local sample = require "sample"

-- a rig with one component whose eval calls `act` and gives what it got
local function acting(act, record)
  local rig = sinew.rig "acting"
  local kind = sinew.component { name = "acting", inputs = { "x" }, outputs = { "y" },
    record = record, eval = function(_, x) act(rig) return x end }
  rig:add(kind { rig:dof "x" })
  return rig, kind
end

-- runs `f` in a finalizer, and gives its problem
local function finally(f)
  local problem
  local function act()
    local ok, why = pcall(f)
    problem = not ok and tostring(why) or nil
  end
  do
    if newproxy then -- luacheck: ignore
      getmetatable(newproxy(true)).__gc = act -- luacheck: ignore
    else
      setmetatable({}, { __gc = act })
    end
  end
  collectgarbage()
  collectgarbage()
  return problem
end

local function in_coroutine(f)
  return function() assert(coroutine.resume(coroutine.create(f))) end
end

function tests.eval_cannot_close_change_or_compile_the_rig_that_is_compiled()
  local acts = {
    function(rig) rig:close() end, function(rig) rig:compile() end, function(rig) rig:pose() end,
    function(rig) rig:dof "more" end, function(rig) rig:segment "more" end,
    function(rig) rig:joint_set "more" end, function(rig) rig.binding = "more" end,
    function(rig) rig:tune { dofs = { x = { max = 9 } } } end,
    function(rig) rig.components[1]:set("k", 1) end,
    function(rig) rig:translation { x = rig:find "x" } end,
    function(rig) rig.dofs[1].stiffness = 3 end,
  }
  for i, act in ipairs(acts) do
    local said
    local rig = acting(function(rig)
      local ok, why = pcall(act, rig)
      if not ok then said = said or why end
    end)
    pcall(rig.compile, rig)
    check.that(said, "case " .. i .. " was allowed")
    if i ~= 9 then check.that(said:find("rig 'acting' is being compiled", 1, true), said) end
    check.equal(#rig.dofs, 1)
    rig:close()
  end
end

function tests.a_rig_can_be_changed_again_after_compiling_it_failed()
  local rig = acting(function() error "no" end, true)
  check.fails("cannot be recorded", rig.compile, rig)
  rig:dof "more"
  rig:close()
end

function tests.an_error_of_compiling_keeps_the_line_of_the_script()
  local rig = acting(function() error "no" end, true)
  local said = check.fails("component", function() rig:compile() end)
  check.that(said:find "test_reentry.lua:%d+: component", said)
end

function tests.eval_can_close_its_kind_while_it_is_recorded()
  local kind
  kind = sinew.component { name = "k", inputs = { "x" }, outputs = { "y" },
    eval = function(_, x) kind:close() return x end }
  check.that(kind.refusal == nil or type(kind.refusal) == "string")
end

-- everything that can be closed or handled
local function things()
  local s = sample.knee()
  local rig, pose = s.rig, s.rig:pose()
  return { rig = rig, pose = pose, crowd = rig:crowd(2), clip = sinew.clip():set("x", 0, 1),
    solver = sinew.solver(rig, { goals = { { s.tibia, target = { 0, 0, 0 } } } }),
    curve = sinew.constant(2), segment = s.tibia, dof = s.flexion, component = s.bend,
    joint_set = s.knee, port = s.bend.angle, cone = sinew.cone { rest = { 0, 1, 0 },
    right = { 1, 0, 0 }, ellipse = { 20 } } }
end

local uses = {
  function(t) t.rig:dof "more" end, function(t) t.rig:compile() end, function(t) t.pose:eval() end,
  function(t) t.pose["knee.flexion"] = 9 end, function(t) t.crowd:reset() end,
  function(t) t.clip:set("x", 1, 2) end, function(t) t.solver:solve(t.pose) end,
  function(t) t.curve:eval(1) end, function(t) t.segment.mass = 2 end,
  function(t) t.dof.stiffness = 2 end, function(t) t.component:set("angle", t.curve) end,
  function(t) t.joint_set:dof "more" end, function(t) return t.port.name end,
  function(t) t.cone:inside { 0, 1, 0 } end,
}

function tests.a_finalizer_cannot_use_what_it_may_have_interrupted()
  local t = things()
  for i, use in ipairs(uses) do
    use(things())
    local name = "use " .. i
    check.that(finally(function() use(t) end), name .. " was allowed")
    check.that(finally(in_coroutine(function() use(t) end)), name .. " was allowed in a coroutine")
  end
end

function tests.a_finalizer_closes_nothing_at_once()
  local t = things()
  for _, name in ipairs { "rig", "pose", "crowd", "clip", "solver", "curve", "cone" } do
    local text = tostring(t[name])
    check.equal(finally(function() t[name]:close() end), nil)
    check.equal(finally(in_coroutine(function() t[name]:close() end)), nil)
    check.equal(tostring(t[name]), text)
    t[name]:close()
    check.that(tostring(t[name]):find "closed", name)
  end
end

function tests.a_finalizer_may_use_values()
  local v = sinew.vec3(1, 2, 3)
  check.equal(finally(function() v:add { 1, 1, 1 } end), nil)
  check.equal(v.x, 2)
end

function tests.a_recording_that_an_error_cuts_short_leaves_nothing()
  local function record()
    local kind = sinew.component { name = "k", inputs = { "x" }, outputs = { "y" },
      eval = function(_, x)
        finally(error)
        return x
      end }
    check.that(kind.recorded ~= nil)
    kind:close()
  end
  record()
  local before = check.live_blocks()
  record()
  check.equal(check.live_blocks(), before)
end

function tests.check_purity_can_be_turned_on_and_off_while_rigs_are_compiled()
  local Kind = sinew.component { name = "k", inputs = { "x" }, outputs = { "y" },
    params = { k = 1 }, eval = function(self, x) return self.k * x end }
  for _, first in ipairs { true, false } do
    local rig = sinew.rig "r"
    local made = rig:add(Kind { rig:dof "x" })
    local before = sinew.check_purity(first)
    local crowd, pose = rig:crowd(3), rig:pose { x = 2 }
    sinew.check_purity(not first)
    made:set("k", 3)
    crowd:eval()
    check.equal(pose:value(made), 6)
    check.equal(#rig:crowd(2):eval():dofs(), 2)
    sinew.check_purity(before)
  end
end

-- --- traps in every option of every function, from the tables of the documentation

local bvh = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
  .. "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n1 2 3\n"

-- what is called with a table of options; `base` are those that it needs, of the things `t`
local takes = {
  segment_options = { function(t, o) t.rig:segment("s" .. t.n, o) end },
  dof_options = { function(t, o) t.rig:dof("d" .. t.n, o) end },
  aim_options = { function(t, o) t.segment:aim(o) end,
    function(t) return { at = t.root, along = "y" } end },
  ik2_options = { function(t, o) t.root:ik2(o) end,
    function(t) return { lower = t.segment, tip = { 0, -1, 0 }, goal = { 0, 1, 0 } } end },
  relative_options = { function(_, o) sinew.relative(o) end,
    function(t) return { of = t.segment, to = t.root } end },
  declaration = { function(_, o) sinew.component(o) end,
    function() return { name = "k", inputs = { "x" }, outputs = { "y" },
      eval = function(_, x) return x end } end },
  tuning = { function(t, o) t.rig:tune(o) end },
  crowd_options = { function(t, o) t.rig:crowd(2, o) end },
  xml_options = { function(t, o) t.rig:save_xml("/no/such/folder/a.xml", o) end },
  jacobian_options = { function(t, o) t.pose:jacobian("tibia", o) end },
  fit_cone_options = { function(_, o) sinew.fit_cone(o) end,
    function() return { rest = { 0, 1, 0 }, samples = { { 0, 0, 0, 1 }, { 0.1, 0, 0, 1 },
      { 0, 0, 0.1, 1 } } } end },
  field_options = { function(_, o) sinew.field(o) end,
    function() return { axes = { { resolution = 4 } }, samples = { 1, 2, 3 } } end },
  field_axis = { function(_, o) sinew.field { axes = { o }, samples = { 1, 2, 3 } } end,
    function() return { resolution = 4 } end },
  sculpt_options = { function(_, o) sinew.sculpt_field(o) end,
    function() return { axes = { {}, {}, {} }, obj = "/no/such/file.obj" } end },
  motion_options = { function(_, o) sinew.motion(bvh, "a.bvh", o) end },
  nodes_options = { function(_, o) sinew.nodes("a.bvh", o) end },
  bake_options = { function(t, o) sinew.bake(t.rig, t.clip, o) end },
  solver_options = { function(t, o) sinew.solver(t.rig, o) end,
    function(t) return { goals = { { t.segment, target = { 0, 0, 0 } } } } end },
  goal_options = { function(t, o) sinew.solver(t.rig, { goals = { o } }) end,
    function(t) return { t.segment, target = { 0, 0, 0 } } end },
  goal_numbers = { function(t, o) t.solver:goal(1, o) end },
  solve_options = { function(t, o)
    t.solver:solve(t.pose, o)
    t.crowd:solve(t.solver, nil, o)
  end },
  solid_mesh_options = { function(t, o) t.solid:mesh(o) end },
  mesh_table = { function(_, o) sinew.mesh.merge { o } end,
    function() return { vertices = { 0, 0, 0, 1, 0, 0, 0, 1, 0 }, triangles = { 1, 2, 3 } } end },
}

-- read by helpers in Lua, which hold nothing of the engine while they do
local in_lua = [[bone_options hinge_options ball_options free_options limit_options sample_options
  mirror_options chain_options chain_turn watch_options skeleton_options limb_options gait_options
  spring_options bind_options]]

-- a table whose metamethods close, change and compile what is in use, and say that they ran
local function trapped(t, value, ran)
  local function act()
    ran[1] = true
    for _, f in ipairs { function() t.rig:compile() end, function() t.rig:dof "trap" end,
      function() t.pose:close() end, function() t.solver:close() end,
      function() t.rig:close() end } do pcall(f) end
  end
  local meta = { __metatable = false }
  for _, name in ipairs { "index", "newindex", "len", "pairs", "call", "eq", "lt", "le", "concat",
    "unm", "add", "tostring" } do meta["__" .. name] = act end
  return setmetatable(value, meta)
end

local function trap_things()
  local t = things()
  t.root = t.rig:find(t.rig.segments[1].name)
  t.solid = sinew.shapes.blend { points = { a = { 0, 0, 0, 20 }, b = { 30, 0, 0, 20 } },
    parts = { { "a b" } } }.solid
  t.n = 0
  return t
end

-- what is tried in the place of an option
local function odd_values(t, gone, ran)
  local list = { trapped(t, {}, ran), trapped(t, { 1, 2, 3 }, ran), { trapped(t, {}, ran) },
    { x = trapped(t, {}, ran) }, 0 / 0, 1 / 0, -1e30, 2 ^ 53, "", "x", ("long"):rep(1000), true,
    false, function() end, coroutine.create(function() end), {}, { {} }, { "x" },
    sinew.vec3(1, 2, 3), sinew.quat.axis({ 1, 0, 0 }, 9), sinew.mat4(), sinew.buffer(3) }
  for _, from in ipairs { t, gone } do
    for _, name in ipairs { "rig", "pose", "crowd", "clip", "solver", "curve", "segment", "dof",
      "component", "joint_set", "port", "cone" } do list[#list + 1] = from[name] end
  end
  return list
end

function tests.no_option_runs_a_script_while_something_is_held()
  local options = require "docs.options"
  local gone, tried = things(), 0
  gone.pose:close() gone.crowd:close() gone.clip:close() gone.solver:close() gone.curve:close()
  gone.cone:close() gone.rig:close()
  for _, item in ipairs(options) do
    local name, rows = item[1], item[3]
    local call, base = (takes[name] or {})[1], (takes[name] or {})[2] or function() return {} end
    check.that(call or (" " .. in_lua:gsub("%s+", " ") .. " "):find(" " .. name .. " ", 1, true),
      name .. " is neither tried nor read in Lua")
    local t, ran = trap_things(), {}
    if call then
      local ok, why = pcall(call, t, base(t))
      check.that(ok or name == "sculpt_options", why) -- there is no such file
    end
    for _, row in ipairs(call and rows or {}) do
      for i, value in ipairs(odd_values(t, gone, ran)) do
        for turn = 1, 2 do -- a plain table of options, then one with a metatable
          local o = base(t)
          o[row[1]] = value
          if turn == 2 then o = trapped(t, o, ran) end
          t.n = t.n + 1
          tried = tried + 1
          pcall(call, t, o)
          check.that(not ran[1], ("%s.%s: value %d ran a script"):format(name, row[1], i))
        end
      end
    end
  end
  check.that(tried > 5000, "only " .. tried)
end

function tests.metatables_of_all_types_are_closed()
  local made, closed = things(), {}
  made.vec3, made.quat, made.mat4 = sinew.vec3(), sinew.quat(), sinew.mat4()
  made.dual, made.buffer, made.motion = sinew.dual(1), sinew.buffer(2), sinew.motion(bvh, "a.bvh")
  made.kind = sinew.component { name = "k", inputs = { "x" }, outputs = { "y" },
    eval = function(_, x) return x end }
  -- the module keeps the metatable of each type by the address of its description
  for key, meta in pairs(debug.getregistry()) do
    local name = type(key) == "userdata" and type(meta) == "table" and rawget(meta, "__name")
    if name then
      check.equal(rawget(meta, "__metatable"), false)
      local methods = rawget(meta, "__index")
      if type(methods) == "table" then check.equal(getmetatable(methods), false) end
      closed[name] = true
    end
  end
  for name in pairs(sinew.types()) do check.that(closed[name], name .. " has no metatable") end
  for name, value in pairs(made) do
    check.equal(type(value), "userdata")
    check.equal(getmetatable(value), false)
    check.that(not pcall(setmetatable, value, {}), name)
    check.that(not pcall(rawset, value, "x", 1), name)
  end
  for _, name in ipairs { "vec3", "quat", "mat4", "dual", "buffer", "solid" } do
    check.equal(getmetatable(sinew[name]), false)
    check.that(not pcall(setmetatable, sinew[name], {}), name)
  end
end

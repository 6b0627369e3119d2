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

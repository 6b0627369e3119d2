-- What programs of the API fuzzer run in. Values that the module makes are kept by the name of
-- their type; a program picks them by number, so that it still runs when statements are deleted.
-- `action` does something to what may be in use just then: it is what traps call.
local sinew = require "sinew"

local most = 10     -- values kept of each type
local deepest = 3   -- actions inside of actions
local pool, turn, threads = {}, {}, {}
local depth, calls, fine = 0, 0, 0
local late = false -- a helper takes too long: what a trap catches is raised again
local yieldable = coroutine.isyieldable or coroutine.running

local function keep(value, inside)
  local kind = type(value)
  if kind == "userdata" then
    local name = sinew.type(value)
    local list = pool[name] or {}
    pool[name] = list
    turn[name] = (turn[name] or 0) % most + 1
    list[turn[name]] = value
  elseif kind == "table" and not inside and not getmetatable(value) then
    local left = 4
    for _, item in next, value do
      left = left - 1
      if left < 0 then break end
      keep(item, true)
    end
  end
end

local function keep_all(ok, ...)
  if not ok then return end
  fine = fine + 1
  for i = 1, math.min(select("#", ...), 4) do keep((select(i, ...))) end
  return ...
end

-- the n-th value of a type, or nil
function g(name, n)
  local list = pool[name]
  return list and #list > 0 and list[n % #list + 1] or nil
end

local function call(f, ...)
  calls = calls + 1
  return keep_all(pcall(f, ...))
end

local used -- what a method was called on last
local function method(object, name, ...)
  used = object
  return object[name](object, ...)
end
local function foreign(from, name, ...) return from[name](...) end
local function read(object, key) return object[key] end
local function write(object, key, value) object[key] = value end
local function find(name)
  local from = sinew
  for part in name:gmatch "[%w_]+" do from = from[part] end
  return from
end
local function use(name, ...) return find(name)(...) end

-- object:name(...), from.name(...), sinew.name(...), object.key, object.key = value
function C(object, name, ...) return call(method, object, name, ...) end
function W(from, name, ...) return call(foreign, from, name, ...) end
function F(name, ...)
  -- helpers in Lua loop as often as they are told to
  local on = jit and jit.status() -- luacheck: ignore
  if on then jit.off() end -- luacheck: ignore
  debug.sethook(function() late = true error("too long", 0) end, "", 300000)
  call(use, name, ...)
  debug.sethook()
  late = false
  if on then jit.on() end -- luacheck: ignore
end
function I(object, key) return call(read, object, key) end
function N(object, key, value) return call(write, object, key, value) end

local operators = {
  ["+"] = function(a, b) return a + b end, ["-"] = function(a, b) return a - b end,
  ["*"] = function(a, b) return a * b end, ["/"] = function(a, b) return a / b end,
  ["^"] = function(a, b) return a ^ b end, ["%"] = function(a, b) return a % b end,
  [".."] = function(a, b) return a .. b end, ["=="] = function(a, b) return a == b end,
  ["<"] = function(a, b) return a < b end, ["<="] = function(a, b) return a <= b end,
  ["#"] = function(a) return #a end, ["neg"] = function(a) return -a end,
  ["()"] = function(a, b) return a(b) end, ["tostring"] = tostring,
}
function O(operator, a, b) return call(operators[operator], a, b) end

-- --- actions

local function any(n)
  local names = { "rig", "pose", "DOF", "component", "segment", "crowd", "solver", "joint set",
    "kind of component", "curve", "clip", "cone", "field", "buffer", "solid", "expression" }
  return g(names[n % #names + 1], math.floor(n / 16))
end

-- Only in LuaJIT. Where lua_close finds the collector in the middle of sweeping userdata, a
-- finalizer that collects sweeps the ring of those to be finalized for ever. 2.1.0-beta3 hangs in:
--   jit.off()
--   local t = {}
--   for i = 1, 5000 do
--     t[i] = newproxy(true)
--     getmetatable(t[i]).__gc = function() collectgarbage() end
--   end
--   collectgarbage()
--   collectgarbage "stop"
--   for i = 1, 440 do collectgarbage("step", 0) end
local finalizing = false

local actions = {
  function() return used:close() end,
  function() return used.rig:close() end,
  function() return used.rig:dof("made", 0, 1) end,
  function() return used:eval() end,
  function(n) local it = any(n) return it and it.close and it:close() end,
  function(n) return C(g("rig", n), "close") end,
  function(n) return C(g("pose", n), "close") end,
  function(n) return C(g("solver", n), "close") end,
  function(n) return C(g("crowd", n), "close") end,
  function(n) return C(g("kind of component", n), "close") end,
  function(n) return C(g("rig", n), "dof", "made" .. n, { min = 0, max = 9 }) end,
  function(n) return C(g("rig", n), "segment", "made" .. n) end,
  function(n) return C(g("rig", n), "compile") end,
  function(n) return C(g("rig", n), "pose") end,
  function(n) return C(g("pose", n), "eval") end,
  function(n) return N(g("pose", n), "x", n % 50) end,
  function(n) return N(g("pose", n), "set.x", n % 50) end,
  function(n) return C(g("pose", n), "worlds") end,
  function(n) return C(g("pose", n), "reset") end,
  function(n) return C(g("crowd", n), "eval") end,
  function(n) return C(g("crowd", n), "reset") end,
  function(n) return C(g("solver", n), "solve", g("pose", n)) end,
  function(n) return C(g("component", n), "set", "k", n) end,
  function(n) return N(g("component", n), "axis", { 0, 1, n % 3 }) end,
  function(n) return C(g("rig", n), "tune", { dofs = { x = { min = -n % 9, max = 50 } } }) end,
  function(n)
    return C(g("rig", n), "tune", { segments = { femur = { at = { 0, n % 5, 0 } } } })
  end,
  function(n) return C(g("rig", n), "xml") end,
  function(n) return C(g("rig", n), "add", g("component to be added", n)) end,
  function(n) return C(g("kind of component", n), "close") end,
  function(n) return N(g("segment", n), "mass", n) end,
  function(n) return N(g("rig", n), "binding", "x" .. n) end,
  function(n) return C(g("clip", n), "set", "x", n % 7, n) end,
  function(n) return C(g("clip", n), "remove", "x") end,
  function(n) return N(g("buffer", n), 1, n) end,
  function(n) return C(g("buffer", n), "fill", n) end,
  function(n) return N(g("vec3", n), "x", 0 / 0) end,
  function(n) return C(g("mat4", n), "set", n) end,
  function(n) error("trap " .. n, 0) end,
  function() error {} end,
  function() return not finalizing and collectgarbage() end,
  function() return not finalizing and collectgarbage "step" end,
  function(n) if yieldable() then coroutine.yield(n) end end,
  function(n) if threads[n % #threads + 1] then coroutine.resume(threads[n % #threads + 1]) end end,
  function(n) return coroutine.wrap(function() return A(math.floor(n / 40)) end)() end,
  function(n) return D(math.floor(n / 40)) end,
}

function A(n)
  if depth >= deepest then return end
  depth = depth + 1
  local ok, problem = pcall(actions[n % #actions + 1], math.floor(n / #actions))
  depth = depth - 1
  if late then error("too long", 0) end
  if not ok and n % 3 == 0 then error(problem, 0) end
end

-- --- traps

local events = { "__index", "__newindex", "__len", "__call", "__tostring", "__eq", "__lt", "__le",
  "__add", "__mul", "__unm", "__close", "__pairs", "__name", "__expression", "__gc" }

-- (not __concat: in Lua 5.4.4 one that makes the stack grow crashes Lua itself)
-- a table that acts whatever is done with it; `real` is what it has
function T(n, real)
  local meta = {}
  for i, event in ipairs(events) do
    if event ~= "__gc" or n % 5 == 0 then
      meta[event] = function(_, key)
        A(n % 3 == 0 and n % 4 or n + i) -- the first four act on what is in use
        if event == "__tostring" or event == "__name" then return "trap" end
        if event == "__len" then return n % 7 end
        if event == "__index" then return key == "at" and { 0, 0, 0 } or nil end
        return n
      end
    end
  end
  if n % 7 == 0 then meta.__name = "trap" end
  if n % 11 == 0 then meta.__metatable = false end
  return setmetatable(real or {}, meta)
end

-- garbage that acts when it is collected
function D(n)
  local function act()
    -- LuaJIT (2.1.0-beta3) lets these errors through to what runs just then, which ends programs
    -- early; without the module too it crashes where they come while a compiled trace is left
    if jit then -- luacheck: ignore
      finalizing = true
      pcall(A, n)
      finalizing = false
      return
    end
    if n % 2 == 0 then return A(n) end
    return coroutine.wrap(A)(n)
  end
  if newproxy then -- luacheck: ignore
    getmetatable(newproxy(true)).__gc = act -- luacheck: ignore
  else
    setmetatable({}, { __gc = act })
  end
end

-- a function for an argument: acts, then gives something of the sort that is asked for
function E(n)
  return function(first, ...)
    if n % 4 ~= 0 then A(n) end
    local way = n % 9
    if way == 0 then return first, ... end
    if way == 1 then return end
    if way == 2 then return 0 / 0 end
    if way == 3 then return "" .. n end
    if way == 4 then return { n, 0, 0 } end
    if way == 5 then return sinew.vec3(0, n, 0) end
    if way == 6 then return sinew.mat4() end
    return type(first) == "number" and first + n % 5 or n % 5
  end
end

-- statements: errors end them alone
function P(f)
  depth = 0
  pcall(f)
  debug.sethook() -- of a call that a trap left
  late = false
  fail(0)
  limit(0, 0)
  count(calls, fine)
  calls, fine = 0, 0
end

-- runs a statement in a coroutine, which may be left in the middle of it
function Y(f)
  local thread = coroutine.create(f)
  coroutine.resume(thread)
  threads[#threads % 6 + 1] = thread
end

-- whether LuaJIT compiles: what it does then depends on chance
function J(on)
  if jit then jit[on and "on" or "off"]() end -- luacheck: ignore
end

-- how the collector runs from here on; `step`: at every allocation that asks
function G(way)
  collectgarbage "restart"
  if way == "step" then
    if _VERSION == "Lua 5.4" then
      collectgarbage("incremental", 1, 150, 1)
    else
      collectgarbage("setpause", 1)
      collectgarbage("setstepmul", 150)
    end
  elseif way == "generational" and _VERSION == "Lua 5.4" then
    collectgarbage "generational"
  elseif way == "stop" then
    collectgarbage "stop"
  else
    collectgarbage()
  end
end

-- --- what programs start from

local makers = {}

function makers.knee()
  local rig = C_(sinew.rig, "knee")
  local femur = rig:segment("femur", { at = { 0, 0.9, 0 }, mass = 3 })
  local tibia = rig:segment("tibia", { parent = femur, at = { 0, -0.4, 0 }, mass = 2 })
  local foot = tibia:bone("foot", { at = { 0, -0.4, 0 }, hinge = { "ankle", -40, 30, axis = "x" } })
  local knee = rig:joint_set "set"
  local x = knee:dof("x", { min = 0, max = 120 })
  local bend = knee:map { x, name = "bend", angle = sinew.linear { { 0, 0 }, { 120, 120 } },
    slide = sinew.linear { { 0, 0 }, { 120, -0.012 } } }
  local turned = knee:rotation { bend.angle, name = "turn", axis = { 1, 0, 0 } }
  tibia:drive(knee:multiply { knee:translation { y = bend.slide }, turned })
  for _, v in ipairs { femur, tibia, foot, knee, x, bend, turned, bend.angle } do keep(v) end
  keep(rig:pose())
  keep(x * 2 + 1)
end

function makers.scripted(n)
  local kind = sinew.component { name = "k" .. n % 2, inputs = { "x", "v (vector) = 0, 1, 0" },
    outputs = { "y", "m: matrix" }, params = { k = 1, t = { kind = "text", "a" }, l = { 1, 2 } },
    record = n % 3 == 0 or nil, tangent = n % 5 == 0 and "dual" or nil,
    holds = n % 2 == 0 and { y = "the end" } or nil,
    verify = n % 4 == 0 and function() A(n) return true end or nil,
    draw = n % 4 == 1 and function(_, on) A(n) on:line({ 0, 0, 0 }, { 0, 1, 0 }) end or nil,
    eval = function(self, x)
      if n % 3 ~= 0 then A(n) end
      return x * self.k, sinew.mat4.translation(0, n % 3, 0)
    end }
  keep(kind)
  local rig = sinew.rig("scripted" .. n)
  keep(rig)
  local set = rig:joint_set "set"
  local x = set:dof("x", { min = -100, max = 100 })
  local made = set:add(kind { x, k = n % 4 })
  local segment = rig:segment "femur"
  segment:drive(made.m)
  for _, v in ipairs { set, x, made, segment, made.y, kind { made.y } } do keep(v) end
  keep(rig:pose())
  keep(rig:crowd(2 + n % 5))
  keep(sinew.solver(rig, { goals = { { segment, target = { 0, n % 4, 0 } } }, dofs = { x } }))
end

function makers.chain(n)
  local rig = sinew.rig "chain"
  keep(rig)
  local parent
  for i = 1, 3 + n % 4 do
    parent = rig:bone("s" .. i, { parent = parent, at = { 0, 0.1, 0 },
      hinge = { "q" .. i, -90, 90, axis = ("xyz"):sub(i % 3 + 1, i % 3 + 1) } })
    keep(parent)
  end
  local pose = rig:pose()
  keep(pose)
  keep(rig:crowd(3))
  keep(rig:find "q1")
  keep(sinew.solver(pose, { goals = { { parent, target = { 0.1, 0.2, 0 } }, near = "s1" } }))
end

function makers.values()
  for _, v in ipairs { sinew.vec3(1, 2, 3), sinew.quat(), sinew.mat4(), sinew.buffer(64),
    sinew.spline { { 0, 0 }, { 1, 2 }, { 3, 3 } }, sinew.dual(2, 1), sinew.clip(),
    sinew.cone { rest = { 0, 1, 0 }, right = { 1, 0, 0 }, ellipse = { 30 } },
    sinew.mesh.ball(6, 4, { 0, 0, 0 }, { 1, 1, 1 }),
    (sinew.field { axes = { { min = -9, max = 9, resolution = 4 } }, samples = { { 0 }, { 3 } } }),
  } do keep(v) end
  keep(sinew.motion("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
    .. "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0\n1 2 3\n",
    "a.bvh"))
end

function C_(f, ...) -- keeps what it makes
  local made = f(...)
  keep(made)
  return made
end

function B(name, n) return call(makers[name], n) end

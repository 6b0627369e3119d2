-- Random eval functions with every operation that can be recorded: what the rig computes is what
-- Lua computes, in doubles to 1e-9 and nearly so in the floats of a pose, with its derivative, and
-- a crowd gives the same bits as a pose. SINEW_TEST_QUICK takes fewer; in full there are 100,000
-- inputs.
local check, tests = ...
local sinew = require "sinew"
local run = require "program"

local quick = os.getenv "SINEW_TEST_QUICK"
local programs, characters = quick and 40 or 1000, quick and 25 or 100

local seed
local function random(n)
  seed = seed * 16807 % 2147483647
  return n and seed % n + 1 or seed / 2147483647
end
local function pick(list) return list[random(#list)] end

-- --- a function as text. `s` has the names that are known; numbers stay between -10 and 10.

local number, condition

local function constant() return ("%.2f"):format(random() * 6 - 3) end

local leaves = {
  function(s) return pick(s.numbers) end, function(s) return pick(s.numbers) end, constant,
  function(s)
    return s.inside and "math.pi" or pick { "self.k", "self.list[2]", "#self.list", "self.count" }
  end,
}

-- of numbers alone; A and B stand for numbers, C for a condition
local forms = {
  "A + B", "A - B", "0.2 * A * B", "A / (1 + math.abs(B))", "-A", "(A) % 2.5", "A ^ 2 * 0.1",
  "(0.1 + math.abs(A)) ^ 0.7", "math.min(A, B)", "math.max(A, B, 0.5)", "math.abs(A)",
  "math.floor(A)", "math.ceil(A)", "math.sqrt(math.abs(A))", "math.exp(math.min(A, 1))",
  "math.log(1 + math.abs(A))", "math.log(2 + math.abs(A), 2)", "math.sin(A)", "math.cos(A + B)",
  "math.tan(0.1 * A)", "math.atan(A)", "math.rad(50 * A)", "0.02 * math.deg(A)",
  "math.asin(0.1 * A)", "math.acos(0.1 * B)", "sinew.sin(90 * A)", "sinew.cos(40 * A)",
  "sinew.tan(5 * A)", "0.02 * sinew.atan2(A, 2 + math.abs(B))", "0.02 * sinew.asin(math.sin(A))",
  "0.02 * sinew.acos(0.9 * math.cos(A))", "math.fmod(A, 1.7)", "(math.modf(A))",
  "select(2, math.modf(A))",
  "sinew.clamp(A, -1, 2)", "sinew.mix(A, B, 0.3)", "sinew.min(A, B, 2)",
  "sinew.abs(sinew.max(A, B))",
  "sinew.dual.clamp(A, -1, 1)", "sinew.dual.sqrt(1 + math.abs(A))", "math.max(-2, math.min(2, A))",
  "(C and A or 1.5)", "(not (C) and A or B)", "(self.flag and A or B)", "(self.curve(A))",
  "0.7 * select(2, self.curve(A))",
  "helper(A, B)", "joined(A, B)", "(type(A) == 'number' and A or 7)",
  "sinew.root(function(t) return t * t * t + t - (A) end, -30, 30, 60)",
  "(sinew.newton(function(p, q) return 2 * p + q - (A), p - 3 * q - 0.3 * (B) end, 0, 0))",
  "select(2, sinew.contact(0.05 * A, 1, 0.2, 0.1, 0.05 * B, -170, 170))",
}
-- of vec3, quats and matrices, which are floats in Lua; V stands for a vec3, M for a matrix
local long_forms = {
  "0.3 * (V):dot(V)", "(V):length()", "(V).y", "(V)[3]", "0.2 * (M):position().x",
  "0.02 * (V + sinew.vec3(0, 0, 30)):angle({ 0, 1, 2 })", "0.1 * (M):point(V).z",
  "0.7 * (M):determinant()",
  "sinew.quat.axis({ 0, 1, 1 }, 30 * A).y", "0.01 * select(2, (M):rotation():axis_angle())",
}
local vectors = {
  "v", "v", "sinew.vec3(A, B, 1)", "V + V", "V - V", "0.5 * V", "V / 2", "-V", "(V):copy():add(V)",
  "0.1 * (V):cross(V)", "(V + sinew.vec3(0, 0, 20)):unit()", "(V):lerp(V, 0.3)", "(M):direction(V)",
  "sinew.quat.euler('xyz', 20 * A, 10, 30 * B) * (V)", "{ A, B, 0.5 }", "sinew.vec3(self.axis)",
}
local matrices = {
  "m", "m", "(M) * (M)", "sinew.mat4.turn({ 1, 0, 2 }, 30 * A)", "sinew.mat4.translation(V)",
  "sinew.rotate(30 * A, '-y')", "sinew.rotate(20 * A, V + sinew.vec3(0, 0, 30), { 1, 2, 0 })",
  "sinew.translate(0.5 * A, { 1, 2, 0 })", "sinew.translate { x = A, z = B }",
  "sinew.mat4.euler('zyx', 20 * A, 10 * B, 5)", "(M):inverse()", "self.at",
  "sinew.mat4.from(sinew.quat.axis({ 1, 1, 0 }, 20 * A), { A, 1, B })",
  "sinew.dual.turn({ 0, 0, 1 }, 40 * A, { 1, 2, 3 })", "(M):copy():translate(A, B, 0)",
}

-- puts random parts into a form; `depth` says how deep they may be
local fill
local function of_list(list, s, depth)
  local form = pick(list)
  if depth <= 0 and form:find "[VM]" then form = list == vectors and "v" or "m" end
  return fill(form, s, depth)
end
local parts = {
  A = function(s, depth) return number(s, depth) end,
  B = function(s, depth) return number(s, depth) end,
  C = function(s, depth) return condition(s, depth) end,
  V = function(s, depth)
    local text = of_list(vectors, s, depth)
    return text:find "^{" and "sinew.vec3(" .. text .. ")" or text
  end,
  M = function(s, depth) return of_list(matrices, s, depth) end,
}
function fill(form, s, depth)
  return (form:gsub("%f[%w]([ABCVM])%f[%W]", function(part)
    return "(" .. parts[part](s, depth - 1) .. ")"
  end))
end

function number(s, depth)
  if depth <= 0 then return pick(leaves)(s) end
  local form = s.long and random(4) == 1 and pick(long_forms) or pick(forms)
  if s.inside and (form:find "self" or form:find "helper" or form:find "joined") then
    form = "A + B"
  end
  return "math.max(-10, math.min(10, " .. fill(form, s, depth) .. "))"
end

function condition(s, depth)
  local a, b = number(s, depth - 1), number(s, 0)
  return pick { a .. " < " .. b, a .. " >= " .. b, a .. " > 0 and " .. b .. " < 1",
    "not (" .. a .. " <= " .. b .. ")", a .. " > 1 or " .. b .. " < -1",
    s.inside and a .. " > 0" or "self.count == 3" }
end

local statements = {
  function(s)
    return ("if %s then x = %s elseif %s then y = %s else x, y = y, x end"):format(condition(s, 2),
      number(s, 2), condition(s, 1), number(s, 1))
  end,
  function(s)
    return ("for i = 1, %s do x = 0.5 * x + i * 0.1 * (%s) end"):format(pick { "3", "self.count" },
      number(s, 1))
  end,
  function(s)
    return ("do local t = { x, y, %s } y = t[1] + 0.3 * t[#t] end"):format(number(s, 2))
  end,
  function(s) return ("x = %s"):format(number(s, 3)) end,
  function(s) return ("y = 0.5 * y + 0.3 * (%s)"):format(number(s, 3)) end,
  function(s) return ("w = %s"):format(parts.V(s, 3)) end,
  function(s) return ("n = %s"):format(parts.M(s, 2)) end,
}

local function make(long)
  local s = { numbers = { "a", "b", "x", "y" }, long = long }
  local lines = {}
  for i = 1, 4 + random(3) do lines[i] = pick(statements)(s) end
  if not long then
    for i, line in ipairs(lines) do if line:find "^[wn] =" then lines[i] = "x = x + y" end end
  end
  local inside = { numbers = { "p", "q" }, inside = true }
  return ([[
local sinew = require "sinew"
local helper, joined
function helper(p, q) -- luacheck: ignore
  if HELPER_IF then return HELPER_YES end
  return HELPER_NO
end
joined = sinew.join(function(p, q)
  if p > q then return 0.5 * p end
  if q > 1 then return p - q end
  return q
end)
return function(self, a, b, v, m)
  local x, y, w, n = 0.5 * a, b, v, m
  BODY
  x, y = math.max(-50, math.min(50, x)), math.max(-50, math.min(50, y))
  return x, sinew.mat4.translation(w) * sinew.mat4.turn({ 0, 1, 0 }, y) * n
end]]):gsub("HELPER_IF", function() return "p < 0.5 * q" end)
    :gsub("HELPER_YES", function() return number(inside, 1) end)
    :gsub("HELPER_NO", function() return number(inside, 1) end)
    :gsub("BODY", function() return table.concat(lines, "\n  ") end)
end

-- --- the rig

-- no branch is decided by rounding: half of k is no other value
local params = { k = 0.7193, list = { 1, -0.5, 2 }, flag = true, count = 3, axis = { 1, 0, 2 },
  at = sinew.mat4.translation(1, 0, 2), curve = sinew.monotone { { -9, -2 }, { 0, 1 }, { 9, 3 } } }
local Inputs = sinew.component { name = "inputs", record = true,
  inputs = { "a", "b", "c" }, outputs = { "v: vector", "m: matrix" },
  eval = function(_, a, b, c)
    return sinew.vec3(a, b, c), sinew.mat4.translation(c, a, b) *
      sinew.mat4.euler("xyz", 40 * a, 30 * b, 20 * c)
  end }

local function build(eval)
  local kind = sinew.component { name = "random", params = params, eval = eval,
    inputs = { "a", "b", "v: vector", "m: matrix" }, outputs = { "x", "m: matrix" } }
  local rig = sinew.rig "random"
  local d = {}
  for i, name in ipairs { "a", "b", "c", "d", "e" } do d[i] = rig:dof(name, -4, 4) end
  local from = rig:add(Inputs { d[3], d[4], d[5] })
  local c = rig:add(kind { d[1], d[2], from.v, from.m })
  rig:segment "x":drive(rig:translation { x = c.x })
  rig:segment "m":drive(c.m)
  return rig, c, from, kind
end

local function near(a, b, tolerance) return math.abs(a - b) <= tolerance * (1 + math.abs(b)) end

-- the derivative of x to one input in doubles; nil where it has a kink or is steep
local function slope(f, a, b, of_b)
  local h = 1e-5
  local function at(step) return (f(of_b and a or a + step, of_b and b + step or b)) end
  local below, above = (at(0) - at(-h)) / h, (at(h) - at(0)) / h
  local wide = (at(2 * h) - at(-2 * h)) / (4 * h)
  if not near(below, above, 1e-3) or not near(wide, above, 1e-3) or math.abs(wide) > 1e3 then
    return nil
  end
  return (above + below) / 2
end

function tests.random_functions_are_recorded_as_lua_computes_them()
  local recorded, refused, compared, differ, slopes, steep, exact = 0, {}, 0, 0, 0, 0, 0
  for round = 1, programs do
    seed = 77 * round + 1
    local long = round % 2 == 0
    local text = make(long)
    local eval = assert((loadstring or load)(text))() -- luacheck: ignore
    local rig, c, from, kind = build(eval)
    local function failed(...)
      error(("function %d, %s:\n%s"):format(round, string.format(...), text), 2)
    end
    if not kind.recorded then
      refused[#refused + 1] = kind.refusal
    else
      recorded = recorded + 1
      local pose, crowd = rig:pose(), rig:crowd(characters)
      local values, worlds = sinew.buffer(5 * characters), sinew.buffer(32 * characters)
      for i = 1, 5 * characters do values[i] = random() * 8 - 4 end
      crowd:pose(values, worlds)
      local plain = {}
      for name, p in pairs(params) do plain[name] = p end
      plain.axis = sinew.vec3(params.axis)
      local one = sinew.buffer(5)
      local program = not long and run(kind.program) -- vectors are floats in Lua
      -- sinew.sin, curves and others are floats in Lua, and searches end when they are close
      local rough = text:find "sinew%.[cnst]" or text:find "curve"
      local flat = {}
      for name, p in pairs(params) do flat[name] = p end
      flat.at = { params.at:unpack() }
      for i = 1, characters do
        for k = 1, 5 do one[k] = values[5 * (i - 1) + k] end
        pose:set(one)
        local all = pose:worlds()
        for k = 1, 32 do
          if all[k] ~= worlds[32 * (i - 1) + k] then
            failed("number %d is %.9g in a pose and %.9g in a crowd", k, all[k],
              worlds[32 * (i - 1) + k])
          end
        end
        local function f(a, b) return eval(plain, a, b, pose:value(from.v), pose:value(from.m)) end
        local x, m = f(one[1], one[2])
        local same = near(pose:value(c.x), x, 2e-4)
        local got = pose:value(c.m)
        for k = 1, 16 do same = same and near(got[k], m[k], 2e-3) end
        compared, differ = compared + 1, differ + (same and 0 or 1)
        if program and i % 50 == 1 then
          local inputs = { one[1], one[2] }
          for k = 1, 3 do inputs[2 + k] = pose:value(from.v)[k] end
          for k = 1, 16 do
            if k % 4 ~= 0 then inputs[#inputs + 1] = pose:value(from.m)[k] end
          end
          local numbers = program(inputs, flat)
          exact = exact + 1
          if not near(numbers[1], x, rough and 2e-6 or 1e-9) then
            failed("the program gives %.17g in doubles, Lua %.17g", numbers[1], x)
          end
        end
        if not long and i % 10 == 0 then
          local jacobian = pose:jacobian "x"
          for k = 1, 2 do
            local by = slope(f, one[1], one[2], k == 2)
            if by then
              slopes = slopes + 1
              if not near(jacobian[k].x, by, 5e-3) then steep = steep + 1 end
            end
          end
        end
      end
      crowd:close()
    end
  end
  if os.getenv "SINEW_TEST_FIGURES" then
    print(recorded, #refused, compared, differ, slopes, steep, exact)
  end
  -- a difference of a rounding may take another branch, or be enlarged by what follows
  check.that(differ < 0.0004 * compared, ("%d of %d differ"):format(differ, compared))
  check.that(steep == 0, ("%d of %d slopes differ"):format(steep, slopes))
  check.that(slopes > 0.2 * recorded)
  -- those that are not have too many branches, or jump where they are tried
  local jump = 0
  for _, why in ipairs(refused) do
    if why:find "differs from what eval gives" then
      jump = jump + 1
    elseif not (why:find "paths through" or why:find "64 branches" or why:find "instructions") then
      error(why, 2)
    end
  end
  check.that(jump <= 0.01 * programs, jump)
  check.that(recorded >= 0.95 * programs, #refused .. " of " .. programs .. " are not recorded")
end

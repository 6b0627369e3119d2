-- Recording: what eval computes on recorded values is what it computes on plain ones.
local check, tests = ...
local sinew = require "sinew"
local run = require "program"

math.randomseed(20)
local function random(low, high) return low + (high - low) * math.random() end

-- the numbers of a result, as a program lists them
local function flatten(kind, value, list)
  if kind == "matrix" then
    for i = 1, 16 do if i % 4 ~= 0 then list[#list + 1] = value[i] end end
  elseif kind == "vector" then
    for i = 1, 3 do list[#list + 1] = value[i] or value[({ "x", "y", "z" })[i]] or 0 end
  else
    list[#list + 1] = value
  end
end

local function plain_input(kind)
  if kind == "vector" then return sinew.vec3(random(-2, 2), random(-2, 2), random(-2, 2)) end
  if kind == "matrix" then
    return sinew.mat4.translation(random(-1, 1), random(-1, 1), random(-1, 1)) *
      sinew.mat4.euler("xyz", random(-170, 170), random(-80, 80), random(-170, 170))
  end
  return random(-3, 3)
end

local function kinds_of(ports)
  local kinds = {}
  for i, port in ipairs(ports) do kinds[i] = port:match ":%s*(%a+)" or "scalar" end
  return kinds
end

-- records the kind and compares with plain calls; returns the program
local function agrees(d, rounds, tolerance)
  d.name, d.params = d.name or "kind", d.params or {}
  local kind = sinew.component(d)
  if not kind.recorded then error("not recorded: " .. tostring(kind.refusal), 2) end
  local program = run(kind.program)
  local takes, gives = kinds_of(d.inputs), kinds_of(d.outputs)
  local flat = {}
  for name, p in pairs(d.params) do
    flat[name] = p
    if sinew.type(p) == "mat4" then flat[name] = { p:unpack() } end
    if type(p) == "table" and type(p[1]) == "table" then
      flat[name] = {}
      for _, v in ipairs(p) do for i = 1, 3 do table.insert(flat[name], v[i]) end end
    end
  end
  for round = 1, rounds or 40 do
    local given, inputs = {}, {}
    for i, k in ipairs(takes) do
      given[i] = d.at and d.at(round, i) or plain_input(k)
      flatten(k, given[i], inputs)
    end
    local self = {}
    for name, p in pairs(d.params) do
      self[name] = type(p) == "table" and #p == 3 and type(p[1]) == "number" and sinew.vec3(p) or p
    end
    local results = { pcall(d.eval, self, (unpack or table.unpack)(given)) }
    local numbers, message = program(inputs, flat)
    if not results[1] then
      if numbers then error("Lua raises, the program does not: " .. results[2], 2) end
      assert(results[2]:find(message, 1, true) or message:find(results[2], 1, true), message)
    else
      if not numbers then error("the program fails: " .. message, 2) end
      local wanted = {}
      for i, k in ipairs(gives) do flatten(k, results[i + 1], wanted) end
      check.equal(#numbers, #wanted)
      for i = 1, #wanted do
        local off = math.abs(numbers[i] - wanted[i])
        local same = off <= (tolerance or 2e-5) * (1 + math.abs(wanted[i]))
        if not same and not (wanted[i] ~= wanted[i] and numbers[i] ~= numbers[i]) then
          error(("round %d, number %d: %s by the program, %s by Lua"):format(round, i, numbers[i],
            wanted[i]), 2)
        end
      end
    end
  end
  return kind
end

-- one scalar function of two numbers
local function scalar(eval, params, rounds)
  return agrees({ inputs = { "a", "b" }, outputs = { "x" }, params = params,
    eval = function(self, a, b) return eval(a, b, self) end }, rounds)
end

function tests.operators_and_functions_of_numbers()
  scalar(function(a, b) return a + b - a * b / (b * b + 1) end)
  scalar(function(a, b) return -a + 2 ^ b + (a * a) ^ 0.3 end)
  scalar(function(a, b) return a % 2 + b % -3 end)
  scalar(function(a, b) return 1 - a + 3 * b / 4 end)
  local sin, cos, tan, sqrt, abs = math.sin, math.cos, math.tan, math.sqrt, math.abs
  local atan, floor, ceil, exp, log = math.atan, math.floor, math.ceil, math.exp, math.log
  local m = math
  scalar(function(a, b) return sin(a) + cos(b) + tan(a / 4) + sqrt(abs(b)) end)
  scalar(function(a, b) return atan(a) + floor(a) + ceil(b) + exp(a) + log(abs(b) + 1) end)
  scalar(function(a, b)
    return m.min(a, b, 1) + m.max(a, 0, b) + m.fmod(a, 1.3) + m.fmod(b, -0.7)
  end)
  scalar(function(a, b) return m.deg(a) + m.rad(b) + m.asin(a / 4) + m.acos(b / 4) end)
  scalar(function(a, b)
    local whole, rest = m.modf(a)
    return whole * 10 + rest + b * m.pi
  end)
  local atan2 = math.atan2 or math.atan -- luacheck: ignore
  scalar(function(a, b) return atan2(a, b) + sinew.atan2(b, a) end)
  local tanh = math.tanh -- luacheck: ignore
  if tanh then scalar(function(a, b) return tanh(a) + tanh(1000 * b) end) end
  scalar(function(a, b) return sinew.sin(50 * a) + sinew.cos(40 * b) + sinew.tan(10 * a) end)
  scalar(function(a, b) return sinew.asin(a / 3) - sinew.acos(b / 3) end)
  local d = sinew.dual
  scalar(function(a, b) return d.sin(a) + d.sqrt(d.abs(b)) + d.clamp(a, -1, 1) + d.max(a, b) end)
  scalar(function(a, b) return (type(a) == "number" and a or 100) + tonumber(b) end)
  scalar(function(a, b) return m.floor(2.7) * a + ({ 1, 2, 3 })[m.floor(2.7)] * b end)
end

function tests.vectors()
  local fixed = sinew.vec3(1, 2, 3)
  local function of(eval) return agrees { inputs = { "v: vector", "w: vector", "a" },
    outputs = { "x: vector" }, eval = function(_, v, w, a) return eval(v, w, a) end } end
  of(function(v, w, a) return v + w * a - 2 * v / 3 end)
  of(function(v, w, a) return v * w + w / (fixed + fixed) - -v * a end)
  of(function(v, w) return fixed + v - w * fixed + sinew.vec3(w.x, v.y, 2) end)
  of(function(v, w) return v:cross(w) + fixed:cross(w):unit() + v:unit() end)
  of(function(v, w, a) return v:lerp(w, a) + { 1, 2, 3 } end)
  of(function(v, w, a)
    return { v:dot(w), v:length() + v:distance(w), v:angle(w) + fixed:dot(v) * a }
  end)
  of(function(v, w, a) return { x = v[1], z = w.z + a } end)
  of(function(v, w, a)
    local t = v:copy()
    t:add(w):sub({ 1, 0, 0 }):mul(a):div(2):negate()
    t.y = w.x
    t[3] = t[3] + 1
    t:add(w, a):mul(fixed)
    return t:normalize()
  end)
  of(function(v, w, a) return v:copy():rotate(sinew.quat.axis(w, 20 * a)) end)
  of(function(v, w, a) return v:copy():transform(sinew.mat4.turn(w, 20 * a, v)) end)
  local kept = sinew.vec3()
  of(function(v, w)
    kept:set(v):add(w)
    return kept
  end)
  check.equal(kept.x, kept.x)
  local out = sinew.vec3()
  of(function(v, w) return v:cross(w, out) end)
  of(function(v, w) return { v:unpack() }, w end)
end

function tests.quats()
  local fixed = sinew.quat.axis({ 1, 1, 0 }, 30)
  local function of(eval) return agrees { inputs = { "v: vector", "w: vector", "a" },
    outputs = { "x: vector", "y" }, eval = function(_, v, w, a)
      local q = eval(v, w, a)
      return { q.x, q.y, q.z }, q.w
    end } end
  local quat = sinew.quat
  of(function(v, _, a) return quat.axis(v, 30 * a) end)
  of(function(v, w) return quat.between(v, w) end)
  of(function(v, _, a) return quat.euler("zyx", 20 * v.x, 10 * a, 5) * fixed end)
  of(function(v, w, a) return (quat(v.x, v.y, v.z, a) + quat(1, 0, 0, w.x) - fixed) * 2 / 3 end)
  of(function(v, _, a) return quat(v.x, v.y, v.z, a):unit():slerp(fixed, a) end)
  of(function(v, _, a) return quat(v.x, v.y, v.z, a):inverse() * fixed end)
  of(function(v, _, a)
    local q = quat(v.x, v.y, v.z, a)
    q:invert():mul(fixed):mul(2):add(fixed, a):negate():normalize()
    return q
  end)
  of(function(v, w, a)
    local q = quat(v.x, v.y, v.z, a)
    local axis, angle = q:axis_angle()
    local d = q:direction(w)
    return { x = axis.x + d.x, y = angle + axis.y, z = q:angle() + q:angle(fixed) + d.z,
      w = q:dot(fixed) + q:length() + (q * w).y }
  end)
  of(function(v, _, a)
    local x, y, z = quat(v.x, v.y, v.z, a):angles "xyz"
    return { x = x, y = y, z = z, w = 0 }
  end)
end

function tests.matrices()
  local fixed = sinew.mat4.turn({ 0, 1, 0 }, 25, { 1, 0, 0 })
  local function of(eval, tolerance) return agrees({ inputs = { "m: matrix", "v: vector", "a" },
    outputs = { "x: matrix" }, eval = function(_, m, v, a) return eval(m, v, a) end }, 40,
    tolerance) end
  local mat4 = sinew.mat4
  of(function(m, v) return m * fixed * mat4.translation(v) end)
  of(function(m, v, a)
    return fixed * mat4.turn(v, 30 * a, { 1, 2, 3 }) * mat4.turn({ 0, 0, 1 }, a, v) * m
  end)
  of(function(_, v, a) return mat4.euler("xzy", 20 * v.x, 10 * a, 5) * mat4.scaling(a) end)
  of(function(m, v) return mat4.scaling(v) * mat4.scaling(1, 2, 3) * m end)
  of(function(m, v, a) return mat4.from(sinew.quat.axis(v, a), v) * mat4.from(nil, v) * m end)
  of(function(_, v, a) return mat4.rows { { 1, a, 0, v.x }, { 0, 1, 0, 2 }, { 0, v.y, 1, 3 } } end)
  of(function(_, v, a) return mat4.columns { v, { 0, 1, a }, { 0, 0, 1, 0 }, { v.x, 2, 3, 1 } } end)
  of(function(m, v, a)
    local t = m:copy()
    t:mul(fixed):translate(v):translate(a, 0, 1):rotate(v, 20 * a, { 0, 1, 0 }):premul(fixed)
    return t:invert()
  end, 2e-4)
  of(function(m) return m:inverse() * fixed end)
  of(function(m, v)
    local t = mat4(m:unpack())
    t[13] = v.x
    t:transpose()
    return t:transposed()
  end)
  of(function(m, v, a)
    local t = mat4()
    local p, q, r = m:point(v), m:direction(v), m:position()
    t[1], t[2], t[3], t[5], t[6] = p.x, q.y, r.z, m:determinant(), m:get(2, 3) + m[9]
    local at = m * v
    t[13], t[14] = at.x, a
    return t
  end)
  of(function(m)
    local q, x, y, z = m:rotation(), m:angles "zyx"
    return mat4.from(q, { x, y, z })
  end, 2e-4)
  local d = sinew.dual
  of(function(m, v, a) return m * d.turn({ 0, 0, 1 }, 20 * a, { 1, 2, 3 }) * d.translation(v) *
    d.euler("xyz", a, 2 * a, 3) end)
  local kept = mat4()
  of(function(_, v, a)
    kept[13], kept[14] = v.x, a
    return kept
  end)
  check.equal(kept[13] == kept[13], true)
end

function tests.branches_agree_with_lua()
  scalar(function(a, b) if a > b then return a else return b * 2 end end)
  scalar(function(a, b)
    if a < -1 then return 1 elseif a < 0 then return b elseif b >= 1 then return a end
    return a * b
  end)
  scalar(function(a, b) return (a > 0 and b > 0 and a * b) or (not (a < b) and a or 7) end) -- luacheck: ignore
  scalar(function(a, b)
    local s = 0
    for i = -1, 1 do if a > i and not (b <= i or a > 2) then s = s + i * a end end
    return s
  end)
  scalar(function(a, b)
    local t = { a, b, a - b, a + b }
    table.sort(t)
    return t[1] + 2 * t[2] + 3 * t[4]
  end)
  scalar(function(a, b) return a == b and 1 or 2 end)
  scalar(function(a, b)
    local function sign(x) if x < 0 then return -1 end return 1 end
    return sign(a) * sign(b) + (a ~= a and 5 or 0)
  end)
end

function tests.joined_functions_try_their_paths_alone()
  local bend = sinew.join(function(x, k)
    if x < k then return x, 1 end
    return k + (x - k) / 2, 0
  end)
  check.equal(bend(4, 2), 3)
  local kind = scalar(function(a, b)
    local sum = 0
    for i = 1, 12 do sum = sum + bend(a * i, b) end
    return sum
  end)
  assert(kind.recorded)
  scalar(function(a) return select(2, bend(a, 1)) end)
  local many = sinew.component { name = "many", inputs = { "a" }, outputs = { "x" },
    eval = function(_, a)
      local sum = 0
      for i = 1, 12 do if a > i then sum = sum + a * i end end
      return sum
    end }
  assert(not many.recorded)
  assert(many.refusal:find "sinew.join", many.refusal)
end

function tests.parameters_stay_live()
  agrees { inputs = { "a" }, outputs = { "x", "v: vector", "m: matrix" },
    params = { k = 2, flag = true, axis = { 0, 0.6, 0.8 }, list = { 1, 2, 3, 4 }, word = "up",
      at = sinew.mat4.translation(1, 2, 3), points = { { 1, 0, 0 }, { 0, 2, 5 } },
      lower = sinew.piecewise { { -3, 1 }, { 0, 2 }, { 3, -1 } } },
    eval = function(self, a)
      local sum = self.word == "up" and 1 or 2
      for i, x in ipairs(self.list) do sum = sum + x * a ^ i end
      local p = self.points[2]
      local y = p.y or p[2]
      return sum * (self.flag and self.k or 1) + (self.lower(a)), self.axis * y, self.at
    end }
  local kind = sinew.component { name = "flags", inputs = { "a" }, outputs = { "x" },
    params = { flag = true }, eval = function(self, a) return self.flag and a or 2 * a end }
  local program = run(kind.program)
  check.equal(program({ 3 }, { flag = true })[1], 3)
  check.equal(program({ 3 }, { flag = false })[1], 6)
end

function tests.units_are_converted_and_holds_recorded()
  local kind = sinew.component { name = "held", inputs = { "a: rad", "b" }, outputs = { "x" },
    holds = { x = "its end" },
    eval = function(self, a, b)
      if a > 1 then self:hold("x", 1 - a) return b end
      return a
    end }
  local program = run(kind.program)
  check.near(program({ 30, 5 }, {})[1], math.rad(30))
  check.equal(program({ 30, 5 }, {})[2], 0)
  check.equal(program({ 90, 5 }, {})[1], 5)
  check.near(program({ 90, 5 }, {})[2], 1 - math.rad(90))
end

function tests.a_path_that_raises_is_a_failure()
  scalar(function(a, b)
    if a > 1 then error("too far", 0) end
    if a < -2 then error("too near", 0) end
    return a * b
  end)
end

local function refused(eval, pattern, more)
  local d = { name = "bad", inputs = { "a", "b" }, outputs = { "x" }, eval = eval, params = {} }
  for k, v in pairs(more or {}) do d[k] = v end
  local kind = sinew.component(d)
  if kind.recorded then error("recorded: " .. kind.program, 2) end
  for part in pattern:gmatch "[^|]+" do
    if kind.refusal:find(part) then return end
  end
  error(kind.refusal, 2)
end

function tests.what_cannot_be_recorded_is_said_with_its_line()
  local here = debug.getinfo(1, "l").currentline
  refused(function(_, a) return #tostring(a) end, "test_record.lua:" .. here + 1 .. ": .*text")
  refused(function(_, a)
    local s = 0
    for _ = 1, a do s = s + 1 end
    return s
  end, "test_record.lua:" .. here + 4 .. ": .*fixed count")
  refused(function(_, a) return a .. "x" end, "text")
  refused(function(_, a) return ("%g"):format(a) end, "recorded")
  refused(function(_, a) return a * math.random() end, "math.random")
  refused(function(_, a) return sinew.rotate(a, "w")[1] end, "axis 'w' is none of x, y, z")
  refused(function(_, a)
    return sinew.clamp(a, 2, 1)
  end, "test_record.lua:%d+: sinew.clamp: 2 is above 1 %(where the recording has a result")
  local cone = sinew.cone { rest = {0, -1, 0}, ellipse = {60}, right = {1, 0, 0} }
  refused(function(_, a) return cone:inside { a, 1, 0 } and 1 or 0 end, "built%-in component")
  refused(function(_, a) while a > 1 do a = a / 2 end return a end, "64 branches")
  refused(function(_, a) local t = { 1, 2 } return t[a] + 1 end, "key")
  refused(function(_, a) return sinew.dual(1, 1) * a end, "dual")
  refused(function() error("never", 0) end, "never")
  refused(function(_, a) return a, 3, 4 end, "record = false", { record = false })
  local curve = sinew.linear { { 0, 0 }, { 1, 1 } }
  refused(function(_, a) return (curve(a)) end, "parameter")
end

function tests.equality_with_numbers_is_refused_or_recorded()
  local evals = {
    function(_, a) return a == 0 and 1 or 2 end,
    function(_, a) if a ~= 1.5 then return 2 end return a end,
    function(_, a, b) return a * b == 3 and 1 or 2 end,
    function(_, a) local n = 3 return a + 1 == n and 1 or 2 end,
    function(_, a) local s = 0 for i = 1, 3 do if i == a then s = s + i end end return s end,
  }
  for _, eval in ipairs(evals) do
    if jit then -- luacheck: ignore
      local kind = sinew.component { name = "eq", inputs = { "a", "b" }, outputs = { "x" },
        params = { k = 3 }, eval = eval }
      assert(kind.recorded, kind.refusal)
      assert(kind.program:find "\neq ")
    else
      refused(eval, "test_record.lua:%d+: '==' or '~='", { params = { k = 3 } })
    end
  end
  -- what is not recorded may be compared
  local n, word = 3, "up"
  scalar(function(a, b)
    local s, list = 0, { 1, 2, 3 }
    for i = 1, #list do if i % 2 == 1 and #list == 3 then s = s + a * i end end
    for _, x in ipairs(list) do if x == n then s = s + b end end
    if word == "up" and n == 3 and a ~= nil and type(b) == "number" then s = s + 1 end
    if a == b then s = s + 100 end
    return s
  end)
end

-- a whole number without a unit may be a count, a key or a choice: then it is part of the program
function tests.parameters_that_count_are_parts_of_the_program()
  local gear = { 1, 2.5, 4 }
  local evals = {
    function(self, a, b) local s = b for i = 1, self.n do s = s + a * i end return s end,
    function(self, a, b)
      local i, s = 0, b
      while i < self.n do i, s = i + 1, s * 0.5 + a end
      return s
    end,
    function(self, a, b) return gear[self.n] * a + b * self.k end,
    function(self, a, b) if self.n == 3 then return a * self.k end return b end,
  }
  for _, eval in ipairs(evals) do
    for n = 1, 3 do
      agrees({ inputs = { "a", "b" }, outputs = { "x" }, params = { n = n, k = 1.5 },
        eval = eval })
    end
  end
  local kind = sinew.component { name = "counts", inputs = { "x" }, outputs = { "y" },
    params = { n = 3, k = 2 }, record = true,
    eval = function(self, x)
      local s = 0
      for _ = 1, self.n do s = s + self.k * x end
      return s
    end }
  local function compiled(n)
    local rig = sinew.rig "counts"
    local c = rig:add(kind { rig:dof("d", -10, 10), n = n })
    rig:segment "bone":drive(rig:translation { x = c.y })
    return rig:pose { d = 1 }, c
  end
  check.near(compiled(5):world "bone"[13], 10)
  check.near(compiled(2):world "bone"[13], 4)
  local pose, c = compiled(3)
  check.near(pose:world "bone"[13], 6)
  check.fails("compile the rig again", function() c.n = 4 end)
end

function tests.texts_of_values_may_be_messages_only()
  scalar(function(a, b)
    assert(a < 100, "too far: " .. a .. " of " .. tostring(b))
    assert(b < 100, ("%s: %5.2f, %d%%"):format("far", b, 3))
    if a > 1e9 then error(string.format("%g is too much", a) .. "!") end
    return a * b
  end)
  local far = agrees { inputs = { "a" }, outputs = { "x" }, eval = function(_, a)
    if a > 100 then error("at " .. a .. " m", 0) end
    return a
  end }
  local none, message = run(far.program)({ 200 }, {})
  check.equal(none, nil)
  check.equal(message, "at ... m")
  local here = debug.getinfo(1, "l").currentline
  refused(function(_, a)
    local text = "x" .. a
    return a, text
  end, "test_record.lua:" .. here + 2 .. ": .*text")
  refused(function(_, a) if tostring(a) == "0.0" then return 1 end return a end, "text")
  refused(function(_, a) return #("%d"):format(a) end, "text")
  refused(function(_, a, b) return pcall(tostring, a) and a or b end, "text")
  refused(function(_, a) print(a) return a end, "print")
  refused(function(_, a) return rawequal(a, 0) and 1 or a end, "rawequal")
  refused(function(_, a) return a + os.time() end, "time cannot be recorded")
end

function tests.what_is_compared_is_found_on_lines_with_loops_and_joins()
  scalar(function(a, b)
    local s = 0 for i = 1, 5 do if i == 3 or i % 2 == 0 then s = s + a * i end end return s + b
  end)
  scalar(function(a, b)
    local count = 0 if a > 0 then count = count + 1 end if count == 1 then return a end return b
  end)
  if not jit then -- luacheck: ignore
    refused(function(_, a, b)
      local c = a if b > 0 then c = 0 end if c == 0 then return b end return a
    end, "'==' or '~='")
    local here = debug.getinfo(1, "l").currentline
    refused(function(_, a, b)
      local t, key = { 1, 4 }, math.floor(a)
      return t[key] or b
    end, "test_record.lua:" .. here + 3 .. ": .*read by a recorded key")
  end
end

function tests.refusals_say_where_they_come_from()
  local here = debug.getinfo(1, "l").currentline
  refused(function(_, a) return a > 0 end, "^tests/lua/test_record.lua:" .. here + 1 .. ": output")
  refused(function(_, a)
    return math.sinn(a) -- luacheck: ignore
  end, "^tests/lua/test_record.lua:" .. here + 3 .. ": attempt to call [^(]*%([^(]*%)$")
  -- a path that gives nothing is a failure, as in Lua
  local kind = sinew.component { name = "some", inputs = { "a" }, outputs = { "x" },
    eval = function(_, a) if a > 1 then return a end end }
  assert(kind.recorded, kind.refusal)
  local none, message = run(kind.program)({ 0 }, {})
  check.equal(none, nil)
  check.that(message:find "must be a number, not nil", message)
end

function tests.what_is_kept_between_calls_is_found()
  local count = 0
  refused(function(_, a) count = count + 1 return a * count end, "second call")
  check.equal(count, 0)
  local last
  refused(function(_, a)
    local before = last or 0
    last = a
    return before + a
  end, "earlier call")
  check.equal(last, nil)
  local state = { sum = sinew.vec3() }
  refused(function(_, a)
    state.sum:add { a, 0, 0 }
    return state.sum.x
  end, "second call")
  check.equal(state.sum.x, 0)
  check.equal(sinew.type(state.sum), "vec3")
end

function tests.nothing_is_left_of_a_recording()
  local sin, mat4, turn, v = math.sin, sinew.mat4, sinew.mat4.turn, sinew.vec3(1, 2, 3)
  local add = v.add
  local scratch, list = sinew.mat4(), { 1 }
  local function eval(_, a)
    list[1], list[2] = a, sin(a)
    scratch[13] = a
    return scratch[13] + list[2]
  end
  local kind = sinew.component { name = "tidy", inputs = { "a" }, outputs = { "x" }, eval = eval }
  assert(kind.recorded, kind.refusal)
  check.equal(type(list[1]), "number")
  check.equal(type(list[2] or 0), "number")
  check.equal(sinew.type(scratch), "mat4")
  check.equal(math.sin, sin)
  check.equal(sinew.mat4, mat4)
  check.equal(sinew.mat4.turn, turn)
  check.equal(v.add, add)
  check.equal(sinew.type(sinew.vec3()), "vec3")
  check.near(eval(nil, 2), 2 + math.sin(2), 1e-6)
  refused(function(_, a) error(a) end, "no text")
  check.equal(math.sin, sin)
end

function tests.errors_of_types_read_as_those_of_plain_values()
  local function message(eval) return sinew.component { name = "wrong",
    inputs = { "a", "v: vector" }, outputs = { "x" }, eval = eval }.refusal end
  local function has(text, pattern) if not text:find(pattern) then error(text, 2) end end
  has(message(function(_, a, v) return a + v end),
    "test_record.lua:%d+: cannot apply '%+' to number and vec3")
  has(message(function(_, a) return a + nil end), "arithmetic on a nil value") -- luacheck: ignore
  has(message(function(_, a) return a < {} end), "attempt to compare number with table") -- luacheck: ignore
  has(message(function(_, a) return a.x end), "index a number value")
  has(message(function(_, _, v) return v:lenght() end), "did you mean 'length'")
  has(message(function(_, _, v) return v end), "output 'x' must be a number, not vec3")
end

function tests.hostile_recordings_end_in_a_message()
  refused(function(_, a) for _ = 1, 1e7 do a = a + a * a end return a end, "operations")
  refused(function(_, a) for _ = 1, 1e7 do a = a + 0 end return a end,
    "recorded values|instructions")
  refused(function(_, a)
    local function deep(x) return 1 + deep(x) end
    return deep(a)
  end, "overflow|instructions")
  refused(function(_, a, b)
    local s = 0
    for i = 1, 40 do if a > i * b then s = s + i end end
    return s
  end, "paths")
  refused(function(_, a)
    local live = {}
    for i = 1, 1e6 do live[i] = a * 1 end
    return live[1]
  end, "recorded values|instructions")
  refused(function(_, a) while a > 1 do end return a end, "without end")
  local kept
  local keeper = sinew.component { name = "keep", inputs = { "a" }, outputs = { "x" },
    eval = function(_, a) rawset(_G, "kept_by_test", a) return a end }
  assert(keeper.recorded or keeper.refusal)
  kept = rawget(_G, "kept_by_test")
  rawset(_G, "kept_by_test", nil)
  check.equal(type(kept or 0), "number")
  local holder = { {} } -- too deep to be put back
  holder[1][1] = { {} }
  local deep = holder[1][1][1]
  local keep = sinew.component { name = "keep", inputs = { "a" }, outputs = { "x" },
    eval = function(_, a) holder[1][1][1].kept = a error "no" end }
  assert(not keep.recorded)
  assert(deep.kept)
  check.fails("ended", function() return deep.kept + 1 end)
  refused(function(_, a) return a + deep.kept end, "earlier call")
  refused(function(_, a)
    local co = coroutine.wrap(function(x) coroutine.yield(x * 2) error "out" end)
    local x = co(a)
    co()
    return x
  end, "out")
  scalar(function(a)
    local co = coroutine.wrap(function(x) if x > 0 then coroutine.yield(x * 2) end return x end)
    return co(a) + 1
  end)
  refused(function(_, a)
    local ok = pcall(function() return #a end)
    return ok and 1 or a .. ""
  end, "text")
  scalar(function(a)
    for _ = 1, 200 do setmetatable({}, { __gc = function() return a + 1 end }) end
    collectgarbage()
    return a
  end, nil, 3)
end

-- a rig with one component of the kind, which moves a bone along x
local function moved(kind, arguments)
  local rig = sinew.rig "moved"
  local d = rig:dof("d", { min = -10, max = 10 })
  local all = { d }
  for k, v in pairs(arguments or {}) do all[k] = v end
  local c = rig:add(kind(all))
  rig:segment "bone":drive(rig:translation { x = c.y })
  return rig, c
end

function tests.messages_may_depend_on_equations_that_results_do_not()
  local rig, c = moved(sinew.component { name = "near", inputs = { "x" }, outputs = { "y" },
    record = true,
    eval = function(_, x)
      if x < 0 then
        local cosine = sinew.contact(x, 1, 0, 0, 0, 0, 90) -- cos t = -x
        error(cosine > 0.5 and "it is near" or "it is far", 0)
      end
      return x
    end })
  local pose = rig:pose()
  for x, message in pairs { [-0.9] = "near", [-0.1] = "far" } do
    pose.d = x
    check.fails(message, function() return pose:value(c) end)
  end
end

function tests.curves_give_their_slope_too()
  local cubic, bent = sinew.polynomial { 1, -0.5, 0.25, 0.125 },
    sinew.piecewise { { 0, 0 }, { 1, 1 }, { 2, 4 } }
  local kind = sinew.component { name = "sloped", inputs = { "x" }, outputs = { "y" },
    params = { cubic = cubic, bent = bent }, record = true,
    eval = function(self, x)
      local y, slope = self.cubic(x)
      return y + 10 * slope + 100 * select(2, self.bent:eval(x)) * select(2, self.cubic(0.5))
    end }
  local rig = moved(kind)
  local pose, crowd, worlds = rig:pose(), rig:crowd(9), sinew.buffer(16 * 9)
  local values = sinew.buffer { -3, -1, 0.25, 0.75, 1.25, 1.75, 2.5, 4, 5 }
  crowd:pose(values, worlds)
  for i = 1, 9 do
    local x = values[i]
    pose.d = x
    local y, slope = cubic(x)
    check.near(pose:world "bone"[13], y + 10 * slope +
      100 * select(2, bent(x)) * select(2, cubic(0.5)), 1e-3)
    check.equal(pose:world "bone"[13], worlds[16 * (i - 1) + 13])
    check.near(pose:jacobian "bone"[1][1], slope + 10 * (0.5 + 0.75 * x), 1e-4)
  end
end

function tests.rigs_run_the_program_and_parameters_stay_live()
  local called
  local kind = sinew.component { name = "live", inputs = { "x" }, outputs = { "y" },
    params = { k = 2, on = true, list = { 1, 2 }, word = "a",
      curve = sinew.piecewise { { -10, 0 }, { 0, 1 }, { 10, 5 } } },
    eval = function(self, x)
      called = true
      local sum = self.word == "a" and 0 or 100
      for _, v in ipairs(self.list) do sum = sum + v * x end
      return self.on and self.k * sum or (self.curve(x))
    end }
  local rig, c = moved(kind)
  local pose = rig:pose()
  check.equal(rig.warnings, "")
  called = nil
  pose.d = 3
  check.near(pose:world "bone"[13], 18)
  check.equal(called, nil)
  c.k = 3
  check.near(pose:world "bone"[13], 27)
  c.list = { 2, 2 }
  check.near(pose:world "bone"[13], 36)
  c.on = false
  check.near(pose:world "bone"[13], 2.2)
  pose = rig:pose() -- compiled again, with another shape
  c.on = true
  check.fails("compile the rig again", function() c.word = "b" end)
  check.fails("compile the rig again", function() c.list = { 1 } end)
  local other = moved(kind, { word = "b", list = { 1 } }):pose()
  other.d = 3
  check.near(other:world "bone"[13], 2 * 103)
  check.near(pose:jacobian "bone"[1][1], 12)
end

function tests.what_stays_in_lua_is_a_warning_or_an_error()
  local function odd(record)
    return sinew.component { name = "odd", inputs = { "x" }, outputs = { "y" }, record = record,
      eval = function(_, x)
        local s = 0
        for _ = 1, math.min(math.max(x, 0), 3) do s = s + 1 end
        return s
      end }
  end
  local rig = moved(odd())
  local pose = rig:pose()
  pose.d = 2
  check.near(pose:world "bone"[13], 2)
  assert(rig.warnings:find "kind 'odd' runs in Lua: .*test_record.lua:%d+: .*fixed count",
    rig.warnings)
  local quiet = moved(odd(false))
  check.equal(quiet:compile().warnings, "")
  check.fails("has record = true, but cannot be recorded", function()
    moved(odd(true)):compile()
  end)
end

function tests.failures_and_threads()
  local kind = sinew.component { name = "far", inputs = { "x" }, outputs = { "y" },
    eval = function(_, x) if x > 5 then error("too far", 0) end return x end }
  local rig = moved(kind)
  local pose = rig:pose()
  pose.d = 2
  check.near(pose:world "bone"[13], 2)
  pose.d = 6
  check.fails("too far", pose.world, pose, "bone")
  local crowd = rig:crowd(16, { threads = 2 })
  check.equal(crowd.threads or 2, 2)
end

function tests.equations_are_solved_inside()
  scalar(function(a, b)
    return sinew.root(function(x)
      if x < 0 then return x - b * b end
      return x * x * x + x - a * a - b * b
    end, -10, 10, 60)
  end)
  scalar(function(a, b)
    local x, y = sinew.newton(function(x, y) return x + y - a, x - 2 * y - b end, 0, 0)
    return x * 10 + y
  end)
  agrees { inputs = { "a" }, outputs = { "x", "y", "z" }, eval = function(_, a)
    return sinew.contact(-0.5 + 0.01 * a, 1, 0.2, 0.1, 0, -90, 90)
  end, name = "touch" }
  refused(function(_, a) return (sinew.contact(0, 1, 0, 0, 0, -a, a)) end, "parameters only")
end

function tests.xml_carries_the_program()
  local kind = sinew.component { name = "carried", inputs = { "x" }, outputs = { "y" },
    params = { k = 2, list = { 1, 2 } },
    eval = function(self, x) return x > 0 and self.k * x + self.list[2] or x * self.list[1] end }
  local rig = moved(kind, { k = 3 })
  local text = rig:xml()
  local read = assert(sinew.parse_xml(text))
  local a, b = rig:pose(), read:pose()
  for _, x in ipairs { -4, -1, 0, 2, 7 } do
    a.d, b.d = x, x
    check.equal(a:world "bone"[13], b:world "bone"[13])
  end
end

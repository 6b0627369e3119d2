-- Expressions: a DOF, a port, or what operators make of them. They are values. Components are made
-- when one is used, by segment:drive or as an input; sinew/wiring.lua does that.
--
-- The binding keeps an expression as a userdata with one of these tables:
--   scalar  constant + sum of weight * atom. An atom is a source (DOF or port), a curve of a
--           scalar, a product, quotient, min, max or abs, a limited scalar, or one with a name.
--   vector  three scalars x, y, z, or a source
--   matrix  a list of factors: rotate, translate, source, constant
-- `unit` is "deg" or "m" where it is known; sums keep it, a factor other than -1 drops it.
local sinew = require "sinew"
local range = require "sinew.expression_range"
local text = require "sinew.expression_text"

local E, core = { range = range, scalar_text = text.of_scalar }, nil
local huge = math.huge
local scalar_text, source_name = text.of_scalar, text.source_name

local function fail(...) error((...):format(select(2, ...)), 2) end
E.fail = fail

-- --- text

local written_out = { product = true, quotient = true, min = true, max = true, abs = true }
E.written_out = written_out

local function people_name(a)
  if a.type == "source" then return source_name(a.source) end
  if a.type == "named" then return a.name end
  if a.type == "curve" then return ("%s(%s)"):format(a.curve.kind, E.text(a.x)) end
  if a.type == "limit" then return ("limit(%s)"):format(E.text(a.x)) end
end

-- for messages
function E.text(e)
  if e.kind == "scalar" then return scalar_text(e, people_name) end
  return "a " .. e.kind
end

-- what equal expressions share
local last_id = 0
local function id(holder, key)
  if not holder[key] then
    last_id = last_id + 1
    holder[key] = last_id
  end
  return holder[key]
end

local function key_name(a)
  if a.type == "source" then return a.key end
  if a.type == "curve" then
    return ("curve%d(%s)"):format(id(core.book(a.x.rig).curves, a.curve), E.key(a.x))
  end
  return not written_out[a.type] and a.type .. id(a, "id") or nil
end

function E.key(e) return scalar_text(e, key_name) end
local function atom_key(a) return text.of_atom(a, key_name) end

-- --- making

-- Text, key and range of an expression go through all that it is written out as, which doubles
-- with each e = e * e.
local most_parts = 10000

local function parts_of(atom)
  if not atom.size then
    atom.size = 1 + (atom.x and atom.x.size or 0) + (atom.low and atom.low.size or 0)
      + (atom.high and atom.high.size or 0)
    for _, e in ipairs(atom) do atom.size = atom.size + e.size end
  end
  return atom.size
end

local function scalar(constant, terms, rig, unit)
  local size = 1
  for _, t in ipairs(terms) do size = size + parts_of(t.atom) end
  if size > most_parts then
    fail("an expression has more than %d parts when it is written out; use a component for what "
      .. "stands in it so often", most_parts)
  end
  return { kind = "scalar", constant = constant, terms = terms, rig = rig, unit = unit,
    size = size }
end

local function of_atom(a, rig, unit)
  return scalar(0, { { atom = a, weight = 1 } }, rig, unit)
end

-- the units of the outputs of built-in components, by kind and name
local output_units
local function port_unit(port)
  if not output_units then
    output_units = {}
    for _, kind in ipairs(sinew.catalog()) do
      local units = {}
      for _, output in ipairs(kind.outputs) do units[output.name] = output.unit end
      output_units[kind.name] = units
    end
  end
  local unit = (output_units[port.component.kind] or {})[port.name]
  return unit ~= "" and unit or nil
end

local function of_source(source)
  if sinew.type(source) == "DOF" then
    return of_atom({ type = "source", source = source, key = "d:" .. source.name }, source.rig,
      source.unit ~= "" and source.unit or nil)
  end
  local rig = source.component.rig
  local key = ("p:%s.%s"):format(source.component.name, source.name)
  if source.kind == "scalar" then
    return of_atom({ type = "source", source = source, key = key }, rig, port_unit(source))
  elseif source.kind == "vector" then
    return { kind = "vector", source = source, rig = rig }
  end
  return { kind = "matrix", factors = { { type = "source", source = source } }, rig = rig }
end

local function only_output(component)
  local outputs, names = component.outputs, {}
  if #outputs == 1 then return outputs[1] end
  for i, port in ipairs(outputs) do names[i] = port.name end
  fail("'%s' has %d outputs: say which, such as .%s (%s)", component.name, #outputs,
    names[1] or "value", table.concat(names, ", "))
end

local function constant(n)
  local size = math.abs(n) -- beside the comparison it could be a recorded value
  if n ~= n or size == huge then
    fail("an expression needs finite numbers, not %s", tostring(n))
  end
  return scalar(n, {})
end

-- what may stand in an expression, as a table; nil for anything else
function E.lift(v)
  local node = core.node(v)
  if node then return node end
  if type(v) == "number" then return constant(v) end
  local type_name = sinew.type(v)
  if type_name == "component" then v, type_name = only_output(v), "port" end
  if type_name == "DOF" or type_name == "port" then return of_source(v) end
  if type_name == "mat4" then
    return { kind = "matrix", factors = { { type = "constant", value = v } } }
  end
  if type_name == "vec3" or type_name == "table" and #v == 3 and type(v[1]) == "number" then
    v = sinew.vec3(v)
    return { kind = "vector", x = constant(v.x), y = constant(v.y), z = constant(v.z) }
  end
end

-- a scalar argument; `what` starts the message for anything else
function E.scalar(v, what)
  local e = E.lift(v)
  if e and e.kind == "scalar" then return e end
  if type(v) == "string" then
    fail("%s is the text \"%s\": write the variable, or rig:find \"%s\"", what, v, v)
  end
  for name, port in pairs(type(v) == "table" and v or {}) do -- what `add` returns for a `build`
    if type(name) == "string" and E.lift(port) then
      fail("%s is a table of ports: take one of them, such as its field '%s'", what, name)
    end
  end
  fail("%s must be a number, a DOF or a scalar expression, not %s", what,
    e and E.text(e) or sinew.type(v) == "nil" and "nil" or "a " .. sinew.type(v))
end

-- a number again where nothing moves it
local function done(e)
  if e.kind == "scalar" and #e.terms == 0 then return e.constant end
  if e.kind == "matrix" and #e.factors == 1 and e.factors[1].type == "constant" then
    return e.factors[1].value
  end
  return core.wrap(e)
end
E.done = done

local function one_rig(a, b)
  if a.rig and b.rig and a.rig ~= b.rig then
    fail("%s is of rig '%s' and %s of rig '%s': an expression stays within one rig", E.text(a),
      a.rig.name, E.text(b), b.rig.name)
  end
  return a.rig or b.rig
end
E.one_rig = one_rig

local unit_words = { deg = "an angle", m = "a length" }

-- the unit that both may have; numbers fit any
local function one_unit(a, b, what)
  if a.unit and b.unit and a.unit ~= b.unit and unit_words[a.unit] and unit_words[b.unit] then
    fail("%s is %s (%s) and %s %s (%s): they cannot be %s", E.text(a), unit_words[a.unit], a.unit,
      E.text(b), unit_words[b.unit], b.unit, what)
  end
  if a.unit == b.unit or #b.terms == 0 then return a.unit end
  return #a.terms == 0 and b.unit or nil
end

-- refuses an angle where a length belongs, and the other way round
function E.check_unit(e, unit, where)
  if e.unit and e.unit ~= unit and unit_words[e.unit] and unit_words[unit] then
    fail("%s takes %s (%s), but %s is %s (%s)", where, unit_words[unit], unit, E.text(e),
      unit_words[e.unit], e.unit)
  end
end

-- --- arithmetic

local function add(a, b, sign)
  local terms, at = {}, {}
  for _, part in ipairs { { a, 1 }, { b, sign } } do
    for _, t in ipairs(part[1].terms) do
      local key, w = atom_key(t.atom), t.weight * part[2]
      if at[key] then
        at[key].weight = at[key].weight + w
      else
        at[key] = { atom = t.atom, weight = w }
        terms[#terms + 1] = at[key]
      end
    end
  end
  local kept = {}
  for _, t in ipairs(terms) do
    if t.weight ~= 0 then kept[#kept + 1] = t end
  end
  local unit = one_unit(a, b, sign > 0 and "added" or "subtracted")
  return scalar(constant(a.constant + sign * b.constant).constant, kept, one_rig(a, b), unit)
end

local function scale(a, k)
  local terms = {}
  for i, t in ipairs(k ~= 0 and a.terms or {}) do
    terms[i] = { atom = t.atom, weight = constant(t.weight * k).constant }
  end
  return scalar(constant(a.constant * k).constant, terms, a.rig,
    (k == 1 or k == -1) and a.unit or nil)
end

local function multiply_scalars(a, b)
  if #a.terms == 0 then return scale(b, a.constant) end
  if #b.terms == 0 then return scale(a, b.constant) end
  local rig, weight = one_rig(a, b), 1
  local function bare(e) -- 2 x times y is 2 times x y
    if #e.terms > 1 or e.constant ~= 0 then return e end
    weight = weight * e.terms[1].weight
    return of_atom(e.terms[1].atom, e.rig)
  end
  local product = { type = "product", bare(a), bare(b) }
  return scale(of_atom(product, rig), weight)
end

local function divide_scalars(a, b)
  if #b.terms == 0 then
    if b.constant == 0 then fail("%s is divided by zero", E.text(a)) end
    return scale(a, 1 / b.constant)
  end
  local low, high = range(b)
  if low <= 0 and high >= 0 then
    fail("%s may be 0 (%g to %g), so nothing can be divided by it; limit it, or say it as a curve: "
      .. "x:curve(function(x) return 1 / x end)", E.text(b), low, high)
  end
  return of_atom({ type = "quotient", a, b }, one_rig(a, b))
end

local function each_axis(v, f)
  if v.source then
    fail("%s is a vector port, which cannot be calculated with", source_name(v.source))
  end
  local dest = { kind = "vector" }
  for _, axis in ipairs { "x", "y", "z" } do
    dest[axis] = f(v[axis], axis)
    dest.rig = dest.rig or dest[axis].rig
  end
  return dest
end

local function join_factors(a, b)
  local factors = {}
  for _, list in ipairs { a.factors, b.factors } do
    for _, f in ipairs(list) do
      local before = factors[#factors]
      if f.type == "constant" and before and before.type == "constant" then
        factors[#factors] = { type = "constant", value = before.value * f.value }
      else
        factors[#factors + 1] = f
      end
    end
  end
  return { kind = "matrix", factors = factors, rig = one_rig(a, b) }
end

local function operands(a, b, sign)
  local x, y = E.lift(a), E.lift(b)
  if x and y then return x, y end
  local odd = not x and a or b
  if type(odd) == "string" then
    fail("\"%s\" is a text, not a DOF: write the variable, or rig:find \"%s\"", odd, odd)
  end
  fail("no '%s' for %s and %s", sign, sinew.type(a), sinew.type(b))
end

local function sum(a, b, sign)
  local word = sign > 0 and "+" or "-"
  local x, y = operands(a, b, word)
  if x.kind == "scalar" and y.kind == "scalar" then return done(add(x, y, sign)) end
  if x.kind == "vector" and y.kind == "vector" then
    if y.source then x, y = y, x end
    return done(each_axis(x, function(v, axis) return add(v, y[axis], sign) end))
  end
  if x.kind == "matrix" and y.kind == "matrix" then
    fail("matrices are not added: A * B does one after the other")
  end
  fail("no '%s' for a %s and a %s", word, x.kind, y.kind)
end

function E.add(a, b) return sum(a, b, 1) end
function E.sub(a, b) return sum(a, b, -1) end

function E.mul(a, b)
  local x, y = operands(a, b, "*")
  if x.kind == "scalar" and y.kind == "scalar" then return done(multiply_scalars(x, y)) end
  if x.kind == "matrix" and y.kind == "matrix" then return done(join_factors(x, y)) end
  if x.kind == "vector" then x, y = y, x end
  if x.kind == "scalar" and y.kind == "vector" then
    return done(each_axis(y, function(v) return multiply_scalars(x, v) end))
  end
  fail("no '*' for a %s and a %s: a matrix is sinew.rotate(angle, axis) or sinew.translate(amount, "
    .. "axis)", x.kind, y.kind)
end

function E.div(a, b)
  local x, y = operands(a, b, "/")
  if y.kind ~= "scalar" or x.kind == "matrix" then
    fail("no '/' for a %s and a %s", x.kind, y.kind)
  end
  if x.kind == "scalar" then return done(divide_scalars(x, y)) end
  return done(each_axis(x, function(v) return divide_scalars(v, y) end))
end

function E.unm(a)
  local x = operands(a, 0, "-")
  if x.kind == "scalar" then return done(scale(x, -1)) end
  if x.kind == "vector" then return done(each_axis(x, function(v) return scale(v, -1) end)) end
  fail("no '-' for a matrix")
end

function E.pow(a)
  local words = E.text((operands(a, 0, "^")))
  fail("there are no powers of ports: write %s * %s, or a polynomial curve", words, words)
end

function E.compare(a, b)
  local x, y = operands(a, b, "<")
  fail("%s and %s are compared, but have no value while the rig is written; sinew.min, max, clamp, "
    .. "a curve or :limit {} choose at run time", E.text(x), E.text(y))
end

-- --- functions

local function extreme(name)
  return function(...)
    local list, rig, moves = { ... }, nil, false
    if #list == 0 then fail("sinew.%s needs at least one number or expression", name) end
    for i, v in ipairs(list) do
      list[i] = E.scalar(v, ("sinew.%s: argument %d"):format(name, i))
      moves = moves or #list[i].terms > 0
    end
    local first, unit = list[1], list[1].unit
    for i = 2, #list do
      unit = one_unit(scalar(0, first.terms, nil, unit), list[i], "compared")
      rig = one_rig(scalar(0, first.terms, rig or first.rig), list[i])
    end
    if #list == 1 then return done(first) end
    if not moves then
      local value = first.constant
      for i = 2, #list do value = math[name](value, list[i].constant) end
      return value
    end
    list.type = name
    return done(of_atom(list, rig, unit))
  end
end
E.min, E.max = extreme "min", extreme "max"

function E.abs(v)
  local e = E.scalar(v, "sinew.abs: the argument")
  if #e.terms == 0 then return math.abs(e.constant) end
  return done(of_atom({ type = "abs", e }, e.rig, e.unit))
end

function E.clamp(x, low, high)
  if type(low) == "number" and type(high) == "number" and low > high then
    fail("sinew.clamp: %g is above %g", low, high)
  end
  return E.max(low, E.min(x, high))
end

function E.mix(a, b, t)
  local x, y = E.scalar(a, "sinew.mix: argument 1"), E.scalar(b, "sinew.mix: argument 2")
  local s = E.scalar(t, "sinew.mix: argument 3")
  local unit = one_unit(x, y, "mixed")
  local from, to = scalar(x.constant, x.terms, x.rig), scalar(y.constant, y.terms, y.rig)
  local e = add(from, multiply_scalars(s, add(to, from, -1)), 1)
  e.unit = unit
  return done(e)
end

-- --- methods

-- a curve of a scalar; `said`: the author says what it does outside its points
local function curve_of(curve, x, said)
  if #x.terms == 0 then return (curve(x.constant)) end
  local points = not said and curve.outside == "clamp" and curve.points or {}
  local low, high = range(x)
  if #points > 1 and low > -huge and high < huge then
    local first, last = points[1][1], points[#points][1]
    local slack = 1e-4 * (high - low)
    if low < first - slack or high > last + slack then
      table.insert(core.book(x.rig).warnings, ("%s: %s goes from %g to %g, its curve only from %g "
        .. "to %g and stays there beyond; say outside = 'clamp' or 'extend'"):format(core.where(),
        E.text(x), low, high, first, last))
    end
  end
  return done(of_atom({ type = "curve", curve = curve, x = x }, x.rig))
end

-- curve(x)
function E.call(x, curve)
  return curve_of(curve, E.scalar(x, "a curve's argument"), core.outside_said(curve))
end

-- x:curve { points }, x:curve(curve), x:curve(function [, options])
function E.curve(self, what, options)
  local x = E.scalar(self, "curve: the argument")
  if type(what) == "function" then
    return curve_of(require "sinew.sample".sample(what, x, options, fail, E), x, true)
  elseif options ~= nil then
    fail("curve takes options after a function only")
  elseif sinew.type(what) == "curve" then
    return curve_of(what, x, core.outside_said(what))
  elseif type(what) ~= "table" then
    fail("%s:curve takes points { {x, y}, ... }, a curve or a function, not a %s", E.text(x),
      sinew.type(what))
  end
  return curve_of(sinew.monotone(what), x, what.outside ~= nil)
end

for _, kind in ipairs { "linear", "piecewise", "spline", "monotone", "simm", "polynomial" } do
  E[kind] = function(self, points)
    local x = E.scalar(self, kind .. ": the argument")
    if type(points) ~= "table" then
      fail("%s:%s takes a table, not a %s", E.text(x), kind, sinew.type(points))
    end
    return curve_of(sinew[kind](points), x, points.outside ~= nil)
  end
end

local limit_options = { min = true, max = true, name = true }

-- x:limit { min =, max = }: the value between bounds; `explain` tells when it is held
function E.limit(self, options)
  local x = E.scalar(self, "limit: the argument")
  if type(options) ~= "table" or options.min == nil and options.max == nil then
    fail("%s:limit takes { min =, max = }, one or both", E.text(x))
  end
  for name in pairs(options) do
    if not limit_options[name] then
      fail("%s:limit has no option '%s' (min, max, name)", E.text(x), tostring(name))
    end
  end
  local a = { type = "limit", x = x, name = options.name, where = core.where() }
  local rig = x.rig
  for field, option in pairs { low = "min", high = "max" } do
    if options[option] ~= nil then
      a[field] = E.scalar(options[option], option .. " of the limit of " .. E.text(x))
      one_unit(x, a[field], "compared")
      rig = one_rig(scalar(0, x.terms, rig), a[field])
    end
  end
  if a.low and a.high and #a.low.terms == 0 and #a.high.terms == 0
    and a.low.constant > a.high.constant then
    fail("the limit of %s: min %g is above max %g", E.text(x), a.low.constant, a.high.constant)
  end
  if not rig then
    local low, high = a.low and a.low.constant or -huge, a.high and a.high.constant or huge
    return math.max(low, math.min(x.constant, high))
  end
  table.insert(core.book(rig).limits, a)
  return done(of_atom(a, rig, x.unit))
end

-- e:named "rhythm": what its component will be called
function E.named(self, name)
  local e = E.lift(self)
  if type(name) ~= "string" or not name:match "^[%a_][%w_ ]*$" then
    fail("named takes a name of letters, digits and '_', such as :named \"rhythm\"")
  end
  if e.kind == "scalar" then
    return done(of_atom({ type = "named", name = name, x = e }, e.rig, e.unit))
  elseif e.kind == "matrix" then
    return done { kind = "matrix", factors = e.factors, rig = e.rig, name = name }
  end
  fail("a vector has no component of its own to name")
end

-- --- matrices

local axes = { x = { 1, 0, 0 }, y = { 0, 1, 0 }, z = { 0, 0, 1 } }

-- "x", "-z" or a direction
function E.axis(v, who)
  if v == nil then fail("%s needs an axis: \"x\", or a direction such as {1, 0, 0.08}", who) end
  if type(v) ~= "string" then
    local ok, direction = pcall(sinew.vec3, v)
    if not ok then
      fail("%s: the axis must be \"x\", \"-z\" or a direction such as {1, 0, 0.08}, not a %s", who,
        sinew.type(v))
    end
    if direction:length() == 0 then fail("%s: the axis has length 0", who) end
    return direction
  end
  local sign, letter = v:match "^(%-?)([xyz])$"
  if not letter then
    fail("%s: axis '%s' is none of x, y, z, -x, -y, -z; a direction is written {1, 0, 0.08}",
      who, v)
  end
  return sinew.vec3(axes[letter]) * (sign == "-" and -1 or 1)
end

local function vector_of(v, who)
  if v == nil then return nil end
  local ok, made = pcall(sinew.vec3, v)
  if not ok then
    fail("%s must be a vec3 or a table of three numbers, not %s", who,
      type(v) == "table" and ("a table of %d values"):format(#v) or "a " .. sinew.type(v))
  end
  return made
end

-- sinew.rotate(angle, axis [, centre])
function E.rotate(angle, axis, centre)
  local e = E.scalar(angle, "sinew.rotate: the angle")
  axis = E.axis(axis, "sinew.rotate")
  centre = vector_of(centre, "sinew.rotate: the centre")
  E.check_unit(e, "deg", "sinew.rotate")
  if #e.terms == 0 then
    return centre and sinew.mat4.turn(axis, e.constant, centre) or sinew.mat4.turn(axis, e.constant)
  end
  return done { kind = "matrix", rig = e.rig,
    factors = { { type = "rotate", angle = e, axis = axis, centre = centre } } }
end

-- sinew.translate { x =, y =, z = }, sinew.translate(amount, axis), sinew.translate(vector)
function E.translate(what, axis)
  local v
  if axis ~= nil then
    local e = E.scalar(what, "sinew.translate: the amount")
    local direction = E.axis(axis, "sinew.translate")
    direction = direction * (1 / direction:length())
    E.check_unit(e, "m", "sinew.translate")
    v = { kind = "vector", rig = e.rig }
    for _, k in ipairs { "x", "y", "z" } do v[k] = scale(e, direction[k]) end
  elseif type(what) == "table" and #what == 0 then
    v = { kind = "vector", x = constant(0), y = constant(0), z = constant(0) }
    for k, amount in pairs(what) do
      if not axes[k] then fail("sinew.translate: '%s' is none of x, y, z", tostring(k)) end
      v[k] = E.scalar(amount, "sinew.translate: " .. k)
      E.check_unit(v[k], "m", "sinew.translate: " .. k)
    end
    v.rig = one_rig(scalar(0, {}, one_rig(v.x, v.y)), v.z)
  else
    v = E.lift(what)
  end
  if not v or v.kind ~= "vector" then
    fail("sinew.translate takes an amount and an axis, (stroke, \"z\"), or { y = stroke }")
  end
  if not v.source and #v.x.terms + #v.y.terms + #v.z.terms == 0 then
    return sinew.mat4.translation(v.x.constant, v.y.constant, v.z.constant)
  end
  return done { kind = "matrix", rig = v.rig, factors = { { type = "translate", vector = v } } }
end

-- --- fields of an expression

function E.field(self, name)
  local e = core.node(self)
  if name == "kind" then return e.kind end
  if name == "rig" then return e.rig end
  if e.kind ~= "scalar" then fail("a %s has no '%s'", e.kind, name) end
  if name == "unit" then return e.unit or "" end
  local low, high = range(e)
  return name == "min" and low or high
end

function E.tostring(self)
  local e = core.node(self)
  if e.kind ~= "scalar" then return e.kind .. " expression" end
  local open, words = pcall(E.text, e)
  return open and words or "expression (its rig was closed)"
end

-- called by the binding with its own functions; gives what it calls for operators and methods
function E.open(given)
  core = given
  E.core = given
  core.internal()
  local wiring = require "sinew.wiring"
  wiring.open(E)
  for name, f in pairs(wiring) do E[name] = E[name] or f end
  return E
end

return E

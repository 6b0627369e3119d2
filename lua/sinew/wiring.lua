-- Makes components of expressions (sinew/expression.lua).
--
-- A scalar becomes one formula of its sources. A curve of a source that moves a bone becomes an
-- output of the map <bone>_by_<source>. A minus or an offset of an angle goes into the rotation's
-- axis and rest angle. A component is in the joint set of the bone that it moves; if that has none,
-- in that of its sources, where they agree; else in the rig. Its name says its place: tibia_rotate,
-- tibia_rotate_angle, tibia_translate_y, tibia_motion, flexion_limit.
local sinew = require "sinew"

local wiring = {}
local E, core, fail, written_out

local letters = { "x", "y", "z" }

-- --- names

local function short_name(thing)
  local set = thing.joint_set
  return set and thing.name:sub(#set.name + 2) or thing.name
end

local function source_short(source)
  if sinew.type(source) == "DOF" then return short_name(source) end
  local component = source.component
  if #component.outputs == 1 then return short_name(component) end
  return short_name(component) .. "_" .. source.name
end

local function rig_of(owner) return sinew.type(owner) == "rig" and owner or owner.rig end

-- a name that no DOF or component of the owner has: with 2, 3 ... after it
local function free_name(owner, name)
  local prefix = sinew.type(owner) == "rig" and "" or owner.name .. "."
  local rig, unique, n = rig_of(owner), name, 1
  while core.taken(rig, prefix .. unique) do
    n = n + 1
    unique = name .. n
  end
  return unique
end

local function make(owner, kind, name, arguments)
  arguments.name = free_name(owner, name)
  return owner[kind](owner, arguments)
end

local function without_minus_zero(v) return sinew.vec3(v.x + 0, v.y + 0, v.z + 0) end

-- --- scalars

local build

-- whether it is one atom, neither scaled nor shifted
local function is_plain(e)
  return #e.terms == 1 and e.constant == 0 and e.terms[1].weight == 1
end

-- the curve with weight * y + offset in place of y
local function scaled_curve(curve, weight, offset)
  if weight == 1 and offset == 0 then return curve end
  if curve.kind == "constant" then
    return sinew.constant(weight * (curve.coefficients[1] * curve.scale + curve.offset) + offset)
  end
  local points = { scale = curve.scale * weight, offset = curve.offset * weight + offset }
  if curve.kind == "polynomial" then
    for i, c in ipairs(curve.coefficients) do points[i] = c end
  else
    points.outside = curve.outside
    for i, p in ipairs(curve.points) do points[i] = p end
  end
  return sinew[curve.kind](points)
end

local function shared_key(owner, e)
  return (sinew.type(owner) == "rig" and "" or owner.name) .. ":" .. E.key(e)
end

local function build_limit(a, owner, name)
  local first = a.x.terms[1]
  if a.name then
    name = a.name
  elseif #a.x.terms == 1 and first.atom.type == "source" then
    name = source_short(first.atom.source) .. "_limit"
  else
    name = name .. "_limit"
  end
  local inputs, at = {}, {}
  local function input(source, key)
    if not at[key] then
      inputs[#inputs + 1] = source
      at[key] = "x" .. #inputs
    end
    return at[key]
  end
  local limited = build(a.x, owner, name .. "_of")
  inputs[1] = limited
  at[E.key(a.x)] = "x1"
  if is_plain(a.x) and first.atom.type == "source" then at[first.atom.key] = "x1" end
  if a.low then inputs.min = wiring.code(a.low, owner, name .. "_min", input) end
  if a.high then inputs.max = wiring.code(a.high, owner, name .. "_max", input) end
  return make(owner, "formula", name, inputs).value
end

-- the source that carries an atom which is not written out in a formula
local function build_atom(a, owner, name)
  if a.type == "source" then return a.source end
  if a.type == "named" then return build(a.x, owner, a.name, true) end
  if a.type == "limit" then
    a.used = true
    a.built = a.built or {}
    local key = sinew.type(owner) == "rig" and "" or owner.name
    a.built[key] = a.built[key] or build_limit(a, owner, name)
    return a.built[key]
  end
  -- a curve
  local one = { kind = "scalar", constant = 0, terms = { { atom = a, weight = 1 } }, rig = a.x.rig }
  return build(one, owner, name)
end

-- the text of a formula; `input` gives the word for a source
function wiring.code(e, owner, name, input)
  local parts = 0
  return E.scalar_text(e, function(a)
    if written_out[a.type] then return nil end
    parts = parts + 1
    local source = build_atom(a, owner, name .. "_" .. parts)
    if type(source) == "number" then return ("(%.9g)"):format(source) end
    return input(source, a.key or tostring(source))
  end)
end

local function build_curve(t, constant, owner, name)
  local from = build(t.atom.x, owner, name .. "_x")
  local curve = scaled_curve(t.atom.curve, t.weight, constant)
  return make(owner, "map", name, { from, value = curve }).value
end

local function build_formula(e, owner, name)
  local inputs, at = {}, {}
  inputs.text = wiring.code(e, owner, name, function(source, key)
    if not at[key] then
      inputs[#inputs + 1] = source
      at[key] = "x" .. #inputs
    end
    return at[key]
  end)
  if #inputs > 64 then
    fail("an expression of %d DOFs and ports is too long (64 at most); give a part of it a name: "
      .. "e:named \"part\"", #inputs)
  end
  return make(owner, "formula", name, inputs).value
end

-- what carries a scalar: a number, a DOF or a port. `own`: it shall have a component of that name.
function build(e, owner, name, own)
  if #e.terms == 0 then return e.constant end
  local first = e.terms[1]
  local kind = first.atom.type
  if is_plain(e) and not own and not written_out[kind] and kind ~= "curve" then
    return build_atom(first.atom, owner, name)
  end
  local made, key = core.book(rig_of(owner)).made, shared_key(owner, e)
  if not made[key] then
    if #e.terms == 1 and first.atom.type == "curve" then
      made[key] = build_curve(first, e.constant, owner, name)
    else
      made[key] = build_formula(e, owner, name)
    end
  end
  return made[key]
end

-- --- matrices

-- an angle that is +-x + offset needs no component of its own: x, its sign and the offset
local function bare_angle(e)
  local first = e.terms[1]
  if #e.terms ~= 1 or math.abs(first.weight) ~= 1 then return e, 1, 0 end
  if written_out[first.atom.type] or first.atom.type == "curve" then return e, 1, 0 end
  local bare = { kind = "scalar", constant = 0, terms = { { atom = first.atom, weight = 1 } },
    rig = e.rig }
  return bare, first.weight, e.constant
end

-- Makes a map for each source of which curves move the bone. Other scaled values of such a source
-- become outputs of its map too.
local function share_maps(e, owner, name)
  local groups, order, made = {}, {}, core.book(rig_of(owner)).made
  local function offer(s, place)
    local t = s.terms[1]
    if #s.terms ~= 1 then return end
    local x, curve = t.atom.x, t.atom.curve
    local from = t.atom.type == "curve" and is_plain(x) and x.terms[1].atom or t.atom
    if from.type ~= "source" or made[shared_key(owner, s)] then return end
    if not groups[from.key] then
      groups[from.key] = { source = from.source }
      order[#order + 1] = from.key
    end
    local group = groups[from.key]
    group.curves = group.curves or curve ~= nil
    curve = curve and scaled_curve(curve, t.weight, s.constant)
      or sinew.polynomial { s.constant, t.weight }
    group[#group + 1] = { place = place, key = shared_key(owner, s), curve = curve }
  end
  local count = { rotate = 0, translate = 0 }
  for _, f in ipairs(e.factors) do
    if count[f.type] then
      count[f.type] = count[f.type] + 1
      local suffix = count[f.type] > 1 and count[f.type] or ""
      if f.type == "rotate" then
        local angle = bare_angle(f.angle)
        if not (is_plain(angle) and angle.terms[1].atom.type == "source") then
          offer(f.angle, "rotate" .. suffix)
        end
      elseif not f.vector.source then
        for _, k in ipairs(letters) do
          local v = f.vector[k]
          local bare = is_plain(v) and v.terms[1].atom.type == "source"
          if #v.terms > 0 and not bare then offer(v, k .. suffix) end
        end
      end
    end
  end
  for _, key in ipairs(order) do
    local group = groups[key]
    if group.curves then
      local arguments, seen = { group.source }, {}
      for _, one in ipairs(group) do
        if not seen[one.key] then arguments[one.place] = one.curve end
        seen[one.key] = seen[one.key] or one.place
      end
      local map = make(owner, "map", name .. "_by_" .. source_short(group.source), arguments)
      for _, one in ipairs(group) do made[one.key] = map:port(seen[one.key]) end
    end
  end
end

local function build_rotate(f, owner, name)
  local angle, sign, offset = bare_angle(f.angle)
  name = free_name(owner, name)
  local arguments = { build(angle, owner, name .. "_angle"),
    axis = without_minus_zero(f.axis * sign), centre = f.centre }
  if offset ~= 0 then arguments.rest = -sign * offset end
  return make(owner, "rotation", name, arguments).transform
end

local function build_translate(f, owner, name)
  local v, arguments = f.vector, {}
  name = free_name(owner, name)
  if v.source then
    arguments.vector = v.source
  else
    for _, k in ipairs(letters) do
      if #v[k].terms > 0 or v[k].constant ~= 0 then
        arguments[k] = build(v[k], owner, name .. "_" .. k)
      end
    end
  end
  return make(owner, "translation", name, arguments).transform
end

-- the port of a matrix; `name` is the bone's, or says the place otherwise
local function build_matrix(e, owner, name)
  local list = {}
  name = e.name or name
  share_maps(e, owner, name)
  for i, f in ipairs(e.factors) do
    if f.type == "rotate" then
      list[i] = build_rotate(f, owner, name .. "_rotate")
    elseif f.type == "translate" then
      list[i] = build_translate(f, owner, name .. "_translate")
    else
      list[i] = f.type == "constant" and f.value or f.source
    end
  end
  if #list == 1 then return list[1] end
  return make(owner, "multiply", name .. "_motion", list).transform
end

-- --- where components belong

local function sets_of(e, found)
  local function of(thing) found[#found + 1] = thing.joint_set or false end
  local function scalar(s)
    for _, t in ipairs(s.terms) do
      local a = t.atom
      if a.type == "source" then
        of(sinew.type(a.source) == "port" and a.source.component or a.source)
      end
      for _, part in ipairs { a.x or false, a.low or false, a.high or false } do
        if part then scalar(part) end
      end
      for _, part in ipairs(a) do scalar(part) end
    end
  end
  for _, f in ipairs(e.factors) do
    if f.angle then scalar(f.angle) end
    if f.source then of(f.source.component) end
    if f.vector and f.vector.source then of(f.vector.source.component) end
    for _, k in ipairs(f.vector and not f.vector.source and letters or {}) do
      scalar(f.vector[k])
    end
  end
  return found
end

local function owner_of(segment, e)
  if segment.joint_set then return segment.joint_set end
  local found = sets_of(e, {})
  for _, set in ipairs(found) do
    if set ~= found[1] then return segment.rig end
  end
  return found[1] or segment.rig
end

-- --- what the binding calls

-- segment:drive(what), where `what` is not simply a matrix port
function wiring.drive(segment, what)
  local e = E.lift(what)
  if not e then
    fail("'%s' is driven by a matrix, not by a %s", segment.name, sinew.type(what))
  elseif e.kind == "scalar" then
    local text = E.text(e)
    fail("'%s' is driven by a matrix; %s is a number: sinew.rotate(%s, axis) or "
      .. "sinew.translate(%s, axis)", segment.name, text, text, text)
  elseif e.kind == "vector" then
    fail("'%s' is driven by a matrix, not by a vector: sinew.translate(v)", segment.name)
  elseif #e.factors == 1 and e.factors[1].type == "constant" then
    fail("'%s': nothing in this moves; a fixed frame is the segment's rest", segment.name)
  elseif e.rig ~= segment.rig then
    fail("'%s' is of rig '%s' and cannot be driven by rig '%s'", segment.name, segment.rig.name,
      e.rig.name)
  end
  return build_matrix(e, owner_of(segment, e), segment.name)
end

local kinds

local function input_of(kind, key)
  if not kinds then
    kinds = {}
    for _, one in ipairs(sinew.catalog()) do kinds[one.name] = one end
  end
  local inputs = kinds[kind] and kinds[kind].inputs or {}
  if type(key) == "number" then
    local input = inputs[math.min(key, #inputs)]
    return input, input and (input.list and input.name .. key or input.name) or tostring(key)
  end
  for _, input in ipairs(inputs) do
    if input.name == key then return input, key end
  end
  return nil, tostring(key)
end

-- the arguments of a component with expressions in them, in the order of their places: each is
-- replaced by what carries it
function wiring.arguments(owner, kind, arguments)
  local keys, dest = {}, {}
  for key, value in pairs(arguments) do
    if core.node(value) then keys[#keys + 1] = key end
    dest[key] = value
  end
  table.sort(keys, function(a, b)
    if type(a) == type(b) then return a < b end
    return type(a) == "number"
  end)
  for _, key in ipairs(keys) do
    local e, input, place = core.node(arguments[key]), input_of(kind, key)
    local name = (type(arguments.name) == "string" and arguments.name or kind) .. "_" .. place
    if e.rig ~= rig_of(owner) then
      fail("%s is of rig '%s' and cannot be wired to a %s of rig '%s'", E.text(e), e.rig.name, kind,
        rig_of(owner).name)
    elseif input and input.kind ~= e.kind then
      fail("%s: input '%s' takes a %s, but %s is a %s", kind, place, input.kind, E.text(e), e.kind)
    elseif e.kind == "scalar" then
      E.check_unit(e, input and input.unit, ("%s: input '%s'"):format(kind, place))
      dest[key] = build(e, owner, name)
    elseif e.kind == "matrix" then
      dest[key] = build_matrix(e, owner, name)
    elseif e.source then
      dest[key] = e.source
    else
      fail("%s: input '%s': no component makes a vector of scalars; sinew.translate takes them",
        kind, place)
    end
  end
  return dest
end

-- warnings about a rig's expressions, one on a line
function wiring.review(rig)
  local book, lines = core.book(rig), {}
  for _, a in ipairs(book.limits) do
    if not a.used then
      lines[#lines + 1] = ("%s: the limit of %s is used by nothing; it gives the limited value: "
        .. "x = x:limit {...}"):format(a.where, E.text(a.x))
    end
  end
  for _, line in ipairs(book.warnings) do lines[#lines + 1] = line end
  return table.concat(lines, "\n")
end

function wiring.open(expressions)
  E, core, fail = expressions, expressions.core, expressions.fail
  written_out = E.written_out
  core.internal()
end

return wiring

-- The copying behind mirror.lua: creates the chosen parts of a rig again for the other side. DOFs
-- and segments come first, then components in the order of creation, so that everything that a copy
-- refers to exists already.
local sinew = require "sinew"
local rules = require "sinew.mirror_rules"
local sides = require "sinew.sides"

local function fail(...) error(("sinew.mirror: " .. (...)):format(select(2, ...)), 0) end

-- a name without the prefix of its joint set
local function short_name(thing)
  local set = thing.joint_set
  return set and thing.name:sub(#set.name + 2) or thing.name
end

local Copy = { fail = fail }
Copy.__index = Copy

local function index_by_name(list)
  local by_name = {}
  for _, item in ipairs(list) do by_name[item.name] = item end
  return by_name
end

function Copy.start(rig, options)
  local copy = setmetatable({ rig = rig, rename = options.rename or sides.other }, Copy)
  copy.there = { sets = index_by_name(rig.joint_sets), segments = index_by_name(rig.segments),
    dofs = index_by_name(rig.dofs), components = index_by_name(rig.components) }
  copy.chosen = { sets = {}, segments = {}, dofs = {}, components = {} }
  copy.made = { sets = {}, segments = {}, dofs = {}, components = {} }
  copy.opposite, copy.negatives, copy.kinds = {}, {}, {}
  for _, source in ipairs(options.opposite or {}) do
    if sinew.type(source) == "component" then source = source.outputs[1] end
    copy.opposite[tostring(source)] = true
  end
  for _, kind in ipairs(sinew.catalog()) do copy.kinds[kind.name] = kind end
  return copy
end

function Copy:has_side(name) return self.rename(name) ~= name end

-- the rest frame, in the world, of a segment that both sides share
function Copy:check_shared(segment)
  local world, at = sinew.mat4(), segment
  while at do
    world = at.rest * world
    at = at.parent and self.there.segments[at.parent]
  end
  if not rules.matrix(world):near(world, 1e-4) then
    fail("both sides hang on segment '%s', whose rest frame is not symmetric about x = 0",
      segment.name)
  end
end

-- the counterpart with that full name; for a part that is not copied, the existing one, or nil
function Copy:counterpart(what, name)
  if self.chosen[what][name] then return self.made[what][name] end
  local item = self.there[what][name]
  local set = item and what ~= "segments" and item.joint_set
  local other = set and self.rename(set.name) .. "." .. self.rename(short_name(item))
    or self.rename(name)
  return other ~= name and self.there[what][other] or nil
end

function Copy:owner(thing)
  local set = thing.joint_set
  return set and (self.made.sets[set.name] or set) or self.rig
end

-- refuses a name that is taken, before anything is created
function Copy:new_name(what, thing)
  local set = what ~= "segments" and thing.joint_set
  local name = self.rename(what == "segments" and thing.name or short_name(thing))
  local full = set and self.rename(set.name) .. "." .. name or name
  if full == thing.name then
    fail("'%s' has no side in its name; `rename` can give it one", thing.name)
  elseif self.there[what][full] then
    fail("'%s' of the other side is there already", full)
  end
  return name
end

function Copy:copy_notes(from, to)
  for key, value in pairs(from.notes) do
    if key == "shape" and type(value) == "table" then
      value = sinew.shapes.mirrored(value)
    elseif key == "label" and type(value) == "string" then
      value = self.rename(value)
    end
    to:note(key, value)
  end
end

function Copy:copy_dof(dof)
  local made = self:owner(dof):dof(self:new_name("dofs", dof), { min = dof.min, max = dof.max,
    rest = dof.rest, unit = dof.unit ~= "deg" and dof.unit or dof:note "unit",
    stiffness = dof.stiffness })
  self.made.dofs[dof.name] = made
  self:copy_notes(dof, made)
end

-- a wire that changes sign goes through a map, one for each source
function Copy:negative(source, owner)
  if type(source) == "number" then return -source end
  local key = tostring(source)
  if not self.negatives[key] then
    local name = (sinew.type(source) == "port" and short_name(source.component) .. "_" or "")
      .. (sinew.type(source) == "port" and source.name or short_name(source))
    self.negatives[key] = owner:map { source, value = sinew.polynomial { 0, -1 },
      name = "minus_" .. name }.value
  end
  return self.negatives[key]
end

-- a formula takes the minus of its input i itself, unless the input is what a limit holds
function Copy:negate_in_formulas(component, i, arguments)
  local kind = not component.definition and self.kinds[component.kind]
  local found = false
  for _, param in ipairs(kind and kind.params or {}) do
    local text = param.formula and arguments[param.name]
    if text and param.bound and i == 1 then return false end
    if text then
      found = true
      arguments[param.name] = text:gsub("x(%d+)", function(n)
        return tonumber(n) == i and ("(-x%d)"):format(i) or nil
      end)
    end
  end
  return found
end

local function rule_of(component)
  local definition = component.definition
  if definition and definition.mirror then return definition.mirror end
  if not definition and rules.kinds[component.kind] then return rules.kinds[component.kind] end
  local plain = true
  for _, input in ipairs(component.inputs) do plain = plain and input.kind == "scalar" end
  for _, output in ipairs(component.outputs) do plain = plain and output.kind == "scalar" end
  if not plain then
    fail("component '%s': nothing says how a '%s' is mirrored; sinew.component takes `mirror`",
      component.name, component.kind)
  end
  return {}
end

-- the source for an input of the copy, and whether its sign changes
function Copy:source(source)
  local type_name = sinew.type(source)
  if type_name == "mat4" then return rules.matrix(source), false end
  if type_name == "vec3" then return rules.point(source), false end
  if type_name == "DOF" then
    local other = self:counterpart("dofs", source.name)
    return other or source, not other and self.opposite[tostring(source)]
  elseif type_name == "port" then
    local from = source.component
    local other = self:counterpart("components", from.name)
    if not other then return source, self.opposite[tostring(source)] end
    local turned = rules.turned(rule_of(from), "outputs", from.params)
    for i, output in ipairs(from.outputs) do
      if output == source then return other.outputs[i], turned[source.name] end
    end
  end
  return source, false
end

-- wires as a component's arguments: in order as far as possible, then by name
local function arrange(kind, wires, arguments)
  local at = 1
  for _, input in ipairs(kind and kind.inputs or {}) do
    local given = wires[input.name]
    if not given then break end
    for _, source in ipairs(given) do
      arguments[at] = source
      at = at + 1
    end
    wires[input.name] = nil
  end
  for name, given in pairs(wires) do arguments[name] = given[1] end
end

-- replaces names of segments and components among the parameters
function Copy:rename_params(component, arguments)
  local kind, definition = self.kinds[component.kind], component.definition
  for _, name in ipairs(definition and definition.segments or {}) do
    arguments[name] = self:counterpart("segments", arguments[name]) or arguments[name]
  end
  for _, param in ipairs(kind and not definition and kind.params or {}) do
    local name = arguments[param.name]
    if name and param.type == "segment" then
      arguments[param.name] = self:counterpart("segments", name) or name
    elseif name and param.type == "component" then
      local set = component.joint_set
      local inside = set and set.name .. "." .. name
      local full = inside and self.there.components[inside] and inside or name
      arguments[param.name] = self:counterpart("components", full) or name
    end
  end
end

function Copy:copy_component(component)
  local owner, definition = self:owner(component), component.definition
  local rule, given = rule_of(component), component.params
  local who = ("sinew.mirror: component '%s'"):format(component.name)
  local arguments = rules.apply(rule, given, who)
  self:rename_params(component, arguments)
  local turned, wires = rules.turned(rule, "inputs", given), {}
  for i, input in ipairs(component.inputs) do
    local source, negative = self:source(input.source)
    if (negative and true or false) ~= (turned[input.name] and true or false)
      and not self:negate_in_formulas(component, i, arguments) then
      source = self:negative(source, owner)
    end
    wires[input.name] = wires[input.name] or {}
    table.insert(wires[input.name], source)
  end
  arrange(not definition and self.kinds[component.kind] or nil, wires, arguments)
  arguments.name = self:new_name("components", component)
  local made = definition and owner:add(definition(arguments))
    or owner[component.kind](owner, arguments)
  self.made.components[component.name] = made
  self:copy_notes(component, made)
end

function Copy:copy_segment(segment)
  local parent = segment.parent
  local other = parent and self:counterpart("segments", parent)
  if parent and not other then self:check_shared(self.there.segments[parent]) end
  local made = self:owner(segment):segment(self:new_name("segments", segment),
    { parent = other or parent, rest = rules.matrix(segment.rest), mass = segment.mass,
      mass_at = segment.mass and rules.point(segment.mass_at) })
  self.made.segments[segment.name] = made
  self:copy_notes(segment, made)
end

function Copy:run()
  local rig, made, sets = self.rig, self.made, {}
  for _, what in ipairs { "segments", "dofs", "components" } do
    for _, item in ipairs(rig[what]) do
      if self.chosen[what][item.name] then self:new_name(what, item) end
    end
  end
  for _, set in ipairs(rig.joint_sets) do
    if self.chosen.sets[set.name] then
      local name = self.rename(set.name)
      made.sets[set.name] = self.there.sets[name] or rig:joint_set(name)
      sets[#sets + 1] = made.sets[set.name]
      self:copy_notes(set, made.sets[set.name])
    end
  end
  local methods = { dofs = Copy.copy_dof, segments = Copy.copy_segment,
    components = Copy.copy_component }
  for _, what in ipairs { "dofs", "segments", "components" } do
    for _, item in ipairs(rig[what]) do
      if self.chosen[what][item.name] then methods[what](self, item) end
    end
  end
  for _, segment in ipairs(rig.segments) do
    local driver = made.segments[segment.name] and segment.driver
    if driver then
      if not self:counterpart("components", driver.component.name) then
        fail("segment '%s' is driven by '%s', which has no other side", segment.name,
          driver.component.name)
      end
      made.segments[segment.name]:drive((self:source(driver)))
    end
  end
  return sets
end

return Copy

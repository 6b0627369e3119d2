-- A bone and its joint in one call: owner:bone(name, options), of a rig, a joint set or the parent.
--
--   femur:bone("tibia", { at = {0, -0.4, 0}, hinge = { "flexion", 0, 120, axis = "x" } })
--
-- hinge   { name or source, min, max, axis =, centre =, rest =, label =, unit = }: the name of a
--         new DOF, or what the angle follows: a DOF, a port or an expression such as 0.5 * flexion.
--         A list of such tables is a product in their order. stiffness = is how much a new DOF
--         resists the solver; that of a ball or a free joint is for all of its new DOFs.
-- slider  the same along an axis, in metres; sliders act outside of the hinges
-- ball    { swing, swing, twist, along =, cone = }: each a name, a source or a table as for a
--         hinge; cone: a half angle, four, points, a cone, or the component's parameters
-- free    true, or { range = metres }: x, y, z, then turn (about y), lean (x) and tilt (z)
--
-- `name` is that of the component; unless given, the bone's with the DOF's: tibia_flexion.
-- segment:hinge { ... } and the others give a joint to a segment that has none. All give the
-- segment. The rig's C code calls these functions; it takes back what was added where one raises,
-- and puts the caller's line in front of the message.
local sinew = require "sinew"

return function(core)
  core.internal()

  local function fail(...) error((...):format(select(2, ...)), 0) end

  local function words(text)
    local list = {}
    for word in text:gmatch "%S+" do list[#list + 1] = word end
    return list
  end
  local joints = words "free slider ball hinge"
  local bone_options = words("parent at rotate turn rest shape set mass mass_at free slider "
    .. "ball hinge")
  local axis_options = words "axis min max rest label unit stiffness centre centres angles name"
  local ball_options = words "along cone right stiffness name"
  local free_options = words "range stiffness"

  -- a copy whose fields are known; a script's metatables play no part
  local function read(who, given, names, positions)
    if type(given) ~= "table" then fail("%s must be a table, not %s", who, sinew.type(given)) end
    local copy, known = {}, {}
    for _, name in ipairs(names) do known[name] = true end
    for key, value in next, given do
      local listed = type(key) == "number" and key >= 1 and key <= positions and key % 1 == 0
      if type(key) == "string" and not known[key] then core.unknown(who, "option", key, names) end
      if type(key) ~= "string" and not listed then
        fail("%s: [%s] is one too many", who, tostring(key))
      end
      copy[key] = value
    end
    return copy
  end

  local function rig_of(owner) return sinew.type(owner) == "rig" and owner or owner.rig end

  local function set_named(rig, name) return core.find_set(rig, name) or rig:joint_set(name) end

  local axes = { x = { 1, 0, 0 }, y = { 0, 1, 0 }, z = { 0, 0, 1 } }

  local function axis_of(who, given, option)
    if given == nil then
      fail("%s needs an axis: %s = \"x\", or a direction such as {1, 0, 0.08}", who, option)
    elseif type(given) == "string" then
      local sign, letter = given:match "^([+-]?)([xyz])$"
      if not sign then
        fail("%s: %s must be \"x\", \"-x\", \"y\", \"-y\", \"z\", \"-z\" or a direction, not "
          .. "\"%s\"", who, option, given)
      end
      return sinew.vec3(axes[letter]) * (sign == "-" and -1 or 1)
    end
    local ok, axis = pcall(sinew.vec3, given)
    if not ok then fail("%s: %s must be a direction, not %s", who, option, sinew.type(given)) end
    local length = axis:length()
    if not (length > 0 and length < math.huge) then fail("%s: %s has no direction", who, option) end
    return axis
  end

  -- the kind of what a source carries, or nil where it is none
  local function kind_of(source)
    local type_name = sinew.type(source)
    if type_name == "DOF" then return "scalar" end
    if type_name == "port" or type_name == "expression" then return source.kind end
    if type_name ~= "component" then return nil end
    local outputs = source.outputs
    if #outputs == 1 then return outputs[1].kind end
    local list = {}
    for i, output in ipairs(outputs) do list[i] = output.name end
    fail("'%s' has several outputs: %s", source.name, table.concat(list, ", "))
  end

  local function is_expression(source) return sinew.type(source) == "expression" end

  local Joint = {}
  Joint.__index = Joint

  -- a name that no DOF or component of the joint's owner has yet
  function Joint:name(name)
    local full = sinew.type(self.owner) == "rig" and name or self.owner.name .. "." .. name
    local free, number = full, 1
    while core.find(self.rig, free) do
      number = number + 1
      free = full .. number
    end
    return number > 1 and name .. number or name
  end

  -- one joint of a list: its options, and its axis
  local function read_axis(who, given)
    local spec = read(who, given, axis_options, 3)
    if spec[1] == nil then
      fail("%s needs the name of a new DOF or a source first, such as "
        .. "{ \"flexion\", 0, 120, axis = \"x\" }", who)
    end
    return spec, axis_of(who, spec.axis, "axis")
  end

  -- a new DOF of { name, min, max }, or the source that stands in its place
  function Joint:control(who, spec, unit)
    local what = spec[1]
    if type(what) ~= "string" then
      local kind = kind_of(what)
      if not kind then
        fail("%s: the name of a new DOF or a source is wanted, not a %s", who, sinew.type(what))
      elseif kind ~= "scalar" then
        fail("%s follows a number, not a %s", who, kind)
      end
      local called = is_expression(what) and tostring(what) or what.name
      if (sinew.type(what) == "port" and what.component or what).rig ~= self.rig then
        fail("%s: %s is of another rig", who, called)
      end
      for _, option in ipairs { "min", "max", "rest", "label", "unit", "stiffness" } do
        if spec[option] ~= nil or spec[2] ~= nil then
          fail("%s follows %s, which has its range already; '%s' is for a new DOF", who, called,
            spec[option] ~= nil and option or "min")
        end
      end
      return what
    end
    local low, high = spec.min, spec.max
    if low == nil then low = spec[2] end
    if high == nil then high = spec[3] end
    if type(low) == "number" and type(high) == "number" and low >= high then
      fail("%s: '%s' cannot move: min %g, max %g", who, what, low, high)
    end
    local owner = self.dof_owner
    if not what:find(".", 1, true) and sinew.type(owner) == "joint set" then
      what = owner.name .. "." .. what
    end
    if core.find(self.rig, what) then
      fail("%s: '%s' is there already; to follow it give the DOF, not its name; a new one needs "
        .. "another name or joint set", who, what)
    end
    return self.rig:dof(what, { min = low, max = high, rest = spec.rest, label = spec.label,
      unit = spec.unit or unit, stiffness = spec.stiffness }), what:match "[^.]+$"
  end

  -- a number, a table of its own, or the table of a joint as it was given
  local function listed(spec)
    if type(spec) ~= "table" then return { { spec } } end
    local first = rawget(spec, 1)
    return type(first) == "table" and spec or { spec }
  end

  function Joint:rotation(who, spec, axis, role)
    local source, dof = self:control(who, spec)
    if is_expression(source) and not (spec.name or spec.centres or spec.angles) then
      return { expression = sinew.rotate(source, axis, spec.centre), { source, axis = axis,
        centre = spec.centre }, kind = "rotation", role = role }
    end
    return { kind = "rotation", name = spec.name, role = dof or role, { source, axis = axis,
      centre = spec.centre, centres = spec.centres, angles = spec.angles } }
  end

  function Joint:hinge(given)
    local who = ("hinge of '%s'"):format(self.bone.name)
    local made = {}
    for i, one in ipairs(listed(given)) do
      local spec, axis = read_axis(who, one)
      made[i] = self:rotation(who, spec, axis, "rotate")
    end
    return made
  end

  -- a new DOF along x, y or z moves it itself; all else is an expression, which checks units
  function Joint:slider(given)
    local who = ("slider of '%s'"):format(self.bone.name)
    local made = {}
    for i, one in ipairs(listed(given)) do
      local spec, axis = read_axis(who, one)
      for _, option in ipairs { "centre", "centres", "angles" } do
        if spec[option] ~= nil then fail("%s has no '%s', which is a hinge's", who, option) end
      end
      axis:normalize()
      local source, dof = self:control(who, spec, "m")
      local plain = dof and not is_expression(source)
        and (axis.x == 1 and "x" or axis.y == 1 and "y" or axis.z == 1 and "z")
      made[i] = plain and { kind = "translation", name = spec.name, role = dof or "translate",
        { [plain] = source } } or { expression = sinew.translate(source, axis), { source } }
    end
    return made
  end

  function Joint:free(given)
    local who = ("free joint of '%s'"):format(self.bone.name)
    local spec = given == true and {} or read(who, given, free_options, 0)
    local far = spec.range == nil and 10 or spec.range
    if type(far) ~= "number" or far <= 0 or far ~= far then
      fail("%s: range must be a positive number", who)
    end
    local place = {}
    for _, letter in ipairs { "x", "y", "z" } do
      place[letter] = self:control(who, { letter, -far, far, stiffness = spec.stiffness }, "m")
    end
    local made = { { kind = "translation", role = "translate", place } }
    for i, turn in ipairs { { "turn", "y" }, { "lean", "x" }, { "tilt", "z" } } do
      made[i + 1] = self:rotation(who, { turn[1], stiffness = spec.stiffness }, axes[turn[2]])
    end
    return made
  end

  -- two directions across a bone: for one along y, x and z
  local function across(along)
    local a = along:unit()
    local first = math.abs(a.x) > 0.9 and sinew.vec3(0, 1, 0) or sinew.vec3(1, 0, 0)
    first = (first - a * a:dot(first)):unit()
    return first, a:cross(first)
  end

  local function cone_arguments(who, cone, right)
    local type_name = sinew.type(cone)
    if type_name == "number" then return { ellipse = { cone }, right = right } end
    if type_name == "cone" then
      local arguments, limits = { points = cone.points, visible = cone.visible }, cone.twist_limits
      if limits then
        local flat = {}
        for i = 1, #limits - 1 do flat[2 * i - 1], flat[2 * i] = limits[i][1], limits[i][2] end
        arguments.twist_limits, arguments.visible_twist = flat, limits[#limits]
      end
      return arguments
    end
    if type_name ~= "table" then
      fail("%s: cone must be a half angle, four of them, points, a cone or its parameters, not %s",
        who, type_name)
    end
    local first = rawget(cone, 1)
    if type(first) == "number" then return { ellipse = cone, right = right } end
    if first ~= nil then return { points = cone } end
    local arguments = {}
    for key, value in next, cone do arguments[key] = value end
    if arguments.ellipse and arguments.right == nil then arguments.right = right end
    return arguments
  end

  function Joint:ball(given)
    local who = ("ball of '%s'"):format(self.bone.name)
    local spec = read(who, given, ball_options, 3)
    local along = spec.along
    if along == nil and sinew.type(spec.cone) == "cone" then along = spec.cone.rest end
    along = axis_of(who, along, "along")
    local first, second = across(along)
    local directions, turns, parts = { first, second, along }, { "swing", "swing2", "twist" }, {}
    if spec[1] == nil or spec[2] == nil then
      fail("%s needs two swings, and a twist if there is one: { \"flexion\", \"abduction\", "
        .. "\"rotation\", along = \"-y\" }", who)
    end
    for i = 1, 3 do
      local one = spec[i]
      if one ~= nil then
        parts[i] = read(who, type(one) == "table" and one or { one }, axis_options, 3)
        if type(parts[i][1]) == "string" and parts[i].stiffness == nil then
          parts[i].stiffness = spec.stiffness
        end
        if parts[i].axis ~= nil then
          if i == 3 then fail("%s: its twist is about `along`, without an axis", who) end
          directions[i] = axis_of(who, parts[i].axis, "axis")
        end
      end
    end
    local made = {}
    for i, part in ipairs(parts) do
      made[i] = self:rotation(who, part, directions[i], turns[i])
    end
    if spec.cone == nil then return made end
    local cone = cone_arguments(who, spec.cone, spec.right or first)
    if cone.rest == nil then cone.rest = along end
    for i = 1, 2 do
      cone["angle" .. i] = made[i][1][1]
      made[i][1].angles = made[i][1].angles or { -179 / i, 179 / i }
      cone["rotation" .. i] = made[i]
    end
    if made[3] then
      cone.twist = made[3][1][1]
      local low, high = parts[3].min or parts[3][2], parts[3].max or parts[3][3]
      if cone.twist_limits == nil and low and high then cone.twist_limits = { low, high } end
    end
    return { { kind = "cone", name = spec.name, role = "reach", cone } }
  end

  -- adds a component and gives what it moves the bone by
  function Joint:add(made)
    local arguments = made[1]
    for i = 1, made.kind == "cone" and 2 or 0 do
      arguments["rotation" .. i] = self:add(arguments["rotation" .. i])
    end
    arguments.name = made.name or self:name(self.bone.name .. "_" .. made.role)
    local component = self.owner[made.kind](self.owner, arguments)
    return component
  end

  -- the joint set that all sources are in, or nil
  local function common_set(list)
    local set
    local function meet(source)
      if is_expression(source) then return end
      local from = sinew.type(source) == "port" and source.component or source
      local other = from.joint_set
      if set == nil then set = other or false elseif set ~= other then set = false end
    end
    for _, made in ipairs(list) do
      local arguments = made[1]
      for _, key in ipairs { 1, "x", "y", "z", "angle1", "angle2", "twist" } do
        if arguments[key] ~= nil then meet(arguments[key]) end
      end
    end
    return set or nil
  end

  -- a component is in the joint set of the bone that it moves, else in that of its sources
  local function join(bone, options)
    local rig = bone.rig
    local joint = setmetatable({ rig = rig, bone = bone, dof_owner = bone.joint_set or rig }, Joint)
    local list = {}
    for _, kind in ipairs(joints) do
      if options[kind] ~= nil and options[kind] ~= false then
        for _, made in ipairs(joint[kind](joint, options[kind])) do list[#list + 1] = made end
      end
    end
    if #list == 0 then return end
    joint.owner = bone.joint_set or common_set(list) or rig
    local product, follows = {}, false
    for i, made in ipairs(list) do
      product[i] = made.expression or joint:add(made).transform
      follows = follows or made.expression ~= nil
    end
    if follows then
      local whole = product[1]
      for i = 2, #product do whole = whole * product[i] end
      bone:drive(whole)
    elseif #product > 1 then
      product.name = joint:name(bone.name .. "_motion")
      bone:drive(joint.owner:multiply(product))
    else
      bone:drive(product[1])
    end
  end

  -- the joint set in the name of a new DOF, if one has it
  local function set_in_names(options)
    for _, kind in ipairs(joints) do
      local spec = options[kind]
      while type(spec) == "table" do spec = rawget(spec, 1) end
      local set = type(spec) == "string" and spec:match "^([^.]+)%..+$"
      if set then return set end
    end
  end

  local function owner_of(maker, rig, options)
    local set = options.set
    if type(set) == "string" then return set_named(rig, set) end
    if set ~= nil then
      if sinew.type(set) ~= "joint set" then
        fail("set must be a joint set or its name, not %s", sinew.type(set))
      end
      return set
    end
    if sinew.type(maker) == "joint set" then return maker end
    local named = set_in_names(options)
    if named then return set_named(rig, named) end
    local parent = options.parent
    if type(parent) == "string" then parent = core.find_segment(rig, parent) end
    return sinew.type(parent) == "segment" and parent.joint_set or rig
  end

  local made = {}

  function made.bone(maker, name, options)
    local who = ("bone '%s'"):format(name)
    options = read(who, options == nil and {} or options, bone_options, 0)
    if sinew.type(maker) == "segment" then
      if options.parent ~= nil then fail("%s has its parent already: '%s'", who, maker.name) end
      options.parent = maker
    end
    local owner = owner_of(maker, rig_of(maker), options)
    local bone = owner:segment(name, { parent = options.parent, shape = options.shape,
      at = options.at, rotate = options.rotate, turn = options.turn, rest = options.rest,
      mass = options.mass, mass_at = options.mass_at })
    join(bone, options)
    return bone
  end

  for _, kind in ipairs(joints) do
    made[kind] = function(bone, spec)
      local driver = bone.driver
      if driver then
        fail("'%s' is driven already, by '%s'; several joints go in one call: hinge = "
          .. "{ {...}, {...} }", bone.name, driver.component.name)
      end
      join(bone, { [kind] = spec == nil and (kind == "free" or {}) or spec })
      return bone
    end
  end

  return made
end

-- Chains: vertebrae, fingers, tails. One joint set moves a row of segments, each the child of the
-- one before, by a few DOFs that all links share.
--
--   local neck = sinew.chain(rig, "neck", {
--     parent = t1,
--     links = { "C7", "C6", { name = "C5", at = {0, 0.017, 0.003} } },   -- or a number of links
--     at = {0, 0.016, 0},                    -- origin of a link in the frame of the one before
--     turns = {
--       { name = "flexion", axis = {1, 0, 0}, ranges = { {-13.2, 5.5}, {-7.5, 5.5}, {-4, 5.5} } },
--       { name = "lateral", axis = {0, 0, 1}, range = {-33, 33}, shares = {0.4, 0.3, 0.3} },
--     },
--   })
--
-- links:  a list of names, or of tables { name =, at =, turn =, rest =, shape =, mass =, mass_at =,
--         axes = { flexion = }, centres = { flexion = }, ranges = { flexion = } } with the link's
--         own values; or a number of links, with `name` as a pattern such as "tail%d" (by default
--         the chain's name and the number).
-- at, turn, shape, mass, mass_at:  defaults for all links; each may be a function of the link's
--         number.
-- turns:  the rotations, in the order of the product, the outermost first. Each has
--   name            of the DOF; also its min and max (default -1 and 1), rest, unit, label and
--                   stiffness
--   dof             an existing DOF or port instead of a new one
--   axis, centre    in the link's frame
--   ranges          for each link { angle at the DOF's min, angle at its max }; false: no rotation
--   range, shares   or those of the whole chain, and each link's share (default: equal shares)
-- Each angle is piecewise linear in the DOF, and 0 at the DOF's rest.
--
-- Returns { set =, segments =, tip =, dofs =, maps = }; dofs and maps by the names in `turns`.
local sinew = require "sinew"

local function fail(...) error(("sinew.chain " .. (...)):format(select(2, ...)), 0) end

local function of_link(value, i)
  if type(value) == "function" then return value(i) end
  return value
end

local link_fields = { name = true, at = true, turn = true, rest = true, shape = true, mass = true,
  mass_at = true, axes = true, centres = true, ranges = true }
local turn_fields = { name = true, dof = true, min = true, max = true, rest = true, unit = true,
  label = true, stiffness = true, axis = true, centre = true, ranges = true, range = true,
  shares = true }
local chain_fields = { parent = true, links = true, name = true, at = true, turn = true,
  shape = true, mass = true, mass_at = true, turns = true }

local function check_fields(who, given, known)
  for field in pairs(given) do
    if not known[field] then fail("%s has no field '%s'", who, tostring(field)) end
  end
end

local function read_links(name, options)
  local links, given = {}, options.links
  if type(given) == "number" then
    if given < 1 or given % 1 ~= 0 then
      fail("'%s': the number of links must be a whole number from 1, not %g", name, given)
    end
    for i = 1, given do links[i] = { name = (options.name or name .. "%d"):format(i) } end
    return links
  elseif type(given) ~= "table" or #given == 0 then
    fail("'%s': `links` must be a list of links or their number", name)
  end
  for i, link in ipairs(given) do
    if type(link) == "string" then link = { name = link } end
    if type(link) ~= "table" or type(link.name) ~= "string" then
      fail("'%s': link %d must be a name, or a table with one", name, i)
    end
    check_fields(("'%s': link '%s'"):format(name, link.name), link, link_fields)
    links[i] = link
  end
  return links
end

-- the angles of link i: { low, high } in degrees, or nothing
local function range_of(who, turn, links, i)
  local link = links[i]
  local range = link.ranges and link.ranges[turn.name]
  if range == nil and turn.ranges then range = turn.ranges[i] end
  if range == nil and turn.range then
    local share = turn.shares and (turn.shares[i] or 0) or 1 / #links
    range = { turn.range[1] * share, turn.range[2] * share }
  end
  if not range then return nil end
  if type(range) ~= "table" or type(range[1]) ~= "number" or type(range[2]) ~= "number" then
    fail("%s: the range of link '%s' must be two numbers or false", who, link.name)
  end
  if range[1] == 0 and range[2] == 0 then return nil end
  return range
end

-- through (rest, 0), so that the angle is 0 at rest
local function curve_of(who, low, rest, high, range)
  local points = {}
  if low < rest then
    points[1] = { low, range[1] }
  elseif range[1] ~= 0 then
    fail("%s rests at its lowest value, where the angle must be 0, not %g", who, range[1])
  end
  points[#points + 1] = { rest, 0 }
  if rest < high then
    points[#points + 1] = { high, range[2] }
  elseif range[2] ~= 0 then
    fail("%s rests at its highest value, where the angle must be 0, not %g", who, range[2])
  end
  return sinew.piecewise(points)
end

local function make_turn(name, set, turn, links)
  if type(turn) ~= "table" or type(turn.name) ~= "string" then
    fail("'%s': each of `turns` needs a name", name)
  end
  local who = ("'%s': turn '%s'"):format(name, turn.name)
  check_fields(who, turn, turn_fields)
  local low, high = turn.min, turn.max
  if sinew.type(turn.dof) == "DOF" then
    low, high = low or turn.dof.min, high or turn.dof.max
  end
  low, high = low or -1, high or 1
  local rest = turn.rest or (sinew.type(turn.dof) == "DOF" and turn.dof.rest)
    or math.max(low, math.min(high, 0))
  if not (low < high and low <= rest and rest <= high) then
    fail("%s: min %g, rest %g, max %g are not in order", who, low, rest, high)
  end
  local dof = turn.dof or set:dof(turn.name, { min = low, max = high, rest = rest,
    unit = turn.unit or "", label = turn.label, stiffness = turn.stiffness })
  local curves, any = { dof, name = turn.name .. "_map" }, false
  for i, link in ipairs(links) do
    local range = range_of(who, turn, links, i)
    if range then
      curves[link.name] = curve_of(who, low, rest, high, range)
      any = true
    end
  end
  return dof, any and set:map(curves) or nil, curves
end

local function own(list, turn, default)
  local value = list and list[turn.name]
  if value == nil then return default end
  return value
end

local function make_rotation(name, set, turn, link, angle)
  local axis = own(link.axes, turn, turn.axis)
  if not axis then fail("'%s': turn '%s' has no axis for '%s'", name, turn.name, link.name) end
  return set:rotation { angle, axis = axis, centre = own(link.centres, turn, turn.centre),
    name = link.name .. "_" .. turn.name }
end

local function chain(rig, name, options)
  check_fields(("'%s'"):format(name), options, chain_fields)
  local links, turns = read_links(name, options), options.turns or {}
  local made = { set = rig:joint_set(name), segments = {}, dofs = {}, maps = {} }
  local curves = {}
  for t, turn in ipairs(turns) do
    local dof, map, curved = make_turn(name, made.set, turn, links)
    made.dofs[turn.name], made.maps[turn.name], curves[t] = dof, map, curved
  end
  local parent = options.parent
  for i, link in ipairs(links) do
    local placed = { parent = parent, rest = link.rest }
    if not link.rest then
      placed.at = link.at or of_link(options.at, i)
      placed.turn = link.turn or of_link(options.turn, i)
    end
    for _, field in ipairs { "shape", "mass", "mass_at" } do
      placed[field] = link[field]
      if placed[field] == nil then placed[field] = of_link(options[field], i) end
    end
    local segment, matrices = made.set:segment(link.name, placed), {}
    for t, turn in ipairs(turns) do
      if curves[t][link.name] then
        matrices[#matrices + 1] = make_rotation(name, made.set, turn, link,
          made.maps[turn.name][link.name])
      end
    end
    if #matrices > 1 then
      matrices.name = link.name .. "_turns"
      segment:drive(made.set:multiply(matrices))
    elseif matrices[1] then
      segment:drive(matrices[1])
    end
    made.segments[i], parent = segment, segment
  end
  made.tip = parent
  return made
end

return setmetatable({}, {
  __call = function(_, rig, name, options)
    if sinew.type(rig) ~= "rig" or type(name) ~= "string" or type(options) ~= "table" then
      error("sinew.chain: a rig, a name and a table of options are wanted", 2)
    end
    local ok, made = pcall(chain, rig, name, options)
    if not ok then error(made, 2) end
    return made
  end,
})

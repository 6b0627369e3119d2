-- Makes one side of a body from the other, across the plane x = 0 (the body's right is at -X).
--
--   local left = sinew.mirror(right_arm)                -- a joint set; returns the new one
--   sinew.mirror { right_arm, right_hand, right_nail }  -- several sets, and single segments
--   sinew.mirror(rig)                                   -- whatever has a side and no counterpart
--
-- Equal DOF values give the mirror image; curves and ranges stay the same (mirror_rules.lua says
-- what changes sign). Undriven segments below the copied ones are copied too. Names change sides,
-- see sides.lua. A part that is not copied is replaced by its counterpart, if there is one, and
-- shared otherwise; a shared part must be symmetric about the plane.
--
-- Options: rename = function(name) that returns the other name; opposite = a list of shared DOFs
-- and scalar ports that change sign, such as a spine that bends sideways.
--
-- Returns the new joint set (or a list, if several were given), and a table of all copies by the
-- names of their originals: sets, segments, dofs, components.
local sinew = require "sinew"
local rules = require "sinew.mirror_rules"
local Copy = require "sinew.mirror_copy"

local fail = Copy.fail

local function choose_set(copy, set)
  if not copy:has_side(set.name) then
    fail("joint set '%s' has no side in its name; `rename` can give it one", set.name)
  end
  copy.chosen.sets[set.name] = true
  for _, what in ipairs { "segments", "dofs", "components" } do
    for _, item in ipairs(set[what]) do copy.chosen[what][item.name] = true end
  end
end

local function choose_rig(copy)
  local function is_alone(what, name)
    return copy:has_side(name) and not copy.there[what][copy.rename(name)]
  end
  for _, set in ipairs(copy.rig.joint_sets) do
    if is_alone("sets", set.name) then choose_set(copy, set) end
  end
  for _, what in ipairs { "segments", "dofs", "components" } do
    for _, item in ipairs(copy.rig[what]) do
      if not item.joint_set and is_alone(what, item.name) then
        copy.chosen[what][item.name] = true
      end
    end
  end
end

-- a segment with a side whose joint set has none would be left out without a word
local function check_left_out(copy)
  for _, segment in ipairs(copy.rig.segments) do
    local set, name = segment.joint_set, segment.name
    if set and not copy.chosen.segments[name] and copy:has_side(name)
      and not copy:has_side(set.name) and not copy.there.segments[copy.rename(name)] then
      fail("segment '%s' has a side, but its joint set '%s' has none, so it would not be "
        .. "mirrored; make it in another: bone('%s', { set = '%s', ... })", name, set.name, name,
        name)
    end
  end
end

-- undriven segments outside of every joint set go with their parent
local function choose_hanging(copy)
  local chosen = copy.chosen.segments
  for _, segment in ipairs(copy.rig.segments) do
    if segment.parent and chosen[segment.parent] and not segment.driver and not segment.joint_set
      and copy:has_side(segment.name) then
      chosen[segment.name] = true
    end
  end
end

local function mirror(what, options)
  local type_name = sinew.type(what)
  local list = type_name == "table" and what or { what }
  if #list == 0 then fail("a joint set, a list of them or a rig is wanted, not nothing") end
  local copy
  for _, item in ipairs(list) do
    local kind = sinew.type(item)
    if kind ~= "joint set" and kind ~= "segment" and kind ~= "rig" then
      fail("a joint set, a segment or a rig is wanted, not a %s", kind)
    end
    local rig = kind == "rig" and item or item.rig
    copy = copy or Copy.start(rig, options or {})
    if rig ~= copy.rig then fail("all must be of one rig") end
    if kind == "rig" then
      choose_rig(copy)
      check_left_out(copy)
    elseif kind == "joint set" then
      choose_set(copy, item)
    else
      copy.chosen.segments[item.name] = true
    end
  end
  choose_hanging(copy)
  local sets = copy:run()
  if type_name == "joint set" then return sets[1], copy.made end
  return sets, copy.made
end

return setmetatable({ rules = rules.kinds, point = rules.point, axis = rules.axis,
  matrix = rules.matrix }, {
  __call = function(_, what, options)
    local ok, first, copies = pcall(mirror, what, options)
    if not ok then error(first, 2) end
    return first, copies
  end,
})

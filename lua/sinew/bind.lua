-- Binds a character to a rig, as `sinew bind` does:
--
--   local result, problem, blank = sinew.bind(rig, "hero.glb", { map = { Bone_3 = "ulna_l" } })
--
-- The rig, which is changed, takes the character's proportions and its binding. result.joints is
-- the report, a line for each joint; result.notes, scale, residual (metres) and script (the text of
-- a rig script that needs the rig as XML beside it). Where the joints cannot be told apart: nil,
-- the reason, and the text of a map to fill in. A map names joints of the character and the
-- segments they follow; it may be a part of them if the rest is found, and for rigs that are no
-- human body it is needed.
local sinew = require "sinew"
local body = require "sinew.bind.body"
local drive = require "sinew.bind.drive"
local fit = require "sinew.bind.fit"
local json = require "sinew.bind.json"
local match = require "sinew.bind.match".match
local report = require "sinew.bind.report"
local trees = require "sinew.bind.tree"

-- joints of the tree by the keys of a map, and what is wrong with it
local function read_map(map, tree, keys, segments)
  local by_key, has, read, still = {}, {}, {}, {}
  for i = 1, tree.size do by_key[keys[tree.node[i]]] = i end
  for _, name in ipairs(segments) do has[name] = true end
  for name, value in pairs(map or {}) do
    local segment = type(value) == "table" and value[1] or value
    if not by_key[name] then
      return nil, ("the map names the joint '%s', which the character does not "
        .. "have"):format(tostring(name))
    end
    if type(segment) == "string" then
      if not has[segment] then
        return nil, ("the map gives '%s' the segment '%s', which the rig does not "
          .. "have"):format(name,
          segment)
      end
      read[by_key[name]] = segment
    elseif segment == false then
      still[by_key[name]] = true
    elseif segment ~= nil then
      return nil, ("the map gives '%s' a %s instead of a segment's name"):format(name,
        type(segment))
    end
  end
  return read, still
end

-- a map as slots of a body; nil where it has segments that are none
local function slots_of(map)
  local slots, any = {}, false
  for i, segment in pairs(map) do
    slots[i] = body.slot(segment)
    any = any or slots[i] ~= nil
  end
  return any and slots or nil
end

-- gives the rig the DOF ranges that a file written by Sinew brings; returns how many differed
local function restore(rig, character)
  local stored, tuning, count = character.stored, {}, 0
  for _, dof in ipairs(rig.dofs) do
    local kept = stored and stored.dofs[dof.name]
    if kept and (kept.min ~= dof.min or kept.max ~= dof.max or kept.rest ~= dof.rest) then
      tuning[dof.name], count = kept, count + 1
    end
  end
  if count > 0 then rig:tune { dofs = tuning } end
  return count
end

-- what is said of trees of joints beside the one that follows the rig, such as a second figure
local function say_others(tree, drives, keys, notes)
  for i = 1, tree.size do
    if not tree.parent[i] and tree.live[i] then
      local below, follows = tree:subtree(i), false
      for _, k in ipairs(below) do follows = follows or drives[k] ~= nil end
      if not follows and #below > 4 then
        notes[#notes + 1] = ("'%s' and the %d joints below it do not follow the rig"):format(
          keys[tree.node[i]], #below - 1)
      end
    end
  end
end

local function bind(rig, path, options)
  local character, problem = sinew.character(path)
  if not character then return nil, problem end
  local restored = restore(rig, character)
  local tree, keys = trees.of_character(character), report.keys(character)
  local segments, has = {}, {}
  for i, segment in ipairs(rig.segments) do
    segments[i], has[segment.name] = segment.name, true
  end
  local map, still
  map, still = read_map(options.map, tree, keys, segments)
  if not map then return nil, still end
  local human = not body.missing(has)
  local matched, partial, bound, drives
  if human then
    matched, problem, partial = match(tree, next(map) and slots_of(map) or nil)
    if matched then
      bound, problem = fit.body(rig, tree, matched)
      if not bound then return nil, problem end
      drives = drive.of_body(tree, matched, bound)
    end
  else
    problem = ("the rig has no segment '%s': it is no human body, so it needs a map"):format(
      body.missing(has))
  end
  if not matched then
    local count = 0
    for _ in pairs(map) do count = count + 1 end
    if human and count > 0 and count < 6 or count == 0 then
      return nil, problem, report.blank(tree, partial or {}, keys, segments, drive.of_map(map))
    end
    matched = { slots = {}, notes = {}, confidence = {}, from = {} }
    bound, problem = fit.map(rig, tree, map)
    if not bound then return nil, problem end
    drives = drive.of_map(map)
    for i in pairs(map) do matched.confidence[i], matched.from[i] = 1, "the given map" end
  end
  -- what the map leaves alone keeps its place, unless another joint points at it
  for i in pairs(still) do drives[i] = nil end
  for _, d in pairs(drives) do
    if d.aim and not drives[d.aim] then d.aim = nil end
  end
  local place, joints, driven = bound.space:matrix(), {}, 0
  for i, d in pairs(drives) do
    driven = driven + 1
    joints[keys[tree.node[i]]] = { segment = d.segment, at = d.at, near = d.near,
      toward = d.toward, share = d.share,
      aim = d.aim and keys[tree.node[d.aim]], twist = d.twist and keys[tree.node[d.twist]] }
  end
  local file = path:match "[^/\\]*$"
  rig.binding = json { file = file, place = place, pose = bound.values, joints = joints }
  local ok
  ok, problem = character:bind(rig)
  if not ok then return nil, problem end
  local notes = {}
  for _, note in ipairs(matched.notes) do notes[#notes + 1] = note end
  for line in character.warnings:gmatch "[^\n]+" do notes[#notes + 1] = line end
  say_others(tree, drives, keys, notes)
  if restored > 0 then
    notes[#notes + 1] = ("%d DOFs have the ranges that %s brings"):format(restored, file)
  end
  for side, angles in pairs(bound.angles) do
    if math.max(angles[1], angles[2]) > 10 then
      notes[#notes + 1] = ("the %s arm is %.0f degrees from its bind pose, which offsets take "
        .. "up"):format(
        side == "L" and "left" or "right", math.max(angles[1], angles[2]))
    end
  end
  return { character = character, tree = tree, keys = keys, matched = matched, drives = drives,
    joints = report.joints(tree, matched, drives, keys), notes = notes, scale = bound.space.scale,
    residual = bound.residual, driven = driven, values = bound.values, place = place, file = file,
    rig_name = rig.name, xml = options.xml or "rig.xml", leg = bound.space.leg,
    trunk = bound.space.trunk, script = nil }
end

return setmetatable({}, { __call = function(_, rig, path, options)
  if sinew.type(rig) ~= "rig" or type(path) ~= "string" or type(options or {}) ~= "table" then
    error("sinew.bind: a rig, the path of a character and perhaps a table of options are wanted", 2)
  end
  local result, problem, blank = bind(rig, path, options or {})
  if not result then return nil, problem, blank end
  result.script = report.script(result)
  return result
end })

-- A rig from a skeleton that exists: a character in glTF (.glb, .gltf, .vrm) or a BVH file.
--
--   local rig, loss = assert(sinew.skeleton "hero.glb")
--   local knee = rig:joint_set "knee"
--   local flexion = knee:dof("flexion", { min = 0, max = 140 })
--   rig:find "LowerLeg_L":drive(knee:rotation { flexion, axis = {1, 0, 0} })
--   for _, line in ipairs(loss) do print(line) end
--
-- Every bone is a segment with its name, parent and rest frame, in metres; nothing drives it yet.
-- Of a glTF the joints of its skins are bones, or every node where it has no skin; with all = true
-- every node. Frames are those in which the file shows the skeleton; of a BVH those with all
-- rotations zero. A scale of a node, such as an armature's, is in the positions of the bones below.
--
-- Options: name = the rig's (the file's unless given), all, unit = metres in a unit of a BVH, which
-- has none of its own (1).
--
-- loss says what the rig does not have, a line for each sort, and as numbers: loss.meshes, skins,
-- animations, cameras, frames, nodes (left out), scaled (bones), renamed (a list of { from, to }).
-- Names that a rig cannot have are changed: dots become '_', a second "Bone" is "Bone_2", one
-- without a name is "bone". nil and the message where a file cannot be read; in a hosted script it
-- is a file in the script's folder.
local sinew = require "sinew"

local fields = { name = true, all = true, unit = true }

-- a name that a segment can have, and that no other has
local function valid(name, taken)
  local base = name:gsub("[%.%c]", "_"):gsub("^ +", ""):gsub(" +$", "")
  if #base > 90 then
    base = base:sub(1, 90):gsub("[\128-\191]*$", ""):gsub("[\192-\255]$", ""):gsub(" +$", "")
  end
  if base == "" then base = "bone" end
  local unique, count = base, 1
  while taken[unique] do
    count = count + 1
    unique = ("%s_%d"):format(base, count)
  end
  taken[unique] = true
  return unique
end

-- which nodes are bones, and how many were left out
local function choose(nodes, all)
  local chosen, any, left = {}, false, 0
  for _, node in ipairs(nodes) do any = any or node.joint end
  for i, node in ipairs(nodes) do
    chosen[i] = all or not any or nodes.frames ~= nil or node.joint
    if not chosen[i] then left = left + 1 end
  end
  return chosen, left
end

local function bone_above(nodes, chosen, i)
  local parent = nodes[i].parent
  while parent and not chosen[parent] do parent = nodes[parent].parent end
  return parent
end

local function is_scaled(node)
  local s = node.scale
  return s and (math.abs(s.x - 1) > 1e-3 or math.abs(s.y - 1) > 1e-3 or math.abs(s.z - 1) > 1e-3)
end

local function note(loss, count, one, many, rest)
  if count and count > 0 then
    local what = count == 1 and one .. " is" or many .. " are"
    loss[#loss + 1] = ("%d %s %s"):format(count, what, rest)
  end
end

local function tell(loss, nodes)
  note(loss, nodes.meshes, "mesh", "meshes", "left out")
  note(loss, nodes.skins, "skin", "skins", "left out: what follows which bone")
  note(loss, nodes.animations, "animation", "animations", "left out")
  note(loss, nodes.cameras, "camera", "cameras", "left out")
  note(loss, nodes.frames, "frame of motion", "frames of motion",
    "left out; sinew.load_motion reads them")
  note(loss, loss.nodes, "node", "nodes", "no joint of a skin, and left out; see all = true")
  note(loss, loss.scaled, "bone", "bones", "scaled or mirrored, which only shows in positions")
  for _, pair in ipairs(loss.renamed) do
    loss[#loss + 1] = ("'%s' is called '%s'"):format(pair[1], pair[2])
  end
end

-- Reports a BVH that is too large to be in metres, with the unit that gives the size of a body.
local function check_size(loss, nodes, unit)
  local size = 0
  for k = 13, 15 do
    local low, high = math.huge, -math.huge
    for _, node in ipairs(nodes) do
      low, high = math.min(low, node.world[k]), math.max(high, node.world[k])
    end
    size = math.max(size, high - low)
  end
  if not unit and size > 5 then
    local factor = 0.1
    while size * factor > 5 do factor = factor / 10 end
    loss[#loss + 1] = ("it measures %.3g m, since a BVH has no unit; unit = %g makes it %.3g m")
      :format(size, factor, size * factor)
  end
end

local function skeleton(path, options)
  for field in pairs(options) do
    if not fields[field] then
      error(("sinew.skeleton has no option '%s'; there are name, all and unit"):format(
        tostring(field)), 0)
    end
  end
  local nodes, problem = sinew.nodes(path, options.unit and { unit = options.unit })
  if not nodes then return nil, problem end
  local chosen, left = choose(nodes, options.all)
  local rig = sinew.rig(options.name or valid(path:match "[^/\\]*$":gsub("%.%w+$", ""), {}))
  local loss = { meshes = nodes.meshes, skins = nodes.skins, animations = nodes.animations,
    cameras = nodes.cameras, frames = nodes.frames, nodes = left, scaled = 0, renamed = {} }
  local taken, made = {}, {}
  for i, node in ipairs(nodes) do
    if chosen[i] then
      local above, name = bone_above(nodes, chosen, i), valid(node.name, taken)
      if name ~= node.name then table.insert(loss.renamed, { node.name, name }) end
      if is_scaled(node) then loss.scaled = loss.scaled + 1 end
      made[i] = rig:segment(name, { parent = above and made[above],
        rest = above and nodes[above].world:inverse() * node.world or node.world })
    end
  end
  if not next(made) then return nil, ("%s: has no bones in its scene"):format(path) end
  tell(loss, nodes)
  if nodes.frames then check_size(loss, nodes, options.unit) end
  return rig, loss
end

return setmetatable({}, {
  __call = function(_, path, options)
    if type(path) ~= "string" or type(options or {}) ~= "table" then
      error("sinew.skeleton: a path and perhaps a table of options are wanted", 2)
    end
    local ok, rig, loss = pcall(skeleton, path, options or {})
    if not ok then error(rig, 2) end
    return rig, loss
  end,
})

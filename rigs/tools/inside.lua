-- How many vertices of a bound character's limbs get into other limbs or the trunk while a clip
-- plays: lua5.4 rigs/tools/inside.lua HERO.lua CLIP.json [FRAMES A SECOND, 10]
--
-- Counted are vertices of forearms with hands, of legs, and of thighs in the other leg. A vertex
-- is inside where the winding number of the other's triangles is above a half [Jacobson 2013],
-- which also holds for pieces that are open where they were cut. What is inside in the bind pose
-- already does not count.
local sinew = require "sinew"
local match = require "sinew.bind.match".match
local trees = require "sinew.bind.tree"

local hero, clip_path, rate = arg[1], arg[2], tonumber(arg[3] or 10)
if not clip_path or not rate then
  io.stderr:write "usage: inside.lua HERO.lua CLIP.json [FRAMES A SECOND]\n"
  os.exit(2)
end
local rig = assert(sinew.load(hero))
local file = rig.binding:match '"file"%s*:%s*"([^"]*)"'
local character = assert(sinew.character((hero:match "^(.*/)" or "") .. file, rig))
local clip = assert(sinew.load_clip(clip_path))

-- the limb of each node, and whether its vertices are asked for
local limb_of, asked = {}, {}
do
  local tree = trees.of_character(character)
  local found = assert(match(tree)).slots
  local slot_of = {}
  for slot, i in pairs(found) do
    if type(i) == "number" then slot_of[tree.node[i]] = slot end
  end
  local limbs = { upperarm = "arm", forearm = "arm", hand = "arm", thigh = "leg", shin = "leg",
    foot = "leg", toe = "leg" }
  for n, node in ipairs(character.nodes) do
    local slot = slot_of[n] or ""
    local limb = limbs[slot:sub(1, -2)]
    limb_of[n] = limb and limb .. " " .. slot:sub(-1) or limb_of[node.parent or 0] or "trunk"
    asked[n] = limb and slot:sub(1, -2) ~= "upperarm" or not limb and asked[node.parent or 0]
  end
end

-- the node of each matrix: the one that goes the same way from one pose to another
local node_of = {}
do
  local pose = rig:pose()
  local function both() return character:worlds(pose), character:matrices(pose) end
  local worlds, matrices = both()
  for k, dof in ipairs(rig.dofs) do
    pose[dof.name] = dof.min + (dof.max - dof.min) * (k * .618 % 1)
  end
  local worlds2, matrices2 = both()
  local function ways(a, b, count)
    local list = {}
    for i = 1, count do list[i] = b:mat4(i) * a:mat4(i):inverse() end
    return list
  end
  local of_nodes = ways(worlds, worlds2, #character.nodes)
  for i, way in ipairs(ways(matrices, matrices2, character.matrix_count)) do
    local least
    for n, other in ipairs(of_nodes) do
      local off = 0
      for k = 1, 16 do off = off + (way[k] - other[k]) ^ 2 end
      if not least or off < least then least, node_of[i - 1] = off, n end
    end
  end
end

-- all vertices, of each the heaviest joint, and the triangles of each limb
local vertices, triangles = {}, {}
for p = 1, character.part_count do
  local part, first = character:part(p), #vertices
  for v = 0, #part.positions / 3 - 1 do
    local one = { part.positions[3 * v + 1], part.positions[3 * v + 2], part.positions[3 * v + 3],
      joints = {}, weights = {} }
    local most = 0
    for k = 1, 4 do
      one.joints[k], one.weights[k] = part.joints[4 * v + k], part.weights[4 * v + k]
      if one.weights[k] > most then
        most, one.node = one.weights[k], node_of[one.joints[k]]
      end
    end
    one.limb = limb_of[one.node or 1]
    vertices[#vertices + 1] = one
  end
  for t = 1, #part.triangles, 3 do
    local a, b, c = first + part.triangles[t], first + part.triangles[t + 1],
      first + part.triangles[t + 2]
    local limb = vertices[a].limb
    if vertices[b].limb == limb and vertices[c].limb == limb then
      triangles[limb] = triangles[limb] or {}
      table.insert(triangles[limb], { a, b, c })
    end
  end
end

local function skin(matrices)
  local places, m = {}, {}
  for k = 1, 16 * character.matrix_count do m[k] = matrices[k] end
  for i, v in ipairs(vertices) do
    local x, y, z = 0, 0, 0
    for k = 1, 4 do
      local w, j = v.weights[k], 16 * v.joints[k]
      if w > 0 then
        x = x + w * (m[j + 1] * v[1] + m[j + 5] * v[2] + m[j + 9] * v[3] + m[j + 13])
        y = y + w * (m[j + 2] * v[1] + m[j + 6] * v[2] + m[j + 10] * v[3] + m[j + 14])
        z = z + w * (m[j + 3] * v[1] + m[j + 7] * v[2] + m[j + 11] * v[3] + m[j + 15])
      end
    end
    places[i] = { x, y, z }
  end
  return places
end

-- the winding number of triangles about a point: the sum of solid angles [Van Oosterom 1983]
local function winding(places, list, p)
  local sum = 0
  for _, t in ipairs(list) do
    local a, b, c = places[t[1]], places[t[2]], places[t[3]]
    local ax, ay, az = a[1] - p[1], a[2] - p[2], a[3] - p[3]
    local bx, by, bz = b[1] - p[1], b[2] - p[2], b[3] - p[3]
    local cx, cy, cz = c[1] - p[1], c[2] - p[2], c[3] - p[3]
    local la = math.sqrt(ax * ax + ay * ay + az * az)
    local lb = math.sqrt(bx * bx + by * by + bz * bz)
    local lc = math.sqrt(cx * cx + cy * cy + cz * cz)
    local det = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    local rest = la * lb * lc + (ax * bx + ay * by + az * bz) * lc
      + (bx * cx + by * cy + bz * cz) * la + (cx * ax + cy * ay + cz * az) * lb
    sum = sum + 2 * math.atan(det, rest)
  end
  return sum / (4 * math.pi)
end

-- { [vertex] = limb that it is in }
local function inside(places)
  local boxes, found = {}, {}
  for limb, list in pairs(triangles) do
    local box = { math.huge, math.huge, math.huge, -math.huge, -math.huge, -math.huge }
    for _, t in ipairs(list) do
      for _, v in ipairs(t) do
        for k = 1, 3 do
          box[k], box[k + 3] = math.min(box[k], places[v][k]), math.max(box[k + 3], places[v][k])
        end
      end
    end
    boxes[limb] = box
  end
  for i, v in ipairs(vertices) do
    local p = places[i]
    for limb, box in pairs(asked[v.node or 1] and boxes or {}) do
      -- a thigh lies in the pelvis, so trunks are asked for arms alone
      local other = limb ~= v.limb and (limb ~= "trunk" or v.limb:find "^arm")
      for k = 1, 3 do other = other and p[k] > box[k] and p[k] < box[k + 3] end
      if other and winding(places, triangles[limb], p) > .5 then found[i] = limb end
    end
  end
  return found
end

local pose = rig:pose()
local already, count, frames, worst, at = inside(skin(character:matrices(nil))), 0, 0, 0, 0
local pairs_, total = {}, 0
for _, v in ipairs(vertices) do total = total + (asked[v.node or 1] and 1 or 0) end
for k = 0, math.floor(clip.duration * rate + .5) do
  clip:apply(pose, k / rate)
  local now = 0
  for i, limb in pairs(inside(skin(character:matrices(pose)))) do
    if not already[i] then
      now = now + 1
      local pair = vertices[i].limb .. " in " .. limb
      pairs_[pair] = (pairs_[pair] or 0) + 1
    end
  end
  count, frames = count + now, frames + 1
  if now > worst then worst, at = now, k / rate end
end
local list = {}
for pair, n in pairs(pairs_) do list[#list + 1] = ("%s %.1f"):format(pair, n / frames) end
table.sort(list)
print(("%d frames: of %d vertices of limbs %.1f are inside on average, %d at most at %.1f s"):
  format(frames, total, count / frames, worst, at))
if #list > 0 then print("on average: " .. table.concat(list, ", ")) end

-- The joints of a character as a tree of points in its bind pose, for the matcher.
--
-- tree.size, tree.parent[i], tree.kids[i], tree.at[i] = { x, y, z }, tree.names[i];
-- tree.own[i]: vertices follow it; tree.live[i]: it or something below does; tree.node[i]: its
-- number in the character.
local vec = {}

function vec.sub(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end
function vec.add(a, b) return { a[1] + b[1], a[2] + b[2], a[3] + b[3] } end
function vec.scale(a, k) return { a[1] * k, a[2] * k, a[3] * k } end
function vec.dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end
function vec.cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end
function vec.length(a) return math.sqrt(vec.dot(a, a)) end
function vec.distance(a, b) return vec.length(vec.sub(a, b)) end
function vec.unit(a)
  local length = vec.length(a)
  return length > 1e-12 and vec.scale(a, 1 / length) or { 0, 0, 0 }
end
-- without its part along a unit vector
function vec.across(a, axis) return vec.sub(a, vec.scale(axis, vec.dot(a, axis))) end
function vec.angle(a, b)
  return math.deg(math.acos(math.max(-1, math.min(1, vec.dot(vec.unit(a), vec.unit(b))))))
end
function vec.middle(a, b) return vec.scale(vec.add(a, b), .5) end

local Tree = {}
Tree.__index = Tree

-- from i up to its root
function Tree:path(i)
  local list = { i }
  while self.parent[list[#list]] do list[#list + 1] = self.parent[list[#list]] end
  return list
end

function Tree:depth(i)
  local depth = 1
  while self.parent[i] do i, depth = self.parent[i], depth + 1 end
  return depth
end

function Tree:is_below(i, top)
  while i and i ~= top do i = self.parent[i] end
  return i == top
end

-- the lowest joint above both, or nil
function Tree:common(a, b)
  local seen = {}
  for _, i in ipairs(self:path(a)) do seen[i] = true end
  for _, i in ipairs(self:path(b)) do
    if seen[i] then return i end
  end
end

-- the joints below `top` on the way to `leaf`
function Tree:down(top, leaf)
  local up, list = {}, {}
  while leaf ~= top do up[#up + 1], leaf = leaf, self.parent[leaf] end
  for k = #up, 1, -1 do list[#list + 1] = up[k] end
  return list
end

function Tree:subtree(top)
  local list, k = { top }, 1
  while list[k] do
    for _, kid in ipairs(self.kids[list[k]]) do list[#list + 1] = kid end
    k = k + 1
  end
  return list
end

function Tree:live_kids(i)
  local list = {}
  for _, kid in ipairs(self.kids[i]) do
    if self.live[kid] then list[#list + 1] = kid end
  end
  return list
end

-- joints: { name =, parent =, at =, weight =, piece =, joint =, human = }, parents first; a piece
-- is no joint of the body
local function make(joints, skinned)
  local tree = setmetatable({ size = #joints, parent = {}, kids = {}, at = {}, names = {}, own = {},
    live = {}, human = {}, node = {} }, Tree)
  for i, joint in ipairs(joints) do
    tree.parent[i], tree.at[i], tree.names[i] = joint.parent, joint.at, joint.name
    tree.human[i], tree.node[i] = joint.human, joint.node or i
    tree.kids[i] = {}
    if joint.parent then table.insert(tree.kids[joint.parent], i) end
    tree.own[i] = not joint.piece and (not skinned or joint.weight > 0)
  end
  for i = #joints, 1, -1 do
    tree.live[i] = tree.live[i] or tree.own[i]
    if tree.live[i] and tree.parent[i] then tree.live[tree.parent[i]] = true end
  end
  return tree
end

-- The nodes of a character that count: joints of skins, nodes between them and, below them, those
-- that show nothing; without a skin all nodes. A mesh that hangs on a joint counts as its weight.
local function of_character(character)
  local nodes = character.nodes
  local skinned, chosen = false, {}
  local weight = 0
  for _, node in ipairs(nodes) do
    skinned, weight = skinned or node.joint, weight + node.weight
  end
  local function place(node) return { node.bind[13], node.bind[14], node.bind[15] } end
  local inner, piece = {}, {}
  for _, node in ipairs(nodes) do inner[node.parent or 0] = true end
  for i, node in ipairs(nodes) do
    -- a rigid piece that hangs in the very place of a joint is a part of it
    piece[i] = not skinned and node.weight > 0 and not inner[i] and node.parent
      and vec.distance(place(node), place(nodes[node.parent])) <= 1e-6 * character.height
    chosen[i] = not skinned or node.joint
    if node.joint then
      local between, at = {}, node.parent
      while at do
        between[#between + 1] = at
        if nodes[at].joint then
          for _, k in ipairs(between) do chosen[k] = true end
          between = {}
        end
        at = nodes[at].parent
      end
    end
  end
  for i, node in ipairs(nodes) do -- ends, below joints
    if not chosen[i] and node.weight == 0 and node.parent and chosen[node.parent] then
      chosen[i] = true
    end
  end
  local joints, number = {}, {}
  for i, node in ipairs(nodes) do
    local above = node.parent
    while above and not chosen[above] do above = nodes[above].parent end
    if chosen[i] then
      local m = node.bind
      number[i] = #joints + 1
      joints[#joints + 1] = { name = node.name, parent = above and number[above], node = i,
        at = { m[13], m[14], m[15] }, weight = node.weight, piece = piece[i], human = node.human }
    end
    if above and (piece[i] or not chosen[i]) then
      local joint = joints[number[above]]
      joint.weight = joint.weight + node.weight
    end
  end
  local tree = make(joints, skinned and weight > 0)
  function tree:extent(i, direction) return character:extent(self.node[i], direction) end
  return tree
end

-- The joints of a recorded motion, as with all rotations zero.
local function of_motion(nodes)
  local joints = {}
  for i, node in ipairs(nodes) do
    local m = node.world
    joints[i] = { name = node.name, parent = node.parent, at = { m[13], m[14], m[15] }, weight = 1 }
  end
  local tree = make(joints, false)
  function tree.extent() end
  return tree
end

return { vec = vec, of_character = of_character, of_motion = of_motion }

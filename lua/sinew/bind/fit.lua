-- Gives a rig a character's pose and proportions. The DOFs first take the character's bind pose,
-- then the segments' origins are moved onto its joints, from the root outwards. Only `at` changes:
-- DOFs, limits and clips keep their meaning. One scale stays outside the rig.
local sinew = require "sinew"
local body = require "sinew.bind.body"
local vec = require "sinew.bind.tree".vec

local fit = {}

local function place_of(m) return { m[13], m[14], m[15] } end
-- a direction through a rotation, and back
local function turned(m, v)
  return { m[1] * v[1] + m[5] * v[2] + m[9] * v[3], m[2] * v[1] + m[6] * v[2] + m[10] * v[3],
    m[3] * v[1] + m[7] * v[2] + m[11] * v[3] }
end
local function turned_back(m, v)
  return { m[1] * v[1] + m[2] * v[2] + m[3] * v[3], m[5] * v[1] + m[6] * v[2] + m[7] * v[3],
    m[9] * v[1] + m[10] * v[2] + m[11] * v[3] }
end

-- the rig's segments in order, with parent, origin and where they are in a pose
local function read_rig(rig)
  local r = { rig = rig, order = {}, parent = {}, at = {}, has = {}, dofs = {} }
  for _, segment in ipairs(rig.segments) do
    r.order[#r.order + 1] = segment.name
    r.has[segment.name] = true
    r.parent[segment.name] = segment.parent
    r.at[segment.name] = place_of(segment.rest)
  end
  for _, dof in ipairs(rig.dofs) do r.dofs[dof.name] = dof end
  return r
end

local function worlds(r, pose)
  local all = {}
  for _, name in ipairs(r.order) do all[name] = pose:world(name) end
  return all
end

-- --- where the character is in the rig's space

-- From the character's world to the rig's: x to the left, y up, z forward, the rig's size, the
-- feet on the ground below the hips.
local function make_space(tree, found, rest, matched)
  local at = tree.at
  local s = { left = matched.left, up = matched.up, front = matched.front }
  local function joint(slot) return found[slot] and at[found[slot]] end
  local function here(name) return place_of(rest[name]) end
  local hips = vec.middle(joint "thighL", joint "thighR")
  local leg, own_leg = 0, 0
  for side, suffix in pairs(body.suffix) do
    leg = leg + .5 * (vec.distance(joint("thigh" .. side), joint("shin" .. side))
      + vec.distance(joint("shin" .. side), joint("foot" .. side)))
    own_leg = own_leg + .5 * (vec.distance(here("femur" .. suffix), here("tibia" .. suffix))
      + vec.distance(here("tibia" .. suffix), here("talus" .. suffix)))
  end
  local trunk, own_trunk = vec.distance(joint "head", hips), vec.distance(here "skull",
    here "pelvis")
  s.scale = (leg + trunk) / (own_leg + own_trunk)
  s.leg, s.trunk = leg / own_leg / s.scale, trunk / own_trunk / s.scale
  local ankle = math.min(vec.dot(joint "footL", s.up), vec.dot(joint "footR", s.up))
  local floor = ankle - s.scale * here("talus_l")[2]
  for side, suffix in pairs(body.suffix) do -- a high ankle: the toes are not below the ground
    local toe = "proximal_toe2" .. suffix
    if joint("toe" .. side) and rest[toe] then
      floor = math.min(floor, vec.dot(joint("toe" .. side), s.up) - s.scale * here(toe)[2])
    end
  end
  -- the soles stand on the ground, where a mesh shows them
  local sole = math.huge
  for side in pairs(body.suffix) do
    sole = math.min(sole, (tree:extent(found["foot" .. side], s.up)) or math.huge)
  end
  if sole < ankle and ankle - sole < .5 * leg then floor = sole end
  s.origin = vec.add(vec.across(hips, s.up), vec.scale(s.up, floor))
  function s:to(p)
    local d = vec.scale(vec.sub(p, self.origin), 1 / self.scale)
    return { vec.dot(d, self.left), vec.dot(d, self.up), vec.dot(d, self.front) }
  end
  function s:matrix()
    local m = {}
    for _, axis in ipairs { self.left, self.up, self.front } do
      for k = 1, 3 do m[#m + 1] = axis[k] * self.scale end
      m[#m + 1] = 0
    end
    for k = 1, 3 do m[#m + 1] = self.origin[k] end
    m[16] = 1
    return m
  end
  return s
end

-- --- the bind pose in DOFs

-- lowers the cost of a few DOFs, one after the other, with steps that become smaller
local function descend(pose, values, keys, cost)
  local best, step, tries = cost(), 16, 0
  while step > .02 and tries < 3000 do
    local better = false
    for _, key in ipairs(keys) do
      for _, sign in ipairs { 1, -1 } do
        local before = values[key]
        pose[key] = before + sign * step
        local now = cost()
        tries = tries + 1
        if now < best - 1e-7 then
          best, better, values[key] = now, true, pose[key]
          break
        end
        pose[key] = before
      end
    end
    if not better then step = step / 2 end
  end
  return best
end

local function pose_arm(r, pose, rest, T, chains, side, values, report)
  local suffix, word, sign = body.suffix[side], body.side[side], side == "L" and 1 or -1
  local shoulder, elbow, wrist = word .. "_shoulder.", word .. "_elbow.", word .. "_wrist."
  local keys = { shoulder .. "raise", shoulder .. "swing", shoulder .. "twist", elbow .. "flexion",
    elbow .. "twist", wrist .. "flexion", wrist .. "deviation" }
  for _, key in ipairs(keys) do
    if not r.dofs[key] then return end
  end
  local upper = vec.unit(vec.sub(T["forearm" .. side], T["upperarm" .. side]))
  local fore = vec.unit(vec.sub(T["hand" .. side], T["forearm" .. side]))
  local function first(finger) return chains[finger .. side] end
  local middle = first "middle" or first "index"
  local hand = middle and vec.unit(vec.sub(middle, T["hand" .. side])) or fore
  -- towards the thumb, across the hand; from it where the palm faces
  local index, last, thumb = first "index", first "little" or first "ring" or first "middle",
    first "thumb"
  local across = index and last and vec.distance(index, last) > 1e-4 and vec.sub(index, last)
    or thumb and vec.sub(thumb, T["hand" .. side])
  if across and vec.length(vec.across(across, hand)) < 1e-3 then across = nil end
  local palm = across and vec.scale(vec.unit(vec.cross(vec.across(across, hand), hand)), -sign)
  local raise = vec.angle(upper, { 0, -1, 0 })
  local bend = vec.angle(upper, fore)
  values[keys[1]] = raise
  local level = math.sqrt(upper[1] ^ 2 + upper[3] ^ 2)
  local swing = level > .05 and math.deg(math.atan(upper[3] / (upper[1] * sign))) or 40
  if level > .05 and upper[1] * sign < 0 then swing = swing + (upper[3] > 0 and 180 or -180) end
  values[keys[2]] = swing
  values[keys[3]] = raise > 45 and -40 or -40 * raise / 45
  values[keys[4]] = bend > 8 and bend or 0
  for k = 5, 7 do values[keys[k]] = 0 end
  if bend <= 8 then table.remove(keys, 4) end -- else it would never stretch
  local ulna, carpus, humerus = "ulna" .. suffix, "carpus" .. suffix, "humerus" .. suffix
  local along = turned_back(rest[carpus], { 0, -1, 0 })
  local facing = turned_back(rest[carpus], { -sign, 0, 0 })
  local errors
  local m, n, o = sinew.mat4(), sinew.mat4(), sinew.mat4()
  local function cost()
    local h, u, c = pose:world(humerus, m), pose:world(ulna, n), pose:world(carpus, o)
    local pu, pc = place_of(u), place_of(c)
    errors = { vec.angle(vec.sub(pu, place_of(h)), upper), vec.angle(vec.sub(pc, pu), fore),
      vec.angle(turned(c, along), hand), palm and vec.angle(turned(c, facing), palm) or 0 }
    return errors[1] ^ 2 + errors[2] ^ 2 + .5 * errors[3] ^ 2 + .3 * errors[4] ^ 2
      + .02 * pose[elbow .. "twist"] ^ 2
  end
  for key, value in pairs(values) do
    pose[key] = value
    values[key] = pose[key]
  end
  descend(pose, values, keys, cost)
  cost()
  report[side] = errors
end

local function pose_leg(r, pose, T, side, values)
  local word, sign = body.side[side], side == "L" and 1 or -1
  local upper = vec.unit(vec.sub(T["shin" .. side], T["thigh" .. side]))
  local lower = vec.unit(vec.sub(T["foot" .. side], T["shin" .. side]))
  local bend = math.deg(math.asin(math.max(-1, math.min(1, vec.cross(upper, lower)[1]))))
  local function set(key, value)
    if not r.dofs[key] then return end
    pose[key] = value
    values[key] = pose[key]
  end
  if bend > 3 then set(word .. "_knee.flexion", bend) end
  set(word .. "_hip.flexion", math.max(-10, math.min(60,
    math.deg(math.atan(upper[3] / math.max(1e-3, -upper[2]))))))
  set(word .. "_hip.abduction", math.max(-20, math.min(40,
    math.deg(math.atan(upper[1] * sign / math.max(1e-3, -upper[2]))))))
end

-- --- proportions

-- carries a point from between a0, a1 to between b0, b1
local function warp(p, a0, a1, b0, b1)
  local from, to = vec.sub(a1, a0), vec.sub(b1, b0)
  local factor = vec.length(to) / vec.length(from)
  local u, v, d = vec.unit(from), vec.unit(to), vec.sub(p, a0)
  local axis = vec.cross(u, v)
  local first = vec.cross(axis, d)
  local second = vec.scale(vec.cross(axis, first), 1 / math.max(1e-6, 1 + vec.dot(u, v)))
  return vec.add(b0, vec.scale(vec.add(vec.add(d, first), second), factor))
end

-- the vertebrae run through the character's own spine joints
local function spine_targets(r, rest, T, spine, hips, dest)
  local here = function(name) return place_of(rest[name]) end
  local head, neck = T.head, T.neck
  if not neck or neck[2] - hips[2] > .97 * (head[2] - hips[2]) or neck[2] <= hips[2] then
    neck = vec.add(hips, vec.scale(vec.sub(head, hips), .824))
  end
  local list = {}
  for _, name in ipairs(body.vertebrae) do
    if r.has[name] then list[#list + 1] = name end
  end
  local last = 0
  for k, name in ipairs(list) do
    if name == "C7" then last = k end
  end
  local low, high = here "pelvis", here "C7"
  local function share(y, a, b) return (y - a[2]) / (b[2] - a[2]) end
  local knots = { { 0, low, hips } }
  for _, q in ipairs(spine) do
    local f = share(q[2], hips, neck)
    local near
    for k = 1, last - 1 do
      local distance = math.abs(share(here(list[k])[2], low, high) - f)
      if not near or distance < near[1] then near = { distance, k } end
    end
    if near and f > .12 and f < .97 and near[2] > knots[#knots][1] then
      knots[#knots + 1] = { near[2], here(list[near[2]]), q }
    end
  end
  knots[#knots + 1] = { last, high, neck }
  for k, name in ipairs(list) do
    if k > last then
      dest[name] = warp(here(name), high, here "skull", neck, head)
    else
      for n = 2, #knots do
        local a, b = knots[n - 1], knots[n]
        if k <= b[1] then
          dest[name] = warp(here(name), a[2], b[2], a[3], b[3])
          break
        end
      end
    end
  end
  return neck, list
end

-- what a body's segments go to: { name = point }, and toes that move together
local function body_targets(r, rest, tree, found, space)
  local T, targets, toes = {}, {}, {}
  for slot, i in pairs(found) do
    if type(i) == "number" then T[slot] = space:to(tree.at[i]) end
  end
  local hips = space:to(vec.middle(tree.at[found.thighL], tree.at[found.thighR]))
  targets.pelvis = hips
  targets.skull = T.head
  local spine = {}
  for k, i in ipairs(found.spine) do spine[k] = space:to(tree.at[i]) end
  local neck, list = spine_targets(r, rest, T, spine, hips, targets)
  for side, suffix in pairs(body.suffix) do
    for slot, segment in pairs(body.limbs) do
      if slot ~= "clavicle" and slot ~= "toe" and T[slot .. side] then
        targets[(body.centres[slot] or segment) .. suffix] = T[slot .. side]
      end
    end
    toes[suffix] = T["toe" .. side]
  end
  for key, chain in pairs(found.chains) do
    local finger, side = key:match "^(%l+)([LR])$"
    local segments = body.finger(finger, #chain)
    for k, i in ipairs(chain) do
      local name = segments[k] and segments[k] .. body.suffix[side]
      if name and r.has[name] then targets[name] = space:to(tree.at[i]) end
    end
  end
  return targets, toes, neck, list, T
end

-- the changes of `at` that bring segments to their targets in this pose; the largest error left
local function move_origins(r, now, targets, toes)
  local shift, changed, worst = {}, {}, 0
  for _, name in ipairs(r.order) do
    local parent = r.parent[name]
    local moved = parent and shift[parent] or { 0, 0, 0 }
    local at, target = place_of(now[name]), targets[name]
    local suffix = name:match "^clavicle(_[lr])$"
    local toe = name:match "^proximal_toe%d(_[lr])$"
    if suffix and targets["humerus" .. suffix] then
      -- what the humeral head lacks is given to the clavicle: the girdle moves as a whole
      local head = vec.add(place_of(now["humerus" .. suffix]), moved)
      target = vec.add(vec.add(at, moved), vec.sub(targets["humerus" .. suffix], head))
    elseif toe and toes[toe] then
      target = vec.add(toes[toe], vec.sub(at, place_of(now["proximal_toe2" .. toe])))
    end
    local off = target and vec.sub(target, vec.add(at, moved)) or { 0, 0, 0 }
    local length = vec.length(off)
    worst = math.max(worst, length)
    if length > 1e-7 then
      changed[name] = vec.add(r.at[name], parent and turned_back(now[parent], off) or off)
    end
    shift[name] = vec.add(moved, off)
  end
  return changed, worst
end

local function apply(r, changed)
  local segments = {}
  for name, at in pairs(changed) do
    segments[name] = { at = at }
    r.at[name] = at
  end
  if next(segments) then r.rig:tune { segments = segments } end
end

local function posed(r, values)
  local pose = r.rig:pose()
  for key, value in pairs(values) do pose[key] = value end
  return pose
end

-- moves origins until they are where they should be
local function take_proportions(r, values, targets, toes)
  local worst
  for _ = 1, 6 do
    local changed
    changed, worst = move_origins(r, worlds(r, posed(r, values)), targets, toes)
    if worst < 2e-6 then break end
    apply(r, changed)
  end
  return worst
end

-- A body: matched joints on a rig with the segments of body.lua.
function fit.body(rig, tree, matched)
  local r = read_rig(rig)
  local missing = body.missing(r.has)
  if missing then
    return nil, ("the rig has no segment '%s', which a body needs; give a map "
      .. "(--map)"):format(missing)
  end
  local pose = rig:pose()
  local rest = worlds(r, pose)
  local found = matched.slots
  local space = make_space(tree, found, rest, matched)
  local targets, toes, neck, vertebrae, T = body_targets(r, rest, tree, found, space)
  local firsts = {}
  for key, chain in pairs(found.chains) do firsts[key] = space:to(tree.at[chain[1]]) end
  local values, angles = {}, {}
  for _, side in ipairs { "L", "R" } do
    local arm = {}
    pose_arm(r, pose, rest, T, firsts, side, arm, angles)
    pose_leg(r, pose, T, side, values)
    for key, value in pairs(arm) do values[key] = value end
  end
  local residual = take_proportions(r, values, targets, toes)
  local final = worlds(r, posed(r, values))
  return { r = r, space = space, values = values, angles = angles,
    residual = residual * space.scale,
    bind = final, neck = neck, vertebrae = vertebrae }
end

-- --- any rig, with a map of joints to segments

-- the rotation and scale that bring points onto others with the least squares [Horn 1987]
local function similarity(from, to)
  local a, b = { 0, 0, 0 }, { 0, 0, 0 }
  for k = 1, #from do
    a, b = vec.add(a, vec.scale(from[k], 1 / #from)), vec.add(b, vec.scale(to[k], 1 / #to))
  end
  local s, size, goal = { {}, {}, {} }, 0, 0
  for i = 1, 3 do
    for j = 1, 3 do s[i][j] = 0 end
  end
  for k = 1, #from do
    local p, q = vec.sub(from[k], a), vec.sub(to[k], b)
    size, goal = size + vec.dot(p, p), goal + vec.dot(q, q)
    for i = 1, 3 do
      for j = 1, 3 do s[i][j] = s[i][j] + p[i] * q[j] end
    end
  end
  if #from < 3 or size <= 1e-12 or goal <= 1e-12 then return nil end
  local n = { { s[1][1] + s[2][2] + s[3][3], s[2][3] - s[3][2], s[3][1] - s[1][3],
    s[1][2] - s[2][1] },
    { 0, s[1][1] - s[2][2] - s[3][3], s[1][2] + s[2][1], s[3][1] + s[1][3] },
    { 0, 0, -s[1][1] + s[2][2] - s[3][3], s[2][3] + s[3][2] },
    { 0, 0, 0, -s[1][1] - s[2][2] + s[3][3] } }
  for i = 2, 4 do
    for j = 1, i - 1 do n[i][j] = n[j][i] end
  end
  -- the largest eigenvector by powers of n + its bound, which makes all eigenvalues positive
  local bound = 0
  for i = 1, 4 do
    for j = 1, 4 do bound = bound + math.abs(n[i][j]) end
  end
  local q = { 1, .01, .02, .03 }
  for _ = 1, 2000 do
    local next_, length = {}, 0
    for i = 1, 4 do
      next_[i] = bound * q[i]
      for j = 1, 4 do next_[i] = next_[i] + n[i][j] * q[j] end
      length = length + next_[i] ^ 2
    end
    for i = 1, 4 do q[i] = next_[i] / math.sqrt(length) end
  end
  local turn = sinew.mat4.from(sinew.quat(q[2], q[3], q[4], q[1]))
  return turn, math.sqrt(goal / size), a, b
end

-- `map` is { [joint] = segment name }; segments without a joint move along.
function fit.map(rig, tree, map)
  local r = read_rig(rig)
  local rest = worlds(r, rig:pose())
  local from, to = {}, {}
  for i, name in pairs(map) do
    if not r.has[name] then return nil,
      ("the map names the segment '%s', which the rig does not have"):format(name) end
    from[#from + 1], to[#to + 1] = place_of(rest[name]), tree.at[i]
  end
  local turn, scale, a, b = similarity(from, to)
  if not turn then return nil, "a map needs three joints or more that are not in one place" end
  local space = { scale = scale, leg = 1, trunk = 1 }
  function space.to(_, p)
    return vec.add(a, vec.scale(turned_back(turn, vec.sub(p, b)), 1 / scale))
  end
  function space.matrix()
    local m = {}
    for k = 1, 12 do m[k] = turn[k] * (k % 4 == 0 and 0 or scale) end
    local moved = vec.sub(b, vec.scale(turned(turn, a), scale))
    for k = 1, 3 do m[12 + k] = moved[k] end
    m[16] = 1
    return m
  end
  local targets = {}
  for i, name in pairs(map) do targets[name] = space:to(tree.at[i]) end
  local residual = take_proportions(r, {}, targets, {})
  return { r = r, space = space, values = {}, angles = {}, residual = residual * scale }
end

return fit

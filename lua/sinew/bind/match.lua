-- Which joint is which: the file's own map first, then names and shape together, the facing by the
-- feet. The result has a joint for each slot ("hips", "thighL", ...), the chains of spine, neck and
-- fingers, directions, and for each joint the slot with a confidence and where it comes from.
local names = require "sinew.bind.names"
local shape = require "sinew.bind.shape"
local vec = require "sinew.bind.tree".vec

local required = { "hips", "head" }
for _, side in ipairs { "L", "R" } do
  for _, slot in ipairs { "upperarm", "forearm", "hand", "thigh", "shin", "foot" } do
    required[#required + 1] = slot .. side
  end
end
local limbs = { { "clavicle", "upperarm", "forearm", "hand" }, { "thigh", "shin", "foot", "toe" } }
local optional = { clavicle = true, toe = true }

local function clamp(x) return math.max(-1, math.min(1, x)) end

-- --- by the file's map

local function by_map(tree)
  local found, any = { spine = {} }, false
  for i = 1, tree.size do
    local slot = tree.human[i] and names.vrm[tree.human[i]]
    if slot == "spine" then
      table.insert(found.spine, i)
    elseif slot and (not found[slot] or tree:depth(i) < tree:depth(found[slot])) then
      found[slot] = i
    end
    any = any or slot ~= nil
  end
  return any and found or nil
end

-- --- by names

-- the increasing assignment of a limb's slots along a chain with the greatest sum
local function assign(chain, limb, words)
  local best, best_sum = nil, 0
  local function go(from, slot, sum, made)
    if sum > best_sum then
      best, best_sum = {}, sum
      for k, v in pairs(made) do best[k] = v end
    end
    for s = slot, #limb do
      for k = from, #chain do
        local one = words[chain[k]]
        local weight = one.slots[limb[s]]
        if weight then
          local numbers = 0
          for _, n in ipairs(one.numbers) do numbers = numbers + tonumber(n) end
          made[limb[s]] = chain[k]
          go(k + 1, s + 1, sum + weight + (optional[limb[s]] and 0 or .6) - .02 * (k - 1)
            - .01 * math.min(numbers, 30), made)
          made[limb[s]] = nil
        end
      end
    end
  end
  go(1, 1, 0, {})
  return best, best_sum
end

local function limb_by_names(tree, words, limb, side)
  local member, list = {}, {}
  for i = 1, tree.size do
    if tree.live[i] and words[i].side == side then
      for _, slot in ipairs(limb) do member[i] = member[i] or words[i].slots[slot] ~= nil end
      if member[i] then list[#list + 1] = i end
    end
  end
  local inner = {}
  for _, i in ipairs(list) do
    local above = tree.parent[i]
    while above do
      inner[above] = true
      above = tree.parent[above]
    end
  end
  local best, best_sum, others = {}, 0, {}
  local joints = false -- a limb whose joints are named, not its bones: there the wrist is the hand
  for _, i in ipairs(list) do joints = joints or words[i].key:find "elbow" ~= nil end
  for _, i in ipairs(list) do
    if joints and words[i].key:find "wrist" then words[i].slots.hand = 1.2 end
  end
  for _, leaf in ipairs(list) do
    if not inner[leaf] then
      local path, chain = tree:path(leaf), {}
      for k = #path, 1, -1 do
        if member[path[k]] and #chain < 10 then chain[#chain + 1] = path[k] end
      end
      local made, sum = assign(chain, limb, words)
      others[#others + 1] = made
      if made and sum > best_sum then best, best_sum = made, sum end
    end
  end
  -- a limb in two parts, as of feet that hang on the root
  for _, made in ipairs(others) do
    local both, whole = {}, true
    for _, slot in ipairs(limb) do
      both[slot] = best[slot] or made[slot]
      whole = whole and (both[slot] or optional[slot])
    end
    for _, slot in ipairs(limb) do
      if whole and not optional[slot] and not best[slot] then return both end
    end
  end
  return best
end

local function by_names(tree, words)
  local found = {}
  for _, side in ipairs { "L", "R" } do
    for _, limb in ipairs(limbs) do
      for slot, i in pairs(limb_by_names(tree, words, limb, side)) do found[slot .. side] = i end
    end
    for _, slot in ipairs { "foot", "hand" } do -- cut off and kept under the root
      for i = 1, tree.size do
        local weight = words[i].side == side and words[i].slots[slot]
        if weight and weight >= .8 and not found[slot .. side] then found[slot .. side] = i end
      end
    end
    for _, finger in ipairs(names.fingers) do
      for i = 1, tree.size do
        if words[i].side == side and words[i].slots[finger] and tree.live[i] then
          local known = found[finger .. side]
          local more = known and words[i].slots[finger] - words[known].slots[finger] or 1
          if more > 0 or (more == 0 and tree:depth(i) < tree:depth(known)) then
            found[finger .. side] = i
          end
        end
      end
    end
  end
  for _, slot in ipairs { "head", "neck", "hips", "jaw" } do
    for i = 1, tree.size do
      local weight, known = words[i].slots[slot], found[slot]
      if weight and tree.live[i] and (not known or weight > words[known].slots[slot]
        or (weight == words[known].slots[slot] and tree:depth(i) < tree:depth(known))) then
        found[slot] = i
      end
    end
  end
  local spine, deepest = {}, nil
  for i = 1, tree.size do
    if words[i].slots.spine and tree.live[i] then
      if not found.hips then
        found.hips = i
      elseif not deepest or tree:depth(i) > tree:depth(deepest) then
        deepest = i
      end
    end
  end
  if deepest then
    local path = tree:path(deepest)
    for k = #path, 1, -1 do
      if words[path[k]].slots.spine and path[k] ~= found.hips then spine[#spine + 1] = path[k] end
    end
  end
  found.spine = spine
  return found
end

local function count_required(found)
  local count = 0
  for _, slot in ipairs(required) do count = count + (found[slot] and 1 or 0) end
  return count
end

-- --- by shape

-- first joints of fingers by place: the thumb starts nearest the wrist, then from it outwards;
-- `known` has those that names tell, [joint] = finger
local function fingers_by_shape(tree, arm, side, known, dest)
  local at, hand = tree.at, arm.hand
  local axis = vec.unit(vec.sub(at[hand], at[arm.forearm]))
  local starts, ends = {}, {}
  for _, kid in ipairs(tree:live_kids(hand)) do
    local far = kid
    for _, i in ipairs(tree:subtree(kid)) do
      if tree.live[i] and tree:depth(i) > tree:depth(far) then far = i end
    end
    if vec.dot(vec.sub(at[far], at[hand]), axis) > 0 then
      starts[#starts + 1], ends[kid] = kid, at[far]
    end
  end
  if #starts < 2 or #starts > 6 then return end
  local thumb, least
  for _, k in ipairs(starts) do
    local cost = vec.dot(vec.sub(at[k], at[hand]), axis)
      - .5 * vec.length(vec.across(vec.sub(ends[k], at[k]), axis))
    if known[k] then cost = known[k] == "thumb" and -math.huge or math.huge end
    if not least or cost < least then thumb, least = k, cost end
  end
  local others, free, used = {}, {}, {}
  for _, k in ipairs(starts) do
    if known[k] then
      used[known[k]] = true
    elseif k ~= thumb then
      others[#others + 1] = k
    end
  end
  table.sort(others, function(a, b)
    return vec.distance(ends[a], ends[thumb]) < vec.distance(ends[b], ends[thumb])
  end)
  if not known[thumb] and not used.thumb then dest["thumb" .. side] = thumb end
  for _, finger in ipairs { "index", "middle", "ring", "little" } do
    local skip = used[finger] or (finger == "ring" and #others == 3)
    if not skip then free[#free + 1] = finger end
  end
  for k, finger in ipairs(free) do dest[finger .. side] = others[k] end
end

-- Votes for which side is the front: of toes, feet, knees, elbows and what hangs on the head.
-- Returns the direction, how sure it is, and how much toes and feet say.
local function facing(tree, found, up, side, size)
  local at, front = tree.at, vec.cross(side, up)
  local sum, total, feet = 0, 0, 0
  local function vote(weight, value, foot)
    sum, total = sum + weight * clamp(value), total + math.abs(weight * clamp(value))
    if foot then feet = feet + weight * clamp(value) end
  end
  local function bend(a, b, c)
    local axis = vec.unit(vec.sub(at[c], at[a]))
    return vec.dot(vec.across(vec.sub(at[b], at[a]), axis), front)
  end
  for _, s in ipairs { "L", "R" } do
    local thigh, shin, foot = found["thigh" .. s], found["shin" .. s], found["foot" .. s]
    if thigh and shin and foot then
      local length = vec.distance(at[thigh], at[shin]) + vec.distance(at[shin], at[foot])
      local toe = found["toe" .. s]
      if toe then vote(3, vec.dot(vec.sub(at[toe], at[foot]), front) / (.1 * length), true) end
      vote(.7, bend(thigh, shin, foot) / (.02 * length))
      local low, high = tree:extent(foot, front)
      if low then
        vote(1, (low + high - 2 * vec.dot(at[foot], front)) / (.1 * length), true)
      end
    end
    local upper, fore, hand = found["upperarm" .. s], found["forearm" .. s], found["hand" .. s]
    if upper and fore and hand then
      local length = vec.distance(at[upper], at[fore]) + vec.distance(at[fore], at[hand])
      vote(-.5, bend(upper, fore, hand) / (.02 * length))
      local thumb, index = found["thumb" .. s], found["index" .. s] or found["middle" .. s]
      if thumb and index then
        vote(.7, vec.dot(vec.sub(at[thumb], at[index]), front) / (.05 * length))
      end
    end
  end
  if found.head then
    local face, count = 0, 0
    for _, i in ipairs(tree:subtree(found.head)) do
      local away = vec.sub(at[i], at[found.head])
      if i ~= found.head and vec.dot(away, up) < .12 * size then
        face, count = face + vec.dot(away, front), count + 1
      end
    end
    if count > 0 then vote(.7, face / count / (.02 * size)) end
  end
  return sum >= 0 and front or vec.scale(front, -1), math.abs(sum) / (total + 1e-9), feet
end

local function swap_sides(found)
  local bases = {}
  for key in pairs(found) do
    local base = key:match "^(.*)[LR]$"
    if base then bases[base] = true end
  end
  for base in pairs(bases) do
    found[base .. "L"], found[base .. "R"] = found[base .. "R"], found[base .. "L"]
  end
end

-- the slots of a body found by shape, with sides by its own facing
local function by_shape(tree, body, named)
  local known = {}
  for _, finger in ipairs(named and names.fingers or {}) do
    for _, side in ipairs { "L", "R" } do known[named[finger .. side] or 0] = finger end
  end
  local found = { hips = body.hips, head = body.head, neck = body.neck, spine = {} }
  for _, i in ipairs(body.spine) do
    if i ~= body.hips then table.insert(found.spine, i) end
  end
  for n, side in ipairs { "L", "R" } do
    local leg, arm = body.legs[n], body.arms[n]
    for _, slot in ipairs { "thigh", "shin", "foot", "toe" } do found[slot .. side] = leg[slot] end
    for _, slot in ipairs { "clavicle", "upperarm", "forearm", "hand" } do
      found[slot .. side] = arm[slot]
    end
    fingers_by_shape(tree, arm, side, known, found)
  end
  local front = facing(tree, found, body.up, body.side, body.size)
  local left = vec.cross(body.up, front)
  if vec.dot(vec.sub(tree.at[found.thighL], tree.at[found.thighR]), left) < 0 then
    swap_sides(found)
  end
  return found
end

-- --- both

-- whether the sides in the names speak against those found
local function against_names(found, words)
  local vote = 0
  for _, slot in ipairs(names.sided) do
    for _, side in ipairs { "L", "R" } do
      local i = found[slot .. side]
      if i and words[i].side then vote = vote + (words[i].side == side and 1 or -1) end
    end
  end
  return vote < 0
end

local function merge(tree, words, named, shaped)
  local found = {}
  for slot, i in pairs(shaped) do found[slot] = i end
  if against_names(found, words) then swap_sides(found) end
  for _, side in ipairs { "L", "R" } do
    for _, finger in ipairs(names.fingers) do
      found[finger .. side] = named[finger .. side] or found[finger .. side]
    end
    for _, limb in ipairs(limbs) do
      local whole, vague, taken = true, false, {}
      for _, slot in ipairs(limb) do
        local i = named[slot .. side]
        if not optional[slot] then whole = whole and i ~= nil end
        if i then
          vague, taken[i] = vague or words[i].vague, true
        end
      end
      for _, slot in ipairs(limb) do
        local key = slot .. side
        if whole and not vague then
          if named[key] then
            found[key] = named[key]
          elseif taken[found[key]] then
            found[key] = nil
          end
        else
          found[key] = found[key] or named[key]
        end
      end
    end
  end
  for _, slot in ipairs { "head", "neck", "hips", "jaw" } do
    local i = named[slot]
    if i and (words[i].slots[slot] or 0) >= .8 then found[slot] = i end
  end
  if found.neck == found.head then found.neck = nil end
  local above = {}
  for _, i in ipairs(found.head and tree:path(found.head) or {}) do above[i] = true end
  local fits = #named.spine > 0
  for _, i in ipairs(named.spine) do
    fits = fits and above[i] and i ~= found.head and i ~= found.neck
  end
  if fits then found.spine = named.spine end
  return found
end

-- fingers that names tell, on the hands that the shape tells
local function add_named_fingers(tree, named, found)
  for _, finger in ipairs(names.fingers) do
    for _, side in ipairs { "L", "R" } do
      local i = named[finger .. side]
      for _, own in ipairs { "L", "R" } do
        local hand = found["hand" .. own]
        if i and hand and i ~= hand and tree:is_below(i, hand) then found[finger .. own] = i end
      end
    end
  end
end

-- --- the parts between

-- the joint of a finger that follows: the only one, or the one whose name says so, or that goes on
local function next_of_finger(tree, words, at, finger)
  local kids, named, long = {}, {}, {}
  for _, kid in ipairs(tree:live_kids(at)) do
    if tree.own[kid] then
      kids[#kids + 1] = kid
      if words[kid].slots[finger] then named[#named + 1] = kid end
      if #tree:live_kids(kid) > 0 then long[#long + 1] = kid end
    end
  end
  for _, list in ipairs { kids, named, long } do
    if #list == 1 then return list[1] end
  end
end

-- spine and neck as chains, and the joints of each finger
local function complete(tree, words, found)
  local spine, taken = {}, {}
  for slot, i in pairs(found) do
    if type(i) == "number" then taken[i] = slot end
  end
  for _, i in ipairs(found.spine) do
    if not (i == found.hips or i == found.neck or i == found.head) then
      spine[#spine + 1], taken[i] = i, "spine"
    end
  end
  -- what bears the chest or the neck is spine, whatever its name
  local top = found.neck or found.head
  local lowest = top and tree:common(found.hips, top)
  for _, i in ipairs(lowest and #spine > 0 and tree:down(lowest, top) or {}) do
    if tree.own[i] and not taken[i] then spine[#spine + 1] = i end
  end
  table.sort(spine, function(a, b) return tree:depth(a) < tree:depth(b) end)
  found.spine, found.necks = spine, {}
  if found.neck and found.head and tree:is_below(found.head, found.neck) then
    found.necks[1] = found.neck
    for _, i in ipairs(tree:down(found.neck, found.head)) do
      if i ~= found.head and tree.own[i] then table.insert(found.necks, i) end
    end
  elseif found.neck then
    found.necks[1] = found.neck
  end
  found.chains = {}
  for _, side in ipairs { "L", "R" } do
    for _, finger in ipairs(names.fingers) do
      local at = found[finger .. side]
      local chain = {}
      while at and #chain < 5 do
        chain[#chain + 1] = at
        at = next_of_finger(tree, words, at, finger)
      end
      if #chain > 0 then found.chains[finger .. side] = chain end
    end
  end
end

-- joints that roll with a share of their limb: named so, or ends on the line of its bone
local function find_twists(tree, words, found)
  local matched, twists = {}, {}
  for slot, i in pairs(found) do
    if type(i) == "number" then matched[i] = slot end
  end
  for _, side in ipairs { "L", "R" } do
    for _, bone in ipairs { { "upperarm", "forearm", "clavicle", true }, { "forearm", "hand",
      "hand" },
      { "thigh", "shin", "hips", true }, { "shin", "foot", "foot" } } do
      local top, low = found[bone[1] .. side], found[bone[2] .. side]
      local with = found[bone[3] .. side] or found[bone[3]]
      if bone[3] == "clavicle" and not with then with = found.spine[#found.spine] end
      if top and low and with then
        local line = vec.sub(tree.at[low], tree.at[top])
        local length, axis = vec.length(line), vec.unit(line)
        for _, i in ipairs(tree:subtree(top)) do
          local away = vec.sub(tree.at[i], tree.at[top])
          local along = vec.dot(away, axis) / math.max(length, 1e-9)
          local aside = vec.length(vec.across(away, axis)) / math.max(length, 1e-9)
          local named = words[i].twist and aside < .3
          -- ends, and joints that split a bone
          local placed = (#tree.kids[i] == 0 or tree:is_below(low, i)) and tree.own[i]
            and aside < .04
            and along > .1 and not words[i].helper
          if i ~= top and not matched[i] and (named or placed) and not tree:is_below(i, low)
            and along > -.1 and along < 1.2 then
            local share = math.max(0, math.min(1, along))
            twists[i] = { joint = top, aim = low, with = with, share = bone[4] and 1 - share
              or share,
              slot = bone[1] .. side }
          end
        end
      end
    end
  end
  found.twists = twists
end

-- The whole. `given` may be a map from joint to slot, which then counts alone for those slots.
-- Returns the result, or nil, why not, and what was found.
local function match(tree, given)
  local words = names.read(tree.names, function(i)
    return tree.own[i] and #tree:live_kids(i) > 0
  end)
  local mapped = by_map(tree)
  local named = mapped or by_names(tree, words)
  local count = count_required(named)
  local body = shape(tree, not mapped and count >= 4 and words or nil)
  local shaped = body and by_shape(tree, body, not mapped and named or nil)
  local blind = body and not mapped and shape(tree) -- without the names, to compare
  local alone = mapped and shaped or (blind and by_shape(tree, blind))
  local found, source
  if mapped then
    found, source = mapped, "map"
  elseif count < 4 then
    found, source = shaped or named, "shape"
    if shaped then add_named_fingers(tree, named, found) end
  elseif not body or body.score > 60 then
    found, source = named, "names"
  else
    found, source = merge(tree, words, named, shaped), "both"
  end
  found.spine = found.spine or {}
  for i, slot in pairs(given or {}) do
    if slot == "spine" then
      found.spine = found.given_spine or {}
      found.given_spine = found.spine
      table.insert(found.spine, i)
    else
      for key, other in pairs(found) do
        if other == i then found[key] = nil end
      end
      found[slot] = i
    end
  end
  found.given_spine = nil
  local missing = {}
  for _, slot in ipairs(required) do
    if not found[slot] then missing[#missing + 1] = slot end
  end
  local result = { slots = found, words = words, source = source, score = body and body.score,
    missing = missing, notes = {} }
  local at = tree.at
  if not (found.thighL and found.thighR and found.hips and found.head) then
    return nil, "these were not found: " .. table.concat(missing, ", "), result
  end
  -- up is the file's, or the axis along which the body stands
  local trunk = vec.sub(at[found.head], vec.middle(at[found.thighL], at[found.thighR]))
  local up = body and body.up or { 0, 1, 0 }
  result.lean = vec.angle(trunk, up)
  if result.lean > 45 and not given then
    return nil, ("hips to head lean by %.0f degrees: this is no upright body"):format(result.lean),
      result
  end
  if #missing > 0 then
    return nil, "these were not found: " .. table.concat(missing, ", "), result
  end
  local side = vec.unit(vec.across(vec.sub(at[found.thighL], at[found.thighR]), up))
  local size = 0
  for i = 1, tree.size do
    if tree.live[i] then size = math.max(size, math.abs(vec.dot(vec.sub(at[i], at[found.hips]),
      up))) end
  end
  local front, sure, feet = facing(tree, found, up, side, 2 * size)
  -- sides as they are named give one front, the body another: clear feet are believed
  if vec.dot(front, vec.cross(side, up)) < 0 then
    if math.abs(feet) >= 1.5 and sure > .8 and not given then
      swap_sides(found)
      result.mirrored = true
      result.notes[1] = (mapped and "the file's map calls" or "names call") .. " left right: the "
        .. "feet point the other way, so sides are swapped"
    elseif mapped then
      result.notes[1] = "the figure faces the other way than its map says; the map is believed"
    end
    side = vec.unit(vec.across(vec.sub(at[found.thighL], at[found.thighR]), up))
  end
  result.up, result.left, result.front = up, side, vec.cross(side, up)
  complete(tree, words, found)
  find_twists(tree, words, found)

  -- how sure each joint is
  local agreed = {}
  for slot, i in pairs(alone or {}) do
    if type(i) == "number" then agreed[i] = slot:gsub("[LR]$", "") end
  end
  result.confidence, result.from = {}, {}
  local function judge(slot, i)
    local base = slot:gsub("[LR]$", "")
    local by_name = words[i].slots[base] ~= nil
    local by_form = agreed[i] == base
    local value, from = .2, "shape, unsure"
    if given and given[i] then
      value, from = 1, "the given map"
    elseif mapped then
      value, from = 1, "the file's map"
    elseif by_name and by_form then
      value, from = .99, "name and shape"
    elseif by_name then
      value, from = .9, "name"
    elseif body and body.score < 25 then
      value, from = .6, "shape"
    end
    result.confidence[i], result.from[i] = value, from
  end
  for slot, i in pairs(found) do
    if type(i) == "number" then judge(slot, i) end
  end
  for _, i in ipairs(found.spine) do judge("spine", i) end
  for _, i in ipairs(found.necks) do judge("neck", i) end
  for key, chain in pairs(found.chains) do
    for _, i in ipairs(chain) do judge(key, i) end
  end
  local unsure = {}
  for _, slot in ipairs(required) do
    if result.confidence[found[slot]] < .5 then unsure[#unsure + 1] = slot end
  end
  if #unsure > 0 then
    return nil, "names say too little and the shape is unsure of " .. table.concat(unsure, ", "),
      result
  end
  return result
end

return { match = match, required = required }

-- How each joint of a bound character follows the rig's segments.
local body = require "sinew.bind.body"
local vec = require "sinew.bind.tree".vec

local function place_of(m) return { m[13], m[14], m[15] } end

local function nearest(names, cost)
  local best, least
  for _, name in ipairs(names) do
    local value = cost(name)
    if not least or value < least then best, least = name, value end
  end
  return best
end

-- A spine joint is placed by the vertebra at its height and turns with the middle of its span.
local function drive_spine(tree, found, bound, drives)
  local thoracic, all = {}, { "pelvis" }
  for _, name in ipairs(bound.vertebrae) do
    if not name:find "^C" then thoracic[#thoracic + 1] = name end
    all[#all + 1] = name
  end
  for k, i in ipairs(found.spine) do
    local at = bound.space:to(tree.at[i])
    local above = found.spine[k + 1] and bound.space:to(tree.at[found.spine[k + 1]]) or bound.neck
    local height = (at[2] + above[2]) / 2
    local turn = nearest(thoracic, function(name)
      return math.abs(place_of(bound.bind[name])[2] - height)
    end)
    local place = nearest(all, function(name)
      return vec.distance(place_of(bound.bind[name]), at)
    end)
    drives[i] = { segment = turn, at = place ~= turn and place or nil }
  end
end

-- drives of a matched body: [joint] = { segment =, at =, toward =, share =, aim =, twist = }
local function of_body(tree, matched, bound)
  local found, has, drives = matched.slots, bound.r.has, {}
  local function put(i, segment)
    if i and has[segment] then drives[i] = { segment = segment } end
  end
  for slot, segment in pairs(body.trunk) do put(found[slot], segment) end
  drive_spine(tree, found, bound, drives)
  local necks = { "C5", "C3", "C2" }
  for k, i in ipairs(found.necks) do
    local segment = k == 1 and #found.necks == 1 and "C5" or necks[math.min(k, 3)]
    put(i, has[segment] and segment or "C7")
    if k == 1 and drives[i] and drives[i].segment ~= "C7" then drives[i].at = "C7" end
  end
  for side, suffix in pairs(body.suffix) do
    for slot, segment in pairs(body.limbs) do put(found[slot .. side], segment .. suffix) end
    local fore, hand = found["forearm" .. side], found["hand" .. side]
    -- the forearm takes half of its roll, or half of what its first twist joint takes; those go on
    -- from there
    if drives[fore] and has["radius" .. suffix] then
      local first = 1
      for _, twist in pairs(found.twists) do
        if twist.joint == fore then first = math.min(first, twist.share) end
      end
      local share = first / 2
      for _, twist in pairs(found.twists) do
        if twist.joint == fore then twist.share = math.max(0,
          (twist.share - share) / (1 - share)) end
      end
      drives[fore].aim, drives[fore].toward, drives[fore].share = hand, "radius" .. suffix, share
    end
    -- the knee glides: half of it on the thigh keeps both bones near their lengths
    local shin = found["shin" .. side]
    if drives[shin] then drives[shin].near = "femur" .. suffix end
    local foot = found["foot" .. side]
    if drives[foot] and has["talus" .. suffix] then drives[foot].at = "talus" .. suffix end
  end
  for key, chain in pairs(found.chains) do
    local finger, side = key:match "^(%l+)([LR])$"
    local segments = body.finger(finger, #chain)
    for k, i in ipairs(chain) do
      if segments[k] then put(i, segments[k] .. body.suffix[side]) end
    end
  end
  for i, twist in pairs(found.twists) do
    if drives[twist.aim] and drives[twist.with] and drives[twist.joint] and not drives[i] then
      drives[i] = { twist = twist.with, aim = twist.aim, share = twist.share }
    end
  end
  return drives
end

local function of_map(map)
  local drives = {}
  for i, segment in pairs(map) do drives[i] = { segment = segment } end
  return drives
end

return { of_body = of_body, of_map = of_map }

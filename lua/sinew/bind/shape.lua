-- Which joint is which by the shape of a skeleton: pairs of equal chains, of which the legs end low
-- and the arms hang higher; in each chain the joints whose lengths fit a limb best. Costs are
-- squared deviations in units of what bodies usually have; lower is better. Shape alone is weak on
-- figures that are not human in their proportions: it checks what names say and fills gaps.
local vec = require "sinew.bind.tree".vec

local function off(x, mean, deviation) return math.min(((x - mean) / deviation) ^ 2, 16) end

-- what a name says of a joint in this place; minus is good
local function bonus(words, i, slot)
  if not words then return 0 end
  local one = words[i]
  if not next(one.slots) then return (one.helper or one.twist) and 1 or .5 end
  return one.slots[slot] and -3 * one.slots[slot] or 2
end

-- joints passed over between two of a chain: on the line they may be twist joints
local function skipped(tree, chain, i, j)
  local a, b = tree.at[chain[i]], tree.at[chain[j]]
  local length, cost = vec.distance(a, b), 0
  local axis = vec.scale(vec.sub(b, a), 1 / length)
  for k = i + 1, j - 1 do
    if tree.own[chain[k]] then
      local aside = vec.length(vec.across(vec.sub(tree.at[chain[k]], a), axis)) / length
      cost = cost + (aside > .08 and 3 or .6)
    end
  end
  return cost
end

local function best_leg(tree, chain, s, middle, words)
  local d = {}
  for i, joint in ipairs(chain) do d[i] = joint end
  while #d < 14 and #tree.kids[d[#d]] > 0 do
    local lowest
    for _, kid in ipairs(tree.kids[d[#d]]) do
      if not lowest or s.height[kid] < s.height[lowest] then lowest = kid end
    end
    d[#d + 1] = lowest
  end
  local at, best = tree.at, nil
  for i = 1, math.min(#d, 5) do
    for j = i + 1, #d do
      for k = j + 1, #d do
        local thigh, shin, foot = d[i], d[j], d[k]
        local upper, lower = vec.distance(at[shin], at[thigh]), vec.distance(at[foot], at[shin])
        local hip = s.height[thigh] - s.low
        if upper >= .05 * s.size and lower >= .05 * s.size and hip >= .1 * s.size then
          local cost = off(math.log(upper / lower), 0, .3)
            + off((s.height[foot] - s.low) / hip, .08, .09)
            + .5 * off((upper + lower) / (.5 * s.size), 1, .3)
          local out = math.abs(vec.dot(vec.sub(at[thigh], middle), s.side))
          if out < .5 * math.abs(vec.dot(vec.sub(at[shin], middle), s.side)) then cost = cost
            + 2 end
          cost = cost + .6 * (i - 1) + skipped(tree, d, i, j) + skipped(tree, d, j, k)
          cost = cost + off(vec.dot(vec.sub(at[shin], at[thigh]), s.up) / upper, -1, .25)
          if not tree.own[thigh] or not tree.own[shin] then cost = cost + 2 end
          if not tree.own[foot] then cost = cost + .7 end
          cost = cost + bonus(words, thigh, "thigh") + bonus(words, shin, "shin")
            + bonus(words, foot, "foot")
          local toe_cost, toe = .6, nil
          for l = j + 1, #d do
            if d[l] ~= foot and tree.own[d[l]] then toe_cost = 1.4 end
          end
          for l = k + 1, #d do
            local forward = vec.length(vec.across(vec.sub(at[d[l]], at[foot]), s.up))
            local e = .4 * off(forward / (upper + lower), .17, .08) + (tree.own[d[l]] and 0 or 1.5)
              + bonus(words, d[l], "toe") - .6 + .3 * (l - k - 1)
            if e < toe_cost then toe_cost, toe = e, d[l] end
          end
          cost = cost + toe_cost
          if not best or cost < best.cost then
            best = { cost = cost, thigh = thigh, shin = shin, foot = foot, toe = toe,
              length = upper + lower }
          end
        end
      end
    end
  end
  return best
end

local function best_arm(tree, d, s, middle, leg, words)
  local at, best = tree.at, nil
  local branches = {}
  for k, joint in ipairs(d) do branches[k] = #tree:live_kids(joint) end
  for i = 1, math.min(#d, 5) do
    for j = i + 1, #d do
      local branched = false
      for k = j, #d do branched = branched or branches[k] >= 3 end
      for k = j + 1, #d do
        local upper, fore, hand = d[i], d[j], d[k]
        local a, b = vec.distance(at[fore], at[upper]), vec.distance(at[hand], at[fore])
        if a >= .04 * s.size and b >= .04 * s.size then
          local out = math.abs(vec.dot(vec.sub(at[upper], middle), s.side)) / s.size
          local cost = off(math.log(a / b), .08, .25) + off((a + b) / leg, .66, .15)
            + off(out, .1, .05) + (i > 1 and 0 or .3) + .8 * math.max(0, i - 2)
            + skipped(tree, d, i, j) + skipped(tree, d, j, k)
          if branches[k] >= 3 then cost = cost - 2 elseif branched then cost = cost + 2 end
          local fingers = vec.distance(at[d[#d]], at[hand]) / (a + b)
          cost = cost + (d[#d] ~= hand and .3 * off(fingers, .3, .15) or .2)
          if not tree.own[upper] or not tree.own[fore] then cost = cost + 2 end
          if not tree.own[hand] then cost = cost + 2.5 end
          cost = cost + bonus(words, upper, "upperarm") + bonus(words, fore, "forearm")
            + bonus(words, hand, "hand")
          local clavicle
          for z = 1, i - 1 do
            if math.abs(vec.dot(vec.sub(at[d[z]], middle), s.side)) < .8 * out * s.size + 1e-9 then
              local weight = function(q) return words and words[q].slots.clavicle or 0 end
              if not clavicle or weight(d[z]) > weight(clavicle) then clavicle = d[z] end
            end
          end
          if clavicle then cost = cost + math.min(0, bonus(words, clavicle, "clavicle")) end
          if not best or cost < best.cost then
            best = { cost = cost, clavicle = clavicle, upperarm = upper, forearm = fore,
              hand = hand,
              length = a + b }
          end
        end
      end
    end
  end
  return best
end

local function best_head(tree, hips, chest, taken, s, middle, words)
  local at, best = tree.at, nil
  local top = tree:common(hips, chest)
  if not top then return nil end
  local spine = tree:down(top, chest)
  for _, e in ipairs(tree:subtree(chest)) do
    if not taken[e] and e ~= chest and tree.live[e] then
      local d = tree:down(chest, e)
      local aside, branched, inside = 0, false, true
      for k, z in ipairs(d) do
        inside = inside and not taken[z]
        aside = math.max(aside, math.abs(vec.dot(vec.sub(at[z], middle), s.side)) / s.size)
        branched = branched or (k < #d and #tree:live_kids(z) >= 2)
      end
      if inside then
        local cost = off(aside, 0, .02) + .4 * off((s.height[e] - s.low) / s.size, .93, .1)
          + off((s.height[e] - s.height[chest]) / s.size, .15, .08) + .4 * math.max(0, #d - 3)
        local kids = tree:live_kids(e)
        local kid = kids[1]
        if #kids == 1 and tree.own[kid]
          and math.abs(vec.dot(vec.sub(at[kid], middle), s.side)) / s.size < .01
          and vec.dot(vec.sub(at[kid], at[e]), s.up) > .5 * vec.distance(at[kid], at[e]) then
          cost = cost + ((#tree:live_kids(kid) > 0 or #d < 2) and 2.5 or .8)
        end
        if branched then cost = cost + 1.5 end
        if not tree.own[e] then cost = cost + 2 end
        cost = cost + bonus(words, e, "head")
        if not best or cost < best.cost then
          best = { cost = cost, head = e, neck = #d >= 2 and d[1] or nil, spine = spine }
        end
      end
    end
  end
  return best
end

-- pairs of leaves whose chains from their common joint are alike
local function equal_chains(tree, leaves, s)
  local at, pairs_ = tree.at, {}
  local function length(top, chain)
    local sum, last = 0, top
    for _, i in ipairs(chain) do sum, last = sum + vec.distance(at[i], at[last]), i end
    return sum
  end
  for n, a in ipairs(leaves) do
    for m = n + 1, #leaves do
      local b = leaves[m]
      local top = tree:common(a, b)
      local da, db = top and tree:down(top, a), top and tree:down(top, b)
      if top and #da > 1 and #db > 1 then
        local la, lb = length(top, da), length(top, db)
        if math.max(la, lb) >= .12 * s.size then
          local cost = .5 * off(math.log((la + 1e-6) / (lb + 1e-6)), 0, .12)
            + .7 * math.abs(#da - #db)
          for k = 1, math.min(#da, #db) do
            local u = vec.distance(at[da[k]], at[tree.parent[da[k]]])
            local v = vec.distance(at[db[k]], at[tree.parent[db[k]]])
            cost = cost + math.min(math.abs(u - v) / s.size * 15, 2)
          end
          pairs_[#pairs_ + 1] = { cost = cost, a = a, b = b, top = top, da = da, db = db,
            length = (la + lb) / 2 }
        end
      end
    end
  end
  return pairs_
end

local function by_score(a, b)
  if a.score ~= b.score then return a.score < b.score end
  return a.order < b.order
end

local function leg_pairs(tree, all, s)
  local list = {}
  for order, p in ipairs(all) do
    local low = (math.max(s.height[p.a], s.height[p.b]) - s.low) / s.size
    local hip = (s.height[p.top] - s.low) / s.size
    local side = vec.across(vec.sub(tree.at[p.a], tree.at[p.b]), s.up)
    if low <= .25 and hip >= .2 and vec.length(side) >= .01 * s.size then
      list[#list + 1] = { pair = p, side = vec.unit(side), order = order,
        score = p.cost + off(low, .02, .06) + off(hip, .55, .15) + off(p.length / s.size, .62, .2) }
    end
  end
  table.sort(list, by_score)
  return list
end

local function arm_pairs(tree, all, leg, taken, s)
  local list = {}
  for order, p in ipairs(all) do
    local ratio = p.length / leg.length
    if not taken[p.a] and not taken[p.b] and ratio > .3 and ratio < 1.8
      and s.height[p.top] >= s.height[leg.top] - .02 * s.size then
      local d = vec.sub(tree.at[p.a], tree.at[p.b])
      local aligned = math.abs(vec.dot(d, s.side)) / (vec.length(d) + 1e-9)
      list[#list + 1] = { pair = p, order = order, score = p.cost + off(aligned, 1, .25)
        + off((s.height[p.top] - s.low) / s.size, .78, .12) + off(ratio, .85, .3) }
    end
  end
  table.sort(list, by_score)
  return list
end

local function with_up(tree, up, words)
  local s = { up = up, height = {} }
  local leaves, high = {}, -math.huge
  s.low = math.huge
  for i = 1, tree.size do
    s.height[i] = vec.dot(tree.at[i], up)
    if tree.live[i] then
      s.low, high = math.min(s.low, s.height[i]), math.max(high, s.height[i])
      if #tree:live_kids(i) == 0 then
        local far = i
        for _, kid in ipairs(tree.kids[i]) do
          if far == i or vec.distance(tree.at[kid], tree.at[i]) > vec.distance(tree.at[far],
            tree.at[i])
          then
            far = kid
          end
        end
        leaves[#leaves + 1] = far
      end
    end
  end
  s.size = high - s.low
  if #leaves < 4 or #leaves > 400 or s.size <= 1e-9 then return nil end
  local all = equal_chains(tree, leaves, s)
  local best
  for n, chosen in ipairs(leg_pairs(tree, all, s)) do
    if n > 6 then break end
    local leg = chosen.pair
    s.side = chosen.side
    local middle = vec.middle(tree.at[leg.da[1]], tree.at[leg.db[1]])
    local a, b = best_leg(tree, leg.da, s, middle, words), best_leg(tree, leg.db, s, middle, words)
    local taken = {}
    for _, list in ipairs { tree:subtree(leg.da[1]), tree:subtree(leg.db[1]) } do
      for _, i in ipairs(list) do taken[i] = true end
    end
    for m, hung in ipairs(a and b and arm_pairs(tree, all, leg, taken, s) or {}) do
      if m > 30 then break end
      local arm = hung.pair
      local dx, dy = arm.da, arm.db
      if vec.dot(vec.sub(tree.at[arm.a], tree.at[arm.b]), s.side) < 0 then dx, dy = dy, dx end
      local x = best_arm(tree, dx, s, middle, a.length, words)
      local y = x and best_arm(tree, dy, s, middle, a.length, words)
      if y then
        local used = setmetatable({}, { __index = taken })
        for _, list in ipairs { tree:subtree(dx[1]), tree:subtree(dy[1]) } do
          for _, i in ipairs(list) do used[i] = true end
        end
        local head = best_head(tree, leg.top, arm.top, used, s, middle, words)
        local score = head and chosen.score + hung.score + a.cost + b.cost + x.cost + y.cost
          + head.cost
        if head and (not best or score < best.score) then
          best = { score = score, hips = leg.top, chest = arm.top, legs = { a, b }, arms = { x, y },
            head = head.head, neck = head.neck, spine = head.spine, side = s.side, up = up,
            size = s.size }
        end
      end
    end
  end
  return best
end

local ups = { { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 0 }, { 0, 0, -1 }, { 0, -1, 0 }, { -1, 0, 0 } }

-- The best body in a tree, or nil; `words` from names.read, or nil.
return function(tree, words)
  local best
  for n, up in ipairs(ups) do
    local found = with_up(tree, up, words)
    if found then
      found.score = found.score + (n > 1 and 4 or 0) -- glTF is Y up
      if not best or found.score < best.score then best = found end
    end
  end
  return best
end

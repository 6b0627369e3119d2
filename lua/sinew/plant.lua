-- Plants the feet of a clip: while a foot stands, it stays where it is.
--
--   local plant = require "sinew.plant"
--   local planted, report = plant(rig, clip)                  -- rigs/human.lua, or bound to it
--   local planted = plant(rig, clip, { from = human })        -- a clip of a rig with other legs
--   local planted = plant(rig, clip, { feet = { { "hoof_l" }, { "hoof_r" } }, speed = 0.5 })
--
-- Motion of one body on another makes feet slide, since legs and steps have other lengths. A foot
-- is a list of segments, from the ankle on, of which the last is the toe. It stands while the toe
-- or the ankle is slower than `speed` (metres a second, 0.7) and the toe less than `height`
-- (metres, 0.15) above where it is at its lowest, unless that is in the air. There its toe comes as
-- low as in the rest pose, or in the bind pose of a character, unless ground = false. What moves it
-- there changes slowly from one stand to the next. The body goes along with both feet and lower
-- where a leg is too short, and the solver bends the legs. With `from`, the rig that the clip was
-- made for, the way of the body (the DOFs in `travel`, "body.x", "body.y" and "body.z") is as much
-- shorter as the legs are, from `hip` ("pelvis") to the toe. Returns a new clip with a key for each
-- frame, and the report: stands = how many, slide = { before, after }, how far a standing foot gets
-- from its place at most, in metres.
local sinew = require "sinew"

local function level(a, b) return math.sqrt((a.x - b.x) ^ 2 + (a.z - b.z) ^ 2) end

-- { first, last } of the frames in which a foot stands; `path` is that of its toe, the last in
-- `all`, and `rest` how high that is where the figure stands
local function stands(path, all, rest, fps, o)
  local heights, list, first = {}, {}, nil
  for k, p in ipairs(path) do heights[k] = p.y end
  table.sort(heights)
  local floor = heights[math.ceil(#heights / 10)] -- a recording may begin below the ground
  if o.ground and floor > rest + o.height then return list end
  local reach = math.max(1, math.floor(fps / 30 + .5))
  for k = 1, #path + 1 do
    local a, b = math.max(1, k - reach), math.min(#path, k + reach)
    local still = false
    for _, part in ipairs(k <= #path and path[k].y - floor < o.height and all or {}) do
      still = still or (part[b] - part[a]):length() * fps < o.speed * (b - a)
    end
    if still and not first then first = k end
    if not still and first then
      if k - first > fps / 15 then list[#list + 1] = { first, k - 1 } end
      first = nil
    end
  end
  return list
end

-- where a stand is: its middle frame
local function place_of(path, stand) return path[math.floor((stand[1] + stand[2]) / 2)] end

local function farthest(path, list)
  local most = 0
  for _, stand in ipairs(list) do
    local place = place_of(path, stand)
    for k = stand[1], stand[2] do most = math.max(most, level(path[k], place)) end
  end
  return most
end

-- what each frame adds to a path, so that it rests in its stands; from one to the next it changes
-- slowly, so that the swing between them keeps its form
local function offsets(path, list, ground)
  local dest, last = {}, nil
  for _, stand in ipairs(list) do
    local place, lowest = place_of(path, stand), math.huge
    for k = stand[1], stand[2] do lowest = math.min(lowest, path[k].y) end
    for k = stand[1], stand[2] do
      local off = place - path[k]
      dest[k] = sinew.vec3(off.x, ground and ground - lowest or 0, off.z)
    end
    local from = last or 0
    for k = from + 1, stand[1] - 1 do
      local t = (k - from) / (stand[1] - from)
      local a = dest[from] or dest[stand[1]]
      dest[k] = a + (dest[stand[1]] - a) * (t * t * (3 - 2 * t))
    end
    last = stand[2]
  end
  for k = (last or 0) + 1, #path do dest[k] = dest[last or 0] or sinew.vec3() end
  return dest
end

-- how high the hip is above the toe at rest
local function leg(rig, hip, toe)
  local pose = rig:pose()
  return pose:position(hip).y - pose:position(toe).y
end

-- the segments from the one below `hip` to `foot`, or nil where the foot hangs elsewhere
local function limb(rig, hip, foot)
  local above, list = {}, { foot }
  for _, segment in ipairs(rig.segments) do above[segment.name] = segment.parent end
  while above[list[1]] ~= hip do
    if not above[list[1]] then return nil end
    table.insert(list, 1, above[list[1]])
  end
  return list
end

local function span(pose, list)
  local sum = 0
  for i = 2, #list do sum = sum + (pose:position(list[i]) - pose:position(list[i - 1])):length() end
  return sum
end

-- how each DOF of the way moves the whole in a unit, or nil where the rig lacks one
local function ways(rig, hip, travel)
  local has, dest = {}, {}
  for _, dof in ipairs(rig.dofs) do has[dof.name] = true end
  for i, name in ipairs(travel) do
    if not has[name] then return nil end
    local pose = rig:pose()
    local before = pose:position(hip)
    local step = pose[name]
    pose[name] = step + .01
    dest[i] = (pose:position(hip) - before) * (1 / (pose[name] - step))
    if dest[i] ~= dest[i] or dest[i]:length() < .5 then return nil end
  end
  return dest
end

-- at each place the largest value nearby, with soft flanks
local function widen(list, reach)
  local most, dest = {}, {}
  local function around(from, k, join)
    local value
    for i = math.max(1, k - reach), math.min(#list, k + reach) do
      value = value and join(value, from[i]) or from[i]
    end
    return value
  end
  for k = 1, #list do most[k] = around(list, k, math.max) end
  for k = 1, #list do
    local count = math.min(#list, k + reach) - math.max(1, k - reach) + 1
    dest[k] = around(most, k, function(a, b) return a + b end) / count
  end
  return dest
end

-- How the body goes with its feet, for each frame: as they do on average, and lower where a leg is
-- too short. A leg is { top =, ankle =, length = } with paths; `added` has what feet are moved by.
local function follow(legs, added, count, reach)
  local shift, low = {}, {}
  for k = 1, count do
    shift[k], low[k] = sinew.vec3(), 0
    for _, add in ipairs(added) do shift[k] = shift[k] + add[k] * (1 / #added) end
    for n, one in ipairs(legs) do
      local was = one.ankle[k] - one.top[k]
      local now = was + added[n][k] - shift[k]
      local most = math.max(.99 * one.length, was:length())
      if now:length() > most then
        local down = math.sqrt(math.max(0, most ^ 2 - now.x ^ 2 - now.z ^ 2))
        low[k] = math.max(low[k], -now.y - down)
      end
    end
  end
  low = widen(low, reach)
  for k = 1, count do shift[k] = shift[k] - sinew.vec3(0, low[k], 0) end
  return shift
end

return function(rig, clip, options)
  local o = options or {}
  o = { feet = o.feet or { { "talus_l", "proximal_toe2_l" }, { "talus_r", "proximal_toe2_r" } },
    speed = o.speed or .7, height = o.height or .15, ground = o.ground ~= false,
    fps = o.fps or clip.fps, from = o.from, hip = o.hip or "pelvis",
    travel = o.travel or { "body.x", "body.y", "body.z" } }
  local has, goals, paths = {}, {}, {}
  for _, segment in ipairs(rig.segments) do has[segment.name] = true end
  for _, foot in ipairs(o.feet) do
    for i, name in ipairs(foot) do
      if not has[name] then
        error(("sinew.plant: the rig has no segment '%s'; name the feet with 'feet'"):format(name),
          2)
      end
      -- where a limit conflicts, the heel gives way and not the toe
      goals[name] = { name, target = { 0, 0, 0 }, weight = i == #foot and 1 or .05 }
      paths[name] = {}
    end
  end
  local ratio, first = 1, o.feet[1]
  if o.from then
    ratio = leg(rig, o.hip, first[#first]) / leg(o.from, o.hip, first[#first])
  end
  local function apply(pose, k)
    clip:apply(pose, (k - 1) / o.fps)
    for _, name in ipairs(o.from and o.travel or {}) do pose[name] = ratio * pose[name] end
  end
  local pose, rest, legs = rig:pose(), {}, {}
  local bind = (rig.binding or ""):match '"pose"%s*:%s*(%b{})' or "" -- there a character stands
  for name, value in bind:gmatch '"([^"]*)"%s*:%s*([-+%d.eE]+)' do pose[name] = tonumber(value) end
  for name in pairs(goals) do rest[name] = pose:position(name).y end
  local way = has[o.hip] and ways(rig, o.hip, o.travel)
  for _, foot in ipairs(way and o.feet or {}) do
    local list = limb(rig, o.hip, foot[1])
    if list then
      paths[list[1]] = {}
      legs[#legs + 1] = { top = paths[list[1]], ankle = paths[foot[1]], length = span(pose, list) }
    end
  end
  local count = math.floor(clip.duration * o.fps + 1.5)
  for k = 1, count do
    apply(pose, k)
    for name, path in pairs(paths) do path[k] = pose:position(name) end
  end
  local report, moved, added, toes = { stands = 0, slide = { 0, 0 } }, {}, {}, {}
  local fade = math.ceil(o.fps / 5)
  for n, foot in ipairs(o.feet) do
    local all = {}
    for i, name in ipairs(foot) do all[i] = paths[name] end
    local path = all[#all]
    local list = stands(path, all, rest[foot[#foot]], o.fps, o)
    toes[n] = { list = list, name = foot[#foot], after = {} }
    report.stands = report.stands + #list
    report.slide[1] = math.max(report.slide[1], farthest(path, list))
    added[n] = offsets(path, list, o.ground and rest[foot[#foot]])
    for _, name in ipairs(foot) do moved[name] = added[n] end
  end
  -- the body is moved before the legs are bent, so that neighbouring frames stay neighbours; of
  -- another rig the solver moves what it may
  local shift = #legs == #o.feet and follow(legs, added, count, fade)
  local solver = sinew.solver(rig, { goals = goals, root = not shift })
  local result = sinew.clip()
  result.fps, result.loop = o.fps, clip.loop
  local wanted = rig:pose()
  local free = {}
  for _, dof in ipairs(solver.dofs) do free[type(dof) == "string" and dof or dof.name] = true end
  for k = 1, count do
    apply(wanted, k)
    for i, name in ipairs(shift and o.travel or {}) do
      wanted[name] = wanted[name] + shift[k]:dot(way[i]) / way[i]:dot(way[i])
    end
    for _, dof in ipairs(rig.dofs) do -- what bends goes on from the frame before
      if k == 1 or not free[dof.name] then pose[dof.name] = wanted[dof.name] end
    end
    for name in pairs(goals) do solver:target(name, paths[name][k] + moved[name][k]) end
    solver:solve(pose, { restarts = false, posture = .003, towards = wanted })
    for _, dof in ipairs(rig.dofs) do
      result:set(dof.name, (k - 1) / o.fps, pose[dof.name], "linear")
    end
    for _, toe in ipairs(toes) do toe.after[k] = pose:position(toe.name) end
  end
  for _, toe in ipairs(toes) do
    report.slide[2] = math.max(report.slide[2], farthest(toe.after, toe.list))
  end
  return result, report
end

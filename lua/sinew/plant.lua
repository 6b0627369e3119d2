-- Plants the feet of a clip: while a foot stands, it stays where it is.
--
--   local plant = require "sinew.plant"
--   local planted, report = plant(rig, clip)                  -- rigs/human.lua, or bound to it
--   local planted = plant(rig, clip, { from = human })        -- a clip of a rig with other legs
--   local planted = plant(rig, clip, { feet = { { "hoof_l" }, { "hoof_r" } }, speed = 0.5 })
--
-- Motion of one body on another makes feet slide, since legs and steps have other lengths. A foot
-- is a list of segments, from the ankle on, of which the last is the toe. It stands while the toe
-- is slower than `speed` (metres a second, 0.7) and less than `height` (metres, 0.15) above where
-- it is at its lowest. There its toe is as high as in the rest pose, unless ground = false. What
-- holds it fades out between two stands. The solver bends the legs, and lowers the body where they
-- are too short. With `from`, the rig that the clip was made for, the way of the body (the DOFs in
-- `travel`, "body.x", "body.y" and "body.z") is as much shorter as the legs are, from `hip`
-- ("pelvis") to the toe. Returns a new clip with a key for each frame, and the report: stands = how
-- many, slide = { before, after }, how far a standing foot gets from its place at most, in metres.
local sinew = require "sinew"

local function level(a, b) return math.sqrt((a.x - b.x) ^ 2 + (a.z - b.z) ^ 2) end

-- { first, last } of the frames in which a toe stands
local function stands(path, fps, o)
  local heights, list, first = {}, {}, nil
  for k, p in ipairs(path) do heights[k] = p.y end
  table.sort(heights)
  local floor = heights[math.ceil(#heights / 10)] -- a recording may begin below the ground
  local reach = math.max(1, math.floor(fps / 30 + .5))
  for k = 1, #path + 1 do
    local a, b = math.max(1, k - reach), math.min(#path, k + reach)
    local still = k <= #path and path[k].y - floor < o.height
      and (path[b] - path[a]):length() * fps < o.speed * (b - a)
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

-- what each frame adds to a path, so that it rests in its stands
local function offsets(path, list, fade, ground)
  local dest, none = {}, sinew.vec3()
  for _, stand in ipairs(list) do
    local place = place_of(path, stand)
    for k = stand[1], stand[2] do
      local off = place - path[k]
      dest[k] = sinew.vec3(off.x, ground and ground - path[k].y or 0, off.z)
    end
  end
  local function near(k, step) -- the last offset on that side, and how much of it is left
    for n = 1, fade do
      local at = dest[k + n * step]
      if at then return at, 1 - n / (fade + 1), n end
    end
    return none, 0, fade + 1
  end
  local whole = {}
  for k = 1, #path do
    if dest[k] then
      whole[k] = dest[k]
    else
      local a, u = near(k, -1)
      local b, v = near(k, 1)
      whole[k] = a * (u * u * (3 - 2 * u)) + b * (v * v * (3 - 2 * v))
    end
  end
  return whole
end

-- how high the hip is above the toe at rest
local function leg(rig, hip, toe)
  local pose = rig:pose()
  return pose:position(hip).y - pose:position(toe).y
end

return function(rig, clip, options)
  local o = options or {}
  o = { feet = o.feet or { { "talus_l", "proximal_toe2_l" }, { "talus_r", "proximal_toe2_r" } },
    speed = o.speed or .7, height = o.height or .15, ground = o.ground ~= false,
    fps = o.fps or clip.fps, from = o.from, hip = o.hip or "pelvis",
    travel = o.travel or { "body.x", "body.y", "body.z" } }
  local has, goals = {}, {}
  for _, segment in ipairs(rig.segments) do has[segment.name] = true end
  for _, foot in ipairs(o.feet) do
    for _, name in ipairs(foot) do
      if not has[name] then
        error(("sinew.plant: the rig has no segment '%s'; name the feet with 'feet'"):format(name),
          2)
      end
      goals[name] = { name, target = { 0, 0, 0 } }
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
  local count = math.floor(clip.duration * o.fps + 1.5)
  local pose, frames, rest = rig:pose(), {}, {}
  for name in pairs(goals) do rest[name] = pose:position(name).y end
  for k = 1, count do
    apply(pose, k)
    frames[k] = {}
    for name in pairs(goals) do frames[k][name] = pose:position(name) end
  end
  local report, moved = { stands = 0, slide = { 0, 0 } }, {}
  local toes = {}
  for n, foot in ipairs(o.feet) do
    local path = {}
    for k = 1, count do path[k] = frames[k][foot[#foot]] end
    local list = stands(path, o.fps, o)
    toes[n] = { list = list, name = foot[#foot], after = {} }
    report.stands = report.stands + #list
    report.slide[1] = math.max(report.slide[1], farthest(path, list))
    local add = offsets(path, list, math.ceil(o.fps / 5), o.ground and rest[foot[#foot]])
    for _, name in ipairs(foot) do moved[name] = add end
  end
  local solver = sinew.solver(rig, { goals = goals, root = true })
  local result = sinew.clip()
  result.fps, result.loop = o.fps, clip.loop
  for k = 1, count do
    apply(pose, k)
    for name in pairs(goals) do solver:target(name, frames[k][name] + moved[name][k]) end
    solver:solve(pose, { restarts = false, towards = "start" })
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

-- How bones lie against each other in the rest pose: the least distance between the shapes of two
-- segments, and how deep one is in the other, in mm. After a build:
--
--   lua5.4 rigs/tools/gaps.lua human L4 L5 pelvis femur_r     pairs: L4 and L5, pelvis and femur_r
--   lua5.4 rigs/tools/gaps.lua human                          every pair that is within 4 mm
--
-- or, from Lua, `require "tools.gaps"(rig)(a, b)` with two names: { gap =, depth =, at = }, where
-- `gap` is 0 when they touch, `depth` 0 when they do not, and `at` is that place in the world. A
-- pose after the rig replaces the rest pose. Vertices of each mesh are measured with the distance
-- of the other's solid, so both need one.
local sinew

-- what is asked for again and again of a segment
local function seen(rig, pose, name)
  local segment = rig:find(name) or error(("no segment '%s'"):format(name), 0)
  local solid = segment.shape and rawget(segment.shape, "solid")
  if sinew.type(solid) ~= "solid" then error(("'%s' has no solid"):format(name), 0) end
  local world = pose:world(segment)
  local list = solid:mesh().vertices
  local points, low, high = {}, sinew.vec3(9, 9, 9), sinew.vec3(-9, -9, -9)
  for i = 1, #list, 3 do
    local p = world:point { list[i], list[i + 1], list[i + 2] }
    points[#points + 1] = p
    low = sinew.vec3(math.min(low.x, p.x), math.min(low.y, p.y), math.min(low.z, p.z))
    high = sinew.vec3(math.max(high.x, p.x), math.max(high.y, p.y), math.max(high.z, p.z))
  end
  return { solid = solid, back = world:inverse(), points = points, low = low, high = high }
end

-- how far the boxes of two are apart
local function apart(a, b)
  local far = 0
  for _, k in ipairs { "x", "y", "z" } do
    far = math.max(far, a.low[k] - b.high[k], b.low[k] - a.high[k])
  end
  return far
end

-- the least signed distance from vertices of `a` to `b`; those outside of b's box by more than
-- what was found already are passed over
local function least(a, b, found)
  local reach = math.max(found.distance, 0)
  for _, p in ipairs(a.points) do
    if p.x > b.low.x - reach and p.x < b.high.x + reach and p.y > b.low.y - reach
      and p.y < b.high.y + reach and p.z > b.low.z - reach and p.z < b.high.z + reach then
      local distance = b.solid:distance(b.back:point(p))
      if distance < found.distance then
        found.distance, found.at, reach = distance, p, math.max(distance, 0)
      end
    end
  end
  return found
end

local function gaps(rig, pose)
  sinew = require "sinew"
  local known = {}
  pose = pose or rig:pose()
  local function of(name)
    known[name] = known[name] or seen(rig, pose, name)
    return known[name]
  end
  return function(first, second)
    local a, b = of(first), of(second)
    local found = { distance = apart(a, b) + 0.05 }
    least(b, a, least(a, b, found))
    return { gap = 1000 * math.max(found.distance, 0), depth = 1000 * math.max(-found.distance, 0),
      at = found.at }, apart(a, b)
  end
end

local function main()
  local root = arg[0]:match("^(.*)[/\\]") .. "/../.."
  local build = rawget(_G, "jit") and "luajit" or "lua"
  package.path = ("%s/rigs/?.lua;%s/lua/?.lua;%s"):format(root, root, package.path)
  package.cpath = ("%s/build/%s/?.so;%s"):format(root, build, package.cpath)
  local rig = assert(loadfile(("%s/rigs/%s.lua"):format(root, arg[1] or "human")))()
  local between = gaps(rig)
  local function line(a, b, found)
    local at = found.at and ("%6.0f %6.0f %6.0f"):format(1000 * found.at.x, 1000 * found.at.y,
      1000 * found.at.z) or ""
    print(("%-20s %-20s %6.1f %6.1f   %s"):format(a, b, found.gap, found.depth, at))
  end
  print(("%-20s %-20s %6s %6s   %s"):format("", "", "gap", "depth", "at, mm"))
  for i = 2, #arg, 2 do line(arg[i], arg[i + 1], (between(arg[i], arg[i + 1]))) end
  if arg[2] then return end
  local names = {}
  for _, segment in ipairs(rig.segments) do
    local solid = segment.shape and rawget(segment.shape, "solid")
    if solid then names[#names + 1] = segment.name end
  end
  for i, a in ipairs(names) do
    for k = i + 1, #names do
      local found = between(a, names[k])
      if found.gap <= 4 then line(a, names[k], found) end
    end
  end
end

if arg and arg[0] and arg[0]:match "gaps%.lua$" then return main() end
return gaps

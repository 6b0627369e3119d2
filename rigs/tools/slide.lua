-- How far the feet of a bound character slide while they are planted, beside the motion that its
-- clip comes from: lua5.4 rigs/tools/slide.lua HERO.lua CLIP.json MOTION [UNIT|ANIMATION]
--
-- A foot is planted while its toe joint (or else its ankle) in the motion is low and slow. Its
-- slide is the farthest that it gets, level with the ground, from its mean place in that time, in
-- millimetres of the rig's size, so that large and small characters compare. A character without
-- toe joints is measured where the rig has them. Of a glTF file the last argument may name the
-- animation; there the ground is that of the rest pose.
local sinew = require "sinew"
local match = require "sinew.bind.match".match
local trees = require "sinew.bind.tree"

local slow, low = .25, .1 -- metres a second, metres above the ground

local function distance(a, b) return math.sqrt((a[1] - b[1]) ^ 2 + (a[3] - b[3]) ^ 2) end

-- lists of { first, last } frames in which a path is planted; places have y up. `rest` is how high
-- it is where the figure stands, if that is known.
local function contacts(path, rate, rest)
  local heights, list, first = {}, {}, nil
  for k, p in ipairs(path) do heights[k] = p[2] end
  table.sort(heights)
  local floor = heights[math.ceil(#heights / 10)] -- a recording may begin below the ground
  if rest and floor > rest + low then return list end -- in the air
  local reach = math.max(1, math.floor(rate / 30 + .5))
  for k = 1, #path + 1 do
    local a, b = path[math.max(1, k - reach)], path[math.min(#path, k + reach)]
    local planted = k <= #path and path[k][2] - floor < low
      and math.sqrt(distance(a, b) ^ 2 + (a[2] - b[2]) ^ 2) * rate / (2 * reach) < slow
    if planted and not first then first = k end
    if not planted and first then
      if k - first > rate / 10 then list[#list + 1] = { first, k - 1 } end
      first = nil
    end
  end
  return list
end

local function slide(path, contact)
  local x, z, count = 0, 0, contact[2] - contact[1] + 1
  for k = contact[1], contact[2] do x, z = x + path[k][1] / count, z + path[k][3] / count end
  local most = 0
  for k = contact[1], contact[2] do most = math.max(most, distance(path[k], { x, 0, z })) end
  return 1000 * most
end

local hero, clip_path, motion_path, unit = arg[1], arg[2], arg[3], tonumber(arg[4])
local animation = not unit and arg[4] or nil
if not motion_path then
  io.stderr:write "usage: slide.lua HERO.lua CLIP.json MOTION [UNIT|ANIMATION]\n"
  os.exit(2)
end
local rig = assert(sinew.load(hero))
local file = rig.binding:match '"file"%s*:%s*"([^"]*)"'
local character = assert(sinew.character((hero:match "^(.*/)" or "") .. file, rig))
local clip = assert(sinew.load_clip(clip_path))
local motion = assert(sinew.load_motion(motion_path, { unit = unit, animation = animation }))
local nodes = motion_path:lower():find "%.bvh$" and assert(sinew.nodes(motion_path))
local source = nodes and trees.of_motion(nodes)
  or trees.of_character(assert(sinew.character(motion_path)))
local from = assert(match(source))
local to = assert(match(trees.of_character(character)))
local tree = trees.of_character(character)
local up, pose, worlds = from.up, rig:pose(), nil
local place = character.place
local function turned(p) -- y up
  if up[3] > .9 then return { p[1], p[3], -p[2] } end
  return p
end
for _, side in ipairs { "L", "R" } do
  local a, b = {}, {}
  local slot = from.slots["toe" .. side] and "toe" or "foot"
  local joint, own_joint = from.slots[slot .. side], to.slots[slot .. side]
  local node = own_joint and tree.node[own_joint]
  local toe = side == "L" and "proximal_toe2_l" or "proximal_toe2_r"
  local name = source.names[joint]
  local back = place:inverse()
  for k = 1, motion.frames do
    local m = motion:world(k, name)
    a[k] = turned { m[13], m[14], m[15] }
    clip:apply(pose, (k - 1) / motion.rate)
    local p
    if node then
      worlds = character:worlds(pose, worlds)
      p = back:point(worlds:mat4(node):position())
    else
      p = pose:position(toe)
    end
    b[k] = { p.x, p.y, p.z }
  end
  local worst, mean, own = 0, 0, 0
  local list = contacts(a, motion.rate, not nodes and turned(source.at[joint])[2])
  for _, c in ipairs(list) do
    local s, t = slide(a, c), slide(b, c)
    worst, mean, own = math.max(worst, t - s), mean + (t - s) / #list, math.max(own, s)
  end
  print(("%s: %d contacts, source slides up to %.1f mm, the character %.1f mm more on average, "
    .. "%.1f mm at most"):format(side == "L" and "left" or "right", #list, own, mean, worst))
end

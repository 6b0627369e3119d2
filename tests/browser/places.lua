-- Where a rig's character has its joints while a clip plays, for the programs that read the
-- exported file: lua5.4 places.lua RIG CHARACTER CLIP.json|- FILE.glb FPS. Prints JSON: the file, the
-- name of its animation, and for each of some frames its time and each node's world matrix by its
-- name. Frames are those that the exporter writes at that rate. Names that stand twice are left out.
local sinew = require "sinew"
local rig_path, path, clip_path, out, fps = arg[1], arg[2], arg[3], arg[4], tonumber(arg[5])

local rig = assert(sinew.load(rig_path))
local character = assert(sinew.character(path, rig))
local pose = rig:pose()
local seen, nodes = {}, character.nodes
for _, node in ipairs(nodes) do seen[node.name] = (seen[node.name] or 0) + 1 end

local function quoted(text)
  return '"' .. text:gsub('[%c"\\]', function(c) return ("\\u%04x"):format(c:byte()) end) .. '"'
end

local function frame(time, worlds)
  local list = {}
  for i, node in ipairs(nodes) do
    if node.name ~= "" and seen[node.name] == 1 then
      local m = {}
      for k = 1, 16 do m[k] = ("%.9g"):format(worlds[16 * (i - 1) + k]) end
      list[#list + 1] = quoted(node.name) .. ":[" .. table.concat(m, ",") .. "]"
    end
  end
  return ('{"time":%.9g,"nodes":{%s}}'):format(time, table.concat(list, ","))
end

local frames, name = {}, ""
if clip_path ~= "-" then
  local clip = assert(sinew.load_clip(clip_path))
  name = clip_path:match "[^/\\]*$":gsub("%.%w*$", "")
  local last = math.floor(clip.duration * fps + .5)
  for i = 0, last, math.max(1, last // 9) do
    clip:apply(pose, i / fps)
    pose:eval()
    frames[#frames + 1] = frame(i / fps, character:worlds(pose))
  end
end
print(('{"file":%s,"animation":%s,"fps":%g,"frames":[\n%s\n]}'):format(quoted(out), quoted(name),
  fps, table.concat(frames, ",\n")))

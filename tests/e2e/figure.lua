-- A standing figure of joints in T pose as .gltf or .glb: lua5.4 figure.lua PREFIX X,Y,Z,W FILE,
-- with the prefix in front of each name and the whole turned by the quaternion.
local prefix, turn, out = arg[1], arg[2], arg[3]
local list = { { "Hips", nil, 0, 0.95, 0 }, { "Spine", 1, 0, 1.1, 0 }, { "Chest", 2, 0, 1.3, 0 },
  { "Neck", 3, 0, 1.48, 0 }, { "Head", 4, 0, 1.58, 0.02 } }
for _, s in ipairs { { "Left", 1 }, { "Right", -1 } } do
  local function add(name, parent, x, y, z)
    list[#list + 1] = { s[1] .. name, parent, s[2] * x, y, z }
    return #list
  end
  local arm = add("Hand", add("ForeArm", add("Arm", add("Shoulder", 3, .04, 1.42, 0), .18, 1.42, 0),
    .46, 1.42, -.01), .71, 1.42, 0)
  add("HandIndex1", arm, .80, 1.42, .02)
  add("HandPinky1", arm, .79, 1.42, -.03)
  add("ToeBase", add("Foot", add("Leg", add("UpLeg", 1, .09, .9, 0), .09, .5, .01), .09, .08, -.01),
    .09, .02, .12)
end
local children, nodes, roots = {}, {}, {}
for i, j in ipairs(list) do
  children[i] = {}
  if j[2] then table.insert(children[j[2]], i - 1) end
end
for i, j in ipairs(list) do
  local p = j[2] and list[j[2]] or { 0, 0, 0, 0, 0 }
  local kids = #children[i] > 0 and ',"children":[' .. table.concat(children[i], ",") .. "]" or ""
  nodes[i] = ('{"name":"%s%s","translation":[%g,%g,%g]%s}'):format(prefix, j[1], j[3] - p[3],
    j[4] - p[4], j[5] - p[5], kids)
  if not j[2] then roots[#roots + 1] = i - 1 end
end
nodes[#nodes + 1] = ('{"name":"all","rotation":[%s],"children":[%s]}'):format(turn,
  table.concat(roots, ","))
local text = ('{"asset":{"version":"2.0"},"scenes":[{"nodes":[%d]}],"nodes":[%s]}'):format(
  #nodes - 1, table.concat(nodes, ","))
local file = io.open(out, "wb")
if out:find "%.glb$" then
  text = text .. (" "):rep(-#text % 4)
  file:write(string.pack("<c4I4I4I4c4", "glTF", 2, 20 + #text, #text, "JSON"))
end
file:write(text)
file:close()

-- Reads and writes .glb files as tables, and makes variants of a character: other names, turned,
-- scaled, in another rest. For tests only: no message is kind.
local glb = {}

local function skip(text, at) return text:find("[^%s]", at) end
local decode

local function decode_string(text, at)
  local stop = at + 1
  while text:sub(stop, stop) ~= '"' do stop = stop + (text:sub(stop, stop) == "\\" and 2 or 1) end
  return text:sub(at + 1, stop - 1), stop + 1
end

local function decode_items(text, at, close, object)
  local items = object and {} or { list = true }
  at = skip(text, at + 1)
  while text:sub(at, at) ~= close do
    local key
    if object then
      key, at = decode_string(text, at)
      at = skip(text, skip(text, at) + 1)
    end
    local value
    value, at = decode(text, at)
    items[key or #items + 1] = value
    at = skip(text, at)
    if text:sub(at, at) == "," then at = skip(text, at + 1) end
  end
  return items, at + 1
end

-- strings stay escaped, as { text = }; lists have list = true
function decode(text, at)
  at = skip(text, at)
  local c = text:sub(at, at)
  if c == "{" then return decode_items(text, at, "}", true) end
  if c == "[" then return decode_items(text, at, "]", false) end
  if c == '"' then
    local words, stop = decode_string(text, at)
    return { text = words }, stop
  end
  local word = text:match("^[%w%+%-%.]+", at)
  return tonumber(word) or { raw = word }, at + #word
end

local function encode(value)
  if type(value) == "number" then
    return value == math.floor(value) and ("%.0f"):format(value) or ("%.9g"):format(value)
  end
  if type(value) == "string" then return '"' .. value .. '"' end
  if value.raw then return value.raw end
  if type(value.text) == "string" then return '"' .. value.text .. '"' end
  local parts = {}
  if value.list then
    for i, item in ipairs(value) do parts[i] = encode(item) end
    return "[" .. table.concat(parts, ",") .. "]"
  end
  for key, item in pairs(value) do parts[#parts + 1] = '"' .. key .. '":' .. encode(item) end
  table.sort(parts)
  return "{" .. table.concat(parts, ",") .. "}"
end

local function bytes_of(path)
  local file = assert(io.open(path, "rb"))
  local bytes = file:read "*a"
  file:close()
  return bytes
end

local function little(bytes, at)
  local a, b, c, d = bytes:byte(at, at + 3)
  return a + b * 256 + c * 65536 + d * 16777216
end

local function as_little(value)
  local out = {}
  for i = 1, 4 do out[i], value = string.char(value % 256), math.floor(value / 256) end
  return table.concat(out)
end

-- a .glb, or a .gltf with one buffer beside it; images in files are dropped
function glb.read(path)
  local bytes = bytes_of(path)
  if bytes:sub(1, 4) == "glTF" then
    local size = little(bytes, 13)
    return { json = decode(bytes:sub(21, 20 + size), 1),
      bin = bytes:sub(29 + size, 28 + size + little(bytes, 21 + size)) }
  end
  local json = decode(bytes, 1)
  local bin = bytes_of(path:match "^(.*/)" .. json.buffers[1].uri.text)
  json.buffers[1].uri, json.images, json.textures, json.materials = nil, nil, nil, nil
  for _, mesh in ipairs(json.meshes or {}) do
    for _, primitive in ipairs(mesh.primitives) do primitive.material = nil end
  end
  return { json = json, bin = bin }
end

function glb.write(file, path)
  local text = encode(file.json)
  text = text .. (" "):rep(-#text % 4)
  local bin = file.bin .. ("\0"):rep(-#file.bin % 4)
  local out = assert(io.open(path, "wb"))
  out:write("glTF", as_little(2), as_little(28 + #text + #bin), as_little(#text), "JSON", text,
    as_little(#bin), "BIN\0", bin)
  out:close()
end

-- every node's name through a function
function glb.rename(file, change)
  for _, node in ipairs(file.json.nodes) do
    if node.name then node.name = { text = change(node.name.text) } end
  end
end

-- without the humanoid maps of VRM
function glb.strip(file)
  file.json.extensions, file.json.extensionsUsed, file.json.extensionsRequired = nil, nil, nil
  for _, list in ipairs { "materials", "nodes", "meshes", "textures" } do
    for _, item in ipairs(file.json[list] or {}) do item.extensions = nil end
  end
end

-- the whole scene below one new node
function glb.wrap(file, node)
  local scene = file.json.scenes[(file.json.scene or 0) + 1]
  node.name, node.children = { text = "wrapped" }, scene.nodes
  table.insert(file.json.nodes, node)
  scene.nodes = { list = true, #file.json.nodes - 1 }
end

function glb.turned(x, y, z, degrees)
  local half = math.rad(degrees) / 2
  return { rotation = { list = true, x * math.sin(half), y * math.sin(half), z * math.sin(half),
    math.cos(half) } }
end

-- turns some joints of the rest pose, which leaves the skin's bind pose as it was
function glb.bend(file, pattern, degrees)
  local half, count = math.rad(degrees) / 2, 0
  for _, node in ipairs(file.json.nodes) do
    if node.name and node.name.text:lower():find(pattern) and not node.matrix and not node.mesh then
      local q = node.rotation or { 0, 0, 0, 1 }
      local s, c = math.sin(half), math.cos(half)
      node.rotation = { list = true, q[1] * c + q[4] * s, q[2] * c + q[3] * s, q[3] * c - q[2] * s,
        q[4] * c - q[1] * s }
      count = count + 1
    end
  end
  return count
end

return glb

-- A skinned character in 3D, from a rig that `sinew bind` wrote: a mesh and a vertex shader. Its
-- right hand follows the mouse, its feet stay where they are. Nothing is allocated in a frame but
-- what LÖVE allocates itself.
local sinew = require "sinew"

local graphics = love.graphics
local tall = math.rad(20) -- half of the camera's angle

local shader_text = [[
varying vec3 normal;
#ifdef VERTEX
attribute vec3 VertexNormal;
attribute vec4 VertexJoints;
attribute vec4 VertexWeights;
uniform mat4 matrices[COUNT];
uniform mat4 view;
vec4 position(mat4 transform, vec4 vertex) {
  mat4 m = VertexWeights.x * matrices[int(VertexJoints.x)]
    + VertexWeights.y * matrices[int(VertexJoints.y)]
    + VertexWeights.z * matrices[int(VertexJoints.z)]
    + VertexWeights.w * matrices[int(VertexJoints.w)];
  normal = mat3(m) * VertexNormal;
  return view * (m * vec4(vertex.xyz, 1.0));
}
#endif
#ifdef PIXEL
uniform vec3 light;
uniform float cutoff;
vec4 effect(vec4 color, Image picture, vec2 at, vec2 place) {
  vec4 base = Texel(picture, at) * color;
  if (base.a < cutoff) discard;
  return vec4(base.rgb * (0.45 + 0.6 * max(dot(normalize(normal), light), 0.0)), base.a);
}
#endif
]]

local format = { { "VertexPosition", "float", 3 }, { "VertexTexCoord", "float", 2 },
  { "VertexNormal", "float", 3 }, { "VertexJoints", "float", 4 }, { "VertexWeights", "float", 4 } }

-- --- a part of the character as a mesh of LÖVE

local function make_mesh(part)
  local normals = part.normals or sinew.normals(part.positions:table(), part.triangles)
  local vertices = {}
  for i = 1, #part.positions / 3 do
    local v = { part.positions[3 * i - 2], part.positions[3 * i - 1], part.positions[3 * i],
      part.uvs and part.uvs[2 * i - 1] or 0, part.uvs and part.uvs[2 * i] or 0,
      normals[3 * i - 2], normals[3 * i - 1], normals[3 * i] }
    for k = -3, 0 do
      v[12 + k] = part.joints[4 * i + k]
      v[16 + k] = part.weights[4 * i + k]
    end
    vertices[i] = v
  end
  local mesh = graphics.newMesh(format, vertices, "triangles", "static")
  mesh:setVertexMap(part.triangles)
  return mesh
end

local function make_parts(character)
  local parts, pictures = {}, {}
  for i = 1, character.part_count do
    local part = character:part(i)
    local shown = { mesh = make_mesh(part), sided = part.double_sided, alpha = part.alpha,
      cutoff = part.alpha == "mask" and part.cutoff or -1, color = {} }
    for k = 1, 4 do shown.color[k] = k < 4 and part.color[k] ^ (1 / 2.2) or part.color[k] end
    if part.alpha ~= "blend" then shown.color[4] = 1 end
    if part.image and not pictures[part.image] then
      local bytes, kind = character:image(part.image)
      local data = bytes and love.filesystem.newFileData(bytes,
        kind == "image/jpeg" and "picture.jpg" or "picture.png")
      local ok, picture = pcall(graphics.newImage, data, { mipmaps = true })
      if ok then
        picture:setWrap("repeat", "repeat")
        pictures[part.image] = picture
      end
    end
    if pictures[part.image] then shown.mesh:setTexture(pictures[part.image]) end
    parts[i] = shown
  end
  table.sort(parts, function(a, b) return a.alpha ~= "blend" and b.alpha == "blend" end)
  return parts
end

-- --- the game

-- live: of sinew.watch; path: of its script
return function(live, path)
  local file = live.rig.binding:match '"file"%s*:%s*"([^"]*)"'
  local character = assert(sinew.character((path:match "^(.*/)" or "") .. file, live.rig))
  local parts, count = make_parts(character), character.matrix_count
  local shader = graphics.newShader((shader_text:gsub("COUNT", tostring(count))))
  local solver = sinew.solver(live.rig, { root = true, goals = {
    hand = { "carpus_r", target = { -.3, 1, .3 } },
    left = { "tarsus_l", pin = true }, right = { "tarsus_r", pin = true } } })
  local reach, result = .3, {}
  local pose = live.pose
  solver:press(pose)

  local matrices
  local data = love.data.newByteData(64 * count)
  local numbers = require("ffi").cast("float *", data:getFFIPointer())
  local place = character.place:inverse()
  -- how far the camera is, and how high, for the whole figure
  local size = character.height * (place:point { 0, 1, 0 } - place:position()):length()
  local away, high = .4 + 1.8 * size, .54 * size
  local view, view_numbers = nil, {}
  local target = sinew.vec3()

  -- from the character's world to the screen, as columns
  local function look()
    local near, far = .1, 50
    local f = 1 / math.tan(tall)
    local project = sinew.mat4()
    for i = 1, 16 do project[i] = 0 end
    project[1], project[6] = f * graphics.getHeight() / graphics.getWidth(), f
    project[11], project[12] = (far + near) / (near - far), -1
    project[15] = 2 * far * near / (near - far)
    local camera = sinew.mat4()
    camera[14], camera[15] = -high, -away
    view = project * camera * place
    for i = 1, 16 do view_numbers[i] = view[i] end
  end

  function love.resize() view = nil end
  function love.keypressed(key)
    if key == "escape" then love.event.quit() end
  end

  function love.update()
    local x, y = love.mouse.getPosition()
    local width, height = graphics.getDimensions()
    local pixel = 2 * math.tan(tall) * (away - reach) / height
    target[1], target[2] = (x - width / 2) * pixel, high - (y - height / 2) * pixel
    target[3] = reach
    solver:target("hand", target)
    solver:drag(pose, nil, result)
    matrices = character:matrices(pose, matrices)
    for i = 1, 16 * count do numbers[i - 1] = matrices[i] end
  end

  function love.draw()
    graphics.clear(.2, .22, .26, 1, true, 1)
    if not matrices then return end
    if not view then look() end
    graphics.setShader(shader)
    shader:send("view", "column", view_numbers)
    shader:send("matrices", "column", data)
    shader:send("light", { .35, .7, .6 })
    for _, part in ipairs(parts) do
      shader:send("cutoff", part.cutoff)
      graphics.setDepthMode("lequal", part.alpha ~= "blend")
      graphics.setMeshCullMode(part.sided and "none" or "back")
      graphics.setColor(part.color)
      graphics.draw(part.mesh)
    end
    graphics.setShader()
    graphics.setDepthMode()
    graphics.setMeshCullMode "none"
    graphics.setColor(1, 1, 1)
    graphics.print("The right hand follows the mouse.", 12, 10)
  end
end

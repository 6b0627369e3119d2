-- Draws the shapes of a rig's segments from the front, as lit triangles: back faces are culled, the
-- others are drawn from far to near.
local bones = {}

local graphics = love.graphics
local colour = { 0.93, 0.89, 0.8 }
local light = { -0.35, 0.6, 0.72 }
local layers = 256

-- the shapes of a rig in one list; nil if no segment has one
function bones.of(rig)
  local found, triangles = {}, 0
  for i, segment in ipairs(rig.segments) do
    local shape = segment.shape
    if shape and shape.vertices then
      found[#found + 1] = { index = i, shape = shape, points = {} }
      triangles = triangles + #shape.triangles / 3
    end
  end
  if #found == 0 then return nil end
  local self = { shapes = found, corners = {}, heads = {}, nexts = {}, order = {}, depths = {} }
  for i = 1, 3 * triangles do self.corners[i] = { 0, 0, 0, 0, 1, 1, 1, 1 } end
  self.mesh = graphics.newMesh(3 * triangles, "triangles", "stream")
  return self
end

-- every vertex in the world: calls visit(x, y, z)
function bones.each_vertex(self, worlds, visit)
  for _, bone in ipairs(self.shapes) do
    local at, v = 16 * (bone.index - 1), bone.shape.vertices
    for k = 1, #v, 3 do
      local x, y, z = v[k], v[k + 1], v[k + 2]
      visit(worlds[at + 1] * x + worlds[at + 5] * y + worlds[at + 9] * z + worlds[at + 13],
        worlds[at + 2] * x + worlds[at + 6] * y + worlds[at + 10] * z + worlds[at + 14],
        worlds[at + 3] * x + worlds[at + 7] * y + worlds[at + 11] * z + worlds[at + 15])
    end
  end
end

local function shade(m, normals, k)
  local x, y, z = normals[k], normals[k + 1], normals[k + 2]
  local lit = 0
  for row = 1, 3 do
    lit = lit + light[row] * (m[row] * x + m[row + 4] * y + m[row + 8] * z)
  end
  return 0.5 + 0.5 * math.max(0, (lit + 0.2) / 1.2)
end

-- a bone's vertices on the screen, with their depth and light
local function place(bone, worlds, scale, left, top)
  local m, at = {}, 16 * (bone.index - 1)
  for k = 1, 16 do m[k] = worlds[at + k] end
  local v, p = bone.shape.vertices, bone.points
  for k = 1, #v, 3 do
    local x, y, z = v[k], v[k + 1], v[k + 2]
    local i = (k - 1) / 3 * 4
    p[i + 1] = left + scale * (m[1] * x + m[5] * y + m[9] * z + m[13])
    p[i + 2] = top - scale * (m[2] * x + m[6] * y + m[10] * z + m[14])
    p[i + 3] = m[3] * x + m[7] * y + m[11] * z + m[15]
    p[i + 4] = shade(m, bone.shape.normals, k)
  end
end

-- front-facing triangles, linked by depth
local function sort_into_layers(self, low, high)
  for layer = 0, layers do self.heads[layer] = nil end
  local count = 0
  for b, bone in ipairs(self.shapes) do
    local p, t = bone.points, bone.shape.triangles
    for k = 1, #t, 3 do
      local a, c, d = 4 * t[k] - 4, 4 * t[k + 1] - 4, 4 * t[k + 2] - 4
      local turn = (p[c + 1] - p[a + 1]) * (p[d + 2] - p[a + 2])
        - (p[c + 2] - p[a + 2]) * (p[d + 1] - p[a + 1])
      if turn < 0 then -- y points down on the screen
        count = count + 1
        local z = (p[a + 3] + p[c + 3] + p[d + 3]) / 3
        local layer = math.floor(layers * (z - low) / (high - low + 1e-6))
        layer = math.max(0, math.min(layers, layer))
        self.order[3 * count - 2], self.order[3 * count - 1], self.order[3 * count] = b, k, layer
        self.nexts[count], self.heads[layer] = self.heads[layer], count
      end
    end
  end
  return count
end

function bones.draw(self, worlds, scale, left, top)
  local low, high = 1e9, -1e9
  for _, bone in ipairs(self.shapes) do
    place(bone, worlds, scale, left, top)
    for i = 3, #bone.points, 4 do
      low, high = math.min(low, bone.points[i]), math.max(high, bone.points[i])
    end
  end
  sort_into_layers(self, low, high)
  local used = 0
  for layer = 0, layers do
    local at = self.heads[layer]
    while at do
      local bone, k = self.shapes[self.order[3 * at - 2]], self.order[3 * at - 1]
      for corner = 0, 2 do
        local i = 4 * bone.shape.triangles[k + corner] - 4
        used = used + 1
        local vertex, lit = self.corners[used], bone.points[i + 4]
        vertex[1], vertex[2] = bone.points[i + 1], bone.points[i + 2]
        vertex[5], vertex[6], vertex[7] = colour[1] * lit, colour[2] * lit, colour[3] * lit
      end
      at = self.nexts[at]
    end
  end
  if used == 0 then return end
  self.mesh:setVertices(self.corners)
  self.mesh:setDrawRange(1, used)
  graphics.setColor(1, 1, 1)
  graphics.draw(self.mesh)
end

return bones

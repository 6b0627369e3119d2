-- Draws a rig from the front: its segments' shapes or, if it has none, a plain bone from each
-- segment to its children. Near bones are drawn over far ones.
local bones = require "bones"

local figure = {}

local graphics = love.graphics
local ink, paper, bone = { 0.2, 0.19, 0.18 }, { 0.96, 0.94, 0.89 }, { 0.98, 0.96, 0.9 }
local accent, alarm = { 0.85, 0.45, 0.2 }, { 0.7, 0.15, 0.12 }
local panel_width = 220

local view -- the rig that is shown, its bones as pairs of segments, and its bounds

local function origin(worlds, i)
  return worlds[16 * i - 3], worlds[16 * i - 2], worlds[16 * i - 1]
end

-- finds the bones and the bounds of a rig; done once per rig, so that the picture does not jump
local function look_at(rig, worlds)
  local index, segments = {}, rig.segments
  view = { rig = rig, bones = {}, shapes = bones.of(rig) }
  view.low, view.high = { 1e9, 1e9 }, { -1e9, -1e9 }
  local function take(x, y)
    view.low[1], view.low[2] = math.min(view.low[1], x), math.min(view.low[2], y)
    view.high[1], view.high[2] = math.max(view.high[1], x), math.max(view.high[2], y)
  end
  for i, segment in ipairs(segments) do
    index[segment.name] = i
    if segment.parent then table.insert(view.bones, { index[segment.parent], i, z = 0 }) end
    take(origin(worlds, i))
  end
  if view.shapes then bones.each_vertex(view.shapes, worlds, take) end
end

local function scale_of_view()
  local width, height = graphics.getWidth() - panel_width, graphics.getHeight()
  local tall = math.max(view.high[2] - view.low[2], view.high[1] - view.low[1], 1e-3)
  local scale = 0.72 * math.min(height, width) / tall
  local x = panel_width + width / 2 - scale * (view.low[1] + view.high[1]) / 2
  return scale, x, height / 2 + scale * (view.low[2] + view.high[2]) / 2
end

-- a bone tapers: widest at a third of its length, narrow at the far end
local function draw_bone(x1, y1, x2, y2, scale, z)
  local dx, dy = x2 - x1, y2 - y1
  local length = math.sqrt(dx * dx + dy * dy)
  local light = math.max(0.75, math.min(1, 0.9 + 0.4 * z))
  if length > 1 then
    local half = math.min(0.13 * length, 0.035 * scale) / length
    local nx, ny = -dy * half, dx * half
    local outline = { x1 + nx * 0.5, y1 + ny * 0.5, x1 + 0.3 * dx + nx, y1 + 0.3 * dy + ny,
      x2 + nx * 0.4, y2 + ny * 0.4, x2 - nx * 0.4, y2 - ny * 0.4,
      x1 + 0.3 * dx - nx, y1 + 0.3 * dy - ny, x1 - nx * 0.5, y1 - ny * 0.5 }
    graphics.setColor(bone[1] * light, bone[2] * light, bone[3] * light)
    graphics.polygon("fill", outline)
    graphics.setColor(ink)
    graphics.polygon("line", outline)
  end
  for _, at in ipairs { { x1, y1 }, { x2, y2 } } do
    graphics.setColor(accent)
    graphics.circle("fill", at[1], at[2], 0.012 * scale)
    graphics.setColor(ink)
    graphics.circle("line", at[1], at[2], 0.012 * scale)
  end
end

function figure.draw(rig, worlds)
  if not view or view.rig ~= rig then look_at(rig, worlds) end
  local scale, left, top = scale_of_view()
  graphics.clear(paper)
  graphics.setLineWidth(1.5)
  graphics.setColor(ink[1], ink[2], ink[3], 0.25)
  local floor = top - scale * view.low[2]
  graphics.line(panel_width + 20, floor, graphics.getWidth() - 20, floor)
  if view.shapes then return bones.draw(view.shapes, worlds, scale, left, top) end
  for _, pair in ipairs(view.bones) do
    local _, _, z1 = origin(worlds, pair[1])
    local _, _, z2 = origin(worlds, pair[2])
    pair.z = (z1 + z2) / 2
  end
  table.sort(view.bones, function(a, b) return a.z < b.z end)
  for _, pair in ipairs(view.bones) do
    local x1, y1 = origin(worlds, pair[1])
    local x2, y2 = origin(worlds, pair[2])
    draw_bone(left + scale * x1, top - scale * y1, left + scale * x2, top - scale * y2, scale,
      pair.z)
  end
end

-- the DOFs with their ranges as bars
function figure.panel(rig, pose, chosen)
  local y = 20
  graphics.setColor(ink)
  graphics.print(rig.name, 20, y)
  for i, dof in ipairs(rig.dofs) do
    y = y + 30
    local value = pose[dof.name]
    local part = (value - dof.min) / (dof.max - dof.min)
    graphics.setColor(i == chosen and accent or ink)
    graphics.print(("%s  %.1f"):format(dof.name, value), 20, y)
    graphics.setColor(ink[1], ink[2], ink[3], 0.2)
    graphics.rectangle("fill", 20, y + 17, panel_width - 40, 4)
    graphics.setColor(i == chosen and accent or ink)
    graphics.rectangle("fill", 20, y + 17, (panel_width - 40) * part, 4)
  end
end

function figure.message(text)
  local height = graphics.getHeight()
  graphics.setColor(alarm)
  graphics.rectangle("fill", 0, height - 60, graphics.getWidth(), 60)
  graphics.setColor(1, 1, 1)
  graphics.printf(text, 20, height - 50, graphics.getWidth() - 40)
end

return figure

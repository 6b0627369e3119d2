-- Bones of trunk and arm: one closed piece each, as large as measured, where they are asked to be.
local check, tests = ...
local sinew = require "sinew"
local shapes = sinew.shapes

-- pieces, and handles and holes, of a mesh: V - E + F is 2 for each piece that has none
local function topology(shape)
  local made = sinew.mesh(shape)
  local t, parent, edges, count = made.triangles, {}, {}, 0
  local function root(i)
    while parent[i] ~= i do i = parent[i] end
    return i
  end
  for i = 1, #t do parent[t[i]] = t[i] end
  for i = 1, #t, 3 do
    for k = 0, 2 do
      local a, b = t[i + k], t[i + (k + 1) % 3]
      parent[root(a)] = root(b)
      local key = math.min(a, b) .. " " .. math.max(a, b)
      if not edges[key] then count = count + 1 end
      edges[key] = (edges[key] or 0) + 1
    end
  end
  for key, n in pairs(edges) do check.equal(n, 2, key) end
  local pieces, vertices = 0, 0
  for i in pairs(parent) do
    vertices = vertices + 1
    if parent[i] == i then pieces = pieces + 1 end
  end
  return pieces, vertices - count + #t / 3
end

-- millimetres along x, y and z, measured on the bones of the OpenSim model of Rajagopal et al. 2016
local sizes = {
  humerus = { 57, 318, 43 }, ulna = { 46, 259, 33 }, scapula = { 84, 158, 119 },
  clavicle = { 126, 41, 36 }, metacarpal = { 20, 80, 18 }, metacarpal1 = { 16, 48, 14 },
  finger_proximal = { 12, 50, 18 }, finger_middle = { 9, 33, 14 }, finger_distal = { 6, 19, 12 },
}

local function extents(shape)
  local v, low, high = sinew.mesh(shape).vertices, {}, {}
  for i = 1, #v do
    local k = (i - 1) % 3 + 1
    low[k], high[k] = math.min(low[k] or 9, v[i]), math.max(high[k] or -9, v[i])
  end
  return { 1000 * (high[1] - low[1]), 1000 * (high[2] - low[2]), 1000 * (high[3] - low[3]) }
end

function tests.are_one_closed_piece_without_holes()
  for _, name in ipairs { "humerus", "ulna", "radius", "scapula", "sternum", "clavicle",
    "metacarpal", "metacarpal1", "finger_proximal", "finger_middle", "finger_distal" } do
    local pieces, euler = topology(shapes[name] {})
    check.equal(pieces, 1, name)
    check.equal(euler, 2, name)
  end
end

function tests.the_wrist_has_eight_bones_that_stay_apart()
  local pieces, euler = topology(shapes.carpus {})
  check.equal(pieces, 8)
  check.equal(euler, 16)
end

function tests.are_as_large_as_real_ones()
  for name, size in pairs(sizes) do
    local got = extents(shapes[name] (name == "clavicle" and { to = { -0.124, 0.024, -0.012 } }
      or {}))
    for k = 1, 3 do
      check.that(math.abs(got[k] - size[k]) < 3 + 0.04 * size[k],
        ("%s, axis %d: %.1f instead of %d"):format(name, k, got[k], size[k]))
    end
  end
end

-- a rib is as high and as thick as asked for in its middle, and its tilt turns that
function tests.a_rib_has_its_height_thickness_and_tilt()
  local path = {}
  for i = 0, 8 do
    local angle = math.rad(20 * i)
    path[i + 1] = { -0.1 * math.sin(angle), 0, -0.1 * math.cos(angle) }
  end
  local function across(tilt)
    local solid = shapes.rib { points = path, height = 0.014, thickness = 0.006, tilt = tilt }.solid
    -- outwards and upwards from the middle of the path
    local function surface(dx, dy)
      local low, high = 0, 0.02
      for _ = 1, 30 do
        local s = (low + high) / 2
        if solid:distance { -0.1 - s * dx, s * dy, 0 } < 0 then low = s else high = s end
      end
      return 2000 * low
    end
    return surface(0, 1), surface(1, 0)
  end
  local high, thick = across(nil)
  check.near(high, 14, 0.5)
  check.near(thick, 0.95 * 6, 0.5)
  high, thick = across { 90, 90 }
  check.near(high, 0.95 * 6, 0.5)
  check.near(thick, 14, 0.5)
end

-- the rig's own bones meet where its joints are
function tests.landmarks_come_out_where_they_are_asked_for()
  local head, places = { 0.01, 0.02, 0.03 }, {}
  require "sinew.blend".solid(require "sinew.bones.humerus", { fit = { head = head,
    cap = { -0.01, -0.28, 0.03 }, flange = { 0.02, -0.29, 0.03 } } }, places)
  check.near(places.head:distance(head), 0, 1e-6)
  check.near(places.cap:distance { -0.01, -0.28, 0.03 }, 0, 1e-6)
  -- the surface of the head is a ball about it
  local shape = shapes.humerus { fit = { head = { 0, 0, 0 }, cap = { -0.018, -0.283, 0.012 } } }
  check.near(shape.solid:distance { 0.001, 0.001, -0.03 }, 0.03 - 0.0187, 0.0015)
end

-- pairs of segments of rigs/human.lua that are joined: ribs on vertebrae and sternum, shoulder,
-- elbow, wrist, fingers
local function joined()
  local list = { { "sternum", "clavicle_r" }, { "clavicle_r", "scapula_r" },
    { "scapula_r", "humerus_r" }, { "humerus_r", "ulna_r" }, { "humerus_r", "radius_r" },
    { "ulna_r", "radius_r" }, { "radius_r", "carpus_r" },
    { "metacarpal_thumb_r", "proximal_thumb_r" }, { "proximal_thumb_r", "distal_thumb_r" } }
  for i = 1, 12 do
    list[#list + 1] = { "T" .. i, ("rib%d_r"):format(i) }
    if i <= 7 then list[#list + 1] = { "sternum", ("rib%d_r"):format(i) } end
  end
  for _, finger in ipairs { "index", "middle", "ring", "little" } do
    local before = "carpus"
    for _, bone in ipairs { "metacarpal_", "proximal_", "middle_", "distal_" } do
      list[#list + 1] = { before .. "_r", bone .. finger .. "_r" }
      before = bone .. finger
    end
  end
  return list
end

function tests.of_the_human_meet_at_their_joints_and_go_into_none()
  local rigs = require "rigs"
  local between = require "tools.gaps"(rigs.open "human")
  for _, pair in ipairs(joined()) do
    local found = between(pair[1], pair[2])
    local text = ("%s, %s: %.1f mm apart, %.1f deep"):format(pair[1], pair[2], found.gap,
      found.depth)
    check.that(found.gap <= 4, text)
    check.that(found.depth <= 1, text)
  end
  for i = 1, 10 do
    check.equal(between("scapula_r", ("rib%d_r"):format(i)).depth, 0)
  end
end

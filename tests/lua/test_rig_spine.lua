-- rigs/spine.lua: its poses have the ranges of the papers, and the rib cage keeps its shape.
local check, tests = ...
local sinew = require "sinew"
local rigs = require "rigs"
local sides = require "sinew.sides"
local rig = rigs.open "spine"
local motion = require "data.spine_motion"
local cage = require "data.cage"

local vertebrae = {}
for i = 5, 1, -1 do table.insert(vertebrae, "L" .. i) end
for i = 12, 1, -1 do table.insert(vertebrae, "T" .. i) end
for i = 7, 1, -1 do table.insert(vertebrae, "C" .. i) end

local regions = { L = "lumbar", T = "thoracic", C = "cervical" }
local function region_of(name) return regions[name:sub(1, 1)] end

-- the angle in degrees by which a driven matrix rotates, signed by its rotation about `axis`
local function turn_of(pose, name, axis)
  local vector, angle = pose:driven(name):rotation():axis_angle()
  return vector:dot(axis) < 0 and -angle or angle
end

local forward, right, turned = { 1, 0, 0 }, { 0, 0, 1 }, { 0, -1, 0 }

function tests.has_24_vertebrae_24_ribs_and_nine_dofs_in_three_joint_sets()
  local names, ribs = {}, 0
  for _, segment in ipairs(rig.segments) do
    names[segment.name] = segment
    if segment.name:match "^rib%d+_[rl]$" then ribs = ribs + 1 end
  end
  local below = "sacrum"
  for _, name in ipairs(vertebrae) do
    check.equal(names[name].parent, below)
    below = name
  end
  check.equal(#vertebrae, 24)
  check.equal(ribs, 24)
  check.that(names.sternum and names.skull)
  check.equal(#rig.joint_sets, 3)
  check.equal(#rig.dofs, 9)
  for _, dof in ipairs(rig.dofs) do check.has(dof, { min = -1, max = 1, rest = 0 }) end
end

function tests.every_vertebra_has_three_rotations_with_their_own_centres()
  local heights = {}
  for _, region in pairs(regions) do
    for _, level in ipairs(require "data.spine"[region]) do heights[level.name] = level.height end
  end
  local pose = rig:pose()
  for _, name in ipairs(vertebrae) do
    local region = region_of(name)
    local centres = motion.centres[region](name)
    for _, turn in ipairs { "flexion", "bend", "twist" } do
      check.equal(rig:find(("%s.%s_%s"):format(region, name, turn)).kind, "rotation")
      pose:reset()[region .. "." .. turn] = 0.7
      local y, z = -heights[name] / 2 - centres[turn][1], -centres[turn][2]
      local centre = sinew.vec3(0, y / 1000, z / 1000)
      check.near_all(pose:driven(name):point(centre), centre, 1e-6)
      check.that(math.abs(turn_of(pose, name, forward)) > 0.1)
    end
  end
end

-- [Shao 2003, 5.1], copied from there
function tests.neck_flexes_exactly_as_printed()
  local printed = { C7 = { -13.2, 5.5 }, C6 = { -7.5, 5.5 }, C5 = { -4, 5.5 }, C4 = { -4.6, 5.5 },
    C3 = { -8, 6.5 }, C2 = { -5.5, 6.5 }, C1 = { -18.5, 6.5 } }
  local pose, map = rig:pose(), rig:find "cervical.flexion_map"
  for i, value in ipairs { -1, 1 } do
    pose["cervical.flexion"] = value
    local sum = 0
    for name, range in pairs(printed) do
      check.near(pose:value(map[name]), range[i], 1e-5)
      check.near(turn_of(pose, name, forward), range[i], 2e-3)
      sum = sum + range[i]
    end
    check.near(sum, ({ -61.3, 41.5 })[i], 1e-9)
    local head = pose:world "T1":inverse() * pose:world "skull"
    local before = rig:pose()
    local rest = before:world "T1":inverse() * before:world "skull"
    local whole = (rest:inverse() * head):angles "xyz"
    check.near(whole, sum, 1e-3)
  end
  -- linear on both sides of 0, and zero at 0
  pose["cervical.flexion"] = -0.5
  check.near(pose:value(map.C7), -6.6, 1e-5)
  pose["cervical.flexion"] = 0.5
  check.near(pose:value(map.C7), 2.75, 1e-5)
end

local function range_of(dof, name, axis)
  local pose = rig:pose()
  pose[dof] = -1
  local low = turn_of(pose, name, axis)
  pose[dof] = 1
  return low, turn_of(pose, name, axis)
end

-- Mortensen 2014: lower neck 33 and 27 to each side, upper neck 6 and 38
function tests.neck_bends_and_rotates_by_the_shares_of_its_model()
  local bends = { C6 = 0.137 * 33, C5 = 0.157 * 33, C4 = 0.216 * 33, C3 = 0.216 * 33,
    C2 = 0.196 * 33, C1 = 6, C7 = 0.078 * 33 }
  local twists = { C6 = 0.188 * 27, C5 = 0.219 * 27, C4 = 0.219 * 27, C3 = 0.219 * 27,
    C2 = 0.094 * 27, C1 = 38, C7 = 0.061 * 27 }
  local function check_range(dof, name, axis, whole)
    check.near_all({ range_of(dof, name, axis) }, { -whole, whole }, 2e-3)
  end
  for name, whole in pairs(bends) do check_range("cervical.bend", name, right, whole) end
  for name, whole in pairs(twists) do check_range("cervical.twist", name, turned, whole) end
end

-- Morita 2013
function tests.thorax_flexes_by_31_7_in_all_least_at_T4_and_most_at_T12()
  local sum, least, most = 0, {}, {}
  for i = 1, 12 do
    local low, high = range_of("thoracic.flexion", "T" .. i, forward)
    local whole = high - low
    sum = sum + whole
    if not least.whole or whole < least.whole then least = { whole = whole, name = "T" .. i } end
    if not most.whole or whole > most.whole then most = { whole = whole, name = "T" .. i } end
  end
  check.near(sum, 31.7, 0.01)
  check.equal(least.name, "T4")
  check.near(least.whole, 0.9, 2e-3)
  check.equal(most.name, "T12")
  check.near(most.whole, 4.2, 2e-3)
end

-- Christophy 2012
function tests.lumbar_spine_flexes_and_bends_by_the_shares_of_its_model()
  local shares = { L1 = { 0.255, 0.188 }, L2 = { 0.231, 0.250 }, L3 = { 0.204, 0.245 },
    L4 = { 0.185, 0.181 }, L5 = { 0.125, 0.136 } }
  for name, share in pairs(shares) do
    check.near_all({ range_of("lumbar.flexion", name, forward) },
      { -26 * share[1], 70 * share[1] }, 2e-3)
    check.near_all({ range_of("lumbar.bend", name, right) },
      { -25 * share[2], 25 * share[2] }, 2e-3)
    local _, twist = range_of("lumbar.twist", name, turned)
    check.near(twist, 2, 2e-3)
  end
end

-- [Shao 2003, 5.1]: a thoracic vertebra turns considerably less. Not in twist, where a lumbar one
-- turns no farther: see data/spine_motion.lua.
function tests.thoracic_vertebrae_flex_and_bend_less_than_those_of_neck_and_loins()
  for turn, axis in pairs { flexion = forward, bend = right } do
    local mean, count = { L = 0, T = 0, C = 0 }, { L = 5, T = 12, C = 7 }
    for _, name in ipairs(vertebrae) do
      local low, high = range_of(region_of(name) .. "." .. turn, name, axis)
      local letter = name:sub(1, 1)
      mean[letter] = mean[letter] + (high - low) / count[letter]
    end
    check.that(mean.T < 0.6 * mean.C and mean.T < 0.6 * mean.L,
      ("%s: %.1f, %.1f and %.1f"):format(turn, mean.C, mean.T, mean.L))
  end
end

function tests.positive_is_forwards_and_to_the_right()
  local pose = rig:pose()
  local rest = pose:world "skull":position()
  for _, region in pairs(regions) do
    pose:reset()[region .. ".flexion"] = 1
    check.that(pose:world "skull":position().z > rest.z + 0.02)
    pose:reset()[region .. ".bend"] = 1
    check.that(pose:world "skull":position().x < -0.02) -- the right is at -x
    pose:reset()[region .. ".twist"] = 1
    check.that(pose:world "skull":direction({ 0, 0, 1 }).x < -0.1)
  end
end

function tests.rest_is_the_identity() rigs.check_rest(rig) end

function tests.bending_to_one_side_mirrors_bending_to_the_other()
  local random, one, other = check.random(5), rig:pose(), rig:pose()
  for _ = 1, 40 do
    for _, dof in ipairs(rig.dofs) do
      local value = random(-1, 1)
      one[dof] = value
      other[dof] = dof.name:match "flexion" and value or -value
    end
    for _, segment in ipairs(rig.segments) do
      local image = rigs.mirrored(one:world(segment))
      check.that(other:world(sides.other(segment.name)):near(image, 1e-5), segment.name)
    end
  end
end

-- ribs: centre lines as drawn, costal ends, and where these meet the sternum
local mesh = require "sinew.mesh"
local function make_ribs()
  local pose, ribs = rig:pose(), { r = {}, l = {} }
  local to_sternum = pose:world "sternum":inverse()
  for side, list in pairs(ribs) do
    for i = 1, 12 do
      local segment = rig:find(("rib%d_%s"):format(i, side))
      local points, line = segment.shape.params.points, {}
      local given, sign = {}, segment.shape.mirrored and -1 or 1
      for k, point in ipairs(points) do given[k] = { sign * point.x, point.y, point.z } end
      for k, point in ipairs(mesh.smooth(given, 4)) do line[k] = sinew.vec3(point) end
      local tip, cartilage = sinew.vec3(given[#given]), segment.shape.params.cartilage
      list[i] = { name = segment.name, line = line, tip = tip,
        bony = cartilage and 4 * cartilage - 3 or #line,
        home = to_sternum:point(pose:world(segment):point(tip)) }
    end
  end
  return ribs
end

local function distance_to_line(p, line)
  local least = math.huge
  for i = 1, #line - 1 do
    local d = line[i + 1] - line[i]
    local t = math.max(0, math.min(1, (p - line[i]):dot(d) / d:dot(d)))
    least = math.min(least, p:distance(line[i] + d * t))
  end
  return least
end

-- the distance from point p to the segment from a to b, in plain numbers, since most of the time is
-- spent here
local function distance_to_segment(p, a, b)
  local dx, dy, dz = b[1] - a[1], b[2] - a[2], b[3] - a[3]
  local x, y, z = p[1] - a[1], p[2] - a[2], p[3] - a[3]
  local t = (x * dx + y * dy + z * dz) / (dx * dx + dy * dy + dz * dz)
  t = t < 0 and 0 or t > 1 and 1 or t
  x, y, z = x - t * dx, y - t * dy, z - t * dz
  return math.sqrt(x * x + y * y + z * z)
end

-- between two lines of points: every point of each against the other
local function gap(a, b)
  local least = math.huge
  for i = 1, #a - 1 do
    for k = 1, #b do least = math.min(least, distance_to_segment(b[k], a[i], a[i + 1])) end
  end
  for i = 1, #b - 1 do
    for k = 1, #a do least = math.min(least, distance_to_segment(a[k], b[i], b[i + 1])) end
  end
  return least
end

-- the largest distance of a costal end from its place, and the smallest gap between neighbours, of
-- their bones and with their cartilages
local function measure(ribs, pose, found)
  local to_sternum = pose:world "sternum":inverse()
  for _, list in pairs(ribs) do
    local arch = { list[7].home, list[8].home, list[9].home, list[10].home }
    local above
    for i, rib in ipairs(list) do
      local m = to_sternum * pose:world(rib.name)
      local tip, line, bone = m:point(rib.tip), {}, {}
      local off = i <= 7 and tip:distance(rib.home) or i <= 10 and distance_to_line(tip, arch) or 0
      if off > found.off then found.off, found.off_at = off, rib.name end
      for k, point in ipairs(rib.line) do
        local p = m:point(point)
        line[k] = { p.x, p.y, p.z }
        bone[k] = k <= rib.bony and line[k] or nil
      end
      local between = above and gap(above.bone, bone) or math.huge
      if between < found.gap then found.gap, found.gap_at = between, rib.name end
      found.close = math.min(found.close, above and gap(above.line, line) or math.huge)
      above = { line = line, bone = bone }
    end
  end
end

function tests.cage_keeps_its_shape_over_the_whole_range()
  local ribs, pose = make_ribs(), rig:pose()
  local found = { off = 0, gap = math.huge, close = math.huge }
  -- every corner, edge and face of the range, then points inside
  for flexion = -1, 1 do
    for bend = -1, 1 do
      for twist = -1, 1 do
        pose:set { ["thoracic.flexion"] = flexion, ["thoracic.bend"] = bend,
          ["thoracic.twist"] = twist }
        measure(ribs, pose, found)
      end
    end
  end
  local random = check.random(11)
  for _ = 1, 25 do
    for _, dof in ipairs(rig.dofs) do pose[dof] = random(-1, 1) end
    measure(ribs, pose, found)
  end
  -- costal ends are on the sternum or the arch; bones are further apart than a rib is high (11 mm),
  -- so they do not touch or cross, and cartilages, which join at the arch, do not cross
  check.that(found.off < 0.015, ("%s: %.1f mm"):format(found.off_at or "", 1000 * found.off))
  check.that(found.gap > 0.011, ("%s: %.1f mm"):format(found.gap_at or "", 1000 * found.gap))
  check.that(found.close > 0.006, ("cartilages: %.1f mm"):format(1000 * found.close))
end

-- checks the measure itself: ribs fixed to their vertebrae would leave the sternum
function tests.ribs_fixed_to_their_vertebrae_would_fail_the_measure()
  local ribs, pose, rest = make_ribs(), rig:pose(), rig:pose()
  pose:set { ["thoracic.flexion"] = 1, ["thoracic.bend"] = 1, ["thoracic.twist"] = 1 }
  local worst = 0
  for i = 1, 10 do
    local rib, vertebra = ribs.r[i], "T" .. i
    local tip = rest:world(vertebra):inverse():point(rest:world(rib.name):point(rib.tip))
    local there = pose:world "sternum":inverse():point(pose:world(vertebra):point(tip))
    worst = math.max(worst, there:distance(rib.home))
  end
  check.that(worst > 0.03, ("%.1f mm"):format(1000 * worst))
end

-- relative to the sternum, a vertebra rotates by W and its rib by -k W against it
function tests.ribs_rotate_less_than_their_vertebra()
  local pose, rest = rig:pose(), rig:pose()
  local function turn_from(m) -- as a rotation vector
    local axis, angle = m:rotation():axis_angle()
    return sinew.vec3(axis) * angle
  end
  local function against(name, reference)
    local before = rest:world(reference):inverse() * rest:world(name)
    return turn_from((pose:world(reference):inverse() * pose:world(name)) * before:inverse())
  end
  for _, turn in ipairs { "flexion", "bend", "twist" } do
    for _, value in ipairs { -1, -0.3, 1 } do
      pose:reset()["thoracic." .. turn] = value
      for i = 1, 12 do
        for _, side in ipairs { "r", "l" } do
          local name = ("rib%d_%s"):format(i, side)
          local vertebra = against("T" .. i, "sternum")
          local rib = against(name, "sternum")
          -- what remains of the vertebra's rotation is a fraction of it, in the same direction
          if vertebra:length() > 0.3 then
            check.near(rib:dot(vertebra) / vertebra:dot(vertebra), 1 - cage.keep, 0.03)
            check.that((rib - vertebra):dot(vertebra) < 0)
            check.that((rib - vertebra):length() < vertebra:length())
          end
          -- its head stays in place on the vertebra
          local head = (pose:world("T" .. i):inverse() * pose:world(name)):position()
          local before = (rest:world("T" .. i):inverse() * rest:world(name)):position()
          check.near(head:distance(before), 0, 1e-6)
        end
      end
      -- the sternum, relative to the lumbar spine
      local t4, sternum = against("T4", "L1"), against("sternum", "L1")
      local turned_back = sternum - t4
      check.that(turned_back:dot(t4) < 0 and turned_back:length() < t4:length())
    end
  end
end

-- for users who build a body from parts: `at` moves spine and cage together
function tests.a_spine_placed_elsewhere_is_the_same()
  local body = sinew.rig "body"
  require "parts.spine"(body, body:segment "pelvis", { at = { 0, 0.9, -0.03 } })
  local random, one, other = check.random(3), rig:pose(), body:pose()
  for _ = 1, 5 do
    for _, dof in ipairs(rig.dofs) do
      one[dof] = random(-1, 1)
      other[dof.name] = one[dof]
    end
    local shift = sinew.mat4.translation(0, 0.9 - 1, -0.03) -- the rig's sacrum is 1 m up
    for _, name in ipairs { "L3", "T1", "rib4_r", "rib10_l", "sternum", "skull" } do
      check.that(other:world(name):near(shift * one:world(name), 1e-5), name)
    end
  end
end

function tests.poses_are_golden()
  rigs.golden("spine", rig, {
    { name = "rest", dofs = { ["lumbar.flexion"] = 0 } },
    { name = "bow", dofs = { ["lumbar.flexion"] = 0.8, ["thoracic.flexion"] = 1,
      ["cervical.flexion"] = 0.9 } },
    { name = "arch", dofs = { ["lumbar.flexion"] = -1, ["thoracic.flexion"] = -0.7,
      ["cervical.flexion"] = -1 } },
    { name = "lean", dofs = { ["lumbar.bend"] = 1, ["thoracic.bend"] = 1, ["cervical.bend"] = 1 } },
    { name = "look back", dofs = { ["lumbar.twist"] = -1, ["thoracic.twist"] = -1,
      ["cervical.twist"] = -1, ["cervical.bend"] = 0.4, ["thoracic.flexion"] = 0.3 } },
  })
end

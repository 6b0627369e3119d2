-- rigs/knee.lua against the chain of transforms that OpenSim would compute from the same numbers.
local check, tests = ...
local sinew = require "sinew"
local rigs = require "rigs"
local rig = rigs.open "knee"
local data = require "data.knee"

-- plain 3x4 matrices in doubles, in OpenSim's frames
local function product(a, b)
  local c = {}
  for i = 1, 3 do
    c[i] = {}
    for j = 1, 4 do
      c[i][j] = a[i][1] * b[1][j] + a[i][2] * b[2][j] + a[i][3] * b[3][j]
        + (j == 4 and a[i][4] or 0)
    end
  end
  return c
end
local function moved(v)
  return { { 1, 0, 0, v[1] }, { 0, 1, 0, v[2] }, { 0, 0, 1, v[3] } }
end
local function turned(axis, angle)
  local c, s = math.cos(angle), math.sin(angle)
  local m = moved { 0, 0, 0 }
  local i, j = axis % 3 + 1, (axis + 1) % 3 + 1
  m[i][i], m[i][j], m[j][i], m[j][j] = c, -s, s, c
  return m
end
local function inverse(m)
  local r = {}
  for i = 1, 3 do
    r[i] = { m[1][i], m[2][i], m[3][i] }
    r[i][4] = -(m[1][i] * m[1][4] + m[2][i] * m[2][4] + m[3][i] * m[3][4])
  end
  return r
end
local function joint_frame(at)
  return product(moved(at), product(turned(1, data.turn[1]), product(turned(2, data.turn[2]),
    turned(3, data.turn[3]))))
end

-- to the rig's frames: A m A^-1 with A taking (x, y, z) to (-z, y, x)
local function converted(m)
  local a = { { 0, 0, -1, 0 }, { 0, 1, 0, 0 }, { 1, 0, 0, 0 } }
  local c = product(product(a, m), inverse(a))
  return sinew.mat4.rows(c)
end

-- A SIMM spline is a cubic in each interval, smooth to the second derivative. In the first and the
-- last interval its third derivative is that of the cubic through the four points there. Here the
-- second derivatives come by elimination in the full matrix.
local function second_derivatives(x, y)
  local n, rows = #x, {}
  local function slope(i) return (y[i + 1] - y[i]) / (x[i + 1] - x[i]) end
  local function third(i) -- of the cubic through points i to i + 3
    local function second(k) return (slope(k + 1) - slope(k)) / (x[k + 2] - x[k]) end
    return 6 * (second(i + 1) - second(i)) / (x[i + 3] - x[i])
  end
  for i = 1, n do
    local row = {}
    for k = 1, n + 1 do row[k] = 0 end
    if i > 1 and i < n then
      local before, after = x[i] - x[i - 1], x[i + 1] - x[i]
      row[i - 1], row[i], row[i + 1] = before, 2 * (before + after), after
      row[n + 1] = 6 * (slope(i) - slope(i - 1))
    else
      local k = i == 1 and 1 or n - 1
      row[k], row[k + 1], row[n + 1] = -1, 1, third(i == 1 and 1 or n - 3) * (x[k + 1] - x[k])
    end
    rows[i] = row
  end
  for i = 1, n do
    local best = i
    for k = i + 1, n do if math.abs(rows[k][i]) > math.abs(rows[best][i]) then best = k end end
    rows[i], rows[best] = rows[best], rows[i]
    for k = 1, n do
      local factor = k == i and 0 or rows[k][i] / rows[i][i]
      for j = i, n + 1 do rows[k][j] = rows[k][j] - factor * rows[i][j] end
    end
  end
  local m = {}
  for i = 1, n do m[i] = rows[i][n + 1] / rows[i][i] end
  return m
end

local function spline_at(x, y, at)
  local m, i = second_derivatives(x, y), 1
  while i < #x - 1 and at > x[i + 1] do i = i + 1 end
  local h, a, b = x[i + 1] - x[i], at - x[i], x[i + 1] - at
  return (m[i] * b ^ 3 + m[i + 1] * a ^ 3) / (6 * h) + (y[i] / h - m[i] * h / 6) * b
    + (y[i + 1] / h - m[i + 1] * h / 6) * a
end

local functions = { "adduction", "internal", "tibia_y", "tibia_z", "patella_x", "patella_y",
  "patella_turn" }
local function at_knot(i)
  local values = { angle = data.angles[i] }
  for _, name in ipairs(functions) do values[name] = data[name][i] end
  return values
end
local function at_angle(angle)
  local values = { angle = angle }
  for _, name in ipairs(functions) do values[name] = spline_at(data.angles, data[name], angle) end
  return values
end

local function opensim_tibia(v)
  local turn = product(turned(1, v.angle), product(turned(3, v.adduction), turned(2, v.internal)))
  local joint = product(moved { 0, v.tibia_y, v.tibia_z }, turn)
  return converted(product(joint_frame(data.femur.at), product(joint,
    inverse(joint_frame(data.tibia.at)))))
end

local function opensim_patella(v)
  return converted(product(moved(data.femur.at), product(
    moved { v.patella_x, v.patella_y, data.patella_z }, turned(3, v.patella_turn))))
end

local function in_femur(pose, name) return pose:world "femur":inverse() * pose:world(name) end

local function check_bones(pose, values)
  pose["knee.flexion"] = math.deg(values.angle)
  check.near_all(in_femur(pose, "tibia"), opensim_tibia(values), 1e-5)
  check.near_all(in_femur(pose, "patella"), opensim_patella(values), 1e-5)
end

function tests.tibia_and_patella_agree_with_opensim_at_every_knot()
  local pose = rig:pose()
  for i in ipairs(data.angles) do check_bones(pose, at_knot(i)) end
end

function tests.tibia_and_patella_follow_the_simm_splines_between_knots()
  local pose, random = rig:pose(), check.random(8)
  local last = math.min(data.angles[#data.angles], math.rad(120))
  for _ = 1, 200 do check_bones(pose, at_angle(random(0, last))) end
end

-- by hand from the printed numbers: 90 degrees, joint 0.40796 below the hip, 0.00809 behind it
function tests.shank_moves_backwards_with_the_screw_home_rotation()
  local pose = rig:pose()
  check.that(in_femur(pose, "tibia"):position().y < -0.4)
  pose["knee.flexion"] = 90
  local tibia = in_femur(pose, "tibia")
  local ankle = tibia:point { 0, -0.4, 0 }
  check.near(ankle.z, -0.4, 0.02)
  check.near(ankle.y, -0.41, 0.03)
  -- internal rotation of 14.9 degrees rotates the front of a right tibia to the left: with the knee
  -- at a right angle the front faces down
  local front = tibia:direction { 0, 0, 1 }
  check.near(sinew.asin(front.x), 14.9, 4.5)
  check.that(front.x > 0 and front.y < -0.9)
  -- the patella has moved from the front of the femur to its end
  local patella = in_femur(pose, "patella"):point { 0, 0.0264, 0.0018 }
  check.that(patella.z < 0.03 and patella.y < -0.42)
end

function tests.fibula_is_lateral_to_the_tibia_and_its_head_glides_two_millimetres()
  local pose = rig:pose()
  local function head() return (pose:world "tibia":inverse() * pose:world "fibula"):position() end
  local before = head()
  check.that(before.x < -0.03) -- the right is at -x
  pose["knee.flexion"] = 120
  local glide = head() - before
  check.near(glide.z, 0.002, 2e-5)
  check.near(glide.x, 0, 1e-5)
end

-- at the centre the tibia moves only along the axis, by differences of its poses
function tests.centre_moves_only_along_the_axis()
  local pose, half = rig:pose(), 0.5
  for angle = 1, 119, 2.95 do
    pose["knee.flexion"] = angle
    local centre, tibia = pose:world "knee_centre", pose:world "tibia"
    local axis, at = centre:direction { 1, 0, 0 }, centre:position()
    local function velocity(point) -- metres per radian
      local in_tibia = tibia:inverse():point(point)
      pose["knee.flexion"] = angle + half
      local after = pose:world "tibia":point(in_tibia)
      pose["knee.flexion"] = angle - half
      return (after - pose:world "tibia":point(in_tibia)) / math.rad(2 * half)
    end
    local v = velocity(at)
    local across = (v - axis * v:dot(axis)):length()
    check.that(across < 3e-4, ("%g m/rad across the axis at %g"):format(across, angle))
    -- and it rotates about that axis: a point off it moves at right angles
    v = velocity(at + centre:direction { 0, -0.1, 0 })
    check.near(v:dot(axis), velocity(at):dot(axis), 1e-3)
    check.that(v:length() > 0.09)
    -- in the joint's sagittal plane
    check.near(in_femur(pose, "knee_centre"):position().x, 0.00275, 1e-5)
  end
end

function tests.centre_moves_with_flexion()
  local pose, low, high = rig:pose(), sinew.vec3(9, 9, 9), sinew.vec3(-9, -9, -9)
  for angle = 0, 120 do
    pose["knee.flexion"] = angle
    local at = in_femur(pose, "knee_centre"):position()
    for _, letter in ipairs { "x", "y", "z" } do
      low[letter] = math.min(low[letter], at[letter])
      high[letter] = math.max(high[letter], at[letter])
    end
  end
  local way = (high - low):length()
  check.that(way > 0.003 and way < 0.03, ("the centre wanders by %.1f mm"):format(1000 * way))
end

function tests.flexion_is_clamped_between_0_and_120()
  local pose = rig:pose()
  pose["knee.flexion"] = 150
  check.equal(pose["knee.flexion"], 120)
  check.equal(pose:holds()[1].name, "knee.flexion")
  pose["knee.flexion"] = -10
  check.equal(pose["knee.flexion"], 0)
end

function tests.rest_is_the_identity() rigs.check_rest(rig) end

function tests.left_knee_is_the_mirror_image()
  local knee = require "parts.knee"
  local body = sinew.rig "legs"
  local femur = body:segment("femur_r", { at = { -0.09, 0.9, 0 } })
  body:segment("femur_l", { at = { 0.09, 0.9, 0 } })
  sinew.mirror(knee(body, femur, { name = "right_knee", suffix = "_r" }).set)
  local pose = body:pose()
  for _, angle in ipairs { 0, 17, 60, 120 } do
    pose:set { ["right_knee.flexion"] = angle, ["left_knee.flexion"] = angle }
    for _, name in ipairs { "tibia", "fibula", "patella", "knee_centre" } do
      check.that(pose:world(name .. "_l"):near(rigs.mirrored(pose:world(name .. "_r")), 1e-5))
    end
  end
end

function tests.poses_are_golden()
  local poses = {}
  for i, angle in ipairs { 0, 15, 45, 90, 120 } do
    poses[i] = { name = "flexion " .. angle, dofs = { ["knee.flexion"] = angle } }
  end
  rigs.golden("knee", rig, poses)
end

-- What sinew.gait costs against a loop written by hand for the very same walker: six legs on one
-- body that turns about y alone, plain ground. Both run in one process, block by block in turn.
--
--   luajit tests/bench/walker.lua [blocks]     with the module and tests/lua on the path
--
-- Prints microseconds for each frame (the median over blocks) and their ratio. The hand loop keeps
-- the body's place itself, so it evaluates once a frame; both must come to the same pose.
local sinew = require "sinew"
local walker = require "walker"

local stride, lift, time, speed, turning, dt = 0.25, 0.15, 0.18, 1.2, 120, 1 / 60

local function by_module()
  local rig, _, legs = walker(6)
  local pose = rig:pose()
  local worlds = sinew.buffer(16 * #rig.segments)
  local walk = sinew.gait(pose, legs,
    { stride = stride, lift = lift, time = time, speed = speed, turning = turning })
  return function(x, z)
    walk:toward(x, z, dt)
    pose:worlds(worlds)
  end, pose
end

local sqrt, sin, cos, acos, min, max = math.sqrt, math.sin, math.cos, math.acos, math.min, math.max
local atan2 = math.atan2 or math.atan -- luacheck: ignore 143
local deg, rad = math.deg, math.rad

local function by_hand()
  local rig = walker(6)
  local pose = rig:pose()
  local worlds = sinew.buffer(16 * #rig.segments)
  local l1, l2, height = 0.4, 0.5, 0.35
  local bx, bz, turn, way, clock, last = 0, 0, 0, 0, 1, 1
  local feet = {}
  for i = 1, 6 do
    local side, row = i % 2 == 1 and -1 or 1, math.floor((i - 1) / 2)
    local z = 0.35 - 0.35 * row
    local hx, hz = 0.6 * side, 1.5 * z
    local ax, az = 0.15 * side, z
    local ox, oz = hx - ax, hz - az
    local n = sqrt(ox * ox + oz * oz)
    feet[i] = { yaw = "leg" .. i .. ".yaw", lift = "leg" .. i .. ".lift",
      bend = "leg" .. i .. ".bend", ax = ax, az = az, ox = ox / n, oz = oz / n,
      home_x = hx, home_z = hz, hx = hx, hz = hz, vx = 0, vz = 0, x = hx, y = 0, z = hz, t = 1,
      away = 0, group = (i + row + 1) % 2 + 1 }
  end
  return function(x, z)
    local dx, dz = x - bx, z - bz
    local far = sqrt(dx * dx + dz * dz)
    local wanted = 0
    if far > 0.05 * stride then
      local off = (deg(atan2(dx, dz)) - turn + 180) % 360 - 180
      wanted = min(speed, 4 * far) * max(0, cos(rad(off)))
      local turned = turning * dt
      turn = turn + max(-turned, min(turned, off * min(1, 8 * dt)))
    end
    way = way + (wanted - way) * (1 - math.exp(-8 * dt))
    local step = min(way * dt, far)
    local c, s = cos(rad(turn)), sin(rad(turn))
    if far > 0 and step > 0 then
      bx = bx + (0.5 * s + 0.5 * dx / far) * step
      bz = bz + (0.5 * c + 0.5 * dz / far) * step
    end
    turn = (turn + 180) % 360 - 180
    pose["body.x"], pose["body.z"], pose["body.turn"] = bx, bz, turn
    local fastest, flying, most = 0, false, 0
    for i = 1, 6 do
      local f = feet[i]
      local hx = bx + c * f.home_x + s * f.home_z
      local hz = bz - s * f.home_x + c * f.home_z
      f.vx, f.vz, f.hx, f.hz = (hx - f.hx) / dt, (hz - f.hz) / dt, hx, hz
      f.away = sqrt((f.x - hx) ^ 2 + (f.z - hz) ^ 2)
      fastest = max(fastest, f.vx * f.vx + f.vz * f.vz)
      if f.t < 1 then flying = true end
      most = max(most, f.away)
    end
    local cycle = min(stride / max(sqrt(fastest), 1e-9), 4 * time)
    local swing = min(time, 0.85 * cycle / 2)
    clock = clock + dt / (cycle / 2)
    local group
    if not flying and (clock >= 1 or most > 0.5 * stride) then
      local away = most > 0.5 * stride and 0.5 * stride or 0.15 * stride
      for k = 0, 1 do
        local g = (last + k) % 2 + 1
        for i = 1, 6 do
          if not group and feet[i].group == g and feet[i].away > away then group = g end
        end
      end
    end
    if group then last, clock = group, 0 end
    for i = 1, 6 do
      local f = feet[i]
      if f.t >= 1 and f.group == group and f.away > 0.15 * stride then f.t = 0 end
      if f.t < 1 then
        local lead = 0.5 * (cycle - swing) + (1 - f.t) * swing
        local t = min(1, f.t + min(0.5, dt / swing))
        local before, after = f.t * f.t * (3 - 2 * f.t), t * t * (3 - 2 * t)
        local share = t < 1 and (after - before) / (1 - before) or 1
        f.t, f.x = t, f.x + share * (f.hx + lead * f.vx - f.x)
        f.z, f.y = f.z + share * (f.hz + lead * f.vz - f.z), 4 * t * (1 - t) * lift
      end
      local wx, wz = f.x - bx, f.z - bz
      local px, py, pz = c * wx - s * wz - f.ax, f.y - height, s * wx + c * wz - f.az
      local out, side = px * f.ox + pz * f.oz, px * f.oz - pz * f.ox
      local r = sqrt(out * out + side * side)
      local d = min(sqrt(r * r + py * py), l1 + l2)
      pose[f.yaw] = deg(atan2(side, out))
      pose[f.lift] = deg(atan2(py, r) + acos((l1 * l1 + d * d - l2 * l2) / (2 * l1 * d)))
      pose[f.bend] = deg(acos(max(-1, (l1 * l1 + l2 * l2 - d * d) / (2 * l1 * l2)))) - 180
    end
    pose:worlds(worlds)
  end, pose
end

-- a goal that keeps ahead of the walker
local function goal(i) return 3 * sin(i / 100), 3 * cos(i / 170) end

local frames, poses = {}, {}
frames[1], poses[1] = by_module()
frames[2], poses[2] = by_hand()

local blocks, length = tonumber(arg and arg[1]) or 200, 500
local times = { {}, {} }
for block = -4, blocks do
  for which = 1, 2 do
    local frame, first = frames[which], (block + 4) * length
    local start = os.clock()
    for i = first + 1, first + length do frame(goal(i)) end
    local taken = (os.clock() - start) / length * 1e6
    if block > 0 then times[which][block] = taken end
  end
end

local a, b, most = poses[1]:dofs(), poses[2]:dofs(), 0
for i = 1, #a do most = max(most, math.abs(a[i] - b[i])) end
for which = 1, 2 do table.sort(times[which]) end
local module, hand = times[1][math.ceil(blocks / 2)], times[2][math.ceil(blocks / 2)]
print(("sinew.gait %.2f us, by hand %.2f us a frame of six legs: %.2f times; DOFs differ by %.2g")
  :format(module, hand, module / hand, most))

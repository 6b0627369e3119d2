-- The joints of lua/sinew/joints: each is compared with a slow method of its own, over random input
-- and at its ends, and the rig that shows it goes through its ranges.
local check, tests = ...
local rigs = require "rigs"
local sinew = require "sinew"

local names = { "cable", "cam", "four_bar", "mast", "piston", "rack", "screw", "snake", "torus",
  "universal" }
local seed = 7
local function random(low, high)
  seed = (seed * 16807) % 2147483647
  return low + (high - low) * seed / 2147483647
end

-- Calls one joint with numbers: a function from scalar inputs to its outputs, by name. The inputs
-- are the floats that the engine has made of the numbers.
local function joint(name, params, count)
  local rig, instance = sinew.rig "test", {}
  for key, value in pairs(params) do instance[key] = value end
  for i = 1, count or 1 do instance[i] = rig:dof("in." .. i, -1e4, 1e4) end
  local component = rig:add(require("sinew.joints." .. name)(instance))
  local pose = rig:pose()
  return function(...)
    local out = { given = {} }
    for i = 1, select("#", ...) do
      pose["in." .. i] = select(i, ...)
      out.given[i] = pose["in." .. i]
    end
    for _, port in ipairs(component.outputs) do out[port.name] = pose:value(port) end
    out.held = pose:holds()
    return out
  end
end

-- the root of a function between two places where its signs differ
local function bisect(f, low, high)
  local below = f(low) < 0
  check.that((f(high) < 0) ~= below, "no change of sign")
  for _ = 1, 60 do
    local middle = 0.5 * (low + high)
    if (f(middle) < 0) == below then low = middle else high = middle end
  end
  return 0.5 * (low + high)
end

-- (a, b) turned by degrees, in doubles
local function turned(a, b, degrees)
  local c, s = math.cos(math.rad(degrees)), math.sin(math.rad(degrees))
  return a * c - b * s, a * s + b * c
end

local function hypot(a, b) return math.sqrt(a * a + b * b) end

-- the angle of a rotation about x or z
local function angle(m, axis)
  if axis == "x" then return sinew.atan2(m:get(3, 2), m:get(2, 2)) end
  return sinew.atan2(m:get(2, 1), m:get(1, 1))
end

local function near_angle(got, expected, tolerance)
  check.near((got - expected + 180) % 360 - 180, 0, tolerance)
end

-- --- the ten

function tests.four_bar_is_where_two_circles_meet()
  for _ = 1, 20 do
    local function pin(y, z) return { 0, y + random(-0.003, 0.003), z + random(-0.003, 0.003) } end
    local a, b, c, d = pin(0, 0.022), pin(-0.059, 0.039), pin(-0.066, -0.009), pin(-0.028, -0.007)
    local knee = joint("four_bar", { front_top = a, front_bottom = b, rear_bottom = c,
      rear_top = d })
    -- how much too long the rear link would be, with the front link turned by `front`
    local function miss(front, flexion)
      local fy, fz = turned(b[2] - a[2], b[3] - a[3], front)
      local ky, kz = turned(c[2] - b[2], c[3] - b[3], flexion)
      return hypot(a[2] + fy + ky - d[2], a[3] + fz + kz - d[3])
        - hypot(c[2] - d[2], c[3] - d[3]), fy, fz
    end
    local front = 0 -- followed from rest in small steps
    for flexion = 0, 120 do
      front = bisect(function(x) return (miss(x, flexion)) end, front - 8, front + 8)
      if flexion % 15 == 0 then
        local out, _, fy, fz = knee(flexion), miss(front, flexion)
        check.near(angle(out.front, "x"), front, 2e-3)
        check.near_all(out.shank:position(), { 0, a[2] + fy - b[2], a[3] + fz - b[3] }, 2e-6)
        near_angle(angle(out.shank, "x"), flexion, 1e-4)
        local ry, rz = turned(c[2] - d[2], c[3] - d[3], angle(out.rear, "x"))
        local ky, kz = turned(c[2] - b[2], c[3] - b[3], flexion)
        check.near(d[2] + ry, a[2] + fy + ky, 2e-6)
        check.near(d[3] + rz, a[3] + fz + kz, 2e-6)
      end
    end
  end
end

function tests.four_bar_out_of_reach_has_its_links_in_line_without_a_jump()
  local a, b = { 0, 0, 0.022 }, { 0, -0.059, 0.039 }
  local c, d = { 0, -0.05, -0.06 }, { 0, -0.028, -0.007 }
  local knee = joint("four_bar", { front_top = a, front_bottom = b, rear_bottom = c, rear_top = d })
  local front, rear = hypot(b[2] - a[2], b[3] - a[3]), hypot(c[2] - d[2], c[3] - d[3])
  local last, held = nil, 0
  for flexion = -180, 180, 0.5 do
    local at = knee(flexion).shank:position()
    check.that(not last or at:distance(last) < 0.01)
    last = at
    local ky, kz = turned(c[2] - b[2], c[3] - b[3], flexion)
    local my, mz = d[2] - ky - a[2], d[3] - kz - a[3]
    local apart = hypot(my, mz)
    if apart > front + rear or apart < math.abs(front - rear) then
      held = held + 1
      check.near((at.y + b[2] - a[2]) * mz - (at.z + b[3] - a[3]) * my, 0, 1e-8)
    end
  end
  check.that(held > 50, held)
end

function tests.piston_is_as_long_as_it_is_told_and_stops_at_its_ends()
  for _ = 1, 40 do
    local side = random(-1, 1) < 0 and -1 or 1
    local foot, eye = { 0.3 * side, random(-0.4, -0.2), 0 }, { 0.6 * side, random(0, 0.3), 0 }
    local ram = joint("piston", { foot = foot, eye = eye, shortest = 0.35, longest = 0.75 })
    for i = 0, 12 do
      local asked = 0.3 + 0.04 * i
      local out, length = ram(asked), math.min(math.max(asked, 0.35), 0.75)
      -- from where foot and eye are on the same side of the hinge, to where they are opposite
      local start = sinew.atan2(foot[2], foot[1]) - sinew.atan2(eye[2], eye[1])
      local opened = bisect(function(x)
        local ex, ey = turned(eye[1], eye[2], x)
        return hypot(ex - foot[1], ey - foot[2]) - length
      end, start, start + 180 * side)
      near_angle(out.angle, opened, 2e-3)
      local at = out.arm:point(eye)
      check.near_all(out.rod:point { 0, 0, 0 } + sinew.vec3(eye), at, 1e-6)
      check.near(at:distance(foot), length, 1e-6)
      local way, along = at - sinew.vec3(foot), sinew.vec3(eye) - sinew.vec3(foot)
      check.near_all(out.cylinder:direction(along):unit(), way:unit(), 1e-6)
      check.near_all(out.rod:direction(along):unit(), way:unit(), 1e-6)
    end
  end
end

function tests.mast_reaches_as_far_as_it_is_told_one_section_after_the_other()
  local strokes = { 0.7, 0.5, 0.9 }
  local turns, shares = joint("mast", { strokes = strokes }),
    joint("mast", { strokes = strokes, together = 1 })
  for i = -2, 24 do
    local reach = 0.1 * i
    local held = math.min(math.max(reach, 0), 2.1)
    local function out(mast)
      local made = mast(reach)
      return made.first:position().y, made.second:position().y, made.third:position().y
    end
    local a, b, c = out(turns)
    check.near(a + b + c, held)
    check.near_all({ a, b, c }, { math.min(held, 0.7), math.min(math.max(held - 0.7, 0), 0.5),
      math.max(held - 1.2, 0) })
    check.near_all({ out(shares) }, { held / 3, held * 0.5 / 2.1, held * 0.9 / 2.1 })
  end
end

-- where the wave is after `way`, by small steps
local function walked(way, wave, swing)
  local x, z, steps = 0, 0, 4000
  for i = 1, steps do
    local heading = math.rad(swing) * math.sin(2 * math.pi * way * (i - 0.5) / steps / wave)
    x, z = x + way / steps * math.sin(heading), z + way / steps * math.cos(heading)
  end
  return x, z
end

function tests.snake_follows_one_curve_with_its_whole_length()
  for _ = 1, 10 do
    local wave, swing, way = random(0.5, 1), random(10, 80), random(0, 3)
    local worst = {}
    for round, count in ipairs { 10, 20 } do
      local length = wave / count
      local place, far = sinew.mat4(), 0
      for link = 0, count do
        local out = joint("snake", { link = link, length = length, wave = wave,
          swing = swing })(way)
        local before = place:position()
        if link > 0 then place = place * sinew.mat4.translation(0, 0, -length) end
        if link > 0 then check.near(place:position():distance(before), length, 1e-6) end
        place = place * out.transform
        local x, z = walked(out.given[1] - link * length, wave, swing)
        local off = hypot(place:position().x - x, place:position().z - z)
        if link == 0 then check.near(off, 0, 2e-6) end
        far = math.max(far, off)
        near_angle(sinew.atan2(place:get(1, 3), place:get(3, 3)), out.heading, 1e-3)
      end
      worst[round] = far
    end
    -- links are chords of the curve: half as long, a quarter as far off
    check.that(worst[1] < 0.06 * wave and worst[2] < 0.3 * worst[1] + 1e-5, worst[2])
  end
end

function tests.screw_goes_one_pitch_in_a_turn_and_ends_with_its_thread()
  for _ = 1, 50 do
    local pitch, turn = random(-0.02, 0.02), random(-2000, 2000)
    local axis = sinew.vec3(random(-1, 1), random(-1, 1), random(-1, 1))
    local screw = joint("screw", { pitch = pitch, axis = { axis.x, axis.y, axis.z }, low = -0.05,
      high = 0.06 })
    local a, b = screw(turn), screw(turn + 360)
    local held = math.min(math.max(turn / 360 * pitch, -0.05), 0.06)
    check.near(a.travel, held, 1e-6)
    check.near_all(a.transform:position(), held * axis:unit(), 1e-6)
    local free = math.abs(turn / 360 * pitch) < 0.03
    if free then check.near(b.travel - a.travel, pitch, 1e-6) end
    if free then check.near_all(b.transform:rotation(), a.transform:rotation(), 2e-4) end
    local turned_by = sinew.quat.axis(axis, held / pitch * 360)
    check.near(math.abs(a.transform:rotation():dot(turned_by)), 1, 1e-5)
  end
end

function tests.cam_touches_its_roller_in_one_point()
  for _ = 1, 6 do
    local base, lift, roller = random(0.03, 0.05), random(0.01, 0.05), random(0.01, 0.03)
    local cam = joint("cam", { base = base, lift = lift, roller = roller })
    local function rim(at, turn) -- a point of the cam that has turned
      local nose = 0.5 - 0.5 * math.cos(math.rad(at))
      local radius = base + lift * nose * nose * nose
      return turned(0, radius, at + turn)
    end
    for turn = -360, 360, 24 do
      local out = cam(turn)
      local height = base + roller + out.rise
      check.near_all(out.follower:position(), { 0, out.rise, 0 })
      local nearest, where = 1, nil
      local function look(from, to, step)
        for at = from, to, step do
          local x, y = rim(at, turn)
          local gap = hypot(x, y - height)
          if gap < nearest then nearest, where = gap, at end
        end
      end
      look(0, 359.5, 0.5)
      look(where - 0.5, where + 0.5, 0.001)
      check.near(nearest, roller, 1e-6)
      local x, y = rim(where, turn)
      check.near_all(out.contact, { x, y, 0 }, 2e-6)
      -- tangency: the rim's direction is across the line to the roller's middle
      local ax, ay = rim(where + 0.01, turn)
      local bx, by = rim(where - 0.01, turn)
      local cosine = ((ax - bx) * -x + (ay - by) * (height - y))
        / (hypot(ax - bx, ay - by) * hypot(x, height - y))
      check.near(cosine, 0, 2e-4)
    end
  end
end

function tests.rack_does_not_slip_on_the_pinion()
  local radius, stop = 0.03, 0.07
  local rack = joint("rack", { radius = radius, stop = stop })
  for turn = -200, 200, 7 do
    local out, later = rack(turn), rack(turn + 0.5)
    local held = math.min(math.max(radius * math.rad(turn), -stop), stop)
    check.near(out.travel, held, 1e-6)
    check.near_all(out.rack:position(), { held, 0, 0 }, 1e-6)
    -- the pinion's point at the rack goes as far as the rack
    local low = out.pinion:inverse():point { 0, -radius, 0 }
    local moved = later.pinion:point(low)
    check.near(moved.x, later.travel - out.travel, 1e-6)
  end
end

function tests.universal_joint_keeps_its_forks_square_and_its_speed_ripples()
  local shaft = joint("universal", {}, 2)
  local last = 0
  for turn = -720, 720, 11 do
    for _, bend in ipairs { -75, -40, 0, 1, 30, 60, 79 } do
      local out, b = shaft(turn, bend), math.rad(bend)
      local across = out.driver:direction { 0, 1, 0 }
      check.near(across:dot(out.driven:direction { 1, 0, 0 }), 0, 1e-6)
      local cross = out.driver * out.cross
      check.near_all(cross:direction { 0, 1, 0 }, across, 1e-6)
      check.near_all(cross:direction { 1, 0, 0 }, out.driven:direction { 1, 0, 0 }, 2e-6)
      local h = 0.25
      local ratio = (shaft(turn + h, bend).out - shaft(turn - h, bend).out) / (2 * h)
      local sine, cosine = math.sin(b), math.cos(math.rad(turn))
      local speed = math.cos(b) / (1 - sine * sine * cosine * cosine)
      check.near(ratio, speed, 2e-3 * speed + 3e-4)
      if turn % 90 == 0 then check.near(out.out, turn, 1e-3) end
      if bend == 60 then
        check.that(out.out > last or turn == -720)
        last = out.out
      end
    end
  end
  check.near(shaft(30, 120).out, shaft(30, 80).out) -- it does not bend farther
end

-- a cable joint whose hand is at (x, y)
local function cable(params)
  local rig, instance = sinew.rig "test", {}
  for key, value in pairs(params) do instance[key] = value end
  instance.frame = rig:bone("frame", { set = "hand", at = { 3, 2, 1 } })
  instance[1] = instance.frame:bone("handle", { slider = { { "x", -10, 10, axis = "x" },
    { "y", -10, 10, axis = "y" } } })
  local component, pose = rig:add(require "sinew.joints.cable"(instance)), rig:pose()
  return function(ax, ay)
    pose["hand.x"], pose["hand.y"] = ax, ay
    local out = {}
    for _, port in ipairs(component.outputs) do out[port.name] = pose:value(port) end
    out.held = pose:holds()
    return out
  end
end

function tests.cable_keeps_its_length_and_does_not_slip()
  local radius, hang = 0.1, 0.9
  local pull, length = cable { radius = radius, start = { 0.4, -0.4, 0 }, hang = hang }, nil
  for i = 0, 60 do
    local x, y = random(0.15, 0.7), random(-0.7, 0.4)
    if i == 0 then x, y = 0.4, -0.4 end
    local out = pull(x, y)
    -- where the line to the hand is square to the radius, by bisection
    local middle = sinew.atan2(y, x)
    local leaves = bisect(function(t)
      local px, py = turned(radius, 0, t)
      return (x - px) * px + (y - py) * py
    end, middle + 90, middle)
    local px, py = turned(radius, 0, leaves)
    local rise = out.weight:position().y
    local sum = hang - rise + radius * math.rad(180 - leaves) + hypot(x - px, y - py)
    length = length or sum
    check.near(sum, length, 2e-6)
    near_angle(angle(out.wheel, "z"), -math.deg(rise / radius), 1e-3)
    check.near_all(out.cable:point { radius, 0, 0 }, { px, py, 0 }, 1e-6)
    check.near_all(out.cable:point { radius, -out.free, 0 }, { x, y, 0 }, 2e-6)
  end
  check.near(pull(0.4, -0.4).weight:position().y, 0)
  check.equal(#pull(0.4, -0.4).held, 0)
  local far = pull(9, 0)
  check.near(far.weight:position().y, hang)
  check.near(far.rise, hang)
  check.has(far.held[1], { port = "rise", by = "the weight is at the wheel" })
  check.that(far.held[1].amount < -7)
end

function tests.plate_touches_the_torus_with_both_points()
  local rig = rigs.open "joints/torus"
  local component, pose = rig:find "glide", rig:pose()
  local ring, tube = component.params.ring, component.params.tube
  for i = 0, 80 do
    for _, dof in ipairs(rig.dofs) do -- the four corners, then anywhere
      local low = random(0, 1) < 0.5
      pose[dof.name] = i < 8 and (low and dof.min or dof.max) or random(dof.min, dof.max)
    end
    local plate = pose:world("cage"):inverse() * pose:world "scapula"
    for _, name in ipairs { "upper", "lower" } do
      local p = plate:point(component.params[name])
      check.near(hypot(hypot(p.x, p.z) - ring, p.y), tube, 2e-6)
    end
    check.that(pose:value(component:port "gap") < 1e-6)
    check.that(math.abs(pose:value(component:port "swing")) < 45)
    check.equal(#pose:holds(), 0)
  end
  component.ring, component.tube = 0.02, 0.005 -- beyond the reach of the plate
  local held = rig:pose():holds()
  check.equal(#held, 1)
  check.has(held[1], { port = "gap", by = "the plate does not reach the torus" })
end

function tests.joints_tell_what_they_hold_back()
  local function held(out, port, by, amount, tolerance)
    check.equal(#out.held, 1)
    check.has(out.held[1], { port = port, by = by })
    check.near(out.held[1].amount, amount, tolerance)
  end
  local piston, mast = joint("piston", {}), joint("mast", {})
  held(piston(0.3), "length", "the ends of the piston", 0.15)
  held(piston(0.9), "length", "the ends of the piston", -0.1)
  held(mast(3.5), "reach", "the ends of the mast", -0.5)
  held(mast(-0.25), "reach", "the ends of the mast", 0.25)
  local screw, rack = joint("screw", { pitch = -0.01, low = -0.02 }), joint("rack", {})
  held(screw(1080), "angle", "the end of the thread", -360, 1e-3)
  held(rack(-360), "angle", "the end of the rack", 360 - math.deg(5), 1e-3)
  local universal = joint("universal", {}, 2)
  held(universal(10, -95), "bend", "its forks", 15, 1e-4)
  local knee = joint("four_bar", { rear_top = { 0, 0.1, -0.2 }, rear_bottom = { 0, -0.05, -0.06 } })
  local out = knee(170)
  check.that(out.gap > 0.01)
  held(out, "gap", "the links do not reach", -out.gap)
  for _, free in ipairs { piston(0.6), mast(1), screw(90), rack(100), universal(10, 60),
    knee(0) } do
    check.equal(#free.held, 0)
  end
end

-- --- all of them

function tests.every_rig_of_the_gallery_goes_through_its_ranges()
  for _, name in ipairs(names) do
    local rig = rigs.open("joints/" .. name)
    check.equal(rig.name, name)
    local pose = rig:pose()
    for _, dof in ipairs(rig.dofs) do
      pose:reset()
      for i = 0, 40 do
        pose[dof.name] = dof.min + (dof.max - dof.min) * i / 40
        for _, segment in ipairs(rig.segments) do
          check.that(pose:world(segment):rigid(1e-5), dof.name)
          check.that(pose:position(segment):length() < 10, dof.name)
        end
      end
    end
  end
end

function tests.every_file_of_the_gallery_is_short_and_says_where_it_is_used()
  local listing, found = assert(io.popen "ls lua/sinew/joints rigs/joints"), {}
  for name in listing:lines() do
    name = name:match "^(.*)%.lua$"
    if name then found[name] = (found[name] or 0) + 1 end
  end
  listing:close()
  for _, name in ipairs(names) do
    check.equal(found[name], 2) -- a module and its rig
    found[name] = nil
    for _, folder in ipairs { "lua/sinew/joints/", "rigs/joints/" } do
      local count, first, documented = 0, nil, folder:find "^rigs"
      for line in io.lines(folder .. name .. ".lua") do
        count, first, documented = count + 1, first or line, documented or line:find 'doc = "an? '
      end
      check.that(documented, folder .. name) -- sinew check says what the kind is
      check.that(count < 60, folder .. name)
      check.that(first:find "^%-%- %u")
    end
  end
  check.equal(next(found), nil)
end

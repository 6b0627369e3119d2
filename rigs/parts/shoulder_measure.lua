-- Measures a rig that has parts/shoulder.lua on a segment `thorax`: against the bone pins, and
-- whether bones stay joined, the scapula on its ellipsoid and the arm where it points.
local sinew = require "sinew"
local isb = require "parts.isb"
local pins = require "data.shoulder_ludewig"

local measure = {}

measure.angles = { "upward", "internal", "tilt", "elevation", "retraction", "axial",
  "glenohumeral" }

-- all angles of one side as the pose stands, by the names above
local function read(pose, side)
  local thorax = pose:world "thorax"
  local scapula, humerus = pose:world(side .. "_scapula"), pose:world(side .. "_humerus")
  local got = { glenohumeral = isb.glenohumeral(scapula, humerus, side) }
  got.internal, got.upward, got.tilt = isb.scapula(thorax, scapula, side)
  got.retraction, got.elevation, got.axial = isb.clavicle(thorax, pose:world(side .. "_clavicle"),
    side)
  got.arm = isb.arm(thorax, humerus, side)
  return got
end

-- For each plane { name =, [angle] = { at 30, 60, 90, 120 }, ratio =, arm_ratio = }; then the root
-- of the mean square difference to the pins over all twelve positions, by angle.
--
-- There are two ways to tell the ratio of glenohumeral to scapulothoracic motion from 30 to 120.
-- `ratio` is what glenohumeral elevation gains, to what upward rotation gains: so the pins' ratios
-- are made. `arm_ratio` is what the arm gains beyond upward rotation, to the latter. They agree in
-- the scapula's plane and part outside of it.
function measure.against_pins(rig, side)
  local pose, set = rig:pose(), side .. "_shoulder."
  local planes, squares, count = {}, {}, 0
  for _, plane in ipairs(pins.planes) do
    local row = { name = plane.name, arm = {} }
    for i, elevation in ipairs(pins.elevations) do
      pose[set .. "raise"], pose[set .. "swing"] = elevation, plane.plane
      local got = read(pose, side)
      row.arm[i] = got.arm
      for _, angle in ipairs(measure.angles) do
        row[angle] = row[angle] or {}
        row[angle][i] = got[angle]
        squares[angle] = (squares[angle] or 0) + (got[angle] - plane[angle][i]) ^ 2
      end
      count = count + 1
    end
    local last = #pins.elevations
    local upward = row.upward[last] - row.upward[1]
    row.ratio = (row.glenohumeral[last] - row.glenohumeral[1]) / upward
    row.arm_ratio = (row.arm[last] - row.arm[1] - upward) / upward
    planes[#planes + 1] = row
  end
  local rms = {}
  for angle, square in pairs(squares) do rms[angle] = math.sqrt(square / count) end
  return planes, rms
end

-- how far a point of the thorax is from the slide's ellipsoid, to first order
local function off_ellipsoid(slide, point)
  local o, radii = slide:param "orientation", slide:param "radii"
  local from = point - sinew.vec3(slide:param "centre")
  local value, slope = -1, 0
  for i = 1, 3 do
    local along = (o[4 * i - 3] * from.x + o[4 * i - 2] * from.y + o[4 * i - 1] * from.z) / radii[i]
    value, slope = value + along ^ 2, slope + (2 * along / radii[i]) ^ 2
  end
  return math.abs(value) / math.sqrt(slope)
end

local function degrees_between(a, b)
  local sum = 0
  for row = 1, 3 do
    for column = 1, 3 do sum = sum + (a:get(row, column) - b:get(row, column)) ^ 2 end
  end
  return math.deg(math.sqrt(sum / 2)) -- small angles
end

local function number_source()
  local state = 1
  return function(low, high)
    state = state * 16807 % 2147483647
    return low + state / 2147483647 * (high - low)
  end
end

-- Worst over random poses of one side, in metres and degrees: `contact` of the two points where the
-- slide says they touch, `missed` poses where it does not, `clavicle` to scapula, `humerus` to
-- scapula (its socket moved by the joint's changing centre), and `arm`: how much the humerus turns
-- when only the clavicle's DOFs move.
function measure.joints(rig, side, numbers, poses)
  local pose, set, random = rig:pose(), side .. "_shoulder.", number_source()
  local slide, cone = rig:find(set .. "scapula_slide"), rig:find(set .. "humerus_cone")
  local flip = side == "left" and -1 or 1
  local worst = { contact = 0, missed = 0, clavicle = 0, humerus = 0, arm = 0 }
  local function note(name, value) worst[name] = math.max(worst[name], value) end
  local ranges = {}
  for _, dof in ipairs(rig.dofs) do
    if dof.name:sub(1, #set) == set then ranges[#ranges + 1] = dof end
  end
  local acromial = sinew.vec3(-flip * numbers.clavicle.length, 0, 0)
  local socket = sinew.vec3(numbers.scapula.glenohumeral)
  socket.x = flip * socket.x
  for _ = 1, poses do
    for _, dof in ipairs(ranges) do pose[dof.name] = random(dof.min, dof.max) end
    local thorax, scapula = pose:world "thorax", pose:world(side .. "_scapula")
    local humerus = pose:world(side .. "_humerus")
    if pose:value(slide.contact) == 1 then
      local to = thorax:inverse() * scapula
      note("contact", off_ellipsoid(slide, to:point(pose:value(slide.first))))
      note("contact", off_ellipsoid(slide, to:point(pose:value(slide.second))))
    else
      worst.missed = worst.missed + 1
    end
    note("clavicle", pose:world(side .. "_clavicle"):point(acromial):distance(scapula:position()))
    local moved = thorax:direction(pose:value(cone.transform):position())
    note("humerus", humerus:position():distance(scapula:point(socket) + moved))
    for _, name in ipairs { "shrug", "protract" } do
      local dof = rig:find(set .. name)
      pose[dof.name] = random(dof.min, dof.max)
    end
    note("arm", degrees_between(humerus, pose:world(side .. "_humerus")))
  end
  return worst
end

return measure

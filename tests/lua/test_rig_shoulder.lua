-- The shoulder rigs against the bone pins, the paper's printed numbers and each other.
local check, tests = ...
local sinew = require "sinew"
local rigs = require "rigs"
local isb = require "parts.isb"
local measure = require "parts.shoulder_measure"
local pins = require "data.shoulder_ludewig"

local names = { "shoulder", "shoulder_paper", "shoulder_scripted" }
local opened, numbers = {}, {}
for _, name in ipairs(names) do
  opened[name] = rigs.open(name)
  numbers[name] = require(name == "shoulder_paper" and "data.shoulder_paper" or "data.shoulder")
end

local function set_side(pose, side, values)
  for name, value in pairs(values) do pose[side .. "_shoulder." .. name] = value end
end

local function random_values(rig, random)
  local values = {}
  for _, dof in ipairs(rig.dofs) do
    local name = dof.name:match "^right_shoulder%.(.*)$"
    if name then values[name] = random(dof.min, dof.max) end
  end
  return values
end

-- the definitions by hand: one rotation at a time, and its direction
function tests.angles_have_the_signs_of_anatomy()
  local still = sinew.mat4()
  local function scapula(axis, angle) return isb.scapula(still, sinew.mat4.turn(axis, angle)) end
  -- lateral end (-x) forward, lateral end up, upper edge back
  check.that(sinew.mat4.turn({ 0, 1, 0 }, 30):direction { -1, 0, 0 }.z > 0.4)
  check.near(scapula({ 0, 1, 0 }, 30), 30, 1e-4)
  check.that(sinew.mat4.turn({ 0, 0, 1 }, -30):direction { -1, 0, 0 }.y > 0.4)
  check.near(select(2, scapula({ 0, 0, 1 }, -30)), 30, 1e-4)
  check.that(sinew.mat4.turn({ 1, 0, 0 }, -30):direction { 0, 1, 0 }.z < -0.4)
  check.near(select(3, scapula({ 1, 0, 0 }, -30)), 30, 1e-4)
  local arm, plane = isb.arm(still, sinew.mat4.turn({ 1, 0, 0 }, -70))
  check.near(arm, 70, 1e-4)
  check.near(plane, 90, 1e-4)
end

-- in the scapula's plane the pins' scapula angles give the pins' glenohumeral elevation
function tests.angles_of_the_bone_pins_are_consistent()
  local row = pins.planes[2]
  for i, elevation in ipairs(pins.elevations) do
    local scapula = sinew.mat4.euler("yzx", row.internal[i], -row.upward[i], -row.tilt[i])
    local arm = sinew.mat4.turn({ -sinew.sin(40), 0, -sinew.cos(40) }, elevation)
    check.near(isb.glenohumeral(scapula, arm), row.glenohumeral[i], 0.8)
  end
end

function tests.follows_the_bone_pins_within_one_degree()
  for _, side in ipairs { "right", "left" } do
    local _, rms = measure.against_pins(opened.shoulder, side)
    for _, angle in ipairs { "upward", "internal", "tilt", "elevation", "retraction", "axial" } do
      check.that(rms[angle] < 1, ("%s: %.2f RMS"):format(angle, rms[angle]))
    end
  end
end

-- plate 5 of [Shao 2003], beyond where the pins were measured: the arm still goes where it is asked
-- to, and the scapula still turns upwards by its share, on the ribs
function tests.arm_goes_overhead_with_the_scapula_on_the_ribs()
  local pose = opened.shoulder:pose()
  for _, side in ipairs { "right", "left" } do
    local slide, upward = opened.shoulder:find(side .. "_shoulder.scapula_slide"), {}
    for i, raise in ipairs { 0, 120, 150 } do
      set_side(pose, side, { raise = raise })
      local thorax = pose:world "thorax"
      check.near(isb.arm(thorax, pose:world(side .. "_humerus"), side), raise, 0.01)
      upward[i] = select(2, isb.scapula(thorax, pose:world(side .. "_scapula"), side))
      check.equal(pose:value(slide.contact), 1)
    end
    check.that(upward[3] - upward[1] > 40 and upward[3] - upward[2] > 5,
      ("upward %.1f %.1f %.1f"):format(upward[1], upward[2], upward[3]))
  end
end

function tests.shares_elevation_between_arm_and_scapula()
  for _, row in ipairs((measure.against_pins(opened.shoulder, "right"))) do
    for i, elevation in ipairs(pins.elevations) do check.near(row.arm[i], elevation, 1e-3) end
    for _, ratio in ipairs { row.ratio, row.arm_ratio } do
      check.that(ratio >= 2 and ratio <= 2.5, ("%s: %.3f"):format(row.name, ratio))
    end
  end
end

function tests.stays_joined_in_contact_and_level()
  for _, name in ipairs(names) do
    for _, side in ipairs { "right", "left" } do
      local worst = measure.joints(opened[name], side, numbers[name], 2000)
      check.equal(worst.missed, 0)
      check.that(worst.contact < 1e-4, "contact to 0.1 mm")
      check.that(worst.clavicle < 1e-5 and worst.humerus < 1e-5, "joined to 0.01 mm")
      check.that(worst.arm < 0.01, "arm level to 0.01 degrees")
    end
  end
end

-- the socket moves only by millimetres, so that `joined` is a strict check
function tests.changing_centre_moves_the_humerus_by_millimetres()
  for name, most in pairs { shoulder = 0.005, shoulder_paper = 0.012 } do
    local rig, far = opened[name], 0
    local pose, cone = rig:pose(), rig:find "right_shoulder.humerus_cone"
    for raise = 0, 170, 5 do
      pose["right_shoulder.raise"] = raise
      far = math.max(far, pose:value(cone.transform):position():length())
    end
    check.that(far > 0.001 and far < most, ("%s: %.4f"):format(name, far))
  end
end

function tests.shrug_moves_the_scapula_and_not_the_arm()
  local pose = opened.shoulder:pose()
  set_side(pose, "right", { raise = 60 })
  local arm, scapula = pose:world "right_humerus", pose:world "right_scapula"
  set_side(pose, "right", { shrug = 20 })
  local lifted = pose:world "right_humerus"
  check.that(lifted:position().y - arm:position().y > 0.03)
  check.that(pose:world "right_scapula":position().y - scapula:position().y > 0.03)
  for _, i in ipairs { 1, 2, 3, 5, 6, 7, 9, 10, 11 } do check.near(lifted[i], arm[i], 1e-5) end
end

function tests.agrees_with_its_scripted_version()
  local one, other = opened.shoulder:pose(), opened.shoulder_scripted:pose()
  local random = check.random(5)
  for _ = 1, 1000 do
    for _, side in ipairs { "right", "left" } do
      local values = random_values(opened.shoulder, random)
      set_side(one, side, values)
      set_side(other, side, values)
    end
    for _, segment in ipairs(opened.shoulder.segments) do
      check.near_all(other:world(segment.name), one:world(segment), 1e-4)
    end
  end
end

function tests.left_is_the_mirror_image_of_right()
  for _, name in ipairs(names) do
    local pose, random = opened[name]:pose(), check.random(3)
    for _ = 1, 200 do
      local values = random_values(opened[name], random)
      set_side(pose, "right", values)
      set_side(pose, "left", values)
      for _, bone in ipairs { "clavicle", "scapula", "humerus" } do
        check.near_all(pose:world("left_" .. bone), rigs.mirrored(pose:world("right_" .. bone)),
          2e-5)
      end
    end
  end
end

-- plate 6 of [Shao 2003]: not one ellipsoid for both
function tests.each_side_has_an_ellipsoid_of_its_own()
  for _, name in ipairs(names) do
    local centres = {}
    for _, side in ipairs { "right", "left" } do
      local slide = opened[name]:find(side .. "_shoulder.scapula_slide")
      centres[side] = sinew.vec3(slide:param "centre")
      check.near_all(slide:param "radii", numbers[name].ellipsoid.radii, 1e-6)
    end
    check.that(centres.right.x < -0.01, "the right is at -x")
    check.near_all(centres.left, { -centres.right.x, centres.right.y, centres.right.z }, 1e-6)
  end
end

function tests.bones_are_a_chain_on_the_thorax()
  for _, name in ipairs(names) do
    for _, side in ipairs { "right_", "left_" } do
      local below = "thorax"
      for _, bone in ipairs { "clavicle", "scapula", "humerus" } do
        check.equal(opened[name]:find(side .. bone).parent, below)
        below = side .. bone
      end
    end
  end
end

-- Figures 9 to 11 of [Shao 2003], in order: a component, its kind and what is on its inputs. Names
-- with a dot are outputs other than the first; `=` is a constant, the rest frame of a bone.
local wiring = {
  -- figure 9: maps, two rotations, the cone, two compensations, the product
  { "raise_angle", "map", "raise" }, { "swing_angle", "map", "swing" },
  { "twist_angle", "map", "twist" }, { "plane", "dependency", "raise_angle", "swing_angle" },
  { "flexion", "rotation", "plane" }, { "abduction", "rotation", "raise_angle" },
  { "humerus_cone", "cone", "plane", "raise_angle", "twist_angle" },
  { "humerus_level_in_scapula", "compensate", "scapula_moved" },
  { "humerus_level_in_clavicle", "compensate", "clavicle_cone" },
  { "humerus_moved", "multiply", "humerus_level_in_scapula", "humerus_level_in_clavicle",
    "humerus_cone" },
  -- figure 10: maps, dependencies on the humerus's angles, two rotations, the cone
  { "shrug_angle", "map", "shrug" }, { "protract_angle", "map", "protract" },
  { "elevation_bound_by_raise", "dependency", "raise_angle", "shrug_angle" },
  { "protraction_bound_by_plane", "dependency", "plane", "protract_angle" },
  { "elevation", "rotation", "elevation_bound_by_raise" },
  { "protraction", "rotation", "protraction_bound_by_plane" },
  { "clavicle_cone", "cone", "protraction_bound_by_plane", "elevation_bound_by_raise", "=" },
  -- figure 11: a dependency on the arm, its rotation, the compensation, the constraint, the product
  { "rhythm_map_by_raise", "dependency", "raise_angle" },
  { "scapula_turn", "rotation", "rhythm_map_by_raise" },
  { "scapula_level", "compensate", "clavicle_cone" },
  { "scapula_frame", "multiply", "=", "clavicle_cone", "=", "scapula_level", "scapula_turn" },
  { "scapula_slide", "slide", "scapula_frame", "clavicle_cone.angle2", "rhythm_map_by_raise" },
  { "scapula_moved", "multiply", "scapula_level", "scapula_turn", "scapula_slide" },
}

function tests.paper_is_wired_as_figures_9_to_11()
  local rig, set = opened.shoulder_paper, "right_shoulder."
  local function name_of(source)
    if type(source) == "number" or sinew.type(source) == "mat4" then return "=" end
    local component = sinew.type(source) == "port" and source.component
    if not component then return source.name:sub(#set + 1) end
    local name, first = component.name:sub(#set + 1), component.outputs[1].name
    return source.name == first and name or name .. "." .. source.name
  end
  local count = 0
  for _, row in ipairs(wiring) do
    local component, got = rig:find(set .. row[1]), { row[1] }
    got[2] = component.kind
    for _, input in ipairs(component.inputs) do got[#got + 1] = name_of(input.source) end
    check.equal(table.concat(got, " "), table.concat(row, " "))
  end
  for _, component in ipairs(rig.components) do
    if component.name:sub(1, #set) == set then count = count + 1 end
  end
  check.equal(count, #wiring)
  for cone, rotations in pairs { humerus_cone = { "flexion", "abduction" },
    clavicle_cone = { "protraction", "elevation" } } do
    for i, rotation in ipairs(rotations) do
      local held = rig:find(set .. cone):param("rotation" .. i)
      check.equal(type(held) == "string" and held or held.name, set .. rotation)
    end
  end
  for bone, port in pairs { clavicle = "clavicle_cone", scapula = "scapula_moved",
    humerus = "humerus_moved" } do
    check.equal(name_of(rig:find("right_" .. bone).driver), port)
  end
end

function tests.stands_at_rest()
  for _, name in ipairs(names) do
    rigs.check_rest(opened[name])
    check.equal(#opened[name]:pose():holds(), 0)
    check.equal(opened[name].warnings, "")
  end
end

function tests.swing_has_no_effect_while_the_arm_hangs()
  local pose = opened.shoulder:pose()
  local before = pose:world "right_humerus"
  for swing = -90, 130, 20 do
    set_side(pose, "right", { swing = swing })
    check.near_all(pose:world "right_humerus", before, 1e-6)
  end
end

-- what [Shao 2003] prints in 5.2, in centimetres
function tests.paper_has_the_printed_numbers()
  local rig = opened.shoulder_paper
  local function param(component, name)
    return rig:find("right_shoulder." .. component):param(name)
  end
  check.near_all(param("abduction", "angles"), { 0, 60, 180 })
  for i, centre in ipairs { { -0.373, -0.247, -0.181 }, { -0.373, 0.449, -0.181 } } do
    check.near_all(sinew.vec3(param("abduction", "centres")[i]) * 100, centre, 1e-5)
  end
  local lower = param("elevation_bound_by_raise", "lower")
  for angle, bound in pairs { [0] = -10, [60] = -6.7, [120] = 4.85, [180] = 23 } do
    check.near((lower(angle)), bound, 1e-5)
  end
  check.near_all(sinew.vec3(param("scapula_slide", "axis")), { 0.263, -0.912, 0.314 }, 1e-6)
  local printed = {
    { { 8.5, -4, -0.3 }, { 8.7, -2.4, -0.1 } }, { { 8.2, 0, -0.1 }, { 7.5, 2, 0 } },
    { { 8, 2, -0.8 }, { 7, 3, -0.6 } },
  }
  for i, pair in ipairs(printed) do
    local got = param("scapula_slide", "pair" .. i)
    for k = 1, 2 do check.near_all(sinew.vec3(got[k]) * 100, pair[k], 1e-5) end
  end
end

-- [Wilhelms 2001]: 25 points; 157 degrees of twist with the arm down, 94 raised
function tests.arm_twists_less_when_raised()
  local pose = opened.shoulder:pose()
  local cone = opened.shoulder:find "right_shoulder.humerus_cone"
  check.equal(#cone:param "points", 25)
  local function range(raise)
    local ends = {}
    for i, twist in ipairs { -97, 60 } do
      set_side(pose, "right", { raise = raise, twist = twist })
      ends[i] = pose:value(cone.twist)
    end
    return ends[2] - ends[1]
  end
  check.near(range(0), 157, 1e-3)
  check.near(range(175), 94, 0.5) -- the cone stops it on its boundary
end

function tests.cone_stops_an_arm_behind_the_back_and_reports_it()
  local pose = opened.shoulder:pose()
  set_side(pose, "right", { raise = 120, swing = -90 })
  local arm, plane = isb.arm(pose:world "thorax", pose:world "right_humerus")
  check.near(arm, 55, 0.1)
  check.near(plane, -90, 0.1)
  local said = false
  for _, hold in ipairs(pose:holds()) do
    said = said or hold.name == "right_shoulder.humerus_cone"
  end
  check.that(said, "the cone should be among the holds")
end

function tests.poses_are_golden()
  local poses = {}
  local function add(name, values)
    local dofs = {}
    for key, value in pairs(values) do
      dofs["right_shoulder." .. key] = value
      dofs["left_shoulder." .. key] = value / 2
    end
    poses[#poses + 1] = { name = name, dofs = dofs }
  end
  add("rest", {})
  add("abduction", { raise = 90, swing = 0 })
  add("flexion", { raise = 120, swing = 90, twist = 20 })
  add("overhead", { raise = 175, swing = 40 })
  add("extension", { raise = 60, swing = -90 })
  add("across", { raise = 100, swing = 130, twist = -60, protract = 20 })
  add("shrug", { shrug = 25, protract = -10 })
  for _, name in ipairs { "shoulder", "shoulder_paper" } do
    rigs.golden(name, opened[name], poses)
  end
end

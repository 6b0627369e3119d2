-- Masses of segments and stiffness of DOFs: wherever they can be given, and whatever copies a rig.
local check, tests = ...
local sinew = require "sinew"

-- a right leg in which every way to make a DOF gives it a stiffness
local function leg()
  local rig = sinew.rig "leg"
  local body = rig:bone("body", { mass = 30, set = "body", free = { range = 1, stiffness = 500 } })
  local thigh = body:bone("thigh_r", { at = { -0.1, 0, 0 }, set = "right_hip", mass = 10,
    mass_at = { -0.02, -0.2, 0.01 }, ball = { "flexion", { "abduction", -30, 45, stiffness = 2 },
      "turn", along = "-y", stiffness = 3 } })
  thigh:bone("shin_r", { at = { 0, -0.4, 0 }, set = "right_knee", mass = 4,
    hinge = { "flexion", 0, 120, axis = "x", stiffness = 1.5 } })
  return rig, body, thigh
end

function tests.are_given_to_bones_and_read_back()
  local rig, body, thigh = leg()
  check.equal(body.mass, 30)
  check.near_all(body.mass_at, { 0, 0, 0 }, 0)
  check.near_all(thigh.mass_at, { -0.02, -0.2, 0.01 })
  for name, stiffness in pairs { ["body.x"] = 500, ["body.tilt"] = 500, ["right_hip.flexion"] = 3,
    ["right_hip.abduction"] = 2, ["right_hip.turn"] = 3, ["right_knee.flexion"] = 1.5 } do
    check.equal(rig:find(name).stiffness, stiffness)
  end
  check.equal(rig:dof("free", 0, 1).stiffness, nil)
  check.equal(rig:dof("stiff", 0, 1, { stiffness = 7 }).stiffness, 7)
  local bare = rig:segment "bare"
  check.equal(bare.mass, nil)
  check.equal(bare.mass_at, nil)
end

function tests.can_be_set_in_any_order_and_taken_away()
  local rig, body, thigh = leg()
  local pose = rig:pose() -- compiled; setting compiles again
  body.mass, body.mass_at = 20, { 0, 0.1, 0 }
  check.equal(body.mass, 20)
  check.near_all(body.mass_at, { 0, 0.1, 0 })
  thigh.mass = nil
  check.equal(thigh.mass, nil)
  thigh.flexion.stiffness = 9
  check.equal(thigh.flexion.stiffness, 9)
  thigh.flexion.stiffness = nil
  check.equal(thigh.flexion.stiffness, nil)
  rig:compile()
  check.equal(pose:position "thigh_r".x, rig:pose():position "thigh_r".x)
end

function tests.are_copied_by_mirror_xml_and_tune()
  local rig = leg()
  sinew.mirror(rig)
  check.equal(rig:find "thigh_l".mass, 10)
  check.near_all(rig:find "thigh_l".mass_at, { 0.02, -0.2, 0.01 })
  check.equal(rig:find "left_hip.abduction".stiffness, 2)
  rig:tune { segments = { thigh_r = { mass = 11 }, body = { mass_at = { 0, 0.2, 0 } } },
    dofs = { ["left_hip.turn"] = { stiffness = 40, max = 20 }, ["body.x"] = { max = 2 } } }
  check.near_all(rig:find "thigh_r".mass_at, { -0.02, -0.2, 0.01 })
  local read = assert(sinew.parse_xml(rig:xml()))
  check.equal(read:xml(), rig:xml())
  check.equal(read:find "thigh_r".mass, 11)
  check.equal(read:find "body".mass, 30)
  check.near_all(read:find "body".mass_at, { 0, 0.2, 0 })
  check.equal(read:find "left_hip.turn".stiffness, 40)
  check.equal(read:find "body.x".stiffness, 500)
end

function tests.grow_with_the_rig()
  local rig = leg()
  sinew.scale(rig, 2)
  check.near(rig:find "thigh_r".mass, 80)
  check.near_all(rig:find "thigh_r".mass_at, { -0.04, -0.4, 0.02 })
  check.equal(rig:find "right_hip.turn".stiffness, 3)
end

function tests.of_a_chain()
  local rig = sinew.rig "tail"
  local tail = sinew.chain(rig, "tail", { links = { "a", { name = "b", mass = 2 }, "c" },
    mass = function(i) return i end, mass_at = { 0, 0.1, 0 },
    turns = { { name = "bend", axis = { 1, 0, 0 }, range = { -30, 30 }, stiffness = 5 } } })
  check.equal(tail.dofs.bend.stiffness, 5)
  for i, mass in ipairs { 1, 2, 3 } do check.equal(tail.segments[i].mass, mass) end
  check.near_all(tail.segments[2].mass_at, { 0, 0.1, 0 })
end

function tests.that_are_wrong_are_refused()
  local rig, body, thigh = leg()
  check.fails("bone 'b' has no option 'mas' (did you mean 'mass' or 'mass_at'?)",
    function() rig:bone("b", { mas = 3 }) end)
  check.fails("'mass' must be a number of kilograms, at least 0",
    function() rig:bone("b", { mass = -3 }) end)
  check.fails("'mass' must be a number of kilograms", function() body.mass = "heavy" end)
  check.fails("'mass' must be a number of kilograms", function() body.mass = 0 / 0 end)
  check.fails("'mass_at' is the centre of its 'mass', which is missing",
    function() rig:bone("b", { mass_at = { 0, 0, 0 } }) end)
  check.fails("'mass_at' must be a vec3", function() rig:bone("b", { mass = 1, mass_at = 3 }) end)
  check.fails("'mass_at' must be a vec3", function() body.mass_at = 3 end)
  check.fails("did you mean 'stiffness'?", function() rig:dof("d", 0, 1, { stifness = 3 }) end)
  check.fails("'stiffness' must be a number above 0",
    function() rig:dof("d", 0, 1, { stiffness = 0 }) end)
  check.fails("'stiffness' must be a number above 0", function() thigh.turn.stiffness = "much" end)
  check.fails("'stiffness' is for a new DOF",
    function() rig:bone("b", { hinge = { thigh.turn, axis = "x", stiffness = 3 } }) end)
  check.fails("did you mean 'mass'", function() rig:tune { segments = { body = { maas = 3 } } } end)
  body.mass_at = { 0, 0 / 0, 0 }
  check.fails("segment 'body': its mass and the centre of it must be finite",
    function() rig:compile() end)
end


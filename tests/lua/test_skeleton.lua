-- Rigs from skeletons that exist: made files, and real ones where they are there.
local check, tests = ...
local sinew = require "sinew"

local function with_gltf(nodes, more, call)
  local text = ('{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[%s]%s}'):format(nodes,
    more or "")
  local path = os.tmpname() .. ".gltf"
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
  local ok, problem = pcall(call, path)
  os.remove(path)
  if not ok then error(problem, 0) end
end

-- an armature in centimetres, lying; a bone that is scaled; names that rigs cannot have
local character = [[
  {"name":"Armature","scale":[100,100,100],"rotation":[0.70710678,0,0,0.70710678],"children":[1,6]},
  {"name":"Hips","translation":[0,0,-0.01],"children":[2,3]},
  {"name":"Leg.L","translation":[0.001,0,0.001],"children":[4]},
  {"name":"Leg.L","translation":[-0.001,0,0.001]},
  {"name":"between","translation":[0,0,0.002],"children":[5]},
  {"name":"","translation":[0,0,0.002],"scale":[1,1,-1]},
  {"name":"Body","mesh":0}]]
local skinned = ',"skins":[{"joints":[1,2,3,5]}],"meshes":[{}],"animations":[{},{}]'

function tests.a_character_becomes_a_rig_in_metres()
  with_gltf(character, skinned, function(path)
    local rig, loss = assert(sinew.skeleton(path, { name = "hero" }))
    check.equal(rig.name, "hero")
    local pose, expected = rig:pose(), { Hips = { 0, 1, 0 }, Leg_L = { 0.1, 0.9, 0 },
      Leg_L_2 = { -0.1, 0.9, 0 }, bone = { 0.1, 0.5, 0 } }
    check.equal(#rig.segments, 4)
    for name, at in pairs(expected) do
      check.near_all(pose:world(name):position(), at, 1e-5)
      check.that(pose:world(name):rigid(1e-5), name)
    end
    check.equal(rig:find "bone".parent, "Leg_L")
    check.equal(rig:find "Hips".parent, nil)
    check.has(loss, { meshes = 1, skins = 1, animations = 2, nodes = 3, scaled = 4,
      renamed = { { "Leg.L", "Leg_L" }, { "Leg.L", "Leg_L_2" }, { "", "bone" } } })
    local text = table.concat(loss, "\n")
    for _, line in ipairs { "1 mesh is left out", "2 animations are left out",
      "3 nodes are no joint", "4 bones are scaled", "'Leg.L' is called 'Leg_L_2'" } do
      check.that(text:find(line, 1, true), line)
    end
    -- joints are added as to any rig
    local knee = rig:joint_set "knee"
    rig:find "bone":drive(knee:rotation { knee:dof("flexion", { min = 0, max = 90 }),
      axis = { 1, 0, 0 } })
    pose = rig:pose()
    pose["knee.flexion"] = 90
    check.near_all(pose:world "bone":position(), expected.bone, 1e-5)
  end)
end

function tests.every_node_is_a_bone_where_there_is_no_skin_or_all_are_asked_for()
  with_gltf(character, nil, function(path)
    local rig, loss = assert(sinew.skeleton(path))
    check.equal(#rig.segments, 7)
    check.equal(loss.nodes, 0)
    check.equal(rig:find "Hips".parent, "Armature")
    check.near_all(rig:pose():world "bone":position(), { 0.1, 0.5, 0 }, 1e-5)
  end)
  with_gltf(character, skinned, function(path)
    check.equal(#assert(sinew.skeleton(path, { all = true })).segments, 7)
  end)
end

function tests.a_motion_file_becomes_a_rig()
  local bvh = [[HIERARCHY
ROOT Hips
{
  OFFSET 0 90 0
  CHANNELS 3 Zrotation Xrotation Yrotation
  JOINT Leg.L
  {
    OFFSET 10 -5 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -80 0
    }
  }
}
MOTION
Frames: 1
Frame Time: 0.01
10 20 30 40 50 60
]]
  local path = os.tmpname() .. ".bvh"
  local file = assert(io.open(path, "wb"))
  file:write(bvh)
  file:close()
  local rig, loss = sinew.skeleton(path, { unit = 0.01 })
  local large, warned = sinew.skeleton(path)
  os.remove(path)
  local pose = assert(rig, loss):pose()
  check.near_all(pose:world "Leg_L":position(), { 0.1, 0.85, 0 }, 1e-6)
  check.near_all(pose:world "Leg_L end":position(), { 0.1, 0.05, 0 }, 1e-6)
  check.near_all(pose:world "Hips", sinew.mat4.translation(0, 0.9, 0), 1e-6)
  check.equal(loss.frames, 1)
  check.that(large and table.concat(warned, "\n"):find("unit = 0.01", 1, true), "its size is told")
end

function tests.bad_files_are_told()
  check.returns_error("nowhere.glb", sinew.skeleton, "nowhere.glb")
  check.returns_error("nowhere.bvh", sinew.skeleton, "nowhere.bvh")
  check.returns_error("ends with .glb, .gltf or .vrm", sinew.skeleton, "README.md")
  with_gltf('{"children":[0]}', nil, function(path)
    check.returns_error({ path, "node 0 is used twice" }, sinew.skeleton, path)
  end)
  with_gltf("{}", nil, function(path)
    check.fails("no option 'al'", sinew.skeleton, path, { al = true })
  end)
  check.fails("a path and perhaps a table", sinew.skeleton, 3)
end

-- height of real characters and number of bones, as other programs show them
local real = {
  { "characters/quaternius_worker.glb", 49, 1.59 }, { "characters/godette_vrm0.vrm", 68, 1.40 },
  { "characters/debug_robot_vrm1.vrm", 76, 1.81 },
  { "characters/kaykit_mannequin/manny_med_mod.gltf", 21, 1.24 },
  { "bvh/mocopi_arm_raise_turn.bvh", 32, 1.63, unit = 0.01 },
  { "cmu/02_01.bvh", 38, 1.43, unit = 0.0568 },
}

function tests.real_characters_have_their_height()
  local folder
  for _, place in ipairs { "../shared/data/", "../../shared/data/" } do
    local file = io.open(place .. real[1][1], "rb")
    if file then
      file:close()
      folder = place
    end
  end
  if not folder then
    print("SKIPPED real skeletons: there is no ../shared/data")
    return
  end
  for _, case in ipairs(real) do
    local rig = assert(sinew.skeleton(folder .. case[1], { unit = case.unit }))
    local pose, low, high = rig:pose(), math.huge, -math.huge
    for _, segment in ipairs(rig.segments) do
      local world = pose:world(segment)
      check.that(world:rigid(1e-4), segment.name)
      low, high = math.min(low, world[14]), math.max(high, world[14])
    end
    check.equal(#rig.segments, case[2])
    check.near(high - low, case[3], 0.01)
  end
end

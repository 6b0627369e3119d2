-- The bones of lua/sinew/bones: sound surfaces, sizes of the bones that they were measured on, and
-- joints that meet in the rigs.
local check, tests = ...
local blend = require "sinew.blend"
local shapes = require "sinew.shapes"
local rigs = require "rigs"
local root = (arg[0]:match("^(.*)[/\\]") or ".") .. "/../../"
package.path = root .. "rigs/tools/?.lua;" .. package.path
local meshes = require "bones_mesh"
local gaps = require "gaps"

-- of those that are several bones
local pieces = { carpus = 8 }

local function solid(name)
  local recipe = require("sinew.bones." .. name)
  return recipe.parts and blend.solid(recipe, {}) or shapes[name]({}).solid
end

function tests.every_recipe_is_closed_and_in_one_piece()
  local listing = assert(io.popen(("ls '%slua/sinew/bones'"):format(root)))
  for file in listing:lines() do
    local name = file:match "^(.*)%.lua$"
    local mesh = meshes.of(solid(name):mesh())
    check.that(meshes.closed(mesh), name .. " is open")
    check.equal(name .. " " .. #meshes.pieces(mesh), name .. " " .. (pieces[name] or 1))
  end
  listing:close()
end

-- the box of each mesh in mm: width, height, depth
local sizes = {
  femur = { 100, 452, 72 }, tibia = { 68, 386, 70 }, fibula = { 29, 375, 29 },
  patella = { 52, 53, 26 }, talus = { 41, 30, 47 }, calcaneus = { 50, 53, 76 },
  navicular = { 35, 27, 24 }, cuboid = { 23, 22, 28 }, cuneiform_medial = { 21, 29, 27 },
  cuneiform_intermediate = { 17, 22, 18 }, cuneiform_lateral = { 16, 20, 22 },
  metatarsal1 = { 29, 36, 69 }, metatarsal = { 21, 41, 78 }, metatarsal5 = { 23, 24, 75 },
  toe1_proximal = { 25, 16, 40 }, toe1_distal = { 22, 13, 26 }, toe_proximal = { 13, 13, 36 },
  toe_middle = { 10, 8, 18 }, toe_distal = { 7, 4, 8 },
}

function tests.bones_of_the_leg_have_the_size_of_the_measured_ones()
  for name, size in pairs(sizes) do
    local _, low, high = meshes.size(meshes.of(solid(name):mesh()))
    for k = 1, 3 do check.near(1000 * (high[k] - low[k]), size[k], 3 + 0.025 * size[k]) end
  end
end

-- at most `gap` mm apart, and not deeper in each other than `depth`
local function check_joint(between, a, b, gap, depth)
  local found = between(a, b)
  if found.gap > gap or found.depth > depth then
    error(("%s and %s: %.1f mm apart, %.1f mm deep"):format(a, b, found.gap, found.depth), 2)
  end
end

function tests.joints_of_the_leg_meet_at_rest()
  local between = gaps(rigs.open "human")
  local function joint(a, b) check_joint(between, a .. "_r", b .. "_r", 4, 1) end
  check_joint(between, "pelvis", "femur_r", 4, 1)
  joint("femur", "tibia")
  joint("femur", "patella")
  joint("tibia", "fibula")
  joint("tibia", "talus")
  joint("fibula", "talus")
  joint("talus", "calcaneus")
  joint("talus", "tarsus")
  joint("calcaneus", "tarsus")
  for i = 1, 5 do
    joint("tarsus", "metatarsal_toe" .. i)
    joint("metatarsal_toe" .. i, "proximal_toe" .. i)
    joint("proximal_toe" .. i, "distal_toe" .. i)
    if i < 5 then joint("metatarsal_toe" .. i, "metatarsal_toe" .. i + 1) end
  end
end

function tests.a_foot_stands_on_the_ground()
  local rig = rigs.open "human"
  local pose = rig:pose()
  for _, name in ipairs { "calcaneus_r", "metatarsal_toe1_r", "metatarsal_toe5_r" } do
    local segment, least = rig:find(name), 1
    local world, list = pose:world(segment), segment.shape.solid:mesh().vertices
    for i = 1, #list, 3 do
      least = math.min(least, world:point({ list[i], list[i + 1], list[i + 2] }).y)
    end
    check.that(least > -0.001 and least < 0.006, ("%s: %.4f m"):format(name, least))
  end
end

function tests.a_knee_stays_together_when_it_bends()
  local rig = rigs.open "knee"
  for angle = 0, 120, 30 do
    local pose = rig:pose()
    pose["knee.flexion"] = angle
    local between = gaps(rig, pose)
    check_joint(between, "femur", "tibia", 4, 1)
    check_joint(between, "femur", "patella", 4, 2)
  end
end

-- Smooth shapes from landmarks: they stay lazy, landmarks come out where `fit` asks for them, and
-- every mistake in a recipe is named at the script's line.
local check, tests = ...
local sinew = require "sinew"
local blend = require "sinew.blend"
local shapes = require "sinew.shapes"

local function bone()
  return { points = { head = { 0, 0, 0, 20 }, neck = { -10, -30, 0, 10 },
    shaft = { -12, -200, 5, 9 }, foot = { 0, -400, 0, 18 } },
    parts = { { "tube head neck shaft foot" }, { k = 10, "foot" } }, cell = 5 }
end

function tests.are_lazy_until_somebody_asks_for_the_lists()
  local shape = shapes.blend(bone())
  for _, made in ipairs { shape, shapes.placed(shape, sinew.mat4.translation(1, 0, 0)),
    shapes.mirrored(shape), shapes.merge { shape, shapes.mirrored(shape) } } do
    check.equal(sinew.type(rawget(made, "solid")), "solid")
    check.equal(rawget(made, "vertices"), nil)
  end
  check.that(#shape.vertices > 300 and #shape.normals == #shape.vertices)
  check.equal(rawget(shape, "solid"), nil)
end

function tests.distances_are_those_of_the_landmarks_balls()
  local solid = shapes.blend { points = { a = { 0, 0, 0, 30 } }, parts = { { "a" } } }.solid
  check.near(solid:distance { 0.1, 0, 0 }, 0.07, 1e-6)
  check.near(solid:mirrored():distance { 0, 0, 0 }, -0.03, 1e-6)
  local moved = solid:placed(sinew.mat4.translation(1, 2, 3))
  check.near(moved:distance { 1, 2, 3.1 }, 0.07, 1e-6)
  check.near(sinew.solid.merge { solid, moved }:distance { 1, 2, 3 }, -0.03, 1e-6)
end

local function places_of(options)
  local places = {}
  blend.solid(bone(), options, places)
  return places
end

function tests.fit_meets_every_landmark_it_names()
  local random = check.random(3)
  local function place() return sinew.vec3(random(-1, 1), random(-1, 1), random(-1, 1)) end
  local names = { "head", "foot", "shaft", "neck" }
  for count = 1, 4 do
    for _ = 1, 20 do
      local fit = {}
      for i = 1, count do fit[names[i]] = place() end
      local places = places_of { fit = fit }
      for name, at in pairs(fit) do check.near((places[name] - at):length(), 0, 1e-5) end
    end
  end
end

function tests.fit_of_two_landmarks_keeps_the_shape()
  local places = places_of { fit = { head = { 0, 0, 0 }, foot = { 0, 0.8, 0 } } }
  local old = places_of {}
  check.near((places.neck - places.shaft):length(), 2 * (old.neck - old.shaft):length(), 1e-5)
end

function tests.mirrored_recipes_stay_symmetric_when_they_are_fitted()
  local places = {}
  local recipe = { points = { side = { -30, 0, 0, 5 }, middle = { 0, 40, 0, 5 },
    back = { 0, 0, -30, 5 } }, parts = { { "side middle back" } }, mirror = true, cell = 2 }
  local solid = blend.solid(recipe, { fit = { side = { -0.05, 0.01, 0 },
    middle = { 0, 0.1, 0.02 } } }, places)
  check.near(places.middle.x, 0, 1e-7)
  check.near(solid:distance { -0.03, 0.02, 0 }, solid:distance { 0.03, 0.02, 0 }, 1e-6)
end

function tests.scale_by_axes_moves_landmarks_along_them()
  local places = places_of { scale = { 2, 1, 3 } }
  check.near((places.shaft - sinew.vec3(-0.024, -0.2, 0.015)):length(), 0, 1e-6)
end

local function refused(change, words)
  local recipe = bone()
  change(recipe)
  local ok, problem = pcall(function()
    local made = shapes.blend(recipe)
    return made
  end)
  check.that(not ok, words)
  check.that(problem:find(words, 1, true), problem .. " does not say: " .. words)
  check.that(problem:find("test_blend.lua:%d+:"), problem .. " does not name the script's line")
end

function tests.mistakes_are_named_at_the_scripts_line()
  refused(function(r) r.parts = nil end, "'parts' must be a list")
  refused(function(r) r.parts[3] = {} end, "part 3 must be a table with elements")
  refused(function(r) r.parts[2][1] = "fooot" end, "no landmark 'fooot' (did you mean 'foot'?)")
  refused(function(r) r.parts[2][1] = "a b c d" end, "part 2")
  refused(function(r) r.parts[2][1] = "tube 2 0 x head neck" end, "four numbers before the names")
  refused(function(r) r.parts[2][1] = 7 end, "an element is a text")
  refused(function(r) r.points.neck = { 1, 2, 3 } end, "'neck' of points needs 4 numbers")
  refused(function(r) r.points["a b"] = { 1, 2, 3, 4 } end, "cannot be a landmark's name")
  refused(function(r) r.drums = { head = { 0, 0, 0, 1, 1, 1 } } end, "the name of two landmarks")
  refused(function(r) r.unit = "inch" end, "'unit' is mm, cm or m")
  refused(function(r) r.scale = -1 end, "'scale' must be a positive number, or three")
  refused(function(r) r.fit = { heed = { 0, 0, 0 } } end,
    "no landmark 'heed' (did you mean 'head'?)")
  refused(function(r) r.fit = { head = "there" } end, "'head' must be a vec3 or three numbers")
  refused(function(r) r.parts[2].smooth = 9 end, "smooth is 0 to 3")
  refused(function(r) r.parts[1].cut = true; r.parts[2].cut = true end, "no part that adds")
end

function tests.meshes_take_a_level_and_a_cell()
  local solid = shapes.blend(bone()).solid
  local fine, low = #solid:mesh().triangles, #solid:mesh { level = "low" }.triangles
  check.that(low < fine and #solid:mesh { level = "coarse" }.triangles < fine)
  check.that(#solid:mesh { cell = 0.01 }.triangles < fine)
  check.that(not pcall(solid.mesh, solid, { level = "finest" }))
  check.that(not pcall(solid.mesh, solid, { cell = 1e-6 }))
  check.that(not pcall(solid.mesh, solid, { sell = 1 }))
end

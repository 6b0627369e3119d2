-- rigs/tools/pictures.lua: the pictures that documents show are made by it, and its rows are right.
local check, tests = ...
require "rigs"
local pictures = require "tools.pictures"
local sinew = require "sinew"

local by_name = {}
for _, one in ipairs(pictures.list) do by_name[one.name] = one end

-- the rig of a row; the block of a document prints too
local function open(one)
  if not one.block then return assert(loadfile(one.rig))() end
  local code = "local print = function() end " .. pictures.block(one)
  return assert((loadstring or load)(code))()
end

-- the values of an option, which may be repeated
local function values(one, option)
  local list = {}
  for value in (one.options .. " "):gmatch("%-%-" .. option .. " (%S+) ") do
    list[#list + 1] = value
  end
  return list
end

local function check_in_range(rig, name, value)
  local dof = rig:find(name)
  check.that(dof.min <= value and value <= dof.max, ("%s=%g"):format(name, value))
end

function tests.rows_name_dofs_in_range_and_segments()
  for _, one in ipairs(pictures.list) do
    local rig, segments = open(one), {}
    for _, segment in ipairs(rig.segments) do segments[segment.name] = true end
    for name, value in one.dofs:gmatch "([%w_.]+)=(%S+)" do
      check_in_range(rig, name, tonumber(value))
    end
    for _, sweep in ipairs(values(one, "sweep")) do
      local name, from, to = sweep:match "^([^=]+)=?([^:]*):?(.*)$"
      check_in_range(rig, name, tonumber(from) or rig:find(name).min)
      check_in_range(rig, name, tonumber(to) or rig:find(name).max)
    end
    local chosen = table.concat(values(one, "focus"), ",") .. ","
      .. table.concat(values(one, "select"), ",")
    for name in chosen:gmatch "[%w_]+" do check.that(segments[name], name) end
    check.that(one.options:find "%-%-size %d+x%d+", one.name)
    check.that(one.caption:find "%.$" and not one.caption:find "  ", one.caption)
  end
end

-- pictures that other tools make: ./dev bench --readme, ./dev compare body --pictures
local others = { ["growth.svg"] = true, ["bodies.png"] = true }

-- by document: the pictures that it shows or links to
local shown = { ["README.md"] = {}, ["rigs/README.md"] = {}, ["PAPERS.md"] = {},
  ["lua/REFERENCE.md"] = {} }
for path, list in pairs(shown) do
  for name in check.read(path):gmatch "pictures/([%w_]+%.%w+)" do list[name] = true end
end

function tests.documents_show_pictures_of_the_table_with_their_captions()
  for path, list in pairs(shown) do
    local text = check.read(path)
    for name in pairs(list) do
      local one = by_name[name:match "^(.*)%.png$"]
      check.that(one or others[name], path .. " shows " .. name)
      if one and path ~= "PAPERS.md" then
        check.that(text:find(one.caption, 1, true), path .. " lacks the caption of " .. name)
      end
    end
  end
end

function tests.every_picture_is_there_and_shown()
  local there = {}
  local listing = assert(io.popen "ls rigs/pictures")
  for name in listing:lines() do
    there[name] = true
    check.that(shown["README.md"][name] or shown["rigs/README.md"][name], "nothing shows " .. name)
  end
  listing:close()
  for _, one in ipairs(pictures.list) do
    check.that(there[one.name .. ".png"], one.path .. " is missing")
  end
end

function tests.pictures_together_stay_below_three_and_a_half_megabytes()
  local bytes = 0
  for _, one in ipairs(pictures.list) do bytes = bytes + #check.read(one.path) end
  check.that(bytes < 3500000, bytes .. " bytes")
end

function tests.gallery_is_up_to_date()
  check.that(check.read "rigs/README.md" == pictures.readme(), "./dev pictures makes it anew")
end

-- the pose of the picture meets the goals of README.md's code
function tests.the_man_of_the_goals_reaches_his_cup()
  local x, y, z =
    check.read "README.md":match "cup = man:pose%(%), {([-%d.]+), ([-%d.]+), ([-%d.]+)}"
  local cup = sinew.vec3(tonumber(x), tonumber(y), tonumber(z))
  local rig = open(by_name.goals)
  local pose, rest = rig:pose(), rig:pose()
  for name, value in by_name.goals.dofs:gmatch "(%S+)=(%S+)" do pose[name] = tonumber(value) end
  check.near_all(pose:position "carpus_r", { cup.x, cup.y, cup.z }, 3e-3)
  for _, name in ipairs { "calcaneus_r", "calcaneus_l" } do
    check.near_all(pose:world(name), rest:world(name), 3e-3)
  end
  local skull = pose:world "skull"
  check.that(skull:direction { 0, 0, 1 }:angle(cup - skull:position()) < 1)
end

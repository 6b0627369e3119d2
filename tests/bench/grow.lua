-- How the cost of making rigs in Lua grows: lua5.4 tests/bench/grow.lua WHAT COUNT prints the
-- seconds of each step. WHAT is one of `makers`.
local sinew = require "sinew"
local what, count = arg[1], tonumber(arg[2])

local makers = {}

-- a chain, a fan and a tree of bones on hinges
local function bones(above)
  return function()
    local rig = sinew.rig "grown"
    local made = { [0] = rig:bone("root", {}) }
    for i = 1, count do
      made[i] = made[above(i)]:bone("a bone with a common beginning " .. i,
        { at = { 0, 0.1, 0 }, hinge = { "bend" .. i, -90, 90, axis = "x" } })
    end
    return rig
  end
end
makers.chain = bones(function(i) return i - 1 end)
makers.fan = bones(function() return 0 end)
makers.tree = bones(function(i) return (i - 1) // 2 end)

-- bones without names, in sets of their own
function makers.sets()
  local rig = sinew.rig "grown"
  local root = rig:bone("root", {})
  for i = 1, count do
    root:bone("bone" .. i, { set = "set" .. i, at = { 0, 0.1, 0 },
      ball = { along = "y", cone = 40, { "flexion", -90, 90 }, { "spread", -40, 40 } } })
  end
  return rig
end

-- a long expression, and as many short ones
function makers.expressions()
  local rig = sinew.rig "grown"
  local root, dofs = rig:bone("root", {}), {}
  for i = 1, count do dofs[i] = rig:dof("dof" .. i, -90, 90) end
  for i = 1, count do
    local other = dofs[i % count + 1]
    root:bone("bone" .. i, { at = { 0, 0.1, 0 },
      hinge = { 0.5 * dofs[i] + 0.25 * other, axis = "x" } })
  end
  return rig
end

function makers.sum()
  local rig = sinew.rig "grown"
  local root, sum = rig:bone("root", {}), rig:dof("dof", -90, 90)
  for i = 1, count do
    sum = sum + rig:dof("dof" .. i, -90, 90) / count
    if i % 40 == 0 then sum = sum:named("part" .. i) end
  end
  root:bone("bone", { at = { 0, 0.1, 0 }, hinge = { sum, axis = "x" } })
  return rig
end

function makers.scripted()
  local rig = sinew.rig "grown"
  local double = sinew.component { name = "double", inputs = { "x" }, outputs = { "y" },
    eval = function(_, x) return 2 * x end }
  local dof = rig:dof("dof", -90, 90)
  local root = rig:bone("root", {})
  for i = 1, count do
    local made = rig:add(double { dof, name = "scripted" .. i })
    root:bone("bone" .. i, { at = { 0, 0.1, 0 }, hinge = { made.y, axis = "x" } })
  end
  return rig
end

-- a kind of its own for each
function makers.kinds()
  local rig = sinew.rig "grown"
  local dof = rig:dof("dof", -90, 90)
  for i = 1, count do
    local kind = sinew.component { name = "kind" .. i, inputs = { "x" }, outputs = { "y" },
      eval = function(_, x) return 2 * x end }
    rig:add(kind { dof })
  end
  return rig
end

function makers.mirror()
  local rig = sinew.rig "grown"
  local above = rig:bone("root", {})
  local set = rig:joint_set "right_limb"
  for i = 1, count do
    local bone = set:segment("right bone" .. i, { parent = above, at = { 0.1, 0, 0 } })
    bone:drive(set:rotation { set:dof("bend" .. i, { min = -90, max = 90 }), axis = { 1, 0, 0 } })
    above = bone
  end
  local from = os.clock()
  sinew.mirror(set)
  io.write((" mirror %.4f"):format(os.clock() - from))
  return rig
end

-- the same by mistake: each name twice
function makers.mistakes()
  local rig = sinew.rig "grown"
  local root = rig:bone("root", {})
  for i = 1, count do
    pcall(root.bone, root, "bone" .. i, { hinge = { "bend", -90, 90, axis = "q" } })
  end
  return rig
end

if not what then
  for name in pairs(makers) do print(name) end
  return
end
local last = os.clock()
local function lap(name)
  local now = os.clock()
  io.write((" %s %.4f"):format(name, now - last))
  io.flush()
  last = now
end
io.write(("%-12s lua %7d:"):format(what, count))
local rig = makers[what]()
lap "make"
if not rig.dofs[1] then
  print()
  return
end
rig:compile()
lap "compile"
local pose = rig:pose()
pose:eval()
lap "pose"
for i = 1, 100 do
  pose[rig.dofs[1].name] = i % 80
  pose:eval()
end
lap "one100"
local total = 0
for _, bone in ipairs(rig.segments) do total = total + #bone.name + pose:world(bone.name)[13] end
lap "read"
local _, text = pcall(rig.xml, rig)
lap "xmlw"
sinew.parse_xml(text)
lap "xmlr"
rig:close()
collectgarbage()
lap "close"
print()

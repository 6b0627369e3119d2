-- Building, compiling, posing and writing rigs.
-- A case: `--- name: the functions that it covers`, see shapes.lua.
local sinew = require "sinew"
local function chain_of(n) -- each bone on the one before
  local rig = sinew.rig "chain"
  local bone = rig:bone "base"
  for i = 1, n do
    bone = bone:bone("b" .. i, { at = {0, 0.01, 0}, set = "s" .. i,
      hinge = { "turn", -9, 9, axis = "x" } })
  end
  return rig
end
local function fan_of(n) -- all on one
  local rig = sinew.rig "fan"
  local base = rig:bone "base"
  for i = 1, n do
    base:bone("b" .. i, { at = {0, 0.01, 0}, set = "s" .. i,
      hinge = { "turn", -9, 9, axis = "x" } })
  end
  return rig
end
--- build: sinew.rig rig:bone rig:segment rig:dof rig:joint_set
return function() chain_of(500) end
--- compile_chain: rig:compile
local rig = chain_of(2000)
return function() rig:compile() end
--- compile_fan: rig:compile
local rig = fan_of(2000)
return function() rig:compile() end
--- compile_network: rig:compile
local rig = sinew.rig "net"
local set = rig:joint_set "net"
local a = set:dof("a", 0, 1)
local x = set:formula { a, a, text = "x1 + x2" }
for i = 1, 2000 do x = set:formula { x, a, text = "0.5*x1 + x2" } end
set:segment "b":drive(set:rotation { x, axis = {1, 0, 0} })
return function() rig:compile() end
--- compile_maps: rig:compile
local rig = sinew.rig "maps"
local set = rig:joint_set "maps"
local a, curves = set:dof("a", 0, 1), {}
local points = {}
for i = 1, 2000 do points[i] = { i, math.sin(i) } end
for i = 1, 100 do curves[i] = set:map { a, y = sinew.spline(points) } end
set:segment "b":drive(set:rotation { curves[1].y, axis = {1, 0, 0} })
return function() rig:compile() end
--- compile_paths: rig:compile
local rig = chain_of(300)
for i = 1, 300 do sinew.relative { of = rig:find("b" .. i), to = "base" } end
return function() rig:compile() end
--- pose: rig:pose pose:eval
local rig = chain_of(500)
rig:compile()
return function()
  for _ = 1, 400 do
    local pose = rig:pose()
    pose:set { ["s1.turn"] = 3 }
    pose:eval()
    pose:close()
  end
end
--- pose_eval: pose:eval pose:world pose:position pose:worlds
local pose = chain_of(500):pose()
return function() for i = 1, 2000 do pose["s1"].turn = i % 9 pose:eval() end end
--- pose_read: pose:position pose:world pose:worlds pose:value pose:frame pose:holds pose:driven
local pose = chain_of(500):pose()
return function() for i = 1, 2000 do pose["s1"].turn = i % 9 pose:position "b7" end end
--- pose_set: pose:set
local pose, list, named = chain_of(500):pose(), {}, {}
for i = 1, 500 do list[i], named["s" .. i .. ".turn"] = i % 9, i % 9 end
return function() for _ = 1, 20 do pose:set(list) pose:set(named) end end
--- lists_of_handles: rig:segment
local rig = chain_of(500)
rig:compile()
return function() for _ = 1, 30 do local _ = rig.segments, rig.dofs, rig.components end end
--- pose_jacobian: pose:jacobian
local pose = chain_of(300):pose()
return function() for _ = 1, 50 do pose:jacobian "b300" end end
--- pose_pack: pose:pack pose:unpack pose:set pose:dofs pose:blend pose:carry
local pose = chain_of(500):pose()
local other = pose.rig:pose()
return function()
  for _ = 1, 1000 do pose:unpack(pose:pack()) pose:blend(other, 0.5) pose:carry(other) end
end
--- xml: rig:xml
local rig = chain_of(500)
rig:compile()
return function() for _ = 1, 4 do rig:xml() end end
--- parse_xml: sinew.parse_xml
local text = chain_of(500):xml()
return function() assert(sinew.parse_xml(text)) end
--- parse_xml_of_points: sinew.parse_xml
local rig = sinew.rig "maps"
local set = rig:joint_set "maps"
local points = {}
for i = 1, 10000 do points[i] = { i, math.sin(i) } end
set:segment "b":drive(set:rotation { set:map { set:dof("a", 0, 1), y = sinew.spline(points) }.y,
  axis = {1, 0, 0} })
local text = rig:xml()
return function() for _ = 1, 4 do assert(sinew.parse_xml(text)) end end
--- parse_xml_of_comments: sinew.parse_xml
local text = "<rig version='1' name='r'><!--" .. (" a"):rep(400000) .. "--></rig>"
return function() for _ = 1, 10 do assert(sinew.parse_xml(text)) end end
--- record: sinew.component
return function()
  return sinew.component { name = "long", inputs = { "a" }, outputs = { "b" }, record = true,
    eval = function(_, a)
      local b = a
      for i = 1, 2000 do b = b * a + i end
      return b
    end }.recorded
end
--- record_paths: sinew.component sinew.join
return function()
  return sinew.component { name = "branches", inputs = { "a" }, outputs = { "b" },
    eval = function(_, a)
      local b = a
      for i = 1, 9 do if b > i then b = b * 2 + i else b = b + 3 * i end end
      return b
    end }.recorded
end
--- compile_recorded: rig:compile
local Long = sinew.component { name = "long", inputs = { "a" }, outputs = { "b" }, record = true,
  eval = function(_, a)
    local b = a
    for i = 1, 600 do b = b * a + i end
    return b
  end }
local rig = sinew.rig "long"
local set = rig:joint_set "long"
local a = set:dof("a", -1, 1)
for _ = 1, 10 do a = set:add(Long { a }).b end
set:segment "b":drive(set:rotation { a, axis = {1, 0, 0} })
return function() rig:compile() end
--- newton: sinew.root sinew.newton sinew.contact
return function()
  for _ = 1, 500 do
    sinew.root(function(x) return x * x - 2 end, 0, 2)
    sinew.newton(function(x, y) return x * x + y * y - 2, x - y end, 2, 1)
  end
end
--- mirror: sinew.mirror
return function()
  local rig = sinew.rig "m"
  local base = rig:bone "base"
  for i = 1, 60 do
    base:bone("left_" .. i, { at = {1, 0, 0}, set = "left_s" .. i,
      hinge = { "turn", -9, 9, axis = "x" } })
  end
  sinew.mirror(rig)
end
--- chain: sinew.chain sinew.scale
return function()
  local rig = sinew.rig "c"
  sinew.chain(rig, "tail", { links = 300, at = {0, 0, -0.2},
    turns = { { name = "curl", axis = {1, 0, 0}, range = {-60, 120} } } })
  sinew.scale(rig, 2)
end
--- tune: rig:tune
local rig = chain_of(400)
local values = { dofs = {} }
for i = 1, 400 do values.dofs["s" .. i .. ".turn"] = { min = -4, max = 4 } end
rig:compile()
return function() for _ = 1, 4 do rig:tune(values) end end
--- component_set: component:set
local rig = chain_of(1000)
rig:compile()
local part = rig.components[1]
return function() for i = 1, 200 do part:set("axis", {1, 0, 0}) end end
--- schema: sinew.xml_schema sinew.catalog sinew.types
return function() for _ = 1, 20 do sinew.xml_schema() sinew.catalog() sinew.types() end end

local check, tests = ...
local sinew = require "sinew"
local sample = require "sample"

local live = check.live_blocks

-- runs `make`; nothing may remain after its result is dropped
local function leaves_nothing(make)
  local before = live()
  make()
  check.equal(live(), before)
end

-- the same; while the result exists, the engine must hold memory
local function is_freed(make)
  make() -- excludes what is made once and kept, such as the table of scripted classes
  local before = live()
  local kept = make()
  check.that(live() > before, "nothing was held")
  check.that(kept)
  kept = nil -- luacheck: ignore
  check.equal(live(), before)
end

function tests.counts_blocks_and_bytes()
  local blocks, bytes = sinew.live_blocks()
  local curve = sinew.constant(1)
  local blocks_after, bytes_after = sinew.live_blocks()
  check.that(blocks_after > blocks)
  check.that(bytes_after > bytes)
  curve:close()
end

function tests.frees_what_is_collected()
  is_freed(function() return sample.knee() end)
  is_freed(function() return sample.knee().rig:pose() end)
  is_freed(function() return sample.chain(5):crowd(7) end)
  is_freed(function() return sinew.constant(1) end)
  is_freed(function() return sample.scalar(function() end) end)
  is_freed(function() return sample.scalar(function() end) { 1 } end)
end

function tests.keeps_a_rig_alive_while_its_objects_are_used()
  local left = {
    function(k) return k.tibia, function(x) return x.name == "tibia" end end,
    function(k) return k.flexion, function(x) return x.max == 120 end end,
    function(k) return k.bend, function(x) return x.angle.name == "angle" end end,
    function(k) return k.bend.angle, function(x) return x.component.name == "knee.bend" end end,
    function(k) return k.knee, function(x) return x:dof "more".name == "knee.more" end end,
    function(k) return k.rig:pose(), function(x) return #x:worlds() == 32 end end,
    function(k) return k.rig:crowd(2), function(x) return #x:worlds() == 64 end end,
  }
  for _, pick in ipairs(left) do
    local before = live()
    do
      local kept, test = pick(sample.knee())
      collectgarbage()
      collectgarbage()
      check.that(test(kept))
    end
    check.equal(live(), before)
  end
end

function tests.frees_scripts_that_refer_to_their_own_rig()
  is_freed(function()
    local s
    s = sample.scripted(sample.scalar(function(self, x) return s and self.k * x end,
      { k = 2, v = { 1, 2, 3 }, c = sinew.constant(1) }))
    s.pose = s.rig:pose()
    s.pose:eval()
    s.crowd = s.rig:crowd(3)
    s.crowd:eval()
    return s
  end)
end

function tests.keeps_scripts_whose_kind_is_unreachable()
  local pose, component
  do
    local s = sample.scripted(sinew.component { name = "hidden", inputs = { "x", "v: vector" },
      outputs = { "y" }, params = { k = 3 },
      eval = function(self, x, v) return self.k * x + v.x end }, { [2] = { 5, 0, 0 } })
    pose, component = s.rig:pose(), s.component
  end
  collectgarbage()
  collectgarbage()
  pose["set.x"] = 2
  check.equal(pose:value(component), 11)
end

function tests.keeps_scripts_whose_kind_was_closed()
  local Kind = sample.scalar(function(_, x) return x + 1 end)
  local s = sample.scripted(Kind)
  Kind:close()
  Kind = nil -- luacheck: ignore
  collectgarbage()
  check.equal(s.rig:pose():value(s.component), 1)
end

function tests.frees_what_is_closed_at_once()
  collectgarbage()
  collectgarbage()
  collectgarbage "stop"
  local before = sinew.live_blocks()
  local k = sample.knee()
  local pose, crowd = k.rig:pose(), k.rig:crowd(3)
  local curve = sinew.constant(1)
  k.rig:close()
  crowd:close()
  pose:close()
  curve:close()
  local after = sinew.live_blocks()
  collectgarbage "restart"
  -- only the curves of the map remain, which Lua still holds
  check.that(after - before <= 2, "left: " .. after - before)
end

function tests.leaks_nothing_when_something_fails()
  local rig = sinew.rig "failing"
  local x = rig:dof "x"
  local function no() end
  local failing = {
    function() return sinew.spline { { 1, 1 }, { 0, 0 } } end,
    function() return sinew.component { name = "s", outputs = { "y", "y" }, eval = no } end,
    function() return sinew.component { name = "s", outputs = { "y" }, params = { l = { 1, "" } },
      eval = no } end,
    function() return rig:add(sample.scalar(no, { k = 1 }) { x, k = "x" }) end,
    function() return rig:add(sample.scalar(no) { "x" }) end,
    function() return rig:add(sample.scalar(no) { x, nonsense = 1 }) end,
    function() return rig:rotation { x, axis = "up" } end,
    function() local r = sinew.rig "bad" r:rotation { r:dof "x" } return r:pose() end,
    function() local r = sinew.rig "bad" r:rotation { r:dof "x" } return r:crowd(3) end,
    function() local s = sample.scripted(sample.scalar(error)) return s.rig:pose():eval() end,
    function() local s = sample.scripted(sample.scalar(error)) return s.rig:crowd(2):eval() end,
    function() local s = sample.scripted(sample.scalar(error))
      return s.rig:crowd(2):pose({ 1, 2 }, sinew.buffer(0)) end,
    function() return rig:crowd(0) end,
    function() return rig:crowd(2, { threads = 0 }) end,
    function() return rig:crowd(2, { lanes = 5 }) end,
  }
  for i, fail in ipairs(failing) do
    local before = live()
    check.that(not pcall(fail), "case " .. i .. " did not fail")
    local after = live()
    check.that(after == before, ("case %d leaves %d blocks"):format(i, after - before))
  end
end

function tests.leaks_nothing_over_many_rigs()
  leaves_nothing(function()
    for i = 1, 200 do
      local s
      s = sample.scripted(sample.scalar(function(self, x) return s and self.k + x end, { k = 0 }))
      s.component:set("k", i)
      local pose = s.rig:pose()
      pose["set.x"] = i % 50
      pose:eval()
    end
  end)
end

function tests.collects_many_poses_without_explicit_calls()
  local rig = sample.chain(60)
  rig:pose()
  local before = select(2, sinew.live_blocks())
  local most = 0
  for _ = 1, 3000 do
    rig:pose()
    most = math.max(most, select(2, sinew.live_blocks()) - before)
  end
  -- if the collector did not know their size, thousands would pile up
  check.that(most < 8e6, ("%d bytes were held at once"):format(most))
end

function tests.closes_to_be_closed_variables()
  if _VERSION ~= "Lua 5.4" then return end
  local pose
  local chunk = assert(load "local make, use = ... local p <close> = make() use(p)")
  local k = sample.knee()
  chunk(function() return k.rig:pose() end, function(p) pose = p end)
  check.equal(tostring(pose), "pose (closed)")
end

-- A rig that follows its files: only a good one replaces the old one, and values carry over.
local check, tests = ...
local sinew = require "sinew"

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

-- calls with a temporary folder, and removes it
local function in_folder(call)
  local folder = os.tmpname()
  os.remove(folder)
  assert(os.execute(("mkdir '%s'"):format(folder)))
  local ok, problem = pcall(call, folder .. "/")
  os.execute(("rm -r '%s'"):format(folder))
  if not ok then error(problem, 0) end
end

local script = [[
local sinew = require "sinew"
local rig = sinew.rig "finger"
local dof = rig:dof("bend", { min = 0, max = %d })
rig:dof("%s", { min = -1, max = 1 })
rig:segment("bone"):drive(rig:rotation { dof, axis = { 1, 0, 0 } })
%s
]]
local function good(max, name) return script:format(max, name or "spread", "return rig") end

-- calls with a watched rig, its path and its folder
local function watching(text, call)
  in_folder(function(folder)
    local path = folder .. "rig.lua"
    write(path, text)
    call(assert(sinew.watch(path)), path, folder)
  end)
end

-- polls with a fake clock until the files are stable
local clock = 0
local function settle(live)
  for _ = 1, 4 do
    clock = clock + 0.1
    if live:poll(clock) then return true end
  end
  return false
end

function tests.replaces_the_rig_and_carries_values_over()
  watching(good(90), function(live, path)
    live.pose["bend"], live.pose["spread"] = 60, 0.5
    check.equal(settle(live), false)
    local old_rig, old_pose = live.rig, live.pose
    write(path, good(1200, "twist"))
    check.equal(settle(live), true)
    check.that(live.rig ~= old_rig and live.pose ~= old_pose)
    check.has(live, { count = 2, pose = { bend = 60, twist = 0 } })
    check.equal(live.rig:find("bend").max, 1200)
    check.equal(live.error, nil)
    old_pose["bend"] = 70
    check.equal(live:carry(old_pose)["bend"], 70)
    check.equal(settle(live), false)
    -- clamped to the new range
    write(path, good(45))
    check.equal(settle(live), true)
    check.equal(live.pose["bend"], 45)
  end)
end

function tests.keeps_the_old_rig_through_every_fault()
  watching(good(90), function(live, path)
    live.pose["bend"] = 33
    local rig, pose = live.rig, live.pose
    local faults = {
      { "local rig = = 3", "rig.lua:1:" },
      { "error 'no bones today'", "rig.lua:1: no bones today" },
      { "error {}", "the script raised a table instead of a message" },
      { "local sinew = require 'sinew'", "a rig script must return its rig, not nil" },
      { "return 3", "a rig script must return its rig, not number" },
      { script:format(90, "bend", "return rig"), "bend" },
      { "local sinew = require 'sinew' local rig = sinew.rig 'r' local K = sinew.component { "
        .. "name = 'k', inputs = { 'a' }, outputs = { 'a' }, eval = function() error 'bad bend' "
        .. "end } rig:add(K { rig:dof 'bend' }) return rig", "bad bend" },
      { "return require 'not_there_at_all'", "not_there_at_all" },
      { "\27Lua", "" },
    }
    for _, fault in ipairs(faults) do
      write(path, fault[1])
      check.equal(settle(live), false)
      check.that(live.error and live.error:find(fault[2], 1, true),
        ("expected %s, got %s"):format(fault[2], tostring(live.error)))
      check.that(live.rig == rig and live.pose == pose, "the rig was replaced")
      check.near_all(live.pose:world "bone", sinew.mat4.turn({ 1, 0, 0 }, 33), 1e-6)
    end
    -- missing or empty: somebody is still writing
    local before = live.error
    os.remove(path)
    check.equal(settle(live), false)
    write(path, "")
    check.equal(settle(live), false)
    check.equal(live.error, before)
    write(path, "\239\187\191#!/usr/bin/env lua\n" .. good(80))
    check.equal(settle(live), true)
    check.equal(live.error, nil)
    check.equal(live.pose["bend"], 33)
  end)
end

function tests.watches_required_modules()
  in_folder(function(folder)
    write(folder .. "rig.lua", "local parts = require 'parts.all'\n"
      .. "assert(parts == require 'parts.all')\nreturn parts.rig")
    assert(os.execute(("mkdir '%sparts'"):format(folder)))
    write(folder .. "parts/all.lua",
      "return { rig = require('parts.maker')(require('parts.numbers').max) }")
    write(folder .. "parts/maker.lua", "return function(max)\n" .. good(1):gsub("max = 1 ",
      "max = max ", 1) .. "end")
    write(folder .. "parts/numbers.lua", "return { max = 50 }")
    local live = assert(sinew.watch(folder .. "rig.lua"))
    check.equal(#live.files, 4)
    check.equal(live.rig:find("bend").max, 50)
    check.equal(package.loaded["parts.numbers"], nil)
    write(folder .. "parts/numbers.lua", "return { max = 500 }")
    check.equal(settle(live), true)
    check.equal(live.rig:find("bend").max, 500)
    -- after a fault early in one file the others must still be watched
    write(folder .. "rig.lua", "error 'early'")
    check.equal(settle(live), false)
    check.equal(#live.files, 4)
    write(folder .. "parts/numbers.lua", "return { max = 5 }")
    check.equal(settle(live), false)
    write(folder .. "rig.lua", "return require('parts.all').rig")
    check.equal(settle(live), true)
    check.equal(live.rig:find("bend").max, 5)
    write(folder .. "parts/numbers.lua", "return require 'parts.numbers'")
    check.equal(settle(live), false)
    check.that(live.error:find("module 'parts.numbers' requires itself", 1, true), live.error)
  end)
end

function tests.isolates_the_globals_of_a_script()
  watching("counter = (counter or 0) + 1\nassert(counter == 1)\n" .. good(90), function(live)
    check.equal(live:reload(), true)
    check.equal(rawget(_G, "counter"), nil)
    check.equal(live.count, 2)
  end)
end

function tests.pauses_and_logs()
  in_folder(function(folder)
    local lines = {}
    write(folder .. "rig.lua", good(90))
    local live = assert(sinew.watch(folder .. "rig.lua", { log = function(text)
      lines[#lines + 1] = text
    end }))
    check.equal(#lines, 0)
    live.paused = true
    write(folder .. "rig.lua", good(100))
    check.equal(settle(live), false)
    live.paused = false
    check.equal(settle(live), true)
    check.that(lines[1]:find("rig.lua reloaded in [%d.]+ ms"), lines[1])
    write(folder .. "rig.lua", "error 'oh'")
    settle(live)
    check.that(lines[2]:find("rig.lua not reloaded in [%d.]+ ms: .*oh"), lines[2])
  end)
end

function tests.says_why_the_first_attempt_failed()
  check.returns_error("/no/such/rig.lua", sinew.watch, "/no/such/rig.lua")
  check.fails("the path of a rig script is wanted", sinew.watch)
end

function tests.polls_without_garbage()
  watching(good(90), function(live) check.no_garbage(function() live:poll() end) end)
end

function tests.leaks_nothing_in_a_thousand_reloads()
  watching(good(90), function(live)
    local jit = rawget(_G, "jit")
    local function held()
      if jit then jit.flush() end -- LuaJIT's traces vary
      collectgarbage()
      collectgarbage()
      return collectgarbage "count"
    end
    for _ = 1, 50 do assert(live:reload()) end
    local before = held()
    for _ = 1, 1000 do assert(live:reload()) end
    check.that(held() - before < 128, ("%.0f kB are left"):format(held() - before))
  end)
end

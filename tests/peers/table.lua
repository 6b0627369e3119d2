-- All peers on body75 beside each other, from the tables that their programs wrote:
--
--   lua5.4 tests/peers/table.lua FILE.csv...
--
-- Sinew itself was timed in turn with each of them; its row has the worst of these runs.
package.path = (arg[0]:match "^(.*)[/\\]" or ".") .. "/../bench/?.lua;" .. package.path
local figures = require "figures"

local peers = { "MuJoCo", "Simbody, pins", "Simbody, function-based", "Orocos KDL, tree", "LuaJIT",
  "Lua 5.4" }

local good, found = pcall(figures.read, arg)
if not good then
  io.stderr:write("table: ", found, "\n")
  os.exit(1)
end

local function put(...)
  print((("%-26s %10s %10s %12s %9s  %s"):format(...):gsub(" +$", "")))
end
local function show(row) return row and figures.show(row.value) or "" end
local function bound(row) return row and row.at_most and ("%g"):format(row.at_most) or "" end
local function remark(row) return row and figures.over(row) and "OVER" or "" end

local own = found["body75 / N"]
local naive = found["N, in turn with it"]
if own and naive then
  print(("\nbody75: 75 segments, 150 rotations, all DOFs random; N is %.0f ns"):format(naive.value))
  put("", "least, N", "median, N", "Sinew / it", "at most", "")
  put("Sinew, one pose", show(own), show(found["body75 / N, median"]), "", "", "")
  put("N, the naive loop", "1.00", "1.00", show(own), bound(own), remark(own))
end
for _, name in ipairs(peers) do
  local least = found[name .. " / N"]
  if least then
    local ratio = found["body75 / " .. name]
    local median = found[name .. " / N, median"]
    put(name, show(least), show(median), show(ratio), bound(ratio), remark(ratio))
  else
    put(name, "SKIPPED", "", "", "", "it is not on this system, or its program failed")
  end
end

-- Rewrites the benchmark's table in a README, between two lines that mark it, from the tables that
-- the benchmarks wrote, so that nobody types figures:
--
--   lua5.4 tests/bench/readme.lua README.md FILE.csv...
--
-- A figure over its bound is shown as such. Rows without a figure are left out, and told of.
package.path = (arg[0]:match "^(.*)[/\\]" or ".") .. "/?.lua;" .. package.path
local figures = require "figures"

local opening = "<!-- made by ./dev bench --readme, down to the next such line -->"
local closing = "<!-- end of what ./dev bench --readme makes -->"

-- the ratio's name in the benchmarks, the text for the reader, and its unit: `N`, `%` or none
local rows = {
  { "body75 / N", "bare body, 75 segments, 150 rotations about centres: one pose", "N" },
  { "body75 / MuJoCo", "the same, over MuJoCo's `mj_kinematics`" },
  { "body75 / Simbody, function-based", "the same, over Simbody with function-based joints" },
  { "body75 in a batch, AVX2 / N", "the same, a character in a batch of 1000, one thread, AVX2",
    "N" },
  { "body75 in a batch, SSE2 / N", "the same with SSE2 alone", "N" },
  { "human / N", "`rigs/human.lua`, every limit, all DOFs random: one pose", "N" },
  { "human in a batch, AVX2 / N", "the same, a character in a batch of 1000, one thread, AVX2",
    "N" },
  { "one finger / N", "one DOF of one finger on `rigs/human.lua`", "N" },
  { "body75, two threads / one, batch of 1000", "two threads over one, a batch of 1000 bodies" },
  { "human, two threads / one, batch of 1000", "two threads over one, a batch of 1000 humans" },
  { "world pass alone / N", "world transforms alone, 75 segments", "N" },
  { "share of all cones, 50% of the ranges", "all reach cones, of one evaluation on smooth motion",
    "%" },
  { "share of both shoulder blades' roots", "both shoulder blades' roots, of the same", "%" },
}

local function show(value, unit)
  if unit == "%" then return ("%.1f %%"):format(100 * value) end
  return figures.show(value) .. (unit and " " .. unit or "")
end

local function make_table(found)
  local lines, left_out = { "| what | measured | at most |", "| --- | --- | --- |" }, {}
  for _, row in ipairs(rows) do
    local name, text, unit = row[1], row[2], row[3]
    local figure = found[name]
    if not figure then
      left_out[#left_out + 1] = name
    elseif figure.unit ~= "ratio" or figure.value <= 0 then
      error(("'%s' cannot be %g %s"):format(name, figure.value, figure.unit), 0)
    elseif not figure.at_most then
      error(("'%s' has no bound"):format(name), 0)
    else
      lines[#lines + 1] = ("| %s | %s%s | %s |"):format(text, show(figure.value, unit),
        figures.over(figure) and ", **over**" or "", show(figure.at_most, unit))
    end
  end
  if #left_out == #rows then error("none of the table's figures was measured", 0) end
  local naive = found["N: naive cglm loop, 150 rotations"]
  if naive then
    table.insert(lines, 1, ("N was %.2f microseconds.\n"):format(naive.value / 1000))
  end
  return table.concat(lines, "\n"), left_out
end

-- the number of a line that must occur exactly once
local function find_line(text, line)
  local first, last = ("\n" .. text):find("\n" .. line .. "\n", 1, true)
  if not first then error(("there is no line %s"):format(line), 0) end
  if ("\n" .. text):find("\n" .. line .. "\n", last, true) then
    error(("there are two lines %s"):format(line), 0)
  end
  return first, last - 1
end

local function replace(text, made)
  local _, head = find_line(text, opening)
  local tail = find_line(text, closing)
  if tail <= head then error("the two lines around the table stand in the wrong order", 0) end
  return text:sub(1, head) .. "\n" .. made .. "\n\n" .. text:sub(tail)
end

local function main(readme, ...)
  if select("#", ...) == 0 then error("usage: readme.lua README.md FILE.csv...", 0) end
  local made, left_out = make_table(figures.read { ... })
  local file = assert(io.open(readme))
  local text = file:read "*a"
  file:close()
  local new = replace(text, made)
  file = assert(io.open(readme, "w"))
  file:write(new)
  file:close()
  print(made)
  for _, name in ipairs(left_out) do
    print(("SKIPPED the row of '%s': not measured"):format(name))
  end
end

local good, message = pcall(main, ...)
if not good then
  io.stderr:write("readme: ", message, "\n")
  os.exit(1)
end

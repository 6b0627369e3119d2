-- lua same_pose.lua PRINTED JSON: whether the lines `world<tab>segment<tab>16 numbers` of a program
-- are the world matrices from `sinew eval --json`, to 1e-5.
local json = require "json"

local function read(path)
  local file = assert(io.open(path))
  local text = file:read "*a"
  file:close()
  return text
end

local expected = json(read(arg[2])).segments
local count, worst = 0, 0
for name, numbers in read(arg[1]):gmatch "world\t([^\t\n]+)\t([^\n]+)" do
  local matrix = assert(expected[name], name .. ": no such segment in " .. arg[2])
  local k = 0
  for number in numbers:gmatch "%S+" do
    k = k + 1
    worst = math.max(worst, math.abs(tonumber(number) - matrix[k]))
  end
  assert(k == 16, name .. ": " .. k .. " numbers")
  expected[name] = nil
  count = count + 1
end
assert(next(expected) == nil, "not printed: " .. tostring(next(expected)))
assert(worst <= 1e-5, ("off by %g"):format(worst))
print(("%d segments agree"):format(count))

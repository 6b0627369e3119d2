-- For the tests of rigs: opens the scripts of rigs/, and compares poses with golden files.
--
-- A golden file is text: "pose NAME" and then a line for each segment, its name and the three rows
-- of its world matrix. To write them anew after a change that is meant, and then to read the
-- difference:
--
--   SINEW_GOLDEN=write ./dev test     (or lua5.4 tests/lua/run.lua rig_)
local sinew = require "sinew"

local rigs = {}

local folder = (arg[0]:match("^(.*)[/\\]") or ".")
local root = folder .. "/../.."
package.path = root .. "/rigs/?.lua;" .. package.path

function rigs.open(name) return assert(loadfile(root .. "/rigs/" .. name .. ".lua"))() end

-- numbers in rows, as in the files
local function rows(m)
  local list = {}
  for row = 1, 3 do
    for column = 1, 4 do list[#list + 1] = m:get(row, column) end
  end
  return list
end

local function write(path, rig, poses)
  local file = assert(io.open(path, "w"))
  local pose = rig:pose()
  for _, entry in ipairs(poses) do
    file:write("pose ", entry.name, "\n")
    pose:reset():set(entry.dofs)
    for _, segment in ipairs(rig.segments) do
      file:write(segment.name)
      for _, number in ipairs(rows(pose:world(segment))) do
        file:write((" %.7f"):format(number == 0 and 0 or number))
      end
      file:write("\n")
    end
  end
  file:close()
end

local function read(path)
  local poses, name = {}, ""
  for line in io.lines(path) do
    local new = line:match("^pose (.*)$")
    if new then
      name, poses[new] = new, {}
    else
      local numbers = {}
      local segment, rest = line:match("^(%S+)(.*)$")
      for number in rest:gmatch("%S+") do numbers[#numbers + 1] = tonumber(number) end
      poses[name][segment] = numbers
    end
  end
  return poses
end

-- every segment of every pose { name =, dofs = { by name } } against golden/NAME.txt, to 1e-5
function rigs.golden(name, rig, poses)
  local path = ("%s/golden/%s.txt"):format(folder, name)
  if os.getenv "SINEW_GOLDEN" == "write" then write(path, rig, poses) end
  local golden, pose = read(path), rig:pose()
  for _, entry in ipairs(poses) do
    local expected = golden[entry.name] or error(("%s has no pose '%s'"):format(path, entry.name))
    pose:reset():set(entry.dofs)
    for _, segment in ipairs(rig.segments) do
      local numbers = expected[segment.name]
        or error(("%s: pose '%s' has no '%s'"):format(path, entry.name, segment.name))
      for i, number in ipairs(rows(pose:world(segment))) do
        local difference = math.abs(number - numbers[i])
        if difference ~= difference or difference > 1e-5 then
          error(("pose '%s', segment '%s', number %d: %.7f, golden %.7f"):format(entry.name,
            segment.name, i, number, numbers[i]))
        end
      end
    end
  end
end

-- the rest pose: what drives each segment gives the identity
function rigs.check_rest(rig)
  local pose = rig:pose()
  for _, segment in ipairs(rig.segments) do
    local driven = pose:driven(segment)
    if not driven:near(sinew.mat4(), 1e-6) then
      error(("'%s' is driven away from its rest: %s"):format(segment.name, tostring(driven)))
    end
  end
end

-- the reflection of a world matrix across x = 0
function rigs.mirrored(m)
  local flip = sinew.mat4.scaling(-1, 1, 1)
  return flip * m * flip
end

return rigs

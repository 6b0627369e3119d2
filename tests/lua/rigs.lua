-- For the tests of rigs: opens the scripts of rigs/, and compares poses with golden files.
--
-- A golden file is text: "pose NAME" and then a line for each segment, its name and the three rows
-- of its matrix relative to its parent. The first pose has every segment, the others only those
-- that differ from it. To write the files after an intended change, and then to read the diff:
--
--   SINEW_GOLDEN=write ./dev test     (or lua5.4 tests/lua/run.lua rig_)
local check = require "check"
local sinew = require "sinew"
local sides = require "sinew.sides"

local rigs = {}
local unpack = table.unpack or unpack

local folder = (arg[0]:match("^(.*)[/\\]") or ".")
local root = folder .. "/../.."
package.path = root .. "/rigs/?.lua;" .. package.path

function rigs.open(name) return assert(loadfile(root .. "/rigs/" .. name .. ".lua"))() end

local function relative_to_parent(pose, segment)
  local world = pose:world(segment)
  return segment.parent and pose:world(segment.parent):inverse() * world or world
end

local function write(path, rig, poses)
  local file, pose, first = assert(io.open(path, "w")), rig:pose(), {}
  for _, entry in ipairs(poses) do
    file:write("pose ", entry.name, "\n")
    pose:reset():set(entry.dofs)
    for _, segment in ipairs(rig.segments) do
      local name, m = segment.name, relative_to_parent(pose, segment)
      if not first[name] or not m:near(first[name], 5e-7) then
        file:write(name)
        for i = 0, 11 do
          local number = ("%.7f"):format(m:get(math.floor(i / 4) + 1, i % 4 + 1))
          file:write(" ", number == "-0.0000000" and "0.0000000" or number)
        end
        file:write("\n")
      end
      first[name] = first[name] or m
    end
  end
  file:close()
end

-- by pose and segment, the matrix relative to the parent
local function read(path)
  local poses, name, first = {}, nil, nil
  for line in io.lines(path) do
    local new = line:match("^pose (.*)$")
    if new then
      name, poses[new] = new, setmetatable({}, { __index = first })
      first = first or poses[new]
    else
      local numbers = {}
      local segment, rest = line:match("^(%S+)(.*)$")
      for number in rest:gmatch("%S+") do numbers[#numbers + 1] = tonumber(number) end
      poses[name][segment] = sinew.mat4.rows { { unpack(numbers, 1, 4) },
        { unpack(numbers, 5, 8) }, { unpack(numbers, 9, 12) } }
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
    local worlds = {}
    pose:reset():set(entry.dofs)
    for _, segment in ipairs(rig.segments) do
      local want = expected[segment.name]
        or error(("%s: pose '%s' has no '%s'"):format(path, entry.name, segment.name))
      if segment.parent then want = worlds[segment.parent] * want end
      worlds[segment.name] = want
      local got = pose:world(segment)
      if not got:near(want, 1e-5) then
        error(("pose '%s', segment '%s': %s, golden %s"):format(entry.name, segment.name,
          tostring(got), tostring(want)))
      end
    end
  end
end

-- at rest the driver of each segment is the identity
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

-- DOF values with left and right exchanged, and `sideways` ones negated, give the mirror image
function rigs.check_mirror_image(rig, sideways, random, tolerance)
  local pose, other = rig:pose(), rig:pose()
  for _ = 1, 60 do
    for _, dof in ipairs(rig.dofs) do
      local value = random(dof.min, dof.max)
      pose[dof.name], other[sides.other(dof.name)] = value, sideways[dof.name] and -value or value
    end
    for _, segment in ipairs(rig.segments) do
      check.near_all(other:world(sides.other(segment.name)), rigs.mirrored(pose:world(segment)),
        tolerance)
    end
  end
end

return rigs

-- Does a body move better by Sinew's joints than by plain ones? The same mesh with the same weights
-- follows rigs/human.lua, and a hierarchy with the same rest pose whose joints are balls at fixed
-- places, turned to the same orientations:
--
--   lua5.4 rigs/tools/bodies.lua [-o FOLDER] [--pictures]
--
-- The plain shoulder turns the arm about the glenohumeral centre, with clavicle and scapula still.
-- The plain knee turns the shank about the mean of the real knee's moving centre, and the patella
-- stays on the thigh. The plain spine shares the bend out to three joints. Weights are those of the
-- human, so only the joints differ. Volume is that of the closed mesh, by its triangles: what
-- overlaps counts twice, what is turned inside out counts below 0. A share is of what lies within
-- 15 cm of the joint at rest. "Moved" is how far the limb is from where plain joints have it.
-- Writes bodies.csv, prints the table, and with --pictures (needs the viewer and ImageMagick)
-- renders both to bodies.png, plain joints above ours.
local root = (arg[0]:match("^(.*)[/\\]") or ".") .. "/../.."
local build = rawget(_G, "jit") and "luajit" or "lua"
package.path = ("%s/rigs/?.lua;%s/lua/?.lua;%s"):format(root, root, package.path)
package.cpath = ("%s/build/%s/?.so;%s"):format(root, build, package.cpath)
local sinew = require "sinew"

local folder, pictures = root .. "/build/compare", false
do
  local i = 1
  while arg[i] do
    if arg[i] == "-o" then
      folder, i = arg[i + 1] or error("'-o' wants a folder", 0), i + 1
    elseif arg[i] == "--pictures" then
      pictures = true
    else
      error(("an option '%s' is not there"):format(arg[i]), 0)
    end
    i = i + 1
  end
end

-- a row: its name, the DOFs of the human, the segments that turn in the plain one, and the joint
local cases = {
  { "shoulder, 30 degrees", { ["right_shoulder.raise"] = 30 }, { "humerus_r" }, "humerus_r" },
  { "shoulder, 90 degrees", { ["right_shoulder.raise"] = 90 }, { "humerus_r" }, "humerus_r" },
  { "shoulder, 150 degrees", { ["right_shoulder.raise"] = 150 }, { "humerus_r" }, "humerus_r" },
  { "knee, 120 degrees", { ["right_knee.flexion"] = 120 }, { "tibia_r" }, "knee_centre_r" },
  { "spine, bent forward", { ["lumbar.flexion"] = 1, ["thoracic.flexion"] = 1 },
    { "L4", "T12", "T6" }, "T12" },
}

local function run(...)
  local words = { ... }
  for i, word in ipairs(words) do words[i] = "'" .. word:gsub("'", "'\\''") .. "'" end
  local command = table.concat(words, " ")
  local ok = os.execute(command)
  if ok ~= true and ok ~= 0 then error("failed: " .. command, 0) end
end

-- --- the plain hierarchy

local rig = assert(sinew.load(root .. "/rigs/human.lua"))
local rest, posed = rig:pose(), rig:pose()

local function pose_of(case)
  posed:reset()
  for name, value in pairs(case[2]) do posed[name:match "^[^.]*"][name:match "[^.]*$"] = value end
  return posed
end

-- the place of a plain joint at rest
local function centre_of(name)
  if name ~= "tibia_r" then return rest:world(name):position() end
  local sum, count, femur = sinew.vec3(), 0, rest:world "femur_r"
  for flexion = 0, 120, 10 do
    posed:reset()
    posed.right_knee.flexion = flexion
    sum, count = sum + femur:point(posed:frame("knee_centre_r", "femur_r"):position()), count + 1
  end
  return sum * (1 / count)
end

local function numbers(m)
  local list = {}
  for column = 1, 4 do
    for row = 1, 4 do list[#list + 1] = ("%.9g"):format(m:get(row, column)) end
  end
  return table.concat(list, ", ")
end

-- how much a segment turns in the world, from rest
local function turn_of(pose, name)
  return (pose:world(name) * rest:world(name):inverse()):rotation()
end

local function write_plain(path)
  local lines = { 'local sinew = require "sinew"', 'local rig, of = sinew.rig "plain", {}' }
  local function put(format, ...) lines[#lines + 1] = format:format(...) end
  local turning = {}
  for index, case in ipairs(cases) do
    for _, name in ipairs(case[3]) do
      turning[name] = turning[name] or {}
      table.insert(turning[name], index)
    end
  end
  for _, node in ipairs(rig.segments) do
    local name, parent = node.name, node.parent
    local frame = parent and rest:world(parent):inverse() * rest:world(name) or rest:world(name)
    put("of[%q] = rig:segment(%q, { parent = %s, rest = sinew.mat4(%s) })", name, name,
      parent and ("of[%q]"):format(parent) or "nil", numbers(frame))
  end
  for name, list in pairs(turning) do
    local to_own, parts = rest:world(name):inverse(), {}
    put("rig:joint_set(%q)", "plain_" .. name)
    for _, index in ipairs(list) do
      local case = cases[index]
      -- of a spine, a share each of what the last vertebra turns
      local turned, angle = turn_of(pose_of(case), #case[3] > 1 and "T1" or name):axis_angle()
      angle = angle / #case[3]
      local axis = to_own:direction(turned):unit()
      local centre = to_own:point(centre_of(name))
      local dof = ("plain_%s.case%d"):format(name, index)
      put("rig:find(%q):dof(%q, { min = 0, max = %.9g })", "plain_" .. name, "case" .. index, angle)
      parts[#parts + 1] = ("sinew.rotate(rig:find %q, {%.9g, %.9g, %.9g}, {%.9g, %.9g, %.9g})")
        :format(dof, axis.x, axis.y, axis.z, centre.x, centre.y, centre.z)
      local origin = rest:world(name):position()
      local there = sinew.mat4.turn(turned, angle, centre_of(name)):point(origin)
      if #case[3] == 1 then
        case.off = 1000 * (pose_of(case):world(name):position() - there):length()
      end
      case.plain = case.plain or {}
      table.insert(case.plain, ("%s=%.9g"):format(dof, angle))
    end
    put("of[%q]:drive(%s)", name, table.concat(parts, " * "))
  end
  put "return rig"
  assert(sinew.write_file(path, table.concat(lines, "\n") .. "\n"))
end

-- --- volumes

local function read_obj(path)
  local mesh = { vertices = {}, triangles = {} }
  for line in io.lines(path) do
    local x, y, z = line:match "^v (%S+) (%S+) (%S+)"
    if x then
      table.insert(mesh.vertices, { tonumber(x), tonumber(y), tonumber(z) })
    elseif line:find "^f" then
      local a, b, c = line:match "^f (%d+)%S* (%d+)%S* (%d+)"
      table.insert(mesh.triangles, { tonumber(a), tonumber(b), tonumber(c) })
    end
  end
  return mesh
end

local function volume(mesh)
  local sum = 0
  for _, t in ipairs(mesh.triangles) do
    local a, b, c = mesh.vertices[t[1]], mesh.vertices[t[2]], mesh.vertices[t[3]]
    sum = sum + a[1] * (b[2] * c[3] - b[3] * c[2]) + a[2] * (b[3] * c[1] - b[1] * c[3])
      + a[3] * (b[1] * c[2] - b[2] * c[1])
  end
  return sum / 6
end

-- what of the mesh lies within a ball, by lines along y every 4 mm
local function volume_within(mesh, centre, radius)
  local step, crossings, sum = 0.004, {}, 0
  local steps = math.floor(radius / step)
  for _, t in ipairs(mesh.triangles) do
    local a, b, c = mesh.vertices[t[1]], mesh.vertices[t[2]], mesh.vertices[t[3]]
    local area = (b[1] - a[1]) * (c[3] - a[3]) - (b[3] - a[3]) * (c[1] - a[1])
    local function first_and_last(k, at)
      local low = math.floor((math.min(a[k], b[k], c[k]) - at) / step)
      local high = math.ceil((math.max(a[k], b[k], c[k]) - at) / step)
      return math.max(-steps, low), math.min(steps, high)
    end
    local i_first, i_last = first_and_last(1, centre.x)
    local k_first, k_last = first_and_last(3, centre.z)
    for i = i_first, i_last do
      for k = k_first, k_last do
        -- a little off the grid, so that no line meets an edge
        local x, z = centre.x + i * step + 1.3e-6, centre.z + k * step + 0.7e-6
        local u = ((x - a[1]) * (c[3] - a[3]) - (z - a[3]) * (c[1] - a[1])) / area
        local v = ((b[1] - a[1]) * (z - a[3]) - (b[3] - a[3]) * (x - a[1])) / area
        if area ~= 0 and u >= 0 and v >= 0 and u + v <= 1 then
          local key = i * 10000 + k
          crossings[key] = crossings[key] or {}
          table.insert(crossings[key], a[2] + u * (b[2] - a[2]) + v * (c[2] - a[2]))
        end
      end
    end
  end
  for i = -steps, steps do
    for k = -steps, steps do
      local list, half = crossings[i * 10000 + k], radius ^ 2 - (i ^ 2 + k ^ 2) * step ^ 2
      if list and half > 0 then
        half = math.sqrt(half)
        table.sort(list)
        for n = 1, #list - 1, 2 do
          local low = math.max(list[n], centre.y - half)
          local high = math.min(list[n + 1], centre.y + half)
          sum = sum + math.max(0, high - low) * step ^ 2
        end
      end
    end
  end
  return sum
end

-- --- the comparison

os.execute(("mkdir -p '%s'"):format(folder))
local command = root .. "/build/bin/sinew"
local human, plain = root .. "/rigs/human.lua", folder .. "/plain.lua"
local body, bound, moved = folder .. "/body.obj", folder .. "/body.glb", folder .. "/moved.obj"
write_plain(plain)
run(command, "skin", human, "-o", body, "--distance", "0.03", "--cell", "0.0125")
run(command, "export", human, bound, "--skin", body)

local still = read_obj(body)
local whole = volume(still)

local function lost(path, dofs, linear)
  local words = { command, "skin", path, "--mesh", bound, "-o", moved }
  for _, dof in ipairs(dofs) do
    words[#words + 1] = "--to"
    words[#words + 1] = dof
  end
  if linear then words[#words + 1] = "--linear" end
  run(table.unpack(words))
  return (whole - volume(read_obj(moved))) * 1e6
end

local csv = { "motion,method,plain ml,plain %,sinew ml,sinew %,moved mm" }
local shown = { ("%-24s %-8s %16s %16s %8s"):format("volume lost", "method", "plain joints",
  "Sinew's joints", "moved") }
for _, case in ipairs(cases) do
  local dofs = {}
  for name, value in pairs(case[2]) do dofs[#dofs + 1] = ("%s=%g"):format(name, value) end
  table.sort(dofs)
  local around = volume_within(still, rest:world(case[4]):position(), 0.15) * 1e6
  for _, method in ipairs { "linear", "dual" } do
    local a = lost(plain, case.plain, method == "linear")
    local b = lost(human, dofs, method == "linear")
    csv[#csv + 1] = ("%s,%s,%.1f,%.2f,%.1f,%.2f,%s"):format((case[1]:gsub(",", "")), method, a,
      100 * a / around, b, 100 * b / around, case.off and ("%.1f"):format(case.off) or "")
    shown[#shown + 1] = ("%-24s %-8s %7.0f ml %5.1f%% %7.0f ml %5.1f%% %8s"):format(case[1],
      method, a, 100 * a / around, b, 100 * b / around,
      case.off and ("%.0f mm"):format(case.off) or "")
  end
  case.dofs = dofs
end
assert(sinew.write_file(folder .. "/bodies.csv", table.concat(csv, "\n") .. "\n"))
print(table.concat(shown, "\n"))

if pictures then
  local list = {}
  for index, case in ipairs(cases) do
    for side, path in ipairs { plain, human } do
      local out = ("%s/bodies_%d_%d.png"):format(folder, index, side)
      local words = { root .. "/build/bin/sinew-viewer", path, "--skin", bound, "--size", "360x420",
        "--camera", index == 4 and "-80,5" or index == 5 and "80,5" or "-20,10", "--render", out }
      for _, dof in ipairs(side == 1 and case.plain or case.dofs) do words[#words + 1] = dof end
      if index <= 3 then
        words[#words + 1], words[#words + 2] = "--focus", "humerus_r,sternum,ulna_r"
      elseif index == 4 then
        words[#words + 1], words[#words + 2] = "--focus", "femur_r,tibia_r"
      end
      -- the plain one has no bones, so that less is in the focus
      if side == 1 and index <= 3 then words[#words + 1], words[#words + 2] = "--zoom", "0.6" end
      run(table.unpack(words))
      list[#list + 1] = out
    end
  end
  -- plain above, ours below
  local sheet = { "montage", "-tile", "5x2", "-geometry", "+2+2" }
  for side = 1, 2 do
    for index = side, #list, 2 do sheet[#sheet + 1] = list[index] end
  end
  sheet[#sheet + 1] = folder .. "/bodies.png"
  if os.execute "command -v montage >/dev/null" then
    run(table.unpack(sheet))
    print(folder .. "/bodies.png")
  else
    print(("SKIPPED bodies.png, which needs ImageMagick: %s"):format(table.concat(list, " ")))
  end
end

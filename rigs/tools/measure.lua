-- Prints how the shoulder rigs do against measurements, after a build: `lua5.4
-- rigs/tools/measure.lua`. The output is kept in rigs/README.md.
local root = (arg[0]:match("^(.*)[/\\]") or ".") .. "/../.."
local build = rawget(_G, "jit") and "luajit" or "lua"
package.path = ("%s/rigs/?.lua;%s/lua/?.lua;%s"):format(root, root, package.path)
package.cpath = ("%s/build/%s/?.so;%s"):format(root, build, package.cpath)

local measure = require "parts.shoulder_measure"
local pins = require "data.shoulder_ludewig"

local titles = { upward = "scapula upward rotation", internal = "scapula internal rotation",
  tilt = "scapula posterior tilt", elevation = "clavicle elevation",
  retraction = "clavicle retraction", axial = "clavicle axial rotation",
  glenohumeral = "glenohumeral elevation" }

local function row(...) print("| " .. table.concat({ ... }, " | ") .. " |") end

local function list(numbers)
  local words = {}
  for i, number in ipairs(numbers) do words[i] = ("%.1f"):format(number) end
  return table.concat(words, " ")
end

local function open(name) return assert(loadfile(("%s/rigs/%s.lua"):format(root, name)))() end

local function print_angles(name)
  local planes, rms = measure.against_pins(open(name), "right")
  print(("%s.lua, arm at 30, 60, 90, 120 degrees: measured, then achieved\n"):format(name))
  row("", "abduction", "scaption", "flexion", "RMS")
  row("---", "---", "---", "---", "---")
  for _, angle in ipairs(measure.angles) do
    local cells = {}
    for i, plane in ipairs(planes) do
      cells[i] = list(pins.planes[i][angle]) .. "<br>" .. list(plane[angle])
    end
    row(titles[angle], cells[1], cells[2], cells[3], ("%.2f"):format(rms[angle]))
  end
  local ratios, arm_ratios = {}, {}
  for i, plane in ipairs(planes) do
    local pin = pins.planes[i]
    local upward = pin.upward[4] - pin.upward[1]
    ratios[i] = ("%.2f<br>%.2f"):format(pins.ratio[plane.name], plane.ratio)
    arm_ratios[i] = ("%.2f<br>%.2f"):format((90 - upward) / upward, plane.arm_ratio)
  end
  row("ratio, glenohumeral to upward", ratios[1], ratios[2], ratios[3], "")
  row("ratio, arm less upward to upward", arm_ratios[1], arm_ratios[2], arm_ratios[3], "")
  print()
end

local function print_joints(poses)
  print(("Worst over %d random poses of each side:\n"):format(poses))
  row("", "contact off the ellipsoid, mm", "poses without contact", "clavicle to scapula, mm",
    "scapula to humerus, mm", "arm turned by the clavicle, degrees")
  row("---", "---", "---", "---", "---", "---")
  for _, name in ipairs { "shoulder", "shoulder_paper", "shoulder_scripted" } do
    local numbers = require(name == "shoulder_paper" and "data.shoulder_paper" or "data.shoulder")
    local rig, worst = open(name), {}
    for _, side in ipairs { "right", "left" } do
      for key, value in pairs(measure.joints(rig, side, numbers, poses)) do
        worst[key] = key == "missed" and (worst[key] or 0) + value
          or math.max(worst[key] or 0, value)
      end
    end
    row(name, ("%.5f"):format(1000 * worst.contact), ("%d"):format(worst.missed),
      ("%.5f"):format(1000 * worst.clavicle), ("%.5f"):format(1000 * worst.humerus),
      ("%.5f"):format(worst.arm))
  end
end

print_angles "shoulder"
print_angles "shoulder_paper"
print_joints(5000)

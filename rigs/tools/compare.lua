-- Compares joint limits as section 4 of "A joint-constraint model for human joints using signed
-- distance-fields" does: an arm follows the hand of a motion by inverse kinematics, and how far its
-- elbow is from the motion's own tells how much the limits know of the joint.
--
--   lua5.4 rigs/tools/compare.lua [-o FOLDER] [CLIP.bvh | none]
--
-- writes compare.csv and compare.svg into FOLDER (build/compare) and prints the table. Without a
-- clip it takes 05_02.bvh of the Carnegie Mellon database from ../shared/data/cmu, and where that
-- is missing, or for `none`, a motion made up here. Limits are learnt from all of the motion, as in
-- the paper; the last columns learn from its odd seconds and follow its even ones.
local root = (arg[0]:match("^(.*)[/\\]") or ".") .. "/../.."
local build = rawget(_G, "jit") and "luajit" or "lua"
package.path = ("%s/rigs/tools/?.lua;%s/lua/?.lua;%s"):format(root, root, package.path)
package.cpath = ("%s/build/%s/?.so;%s"):format(root, build, package.cpath)

local folder, path = root .. "/build/compare", nil
do
  local i = 1
  while arg[i] do
    if arg[i] == "-o" then
      folder, i = arg[i + 1] or error("'-o' wants a folder", 0), i + 1
    elseif path then
      error(("one clip, not also '%s'"):format(arg[i]), 0)
    else
      path = arg[i]
    end
    i = i + 1
  end
end

local compare = require "compare_arm"
local plot = require "compare_plot"

local function exists(name)
  local file = io.open(name)
  if file then file:close() end
  return file ~= nil
end

local sinew = require "sinew"

local function save(name, text)
  local written, message = sinew.write_file(folder .. "/" .. name, text)
  if not written then error(message, 0) end
end

local function choose_motion()
  local usual = root .. "/../shared/data/cmu/05_02.bvh"
  if path == "none" then return compare.made_up(), "a made-up motion" end
  if not path and not exists(usual) then
    io.stderr:write(("SKIPPED %s, which is not there: a made-up motion instead\n"):format(usual))
    return compare.made_up(), "a made-up motion"
  end
  local motion, message = compare.from_clip(path or usual, 4)
  if not motion then error(message, 0) end
  return motion, (path or usual):match("[^/\\]*$")
end

local function sums(values)
  local sum, squares, most = 0, 0, 0
  for _, value in ipairs(values) do
    sum, squares, most = sum + value, squares + value * value, math.max(most, value)
  end
  return sum / #values, math.sqrt(squares / #values), most
end

local function halves(motion)
  local odd, even = {}, {}
  for i, frame in ipairs(motion.frames) do
    local half = math.floor((i - 1) / motion.rate) % 2 == 0 and odd or even
    half[#half + 1] = frame
  end
  return odd, #even > 0 and even or odd
end

local function learn(kind, frames)
  return compare.learn(kind, frames, folder .. "/sculpted.obj")
end

local motion, name = choose_motion()
local odd, even = halves(motion)
os.execute(('mkdir -p "%s"'):format(folder))
local csv = { "limits,elbow mean cm,elbow rms cm,elbow max cm,hand max mm,evaluations a frame,"
  .. "held out: elbow rms cm,hand max mm" }
local curves = {}
print(("%s: %d frames at %g a second\n"):format(name, #motion.frames, motion.rate))
print("| limits | elbow mean, cm | RMS | max | hand max, mm | evaluations | held out: RMS, cm | "
  .. "hand max, mm |")
print("| --- | --- | --- | --- | --- | --- | --- | --- |")
for _, kind in ipairs(compare.kinds) do
  local apart = compare.follow(motion, learn(kind, odd), even)
  local seen = compare.follow(motion, learn(kind, motion.frames), motion.frames)
  local mean, rms, most = sums(seen.elbow)
  local _, _, hand = sums(seen.hand)
  local _, apart_rms = sums(apart.elbow)
  local _, _, apart_hand = sums(apart.hand)
  print(("| %s | %.2f | %.2f | %.2f | %.2f | %.1f | %.2f | %.1f |"):format(kind, 100 * mean,
    100 * rms, 100 * most, 1000 * hand, seen.evaluations, 100 * apart_rms, 1000 * apart_hand))
  csv[#csv + 1] = ("%q,%.4f,%.4f,%.4f,%.4f,%.2f,%.4f,%.4f"):format(kind, 100 * mean, 100 * rms,
    100 * most, 1000 * hand, seen.evaluations, 100 * apart_rms, 1000 * apart_hand)
  local values = {}
  for i, value in ipairs(seen.elbow) do values[i] = 100 * value end
  curves[#curves + 1] = { name = kind, values = values }
end
save("compare.csv", table.concat(csv, "\n") .. "\n")
save("compare.svg", plot("Elbow against the motion's own, " .. name, curves, motion.rate, "cm"))
print(("\n%s/compare.csv and compare.svg"):format(folder))

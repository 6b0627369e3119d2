-- expect: done
local sinew = require "sinew"
local rig = sinew.rig "r"
local bone = rig:segment("bone", { at = {0, 1, 0} })
local set = rig:joint_set "j"
local dof = set:dof("d", { min = -90, max = 90 })
-- nothing of these may crash; the last one raises
local all = { rig, bone, set, dof, rig:pose(), sinew.linear { { 0, 0 }, { 1, 1 } } }
for _, a in ipairs(all) do
  for _, b in ipairs(all) do
    pcall(function() return a + b end)
    pcall(function() return a .. b end)
    pcall(function() return a < b end)
    pcall(function() return a == b end)
    pcall(function() return a(b) end)
    pcall(function() a[b] = b end)
    pcall(function() return #a, -a end)
    tostring(a)
  end
end
for _, a in ipairs(all) do
  for _, name in ipairs { "segment", "dof", "pose", "crowd", "eval", "worlds", "drive", "close", "note" } do
    for _, b in ipairs(all) do pcall(function() return a[name](b, b, b) end) end
  end
end
error "done"

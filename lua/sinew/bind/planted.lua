-- The work of `sinew plant`: planted(xml of the rig, xml of the clip's rig or nil, clip, file to
-- write). Returns whether it worked; prints how far feet slid.
local sinew = require "sinew"

return function(xml, from_xml, path, out)
  local rig, problem = sinew.parse_xml(xml)
  local from
  if rig and from_xml then from, problem = sinew.parse_xml(from_xml) end
  if problem then return nil, problem end
  local clip
  clip, problem = sinew.load_clip(path)
  if not clip then return nil, problem end
  local dofs, known = {}, 0
  for _, dof in ipairs(rig.dofs) do dofs[dof.name] = true end
  for _, name in ipairs(clip.channels) do known = known + (dofs[name] and 1 or 0) end
  if known == 0 then
    return nil, ("%s: has no channel for a DOF of rig '%s'"):format(path, rig.name)
  end
  local ok, planted, report = pcall(require "sinew.plant", rig, clip, { from = from })
  if not ok then return nil, (tostring(planted):gsub("^.-: sinew%.plant", "sinew.plant")) end
  ok, problem = planted:save(out)
  if not ok then return nil, problem end
  local frames = math.floor(planted.duration * planted.fps + 1.5)
  print(("%s: %d frames; feet stand %d times, and slide by %.1f mm at most, %.1f before"):format(
    out, frames, report.stands, 1000 * report.slide[2], 1000 * report.slide[1]))
  return true
end

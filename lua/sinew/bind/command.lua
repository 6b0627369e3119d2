-- The work of `sinew bind`: command(rig as XML, character, map or nil, script to write, XML to
-- write). The second XML is the rig with the character's proportions. Returns whether it worked;
-- prints the rest.
local sinew = require "sinew"

-- the joints of a map or of a bound script, which may do nothing but return or pass on a table
local function read_map(path)
  local taken
  local chunk, problem = loadfile(path, "t", { require = function()
    return function(binding)
      taken = binding
      return binding
    end
  end })
  if not chunk then return nil, problem end
  if setfenv then setfenv(chunk, {}) end
  local ok, result = pcall(chunk)
  if not ok then return nil, tostring(result) end
  result = taken or result
  local joints = type(result) == "table" and (result.joints or result)
  if type(joints) ~= "table" then return nil, path .. ": a map returns a table of joints" end
  return joints
end

local function run(given, path, map_path, out, xml)
  local map, problem, blank, rig, result
  if map_path then
    map, problem = read_map(map_path)
    if not map then return nil, problem end
  end
  rig, problem = sinew.load_xml(given)
  if not rig then return nil, problem end
  result, problem, blank = sinew.bind(rig, path, { map = map, xml = xml:match "[^/\\]*$" })
  if not result then
    if not blank then return nil, problem end
    local name = out:gsub("%.lua$", "") .. ".map.lua"
    local ok, why = sinew.write_file(name, blank)
    if not ok then return nil, why end
    return nil, ("%s: %s\n%s is a map to fill in; give it with --map"):format(path, problem, name)
  end
  local ok
  ok, problem = rig:save_xml(xml)
  if not ok then return nil, problem end
  local folder = out:match "^(.*[/\\])" or ""
  local own = path:match "^(.*[/\\])" or ""
  ok, problem = sinew.write_file(out, result.script)
  if not ok then return nil, problem end
  print(("%s: %d joints, %d follow the rig; scale %.4g, joint centres within %.4f mm"):format(out,
    result.tree.size, result.driven, result.scale, 1000 * result.residual))
  for _, line in ipairs(result.joints) do print(line) end
  for _, note in ipairs(result.notes) do print("note: " .. note) end
  if folder ~= own then
    print(("note: %s opens %s in its own folder: copy %s there"):format(out, result.file,
      path:match "%.gltf$" and path .. " and the files that it names" or path))
  end
  return true
end

return run

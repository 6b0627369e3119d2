-- The map for `sinew fit` that nobody wrote: motion(segments of the rig, file, map to write).
local sinew = require "sinew"
local body = require "sinew.bind.body"
local match = require "sinew.bind.match".match
local trees = require "sinew.bind.tree"
local vec = trees.vec

-- slot without its side: segment and weight
local points = { upperarm = { "humerus", 1 }, forearm = { "ulna", 1 }, hand = { "carpus", 1 },
  thigh = { "femur", 1 }, shin = { "tibia", 1 }, foot = { "talus", 1 }, toe = { "proximal_toe2",
    .5 },
  index = { "proximal_index", .2 }, little = { "proximal_little", .2 },
  thumb = { "metacarpal_thumb", .1 } }
local links = { { "upperarm", "forearm" }, { "forearm", "hand" }, { "thigh", "shin" }, { "shin",
  "foot" } }

return function(segments, path, out)
  local has, tree = {}
  for name in segments:gmatch "[^\n]+" do has[name] = true end
  local missing = body.missing(has)
  if missing then
    return nil, ("the rig has no segment '%s', which a body needs; give a map "
      .. "(--map)"):format(missing)
  end
  local is_bvh = path:lower():find "%.bvh$"
  if is_bvh then
    local nodes, problem = sinew.nodes(path)
    if not nodes then return nil, problem end
    tree = trees.of_motion(nodes)
  else
    local character, problem = sinew.character(path)
    if not character then return nil, problem end
    tree = trees.of_character(character)
  end
  local matched, problem = match(tree)
  if not matched then return nil, ("%s: %s; give a map (--map)"):format(path, problem) end
  local up = matched.up[2] > .9 and "y" or matched.up[3] > .9 and "z"
  if not up then return nil, path .. ": up is neither y nor z; give a map (--map)" end
  local found, lines = matched.slots, {}
  local function put(i, segment, weight)
    if i and has[segment] then
      lines[#lines + 1] = ("    [%q] = { segment = %q, weight = %g }, -- "
        .. "%.2f"):format(tree.names[i],
        segment, weight, matched.confidence[i] or 0)
    end
  end
  -- what no point tells stays at rest, or it would turn at random
  local still = { "left_hand", "right_hand", "left_foot", "right_foot", "jaw", "head", "cervical" }
  for _, side in ipairs { "L", "R" } do
    if not (found["index" .. side] or found["little" .. side] or found["thumb" .. side]) then
      still[#still + 1] = body.side[side] .. "_wrist"
    end
  end
  put(found.hips, "pelvis", .2)
  put(found.necks[1], "C7", .05) -- often lower than ours, as that of CMU
  put(found.head, "skull", .1)
  local joined = {}
  for _, side in ipairs { "L", "R" } do
    for _, slot in ipairs { "upperarm", "forearm", "hand", "thigh", "shin", "foot", "toe", "index",
      "little", "thumb" } do
      put(found[slot .. side], points[slot][1] .. body.suffix[side], points[slot][2])
    end
    for _, link in ipairs(links) do
      local a, b = found[link[1] .. side], found[link[2] .. side]
      if vec.distance(tree.at[a], tree.at[b]) > 0 then
        joined[#joined + 1] = ("    { %q, %q },"):format(tree.names[a], tree.names[b])
      end
    end
  end
  -- a BVH has no unit: legs of a usual length
  local unit = ""
  if is_bvh then
    local leg = vec.distance(tree.at[found.thighL], tree.at[found.shinL])
      + vec.distance(tree.at[found.shinL], tree.at[found.footL])
    unit = ("  unit = %.6g, -- a guess: legs of 0.82 m\n"):format(.82 / leg)
  end
  local text = ("-- The joints of %s on the rig, matched by `sinew fit`.\nreturn {\n%s  up = %q,\n"
    .. "  still = { \"%s\" },\n  points = {\n%s\n  },\n  links "
      .. "= {\n"
    .. "%s\n  },\n}\n"):format(path:match "[^/\\]*$", unit, up,
    table.concat(still, "\", \""), table.concat(lines, "\n"),
    table.concat(joined, "\n"))
  return sinew.write_file(out, text)
end

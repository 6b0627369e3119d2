-- What `sinew bind` prints and writes: every joint with its match, and a rig script with the map.
local report = {}

-- each joint's name in the map: its own, or its number where that is not unique
function report.keys(character)
  local nodes, count, keys = character.nodes, {}, {}
  for _, node in ipairs(nodes) do count[node.name] = (count[node.name] or 0) + 1 end
  for i, node in ipairs(nodes) do
    keys[i] = (node.name == "" or count[node.name] > 1) and ("#%d"):format(i - 1) or node.name
  end
  return keys
end

local function words_of(drive, keys, tree)
  if drive.twist then
    return ("%.0f %% of the roll of %s"):format(drive.share * 100, keys[tree.node[drive.twist]])
  end
  local text = drive.segment
  if drive.toward then text = ("%s, %.0f %% of %s"):format(text, drive.share * 100,
    drive.toward) end
  if drive.near then text = ("%s, placed between it and %s"):format(text, drive.near) end
  if drive.at then text = ("%s, placed by %s"):format(text, drive.at) end
  return text
end

-- a line for each joint of the tree, in its order
function report.joints(tree, matched, drives, keys)
  local slot_of, lines = {}, {}
  local found = matched.slots or {}
  for slot, i in pairs(found) do
    if type(i) == "number" then slot_of[i] = slot end
  end
  for _, i in ipairs(found.spine or {}) do slot_of[i] = "spine" end
  for _, i in ipairs(found.necks or {}) do slot_of[i] = "neck" end
  for key, chain in pairs(found.chains or {}) do
    for k, i in ipairs(chain) do slot_of[i] = ("%s %d %s"):format(key:sub(1, -2), k,
      key:sub(-1)) end
  end
  for i in pairs(found.twists or {}) do slot_of[i] = slot_of[i] or "twist" end
  for i = 1, tree.size do
    local drive = drives and drives[i]
    local confidence = matched.confidence and matched.confidence[i]
    local slot = slot_of[i] and slot_of[i]:gsub("^(%l+)([LR])$", "%1 %2") or "-"
    if not drive then
      local above = tree.parent[i]
      lines[#lines + 1] = ("  %-28s %-12s %-5s %s"):format(keys[tree.node[i]], slot,
        confidence and ("%.2f"):format(confidence) or "",
        above and "keeps its place on " .. keys[tree.node[above]] or "stays where it is")
    else
      lines[#lines + 1] = ("  %-28s %-12s %-5s %s%s"):format(keys[tree.node[i]], slot,
        confidence and ("%.2f"):format(confidence) or "", words_of(drive, keys, tree),
        matched.from and matched.from[i] and " (" .. matched.from[i] .. ")" or "")
    end
  end
  return lines
end

local function quoted(name)
  if name:find "^[%a_][%w_]*$"
    and not (" and break do else elseif end false for function goto if in "
    .. "local nil not or repeat return then true until while "):find(" " .. name .. " ", 1,
      true) then
    return name
  end
  return ("[%q]"):format(name)
end

local function number(value) return (("%.9g"):format(value):gsub(",", ".")) end

local function drive_text(drive, keys, tree)
  if not drive then return "false" end
  if not (drive.at or drive.near or drive.toward or drive.aim or drive.twist)
    then return ("%q"):format(drive.segment) end
  local parts = {}
  if drive.segment then parts[1] = ("%q"):format(drive.segment) end
  for _, field in ipairs { "at", "near", "toward", "share", "twist", "aim" } do
    local value = drive[field]
    if field == "aim" or field == "twist" then value = value and keys[tree.node[value]] end
    if value then
      parts[#parts + 1] = ("%s = %s"):format(field,
        type(value) == "number" and number(value) or ("%q"):format(value))
    end
  end
  return "{ " .. table.concat(parts, ", ") .. " }"
end

-- the lines of a map: one for each joint, with what it was taken for
local function map_lines(tree, matched, drives, keys)
  local lines = {}
  for i = 1, tree.size do
    local from = matched and matched.from and matched.from[i]
    local note = from and ("%s, %.2f"):format(from, matched.confidence[i])
      or (tree.own[i] and "" or "nothing follows it")
    lines[#lines + 1] = ("    %s = %s,%s"):format(quoted(keys[tree.node[i]]),
      drive_text(drives and drives[i], keys, tree), note ~= "" and " -- " .. note or "")
  end
  return lines
end

-- the script of a bound character
function report.script(b)
  local pose, names = {}, {}
  for name in pairs(b.values) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    pose[#pose + 1] = ("    [%q] = %s,"):format(name, number(b.values[name]))
  end
  local place = {}
  for i, value in ipairs(b.place) do place[i] = number(value) end
  return table.concat({
    ("-- %s on the rig '%s': written by `sinew bind`."):format(b.file, b.rig_name),
    "--",
    "-- joints says which segment each joint follows; false: it keeps its place on its parent. "
      .. "After a",
    "-- change for a joint of the body, run `sinew bind RIG FILE --map THIS -o THIS`, which "
      .. "also fits the",
    "-- proportions again.",
    "local rig = require \"sinew.bound\" {",
    ("  rig = %q,"):format(b.xml),
    ("  file = %q,"):format(b.file),
    "  joints = {",
    table.concat(map_lines(b.tree, b.matched, b.drives, b.keys), "\n"),
    "  },",
    "  pose = {",
    table.concat(pose, "\n"),
    "  },",
    ("  place = { %s },"):format(table.concat(place, ", ")),
    "}",
    "return rig",
    "" }, "\n")
end

-- a map to fill in, for what could not be matched
function report.blank(tree, partial, keys, segments, guesses)
  return table.concat({
    "-- Which segment of the rig each joint follows; false: it keeps its place on its parent. "
      .. "Fill it in",
    "-- and give it to `sinew bind` with --map. Segments of the rig:",
    "-- " .. table.concat(segments, " "):gsub("(" .. ("."):rep(80) .. "%S*) ", "%1\n-- "),
    "return {",
    "  joints = {",
    table.concat(map_lines(tree, partial, guesses, keys), "\n"),
    "  },",
    "}",
    "" }, "\n")
end

return report

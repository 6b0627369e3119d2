-- A binding as JSON, for the engine (sinew/character.h).
local function quoted(text)
  return '"' .. text:gsub('[%c"\\]', function(c) return ("\\u%04x"):format(c:byte()) end) .. '"'
end

local function number(value) return (("%.9g"):format(value):gsub(",", ".")) end

local function sorted(map)
  local keys = {}
  for key in pairs(map) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

local function members(map, one)
  local list = {}
  for _, key in ipairs(sorted(map)) do list[#list + 1] = quoted(key) .. ":" .. one(map[key]) end
  return "{" .. table.concat(list, ",") .. "}"
end

local fields = { segment = quoted, at = quoted, near = quoted, toward = quoted, aim = quoted,
  twist = quoted,
  share = number }

local function joint(drive)
  if type(drive) == "string" then drive = { drive } end
  local whole = { segment = drive[1] or drive.segment }
  for field in pairs(fields) do whole[field] = whole[field] or drive[field] end
  return members(whole, function(value)
    return type(value) == "number" and number(value) or quoted(value)
  end)
end

return function(binding)
  local place = {}
  for i = 1, 16 do place[i] = number(binding.place[i]) end
  return ('{"file":%s,"place":[%s],\n"pose":%s,\n"joints":%s}'):format(quoted(binding.file),
    table.concat(place, ","), members(binding.pose or {}, number), members(binding.joints, joint))
end

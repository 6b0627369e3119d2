-- Texts that both the page and the definitions use.
local sinew = require "sinew"

local words = {}

local function text_of(value)
  if type(value) == "number" then return ("%.9g"):format(value) end
  if sinew.type(value) == "vec3" then
    return ("{%.9g, %.9g, %.9g}"):format(value.x, value.y, value.z)
  end
  return type(value) == "string" and ("'%s'"):format(value) or tostring(value)
end

-- unit, range, default and the rest, appended to a description
function words.details(item)
  local list = {}
  if item.unit then list[#list + 1] = item.unit end
  if item.min then list[#list + 1] = ("%s to %s"):format(text_of(item.min), text_of(item.max)) end
  if item.required then list[#list + 1] = "required" end
  if item.list then list[#list + 1] = "any number of them, in order" end
  if item.default ~= nil then list[#list + 1] = "default " .. text_of(item.default) end
  return #list > 0 and " (" .. table.concat(list, ", ") .. ")" or ""
end

-- the name of a row of options: a field, or [1] for a position
function words.option_name(field)
  return type(field[1]) == "number" and ("[%d]"):format(field[1]) or field[1]
end

-- lines as one text
function words.joined(lines)
  for i, line in ipairs(lines) do lines[i] = line:gsub("%s+$", "") end
  return table.concat(lines, "\n") .. "\n"
end

return words

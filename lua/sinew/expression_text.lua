-- What a scalar expression (sinew/expression.lua) says: "65 - 55*fold". With other names for its
-- atoms it is the text of a formula, or the key by which equal expressions are found.
local sinew = require "sinew"

local text = {}

-- at most nine digits, more than a float holds; independent of the locale
local function number_text(n)
  for digits = 6, 9 do
    local words = ("%." .. digits .. "g"):format(n):gsub(",", ".")
    local back = tonumber(words)
    if digits == 9 or back and math.abs(back - n) <= 1e-10 * math.abs(n) then return words end
  end
end

function text.source_name(source)
  if sinew.type(source) == "DOF" then return source.name end
  local component = source.component
  if #component.outputs == 1 then return component.name end
  return component.name .. "." .. source.name
end

local scalar_text

-- in parentheses where it is a sum, or starts with a minus
local function factor_text(e, name)
  local words = scalar_text(e, name)
  local first = e.terms[1]
  local plain = #e.terms == 1 and e.constant == 0 and first.weight == 1
    and first.atom.type ~= "product" and first.atom.type ~= "quotient"
  if plain or #e.terms == 0 and e.constant >= 0 then return words end
  return "(" .. words .. ")"
end

local function atom_text(a, name)
  local own = name(a)
  if own then return own end
  if a.type == "product" then return factor_text(a[1], name) .. "*" .. factor_text(a[2], name) end
  if a.type == "quotient" then return factor_text(a[1], name) .. "/" .. factor_text(a[2], name) end
  local parts = {}
  for i, e in ipairs(a) do parts[i] = scalar_text(e, name) end
  return ("%s(%s)"):format(a.type, table.concat(parts, ", "))
end

-- `name` gives the name of an atom, or nil for one that is written out
function scalar_text(e, name)
  local out = ""
  if e.constant ~= 0 or #e.terms == 0 then out = number_text(e.constant) end
  for _, t in ipairs(e.terms) do
    local w, words = t.weight, atom_text(t.atom, name)
    local size = math.abs(w)
    if size ~= 1 then words = number_text(size) .. "*" .. words end
    if out == "" then
      out = (w < 0 and "-" or "") .. words
    else
      out = out .. (w < 0 and " - " or " + ") .. words
    end
  end
  return out
end
text.of_scalar = scalar_text
text.of_atom = atom_text

return text

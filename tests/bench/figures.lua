-- Reads the CSV files of the benchmarks (name, value, unit, at_most) and checks them: an impossible
-- figure raises an error that is ready to print.
local figures = {}

local header = "name,value,unit,at_most"

local function refuse(format, ...) error(format:format(...), 0) end

local function number(text)
  local value = tonumber(text)
  return value and value == value and math.abs(value) < math.huge and value or nil
end

local function read_row(path, line_number, line)
  local function wrong(format, ...)
    refuse("%s:%d: %s", path, line_number, format:format(...))
  end
  local name, value, unit, at_most = line:match '^"([^"]+)",([^,]*),([^,]*),([^,]*)$'
  if not name then wrong("not a row of four: %s", line) end
  local row = { name = name, value = number(value), unit = unit, at_most = number(at_most) }
  if not row.value then wrong("'%s' is no number: '%s'", name, value) end
  if unit == "" then wrong("'%s' has no unit", name) end
  if at_most ~= "" and not (row.at_most and row.at_most > 0) then
    wrong("'%s' cannot be at most '%s'", name, at_most)
  end
  return row
end

-- All rows of these files, by name. Of several runs it takes the smallest time and the largest
-- ratio.
function figures.read(paths)
  local found = {}
  for _, path in ipairs(paths) do
    local file, message = io.open(path)
    if not file then error(message, 0) end
    local line_number = 0
    for line in file:lines() do
      line_number = line_number + 1
      if line_number == 1 and line ~= header then
        refuse("%s: not a benchmark's table, which begins with %s", path, header)
      elseif line_number > 1 then
        local row = read_row(path, line_number, line)
        local old = found[row.name]
        if old and (old.at_most ~= row.at_most or old.unit ~= row.unit) then
          refuse("%s:%d: '%s' has another bound or unit elsewhere", path, line_number, row.name)
        end
        if not old or (row.value > old.value) == (row.unit == "ratio") then
          found[row.name] = row
        end
      end
    end
    file:close()
    if line_number == 0 then refuse("%s is empty", path) end
  end
  return found
end

function figures.over(row) return row.at_most ~= nil and row.value > row.at_most end

function figures.show(value)
  local size = math.abs(value)
  return ((size < 0.1 and "%.3f" or size < 10 and "%.2f" or "%.1f"):format(value))
end

return figures

-- The checks that tests use. Each raises at the line of the test that called it.
local check = {}

local function text(value)
  return type(value) == "string" and ("%q"):format(value) or tostring(value)
end

function check.that(condition, what)
  if not condition then error(what or "this should hold", 2) end
end

function check.equal(got, expected)
  if got ~= expected then
    error(("expected %s, got %s"):format(text(expected), text(got)), 2)
  end
end

-- an object with the fields of a table; a nested table is compared in the same way, everything else
-- must be equal. Other fields may be anything.
function check.has(got, expected, path)
  for key, value in pairs(expected) do
    local place = path and path .. "." .. tostring(key) or tostring(key)
    local plain = type(value) == "table" and type(got[key]) ~= "nil" and not getmetatable(value)
    if plain then
      check.has(got[key], value, place)
    elseif got[key] ~= value then
      error(("'%s': expected %s, got %s"):format(place, text(value), text(got[key])), 2)
    end
  end
end

-- an operation that returns the object it wrote to, which then has exactly these numbers
function check.writes(dest, got, expected)
  if not rawequal(got, dest) then error("expected the same object back", 2) end
  for i = 1, #expected do
    if got[i] ~= expected[i] then
      error(("[%d]: expected %.9g, got %s"):format(i, expected[i], text(got)), 2)
    end
  end
end

-- numbers that differ by at most `tolerance` (1e-6 times the expected size, or 1e-6)
function check.near(got, expected, tolerance)
  tolerance = tolerance or 1e-6 * math.max(1, math.abs(expected))
  if not (type(got) == "number" and math.abs(got - expected) <= tolerance) then
    error(("expected %.9g to %.1g, got %s"):format(expected, tolerance, text(got)), 2)
  end
end

-- anything that can be indexed, number by number
function check.near_all(got, expected, tolerance)
  for i = 1, #expected do
    local bound = tolerance or 1e-6 * math.max(1, math.abs(expected[i]))
    local difference = math.abs(got[i] - expected[i])
    if difference ~= difference or difference > bound then
      error(("[%d]: expected %.9g to %.1g, got %s"):format(i, expected[i], bound, text(got)), 2)
    end
  end
end

local function contains(message, part, level)
  for _, piece in ipairs(type(part) == "table" and part or { part }) do
    if not tostring(message):find(piece, 1, true) then
      error(("expected an error with %s, got %s"):format(text(piece), text(message)), level + 1)
    end
  end
end

-- a call that fails with a message that contains `part`, or every text of a list; returns the
-- message
function check.fails(part, call, ...)
  local ok, message = pcall(call, ...)
  if ok then error(("expected an error with %s, got none"):format(text(part)), 2) end
  contains(message, part, 2)
  return message
end

-- a call that returns nil and a message that contains `part`
function check.returns_error(part, call, ...)
  local got, message = call(...)
  if got ~= nil then error(("expected nil and %s, got %s"):format(text(part), text(got)), 2) end
  contains(message, part, 2)
end

-- the bytes of a file
function check.read(path)
  local file = assert(io.open(path, "rb"))
  local bytes = file:read "*a"
  file:close()
  return bytes
end

-- a file with this text, or an unused file name, while `call` runs
function check.with_file(contents, call)
  local path = os.tmpname()
  local file = assert(io.open(path, "wb"))
  file:write(contents or "")
  file:close()
  local ok, problem = pcall(call, path)
  os.remove(path)
  if not ok then error(problem, 0) end
end

-- the engine's blocks and bytes after two collections: the second frees what the first finalized
function check.live_blocks()
  collectgarbage()
  collectgarbage()
  return (require "sinew".live_blocks())
end

-- bytes of garbage that `call` makes in `times` runs, with the collector stopped
function check.garbage(times, call)
  for i = 1, 100 do call(i) end
  collectgarbage()
  collectgarbage "stop"
  local before = collectgarbage "count"
  for i = 1, times do call(i) end
  local after = collectgarbage "count"
  collectgarbage "restart"
  return (after - before) * 1024
end

-- less than a byte per call: the smallest object has sixteen, and LuaJIT adds a trace or two
function check.no_garbage(call)
  local times = 10000
  local bytes = check.garbage(times, call)
  if bytes >= times then error(("%d bytes of garbage in %d calls"):format(bytes, times), 2) end
end

-- cases that differ in the engine's work and not in what Lua does: the quick tests of LuaJIT take
-- the first alone, since those of Lua 5.4 take all
function check.cases(list)
  if jit and os.getenv "SINEW_TEST_QUICK" then return { list[1] } end
  return list
end

-- numbers in [low, high), the same in every run and on every Lua
function check.random(seed)
  local state = seed or 1
  return function(low, high)
    state = state * 16807 % 2147483647
    return (low or 0) + state / 2147483647 * ((high or 1) - (low or 0))
  end
end

return check

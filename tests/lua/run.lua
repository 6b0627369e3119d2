-- Runs every tests/lua/test_*.lua, on Lua 5.4 and LuaJIT alike: `lua run.lua [part of a name]`.
-- A test file gets the checks and a table, to which it adds functions named by what they expect.
-- The last line says "N passed, N failed"; the exit code is 1 when one failed.
local folder = arg[0]:match("^(.*)[/\\]") or "."
package.path = folder .. "/?.lua;" .. package.path

local check = require "check"

local function test_files()
  local names = {}
  local windows = package.config:sub(1, 1) == "\\"
  local listing = assert(io.popen(windows and ('dir /b "%s"'):format(folder:gsub("/", "\\"))
    or ('ls "%s"'):format(folder)))
  for line in listing:lines() do
    local name = line:gsub("\r", "")
    if name:match("^test_.*%.lua$") then names[#names + 1] = name end
  end
  listing:close()
  table.sort(names)
  return names
end

local function sorted_names(tests)
  local names = {}
  for name in pairs(tests) do names[#names + 1] = name end
  table.sort(names)
  return names
end

local wanted = arg[1] or ""
local passed, failed = 0, 0

local function traceback(problem) return debug.traceback(tostring(problem), 2) end

local function run(name, test)
  if not name:find(wanted, 1, true) then return end
  local ok, message = xpcall(test, traceback)
  if ok then
    passed = passed + 1
  else
    failed = failed + 1
    print(("FAILED  %s\n%s"):format(name, message))
  end
end

for _, file in ipairs(test_files()) do
  local short = file:match("^test_(.*)%.lua$")
  local tests = {}
  local chunk, problem = loadfile(folder .. "/" .. file)
  local loaded = chunk ~= nil
  if chunk then loaded, problem = pcall(chunk, check, tests) end
  if loaded and not next(tests) then loaded, problem = false, "it adds no test" end
  if loaded then
    for _, name in ipairs(sorted_names(tests)) do run(short .. "_" .. name, tests[name]) end
  else
    failed = failed + 1
    print(("FAILED  %s could not be loaded\n%s"):format(file, tostring(problem)))
  end
end

if passed + failed == 0 then print(("no test has '%s' in its name"):format(wanted)) end
print(("%d passed, %d failed"):format(passed, failed))
os.exit(failed == 0 and passed > 0 and 0 or 1)

-- Checks that files are written in one place: sinew_file_write of engine/src/base/file.c, with
-- sinew.write_file for Lua, which leave the old file or the whole new one. Lists every other call
-- that could write, rename or make a file in what is built, installed or run.
--
-- Usage: lua tests/writers.lua [ROOT]
local root = arg[1] or "."

-- what may call them: the path and why
local allowed = {
  ["engine/src/base/platform.c"] = "the writer itself",
  ["lua/host/isolate/isolate_process.c"] = "the size of shared memory, which is no file",
  ["viewer/state/documents.c"] = "locks of recovery files, and moving one that cannot be read",
}

-- what the arguments of fopen and of open have when they write
local function opens(text) return text:find '"[rb]*[wa+]' end
local function flags(text)
  return text:find "O_WRONLY" or text:find "O_RDWR" or text:find "O_CREAT" or text:find "O_APPEND"
end
local c, raylib = {}, {}
for _, name in ipairs { "fopen", "freopen", "fdopen" } do c[name] = opens end
for _, name in ipairs { "open", "openat" } do c[name] = flags end
for name in ("creat mkstemp mkostemp tmpfile tmpnam mkdtemp rename renameat link symlink truncate "
  .. "ftruncate popen system sendfile"):gmatch "%S+" do
  c[name] = true
end
for name in ("SaveFileData SaveFileText SaveFile ExportImage ExportImageAsCode ExportMesh "
  .. "ExportMeshAsCode ExportWave ExportWaveAsCode ExportFontAsCode ExportDataAsCode "
  .. "ExportAutomationEventList TakeScreenshot FileRename FileCopy FileMove"):gmatch "%S+" do
  raylib[name] = true
end
local lua = { ["io.open"] = opens, ["io.output"] = true, ["os.rename"] = true,
  ["io.popen"] = opens }

local faults, read, calls = 0, 0, 0

local function judge(path, number, name, text)
  if text:find('"/dev/null"', 1, true) then return end
  if allowed[path] then
    calls = calls + 1
    return
  end
  faults = faults + 1
  print(("%s:%d: writes past sinew_file_write: %s%s"):format(path, number, name, text))
end

-- the arguments of a call may go on in the next line
local function look(path, tables, pattern)
  local lines = {}
  for line in io.lines(root .. "/" .. path) do lines[#lines + 1] = line end
  read = read + 1
  for number, line in ipairs(lines) do
    local code = line:gsub("^%s*%*.*", ""):gsub("^%s*/%*.*", ""):gsub("^%s*%-%-.*", "")
    for name, from in code:gmatch(pattern) do
      local text = (code .. (lines[number + 1] or "")):sub(from):match "^%s*%b()"
        or code:sub(from)
      for _, list in ipairs(tables) do
        local wanted = list[name]
        if wanted == true or wanted and wanted(text) then judge(path, number, name, text) end
      end
    end
  end
end

local function each(folders, ending, tables, pattern)
  local pipe = assert(io.popen(("cd '%s' && find %s -name '*.%s' | sort"):format(root, folders,
    ending)))
  for path in pipe:lines() do look(path, tables, pattern) end
  pipe:close()
end

each("engine lua viewer", "[ch]", { c, raylib }, "([%a_][%w_]*)()%s*%(")
each("lua rigs", "lua", { lua }, "(%a+%.%a+)()%s*%(")

print(("%d files read, %d calls in the writer, %d elsewhere"):format(read, calls, faults))
os.exit(faults == 0 and read > 100 and calls > 0)

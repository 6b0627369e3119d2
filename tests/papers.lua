-- Checks PAPERS.md: every function, test, file and command that it names is there.
--
--   lua5.4 tests/papers.lua [ROOT]             tells each stale row and counts them
--   lua5.4 tests/papers.lua [ROOT] --commands  prints the commands, one in a line
--
-- A link [`name`](path) names what the file defines, a link [text](path) the file alone. In a row
-- of a paper's table every cell is filled, and code and test are links or say why there are none.
local root, list = ".", false
for _, option in ipairs(arg) do
  if option == "--commands" then list = true else root = option end
end

local texts = {}
local function read(path)
  if texts[path] == nil then
    local file = io.open(root .. "/" .. path, "rb")
    texts[path] = file and file:read "a" or false -- a folder can be opened, but not read
    if file then file:close() end
  end
  return texts[path]
end

local function plain(text) return (text:gsub("%p", "%%%0")) end

-- a line that starts with a type or the name itself, and a body after the parameters; OF(name) in a
-- kernel
local function defines_in_c(text, name)
  text = "\n" .. text
  return text:find("\n[%a_][^\n]-%f[%w_]" .. name .. "%b()%s*{")
    or text:find("\n" .. name .. "%b()%s*{")
    or text:find("\n[%a_][^\n]- OF%(" .. name .. "%)%b()%s*{")
end

local function defines_in_lua(text, name)
  name = "%f[%w_]" .. plain(name)
  return text:find("function [%w_.:]-" .. name .. "%(") or text:find(name .. " = ")
end

local function defines(path, text, name)
  if path:find "^tests/.*%.c$" then return text:find("MU_%u*_?TEST%(" .. name .. "%)") end
  if path:find "^tests/.*%.lua$" then return text:find("\n *function tests%." .. name .. "%(") end
  if path:find "%.[ch]$" then return defines_in_c(text, name) end
  if path:find "%.lua$" then return defines_in_lua(text, name) end
  return false
end

local stale, checked, commands, seen = 0, 0, {}, {}
local function tell(line, item, ...)
  stale = stale + 1
  print(("PAPERS.md:%d: %s: %s"):format(line, item, string.format(...)))
end

local function check_links(line, item, text)
  for label, path in text:gmatch "%[([^%[%]]+)%]%(([^()]+)%)" do
    checked = checked + 1
    local name, found = label:match "^`([^`]+)`$", read(path)
    if not found then
      tell(line, item, "no file '%s'", path)
    elseif name and name ~= path and not defines(path, found, name) then
      local kind = path:find "^tests/" and "test" or "function"
      tell(line, item, "no %s '%s' in '%s'", kind, name, path)
    end
  end
end

local function check_commands(line, item, text)
  for command in text:gmatch "`([^`]+)`" do
    if command:find "^%S+ %S" then
      checked = checked + 1
      for word in command:gmatch "%S+" do
        if word:find "^rigs/" and not read(word) then tell(line, item, "no file '%s'", word) end
      end
      if not seen[command] then table.insert(commands, command) end
      seen[command] = true
    end
  end
end

local columns = { "item", "what it gives", "code", "test", "see it", "ours" }
local function check_row(line, cells)
  local item = cells[1]
  for i, column in ipairs(columns) do
    if (cells[i] or "") == "" then tell(line, item, "the column '%s' is empty", column) end
  end
  if #cells ~= #columns then tell(line, item, "%d columns of %d", #cells, #columns) end
  for i, reason in pairs { [3] = "^not implemented: ", [4] = "^not tested: " } do
    local text = cells[i] or ""
    if not text:find "%]%(" and not text:find(reason) then
      tell(line, item, "the column '%s' names nothing", columns[i])
    end
  end
  check_commands(line, item, cells[5] or "")
end

local number, in_table, rows = 0, false, 0
for line in assert(read "PAPERS.md", "no PAPERS.md in " .. root):gmatch "([^\n]*)\n" do
  number = number + 1
  local cells = {}
  if line:find "^|" then
    for cell in line:sub(2):gmatch " *(.-) *|" do table.insert(cells, cell) end
  end
  if table.concat(cells, "|") == table.concat(columns, "|") then
    in_table = true
  elseif #cells == 0 then
    in_table = false
  elseif in_table and not line:find "^| %-%-%-" then
    rows = rows + 1
    check_row(number, cells)
  end
  check_links(number, cells[1] or "text", line)
end

if list then
  for _, command in ipairs(commands) do print(command) end
  os.exit(true)
end
print(("%d rows, %d names and commands, %d stale"):format(rows, checked, stale))
os.exit(stale == 0 and rows > 0)

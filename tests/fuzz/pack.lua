-- A corpus is one file, in which each input follows its length in four bytes:
--   lua5.4 tests/fuzz/pack.lua pack FOLDER FILE       every file of a folder becomes an input
--   lua5.4 tests/fuzz/pack.lua unpack FILE FOLDER     the other way; files are called 1, 2, ...
local command, from, to = ...

local function read(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read "a"
end

local function write(path, bytes)
  local file = assert(io.open(path, "wb"))
  assert(file:write(bytes))
  assert(file:close())
end

if command == "pack" then
  local inputs = {}
  for name in assert(io.popen(("ls '%s'"):format(from))):lines() do
    inputs[#inputs + 1] = string.pack("<s4", read(from .. "/" .. name))
  end
  write(to, table.concat(inputs))
elseif command == "unpack" then
  local bytes, at, count = read(from), 1, 0
  while at <= #bytes do
    local input, next_at = string.unpack("<s4", bytes, at)
    count, at = count + 1, next_at
    write(("%s/%d"):format(to, count), input)
  end
else
  error "usage: pack.lua pack FOLDER FILE | unpack FILE FOLDER"
end

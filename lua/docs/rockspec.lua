-- Writes the lists of files into the rockspec, between its lines "-- files" and "-- end of files":
-- LuaRocks builds the module by itself and cannot look for sources.
--
--   ./dev docs, or: lua5.4 -e 'require("docs.rockspec").write "sinew-0.1.0-1.rockspec"'
local rockspec = {}

local function find(root, folders)
  local pipe = assert(io.popen(("cd '%s' && find %s | LC_ALL=C sort"):format(root, folders)))
  local paths = {}
  for path in pipe:lines() do paths[#paths + 1] = path end
  pipe:close()
  return paths
end

-- the lines between the two marks
local function lists(root)
  local lines = { "    sinew = {", "      sources = {" }
  local function add(...) lines[#lines + 1] = string.format(...) end
  for _, path in ipairs(find(root, "engine/src lua/base lua/math lua/shape lua/rig lua/play "
    .. "lua/module -name '*.c'")) do
    add('        "%s",', path)
  end
  add "      },"
  add '      incdirs = { "engine/include", "engine/src", "lua/include", ".", "$(EXPAT_INCDIR)",'
  add '        "$(CGLM_INCDIR)" },'
  add '      libdirs = { "$(EXPAT_LIBDIR)" },'
  add '      libraries = { "expat", "m", "pthread" },'
  add '      defines = { "SINEW_MODULE", "SINEW_NO_HELPERS" },'
  add "    },"
  for _, path in ipairs(find(root, "lua/sinew -name '*.lua'")) do
    add('    ["%s"] = "%s",', path:match("^lua/(.*)%.lua$"):gsub("/", "."), path)
  end
  return table.concat(lines, "\n") .. "\n"
end

-- What the rockspec with this text should be, for the checkout in a folder.
function rockspec.made(text, root)
  local head, tail = text:match("^(.*%-%- files\n).*(    %-%- end of files\n.*)$")
  return assert(head, "the rockspec has no line '-- files'") .. lists(root) .. tail
end

function rockspec.write(name)
  local file = assert(io.open(name, "r"))
  local text = rockspec.made(file:read "*a", ".")
  file:close()
  assert(require "sinew".write_file(name, text))
end

return rockspec

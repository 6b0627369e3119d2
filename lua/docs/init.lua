-- Writes the reference from the module's own tables (sinew.catalog) and from docs/api.lua: a page
-- to read, REFERENCE.md, definitions for editors that run LuaLS, sinew.d.lua, and the schema of
-- rigs in XML, sinew.xsd.
--
--   ./dev docs, or: lua5.4 -e 'require("docs").write "lua"'   with the module on the path
local docs = {}

docs.files = { ["sinew.d.lua"] = require "docs.definitions",
  ["REFERENCE.md"] = require "docs.reference", ["sinew.xsd"] = require "sinew".xml_schema }

-- writes them into a folder
function docs.write(folder)
  for name, make in pairs(docs.files) do
    assert(require "sinew".write_file(folder .. "/" .. name, make()))
  end
end

return docs

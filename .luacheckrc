std = "lua54+luajit"
max_line_length = 100
files["lua/sinew.d.lua"].max_line_length = false -- made by ./dev docs
exclude_files = { "tests/lua/hostile", "tests/lua/hostile_rigs/*.lua",
  "tests/lua/budget/*.lua" } -- several scripts in a file
files["tests/fuzz/api_play.lua"].allow_defined_top = true -- the words of its programs
files["tests/fuzz/api_play.lua"].ignore = { "131" }
files["tests/fuzz/api_play.lua"].read_globals = { "fail", "limit", "count" }
files["tests/fuzz/api_make.lua"].globals = { "program", "signature", "report", "live_blocks" }
files["tests/fuzz/api_make.lua"].read_globals = { "try", "budgets" }
files["lua/examples/love"].std = "luajit+love"
files["lua/examples/walker"].std = "luajit+love"
files["lua/sinew/love.lua"].std = "lua54+luajit+love"
files["premake5.lua"].std = {
  globals = { "workspace", "filter", "symbols" },
  read_globals = {
    "buildoptions", "configuration", "configurations", "files", "flags", "includedirs", "kind",
    "language", "linkoptions", "links", "location", "objdir", "project", "solution", "targetdir",
    "targetextension", "targetname", "targetprefix", "error", "io", "ipairs", "pairs",
    os = { other_fields = true }, path = { other_fields = true },
    table = { other_fields = true },
  },
}

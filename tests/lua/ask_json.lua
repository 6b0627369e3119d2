-- lua ask_json.lua FILE EXPRESSION: prints what the expression makes of `it`, the file's value.
local file = assert(io.open(arg[1]))
local it = require "json"(file:read "*a")
file:close()
print(assert(load("local it = ... return " .. arg[2]))(it))

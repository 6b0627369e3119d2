-- lua ask_json.lua FILE EXPRESSION: prints the expression's value, in which `it` is the file's
-- content.
local file = assert(io.open(arg[1]))
local it = require "json"(file:read "*a")
file:close()
print(assert(load("local it = ... return " .. arg[2]))(it))

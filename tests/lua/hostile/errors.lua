-- Errors that are no plain texts.
-- A case: `--- name (limits): part of the message`, then its script; limits are optional, such as
-- (seconds=1 instructions=1000 memory=1000). `./dev test hostile_NAME` runs one case.
--- assert_without_message: assertion failed
assert(false)
--- error_boolean: raised a boolean
error(false)
--- error_function: raised a function
error(print)
--- error_in_coroutine: inside
local co = coroutine.wrap(function() error 'inside' end)
co()
--- error_nil: raised a nil
error()
--- error_number: 42
error(42)
--- error_table: raised a table
error({})
--- error_very_long: xxxx
error(('x'):rep(1000000))
--- error_with_escapes: ?[2Jgone
error('\27[2Jgone')
--- error_with_format_letters: %s%n
error('%s%n')
--- error_with_tostring: raised a table
error(setmetatable({}, {__tostring = function() while true do end end}))

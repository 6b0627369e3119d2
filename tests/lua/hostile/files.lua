-- Loading texts, files and modules.
-- A case: `--- name (limits): part of the message`, then its script; limits are optional, such as
-- (seconds=1 instructions=1000 memory=1000). `./dev test hostile_NAME` runs one case.
--- constants_that_collide (instructions=100000000): different constants
local t = {}
for i = 1, 40000 do t[i] = i * 131071 end
return load('return {' .. table.concat(t, ',') .. '}')
--- dofile_is_gone: 'dofile'
dofile 'hostile.lua'
--- load_binary_mode: only source text
return assert(load('return 1', 'x', 'b'))
--- load_bytecode: binary chunk
return assert(load('\27Lua'))
--- load_bytecode_by_reader: binary chunk
local text = '\27Lua'
return assert(load(function() local t = text text = nil return t end))
--- load_chain_of_ands (seconds=0.2): stopped
return assert(load('return ' .. ('x and '):rep(150000) .. 'x'))
--- load_deep_nesting: overflow
return assert(load(('('):rep(100000)))
--- load_dumped_function: attempt to call a nil value (field 'dump')
return load(string.dump(function() end))
--- load_endless_numbers: reader function must return a string
return load(collectgarbage)
--- load_endless_pieces (instructions=400000000): load: text longer than
local f = load(function() return ' ' end)
return f
--- load_in_a_loop: took more than
local text = ('local a = {1, 2, 3} '):rep(1000)
while true do load(text) end
--- load_many_gotos: too many labels
return assert(load(('goto a;'):rep(100000) .. '::a::'))
--- load_many_labels: too many labels
local t = {}
for i = 1, 40000 do t[i] = '::a' .. i .. '::' end
return assert(load(table.concat(t)))
--- loadfile_is_gone: 'loadfile'
loadfile 'hostile.lua'
--- require_a_hostile_file: took more than
return require 'loop_plain'
--- require_absolute: is not allowed
return require '/etc/passwd'
--- require_climbs: is not allowed
return require '../secret'
--- require_climbs_by_dots: is not allowed
return require '...secret'
--- require_itself: still being loaded
return require 'require_itself'
--- require_nothing: not found
return require 'no.such.module'
--- require_swallowed: took more than
while true do pcall(require, 'loop_plain') end
--- require_very_many (instructions=100000000): more than 1000 files
local message
for i = 1, 2000 do message = select(2, pcall(require, 'missing' .. i)) end
error(message, 0)
--- require_with_zero: is not allowed
return require 'loop\0x'
--- return_nothing: returns nothing
local rig = 1
--- syntax_error: near <eof>
return (

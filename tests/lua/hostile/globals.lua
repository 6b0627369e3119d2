-- What of the globals is not there, or harmless.
-- A case: `--- name (limits): part of the message`, then its script; limits are optional, such as
-- (seconds=1 instructions=1000 memory=1000). `./dev test hostile_NAME` runs one case.
--- debug_is_bare: 'getregistry'
return debug.getregistry()
--- debug_sethook: 'sethook'
debug.sethook()
--- gc_added_later: raised by hand
-- a finalizer that comes after setmetatable is never called
local m = {}
for i = 1, 100 do setmetatable({}, m) end
m.__gc = function() while true do end end
collectgarbage()
error 'raised by hand'
--- gc_by_setmetatable: __gc
setmetatable({}, {__gc = function() while true do end end})
--- gc_placeholder: __gc
local m = {__gc = true}
setmetatable({}, m)
m.__gc = function() while true do end end
--- global_io: 'io'
return io.open 'hostile.lua'
--- global_os: 'os'
os.execute 'true'
--- global_package: 'package'
return package.loadlib('libc.so.6', 'system')
--- globals_replaced: attempt to call
for k in pairs(_G) do if k ~= '_G' then _G[k] = nil end end
print 'x'
--- globals_with_metatable: took more than
setmetatable(_G, {__index = function() while true do end end})
return nothing
--- random_seed_shows_address: number expected
return math.randomseed()

-- expect: binary chunk
return assert(load('\27Lua'))

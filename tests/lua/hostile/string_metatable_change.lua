-- expect: attempt to index
getmetatable('').__index = nil

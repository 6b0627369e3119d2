-- expect: table function thread
error(tostring({}) .. ' ' .. tostring(print) .. ' ' .. tostring(coroutine.create(print)))

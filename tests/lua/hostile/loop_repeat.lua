-- expect: took more than
repeat local x = 1 until false

-- expect: took more than
while true do pcall(require, 'loop_plain') end

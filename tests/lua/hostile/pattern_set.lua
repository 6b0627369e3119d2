-- expect: took more than
return ('a'):rep(10000):find('[' .. ('b'):rep(10000) .. 'a]-[' .. ('b'):rep(10000) .. ']')

-- expect: took more than
return ('a'):rep(20000):find('(.-)(.-)(.-)%1%2%3b')

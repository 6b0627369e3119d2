-- expect: more than
return (''):rep(1e8, 'abcdefgh')

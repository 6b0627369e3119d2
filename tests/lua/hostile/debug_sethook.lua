-- expect: 'sethook'
debug.sethook()

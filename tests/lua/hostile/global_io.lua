-- expect: 'io'
return io.open 'hostile.lua'

-- expect: 'dofile'
dofile 'hostile.lua'

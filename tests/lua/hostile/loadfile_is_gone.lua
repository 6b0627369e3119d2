-- expect: 'loadfile'
loadfile 'hostile.lua'

-- expect: ?[2Jgone
error('\27[2Jgone')

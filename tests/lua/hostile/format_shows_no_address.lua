-- expect: table!
error(('%s!'):format({}))

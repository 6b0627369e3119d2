-- expect: too many elements
table.move({}, math.mininteger, math.maxinteger, 1)

-- expect: too many results
return table.unpack({}, math.mininteger, math.maxinteger)

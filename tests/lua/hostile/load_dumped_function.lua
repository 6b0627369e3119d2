-- expect: attempt to call a nil value (field 'dump')
return load(string.dump(function() end))

-- expect: '%p'
return ('%p'):format({})

-- expect: reader function must return a string
return load(collectgarbage)

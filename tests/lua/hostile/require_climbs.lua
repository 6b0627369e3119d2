-- expect: is not allowed
return require '../secret'

-- expect: is not allowed
return require '/etc/passwd'

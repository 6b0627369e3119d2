-- expect: malformed pattern
return ('a'):match('[a')

-- expect: %s%n
error('%s%n')

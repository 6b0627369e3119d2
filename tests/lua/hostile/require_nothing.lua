-- expect: not found
return require 'no.such.module'

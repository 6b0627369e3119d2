-- expect: is not allowed
return require 'loop\0x'

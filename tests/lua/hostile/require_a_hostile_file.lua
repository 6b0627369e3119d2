-- expect: took more than
return require 'loop_plain'

-- expect: still being loaded
return require 'require_itself'

-- expect: must return its rig, not table
return require "sinew"

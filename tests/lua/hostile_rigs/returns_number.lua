-- expect: must return its rig, not number
return 7

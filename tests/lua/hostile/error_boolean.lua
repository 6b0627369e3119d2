-- expect: raised a boolean
error(false)

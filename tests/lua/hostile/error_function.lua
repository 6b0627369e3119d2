-- expect: raised a function
error(print)

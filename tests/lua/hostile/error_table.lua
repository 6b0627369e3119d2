-- expect: raised a table
error({})

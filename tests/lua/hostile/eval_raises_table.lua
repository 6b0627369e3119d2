-- expect: raised a table
return function() error {} end

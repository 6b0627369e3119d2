-- expect: took more than
::again:: goto again

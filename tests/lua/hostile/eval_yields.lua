-- expect: outside a coroutine
return coroutine.yield

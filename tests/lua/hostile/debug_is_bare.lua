-- expect: 'getregistry'
return debug.getregistry()

-- expect: 42
error(42)

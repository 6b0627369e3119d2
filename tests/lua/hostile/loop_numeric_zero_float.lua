-- expect: 'for' step is zero
for i = 0, 0, 0.0 do end

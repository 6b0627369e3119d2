-- A stand-in: x in [low, high] with f(x) = 0, for plain numbers.
return function(f, low, high)
  local below = f(low) < 0
  if (f(high) < 0) == below then
    return math.abs(f(low)) < math.abs(f(high)) and low or high
  end
  for _ = 1, 60 do
    local middle = 0.5 * (low + high)
    if (f(middle) < 0) == below then low = middle else high = middle end
  end
  return 0.5 * (low + high)
end

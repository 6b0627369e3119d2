-- A stand-in: two unknowns from a start, for plain numbers, with slopes by differences.
return function(f, x, y)
  local h = 0.05
  for _ = 1, 12 do
    local a, b = f(x, y)
    local ax, bx = f(x + h, y)
    local cx, dx = f(x - h, y)
    local ay, by = f(x, y + h)
    local cy, dy = f(x, y - h)
    ax, bx, ay, by = (ax - cx) / h / 2, (bx - dx) / h / 2, (ay - cy) / h / 2, (by - dy) / h / 2
    local det = ax * by - ay * bx
    x, y = x - (a * by - ay * b) / det, y - (ax * b - a * bx) / det
  end
  return x, y
end

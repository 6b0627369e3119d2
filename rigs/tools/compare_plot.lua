-- Curves over time as SVG, for compare.lua.
local colours = { none = "#9a9a9a", box = "#c0392b", cone = "#2471a3",
  ["field, sampled"] = "#1e8449", ["field, sculpted"] = "#b7950b" }

-- curves = { { name =, values = } ... }, one value a frame, in `unit`
return function(title, curves, rate, unit)
  local width, height, left, top, right, bottom = 900, 420, 60, 40, 20, 50
  local most, count = 1e-9, 0
  for _, curve in ipairs(curves) do
    count = math.max(count, #curve.values)
    for _, value in ipairs(curve.values) do most = math.max(most, value) end
  end
  local tick = 10 ^ math.floor(math.log(most, 10))
  if most / tick < 2 then tick = tick / 4 elseif most / tick < 5 then tick = tick / 2 end
  local lines = {}
  local function put(format, ...) lines[#lines + 1] = format:format(...) end
  local function x_of(i) return left + (width - left - right) * (i - 1) / math.max(1, count - 1) end
  local function y_of(value) return height - bottom - (height - top - bottom) * value / most end
  put('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" '
    .. 'font-size="13">', width, height)
  put('<rect width="%d" height="%d" fill="white"/>', width, height)
  put('<text x="%d" y="22" font-size="15">%s</text>', left, title)
  for i = 0, math.floor(most / tick) do
    local y = y_of(i * tick)
    put('<path d="M%d %.1fH%d" stroke="#dddddd"/>', left, y, width - right)
    put('<text x="%d" y="%.1f" text-anchor="end">%g</text>', left - 6, y + 4, i * tick)
  end
  put('<text x="14" y="%d" transform="rotate(-90 14 %d)" text-anchor="middle">%s</text>',
    height / 2, height / 2, unit)
  local seconds = (count - 1) / rate
  for i = 0, 5 do
    local x = left + (width - left - right) * i / 5
    put('<text x="%.1f" y="%d" text-anchor="middle">%.1f s</text>', x, height - bottom + 18,
      seconds * i / 5)
  end
  for k, curve in ipairs(curves) do
    local points = {}
    for i, value in ipairs(curve.values) do
      points[i] = ("%.1f,%.1f"):format(x_of(i), y_of(value))
    end
    local colour = colours[curve.name] or "#000000"
    put('<polyline fill="none" stroke="%s" stroke-width="1.5" points="%s"/>', colour,
      table.concat(points, " "))
    put('<text x="%d" y="%d" fill="%s">%s</text>', left + (k - 1) * 160, height - 10, colour,
      curve.name)
  end
  put "</svg>"
  return table.concat(lines, "\n") .. "\n"
end

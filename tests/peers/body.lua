-- body75 as a game's own script would move it, for Lua 5.4 and LuaJIT, optimised by hand: plain
-- numbers in tables that are made once, one table per kind of number so that no index is computed,
-- only locals, no calls in the loop except sine and cosine, no garbage.
--
-- Takes the body of bench_body.h as flat tables (parents from 1, 0 for none), and a table of steps
-- with all angles in radians. Returns run(times) and the transforms: twelve tables, the first nine
-- for the rotation by rows, the last three for the origin.
local parent, offset, axis, centre, steps = ...
local segments, step_count = #parent, #steps

local function columns(count)
  local made = {}
  for i = 1, count do made[i] = {} end
  return made
end

-- for each rotation: the axis, its products as in Rodrigues' formula, and the vector from the
-- previous centre to its own; for each segment: the vector from its last centre back to its origin
local turns, back, places = columns(12), columns(3), columns(12)
for s = 1, segments do
  for k = 1, 12 do places[k][s] = 0 end
  local from = { 0, 0, 0 }
  for k = 1, 3 do from[k] = -offset[3 * s - 3 + k] end
  for i = 2 * s - 1, 2 * s do
    local at = 3 * i - 3
    local x, y, z = axis[at + 1], axis[at + 2], axis[at + 3]
    for k, value in ipairs { x, y, z, x * x, y * y, z * z, x * y, x * z, y * z,
      centre[at + 1] - from[1], centre[at + 2] - from[2], centre[at + 3] - from[3] } do
      turns[k][i] = value
    end
    for k = 1, 3 do from[k] = centre[at + k] end
  end
  for k = 1, 3 do back[k][s] = -from[k] end
end

local unpack = table.unpack or unpack

local function run(times)
  local parent, steps, sin, cos = parent, steps, math.sin, math.cos -- luacheck: ignore 431
  local ax, ay, az, axx, ayy, azz, axy, axz, ayz, to_x, to_y, to_z = unpack(turns)
  local back_x, back_y, back_z = unpack(back)
  local pa, pb, pc, pd, pe, pf, pg, ph, pk, px, py, pz = unpack(places)
  for n = 0, times - 1 do
    local angles = steps[n % step_count + 1]
    for s = 1, segments do
      local p = parent[s]
      local a, b, c, d, e, f, g, h, k, x, y, z = 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0
      if p > 0 then
        a, b, c, d, e, f, g, h, k = pa[p], pb[p], pc[p], pd[p], pe[p], pf[p], pg[p], ph[p], pk[p]
        x, y, z = px[p], py[p], pz[p]
      end
      for i = s + s - 1, s + s do
        local u, v, w = to_x[i], to_y[i], to_z[i]
        x, y, z = x + a * u + b * v + c * w, y + d * u + e * v + f * w, z + g * u + h * v + k * w
        local angle = angles[i]
        local sine, cosine = sin(angle), cos(angle)
        local rest = 1 - cosine
        local sx, sy, sz = sine * ax[i], sine * ay[i], sine * az[i]
        local xy, xz, yz = rest * axy[i], rest * axz[i], rest * ayz[i]
        local xx, yy, zz = cosine + rest * axx[i], cosine + rest * ayy[i], cosine + rest * azz[i]
        local yx, zx, zy = xy + sz, xz - sy, yz + sx
        xy, xz, yz = xy - sz, xz + sy, yz - sx
        a, b, c = a * xx + b * yx + c * zx, a * xy + b * yy + c * zy, a * xz + b * yz + c * zz
        d, e, f = d * xx + e * yx + f * zx, d * xy + e * yy + f * zy, d * xz + e * yz + f * zz
        g, h, k = g * xx + h * yx + k * zx, g * xy + h * yy + k * zy, g * xz + h * yz + k * zz
      end
      local u, v, w = back_x[s], back_y[s], back_z[s]
      pa[s], pb[s], pc[s], pd[s], pe[s], pf[s], pg[s], ph[s], pk[s] = a, b, c, d, e, f, g, h, k
      px[s] = x + a * u + b * v + c * w
      py[s] = y + d * u + e * v + f * w
      pz[s] = z + g * u + h * v + k * w
    end
  end
end

return run, places

-- How far a right arm reaches: 25 points [Wilhelms 2001, fig. 7], each a plane (0 to the side,
-- 90 forward, 180 across the body) and the greatest elevation in it. Chosen after everyday ranges:
-- abduction and flexion to 170, extension to 55, adduction in front of the body to 40.
--
-- The twist has a range of 157 degrees with the arm down and of 94 with the arm raised
-- [Wilhelms 2001, 4]; in between it falls with the elevation. Of the 157, 60 are outward. The
-- limits of a raised arm hold on the boundary, so the DOF goes past it and the cone stops the arm.
local sinew = require "sinew"

local reach = {
  { 165, 35 }, { 150, 70 }, { 140, 100 }, { 130, 120 }, { 120, 134 }, { 110, 149 }, { 100, 162 },
  { 90, 170 }, { 75, 171 }, { 60, 172 }, { 45, 172 }, { 30, 172 }, { 15, 171 }, { 0, 168 },
  { -15, 145 }, { -30, 118 }, { -45, 97 }, { -60, 80 }, { -75, 66 }, { -90, 55 }, { -105, 46 },
  { -120, 36 }, { -140, 28 }, { -160, 24 }, { -180, 22 },
}
local down, raised, highest = { -97, 60 }, { -54, 40 }, 172

local points, twist_limits = {}, {}
for i, at in ipairs(reach) do
  local plane, elevation = at[1], at[2]
  points[i] = { -sinew.sin(elevation) * sinew.cos(plane), -sinew.cos(elevation),
    sinew.sin(elevation) * sinew.sin(plane) }
  for k = 1, 2 do
    twist_limits[2 * i - 2 + k] = down[k] + (raised[k] - down[k]) * elevation / highest
  end
end

return { points = points, twist_limits = twist_limits, visible_twist = down }

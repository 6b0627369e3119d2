-- How the spine moves: for each joint set and DOF the range of each vertebra against the one below,
-- in degrees at -1 and at 1. Flexion is positive forwards, bend and twist to the right.
local names = {
  cervical = { "C7", "C6", "C5", "C4", "C3", "C2", "C1" },
  thoracic = { "T12", "T11", "T10", "T9", "T8", "T7", "T6", "T5", "T4", "T3", "T2", "T1" },
  lumbar = { "L5", "L4", "L3", "L2", "L1" },
}

-- a table by vertebra, from a list in the order of `names` and what makes a range of its numbers
local function by_name(set, list, range)
  local dest = {}
  for i, name in ipairs(names[set]) do dest[name] = range(list[i]) end
  return dest
end

local function each_way(whole)
  return function(share) return { -share * whole, share * whole } end
end

local motion = { cervical = {}, thoracic = {}, lumbar = {} }

-- [Shao 2003, 5.1], exactly as printed: C7 [-13.2, 5.5], C6 [-7.5, 5.5] and so on for the DOF
-- at -1 and 1. Sums -61.3 and 41.5. Extension is the negative side: heads go back further than
-- down, and C1, the joint of nodding, by 18.5 against 6.5.
motion.cervical.flexion = { C7 = { -13.2, 5.5 }, C6 = { -7.5, 5.5 }, C5 = { -4, 5.5 },
  C4 = { -4.6, 5.5 }, C3 = { -8, 6.5 }, C2 = { -5.5, 6.5 }, C1 = { -18.5, 6.5 } }

-- Mortensen et al. 2014 (the head and neck model): of a lower neck that rolls 33 and yaws 27 each
-- way, shares .137 .157 .216 .216 .196 and .188 .219 .219 .219 .094 for the joints named C7 to C3;
-- of an upper neck of 6 and 38 the joint named C1 has .5 and .111. Those are the joints above these
-- vertebrae (.137 is C6/7's 7 of 51 degrees in White and Panjabi's table, .111 the atlas's 5 of
-- 45), so C6 on C7 has what is printed for C7, and C7 on T1 has the rest. The skull is one with C1
-- here, so C1 has the whole upper neck.
local roll, yaw = 33, 27
motion.cervical.bend = by_name("cervical",
  { 1 - 0.137 - 0.157 - 0.216 - 0.216 - 0.196, 0.137, 0.157, 0.216, 0.216, 0.196, 6 / roll },
  each_way(roll))
motion.cervical.twist = by_name("cervical",
  { 1 - 0.188 - 0.219 - 0.219 - 0.219 - 0.094, 0.188, 0.219, 0.219, 0.219, 0.094, 38 / yaw },
  each_way(yaw))

-- Morita et al. 2013: T1 to L1 bend by 31.7 from full extension to full flexion, least at T4/5,
-- 0.9, most at T12/L1, 4.2. The levels between are chosen, and so is the part that is flexion: 0.6.
motion.thoracic.flexion = by_name("thoracic",
  { 4.2, 3.6, 3.4, 3.1, 2.9, 2.6, 2.3, 1.8, 0.9, 1.5, 2.4, 3.0 },
  function(whole) return { -0.4 * whole, 0.6 * whole } end)

-- Chosen: 18 degrees to each side, more in the lower thorax; 24 of turning, most in the middle and
-- next to none at T11 and T12, whose facets stand like those of the loins.
motion.thoracic.bend = by_name("thoracic",
  { 2.1, 2.0, 1.8, 1.6, 1.5, 1.4, 1.4, 1.3, 1.3, 1.2, 1.2, 1.2 }, each_way(1))
motion.thoracic.twist = by_name("thoracic",
  { 0.5, 1.2, 2.3, 2.6, 2.6, 2.5, 2.4, 2.2, 2.1, 2.0, 1.9, 1.7 }, each_way(1))

-- Christophy et al. 2012: flexion 70, extension 26, bending 25 to each side; shares of L1/2 to
-- L4/5, the rest L5/S1. They turn the upper one of each pair. Of axial turning sources differ by a
-- factor of six; about 2 a level is usual.
motion.lumbar.flexion = by_name("lumbar", { 1 - 0.185 - 0.204 - 0.231 - 0.255, 0.185, 0.204, 0.231,
  0.255 }, function(share) return { -26 * share, 70 * share } end)
motion.lumbar.bend = by_name("lumbar", { 1 - 0.181 - 0.245 - 0.250 - 0.188, 0.181, 0.245, 0.250,
  0.188 }, each_way(25))
motion.lumbar.twist = by_name("lumbar", { 1, 1, 1, 1, 1 }, each_way(2))

-- Centres of rotation: millimetres below the lower face of the moving body, and behind its middle.
-- Flexion: in the neck the centre lies in the body below, the deeper the higher the joint (Amevo,
-- Worth and Bogduk 1991); in the loins at the back of the disc (Pearcy and Bogduk 1988). Turning:
-- about the back of the disc in the loins, the middle of the disc in the thorax, the tooth of C2 at
-- C1. The figures are chosen.
local function centres(flexion, bend, twist)
  return { flexion = flexion, bend = bend, twist = twist }
end
motion.centres = {
  lumbar = function() return centres({ 8, 7 }, { 5, 4 }, { 4, 14 }) end,
  thoracic = function() return centres({ 5, 3 }, { 3, 2 }, { 3, 0 }) end,
  cervical = function(name)
    local deep = { C7 = 7, C6 = 8, C5 = 9, C4 = 11, C3 = 12, C2 = 13, C1 = -4 }
    local behind = name == "C1" and 0 or 3
    return centres({ deep[name], behind }, { 2, 2 }, { 2, behind })
  end,
}

-- The axes of bending and turning lean, since the facets do: rotation brings some bending along and
-- the other way round. Degrees, in the vertebra's frame: positive couples to the same side, as in
-- the neck (facets at 45 degrees); negative to the other side, as bending in the loins. Chosen.
motion.lean = {
  lumbar = function() return { bend = -6, twist = 0 } end,
  thoracic = function() return { bend = 4, twist = 6 } end,
  cervical = function(name)
    if name == "C1" then return { bend = 0, twist = 0 } end
    return { bend = 15, twist = 20 }
  end,
}

return motion

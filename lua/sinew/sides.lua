-- Names and their sides: sides.other "right_arm" is "left_arm", and the other way round.
--
-- A side is a word: right and left in any of three spellings (right_arm, armRight, RIGHT ARM), or
-- the letter r or l on its own (arm_r, L_arm). A name without a side is returned unchanged.
local sides = {}

local words = {
  { "%f[%l]right%f[%L]", "left" }, { "%f[%l]left%f[%L]", "right" },
  { "Right%f[%L]", "Left" }, { "Left%f[%L]", "Right" },
  { "%f[%u]RIGHT%f[%U]", "LEFT" }, { "%f[%u]LEFT%f[%U]", "RIGHT" },
  { "%f[%w]r%f[%W]", "l" }, { "%f[%w]l%f[%W]", "r" },
  { "%f[%w]R%f[%W]", "L" }, { "%f[%w]L%f[%W]", "R" },
}

local function turned(name)
  for _, word in ipairs(words) do
    local other, count = name:gsub(word[1], word[2])
    if count > 0 then return other end
  end
  return name
end

-- cached: mirroring a rig asks for each of its names many times
local known = {}

function sides.other(name)
  local other = known[name]
  if not other then
    other = turned(name)
    known[name] = other
  end
  return other
end

return sides

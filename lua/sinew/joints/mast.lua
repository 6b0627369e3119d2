-- A telescopic mast of three sections: cranes, fire ladders, camera masts and fork lifts reach up
-- with it.
--
--   local out = rig:add(require "sinew.joints.mast" { reach, strokes = {2, 2, 1.5} })
--   low:drive(out.first); middle:drive(out.second); top:drive(out.third)
--
-- Each section is a bone of the one before it and slides along y. With `together` 0 the first goes
-- out to its end, then the second, then the third; with 1 all share the way.
local sinew = require "sinew"

return sinew.component {
  name = "mast", doc = "a telescopic mast of three sections",
  inputs = { "reach (m): of all sections" },
  outputs = { "first (matrix)", "second (matrix)", "third (matrix)" },
  params = {
    strokes = { { 1, 1, 1 }, unit = "m", doc = "how far each section goes" },
    together = { 0, min = 0, max = 1, doc = "1: all at once" },
  },
  holds = { reach = "the ends of the mast" },
  eval = function(self, reach)
    local strokes, sections = self.strokes, {}
    local all = strokes[1] + strokes[2] + strokes[3]
    local held = math.min(math.max(reach, 0), all)
    self:hold("reach", held - reach)
    local left = held
    for i = 1, 3 do
      local own = math.min(left, strokes[i])
      left = left - own
      own = own + self.together * (held * strokes[i] / all - own)
      sections[i] = sinew.mat4.translation(0, own, 0)
    end
    return sections[1], sections[2], sections[3]
  end,
}

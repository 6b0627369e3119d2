-- The examples of the reference. The tests run each of them and compare what it prints with what it
-- claims after `-->`. `local sinew = require "sinew"` comes before each, except for the name of its
-- file, if it has one.
local examples = { sections = require "docs.examples.functions",
  kinds = require "docs.examples.components", types = require "docs.examples.types" }

-- pictures of rigs/tools/pictures.lua, with their captions
examples.pictures = {
  ["Legs, steps and swings"] = { "bird", "The bird, whose knees point backwards." },
  ["One side from the other, and chains"] = { "crab",
    "The left arm is the right one, mirrored; one DOF curls the tail." },
  ["Shapes and units"] = { "spoon", "A tube and an ellipsoid, and a pin of two blended balls." },
  cone = { "cone", "The reach cone holds the arm." },
  ik2 = { "digger", "The bucket is at the goal, whatever the goal's DOFs are." },
}

-- an example as a block of Markdown
function examples.block(code)
  local name, rest = code:match "^(%-%- [%w_.]+%.lua\n)(.*)$"
  return ("```lua\n%slocal sinew = require \"sinew\"\n%s```"):format(name or "", rest or code)
end

return examples

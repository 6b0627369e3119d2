-- The tables of options that functions take: a name, what it is for, and rows { field, type, what
-- it is, default, unit }. A number is a position. `needed` in the place of the default: it must be
-- given. The reference prints them, and sinew.d.lua types their fields.
local needed = {}

local options = { needed = needed }

local function add(name, words, rows) options[#options + 1] = { name, words, rows } end

local place = {
  { "at", "vector", "where it is in its parent's frame", "{0, 0, 0}", "m" },
  { "rotate", "turn|matrix", "how it is rotated there; also called turn", "not rotated" },
  { "rest", "matrix", "both at once, instead of them" },
  { "shape", "any", "what to draw, see sinew.shapes", "a plain bone" },
  { "mass", "number", "for balance, and for how stiff a solver takes DOFs to be", "none", "kg" },
  { "mass_at", "vector", "the centre of that mass in its own frame", "{0, 0, 0}", "m" },
}

local function with(rows, more)
  local list = {}
  for _, row in ipairs(rows) do list[#list + 1] = row end
  for _, row in ipairs(more) do list[#list + 1] = row end
  return list
end

-- --- rigs

add("segment_options", "Of a segment.", with({
  { "parent", "segment|string", "the segment that carries it", "none: a root" },
  { "turn", "turn|matrix", "the same as rotate", "not rotated" } }, place))
add("bone_options", "Of a bone: a segment and its joint.", with({
  { "parent", "segment|string", "the segment that carries it",
    "the bone whose method it is" },
  { "turn", "turn|matrix", "the same as rotate", "not rotated" } }, with(place, {
  { "set", "joint_set|string", "its joint set, or the name of one", "that of its parent" },
  { "hinge", "hinge_options|hinge_options[]", "turns about an axis; several are a product" },
  { "slider", "hinge_options|hinge_options[]", "moves along an axis" },
  { "ball", "ball_options", "swings and twists" },
  { "free", "boolean|free_options", "moves freely" } })))
add("hinge_options", "Of a hinge or a slider.", {
  { 1, "string|scalar", "the name of a new DOF, or what to follow", needed },
  { 2, "number", "the new DOF's min; also min =", "-180", "deg or m" },
  { 3, "number", "the new DOF's max; also max =", "180", "deg or m" },
  { "min", "number", "instead of [2]", nil, "deg or m" },
  { "max", "number", "instead of [3]", nil, "deg or m" },
  { "axis", "axis", "in the bone's rest frame", needed },
  { "rest", "number", "the new DOF's value at rest", "0, or the end nearest to it", "deg or m" },
  { "label", "any", "the new DOF's name in a window" },
  { "unit", "string", "of the new DOF: deg, rad, m, cm, mm", "deg, of a slider m" },
  { "stiffness", "number", "of the new DOF, see dof_options" },
  { "centre", "vector", "the point of a hinge that does not move", "the bone's origin", "m" },
  { "centres", "vector[]", "a centre for each interval of angles", nil, "m" },
  { "angles", "number[]", "ends of the intervals; the angle stays within", nil, "deg" },
  { "name", "string", "of the component" } })
add("ball_options", "Of a ball.", {
  { 1, "string|scalar|hinge_options", "the outer swing", needed },
  { 2, "string|scalar|hinge_options", "the inner swing", needed },
  { 3, "string|scalar|hinge_options", "the twist, without an axis", "none" },
  { "along", "axis", "the bone's direction at rest", needed },
  { "cone", "number|number[]|vector[]|cone|table",
    "a half angle, four, points, a cone, or the parameters of the component", "no cone", "deg" },
  { "right", "vector", "where the first of four half angles is" },
  { "stiffness", "number", "of its new DOFs, see dof_options" },
  { "name", "string", "of the component" } })
add("free_options", "Of a free joint.", {
  { "range", "number", "how far it moves each way", 10, "m" },
  { "stiffness", "number", "of its DOFs, see dof_options" } })
add("dof_options", "Of a DOF.", {
  { "min", "number", "least value", -180, "deg" },
  { "max", "number", "greatest value", 180, "deg" },
  { "rest", "number", "value at rest", "0, or the end nearest to it", "deg" },
  { "unit", "string", "deg, m, or '' for none; rad, cm and mm are converted", "deg" },
  { "label", "any", "its name in a window" },
  { "stiffness", "number", "how much it resists a solver: a DOF of 100 moves a hundredth of what "
    .. "one of 1 moves, and one above 30 only where softer ones cannot reach the goals",
    "by what it carries along: 1 for a limb, hundreds for a trunk" } })
add("limit_options", "Bounds of a value.", {
  { "min", "scalar", "it is held at this or above" }, { "max", "scalar", "at this or below" },
  { "name", "string", "of the component" } })
add("sample_options", "Of a curve made from a Lua function.", {
  { "tolerance", "number", "how far the curve may be off", "0.00001 of its range of values" },
  { "min", "number", "where sampling starts", "the least that the argument can be" },
  { "max", "number", "where it ends", "the most" } })
add("aim_options", "Of segment:aim; the component aim says more.", {
  { "at", "segment|string", "the segment to aim at", needed },
  { "point", "source", "a point of it", "{0, 0, 0}", "m" },
  { "along", "axis", "the direction that points there", "y" },
  { "up", "axis", "a direction that stays as it is, as far as aiming allows",
    "the smallest rotation" },
  { "up_of", "segment|string", "the segment that carries up", "the parent" },
  { "name", "string", "of the component" } })
add("ik2_options", "Of segment:ik2; the component ik2 says more.", {
  { "lower", "segment", "the second segment, a child of the first", needed },
  { "tip", "vector", "what reaches the goal, a point of the lower segment",
    "the origin of its only child", "m" },
  { "goal", "segment|source", "a segment, or a point of at", "{0, 0, 0}", "m" },
  { "at", "segment|string", "the segment whose point is the goal", "the parent" },
  { "pole", "segment|vector", "where the elbow points: a segment, or a point of pole_at",
    "the side on which it is at rest", "m" },
  { "pole_at", "segment|string", "the segment of the pole", "the parent" },
  { "soft", "number", "distance before full stretch in which the tip falls behind", 0, "m" },
  { "min_bend", "number", "least bend", 0, "deg" },
  { "max_bend", "number", "greatest bend", 180, "deg" },
  { "name", "string", "of the component" } })
add("relative_options", "Of sinew.relative.", {
  { "of", "segment", "the segment that is seen", needed },
  { "to", "segment|string", "the segment from which it is seen", needed },
  { "name", "string", "of the component" } })
add("declaration", "Of a new kind of component.", {
  { "name", "string", "what it is called", needed },
  { "doc", "string", "what it does, in a sentence", "'a scripted component'" },
  { "inputs", "string[]",
    "each 'name (unit or kind) = default: doc', of which all but the name may be left out: 'length "
    .. "(m): between the pins', 'slack (mm) = 0', 'up (vector) = 0, 1, 0', 'frame (matrix) = "
    .. "identity'. Units are deg, rad, m, cm and mm; eval gets a scalar in its unit. An input with "
    .. "a default may be left unwired. Of 'other (segment)' eval gets the segment's frame as seen "
    .. "from its topmost ancestor, of 'other (segment) from base' from the segment in the input or "
    .. "parameter `base`. 'frame: matrix' and 'angle: rad' are the same as with brackets", needed },
  { "outputs", "string[]", "in the same way, without defaults", needed },
  { "params", "table",
    "parameters with their defaults, or with more: { 0.2, unit = 'm', min = 0, max = 1, doc = "
    .. "'...' }; without a default, { kind = 'segment' }, it must be given. Kinds are number, "
    .. "flag, text, vector, matrix, numbers, vectors, curve, segment (eval sees its name), cone "
    .. "and field. A unit is shown, not converted", "none" },
  { "holds", "table<string, string>",
    "the ports whose values it holds back, and by what: { length = 'the end stop' }. The amounts, "
    .. "given minus wanted, are returned after the outputs in the order of these names, or in the "
    .. "table `holds` of a returned table, or set by self:hold('length', amount) in eval; 0 if not "
    .. "mentioned", "none" },
  { "eval", "fun(self: table, ...: any): ...any",
    "returns the outputs; pure: the same inputs always give the same outputs, and self, which "
    .. "holds the parameters, cannot be set" },
  { "build", "fun(self: table, owner: joint_set, ...: any): ...any",
    "instead of eval: wires other components, once, and leaves nothing of Lua in the rig" },
  { "tangent", "'dual'|'differences'",
    "'dual' if eval takes dual numbers, so that its derivative is exact", "'differences'" },
  { "verify", "fun(self: table, ...: any): boolean, string?",
    "gets the inputs, then the outputs; whether they are as they must be, or false and why: for "
    .. "sinew check --fuzz" },
  { "draw", "fun(self: table, on: canvas, ...: any)",
    "draws it for the inputs, in the frame of the segment that it drives: where the parent carries "
    .. "it before it is driven. The viewer shows it with the limits" },
  { "record", "boolean",
    "true: a rig does not compile unless eval can be recorded as a program, which runs without "
    .. "Lua; false: it stays in Lua. What eval captured is frozen in a program, and so are texts, "
    .. "lengths of lists and the whole numbers without a unit that it counts to: compile the rig "
    .. "again to change them", "recorded where it can be" },
  { "mirror", "table", "rules for sinew.mirror" } })
add("tuning", "Values that replace those of a rig, by full name.", {
  { "components", "table<string, table>", "{ name = { parameter = value } }" },
  { "segments", "table<string, table>", "{ name = { at =, turn =, rest =, mass =, mass_at = } }" },
  { "dofs", "table<string, table>", "{ name = { min =, max =, rest =, stiffness = } }" } })
add("crowd_options", "Of rig:crowd.", {
  { "threads", "integer", "threads that share the work; 1 if a component is scripted", 1 },
  { "lanes", "integer", "characters evaluated together: 4 or 8", "the faster here" } })
add("xml_options", "Of rig:save_xml.", {
  { "fields", "'inside'|'beside'", "'beside' writes each field to a file of its own",
    "'inside'" } })
add("jacobian_options", "Of pose:jacobian.", {
  { "point", "vector", "a point of the segment", "{0, 0, 0}", "m" },
  { "dofs", "(dof|joint_set|string)[]", "the DOFs and joint sets to differentiate by",
    "all, in the rig's order" } })

-- --- helpers

add("mirror_options", "Of sinew.mirror.", {
  { "rename", "fun(name: string): string", "the other name of a part", "right and left swapped" },
  { "opposite", "(dof|port)[]", "shared DOFs and ports that change sign", "none" } })
add("chain_options", "Of sinew.chain.", {
  { "parent", "segment", "what carries the first link" },
  { "links", "integer|(string|table)[]",
    "names, or tables with name and the link's own at, turn, rest, shape, axes, centres, ranges; "
    .. "or how many", needed },
  { "name", "string", "pattern for the names of counted links: 'tail%d'",
    "the chain's name and %d" },
  { "at", "vector|function", "origin of a link in the one before, or a function of its number",
    "{0, 0, 0}", "m" },
  { "turn", "turn|matrix|function", "rotation of a link at rest", "not rotated" },
  { "shape", "any", "of every link, or a function of its number" },
  { "turns", "chain_turn[]", "the rotations, the outermost first", needed } })
add("chain_turn", "One rotation of a chain.", {
  { "name", "string", "of its DOF", needed },
  { "axis", "vector", "in the link's frame", needed },
  { "centre", "vector", "in the link's frame", "{0, 0, 0}", "m" },
  { "ranges", "table", "for each link { angle at the DOF's min, angle at its max }, or false", nil,
    "deg" },
  { "range", "number[]", "or that of the whole chain", nil, "deg" },
  { "shares", "number[]", "each link's share of range", "equal shares" },
  { "dof", "scalar", "an existing DOF or port instead of a new one" },
  { "min", "number", "of the DOF", -1 }, { "max", "number", "of the DOF", 1 },
  { "rest", "number", "of the DOF", 0 }, { "unit", "string", "of the DOF", "''" },
  { "label", "any", "of the DOF" } })
add("watch_options", "Of sinew.watch.", {
  { "options", "table", "what is chosen of the rig's options, see sinew.load", "their defaults" },
  { "interval", "number", "between two looks at the files", 0.05, "s" },
  { "patience", "number", "how long a file may keep changing", 1, "s" },
  { "log", "fun(text: string)", "called once for each attempt after the first" } })
add("skeleton_options", "Of sinew.skeleton.", {
  { "name", "string", "of the rig", "the file's" },
  { "all", "boolean", "every node of a glTF is a bone, not only the joints of its skins", false },
  { "unit", "number", "length of a unit of a BVH file", 1, "m" } })
add("limb_options", "Of sinew.limb.", {
  { "at", "vector", "where it starts, in the frame of the body", needed, "m" },
  { "foot", "vector", "where the foot is at rest, in the frame of the body", needed, "m" },
  { "lengths", "number[]", "of two bones, or of three, the first of which only yaws", needed, "m" },
  { "knee", "vector", "where the knee points; {0, 0, 1} is forwards", "{0, 1, 0}" },
  { "yaw", "number[]", "range of the DOF yaw", "{-80, 80}", "deg" },
  { "lift", "number[]", "range of the DOF lift", "{-120, 150}", "deg" },
  { "bend", "number[]", "range of the DOF bend", "{-175, 0}", "deg" } })
add("gait_options", "Of sinew.gait.", {
  { "stride", "number", "how far the body moves while a foot stands", 0.2, "m" },
  { "lift", "number", "how high a step goes", 0.1, "m" },
  { "time", "number", "how long a step takes, unless it must hurry", 0.2, "s" },
  { "groups", "integer[]", "the group of each leg; groups step in turn", "every other leg" },
  { "ground", "fun(x: number, z: number): number", "height of the ground", 0, "m" },
  { "land", "fun(leg: integer, x: number, y: number, z: number)", "called when a foot comes down" },
  { "speed", "number", "of gait:toward", 1, "m/s" },
  { "turning", "number", "of gait:toward", 120, "deg/s" },
  { "x", "string", "the body's DOF, for gait:toward", "x of its joint set" },
  { "z", "string", "the same", "z of its joint set" },
  { "turn", "string", "the same", "turn of its joint set" } })
add("spring_options", "Of sinew.spring.", {
  { 1, "dof|string", "the first DOF; further ones follow it", needed },
  { "frequency", "number", "swings a second", 3, "Hz" },
  { "damping", "number", "0 swings for ever, 1 comes to rest soonest without swinging", 0.4 } })

-- --- limits and motion

add("fit_cone_options", "Of sinew.fit_cone.", {
  { "samples", "quat[]|number[][]", "rotations of the joint", needed },
  { "rest", "vector", "the bone's direction at rest", needed },
  { "share", "number", "share of the samples that the cone contains", 0.99 },
  { "tolerance", "number", "how far the outline may be off when points are dropped", 2, "deg" },
  { "cell", "number", "size of the cells in which samples are counted", 5, "deg" },
  { "axes", "vector[]", "two axes of swings, to report the angles about them", "none" } })
add("field_options", "Of sinew.field.", {
  { "axes", "field_axis[]", "one for each angle, 1 to 6", needed },
  { "samples", "number[][]|quat[]", "angles, or rotations with quaternions = true", nil, "deg" },
  { "clips", "table[]", "instead of samples: { samples = } each, not joined to each other" },
  { "order", "string", "Euler order of the first three angles" },
  { "order2", "string", "of the next three" },
  { "quaternions", "boolean", "samples are rotations", false },
  { "join", "boolean", "fills the way between neighbouring samples", false },
  { "depth", "integer", "how often a gap is halved", "as the cells ask for" },
  { "epsilon", "number", "how far from a sample is still allowed", "half a cell's diagonal",
    "deg" },
  { "memory", "number", "the most that the field may take", "no limit", "bytes" } })
add("field_axis", "An axis of a field.", {
  { "min", "number", "least angle", -180, "deg" },
  { "max", "number", "greatest angle", 180, "deg" },
  { "resolution", "integer", "cells along it", "16; 8 of four angles, 6 of more" },
  { "wrap", "boolean", "whether its ends meet", false } })
add("sculpt_options", "Of sinew.sculpt_field.", {
  { "axes", "field_axis[]", "three of them", needed },
  { "obj", "string", "a closed surface in an OBJ file, whose x, y, z are the angles", needed },
  { "epsilon", "number", "how far outside of it is still allowed", 0, "deg" } })
add("motion_options", "Of sinew.motion and sinew.load_motion.", {
  { "unit", "number", "length of a unit of the file", "what the file says", "m" },
  { "rate", "number", "frames a second, where the file says none", "AMC: 120", "Hz" },
  { "skeleton", "string", "of an AMC: the text of its ASF, or its path for load_motion" },
  { "animation", "string", "which one of a glTF file", "the first" },
  { "positions", "'guess'|'add'|'replace'", "what position channels of a BVH do to offsets",
    "'guess'" } })
add("bind_options", "Of sinew.bind.", {
  { "map", "table", "joints by name and the segments they follow, for what is not found by "
    .. "itself" },
  { "xml", "string", "the name of the rig's file in the script that is returned", "'rig.xml'" } })
add("nodes_options", "Of sinew.nodes.", {
  { "unit", "number", "length of a unit of a BVH file", 1, "m" } })
add("bake_options", "Of sinew.bake.", {
  { "format", "'bvh'|'csv'", "an animated skeleton, or DOF curves", "'bvh'" },
  { "fps", "number", "frames a second", "the clip's", "Hz" },
  { "unit", "number", "length of a unit of the BVH", 1, "m" } })

-- --- the solver

add("solver_options", "Of sinew.solver.", {
  { "goals", "(goal_options|segment|string)[]|table<string, goal_options|segment|string>",
    "a list, or by name; one in the list has the name of its segment. A segment alone is pinned "
    .. "where it is", needed },
  { "dofs", "(dof|joint_set|string)[]", "DOFs and joint sets that may move",
    "all that move a goal, except those that move the whole rig" },
  { "root", "boolean", "also those that move the whole rig", false },
  { "stiffness", "table<string|dof|joint_set, number>",
    "of DOFs and joint sets in this solver, see dof_options", "that of the DOFs" } })
local goal = {
  { "target", "vector", "a position for its point", nil, "m" },
  { "turn", "turn|matrix", "a rotation in the world; with target it has both" },
  { "look_at", "vector", "a point for direction to look at from point", nil, "m" },
  { "aim", "vector", "a direction in the world for its direction" },
  { "distance", "number", "of point from other_point of other, or from target", nil, "m" },
  { "pole", "vector", "a point to whose side an elbow or knee, the point of the segment, turns "
    .. "about the line between the ends of its limb, from and to", nil, "m" },
  { "above", "number|vector", "a height that point stays above, or a point of a plane", nil, "m" },
  { "point", "vector", "a point of the segment", "{0, 0, 0}", "m" },
  { "direction", "axis", "a direction of the segment", "y" },
  { "up", "axis", "the direction of above and balance, in the world", "y" },
  { "other_point", "vector", "a point of the other segment", "{0, 0, 0}", "m" },
  { "from_point", "vector", "a point of from", "{0, 0, 0}", "m" },
  { "to_point", "vector", "a point of to", "{0, 0, 0}", "m" },
  { "within", "number", "how far a balance may be off", 0, "m" },
  { "weight", "number", "of its squared error, against the other goals; 0: ignored", 1 },
  { "priority", "integer",
    "0 to 3: of two goals that conflict, the one with the higher number gives way", 0 } }
add("goal_options", "A goal: a segment, and what it has to do. What is given decides its kind.",
  with({
    { 1, "segment|string", "what is moved; also segment =. A balance needs none", needed },
    { "segment", "segment|string", "instead of [1]" },
    { "pin", "boolean|'position'|'turn'",
      "stays where it is in the pose from which the solver is made; of a rig, at rest" },
    { "other", "segment|string", "the other segment of a distance" },
    { "from", "segment|string", "where the limb of a pole begins", "the segment's parent" },
    { "to", "segment|string", "where it ends" },
    { "balance", "segment|string|(segment|string)[]",
      "a foot or two: the centre of mass stays over the line between their point and other_point" },
  }, goal))
add("goal_numbers", "Of solver:goal: what may change.", goal)
add("solve_options", "Of solver:solve, solver:drag and crowd:solve.", {
  { "iterations", "integer", "at most, over all starts", 100 },
  { "seconds", "number", "at most", "no limit", "s" },
  { "tolerance", "number", "a goal is met within this", 0.0001, "m" },
  { "tolerance_turn", "number", "or this", 0.1, "deg" },
  { "escapes", "boolean", "where it is stuck, tries again from a few other poses", true },
  { "restarts", "boolean", "then from random ones, the same each time; a drag never does", true },
  { "most_step", "number", "that a DOF may move in one call, as a part of its range",
    "no limit, 0.05 in a drag" },
  { "towards", "'start'|'rest'|pose|numbers|table<string, number>",
    "where DOFs that the goals leave free go: the pose as it is, the rest pose, or a given one",
    "'rest'" },
  { "rest", "pose|numbers|table<string, number>", "the same as towards" },
  { "posture", "number", "how much they go there", "0; 0.00001 with towards" },
  { "metres_per_radian", "number", "how rotations count against positions", 0.3, "m/rad" } })

-- --- shapes

add("solid_mesh_options", "Of solid:mesh.", {
  { "level", "'fine'|'low'|'coarse'", "'low' has few triangles, 'coarse' is there at once",
    "'fine'" },
  { "cell", "number", "size of the cells in which the surface is looked for", "the solid's own",
    "m" } })
add("mesh_table", "A triangle mesh as a table, such as a shape.", {
  { "vertices", "number[]", "x, y, z of each", needed, "m" },
  { "triangles", "integer[]", "indices of vertices, counter-clockwise seen from outside", needed },
  { "normals", "number[]", "unit and smooth", "computed" } })

return options

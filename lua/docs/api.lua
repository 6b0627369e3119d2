-- The documentation of the module besides its components: functions, helpers, and the types of
-- userdata with their methods and fields. A signature is written as in LuaLS, without `fun`;
-- the names of the types below are used as they are.
local api = {}

api.aliases = {
  { "vector", "vec3|number[]|{x?: number, y?: number, z?: number}", "a vec3, or a table" },
  { "turn", "quat|number[]|{x?: number, y?: number, z?: number, w?: number}",
    "a quat, or a table" },
  { "matrix", "mat4|number[]", "a mat4, or a table of sixteen numbers, column-major" },
  { "numbers", "buffer|number[]", "a buffer, or a table of numbers" },
  { "source", "dof|port|component|expression|number|vector|matrix",
    "what an input takes: a DOF, a port, a component with one output, an expression, or a "
    .. "constant" },
  { "scalar", "dof|port|component|expression|number",
    "what stands in an expression: a DOF, a port, a component with one output, or a number" },
  { "axis", "vector|'x'|'y'|'z'|'-x'|'-y'|'-z'", "a direction, or a letter with or without minus" },
  { "points", "number[][]",
    "{ {x, y}, ... } with x rising; also outside = 'clamp' (the default: beyond its points a curve "
    .. "keeps the end values), 'extend' or 'repeat', and scale, offset" },
}

-- tables of options
api.options = require "docs.options"

api.functions = {
  { "rig(name: string): rig", "A new, empty rig." },
  { "cone(options: sinew.component.cone.arguments): cone",
    "A reach cone by itself, with the component's parameters." },
  { "fit_cone(options: fit_cone_options): cone, table", "A cone around motion, and a report." },
  { "field(options: field_options): field, table", "A field around motion, and a report." },
  { "load_field(path: string): field",
    "A field from its file; in a hosted script a file in the script's folder, by its name." },
  { "sculpt_field(options: sculpt_options): field, table",
    "A field from a closed surface, and a report. Not in hosted scripts." },
  { "load_xml(path: string, require?: function): rig?, string?",
    "A rig from XML, or nil and a message with file, line and column; scripted components "
    .. "with a program need nothing, the modules of the others are found by require. "
    .. "In a hosted script the file is in the script's folder." },
  { "parse_xml(text: string, name?: string, require?: function): rig?, string?",
    "The same from a string; messages use the name as the file." },
  { "xml_schema(): string", "The XML format as an XSD schema; lua/sinew.xsd is the same." },
  { "write_file(path: string, text: string): boolean?, string?",
    "Writes a file whole or not at all: a failure leaves the old one, and gives nil and a message. "
    .. "Not in hosted scripts." },
  { "clip(text?: string, name?: string): clip",
    "An empty clip, or keyframes from a text: JSON, or CSV if the name ends with .csv." },
  { "load_clip(path: string): clip?, string?",
    "A clip from a file; nil and a message on failure. Not in hosted scripts." },
  { "bake(rig: rig, clip: clip, options?: bake_options): string",
    "Plays a clip on a rig and returns the text of a file." },
  { "motion(text: string, name: string, options?: motion_options): motion",
    "Motion from a text; the name's extension selects the format: .bvh, .amc, .trc, or "
    .. "an animation of .glb." },
  { "load_motion(path: string, options?: motion_options): motion?, string?",
    "Motion from a file; nil and a message on failure. Not in hosted scripts." },
  { "nodes(path: string, options?: nodes_options): table[]?, string?",
    "The nodes of a .glb, .gltf or .vrm, or the joints of a .bvh, as data: name, parent, world, "
    .. "joint, mesh, scale; and meshes, skins, animations, cameras or frames: for sinew.skeleton."
  },
  { "character(path: string, rig?: rig): character?, string?",
    "A skinned character from .glb, .gltf or .vrm, which follows the rig that it was bound to; "
      .. "nil and "
    .. "a message on failure. In a hosted script a file of its folder." },
  { "options(declared: table): table",
    "What a rig script can be asked for, and what was. The default of an option is its value, or "
    .. "the first of a list; a number may have min, max and doc. Chosen by sinew.load, by `sinew "
    .. "eval RIG --option hands=false`, or in the viewer; wrong names and values are errors." },
  { "solver(from: rig|pose, options: solver_options): solver",
    "Inverse kinematics: finds the DOFs for which goals are met. Limits are never broken; what is "
    .. "out of reach is approached." },
  { "normals(vertices: number[], triangles: integer[]): number[]",
    "Smooth unit normals of a mesh, three numbers for each vertex: the mean of its triangles, "
    .. "weighted by area." },
  { "live_blocks(): integer, integer", "Blocks and bytes that the engine holds now." },
  { "component(declaration: declaration): kind",
    "A new kind of component, by eval or by build. Call it for an instance, which `add` takes." },
  { "relative(options: relative_options): port",
    "The frame of one segment seen from another, as a component in the joint set of `of`." },
  { "distance(a: segment, point_a: source, b: segment, point_b: source): port",
    "Between a point of one segment and a point of another, each in its segment's frame." },
  { "blend(a: source, b: source, weight?: source): port",
    "Between two matrices, of which one at least is a port; half way unless a weight is given." },
  { "check_purity(on: boolean)",
    "Whether every eval of a script is run twice, and must give the same result both times; rigs "
    .. "that are compiled meanwhile run it in Lua." },
  { "join(f: function): function",
    "The same function. While an eval is recorded, each path through its branches is tried for "
    .. "itself, not with those of its caller: for helpers with an `if` that are called often. It "
    .. "must not change what it did not make." },
  { "root(f: (fun(x: number): number), low: number, high: number, steps?: integer): number",
    "Where f, which changes its sign once between the bounds, is 0; without a change, `high`. In a "
    .. "recorded eval at most so many steps are taken, 24 if not said. Of duals its derivative "
    .. "follows from the equation." },
  { "newton(f: function, x: number, y: number, z?: number): number, number, number?",
    "Two or three unknowns, from these starts, for which as many results of f are 0." },
  { "contact(a: number, b: number, c: number, d: number, e: number, low: number, high: number): "
    .. "number, number, number",
    "Cosine and sine of the angle t nearest to 0, from `low` to `high` degrees, at which a + b cos "
    .. "t + c sin t + d cos 2t + e sin 2t is 0, and 0; or of that which comes closest, and what is "
    .. "left there. So a point that turns meets an ellipsoid." },
  { "constant(value: number): curve", "The same value everywhere." },
  { "linear(points: points): curve", "A straight line through two points." },
  { "piecewise(points: points): curve", "Straight between the points." },
  { "spline(points: points): curve", "A natural cubic through the points." },
  { "monotone(points: points): curve", "A cubic through the points that never overshoots." },
  { "simm(points: points): curve",
    "OpenSim's spline; extended by straight lines outside its points." },
  { "polynomial(coefficients: number[]): curve", "c0 + c1 x + c2 x^2 ..." },
  { "rotate(angle: scalar, axis: axis, centre?: vector): expression",
    "The matrix of a rotation, for `drive`: `tibia:drive(sinew.rotate(-flexion, \"x\"))`. A mat4 "
    .. "where the angle is a number." },
  { "translate(amount: scalar|expression|{x?: scalar, y?: scalar, z?: scalar}, axis?: axis): "
    .. "expression", "The matrix of a translation: `sinew.translate(stroke, \"z\")` or "
    .. "`sinew.translate { y = stroke }`." },
  { "min(...: scalar): expression",
    "The smallest: `sinew.min(flexion, 90)`. A number if all are numbers, here and below." },
  { "max(...: scalar): expression", "The largest." },
  { "abs(x: scalar): expression", "Without its sign." },
  { "clamp(x: scalar, low: scalar, high: scalar): expression",
    "Held between two; `explain` does not tell of it, as it does of `x:limit {}`." },
  { "mix(a: scalar, b: scalar, t: scalar): expression", "a + (b - a) t." },
  { "vec3(x?: number|vector, y?: number, z?: number): vec3", "A point or direction." },
  { "quat(x?: number|turn, y?: number, z?: number, w?: number): quat",
    "A rotation; the identity by default." },
  { "mat4(m?: number|matrix, ...: number): mat4", "A matrix; the identity by default." },
  { "buffer(what: integer|string|numbers): buffer",
    "That many zeros, or the given numbers; a string has them as bytes." },
  { "mesh(from: mesh|mesh_table): mesh",
    "A triangle mesh, from a table of its lists, such as a shape." },
  { "solid(options: table): solid",
    "A smooth shape as a distance field, from points and parts by number; shapes.blend makes it "
    .. "from named landmarks." },
  { "sin(degrees: number): number", "The sine of an angle in degrees." },
  { "cos(degrees: number): number", "The cosine of an angle in degrees." },
  { "tan(degrees: number): number", "The tangent of an angle in degrees." },
  { "asin(x: number): number", "The angle in degrees, -90 to 90." },
  { "acos(x: number): number", "The angle in degrees, 0 to 180." },
  { "atan2(y: number, x: number): number", "The angle of (x, y) in degrees, -180 to 180." },
  { "dual(value: number|vector|matrix, rate?: number|vector|matrix): dual",
    "A value with its rate of change; and functions that take plain values or duals." },
  { "catalog(): table[]",
    "The kinds of component as data: name, doc, inputs, outputs, params, holds, named." },
  { "types(): table<string, table>", "The types of userdata as data: methods and fields." },
  { "type(value: any): string", "The name of a value's type, such as 'vec3' or 'joint set'." },
}

api.values = { { "version", "string", "major.minor.patch" } }

api.helpers = {
  { "mirror",
    "mirror(what: joint_set|segment|rig|table, options?: mirror_options): joint_set, table",
    "One side of a body made from the other, across x = 0." },
  { "chain", "chain(rig: rig, name: string, options: chain_options): table",
    "Vertebrae, fingers, tails: a row of segments moved by a few DOFs." },
  { "units", nil, "cm, mm, inches, degrees, radians, turns, points." },
  { "shapes", nil,
    "ellipsoid, box, tube, plate, blend, obj, merge, placed, mirrored, and bones." },
  { "watch", "watch(path: string, options?: watch_options): live?, string?",
    "A rig that is reloaded when its files change." },
  { "load", "load(path: string, chosen?: table): rig?, table|string",
    "A rig from its script, with what is chosen of its options, and a list of them; nil and why "
    .. "where it cannot. Not in hosted scripts." },
  { "skeleton", "skeleton(path: string, options?: skeleton_options): rig?, table|string",
    "A rig with the bones of a character, from .glb, .gltf, .vrm or .bvh, to which joints are "
    .. "added; and what was left out, in lines and counts. nil and why where it cannot." },
  { "bind", "bind(rig: rig, path: string, options?: bind_options): table?, string?, string?",
    "Gives a rig the proportions of a character and makes that follow it: { joints, notes, scale, "
    .. "residual, script, character, ... }. nil, why, and perhaps a map to fill in where it "
      .. "cannot." },
  { "bound", "bound(binding: table): rig",
    "Of a script that `sinew bind` wrote: the rig of an XML file with the binding of a "
      .. "character." },
  { "scale", "scale(rig: rig, factor: number): rig",
    "Every length of a rig multiplied: rest frames, shapes, parameters and curves in metres." },
  { "limb", "limb(body: segment, name: string, options: limb_options): limb",
    "A leg or arm of two or three bones that reaches for points, in closed form." },
  { "gait", "gait(pose: pose, legs: limb[], options?: gait_options): gait",
    "Feet that stand, and step in turn as the body moves." },
  { "spring", "spring(pose: pose, options: spring_options): spring",
    "DOFs that swing after what they are set to, the same at any frame rate." },
  { "lines", "lines(pose: pose, visit: function)",
    "Calls visit(x1, y1, z1, x2, y2, z2, name) for each bone, from its parent's origin to its "
    .. "own." },
}

-- Lua modules to require by name, such as those for one framework alone.
api.modules = {
  { "sinew.love", "Drawing in LÖVE: `view = require 'sinew.love'`, then `view.draw(pose)` or "
    .. "`view.draw(pose, camera)` with a `view.camera { scale = 120, turn = 30, tilt = 35 }`: "
    .. "bones, ranges of hinges, reach cones, shadows; `camera:ground(x, y)` is the place under a "
    .. "pixel." },
}

local function floats(name, count)
  return {
    { "set(...: any): " .. name, "Sets its values." },
    { "copy(dest?: " .. name .. "): " .. name, "A copy." },
    { "near(other: " .. name .. ", tolerance?: number): boolean", "Whether they are close." },
    { "unpack(): " .. ("number, "):rep(count - 1) .. "number", "Its numbers." },
  }
end

local function with(list, more)
  for _, item in ipairs(more) do list[#list + 1] = item end
  return list
end

local bone = { "bone(name: string, options?: bone_options): segment", "A segment and its joint." }

local makers = {
  bone,
  { "segment(name: string, options?: segment_options): segment", "A bone without a joint." },
  { "dof(name: string, options?: dof_options|number, max?: number, more?: dof_options): dof",
    "A scalar to move: dof(name, { min =, max = }) or dof(name, min, max, { ... }). A full name "
    .. "such as 'knee.flexion' makes the joint set where there is none. Wires, poses and files "
    .. "carry degrees and metres, whatever its unit." },
  { "add(instance: userdata): component",
    "Adds an instance of a kind made by sinew.component; for a subnetwork, returns its ports." },
}

-- what DOFs, ports and expressions share
local shaping = {
  { "curve(what: points|curve|(fun(x: number): number), options?: sample_options): expression",
    "A curve of it: through points (monotone), a curve, or a Lua function, sampled once." },
  { "linear(points: points): expression", "sinew.linear of it; so are the next five." },
  { "piecewise(points: points): expression", "" },
  { "spline(points: points): expression", "" },
  { "monotone(points: points): expression", "" },
  { "simm(points: points): expression", "" },
  { "polynomial(coefficients: number[]): expression", "" },
  { "limit(bounds: limit_options): expression",
    "It, held between bounds: `flap:limit { max = 65 - 55 * fold }`. `sinew explain` and "
    .. "`pose:holds` tell when it is held." },
  { "named(name: string): expression", "The same, with a name for its component." },
}
local operand = "dof|port|component|expression|number"
local arithmetic = { ("add(%s): expression"):format(operand),
  ("sub(%s): expression"):format(operand), ("mul(%s|mat4|vec3): expression"):format(operand),
  ("div(%s): expression"):format(operand), "unm: expression" }

local note = { "note(key: string, value?: any): any",
  "The value attached under a key; with a value, attaches it and returns the handle." }
local notes = { "notes", "table", "all that is attached, by key" }
local owner = { "rig", "rig", "the rig it belongs to" }

api.types = {
  { "rig", doc = "Skeleton, joint sets and network; compiled when a pose is created.",
    makes = true,
    methods = with({
      { "joint_set(name: string): joint_set", "A new group of DOFs, components and segments." },
      { "compile(): rig", "Checks and compiles now; the error lists every mistake." },
      { "find(name: string): segment|component|dof", "By full name, such as 'knee.flexion'." },
      { "tune(values: tuning): rig", "Changes values of the rig; others stay. The script host also "
        .. "reads them from 'human.tuning.lua' beside 'human.lua'." },
      { "pose(values?: numbers|table<string, number>): pose",
        "A character: DOF values and transforms; at rest, or with some DOFs set." },
      { "crowd(count: integer, options?: crowd_options): crowd",
        "Many characters, set, evaluated and read in one call. The script host uses one thread." },
      { "xml(): string",
        "The whole rig as XML, exactly, with shapes and labels but no other notes. A shape that is "
        .. "a solid stays one: its points and parts are written, not its mesh. A scripted "
        .. "component that was recorded is stored with its program and opens without Lua; another "
        .. "is stored by the name of its module, so its kind must be defined in one." },
      { "save_xml(path: string, options?: xml_options): boolean?, string?",
        "Writes that to a file; nil and a message on failure. Not in hosted scripts." },
      { "close()", "Frees it; existing poses stay valid." },
    }, makers),
    fields = {
      { "name", "string", "" }, { "warnings", "string", "of compiling, one per line" },
      { "binding", "string?", "how a character follows it (sinew/character.h); may be set" },
      { "segments", "segment[]", "in the order of creation" }, { "dofs", "dof[]", "" },
      { "components", "component[]", "" }, { "joint_sets", "joint_set[]", "" },
    } },
  { "joint_set", lua = "joint set", doc = "A named group; its members are called 'set.member'.",
    makes = true, methods = with({ note }, makers),
    fields = { { "name", "string", "" }, owner,
      { "segments", "segment[]", "those created in it or moved by its components" },
      { "dofs", "dof[]", "" }, { "components", "component[]", "" }, notes } },
  { "segment", doc = "A bone. The DOFs that move it are fields: tibia.flexion. Joints are given to "
    .. "a segment that nothing drives, or in `bone`; a mistake in one leaves nothing behind.",
    others = { "string", "dof" },
    methods = { { "drive(matrix: port|component|expression): segment",
      "What moves it, given once: `tibia:drive(sinew.translate(flexion:curve { {0, 0}, {120, "
      .. "-0.012} }, \"y\") * sinew.rotate(-flexion, \"x\"))`. Components are made as needed, in "
      .. "the segment's joint set." }, bone,
      { "aim(options: aim_options): segment", "Drives it so that it points at another segment." },
      { "ik2(options: ik2_options): sinew.component.ik2",
        "Drives it and its child so that the tip reaches a goal." },
      { "hinge(options: hinge_options|hinge_options[]): segment",
        "Turns about an axis; a list is a product in its order." },
      { "slider(options: hinge_options|hinge_options[]): segment", "Moves along an axis." },
      { "ball(options: ball_options): segment",
        "Swings twice, then twists. Without a cone only the ranges of the DOFs hold." },
      { "free(options?: free_options): segment",
        "Moves freely: DOFs x, y and z, then turn (about y), lean (x) and tilt (z)." },
      note },
    fields = { { "name", "string", "" }, { "parent", "string?", "its parent's name" },
      { "at", "vec3", "where it is at rest, in its parent's frame" },
      { "rotate", "quat?", "how it is rotated there; nil for a frame that mirrors" },
      { "rest", "mat4", "its rest frame in the parent's: both" },
      { "shape", "any",
        "what to draw, see sinew.shapes, or { file = } in the script host; may be set" },
      { "mass", "number?", "kilograms; may be set, nil for none" },
      { "mass_at", "vec3?", "its centre in the segment's frame; may be set" },
      owner,
      { "joint_set", "joint_set?", "the one it was created in" },
      { "driver", "port?", "what moves it" },
      { "held", "table<string, dof|port|expression>",
        "its DOFs as limits leave them: femur.held.flexion" }, notes } },
  { "dof", lua = "DOF", doc = "A scalar that the user moves; stands in expressions.",
    methods = with({ note }, shaping), operators = arithmetic,
    fields = { { "name", "string", "in full" }, { "min", "number", "" }, { "max", "number", "" },
      { "rest", "number", "" }, { "unit", "string", "" }, { "label", "any", "" },
      { "stiffness", "number?", "as it was given, see dof_options; may be set, nil for none" },
      owner, { "joint_set", "joint_set?", "" }, notes } },
  { "component", doc = "A node; its outputs are fields, its parameters can be assigned. One with a "
    .. "single output stands in expressions.", operators = arithmetic,
    methods = {
      { "set(name: string, value: any): component", "Changes a parameter; `false` removes it." },
      { "param(name: string): any", "A parameter as it was given, or nil." },
      { "port(name: string): port", "An output, also one with the name of a parameter." },
      { "swing_twist(axis: axis): port, port, port",
        "As of its only output, a matrix." }, note },
    fields = { { "name", "string", "in full" }, { "kind", "string", "such as 'rotation'" },
      { "inputs", "table[]", "{ name =, kind =, source = } as wired" }, { "outputs", "port[]", "" },
      { "params", "table", "what was given, by name" },
      { "definition", "kind?", "what a script declared" }, owner,
      { "joint_set", "joint_set?", "" }, notes } },
  { "port", doc = "One output of a component; stands in expressions.",
    methods = with({ { "swing_twist(axis: axis): port, port, port",
      "Splits a matrix: the swing, the twist about the axis, which acts first, and the angle by "
      .. "which the swing tilts the axis." } }, shaping), operators = arithmetic,
    fields = { { "name", "string", "" }, { "component", "component", "" },
      { "kind", "string", "'scalar', 'vector' or 'matrix'" } } },
  { "expression", doc = "What + - * / make of DOFs, ports, components and numbers; a product of "
    .. "matrices; or a curve or limit of a scalar. It is a value: components are made when it is "
    .. "used, by `drive` or as an input, and as few as possible. `<` cannot compare expressions.",
    methods = with({}, shaping), operators = arithmetic,
    fields = { { "kind", "string", "'scalar', 'vector' or 'matrix'" },
      { "min", "number", "of a scalar: the least that it can be; -math.huge where not known" },
      { "max", "number", "the most" },
      { "unit", "string", "'deg' or 'm' where it is known, else ''; a factor drops it" }, owner } },
  { "kind", lua = "kind of component", doc = "A kind that a script declared; calling it returns an "
    .. "instance for `add`.", methods = { { "close()", "Frees it." } },
    fields = { { "name", "string", "" }, { "mirror", "any", "its rules for mirroring" },
      { "tangent", "string", "'dual' or 'differences': how it is differentiated" },
      { "segments", "string[]", "the names of its parameters that are segments" },
      { "recorded", "boolean", "whether eval, with the default parameters, runs as a program" },
      { "refusal", "string|nil", "why it does not" },
      { "program", "string|nil", "the text of the program, as in sinew/program.h" } } },
  { "canvas", doc = "What `draw` of a scripted component draws on. A colour is '#rrggbb', red, "
    .. "orange, yellow, green, blue, purple, white or grey; without one the viewer chooses.",
    methods = {
      { "line(a: vector, b: vector, colour?: string)", "A line." },
      { "arrow(from: vector, to: vector, colour?: string)", "An arrow." },
      { "disc(centre: vector, normal: vector, radius: number, colour?: string)", "A disc." },
      { "ellipsoid(centre: vector, radii: vector, turn?: quat|mat4|string, colour?: string)",
        "An ellipsoid, turned or not; the colour may come in place of the turn." },
      { "cone(apex: vector, axis: vector, half_angle: number, length: number, colour?: string)",
        "A cone, with half its opening angle in degrees and the length of its side." },
      { "text(at: vector, words: string, colour?: string)", "A text, at most 79 bytes." } },
    fields = {} },
  { "curve", doc = "A function of one scalar; called, it gives value and slope, or of an "
    .. "expression an expression. Beyond its points it keeps the end values, unless "
    .. "`outside` says otherwise.",
    operators = { "call(dof|port|component|expression): expression" },
    methods = { { "eval(x: number): number, number", "Value and slope." },
      { "close()", "Frees it." } },
    fields = { { "kind", "string", "" }, { "points", "number[][]", "" },
      { "coefficients", "number[]", "" }, { "outside", "string", "'clamp', 'extend', 'repeat'" },
      { "scale", "number", "" }, { "offset", "number", "" } } },
  { "cone", doc = "A reach cone by itself; #cone is the number of points.",
    methods = {
      { "inside(direction: vector): boolean", "Whether a direction is allowed." },
      { "hold(direction: vector, dest?: vec3): vec3, boolean",
        "The nearest allowed direction towards rest, and whether the direction was limited." },
      { "twist(direction: vector): number?, number?",
        "The twist limits in that direction; nothing if the twist is free." },
      { "close()", "Frees it." },
    },
    fields = { { "points", "vec3[]", "after smoothing" },
      { "twist_limits", "number[][]?", "at the points, and last at the visible point" },
      { "rest", "vec3", "" }, { "visible", "vec3", "" }, { "area", "number", "steradians" } } },
  { "field", doc = "A signed distance field over one to six angles; #field is their number.",
    methods = {
      { "lookup(...: number): number, ...number", "The distance in degrees, then its gradient." },
      { "feasible(...: number): boolean", "Whether the angles are allowed." },
      { "project(...: number): number, ...number",
        "Allowed angles, then how far they were moved." },
      { "surface(): table", "{ vertices =, triangles = } of its border, to draw." },
      { "save(path: string): boolean?, string?", "Writes a file; nil and a message on failure." },
      { "close()", "Frees it." },
    },
    fields = { { "epsilon", "number", "degrees" }, { "bytes", "number", "" },
      { "components", "integer", "connected parts of the allowed region" } } },
  { "clip", doc = "Keyframes of DOFs by full name, with interpolation between them; times are "
    .. "seconds.",
    methods = {
      { "set(name: string, time: number, value: number, way?: string): clip",
        "Sets a key; 'smooth', 'linear' or 'hold' is the interpolation after it." },
      { "remove(name: string, time?: number): boolean",
        "Removes a key, or the whole channel; returns whether it existed." },
      { "keys(name: string): table[]?", "A list of { time =, value =, way = }, in order." },
      { "sample(name: string, time: number): number?", "A channel's value at any time." },
      { "apply(pose: pose, time: number): integer, string?",
        "Sets the DOFs; returns how many channels have no DOF in the rig, and which." },
      { "copy(): clip", "A copy." },
      { "text(): string", "As JSON, which sinew.clip reads." },
      { "save(path: string): boolean?, string?", "Writes a file; nil and a message on failure." },
      { "close()", "Frees it." },
    },
    fields = { { "channels", "string[]", "names of DOFs, sorted" },
      { "duration", "number", "the time of the last key" },
      { "fps", "number", "frames per second, for a timeline; may be set" },
      { "loop", "boolean", "whether it starts again at its end; may be set" } } },
  { "motion", doc = "Recorded motion: joints or markers in metres; #motion is the number of "
    .. "frames. Frames, joints and markers count from 1; joints and markers are also found by "
    .. "name.",
    methods = {
      { "world(frame: integer, joint: integer|string, dest?: mat4): mat4",
        "A joint in the world." },
      { "joint(frame: integer, joint: integer|string, dest?: mat4): mat4",
        "A joint in its parent's frame." },
      { "marker(frame: integer, marker: integer|string, dest?: vec3): vec3?",
        "The position of a marker; nil if it is missing in that frame." },
      { "gaps(marker?: integer|string): integer",
        "In how many frames a marker is missing; without one, the sum over all markers." },
      { "close()", "Frees it." },
    },
    fields = { { "joints", "table[]", "a list of { name =, parent =, offset =, tip = }" },
      { "markers", "string[]", "their names" }, { "kind", "string", "'skeleton' or 'markers'" },
      { "format", "string", "'BVH', 'AMC', 'TRC' or 'glTF'" }, { "frames", "integer", "" },
      { "rate", "number", "frames per second" },
      { "unit", "number", "metres in a unit of the file" },
      { "warnings", "string", "of reading, one per line" } } },
  { "character", doc = "A skinned character: nodes, parts to draw, and matrices for a skinning "
    .. "shader. Nodes, parts and images count from 1.",
    methods = {
      { "bind(rig: rig, text?: string): character?, string?",
        "Follows the rig as its binding, or the text, says." },
      { "worlds(pose: pose|crowd|nil, dest?: buffer): buffer",
        "The world matrices of all nodes; without a pose the bind pose." },
      { "matrices(pose: pose|crowd|nil, dest?: buffer): buffer",
        "The matrices that the joints of vertices refer to, of each character of a crowd in "
          .. "turn." },
      { "extent(node: integer|string, direction: vec3): number?, number?",
        "From where to where the vertices below a node reach along a direction." },
      { "part(index: integer): table",
        "What to draw: name, positions, normals, uvs, joints (from 0), weights, triangles, color, "
        .. "image, alpha, cutoff, double_sided." },
      { "image(index: integer): string?, string?", "The bytes of a picture and its type." },
      { "limits(pose?: pose, count?: integer): table[]",
        "Swing cones and twist ranges for physics, measured over random poses, or as the file has "
        .. "them: joint, parent, frame, centre, swing_y, swing_z, twist_min, twist_max, reached "
        .. "(lua/docs/characters.md)." },
      { "close()", "Frees it." },
    },
    fields = {
      { "nodes", "table[]", "a list of { name =, parent =, joint =, human =, weight =, driven =, "
        .. "rest =, bind = }" },
      { "height", "number", "of the bind pose in metres" },
      { "warnings", "string", "what was repaired or left out while reading, one per line" },
      { "matrix_count", "integer", "" }, { "part_count", "integer", "" },
      { "image_count", "integer", "" },
      { "place", "mat4?", "from the rig's metres to the character's world; nil: not bound" },
      { "stored", "table?", "what a file that Sinew wrote keeps of its rig: dofs (a tuning), pose "
        .. "(DOF values of the last frame) and holds" } } },
  { "pose", doc = "One character. pose.knee.flexion = 60 sets a DOF, held to its range, and "
    .. "pose.knee.flexion reads it; pose['knee.flexion'] and pose[dof] do the same.",
    methods = {
      { "set(values: numbers|table<string, number>): boolean",
        "Sets all DOFs in the rig's order, or some by name; returns true if none was held." },
      { "dofs(dest?: numbers): numbers", "All DOF values." },
      { "reset(): pose", "Sets every DOF to rest." },
      { "eval(): pose", "Evaluates now; otherwise the next read does, if needed." },
      { "world(segment: segment|string, dest?: mat4): mat4", "A segment in the world." },
      { "position(segment: segment|string, dest?: vec3): vec3",
        "Where a segment's origin is in the world: pose:position 'foot'." },
      { "frame(segment: segment|string, from: segment|string, dest?: mat4): mat4",
        "A segment in the frame of another: pose:frame('hand', 'pelvis')." },
      { "driven(segment: segment|string, dest?: mat4): mat4", "What the network drives into it." },
      { "worlds(dest?: numbers): numbers", "All world matrices, 16 numbers each." },
      { "value(port: port|component, dest?: vec3|mat4): number|vec3|mat4", "The value of a port." },
      { "holds(): table[]", "What is held back: name, port, by, amount." },
      { "marks(component: component): table[]",
        "What a scripted component draws, by kind: `at`, `to`, `radius` and so on." },
      { "jacobian(segment: segment|string, options?: jacobian_options): vec3[], vec3[]",
        "Exact derivatives: for each DOF the velocity of a point of the segment in the world, and "
        .. "the angular velocity of the segment in radians; per unit of the DOF." },
      { "blend(other: pose, t: number): pose",
        "Goes t of the way to another pose of the rig, DOF by DOF, held to the ranges: "
        .. "`pose:blend(aiming, 0.3)`." },
      { "carry(other: pose): integer",
        "Takes the values of all DOFs that the other pose has by the same names, of any rig; how "
        .. "many." },
      { "put(dofs: integer[], values: number[]): boolean",
        "Some DOFs at once, by their numbers in rig.dofs, at most 256: the quickest way; true "
        .. "where none was held." },
      { "pack(bits?: integer): string",
        "The DOFs in a short string for saves and networks, the same on every machine: 8 bytes, a "
        .. "bit for each DOF and 4 bytes for each that is not 0, exactly; with 16 bits, 8 bytes "
        .. "and 2 for each DOF, to 1/131070 of its range." },
      { "unpack(packed: string): pose?, string?",
        "Takes them back: `assert(pose:unpack(text))`; nil and why where they are of a rig with "
        .. "other DOFs, or damaged." },
      { "close()", "Frees it." },
    }, fields = { { "rig", "rig", "" } }, others = { "string|dof", "number|pose_view" } },
  { "pose_view", lua = "joint set of a pose",
    doc = "The DOFs of one joint set in a pose, by their short names: pose.knee.", methods = {},
    fields = {}, others = { "string", "number" } },
  { "solver", doc = "Finds the DOFs for which goals are met, or nearly so, within every limit. "
    .. "Goals count from 1. solver.foot = { x, y, z } sets a target by the name of its goal, and "
    .. "solver.foot reads it: a vec3, a mat4 for a pin or a turn, a number for a distance, a "
    .. "height or a balance. A pin takes a vec3, a quat, or a mat4 for both.",
    methods = {
      { "solve(pose: pose, options?: solve_options, result?: table): table",
        "Moves the pose to the best that it finds. Gives reached, reason ('reached', 'nearest', "
        .. "'iterations', 'seconds'), error in metres, error_turn in degrees, iterations, "
        .. "evaluations, starts and cost, in the given table or a new one." },
      { "press(pose: pose): solver",
        "A drag begins: DOFs that the goals leave free return to this pose." },
      { "drag(pose: pose, options?: solve_options, result?: table): table",
        "A frame of a drag, after the goals were set: the pose goes on from where it is, by small "
        .. "steps; a goal that returns brings the pose of the press back. The result is as of "
        .. "solve." },
      { "target(goal: integer|string, target: vector|turn|matrix|number): solver",
        "Another target of a goal, of the sort that it has." },
      { "goal(goal: integer|string, numbers: goal_numbers): solver",
        "Other numbers of a goal: its target, point, direction, weight, priority ... Its kind and "
        .. "segments stay." },
      { "range(dof: dof|string, min?: number, max?: number): solver",
        "The values that a DOF may take here; without numbers, all of its range." },
      { "stiffness(what: dof|joint_set|string, stiffness?: number): solver|number",
        "Sets how much a DOF or a joint set resists here, see dof_options; without a number, that "
        .. "of a DOF." },
      { "error(goal: integer|string, pose: pose): number, number?",
        "How far a goal is off, in metres or degrees; of a pin both." },
      { "close()", "Frees it." },
    }, fields = { { "dofs", "string[]", "names of the DOFs that it moves" } },
    others = { "string", "vec3|mat4|number" } },
  { "crowd", doc = "Many characters of one rig; #crowd is how many. Numbers are one character "
    .. "after the other. Where scripted components fail, the error names the first character; "
    .. "those that failed keep their rest transforms, all others are evaluated.",
    methods = {
      { "pose(values: numbers, worlds: buffer): boolean",
        "Sets all DOFs of all characters and evaluates their world matrices directly into the "
        .. "buffer; returns true if no DOF was held. The fastest way: no matrix is copied, nothing "
        .. "allocated." },
      { "set(values: numbers): boolean",
        "Sets all DOFs of all characters; returns true if none was held." },
      { "dofs(dest?: numbers): numbers", "All DOF values of all characters." },
      { "reset(): crowd", "Sets every DOF to rest." },
      { "eval(): crowd", "Evaluates all." },
      { "worlds(dest?: numbers): numbers", "All world matrices of all characters." },
      { "solve(solver: solver, targets?: table, options?: solve_options, result?: table): table",
        "Solves every character from where it is, on the crowd's threads. Targets are for each "
        .. "goal by name or number: a vec3 and the like for each character, or all numbers in a "
        .. "row: { hand = buffer }; other goals are as the solver has them. Gives reached (how "
        .. "many), missed (a list of the others), the worst error and error_turn, and the sums of "
        .. "iterations, evaluations, starts and cost." },
      { "close()", "Frees it." },
    }, fields = { { "threads", "integer", "threads that share the work" },
      { "lanes", "integer", "characters evaluated together" },
      { "instructions", "string", "vector instructions in use: 'SSE2', 'AVX2' or 'NEON'" } } },
  { "vec3", doc = "Three floats. Operators return new values; methods named by a verb change "
    .. "the object and return it; those named by a noun leave it unchanged and take a userdata "
    .. "to write to. + - * / == #.",
    functions = {},
    operators = { "add(vector): vec3", "sub(vector): vec3", "mul(number|vector): vec3",
      "mul(dof|port|expression): expression", "div(number|vector): vec3", "unm: vec3" },
    methods = with({
      { "add(v: vector, factor?: number): vec3", "Becomes self + factor v." },
      { "sub(v: vector): vec3", "Becomes self - v." },
      { "mul(by: number|vector): vec3", "Multiplies it." },
      { "div(by: number|vector): vec3", "Divides it." },
      { "negate(): vec3", "Becomes -self." }, { "normalize(): vec3", "Scales it to length 1." },
      { "rotate(q: turn): vec3", "Rotates it." },
      { "transform(m: matrix): vec3", "Becomes m * self, as a point." },
      { "dot(v: vector): number", "The scalar product." },
      { "cross(v: vector, dest?: vec3): vec3", "The vector product." },
      { "length(): number", "Its length." },
      { "distance(v: vector): number", "The distance to another point." },
      { "angle(v: vector): number", "Degrees between both, 0 to 180." },
      { "unit(dest?: vec3): vec3", "Its direction." },
      { "lerp(v: vector, t: number, dest?: vec3): vec3", "Interpolates between self and v." },
    }, floats("vec3", 3)),
    fields = { { "x", "number", "may be set" }, { "y", "number", "may be set" },
      { "z", "number", "may be set" } } },
  { "quat", doc = "A rotation as x, y, z, w. q * v rotates a vec3. + - * / == #.",
    functions = {
      { "axis(axis: vector, degrees: number): quat", "A rotation about an axis." },
      { "euler(order: string, a: number, b: number, c: number): quat", "'xyz' is Rx Ry Rz." },
      { "between(from: vector, to: vector): quat", "The shortest rotation." },
    },
    operators = { "add(turn): quat", "sub(turn): quat", "mul(number|turn): quat", "mul(vec3): vec3",
      "div(number): quat", "unm: quat" },
    methods = with({
      { "mul(by: turn|number): quat", "Becomes self * by." }, { "add(q: turn): quat", "Adds." },
      { "negate(): quat", "Becomes -self, the same rotation." },
      { "normalize(): quat", "Scales it to length 1." },
      { "invert(): quat", "Becomes the inverse rotation." },
      { "inverse(dest?: quat): quat", "The inverse rotation." },
      { "unit(dest?: quat): quat", "The same with length 1." },
      { "dot(q: turn): number", "The scalar product." }, { "length(): number", "Its length." },
      { "angle(q?: turn): number", "Degrees to another rotation, or of this one, 0 to 180." },
      { "axis_angle(dest?: vec3): vec3, number", "Axis and degrees." },
      { "angles(order: string): number, number, number", "Euler angles in degrees." },
      { "slerp(q: turn, t: number, dest?: quat): quat", "Interpolates along the shorter arc." },
      { "direction(v: vector, dest?: vec3): vec3", "Transforms a direction." },
    }, floats("quat", 4)),
    fields = { { "x", "number", "may be set" }, { "y", "number", "may be set" },
      { "z", "number", "may be set" }, { "w", "number", "may be set" } } },
  { "mat4", doc = "Sixteen floats, column-major; m[13] to m[15] is the translation. m * n, and "
    .. "m * v for a point. == #.",
    functions = {
      { "translation(x: number|vector, y?: number, z?: number): mat4", "A translation." },
      { "scaling(x: number|vector, y?: number, z?: number): mat4", "A scaling." },
      { "turn(axis: vector, degrees: number, centre?: vector): mat4", "A rotation." },
      { "euler(order: string, a: number, b: number, c: number): mat4", "'xyz' is Rx Ry Rz." },
      { "from(q?: turn, position?: vector): mat4", "Rotates, then translates." },
      { "rows(rows: number[][]): mat4", "From its rows." },
      { "columns(columns: table[]): mat4", "From its columns: axes and position." },
    },
    operators = { "mul(mat4): mat4", "mul(vec3): vec3",
      "mul(port|component|expression): expression" },
    methods = with({
      { "mul(m: matrix): mat4", "Becomes self * m." },
      { "premul(m: matrix): mat4", "Becomes m * self." },
      { "translate(v: vector): mat4", "Becomes self * translation(v)." },
      { "rotate(axis: vector, degrees: number, centre?: vector): mat4",
        "Becomes self * turn(...)." },
      { "invert(): mat4", "Becomes its inverse." },
      { "transpose(): mat4", "Becomes its transpose." },
      { "inverse(dest?: mat4): mat4", "Its inverse." },
      { "transposed(dest?: mat4): mat4", "Its transpose." },
      { "determinant(): number", "Negative if it mirrors." },
      { "point(v: vector, dest?: vec3): vec3", "Transforms a point." },
      { "direction(v: vector, dest?: vec3): vec3", "Transforms a direction." },
      { "position(dest?: vec3): vec3", "Its translation." },
      { "rotation(dest?: quat): quat", "Its rotation." },
      { "angles(order: string): number, number, number", "Euler angles in degrees." },
      { "get(row: integer, column: integer): number", "One entry." },
      { "rigid(tolerance?: number): boolean", "Whether it only translates, rotates and mirrors." },
    }, floats("mat4", 16)),
    fields = {} },
  { "dual", doc = "A number, vec3 or mat4 with its rate of change. + - * / ^ compare as "
    .. "values; on LuaJIT a dual and a number cannot be compared by < (take its value). Every "
    .. "function returns a plain value for plain values, so that one eval serves both; "
    .. "sinew.sin and the others in degrees take duals too. If there is no derivative, the "
    .. "rate is 0.",
    functions = {
      { "sin(degrees: number|dual): number|dual", "" },
      { "cos(degrees: number|dual): number|dual", "" },
      { "tan(degrees: number|dual): number|dual", "" }, { "asin(x: number|dual): number|dual", "" },
      { "acos(x: number|dual): number|dual", "" },
      { "atan2(y: number|dual, x: number|dual): number|dual", "Angles are degrees." },
      { "sqrt(x: number|dual): number|dual", "" }, { "exp(x: number|dual): number|dual", "" },
      { "log(x: number|dual): number|dual", "" }, { "abs(x: number|dual): number|dual", "" },
      { "min(x: number|dual, ...: number|dual): number|dual", "" },
      { "max(x: number|dual, ...: number|dual): number|dual", "" },
      { "clamp(x: number|dual, low: number|dual, high: number|dual): number|dual",
        "At a bound the rate passes through, beyond it is 0." },
      { "vec3(x: number|dual, y: number|dual, z: number|dual): vec3|dual", "" },
      { "translation(x: number|dual|vector, y?: number|dual, z?: number|dual): mat4|dual",
        "A translation." },
      { "turn(axis: vector, degrees: number|dual, centre?: vector): mat4|dual", "A rotation." },
      { "euler(order: string, a: number|dual, b: number|dual, c: number|dual): mat4|dual",
        "'xyz' is Rx Ry Rz." },
    },
    methods = {
      { "value(): number|vec3|mat4", "Without the rate." },
      { "rate(): number|vec3|mat4", "Its rate of change." },
      { "dot(v: vector|dual): number|dual",
        "Of vectors. These methods are also functions of sinew.dual." },
      { "cross(v: vector|dual): vec3|dual", "" }, { "length(): number|dual", "" },
      { "unit(): vec3|dual", "" }, { "point(v: vector|dual): vec3|dual", "Of a matrix." },
      { "direction(v: vector|dual): vec3|dual", "Of a matrix." },
      { "position(): vec3|dual", "Of a matrix." }, { "inverse(): mat4|dual", "Of a matrix." },
    }, fields = {} },
  { "buffer", doc = "A fixed number of floats, from b[1] to b[#b].", functions = {},
    methods = {
      { "set(from: numbers|string, at?: integer): buffer", "Copies in." },
      { "fill(number: number, first?: integer, last?: integer): buffer",
        "Sets a range to one number." },
      { "put(i: integer, value: vec3|quat|mat4): buffer", "Stores it as the i-th of its type." },
      { "string(first?: integer, last?: integer): string", "As bytes." },
      { "table(dest?: table, first?: integer, last?: integer): number[]", "As a table." },
      { "copy(first?: integer, last?: integer): buffer", "A new buffer." },
      { "unpack(first?: integer, last?: integer): ...number", "As results, at most 200." },
      { "vec3(i: integer, dest?: vec3): vec3", "The i-th vec3." },
      { "quat(i: integer, dest?: quat): quat", "The i-th quat." },
      { "mat4(i: integer, dest?: mat4): mat4", "The i-th mat4." },
    }, fields = {} },
  { "mesh", doc = "A triangle mesh, from which shapes are made. The table of a shape may have "
    .. "one in its field mesh instead of the three lists. Triangles are "
    .. "counter-clockwise seen from outside.",
    functions = {
      { "loft(rings: vector[][], first: vector, last: vector): mesh",
        "Rings of equally many points joined into a tube, its ends closed by two points; each "
        .. "ring is counter-clockwise seen from the next." },
      { "ball(sides: integer, rings: number, centre: vector, radii: vector): mesh",
        "An ellipsoid of rings about the y axis." },
      { "tube(points: vector[], steps: integer, sizes: number[], sides: integer, up: vector, "
        .. "cap: number): mesh",
        "Along a smooth curve through the points, with this many steps for each interval; "
        .. "sizes are two half widths for each step, along up and sideways; cap rounds the "
        .. "ends, 0: flat." },
      { "merge(parts: mesh[]): mesh",
        "Merges several meshes, or shapes; parts share no vertices." },
    },
    methods = {
      { "placed(matrix: matrix): mesh", "Transformed, with normals computed again." },
      { "mirrored(): mesh", "Across x = 0." },
    },
    fields = {
      { "vertices", "number[]", "x, y, z of each; a new list each time" },
      { "normals", "number[]", "unit and smooth; a new list each time" },
      { "triangles", "integer[]", "indices of vertices, from 1; a new list each time" },
    } },
  { "solid", doc = "A smooth shape that becomes a mesh only when somebody asks for one. The table "
    .. "of a shape may have one in its field solid instead of the three lists.",
    functions = {
      { "merge(parts: solid[]): solid", "Several side by side in one; they are not blended." },
      { "fit(from: number[][], to: number[][], points: number[][]): mat4",
        "The similarity that takes points to targets best; points are bent in place, smoothly, by "
        .. "what it leaves over." },
    },
    methods = {
      { "placed(matrix: matrix): solid", "Transformed." },
      { "mirrored(): solid", "Across x = 0." },
      { "distance(point: vector): number",
        "Metres from the surface, negative inside. Blends make it a little too small." },
      { "mesh(options?: solid_mesh_options): mesh", "Its triangles: closed, each edge with two." },
      { "close()", "Frees it." },
    }, fields = {} },
}

-- What helpers make: tables with methods.
api.tables = {
  { "live", doc = "A rig that is reloaded when its files change, made by sinew.watch.",
    methods = {
      { "poll(now?: number): boolean", "Looks at the files; true if there is a new rig." },
      { "reload(): boolean, string?", "Reloads now: true, or false and the message." },
      { "carry(pose: pose): pose", "A pose of the newest rig with the values of an older pose." },
    },
    fields = { { "rig", "rig", "the last good one" }, { "pose", "pose", "a pose of it" },
      { "error", "string?", "message of the last attempt; nil if it succeeded" },
      { "paused", "boolean?", "set it to true to keep the current rig" }, { "path", "string", "" },
      { "files", "table", "those that are watched" }, { "count", "integer", "rigs so far" },
      { "milliseconds", "number", "of the last load" } } },
  { "limb", doc = "A leg or arm made by sinew.limb.",
    methods = {
      { "reach(pose: pose, x: number|vector, y?: number, z?: number): number",
        "Takes the foot to a point in the world, or as near as it can; how far off it is." },
      { "place(pose: pose, x: number, y: number, z: number): number, number, number, number",
        "The same in the frame of the body; how far off, and where the foot is then." },
      { "solve(pose: pose, x: number, y: number, z: number): ...number",
        "The angles for that, without setting them: yaw, lift, bend; then as `place`." },
    },
    fields = { { "name", "string", "" }, { "body", "segment", "" },
      { "segments", "segment[]", "from the body to the foot" },
      { "dofs", "string[]", "full names of yaw, lift and bend" },
      { "home", "table", "x, y, z of the foot at rest, in the frame of the body" } } },
  { "gait", doc = "Walking feet made by sinew.gait.",
    methods = {
      { "update(dt: number)", "A frame of dt seconds, after the body was moved." },
      { "toward(x: number, z: number, dt: number)",
        "Moves the body towards a point by its DOFs x, z and turn, then updates." },
      { "foot(leg: integer): number, number, number, boolean",
        "Where a foot is in the world, and whether it stands." },
      { "plant()", "Puts all feet below the body at once." },
    },
    fields = { { "pose", "pose", "" } } },
  { "spring", doc = "Swinging DOFs made by sinew.spring.",
    methods = {
      { "update(dt: number)", "A frame of dt seconds; what was set since the last is the goal." },
      { "jump()", "Rests at what the pose has now." },
      { "goal(i: integer): number", "Where its i-th DOF is going." },
    },
    fields = { { "pose", "pose", "" } } },
}

return api

-- What the module offers besides the components, in words: functions, helpers, and the types of
-- userdata with their methods and fields. A signature is written as in LuaLS, without `fun`; the
-- the names of the types below are used as they are.
local api = {}

api.aliases = {
  { "vector", "vec3|number[]|{x?: number, y?: number, z?: number}", "a vec3, or a table" },
  { "turn", "quat|number[]|{x?: number, y?: number, z?: number, w?: number}",
    "a quat, or a table" },
  { "matrix", "mat4|number[]", "a mat4, or a table of sixteen numbers, column by column" },
  { "numbers", "buffer|number[]", "a buffer, or a table of numbers" },
  { "source", "dof|port|component|number|vector|matrix",
    "what an input takes: a DOF, a port, a component with one output, or a constant" },
  { "points", "number[][]",
    "{ {x, y}, ... } with x rising; also outside = 'clamp'|'extend'|'repeat', scale, offset" },
}

api.functions = {
  { "rig(name: string): rig", "A new, empty rig." },
  { "cone(options: table): cone", "A reach cone by itself, with the component's parameters." },
  { "fit_cone(options: table): cone, table",
    "A cone around motion: samples (quats), rest, share, tolerance, cell, axes; and a report." },
  { "field(options: table): field, table",
    "A field around motion: axes, samples or clips, order, quaternions, join; and a report." },
  { "load_field(path: string): field",
    "A field from its file; in a hosted script a file in the script's folder, by its name." },
  { "sculpt_field(options: table): field, table",
    "A field from a closed surface: axes, obj (a path); not in hosted scripts." },
  { "load_xml(path: string, require?: function): rig?, string?",
    "A rig from XML, or nil and a message with file, line and column; the modules of its scripted "
    .. "components are found by require. In a hosted script the file is one beside the script." },
  { "parse_xml(text: string, name?: string, require?: function): rig?, string?",
    "The same from a string; messages use the name as the file." },
  { "xml_schema(): string", "The XML format as an XSD schema; lua/sinew.xsd is the same." },
  { "clip(text?: string, name?: string): clip",
    "Key frames: none yet, or out of a text: JSON, or a table where the name ends with .csv." },
  { "load_clip(path: string): clip?, string?",
    "Key frames from a file; nil and why where it cannot; not in hosted scripts." },
  { "bake(rig: rig, clip: clip, options?: table): string",
    "A clip played on a rig, as the text of a file: format ('bvh', or 'csv' for DOF curves), fps, "
    .. "unit (metres in a unit of the BVH)." },
  { "motion(text: string, name: string, options?: table): motion",
    "Motion out of a text; the name's ending says which: .bvh, .amc (its skeleton's text as "
    .. "skeleton) or .trc. Options: unit (metres), rate, positions ('guess', 'add', 'replace')." },
  { "load_motion(path: string, options?: table): motion?, string?",
    "Motion from a file, skeleton being a path; nil and why where it cannot; not in hosted "
    .. "scripts." },
  { "nodes(path: string, options?: table): table[]?, string?",
    "The nodes of a .glb, .gltf or .vrm, or the joints of a .bvh, as data: name, parent, world, "
    .. "joint, mesh, scale; and meshes, skins, animations, cameras or frames: for sinew.skeleton."
  },
  { "options(declared: table): table",
    "What a rig script can be asked for, and what was: `local options = sinew.options { hands = "
    .. "true, spine = { 'full', 'simple' }, height = { 1.8, min = 1, max = 2.5, doc = 'metres' } "
    .. "}`. The default is the value, or the first of a list. Chosen by sinew.load, by `sinew eval "
    .. "RIG --option hands=false`, or in the viewer; wrong names and values are errors." },
  { "solver(rig: rig, options: table): solver",
    "Inverse kinematics: goals = a list of tables, each with segment = and one of target = (where "
    .. "its point = shall be), turn = (a quat or mat4), look_at = (a point for direction = to look "
    .. "at from point =), aim = (the world direction that direction = shall have) or distance = "
    .. "(of point = from other_point = of other =, or from target =), and weight =; dofs = those "
    .. "that may move, all that matter unless given." },
  { "normals(vertices: number[], triangles: integer[]): number[]",
    "Smooth unit normals of a mesh, three numbers for each vertex, by the areas of the triangles "
    .. "about it." },
  { "live_blocks(): integer, integer", "Blocks and bytes that the engine holds now." },
  { "component(declaration: table): kind",
    "A new kind of component: name, inputs, outputs (names; 'frame: matrix' says a kind other than "
    .. "scalar), params (defaults), eval(self, ...) that gives the outputs, or build(self, owner, "
    .. "...) that wires known components, mirror (rules for sinew.mirror), and tangent: 'dual' "
    .. "where eval works on dual numbers (see sinew.dual), so that its derivative is exact, or "
    .. "'differences', the default." },
  { "check_purity(on: boolean)",
    "Whether every eval of a script is run twice, and must give the same both times." },
  { "constant(value: number): curve", "The same everywhere." },
  { "linear(points: points): curve", "A straight line through two points." },
  { "piecewise(points: points): curve", "Straight between the points." },
  { "spline(points: points): curve", "A natural cubic through the points." },
  { "monotone(points: points): curve", "A cubic through the points that never overshoots." },
  { "simm(points: points): curve", "OpenSim's spline; outside its points it goes on straight." },
  { "polynomial(coefficients: number[]): curve", "c0 + c1 x + c2 x^2 ..." },
  { "vec3(x?: number|vector, y?: number, z?: number): vec3", "A point or direction." },
  { "quat(x?: number|turn, y?: number, z?: number, w?: number): quat",
    "A turn; none unless given." },
  { "mat4(m?: number|matrix, ...: number): mat4", "A matrix; the identity unless given." },
  { "buffer(what: integer|string|numbers): buffer",
    "That many zeros, or the numbers given; a string holds them as bytes." },
  { "mesh(from: mesh|table): mesh",
    "A surface of triangles in the making, of a table with vertices, triangles and perhaps "
    .. "normals, such as a shape." },
  { "sin(degrees: number): number", "The sine of an angle in degrees." },
  { "cos(degrees: number): number", "The cosine of an angle in degrees." },
  { "tan(degrees: number): number", "The tangent of an angle in degrees." },
  { "asin(x: number): number", "The angle in degrees, -90 to 90." },
  { "acos(x: number): number", "The angle in degrees, 0 to 180." },
  { "atan2(y: number, x: number): number", "The angle of (x, y) in degrees, -180 to 180." },
  { "dual(value: number|vector|matrix, rate?: number|vector|matrix): dual",
    "A value that carries its rate of change; and functions that take plain values or duals." },
  { "catalog(): table[]",
    "The kinds of component as data: name, doc, inputs, outputs, params, holds, named." },
  { "types(): table<string, table>", "The types of userdata as data: methods and fields." },
  { "type(value: any): string", "The name of a value's type, such as 'vec3' or 'joint set'." },
}

api.values = { { "version", "string", "major.minor.patch" } }

api.helpers = {
  { "mirror", "mirror(what: joint_set|segment|rig|table, options?: table): joint_set, table",
    "One side of a body made from the other, across x = 0." },
  { "chain", "chain(rig: rig, name: string, options: table): table",
    "Vertebrae, fingers, tails: a row of segments moved by a few DOFs." },
  { "units", nil, "cm, mm, inches, degrees, radians, turns, points." },
  { "shapes", nil, "ellipsoid, box, tube, plate, obj, merge, placed, mirrored, and bones." },
  { "watch", "watch(path: string, options?: table): table?, string?",
    "A rig that is reloaded when its files change." },
  { "load", "load(path: string, options?: table): rig?, table|string",
    "A rig from its script, with what is chosen of its options: `sinew.load('human.lua', { hands = "
    .. "false })`; and a list of them. nil and why where it cannot; not in hosted scripts." },
  { "skeleton", "skeleton(path: string, options?: table): rig?, table|string",
    "A rig with the bones of a character, to which joints are added: `local rig, loss = "
    .. "assert(sinew.skeleton 'hero.glb')`, from .glb, .gltf, .vrm or .bvh; and what was left out, "
    .. "in lines and counts. Options: name, all, unit. nil and why where it cannot." },
  { "scale", "scale(rig: rig, factor: number): rig",
    "Every length of a rig multiplied: rest frames, shapes, parameters and curves in metres." },
  { "limb", "limb(body: segment, name: string, options: table): limb",
    "A leg or arm of two or three bones that reaches for points: `leg = sinew.limb(body, 'leg1', { "
    .. "at = {0.1, 0, 0}, foot = {0.5, -0.3, 0}, lengths = {0.3, 0.4} })`; also knee, yaw, lift, "
    .. "bend." },
  { "gait", "gait(pose: pose, legs: limb[], options?: table): gait",
    "Feet that stand, and step in turn as the body moves: `walk = sinew.gait(pose, legs, { stride "
    .. "= 0.3 })`, then `walk:toward(x, z, dt)` each frame; also lift, time, groups, ground, land, "
    .. "speed, turning." },
  { "spring", "spring(pose: pose, options: table): spring",
    "DOFs that swing after what they are set to, the same at any frame rate: `tail = "
    .. "sinew.spring(pose, { 'tail.bend', frequency = 3, damping = 0.4 })`, then `tail:update(dt)` "
    .. "each frame." },
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
    { "set(...: any): " .. name, "Takes other values." },
    { "copy(dest?: " .. name .. "): " .. name, "Another of the same values." },
    { "near(other: " .. name .. ", tolerance?: number): boolean", "Whether they are close." },
    { "unpack(): " .. ("number, "):rep(count - 1) .. "number", "Its numbers." },
  }
end

local function with(list, more)
  for _, item in ipairs(more) do list[#list + 1] = item end
  return list
end

local makers = {
  { "segment(name: string, options?: table): segment",
    "A bone: parent, at and turn or rest, shape." },
  { "dof(name: string, options?: table): dof",
    "A scalar to move: min, max, rest, unit ('deg' unless given), label." },
  { "add(instance: userdata): component",
    "Adds an instance of a kind made by sinew.component; of a subnetwork, gives its ports." },
}

local note = { "note(key: string, value?: any): any",
  "What is attached under a key; with a value, attaches it and gives the handle." }
local notes = { "notes", "table", "all that is attached, by key" }
local owner = { "rig", "rig", "the rig it is of" }

api.types = {
  { "rig", doc = "Skeleton, joint sets and network; compiled when something asks for a pose.",
    makes = true,
    methods = with({
      { "joint_set(name: string): joint_set", "A new group of DOFs, components and segments." },
      { "compile(): rig", "Checks and compiles now; raises with every mistake." },
      { "find(name: string): segment|component|dof", "By full name, such as 'knee.flexion'." },
      { "tune(values: table): rig", "Changes values of the rig, by full name, written as when "
        .. "it was made: components = { name = { parameter = } }, segments = { name = { at =, "
        .. "turn =, rest = } }, dofs = { name = { min =, max =, rest = } }. What is not named "
        .. "stays. The script host reads them also from 'human.tuning.lua' beside 'human.lua'." },
      { "pose(): pose", "A character: DOF values and transforms." },
      { "crowd(count: integer, options?: table): crowd",
        "Many characters, set, evaluated and read in one call. Options: threads (1), which share "
        .. "the work where no component is scripted; lanes, the characters that are evaluated at "
        .. "once, 4 or 8 (what is best here). The script host keeps to one thread." },
      { "xml(): string",
        "All of it as XML, exactly: shapes and labels too, of other notes nothing. A scripted "
        .. "component travels by its module, so its kind must come from one." },
      { "save_xml(path: string, options?: table): boolean?, string?",
        "That in a file, or nil and a message; fields = 'beside' writes each field to a file of "
        .. "its own. Not in hosted scripts." },
      { "close()", "Frees it; poses made before live on." },
    }, makers),
    fields = {
      { "name", "string", "" }, { "warnings", "string", "of compiling, one per line" },
      { "segments", "segment[]", "in the order of their making" }, { "dofs", "dof[]", "" },
      { "components", "component[]", "" }, { "joint_sets", "joint_set[]", "" },
    } },
  { "joint_set", lua = "joint set", doc = "A named group; its members are called 'set.member'.",
    makes = true, methods = with({ note }, makers),
    fields = { { "name", "string", "" }, owner,
      { "segments", "segment[]", "those made in it or moved by its components" },
      { "dofs", "dof[]", "" }, { "components", "component[]", "" }, notes } },
  { "segment", doc = "A bone.",
    methods = { { "drive(port: port|component): segment", "What moves it from now on." }, note },
    fields = { { "name", "string", "" }, { "parent", "string?", "its parent's name" },
      { "rest", "mat4", "its rest frame in the parent's" },
      { "shape", "any",
        "what to draw, see sinew.shapes, or { file = } in the script host; may be set" },
      owner,
      { "joint_set", "joint_set?", "the one it was made in" },
      { "driver", "port?", "what moves it" }, notes } },
  { "dof", lua = "DOF", doc = "A scalar that the user moves.", methods = { note },
    fields = { { "name", "string", "in full" }, { "min", "number", "" }, { "max", "number", "" },
      { "rest", "number", "" }, { "unit", "string", "" }, { "label", "any", "" }, owner,
      { "joint_set", "joint_set?", "" }, notes } },
  { "component", doc = "A node; its outputs are fields, its parameters can be assigned.",
    methods = {
      { "set(name: string, value: any): component", "Another value of a parameter; `false` takes "
        .. "one away." },
      { "param(name: string): any", "A parameter as it was given, or nil." },
      { "port(name: string): port", "An output, also one named like a parameter." }, note },
    fields = { { "name", "string", "in full" }, { "kind", "string", "such as 'rotation'" },
      { "inputs", "table[]", "{ name =, kind =, source = } as wired" }, { "outputs", "port[]", "" },
      { "params", "table", "what was given, by name" },
      { "definition", "kind?", "what a script declared" }, owner,
      { "joint_set", "joint_set?", "" }, notes } },
  { "port", doc = "One output of a component.", methods = {},
    fields = { { "name", "string", "" }, { "component", "component", "" },
      { "kind", "string", "'scalar', 'vector' or 'matrix'" } } },
  { "kind", lua = "kind of component", doc = "A kind that a script declared; called, it gives an "
    .. "instance for `add`.", methods = { { "close()", "Frees it." } },
    fields = { { "name", "string", "" }, { "mirror", "any", "its rules for mirroring" },
      { "tangent", "string", "'dual' or 'differences': how it is differentiated" } } },
  { "curve", doc = "A function of one scalar; called, it gives value and slope.",
    methods = { { "eval(x: number): number, number", "Value and slope." },
      { "close()", "Frees it." } },
    fields = { { "kind", "string", "" }, { "points", "number[][]", "" },
      { "coefficients", "number[]", "" }, { "outside", "string", "'clamp', 'extend', 'repeat'" },
      { "scale", "number", "" }, { "offset", "number", "" } } },
  { "cone", doc = "A reach cone by itself; #cone is how many points it has.",
    methods = {
      { "inside(direction: vector): boolean", "Whether a direction is allowed." },
      { "hold(direction: vector, dest?: vec3): vec3, boolean",
        "The nearest allowed direction towards rest, and whether the direction was limited." },
      { "twist(direction: vector): number?, number?",
        "The twist's limits there; nothing where it is free." },
      { "close()", "Frees it." },
    },
    fields = { { "points", "vec3[]", "after smoothing" },
      { "twist_limits", "number[][]?", "at the points, and last at the visible point" },
      { "rest", "vec3", "" }, { "visible", "vec3", "" }, { "area", "number", "steradians" } } },
  { "field", doc = "A signed distance field over one to six angles; #field is how many.",
    methods = {
      { "lookup(...: number): number, ...", "The distance in degrees, then its gradient." },
      { "feasible(...: number): boolean", "Whether the angles are allowed." },
      { "project(...: number): number, ...", "Allowed angles, then how far they were moved." },
      { "surface(): table", "{ vertices =, triangles = } of its border, to draw." },
      { "save(path: string): boolean?, string?", "Writes a file; nil and why where it cannot." },
      { "close()", "Frees it." },
    },
    fields = { { "epsilon", "number", "degrees" }, { "bytes", "number", "" },
      { "components", "integer", "connected parts of the allowed region" } } },
  { "clip", doc = "Key frames on DOFs by their full names, with curves between them; seconds.",
    methods = {
      { "set(name: string, time: number, value: number, way?: string): clip",
        "A key; 'smooth', 'linear' or 'hold' says how it goes on from there." },
      { "remove(name: string, time?: number): boolean", "A key, or the whole channel." },
      { "keys(name: string): table[]?", "{ time =, value =, way = } of each, in order." },
      { "sample(name: string, time: number): number?", "A channel's value at any time." },
      { "apply(pose: pose, time: number): integer, string?",
        "Sets the DOFs; how many channels the rig has no DOF for, and which." },
      { "copy(): clip", "Another of the same keys." },
      { "text(): string", "As JSON; sinew.clip takes it back." },
      { "save(path: string): boolean?, string?", "Writes a file; nil and why where it cannot." },
      { "close()", "Frees it." },
    },
    fields = { { "channels", "string[]", "names of DOFs, sorted" },
      { "duration", "number", "the time of the last key" },
      { "fps", "number", "frames a second, for a timeline; may be set" },
      { "loop", "boolean", "whether it starts again at its end; may be set" } } },
  { "motion", doc = "Recorded motion: joints or markers in metres; #motion is how many frames. "
    .. "Frames, joints and markers count from 1; the latter two go by name too.",
    methods = {
      { "world(frame: integer, joint: integer|string, dest?: mat4): mat4",
        "A joint in the world." },
      { "joint(frame: integer, joint: integer|string, dest?: mat4): mat4",
        "A joint in its parent's frame." },
      { "marker(frame: integer, marker: integer|string, dest?: vec3): vec3?",
        "Where a marker is; nil where it is missing." },
      { "gaps(marker?: integer|string): integer",
        "In how many frames a marker is missing; without one, all of them together." },
      { "close()", "Frees it." },
    },
    fields = { { "joints", "table[]", "{ name =, parent =, offset =, tip = } of each" },
      { "markers", "string[]", "their names" }, { "kind", "string", "'skeleton' or 'markers'" },
      { "format", "string", "'BVH', 'AMC' or 'TRC'" }, { "frames", "integer", "" },
      { "rate", "number", "frames a second" },
      { "unit", "number", "metres in a unit of the file" },
      { "warnings", "string", "of reading, one per line" } } },
  { "pose", doc = "One character. pose['knee.flexion'] reads and sets a DOF, held to its range.",
    methods = {
      { "set(values: numbers|table<string, number>): boolean",
        "All DOFs in the rig's order, or some by name; true where none was held." },
      { "dofs(dest?: numbers): numbers", "All DOF values." },
      { "reset(): pose", "Every DOF at rest." },
      { "eval(): pose", "Evaluates now; reading does so where needed." },
      { "world(segment: segment|string, dest?: mat4): mat4", "A segment in the world." },
      { "driven(segment: segment|string, dest?: mat4): mat4", "What the network drives into it." },
      { "worlds(dest?: numbers): numbers", "All world matrices, 16 numbers each." },
      { "value(port: port|component, dest?: vec3|mat4): number|vec3|mat4", "What a port carries." },
      { "holds(): table[]", "What is held back: name, port, by, amount." },
      { "jacobian(segment: segment|string, options?: table): vec3[], vec3[]",
        "Exact derivatives: for each DOF (dofs = a list of them, all in the rig's order unless "
        .. "given) how a point of the segment (point =, its origin unless given) moves in the "
        .. "world, and the vector about which the segment turns, in radians; per unit of the "
        .. "DOF." },
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
    }, fields = { { "rig", "rig", "" } } },
  { "solver", doc = "Finds the DOFs for which goals are met, or nearly so, within every limit. "
    .. "Goals count from 1.",
    methods = {
      { "solve(pose: pose, options?: table, result?: table): table",
        "Moves the pose to the best that it finds. Options: iterations (50), seconds (no limit), "
        .. "tolerance (0.0001 m), tolerance_turn (0.1 degrees), restarts (true; false for "
        .. "dragging), posture (a weight that keeps DOFs near rest =), metres_per_radian (0.3). "
        .. "Gives reached, reason ('reached', 'nearest', 'iterations', 'seconds'), error in "
        .. "metres, error_turn in degrees, iterations, evaluations, starts and cost." },
      { "target(goal: integer, target: vector|turn|matrix|number): solver",
        "Another target of a goal, of the sort that it has." },
      { "goal(goal: integer, numbers: table): solver",
        "Other numbers of a goal: its target, point, direction, other_point, weight." },
      { "range(dof: dof|string, min?: number, max?: number): solver",
        "The values that a DOF may take here; without numbers, all of its range." },
      { "error(goal: integer, pose: pose): number",
        "How far a goal is off, in metres or degrees." },
      { "close()", "Frees it." },
    }, fields = { { "dofs", "string[]", "names of the DOFs that it moves" } } },
  { "crowd", doc = "Many characters of one rig; #crowd is how many. Numbers are one character "
    .. "after the other. Where scripted components fail, the error names the first character; "
    .. "those that failed keep their rest transforms, all others are evaluated.",
    methods = {
      { "pose(values: numbers, worlds: buffer): boolean",
        "Sets all DOFs of all characters and evaluates their world matrices straight into the "
        .. "buffer; true where no DOF was held. The quickest way: no matrix is copied, nothing "
        .. "allocated." },
      { "set(values: numbers): boolean", "All DOFs of all characters; true where none was held." },
      { "dofs(dest?: numbers): numbers", "All DOF values of all characters." },
      { "reset(): crowd", "Every DOF at rest." },
      { "eval(): crowd", "Evaluates all." },
      { "worlds(dest?: numbers): numbers", "All world matrices of all characters." },
      { "close()", "Frees it." },
    }, fields = { { "threads", "integer", "that share the work" },
      { "lanes", "integer", "characters evaluated together" },
      { "instructions", "string", "by which: 'SSE2', 'AVX2' or 'NEON'" } } },
  { "vec3", doc = "Three floats. Operators make new values; verbs change the object and return it; "
    .. "nouns leave it and take a userdata to write to. + - * / == #.",
    functions = {},
    methods = with({
      { "add(v: vector, factor?: number): vec3", "Becomes self + factor v." },
      { "sub(v: vector): vec3", "Becomes self - v." },
      { "mul(by: number|vector): vec3", "Is multiplied." },
      { "div(by: number|vector): vec3", "Is divided." },
      { "negate(): vec3", "Turns round." }, { "normalize(): vec3", "Is brought to length 1." },
      { "rotate(q: turn): vec3", "Is turned." },
      { "transform(m: matrix): vec3", "Becomes m * self, as a point." },
      { "dot(v: vector): number", "The scalar product." },
      { "cross(v: vector, dest?: vec3): vec3", "The vector product." },
      { "length(): number", "Its length." }, { "distance(v: vector): number", "To another point." },
      { "angle(v: vector): number", "Degrees between, 0 to 180." },
      { "unit(dest?: vec3): vec3", "Its direction." },
      { "lerp(v: vector, t: number, dest?: vec3): vec3", "Between self and v." },
    }, floats("vec3", 3)),
    fields = { { "x", "number", "may be set" }, { "y", "number", "may be set" },
      { "z", "number", "may be set" } } },
  { "quat", doc = "A turn as x, y, z, w. q * v turns a vec3. + - * / == #.",
    functions = {
      { "axis(axis: vector, degrees: number): quat", "About an axis." },
      { "euler(order: string, a: number, b: number, c: number): quat", "'xyz' is Rx Ry Rz." },
      { "between(from: vector, to: vector): quat", "The shortest turn." },
    },
    methods = with({
      { "mul(by: turn|number): quat", "Becomes self * by." }, { "add(q: turn): quat", "Adds." },
      { "negate(): quat", "The same turn with other signs." },
      { "normalize(): quat", "Is brought to length 1." }, { "invert(): quat", "Turns back." },
      { "inverse(dest?: quat): quat", "The turn back." },
      { "unit(dest?: quat): quat", "Of length 1." },
      { "dot(q: turn): number", "The scalar product." }, { "length(): number", "Its length." },
      { "angle(q?: turn): number", "Degrees to another turn, or of this one, 0 to 180." },
      { "axis_angle(dest?: vec3): vec3, number", "Axis and degrees." },
      { "angles(order: string): number, number, number", "Euler angles in degrees." },
      { "slerp(q: turn, t: number, dest?: quat): quat", "Between, the shorter way." },
      { "direction(v: vector, dest?: vec3): vec3", "What a direction becomes." },
    }, floats("quat", 4)),
    fields = { { "x", "number", "may be set" }, { "y", "number", "may be set" },
      { "z", "number", "may be set" }, { "w", "number", "may be set" } } },
  { "mat4", doc = "Sixteen floats, column by column; m[13] to m[15] is the translation. m * n, and "
    .. "m * v for a point. == #.",
    functions = {
      { "translation(x: number|vector, y?: number, z?: number): mat4", "Moves." },
      { "scaling(x: number|vector, y?: number, z?: number): mat4", "Scales." },
      { "turn(axis: vector, degrees: number, centre?: vector): mat4", "Turns." },
      { "euler(order: string, a: number, b: number, c: number): mat4", "'xyz' is Rx Ry Rz." },
      { "from(q?: turn, position?: vector): mat4", "Turned, then moved." },
      { "rows(rows: number[][]): mat4", "As it is written on paper." },
      { "columns(columns: table[]): mat4", "From its axes and position." },
    },
    methods = with({
      { "mul(m: matrix): mat4", "Becomes self * m." }, { "premul(m: matrix): mat4", "m * self." },
      { "translate(v: vector): mat4", "Becomes self * translation(v)." },
      { "rotate(axis: vector, degrees: number, centre?: vector): mat4", "self * turn(...)." },
      { "invert(): mat4", "Becomes its inverse." },
      { "transpose(): mat4", "Changes rows and columns." },
      { "inverse(dest?: mat4): mat4", "Its inverse." },
      { "transposed(dest?: mat4): mat4", "With rows and columns changed." },
      { "determinant(): number", "Negative where it mirrors." },
      { "point(v: vector, dest?: vec3): vec3", "What a point becomes." },
      { "direction(v: vector, dest?: vec3): vec3", "What a direction becomes." },
      { "position(dest?: vec3): vec3", "Its translation." },
      { "rotation(dest?: quat): quat", "Its turn." },
      { "angles(order: string): number, number, number", "Euler angles in degrees." },
      { "get(row: integer, column: integer): number", "One number." },
      { "rigid(tolerance?: number): boolean", "Whether it only moves, turns and mirrors." },
    }, floats("mat4", 16)),
    fields = {} },
  { "dual", doc = "A number, vec3 or mat4 with its rate of change. + - * / ^ compare as values; on "
    .. "LuaJIT a dual and a number cannot be compared by < (take its value). Every function gives "
    .. "a plain value for plain values, so that one eval serves both; sinew.sin and the others in "
    .. "degrees take duals too. Where there is no derivative the rate is 0.",
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
        "Free on a bound, held beyond." },
      { "vec3(x: number|dual, y: number|dual, z: number|dual): vec3|dual", "" },
      { "translation(x: number|dual|vector, y?: number|dual, z?: number|dual): mat4|dual",
        "Moves." },
      { "turn(axis: vector, degrees: number|dual, centre?: vector): mat4|dual", "Turns." },
      { "euler(order: string, a: number|dual, b: number|dual, c: number|dual): mat4|dual",
        "'xyz' is Rx Ry Rz." },
    },
    methods = {
      { "value(): number|vec3|mat4", "Without the rate." },
      { "rate(): number|vec3|mat4", "How fast it changes." },
      { "dot(v: vector|dual): number|dual", "Of vectors; these are functions of sinew.dual too." },
      { "cross(v: vector|dual): vec3|dual", "" }, { "length(): number|dual", "" },
      { "unit(): vec3|dual", "" }, { "point(v: vector|dual): vec3|dual", "Of a matrix." },
      { "direction(v: vector|dual): vec3|dual", "Of a matrix." },
      { "position(): vec3|dual", "Of a matrix." }, { "inverse(): mat4|dual", "Of a matrix." },
    }, fields = {} },
  { "buffer", doc = "A flat, fixed number of floats, from b[1] to b[#b].", functions = {},
    methods = {
      { "set(from: numbers|string, at?: integer): buffer", "Copies in." },
      { "fill(number: number, first?: integer, last?: integer): buffer", "The same everywhere." },
      { "put(i: integer, value: vec3|quat|mat4): buffer", "As the i-th of its kind." },
      { "string(first?: integer, last?: integer): string", "As bytes." },
      { "table(dest?: table, first?: integer, last?: integer): number[]", "As a table." },
      { "copy(first?: integer, last?: integer): buffer", "A new buffer." },
      { "unpack(first?: integer, last?: integer): ...number", "As results, at most 200." },
      { "vec3(i: integer, dest?: vec3): vec3", "The i-th vec3." },
      { "quat(i: integer, dest?: quat): quat", "The i-th quat." },
      { "mat4(i: integer, dest?: mat4): mat4", "The i-th mat4." },
    }, fields = {} },
  { "mesh", doc = "A surface of triangles in the making, which shapes are put together of; the "
    .. "table of a shape may have one as its field mesh instead of the three lists. Triangles are "
    .. "counter-clockwise seen from outside.",
    functions = {
      { "loft(rings: vector[][], first: vector, last: vector): mesh",
        "Rings of equally many points joined into a tube, its ends closed about two points; each "
        .. "ring runs counter-clockwise seen from the next." },
      { "ball(sides: integer, rings: number, centre: vector, radii: vector): mesh",
        "An ellipsoid of rings about the y axis." },
      { "tube(points: vector[], steps: integer, sizes: number[], sides: integer, up: vector, "
        .. "cap: number): mesh",
        "Along a smooth curve through the points, with so many steps for each stretch; sizes are "
        .. "two half widths for each step, along up and sideways; cap rounds the ends, 0: flat." },
      { "merge(parts: mesh[]): mesh", "One of several, or of shapes; parts share no vertices." },
    },
    methods = {
      { "placed(matrix: matrix): mesh", "Moved, turned or mirrored, with normals made anew." },
      { "mirrored(): mesh", "Across x = 0." },
    },
    fields = {
      { "vertices", "number[]", "x, y, z of each; a new list each time" },
      { "normals", "number[]", "unit and smooth; a new list each time" },
      { "triangles", "integer[]", "numbers of vertices, from 1; a new list each time" },
    } },
}

-- What helpers make: tables with methods.
api.tables = {
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

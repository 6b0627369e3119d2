-- Characters that follow a rig: the shared ones, as they are and changed. The files are not part of
-- the project; where they are missing the tests say so and pass.
local sinew = require "sinew"
local figure = require "figure"
local glb = require "glb"
local checks, tests = ...

local shared = "../shared/data/characters/"
local files = checks.cases {
  { "godette_vrm0.vrm" }, { "debug_robot_vrm1.vrm", boxes = true }, { "quaternius_worker.glb" },
  { "kaykit_mannequin/manny_med_mod.gltf" },
}

local function there()
  local file = io.open(shared .. files[1][1], "rb")
  if file then
    file:close()
    return true
  end
  print "SKIPPED: ../shared/data/characters is not there"
end

local function temporary(ending)
  local name = os.tmpname()
  os.remove(name)
  return name .. ending
end

local human_xml
local function human()
  if not human_xml then human_xml = assert(sinew.load "rigs/human.lua"):xml() end
  return assert(sinew.parse_xml(human_xml))
end

local function place(m, i) return m[16 * i - 3], m[16 * i - 2], m[16 * i - 1] end
local function distance(m, a, b)
  local x, y, z = place(m, a)
  local u, v, w = place(m, b)
  return math.sqrt((x - u) ^ 2 + (y - v) ^ 2 + (z - w) ^ 2)
end

-- how much the distances between matched joints change over random poses, in mm at 1.71 m
local function stretch(rig, result)
  local found, tree = result.matched.slots, result.tree
  local pairs_ = {}
  local function add(kind, a, b)
    if a and b and a ~= b then pairs_[#pairs_ + 1] = { kind, tree.node[a], tree.node[b] } end
  end
  for _, side in ipairs { "L", "R" } do
    for _, p in ipairs { { "upperarm", "forearm" }, { "forearm", "hand" }, { "thigh", "shin" },
      { "shin", "foot" }, { "foot", "toe" } } do
      add("limb", found[p[1] .. side], found[p[2] .. side])
    end
    add("clavicle", found["clavicle" .. side], found["upperarm" .. side])
  end
  local column = { found.hips }
  for _, i in ipairs(found.spine) do column[#column + 1] = i end
  for _, i in ipairs(found.necks) do column[#column + 1] = i end
  column[#column + 1] = found.head
  for k = 2, #column do add("spine", column[k - 1], column[k]) end
  local character = result.character
  local bind, now, pose = character:worlds(nil), nil, rig:pose()
  local worst, state = { limb = 0, clavicle = 0, spine = 0 }, 12345
  for _ = 1, 25 do
    for _, dof in ipairs(rig.dofs) do
      state = (state * 1103515245 + 12345) % 2147483648
      pose[dof.name] = dof.min + (dof.max - dof.min) * (.5 + .95 * (state / 2147483648 - .5))
    end
    now = character:worlds(pose, now)
    for _, p in ipairs(pairs_) do
      local change = math.abs(distance(now, p[2], p[3]) - distance(bind, p[2], p[3]))
      worst[p[1]] = math.max(worst[p[1]], 1000 * change / result.scale)
    end
  end
  return worst
end

-- the bind pose is met, limbs keep their lengths
local function check(path, what)
  local rig = human()
  local result, problem = sinew.bind(rig, path)
  assert(result, ("%s: %s"):format(what, problem))
  assert(#result.joints == result.tree.size, what .. ": a joint is not in the report")
  local character = result.character
  local pose = rig:pose()
  for name, value in pairs(result.values) do pose[name] = value end
  local bind, now = character:worlds(nil), character:worlds(pose)
  for i = 1, #character.nodes do
    local x, y, z = place(bind, i)
    local u, v, w = place(now, i)
    local off = math.sqrt((x - u) ^ 2 + (y - v) ^ 2 + (z - w) ^ 2) / result.scale
    assert(off < 1e-4, ("%s: %s is %.3f mm off"):format(what, character.nodes[i].name, 1000 * off))
  end
  assert(result.residual / result.scale < 1e-4, what .. ": centres")
  local worst = stretch(rig, result)
  local text = ("%s: limbs %.1f, clavicle %.1f, spine %.1f mm"):format(what, worst.limb,
    worst.clavicle, worst.spine)
  if os.getenv "SINEW_TEST_FIGURES" then print(text) end
  assert(worst.limb <= 10 and worst.clavicle <= 15 and worst.spine <= 60, text)
  return result
end

local function slots(result)
  local list = {}
  for slot, i in pairs(result.matched.slots) do
    -- from the end, since a wrapping node comes first
    if type(i) == "number" then list[slot] = #result.character.nodes - result.tree.node[i] end
  end
  return list
end

local function same(a, b, what, swap)
  for slot, node in pairs(a) do
    local other = swap and slot:gsub("[LR]$", { L = "R", R = "L" }) or slot
    assert(b[other] == node, ("%s: %s is node %s, not %s"):format(what, other, tostring(b[other]),
      node))
  end
end

function tests.shared_characters_bind_without_a_map()
  if not there() then return end
  for _, file in ipairs(files) do check(shared .. file[1], file[1]) end
end

-- the places of all vertices
local function skin(character, pose)
  local matrices, places = character:matrices(pose), {}
  for p = 1, character.part_count do
    local part = character:part(p)
    for v = 0, #part.positions / 3 - 1 do
      local at = sinew.vec3(part.positions[3 * v + 1], part.positions[3 * v + 2],
        part.positions[3 * v + 3])
      local sum = sinew.vec3()
      for k = 1, 4 do
        local weight = part.weights[4 * v + k]
        if weight > 0 then
          sum = sum + matrices:mat4(part.joints[4 * v + k] + 1):point(at) * weight
        end
      end
      places[#places + 1] = sum
    end
  end
  return places
end

-- how much of the wrist's radius about the forearm is left: the least but for 2 % of its vertices
local function wrist(rig, result, twist, side)
  local character, found = result.character, result.matched.slots
  local pose = rig:pose()
  for name, value in pairs(result.values) do pose[name] = value end
  pose[side == "L" and "left_elbow.twist" or "right_elbow.twist"] = twist
  local function measure(worlds, places)
    local elbow = worlds:mat4(result.tree.node[found["forearm" .. side]]):position()
    local line = worlds:mat4(result.tree.node[found["hand" .. side]]):position() - elbow
    local length, list = line:length(), {}
    for i, p in ipairs(places) do
      local along = (p - elbow):dot(line) / length
      list[i] = { along / length, (p - elbow - line * (along / length)):length() / length }
    end
    return list
  end
  local before = measure(character:worlds(nil), skin(character, nil))
  local after, left = measure(character:worlds(pose), skin(character, pose)), {}
  for i, b in ipairs(before) do
    if b[1] > .75 and b[1] < 1.05 and b[2] < .4 then
      left[#left + 1] = { b[2], after[i][2] / b[2] }
    end
  end
  table.sort(left, function(a, b) return a[1] < b[1] end)
  local median, list = left[math.ceil(#left / 2)][1], {}
  for _, one in ipairs(left) do
    if one[1] > .3 * median then list[#list + 1] = one[2] end
  end
  table.sort(list)
  return list[math.max(1, math.ceil(.02 * #list))]
end

function tests.a_wrist_that_is_rolled_to_its_end_keeps_its_radius()
  if not there() then return end
  for _, file in ipairs(files) do
    if not file.boxes then
      local rig = human()
      local result = assert(sinew.bind(rig, shared .. file[1]))
      for _, side in ipairs { "L", "R" } do
        local ends
        for _, dof in ipairs(rig.dofs) do
          if dof.name == "left_elbow.twist" then ends = { dof.min, dof.max } end
        end
        for _, twist in ipairs(ends) do
          local left = wrist(rig, result, twist, side)
          local text = ("%s: rolled to %g, %.3f of the wrist is left"):format(file[1], twist, left)
          if os.getenv "SINEW_TEST_FIGURES" then print(text) end
          assert(left >= .9, text)
        end
      end
    end
  end
end

local function variant(file, change)
  local source = glb.read(shared .. file[1])
  change(source)
  local path = temporary ".glb"
  glb.write(source, path)
  return path
end

function tests.names_scale_and_direction_do_not_matter()
  if not there() then return end
  for _, file in ipairs(files) do
    local plain = slots(check(shared .. file[1], file[1]))
    local changes = {
      ["without maps"] = function() end,
      capitals = function(s) glb.rename(s, string.upper) end,
      prefixed = function(s) glb.rename(s, function(n) return "hero:rig_" .. n end) end,
      ["turned by 90"] = function(s) glb.wrap(s, glb.turned(0, 1, 0, 90)) end,
      ["turned by 180"] = function(s) glb.wrap(s, glb.turned(0, 1, 0, 180)) end,
      lying = function(s) glb.wrap(s, glb.turned(1, 0, 0, 90)) end,
      ["scaled by 100"] = function(s) glb.wrap(s, { scale = { list = true, 100, 100, 100 } }) end,
    }
    for what, change in pairs(changes) do
      local path = variant(file, function(s)
        glb.strip(s)
        change(s)
      end)
      same(plain, slots(check(path, file[1] .. " " .. what)), file[1] .. " " .. what)
      os.remove(path)
    end
  end
end

-- without names the shape is right, or unsure and says so
function tests.shared_characters_without_names_are_right_or_refused()
  if not there() then return end
  local bound = 0
  for _, file in ipairs(files) do
    local path = variant(file, glb.strip)
    local plain = slots(assert(sinew.bind(human(), path)))
    os.remove(path)
    path = variant(file, function(s)
      local count = 0
      glb.strip(s)
      glb.rename(s, function()
        count = count + 1
        return "joint_" .. count
      end)
    end)
    local result, problem, blank = sinew.bind(human(), path)
    os.remove(path)
    if result then
      same(plain, slots(result), file[1] .. " without names")
      bound = bound + 1
    else
      assert(problem:find "unsure" and blank:find("joint_1 = ", 1, true), problem)
    end
  end
  assert(bound >= #files - 1, bound)
end

function tests.the_bind_pose_counts_and_not_the_rest_pose()
  if not there() then return end
  for _, file in ipairs(files) do
    if not file.boxes then
      local path = variant(file, function(s)
        assert(glb.bend(s, "upper_?arm", 40) + glb.bend(s, "shin", 20) > 1)
      end)
      local bent = check(path, file[1] .. " bent")
      local plain = check(shared .. file[1], file[1])
      same(slots(plain), slots(bent), file[1] .. " bent")
      for i, node in ipairs(bent.character.nodes) do
        if node.joint then
          assert((node.bind:position() - plain.character.nodes[i].bind:position()):length() < 1e-4
            * plain.scale, file[1] .. ": the bind pose of " .. node.name)
        end
      end
      os.remove(path)
    end
  end
end

-- left called right, as some authors do; only feet can tell
function tests.feet_are_believed_where_names_call_left_right()
  if not there() then return end
  for _, file in ipairs(files) do
    local mirror = function(name)
      return (name:gsub("([%._])([lLrR])%f[%A]", function(dot, side)
        return dot .. ({ l = "r", r = "l", L = "R", R = "L" })[side]
      end))
    end
    local plain = slots(check(shared .. file[1], file[1]))
    local path = variant(file, function(s)
      glb.strip(s)
      glb.rename(s, mirror)
    end)
    local result = check(path, file[1] .. " mirrored")
    assert(result.matched.mirrored, file[1] .. ": the swap is not noted")
    same(plain, slots(result), file[1] .. " mirrored")
    os.remove(path)
  end
end


-- --- figures of our own, as the common tools name and build them

-- whether the matcher finds what the figure is made of
local function find_all(convention, what, options)
  local path = temporary ".glb"
  local truth = figure.write(convention, path, options)
  local result = check(path, what)
  os.remove(path)
  local found, named = result.matched.slots, result.tree.names
  for slot, name in pairs(truth) do
    local got
    if type(name) == "string" then
      got = found[slot] and named[found[slot]]
    else
      name, got = table.concat(name, " "), {}
      for k, i in ipairs(found[slot]) do got[k] = named[i] end
      got = table.concat(got, " ")
    end
    assert(got == name, ("%s: %s is %s, not %s"):format(what, slot, tostring(got), name))
  end
  assert(#result.notes == 0, what .. ": " .. tostring(result.notes[1]))
  return result
end

function tests.names_of_common_tools_are_known()
  local ways = { {}, { a_pose = true, frames = "random", unit = 100, turned = "Z up" },
    { turned = "back", reversed = true, matrices = true, frames = "random" } }
  local names = {}
  for name in pairs(figure.conventions) do names[#names + 1] = name end
  table.sort(names)
  for k, name in ipairs(checks.cases(names)) do
    find_all(figure.conventions[name], name, ways[k % #ways + 1])
  end
end

function tests.parts_of_a_body_may_be_missing()
  local function chibi(p) -- short legs and arms, a large head
    local x, y = math.abs(p[1]), p[2]
    if y <= .95 then y = y * .5
    elseif y <= 1.48 then y = .475 + (y - .95) * .7
    else y = .846 + (y - 1.48) * 2.2 end
    if x > .18 then x = .14 + (x - .18) * .6 end
    return { p[1] < 0 and -x or x, y, p[3] }
  end
  local all = figure.conventions
  local function try(name, what, change, options)
    find_all(figure.with(all[name], change), name .. ", " .. what, options)
  end
  local function spine(stem, count)
    local list = {}
    for k = 1, count do list[k] = stem .. k end
    return list
  end
  try("unreal", "one spine joint", { spine = spine("spine_", 1) })
  try("mixamo", "six spine joints", { spine = spine("mixamorig:Spine", 6) })
  try("vroid", "no clavicle", { clavicle = false })
  try("biped", "no neck", { neck = false, arms_on_neck = false })
  try("maya_shoulder", "no fingers", { fingers = false })
  try("unreal", "no toes", { toe = false })
  try("maya_shoulder", "feet under the root", { feet_under_root = true, toeend = false })
  for _, name in ipairs { "biped", "unreal" } do
    local has = all[name].fingers
    try(name, "two fingers", { fingers = { thumb = has.thumb, ring = has.ring } })
  end
  try("mixamo", "a large head", {}, { warp = chibi })
end

-- names of another language, but for the fingers
function tests.fingers_are_named_where_all_else_is_shape()
  local foreign = { root = "Wurzel", hips = "Becken", spine = { "Wirbel1", "Wirbel2", "Wirbel3" },
    neck = "Hals", head = "Kopf", clavicle = "Schulter.%s", upperarm = "Oberarm.%s",
    forearm = "Unterarm.%s", hand = "Tatze.%s", thigh = "Schenkel.%s", shin = "Wade.%s",
    foot = "Fuss.%s", toe = "Zehe.%s", side = { "L", "R" },
    fingers = figure.conventions.blender.fingers }
  find_all(foreign, "other words")
end

function tests.what_bears_the_chest_is_spine_whatever_its_name()
  find_all(figure.with(figure.conventions.mecanim, { spine = { "Spine", "Wirbel", "Chest" } }),
    "a spine joint of another name")
end

function tests.a_second_figure_is_noted()
  local path = temporary ".glb"
  local truth = figure.write(figure.conventions.mixamo, path)
  local source = glb.read(path)
  local json, first = source.json, #source.json.nodes
  for i = 1, first do -- all again, aside
    local copy = {}
    for key, value in pairs(json.nodes[i]) do copy[key] = value end
    if copy.children then
      copy.children = { list = true }
      for k, child in ipairs(json.nodes[i].children) do copy.children[k] = child + first end
    end
    if copy.skin then copy.skin = 1 end
    json.nodes[first + i] = copy
  end
  local second = { joints = { list = true },
    inverseBindMatrices = json.skins[1].inverseBindMatrices }
  for k, joint in ipairs(json.skins[1].joints) do second.joints[k] = joint + first end
  json.skins[2] = second
  local scene, count = json.scenes[1].nodes, #json.scenes[1].nodes
  for k = 1, count do scene[count + k] = scene[k] + first end
  glb.write(source, path)
  local result = check(path, "two figures")
  os.remove(path)
  assert(result.matched.slots.hips and truth.hips)
  local text = table.concat(result.notes, "\n")
  assert(text:find("joints below it do not follow the rig", 1, true), text)
end

-- boxes that hang on the joints as nodes of their own
function tests.pieces_in_the_place_of_a_joint_are_no_joints()
  local path = temporary ".glb"
  local truth = figure.write(figure.conventions.mixamo, path)
  local source = glb.read(path)
  local json = source.json
  local nodes = #json.nodes
  json.skins, json.nodes[nodes].skin, json.nodes[nodes].mesh = nil, nil, nil
  local primitive = json.meshes[1].primitives[1]
  primitive.indices, primitive.attributes.WEIGHTS_0, primitive.attributes.JOINTS_0 = nil, nil, nil
  json.accessors[primitive.attributes.POSITION + 1].count = 3
  for i = 1, nodes - 1 do
    local node = json.nodes[i]
    node.children = node.children or { list = true }
    table.insert(node.children, 1, #json.nodes)
    table.insert(json.nodes, { name = { text = "box" .. i }, mesh = 0 })
  end
  glb.write(source, path)
  local result = check(path, "pieces")
  os.remove(path)
  local found, named = result.matched.slots, result.tree.names
  for slot, name in pairs(truth) do
    if type(name) == "string" then assert(named[found[slot]] == name, slot) end
  end
  assert(result.driven >= 52, result.driven)
end

-- without a mesh the ground is a guess
function tests.toes_are_not_below_the_ground()
  local path = temporary ".glb"
  figure.write(figure.conventions.mixamo, path, { bare = true, warp = function(p, joint)
    return { p[1], (joint.slot or ""):find "^foot" and .2 or p[2], p[3] }
  end })
  local result = check(path, "a high ankle")
  os.remove(path)
  assert(result.place[14] < .021 and result.place[14] > -.02, result.place[14])
end

-- --- other bodies

-- a dog: no human body, so a map is wanted; with it, the rig takes its size and moves it
function tests.a_quadruped_binds_with_a_map()
  local dog = { hips = "pelvis", spine = { "chest" }, neck = "neck", head = "head",
    side = { "l", "r" }, upperarm = "shoulder_%s", forearm = "elbow_%s", hand = "paw_%s",
    thigh = "hip_%s", shin = "stifle_%s", foot = "hock_%s" }
  local function lying(p) -- the trunk along z, the arms down as forelegs
    local side = p[1] < 0 and -1 or 1
    if math.abs(p[1]) > .15 and p[2] > 1.3 then
      return { .1 * side, .62 - 1.1 * (math.abs(p[1]) - .18), .5 }
    end
    if p[2] > .93 then return { p[1], .62 + .3 * math.max(0, p[2] - 1.4), 1.2 * (p[2] - .95) } end
    return { p[1], p[2] * .68, p[3] }
  end
  local path = temporary ".glb"
  figure.write(dog, path, { warp = lying, unit = 2 })
  local refused, problem, blank = sinew.bind(human(), path)
  assert(not refused and problem and blank:find("shoulder_l = ", 1, true), problem)
  local rig = sinew.rig "dog"
  local pelvis = rig:bone("pelvis", { at = { 0, .6, 0 } })
  local chest = pelvis:bone("chest", { at = { 0, 0, .45 } })
  local map = { pelvis = "pelvis", chest = "chest" }
  for _, s in ipairs { { "l", .1 }, { "r", -.1 } } do
    for _, limb in ipairs { { chest, "shoulder", "elbow", "paw" }, { pelvis, "hip", "stifle",
      "hock" } } do
      local top = limb[1]:bone(limb[2] .. "_" .. s[1], { at = { s[2], 0, .05 } })
      local middle = top:bone(limb[3] .. "_" .. s[1], { at = { 0, -.25, 0 } })
      middle:bone(limb[4] .. "_" .. s[1], { at = { 0, -.25, 0 } })
      top:hinge { "swing_" .. limb[2] .. "_" .. s[1], -60, 60, axis = "x" }
      for k = 2, 4 do map[limb[k] .. "_" .. s[1]] = limb[k] .. "_" .. s[1] end
    end
  end
  local result
  result, problem = sinew.bind(rig, path, { map = map })
  assert(result, problem)
  assert(result.residual / result.scale < 1e-4, result.residual)
  local pose, node = rig:pose(), nil
  for i, n in ipairs(result.character.nodes) do node = n.name == "paw_l" and i or node end
  local before = result.character:worlds(pose)
  for _, dof in ipairs(rig.dofs) do
    if dof.name:find "shoulder_l" then pose[dof.name] = 40 end
  end
  local x, y, z = place(before, node)
  local u, v, w = place(result.character:worlds(pose), node)
  assert(math.sqrt((x - u) ^ 2 + (y - v) ^ 2 + (z - w) ^ 2) > .2, "the paw does not move")
  os.remove(path)
end

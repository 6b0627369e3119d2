-- Makes skinned figures as .glb in the naming conventions of common tools. For tests only.
local figure = {}

-- --- places of the joints: metres, T pose, left is +x, front is +z

local central = { root = { 0, 0, 0 }, hips = { 0, .95, 0 }, neck = { 0, 1.48, -.01 },
  neck2 = { 0, 1.525, 0 }, head = { 0, 1.57, .01 }, headend = { 0, 1.76, .01 },
  jaw = { 0, 1.58, .05 }, eye = { .03, 1.64, .09 } }
local sided = { clavicle = { .03, 1.43, 0 }, upperarm = { .18, 1.43, -.02 },
  forearm = { .45, 1.43, -.03 }, hand = { .70, 1.43, -.01 }, thigh = { .09, .9, 0 },
  shin = { .095, .5, .01 }, foot = { .1, .085, -.02 }, toe = { .11, .02, .11 },
  toeend = { .11, .02, .18 }, eye = { .03, 1.64, .09 } }
local fingers = { thumb = { { .725, 1.415, .03 }, { .755, 1.4, .055 }, { .785, 1.395, .07 },
    { .81, 1.395, .08 } } }
for i, finger in ipairs { "index", "middle", "ring", "little" } do
  local z = .05 - .02 * i
  fingers[finger] = {}
  for k, x in ipairs { .79, .825, .85, .875 } do
    fingers[finger][k] = { x - .004 * math.abs(i - 2), 1.43, z }
  end
  fingers[finger].metacarpal = { .725, 1.43, z * .7 }
end
figure.fingers = { "thumb", "index", "middle", "ring", "little" }

local function mix(a, b, t)
  return { a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t, a[3] + (b[3] - a[3]) * t }
end

-- --- from a convention to a list of joints { name, parent, at, slot }

-- c: the names; %s is the side. extra: { name, parent slot, place } of helpers.
local function joints_of(c, o)
  local list, index = {}, {}
  local function add(key, name, parent, at, slot, plain)
    if not name then return end
    list[#list + 1] = { name = name, parent = index[parent], at = at, slot = slot, plain = plain }
    index[key] = #list
    return #list
  end
  local function under(...)
    for _, key in ipairs { ... } do
      if index[key] then return key end
    end
  end
  add("root", c.root, nil, central.root, nil, true)
  if c.above then add("above", c.above, "root", { 0, .97, 0 }, c.pelvis_apart and "hips", true) end
  add("hips", c.hips, under("above", "root"), central.hips, not c.pelvis_apart and "hips" or nil)
  local spine = c.spine
  local column = under(c.pelvis_apart and "above" or "hips")
  for i, name in ipairs(spine) do
    local t = #spine == 1 and .3 or (i - 1) / (#spine - 1)
    add("spine" .. i, name, i == 1 and column or "spine" .. (i - 1),
      { 0, 1.05 + .29 * t, -.01 * math.sin(3 * t) }, "spine")
  end
  local top = under("spine" .. #spine, "hips")
  local necks = type(c.neck) == "table" and c.neck or { c.neck }
  for i, name in ipairs(necks) do
    add("neck" .. i, name, i == 1 and top or "neck" .. (i - 1), i == 1 and central.neck
      or central.neck2, "neck")
  end
  local last = under("neck" .. #necks, top)
  add("head", c.head, last, central.head, "head")
  add("headend", c.headend, "head", central.headend, nil, true)
  add("jaw", c.jaw, "head", central.jaw, "jaw")
  for n, word in ipairs(c.side or { "l", "r" }) do
    local s, side, x = n == 1 and "L" or "R", word, n == 1 and 1 or -1
    local function put(p) return { p[1] * x, p[2], p[3] } end
    local function named(text) return text and text:gsub("%%s", side) end
    local function arm(key, at)
      if o.a_pose and key ~= "clavicle" then -- turned down by 45 degrees about the shoulder
        local u = sided.upperarm
        local dx, dy, k = at[1] - u[1], at[2] - u[2], math.sqrt(.5)
        at = { u[1] + k * (dx + dy), u[2] + k * (dy - dx), at[3] }
      end
      return put(at)
    end
    local function limb(keys, parent, place)
      for i, key in ipairs(keys) do
        local name = named(c[key])
        if name then
          add(key .. s, name, parent, place(key, sided[key]), key ~= "toeend" and key .. s or nil,
            key == "toeend")
          parent = key .. s
          local next_ = sided[keys[i + 1] or ""]
          if next_ then
            for t, text in ipairs(c.inline and c.inline[key] or {}) do
              local f = t / (#c.inline[key] + 1)
              add(key .. "in" .. s, named(text), parent, place(key, mix(sided[key], next_, f)))
              parent = key .. "in" .. s
            end
            local twists = c.twist and c.twist[key] or {}
            for t, text in ipairs(twists) do
              local f = t / (#twists + 1)
              add(key .. "twist" .. t .. s, named(text), parent, place(key, mix(sided[key], next_,
                f)))
            end
          end
        end
      end
    end
    limb({ "clavicle", "upperarm", "forearm", "hand" }, under(c.arms_on_neck and "neck1" or top,
      top),
      arm)
    local hang = under("hips")
    if c.hipjoint then
      add("hipjoint" .. s, named(c.hipjoint), hang, put { .01, .95, 0 }, nil)
      hang = "hipjoint" .. s
    end
    limb({ "thigh", "shin", "foot", "toe", "toeend" }, hang, function(_, at) return put(at) end)
    if c.feet_under_root then list[index["foot" .. s]].parent = index.root end
    for _, finger in ipairs(figure.fingers) do
      local chain = c.fingers and c.fingers[finger]
      local parent = "hand" .. s
      if chain then
        if c.fingers.metacarpal and fingers[finger].metacarpal then
          local key = finger .. "m" .. s
          add(key, named((c.fingers.metacarpal:gsub("%%f", finger):gsub("%%n", tostring(#finger)))),
            parent, arm(finger, fingers[finger].metacarpal),
              c.fingers.metacarpal_slot and finger .. s)
          parent = key
        end
        for k, text in ipairs(chain) do
          local key = finger .. k .. s
          add(key, named(text), parent, arm(finger, fingers[finger][k]),
            k == 1 and not (c.fingers.metacarpal_slot and fingers[finger].metacarpal)
              and finger .. s or nil, k > 3)
          parent = key
        end
      end
    end
    for _, e in ipairs(c.extra_sided or {}) do
      add(e[1] .. s, named(e[1]), under(e[2] .. s, e[2] .. "1" .. s, e[2]), arm("clavicle", e[3]),
        nil, e[4] ~= "weighted")
    end
  end
  for _, e in ipairs(c.extra or {}) do add(e[1], e[1], e[2], e[3], nil, e[4] ~= "weighted") end
  return list, index
end

-- --- a mesh of tubes, with weights

local function sub(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end
local function length(a) return math.sqrt(a[1] ^ 2 + a[2] ^ 2 + a[3] ^ 2) end
local function cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end

local function mesh_of(list)
  local kids, vertices, triangles = {}, {}, {}
  for i, j in ipairs(list) do
    kids[i] = {}
    if j.parent and not j.plain then table.insert(kids[j.parent], i) end
  end
  local function tube(owner, from, to, radius, below, twists)
    local d = sub(to, from)
    local l = length(d)
    if l < 1e-4 then return end
    local u = cross(d, math.abs(d[2]) > .7 * l and { 0, 0, 1 } or { 0, 1, 0 })
    local ul = length(u)
    u = { u[1] / ul * radius, u[2] / ul * radius, u[3] / ul * radius }
    local v = cross(d, u)
    v = { v[1] / l, v[2] / l, v[3] / l }
    local base = #vertices
    for ring = 0, 4 do
      local p, w = mix(from, to, ring / 4), below and math.max(0, ring / 4 - .7) / .6 or 0
      local first, share = owner, 0 -- the twist joint before and after this place
      local second = owner
      for k, t in ipairs(twists or {}) do
        local low, high = k > 1 and twists[k - 1][2] or 0, t[2]
        if ring / 4 >= high then
          first, second, share = t[1], t[1], 0
        elseif ring / 4 > low then
          second, share = t[1], (ring / 4 - low) / (high - low)
        end
      end
      for k = 0, 7 do
        local a = k * math.pi / 4
        local ca, sa = math.cos(a), math.sin(a)
        vertices[#vertices + 1] = { p[1] + ca * u[1] + sa * v[1], p[2] + ca * u[2] + sa * v[2],
          p[3] + ca * u[3] + sa * v[3], first, second, below or owner, (1 - w) * (1 - share),
            (1 - w) * share, w }
        if ring < 4 then
          local i, n = base + ring * 8 + k, base + ring * 8 + (k + 1) % 8
          triangles[#triangles + 1] = { i, n, n + 8 }
          triangles[#triangles + 1] = { i, n + 8, i + 8 }
        end
      end
    end
  end
  for i, j in ipairs(list) do
    if not j.plain then
      local slot = (j.slot or ""):gsub("[LR]$", "")
      for _, kid in ipairs(kids[i]) do
        local wide = slot == "hips" and .1 or slot == "spine" and .1 or slot:find "th?igh" and .07
          or .04
        local l = length(sub(list[kid].at, j.at))
        local d, twists = sub(list[kid].at, j.at), {}
        for _, other in ipairs(kids[i]) do -- on the line to it
          local away = sub(list[other].at, j.at)
          local t = (away[1] * d[1] + away[2] * d[2] + away[3] * d[3]) / l ^ 2
          if not list[other].slot and #kids[other] == 0 and t > .05 and t < .95
            and math.abs(length(away) - t * l) < 1e-3 * l then
            twists[#twists + 1] = { other, t }
          end
        end
        table.sort(twists, function(a, b) return a[2] < b[2] end)
        tube(i, slot == "hand" and mix(j.at, list[kid].at, .2) or j.at, list[kid].at,
          math.min(wide, .5 * l + .002), kid, twists)
      end
      if slot == "head" then
        tube(i, j.at, central.headend, .08)
        tube(i, { 0, 1.65, .05 }, { 0, 1.65, .13 }, .02)
      elseif slot == "foot" then
        tube(i, { j.at[1], .03, j.at[3] - .03 }, { j.at[1], .03, j.at[3] + .2 }, .03)
      elseif #kids[i] == 0 then
        tube(i, j.at, { j.at[1], j.at[2] + .001, j.at[3] + .02 }, .01)
      end
    end
  end
  return vertices, triangles
end

-- --- writing

-- numbers as bytes; LuaJIT has no string.pack
local function pack(kind, ...)
  local parts = {}
  for i, value in ipairs { ... } do
    if string.pack then
      parts[i] = string.pack("<" .. kind, value)
    else
      local ffi = require "ffi"
      local type_ = ({ f = "float[1]", I2 = "uint16_t[1]", I4 = "uint32_t[1]" })[kind]
      local cell = ffi.new(type_, value)
      parts[i] = ffi.string(cell, ffi.sizeof(cell))
    end
  end
  return table.concat(parts)
end

local function quaternion(seed)
  local state = seed
  local function random()
    state = (state * 16807) % 2147483647
    return state / 2147483647 - .5
  end
  local q = { random(), random(), random(), random() }
  local l = math.sqrt(q[1] ^ 2 + q[2] ^ 2 + q[3] ^ 2 + q[4] ^ 2)
  return { q[1] / l, q[2] / l, q[3] / l, q[4] / l }
end
local function turn(q, v)
  local t = cross(q, v)
  t = { 2 * t[1], 2 * t[2], 2 * t[3] }
  local u = cross(q, t)
  return { v[1] + q[4] * t[1] + u[1], v[2] + q[4] * t[2] + u[2], v[3] + q[4] * t[3] + u[3] }
end
local function inverse(q) return { -q[1], -q[2], -q[3], q[4] } end
local function product(a, b)
  local c = cross(a, b)
  return { a[4] * b[1] + b[4] * a[1] + c[1], a[4] * b[2] + b[4] * a[2] + c[2],
    a[4] * b[3] + b[4] * a[3] + c[3], a[4] * b[4] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3] }
end

local function numbers(list)
  local out = {}
  for i, v in ipairs(list) do out[i] = ("%.9g"):format(v) end
  return table.concat(out, ",")
end

local turned_to = { ["Z up"] = { math.sqrt(.5), 0, 0, math.sqrt(.5) }, back = { 0, 1, 0, 0 } }

-- c: a convention; o: { a_pose, frames = "random", unit = 100, turned = "back" or "Z up", bare = no
-- mesh, warp = a function of a place, matrices, reversed = children in reverse order }. Writes
-- `path`; returns the truth { slot = name } with the lists spine and necks.
function figure.write(c, path, o)
  o = o or {}
  local list = joints_of(c, o)
  local unit = o.unit or 1
  local whole = turned_to[o.turned] or { 0, 0, 0, 1 }
  local truth = { spine = {}, necks = {} }
  for i, j in ipairs(list) do
    if o.warp then j.at = o.warp(j.at, j) end
    local p = turn(whole, j.at)
    j.world = { p[1] * unit, p[2] * unit, p[3] * unit }
    j.turn = o.frames == "random" and quaternion(i * 7919) or { 0, 0, 0, 1 }
    if j.slot == "spine" then table.insert(truth.spine, j.name)
    elseif j.slot == "neck" then table.insert(truth.necks, j.name)
    elseif j.slot then truth[j.slot] = j.name end
  end
  local order, number = {}, {}
  for i = 1, #list do order[i] = o.reversed and #list + 1 - i or i end
  for k, i in ipairs(order) do number[i] = k - 1 end
  local nodes, inverses, joints, roots = {}, {}, {}, {}
  for _, i in ipairs(order) do
    local j, kids = list[i], {}
    local p = list[j.parent or 0] or { world = { 0, 0, 0 }, turn = { 0, 0, 0, 1 } }
    for n, other in ipairs(list) do
      if other.parent == i then table.insert(kids, o.reversed and 1 or #kids + 1, number[n]) end
    end
    if not j.parent then roots[#roots + 1] = number[i] end
    local at = turn(inverse(p.turn), sub(j.world, p.world))
    local q = product(inverse(p.turn), j.turn)
    local place
    if o.matrices then
      local m = {}
      for axis = 1, 3 do
        local v = turn(q, { axis == 1 and 1 or 0, axis == 2 and 1 or 0, axis == 3 and 1 or 0 })
        for k = 1, 3 do m[#m + 1] = v[k] end
        m[#m + 1] = 0
      end
      for k = 1, 3 do m[#m + 1] = at[k] end
      m[16] = 1
      place = '"matrix":[' .. numbers(m) .. "]"
    else
      place = ('"translation":[%s],"rotation":[%s]'):format(numbers(at), numbers(q))
    end
    nodes[#nodes + 1] = ('{"name":"%s",%s%s}'):format(j.name, place, #kids > 0
      and ',"children":[' .. table.concat(kids, ",") .. "]" or "")
    joints[#joints + 1] = number[i]
    local m = {}
    for axis = 1, 3 do
      local v = turn(inverse(j.turn), { axis == 1 and 1 or 0, axis == 2 and 1 or 0, axis == 3 and 1
        or 0 })
      for k = 1, 3 do m[#m + 1] = v[k] end
      m[#m + 1] = 0
    end
    local back = turn(inverse(j.turn), j.world)
    for k = 1, 3 do m[#m + 1] = -back[k] end
    m[16] = 1
    inverses[#inverses + 1] = pack("f", (table.unpack or unpack)(m))
  end
  local bin, views, extra = "", {}, ""
  local scene = table.concat(roots, ",")
  if not o.bare then
    local vertices, triangles = mesh_of(list)
    local positions, weights, owners, indices = {}, {}, {}, {}
    for k, v in ipairs(vertices) do
      local p = turn(whole, v)
      positions[k] = pack("f", p[1] * unit, p[2] * unit, p[3] * unit)
      weights[k] = pack("f", v[7], v[8], v[9], 0)
      owners[k] = pack("I2", number[v[4]], v[8] > 0 and number[v[5]] or 0,
        v[9] > 0 and number[v[6]] or 0, 0)
    end
    for k, t in ipairs(triangles) do indices[k] = pack("I2", t[1], t[2], t[3]) end
    local parts = { table.concat(positions), table.concat(weights), table.concat(owners),
      table.concat(inverses), table.concat(indices) }
    local from = 0
    for k, part in ipairs(parts) do
      views[k] = ('{"buffer":0,"byteOffset":%d,"byteLength":%d}'):format(from, #part)
      from = from + #part
    end
    bin = table.concat(parts)
    local n = #vertices
    extra = ([=[,"buffers":[{"byteLength":%d}],"bufferViews":[%s],"accessors":[
{"bufferView":0,"componentType":5126,"count":%d,"type":"VEC3",
"min":[-900,-900,-900],"max":[900,900,900]},
{"bufferView":1,"componentType":5126,"count":%d,"type":"VEC4"},
{"bufferView":2,"componentType":5123,"count":%d,"type":"VEC4"},
{"bufferView":3,"componentType":5126,"count":%d,"type":"MAT4"},
{"bufferView":4,"componentType":5123,"count":%d,"type":"SCALAR"}],
"meshes":[{"name":"Body","primitives":[{
"attributes":{"POSITION":0,"WEIGHTS_0":1,"JOINTS_0":2},"indices":4}]}],
"skins":[{"joints":[%s],"inverseBindMatrices":3}]]=]):format(#bin + -#bin % 4, table.concat(views,
  ","), n,
      n, n, #list, 3 * #triangles, table.concat(joints, ","))
    nodes[#nodes + 1] = '{"name":"Body","mesh":0,"skin":0}'
    scene = scene .. "," .. (#nodes - 1)
  end
  local text = ('{"asset":{"version":"2.0"},"scenes":[{"nodes":[%s]}],"nodes":[%s]%s}'):format(
    scene, table.concat(nodes, ","), extra)
  text = text .. (" "):rep(-#text % 4)
  bin = bin .. ("\0"):rep(-#bin % 4)
  local file = assert(io.open(path, "wb"))
  file:write("glTF", pack("I4", 2, 20 + #text + (#bin > 0 and 8 + #bin or 0), #text), "JSON", text)
  if #bin > 0 then file:write(pack("I4", #bin), "BIN\0", bin) end
  file:close()
  return truth
end

-- --- conventions

local function chain(pattern, first, last)
  local list = {}
  for i = first, last do list[#list + 1] = pattern:format(i) end
  return list
end
-- all fingers by one pattern: F is the finger, N the number of its joint
local function all_fingers(pattern, words, joints)
  local list = {}
  for i, finger in ipairs(figure.fingers) do
    if words[i] then
      list[finger] = {}
      for k = 1, joints or 3 do
        list[finger][k] = pattern:gsub("F", words[i]):gsub("N", tostring(k))
      end
    end
  end
  return list
end
local titled = { "Thumb", "Index", "Middle", "Ring", "Pinky" }
local lower = { "thumb", "index", "middle", "ring", "pinky" }

local all = {}
figure.conventions = all
all.mixamo = { hips = "mixamorig:Hips", spine = { "mixamorig:Spine", "mixamorig:Spine1",
  "mixamorig:Spine2" }, neck = "mixamorig:Neck", head = "mixamorig:Head",
  headend = "mixamorig:HeadTop_End", clavicle = "mixamorig:%sShoulder",
    upperarm = "mixamorig:%sArm",
  forearm = "mixamorig:%sForeArm", hand = "mixamorig:%sHand", thigh = "mixamorig:%sUpLeg",
  shin = "mixamorig:%sLeg", foot = "mixamorig:%sFoot", toe = "mixamorig:%sToeBase",
  toeend = "mixamorig:%sToe_End", fingers = all_fingers("mixamorig:%sHandFN", titled, 4),
  side = { "Left", "Right" } }
all.ready_player_me = {}
for key, value in pairs(all.mixamo) do
  if type(value) == "string" then value = value:gsub("mixamorig:", "") end
  all.ready_player_me[key] = value
end
all.ready_player_me.spine = { "Spine", "Spine1", "Spine2" }
all.ready_player_me.fingers = all_fingers("%sHandFN", titled, 4)
all.ready_player_me.extra_sided = { { "%sEye", "head", { .03, 1.64, .09 }, "weighted" } }
all.ready_player_me.root = "Armature"
all.unreal = { root = "root", hips = "pelvis", spine = chain("spine_%02d", 1, 3), neck = "neck_01",
  head = "head", clavicle = "clavicle_%s", upperarm = "upperarm_%s", forearm = "lowerarm_%s",
  hand = "hand_%s", thigh = "thigh_%s", shin = "calf_%s", foot = "foot_%s", toe = "ball_%s",
  fingers = all_fingers("F_0N_%s", lower), twist = { upperarm = { "upperarm_twist_01_%s" },
    forearm = { "lowerarm_twist_01_%s" }, thigh = { "thigh_twist_01_%s" },
    shin = { "calf_twist_01_%s" } },
  extra = { { "ik_foot_root", "root", { 0, 0, 0 } }, { "ik_foot_l", "ik_foot_root", { .1, .085,
    -.02 } }, { "ik_foot_r", "ik_foot_root", { -.1, .085, -.02 } },
  { "ik_hand_root", "root", { 0, 0, 0 } }, { "ik_hand_gun", "ik_hand_root", { -.7, 1.43, 0 } },
  { "ik_hand_l", "ik_hand_gun", { .7, 1.43, 0 } }, { "ik_hand_r", "ik_hand_gun", { -.7, 1.43,
    0 } } } }
local function with(base, changes)
  local copy = {}
  for key, value in pairs(base) do copy[key] = value end
  for key, value in pairs(changes) do
    copy[key] = value
    if value == false then copy[key] = nil end
  end
  return copy
end
figure.with = with
local unreal_fingers = all_fingers("F_0N_%s", lower)
unreal_fingers.metacarpal, unreal_fingers.metacarpal_slot = "%f_metacarpal_%s", true
all.metahuman = with(all.unreal, { spine = chain("spine_%02d", 1, 5), jaw = "FACIAL_C_Jaw",
  neck = { "neck_01",
  "neck_02" }, fingers = unreal_fingers,
  twist = { upperarm = { "upperarm_twist_01_%s", "upperarm_twist_02_%s" },
    forearm = { "lowerarm_twist_02_%s", "lowerarm_twist_01_%s" },
    thigh = { "thigh_twist_01_%s", "thigh_twist_02_%s" },
    shin = { "calf_twist_02_%s", "calf_twist_01_%s" } },
  extra_sided = { { "clavicle_out_%s", "clavicle", { .16, 1.45, 0 }, "weighted" },
    { "clavicle_pec_%s", "spine5", { .08, 1.38, .09 }, "weighted" },
    { "spine_04_latissimus_%s", "spine4", { .1, 1.3, -.08 }, "weighted" },
    { "upperarm_correctiveRoot_%s", "upperarm", { .18, 1.43, -.02 } },
    { "upperarm_bicep_%s", "upperarm", { .3, 1.44, .03 }, "weighted" },
    { "calf_kneeBack_%s", "shin", { .095, .5, -.04 }, "weighted" },
    { "ankle_bck_%s", "foot", { .1, .085, -.05 }, "weighted" },
    { "bigtoe_01_%s", "toe", { .09, .02, .13 }, "weighted" },
    { "indextoe_01_%s", "toe", { .11, .02, .13 }, "weighted" },
    { "littletoe_01_%s", "toe", { .13, .02, .12 }, "weighted" } },
  extra = { { "FACIAL_C_FacialRoot", "head", { 0, 1.6, .02 }, "weighted" },
    { "FACIAL_C_Neck1Root", "neck1", { 0, 1.5, .02 }, "weighted" },
    { "FACIAL_L_Eye", "FACIAL_C_FacialRoot", { .03, 1.64, .09 }, "weighted" },
    { "FACIAL_R_Eye", "FACIAL_C_FacialRoot", { -.03, 1.64, .09 }, "weighted" } } })
all.rigify = { root = "root", hips = "DEF-spine", spine = chain("DEF-spine.%03d", 1, 3),
  neck = { "DEF-spine.004", "DEF-spine.005" }, head = "DEF-spine.006",
  clavicle = "DEF-shoulder.%s", upperarm = "DEF-upper_arm.%s", forearm = "DEF-forearm.%s",
  hand = "DEF-hand.%s", thigh = "DEF-thigh.%s", shin = "DEF-shin.%s", foot = "DEF-foot.%s",
  toe = "DEF-toe.%s", inline = { upperarm = { "DEF-upper_arm.%s.001" },
    forearm = { "DEF-forearm.%s.001" }, thigh = { "DEF-thigh.%s.001" },
      shin = { "DEF-shin.%s.001" } },
  side = { "L", "R" }, fingers = all_fingers("DEF-F.0N.%s", { "thumb", "f_index", "f_middle",
    "f_ring", "f_pinky" }), extra_sided = { { "DEF-breast.%s", "spine3", { .09, 1.3, .1 },
      "weighted" },
    { "DEF-pelvis.%s", "hips", { .07, .97, .05 }, "weighted" } } }
all.blender = { hips = "hips", spine = { "spine", "chest", "upper_chest" }, neck = "neck",
  head = "head", clavicle = "shoulder.%s", upperarm = "upper_arm.%s", forearm = "forearm.%s",
  hand = "hand.%s", thigh = "thigh.%s", shin = "shin.%s", foot = "foot.%s", toe = "toe.%s",
  side = { "L", "R" }, fingers = all_fingers("F.0N.%s", lower),
  extra = { { "hand_ik.L", nil, { .7, 1.43, 0 } }, { "hand_ik.R", nil, { -.7, 1.43, 0 } },
    { "foot_ik.L", nil, { .1, .085, -.02 } }, { "foot_ik.R", nil, { -.1, .085, -.02 } },
    { "knee_pole.L", nil, { .1, .5, .5 } }, { "knee_pole.R", nil, { -.1, .5, .5 } } } }
all.mecanim = { root = "Root", hips = "Hips", spine = { "Spine", "Chest", "UpperChest" },
  neck = "Neck", head = "Head", jaw = "Jaw", clavicle = "%sShoulder", upperarm = "%sUpperArm",
  forearm = "%sLowerArm", hand = "%sHand", thigh = "%sUpperLeg", shin = "%sLowerLeg",
  foot = "%sFoot", toe = "%sToes", side = { "Left", "Right" },
  fingers = all_fingers("%sFN", { "Thumb", "Index", "Middle", "Ring", "Little" }) }
for _, finger in ipairs(figure.fingers) do
  for k, word in ipairs { "Proximal", "Intermediate", "Distal" } do
    all.mecanim.fingers[finger][k] = all.mecanim.fingers[finger][k]:gsub("%d", word)
  end
end
local biped_fingers = {}
for i, finger in ipairs(figure.fingers) do
  local base = "Bip001 %s Finger" .. (i - 1)
  biped_fingers[finger] = { base, base .. "1", base .. "2" }
end
all.biped = { root = "Bip001", hips = "Bip001 Pelvis", spine = { "Bip001 Spine", "Bip001 Spine1" },
  neck = "Bip001 Neck", head = "Bip001 Head", headend = "Bip001 HeadNub",
  clavicle = "Bip001 %s Clavicle", upperarm = "Bip001 %s UpperArm", forearm = "Bip001 %s Forearm",
  hand = "Bip001 %s Hand", thigh = "Bip001 %s Thigh", shin = "Bip001 %s Calf",
  foot = "Bip001 %s Foot", toe = "Bip001 %s Toe0", toeend = "Bip001 %s Toe0Nub",
  side = { "L", "R" }, fingers = biped_fingers, arms_on_neck = true,
  twist = { upperarm = { "Bip001 %sUpArmTwist" }, forearm = { "Bip001 %s ForeTwist",
    "Bip001 %s ForeTwist1" } },
  extra = { { "Bip001 Footsteps", "root", { 0, 0, 0 } } } }
all.valve = { hips = "ValveBiped.Bip01_Pelvis", spine = { "ValveBiped.Bip01_Spine",
  "ValveBiped.Bip01_Spine1", "ValveBiped.Bip01_Spine2", "ValveBiped.Bip01_Spine4" },
  neck = "ValveBiped.Bip01_Neck1", head = "ValveBiped.Bip01_Head1",
  clavicle = "ValveBiped.Bip01_%s_Clavicle", upperarm = "ValveBiped.Bip01_%s_UpperArm",
  forearm = "ValveBiped.Bip01_%s_Forearm", hand = "ValveBiped.Bip01_%s_Hand",
  thigh = "ValveBiped.Bip01_%s_Thigh", shin = "ValveBiped.Bip01_%s_Calf",
  foot = "ValveBiped.Bip01_%s_Foot", toe = "ValveBiped.Bip01_%s_Toe0", side = { "L", "R" },
  extra = { { "ValveBiped.weapon_bone", "handR", { -.75, 1.43, 0 }, "weighted" } } }
all.daz8 = { above = "hip", hips = "pelvis", pelvis_apart = true,
  spine = { "abdomenLower", "abdomenUpper", "chestLower", "chestUpper" }, neck = { "neckLower",
    "neckUpper" }, head = "head", clavicle = "%sCollar", upperarm = "%sShldrBend",
  forearm = "%sForearmBend", hand = "%sHand", thigh = "%sThighBend", shin = "%sShin",
  foot = "%sFoot", toe = "%sToe", inline = { upperarm = { "%sShldrTwist" },
    forearm = { "%sForearmTwist" }, thigh = { "%sThighTwist" }, foot = { "%sMetatarsals" } },
  fingers = all_fingers("%sFN", { "Thumb", "Index", "Mid", "Ring", "Pinky" }),
  extra_sided = { { "%sEye", "head", { .03, 1.64, .09 }, "weighted" },
    { "%sPectoral", "spine4", { .08, 1.3, .09 }, "weighted" } },
  extra = { { "upperTeeth", "head", { 0, 1.6, .07 }, "weighted" },
    { "tongue01", "head", { 0, 1.59, .07 }, "weighted" } }, jaw = "lowerJaw" }
all.daz8.fingers.metacarpal = "%sCarpal%n"
all.daz9 = { above = "hip", hips = "pelvis", pelvis_apart = true, spine = chain("spine%d", 1, 4),
  neck = { "neck1", "neck2" }, head = "head", clavicle = "%s_shoulder", upperarm = "%s_upperarm",
  forearm = "%s_forearm", hand = "%s_hand", thigh = "%s_thigh", shin = "%s_shin", foot = "%s_foot",
  toe = "%s_toes", twist = { upperarm = { "%s_upperarmtwist1", "%s_upperarmtwist2" },
    forearm = { "%s_forearmtwist1", "%s_forearmtwist2" },
    thigh = { "%s_thightwist1", "%s_thightwist2" } },
  fingers = all_fingers("%s_FN", { "thumb", "index", "mid", "ring", "pinky" }) }
all.character_creator = { root = "CC_Base_BoneRoot", above = "CC_Base_Hip", hips = "CC_Base_Pelvis",
  pelvis_apart = true, spine = { "CC_Base_Waist", "CC_Base_Spine01", "CC_Base_Spine02" },
  neck = { "CC_Base_NeckTwist01", "CC_Base_NeckTwist02" }, head = "CC_Base_Head",
  clavicle = "CC_Base_%s_Clavicle", upperarm = "CC_Base_%s_Upperarm",
  forearm = "CC_Base_%s_Forearm", hand = "CC_Base_%s_Hand", thigh = "CC_Base_%s_Thigh",
  shin = "CC_Base_%s_Calf", foot = "CC_Base_%s_Foot", toe = "CC_Base_%s_ToeBase", side = { "L",
    "R" },
  twist = { upperarm = { "CC_Base_%s_UpperarmTwist01", "CC_Base_%s_UpperarmTwist02" },
    forearm = { "CC_Base_%s_ForearmTwist01", "CC_Base_%s_ForearmTwist02" },
    thigh = { "CC_Base_%s_ThighTwist01", "CC_Base_%s_ThighTwist02" },
    shin = { "CC_Base_%s_CalfTwist01", "CC_Base_%s_CalfTwist02" } },
  fingers = all_fingers("CC_Base_%s_FN", { "Thumb", "Index", "Mid", "Ring", "Pinky" }),
  extra_sided = { { "CC_Base_%s_ToeBaseShareBone", "foot", { .11, .02, .11 }, "weighted" },
    { "CC_Base_%s_KneeShareBone", "shin", { .095, .5, .01 }, "weighted" },
    { "CC_Base_%s_ElbowShareBone", "forearm", { .45, 1.43, -.03 }, "weighted" },
    { "CC_Base_%s_RibsTwist", "spine3", { .07, 1.35, .06 }, "weighted" },
    { "CC_Base_%s_Breast", "spine3", { .08, 1.3, .09 }, "weighted" } },
  extra = { { "CC_Base_FacialBone", "head", { 0, 1.6, .04 } },
    { "CC_Base_JawRoot", "CC_Base_FacialBone", { 0, 1.58, .05 }, "weighted" },
    { "CC_Base_L_Eye", "CC_Base_FacialBone", { .03, 1.64, .09 }, "weighted" },
    { "CC_Base_R_Eye", "CC_Base_FacialBone", { -.03, 1.64, .09 }, "weighted" } } }
all.maya = { root = "root_jnt", hips = "pelvis_jnt", spine = { "spine_01_jnt", "spine_02_jnt" },
  neck = "neck_jnt", head = "head_jnt", headend = "head_end_jnt", clavicle = "%s_clavicle_jnt",
  upperarm = "%s_arm_jnt", forearm = "%s_elbow_jnt", hand = "%s_wrist_jnt", thigh = "%s_leg_jnt",
  shin = "%s_knee_jnt", foot = "%s_ankle_jnt", toe = "%s_ball_jnt", toeend = "%s_toe_jnt",
  fingers = all_fingers("%s_F_0N_jnt", lower) }
all.maya_shoulder = with(all.maya, { clavicle = false, upperarm = "%s_shoulder_JNT",
  forearm = "%s_elbow_JNT", hand = "%s_wrist_JNT", thigh = "%s_hip_JNT", shin = "%s_knee_JNT",
  foot = "%s_ankle_JNT", side = { "L", "R" } })
all.advanced_skeleton = { hips = "Root_M", spine = { "Spine1_M", "Spine2_M", "Chest_M" },
  neck = "Neck_M", head = "Head_M", headend = "HeadEnd_M", jaw = "Jaw_M", clavicle = "Scapula_%s",
  upperarm = "Shoulder_%s", forearm = "Elbow_%s", hand = "Wrist_%s", thigh = "Hip_%s",
  shin = "Knee_%s", foot = "Ankle_%s", toe = "Toes_%s", toeend = "ToesEnd_%s", side = { "L", "R" },
  inline = { upperarm = { "ShoulderPart1_%s" }, forearm = { "ElbowPart1_%s" },
    thigh = { "HipPart1_%s" } },
  fingers = all_fingers("FFingerN_%s", titled) }
all.smpl = { hips = "Pelvis", spine = { "Spine1", "Spine2", "Spine3" }, neck = "Neck",
  head = "Head",
  clavicle = "%s_Collar", upperarm = "%s_Shoulder", forearm = "%s_Elbow", hand = "%s_Wrist",
  thigh = "%s_Hip", shin = "%s_Knee", foot = "%s_Ankle", toe = "%s_Foot", side = { "L", "R" },
  extra_sided = { { "%s_Hand", "hand", { .78, 1.43, 0 }, "weighted" } } }
all.smplx = with(all.smpl, { hips = "pelvis", spine = { "spine1", "spine2", "spine3" },
  neck = "neck",
  head = "head", jaw = "jaw", clavicle = "%s_collar", upperarm = "%s_shoulder",
    forearm = "%s_elbow",
  hand = "%s_wrist", thigh = "%s_hip", shin = "%s_knee", foot = "%s_ankle", toe = "%s_foot",
  side = { "left", "right" }, extra_sided = false, fingers = all_fingers("%s_FN", lower) })
all.vroid = { root = "Root", hips = "J_Bip_C_Hips", spine = { "J_Bip_C_Spine", "J_Bip_C_Chest",
  "J_Bip_C_UpperChest" }, neck = "J_Bip_C_Neck", head = "J_Bip_C_Head",
  clavicle = "J_Bip_%s_Shoulder", upperarm = "J_Bip_%s_UpperArm", forearm = "J_Bip_%s_LowerArm",
  hand = "J_Bip_%s_Hand", thigh = "J_Bip_%s_UpperLeg", shin = "J_Bip_%s_LowerLeg",
  foot = "J_Bip_%s_Foot", toe = "J_Bip_%s_ToeBase", side = { "L", "R" },
  fingers = all_fingers("J_Bip_%s_FN", { "Thumb", "Index", "Middle", "Ring", "Little" }),
  extra_sided = { { "J_Adj_%s_FaceEye", "head", { .03, 1.64, .09 }, "weighted" },
    { "J_Sec_%s_Bust1", "spine3", { .08, 1.3, .09 }, "weighted" },
    { "J_Sec_%s_CoatSkirtFront_01", "hips", { .1, .85, .08 }, "weighted" } },
  extra = { { "J_Sec_Hair1_01", "head", { .02, 1.7, .1 }, "weighted" },
    { "J_Sec_Hair2_01", "J_Sec_Hair1_01", { .02, 1.5, -.15 }, "weighted" },
    { "J_Sec_Hair3_01", "J_Sec_Hair2_01", { .02, 1.3, -.18 }, "weighted" },
    { "J_Sec_Hair1_02", "head", { -.02, 1.7, .1 }, "weighted" },
    { "J_Sec_Hair2_02", "J_Sec_Hair1_02", { -.02, 1.5, -.15 }, "weighted" },
    { "J_Sec_Hair3_02", "J_Sec_Hair2_02", { -.02, 1.3, -.18 }, "weighted" } } }
all.roblox = { root = "HumanoidRootPart", hips = "LowerTorso", spine = { "UpperTorso" },
  head = "Head",
  upperarm = "%sUpperArm", forearm = "%sLowerArm", hand = "%sHand", thigh = "%sUpperLeg",
  shin = "%sLowerLeg", foot = "%sFoot", side = { "Left", "Right" } }
all.second_life = { hips = "mPelvis", spine = { "mTorso", "mChest" }, neck = "mNeck",
  head = "mHead",
  clavicle = "mCollar%s", upperarm = "mShoulder%s", forearm = "mElbow%s", hand = "mWrist%s",
  thigh = "mHip%s", shin = "mKnee%s", foot = "mAnkle%s", toe = "mFoot%s", toeend = "mToe%s",
  side = { "Left", "Right" } }
all.synty = { root = "Root", hips = "Hips", spine = chain("Spine_%02d", 1, 3), neck = "Neck",
  head = "Head", clavicle = "Clavicle_%s", upperarm = "Shoulder_%s", forearm = "Elbow_%s",
  hand = "Hand_%s", thigh = "UpperLeg_%s", shin = "LowerLeg_%s", foot = "Ankle_%s", toe = "Ball_%s",
  toeend = "Toes_%s", side = { "L", "R" }, fingers = { thumb = chain("Thumb_%02d", 1, 3) } }
for k = 1, 3 do all.synty.fingers.thumb[k] = all.synty.fingers.thumb[k] .. "_%s" end
all.synty.fingers.index = { "IndexFinger_01_%s", "IndexFinger_02_%s", "IndexFinger_03_%s" }
all.synty.fingers.middle = { "Finger_01_%s", "Finger_02_%s", "Finger_03_%s" }
all.arkit = { root = "root", hips = "hips_joint", spine = chain("spine_%d_joint", 1, 7),
  neck = { "neck_1_joint", "neck_2_joint" }, head = "head_joint", jaw = "jaw_joint",
  clavicle = "%s_shoulder_1_joint", upperarm = "%s_arm_joint", forearm = "%s_forearm_joint",
  hand = "%s_hand_joint", thigh = "%s_upLeg_joint", shin = "%s_leg_joint", foot = "%s_foot_joint",
  toe = "%s_toes_joint", toeend = "%s_toesEnd_joint", side = { "left", "right" },
  fingers = all_fingers("%s_handF_N_joint", titled) }
all.cmu = { hips = "Hips", hipjoint = "%.1sHipJoint", spine = { "LowerBack", "Spine", "Spine1" },
  neck = { "Neck", "Neck1" }, head = "Head", clavicle = "%sShoulder", upperarm = "%sArm",
  forearm = "%sForeArm", hand = "%sHand", thigh = "%sUpLeg", shin = "%sLeg", foot = "%sFoot",
  toe = "%sToeBase", side = { "Left", "Right" } }
all.cmu.hipjoint = "%sHipJoint"
all.makehuman = { root = "root", hips = "spine05", spine = { "spine04", "spine03", "spine02",
  "spine01" }, neck = { "neck01", "neck02" }, head = "head", jaw = "jaw", clavicle = "clavicle.%s",
  upperarm = "upperarm01.%s", forearm = "lowerarm01.%s", hand = "wrist.%s", thigh = "upperleg01.%s",
  shin = "lowerleg01.%s", foot = "foot.%s", toe = "toe1-1.%s", side = { "L", "R" },
  inline = { clavicle = { "shoulder01.%s" }, upperarm = { "upperarm02.%s" },
    forearm = { "lowerarm02.%s" }, thigh = { "upperleg02.%s" }, shin = { "lowerleg02.%s" } },
  hipjoint = "pelvis.%s", fingers = {} }
for i, finger in ipairs(figure.fingers) do
  all.makehuman.fingers[finger] = chain("finger" .. i .. "-%d", 1, 3)
  for k = 1, 3 do
    all.makehuman.fingers[finger][k] = all.makehuman.fingers[finger][k] .. ".%s"
  end
end
all.kinect = { hips = "PELVIS", spine = { "SPINE_NAVEL", "SPINE_CHEST" }, neck = "NECK",
  head = "HEAD",
  clavicle = "CLAVICLE_%s", upperarm = "SHOULDER_%s", forearm = "ELBOW_%s", hand = "WRIST_%s",
  thigh = "HIP_%s", shin = "KNEE_%s", foot = "ANKLE_%s", toe = "FOOT_%s", side = { "LEFT",
    "RIGHT" } }
all.xsens = { hips = "Hips", spine = { "Chest", "Chest2", "Chest3", "Chest4" }, neck = "Neck",
  head = "Head", clavicle = "%sCollar", upperarm = "%sShoulder", forearm = "%sElbow",
    hand = "%sWrist",
  thigh = "%sHip", shin = "%sKnee", foot = "%sAnkle", toe = "%sToe", side = { "Left", "Right" } }
all.mgear = { hips = "spine_C0_0_jnt", spine = chain("spine_C0_%d_jnt", 1, 3),
  neck = "neck_C0_0_jnt",
  head = "neck_C0_head_jnt", clavicle = "shoulder_%s0_shoulder_jnt", upperarm = "arm_%s0_0_jnt",
  forearm = "arm_%s0_1_jnt", hand = "arm_%s0_end_jnt", thigh = "leg_%s0_0_jnt",
    shin = "leg_%s0_1_jnt",
  foot = "leg_%s0_end_jnt", toe = "foot_%s0_0_jnt", side = { "L", "R" } }
return figure

-- What the names of joints say: the side, and which parts of a body a joint may be, with weights.
-- Words of Mixamo, VRM, Unreal, Unity, Rigify, Biped, CMU and others.
local names = {}

names.central = { "hips", "spine", "neck", "head", "jaw" }
names.sided = { "clavicle", "upperarm", "forearm", "hand", "thigh", "shin", "foot", "toe" }
names.fingers = { "thumb", "index", "middle", "ring", "little" }

local is_central = {}
for _, slot in ipairs(names.central) do is_central[slot] = true end

-- words, joined, without side and number: slot and weight
local slots_of = {}
local function put(slot, weight, words)
  for word in words:gmatch "%S+" do
    slots_of[word] = slots_of[word] or {}
    slots_of[word][slot] = weight
  end
end
put("hips", 1, "hips pelvis midhip hip")
put("hips", .5, "root cog bodyroot")
put("spine", 1, "spine chest upperchest abdomen torso tummy lowerback back waist lowerspine "
  .. "upperspine "
  .. "midspine spinelower spineupper thorax ribcage ribs belly stomach body lowertorso uppertorso")
put("neck", 1, "neck")
put("head", 1, "head skull")
put("jaw", 1, "jaw chin")
put("clavicle", 1, "clavicle collar collarbone clav scapula")
put("clavicle", .8, "shoulder")
put("upperarm", .5, "shoulder")
put("upperarm", 1, "upperarm uparm armupper humerus bicep armup upperlimb shoulderjoint")
put("upperarm", .8, "arm")
put("forearm", 1, "forearm lowerarm loarm lowarm armlower armlow ulna radius")
put("forearm", .9, "elbow")
put("hand", 1, "hand")
put("hand", .8, "wrist palm carpus")
put("thigh", 1, "thigh upleg upperleg legupper legup femur hipjoint")
put("thigh", .5, "leg hip")
put("shin", 1, "shin calf lowerleg loleg lowleg leglower leglow tibia")
put("shin", .9, "knee")
put("shin", .6, "leg")
put("foot", 1, "foot ankle")
put("toe", 1, "toe toes toebase ball bigtoe football")
put("toe", .5, "foot") -- below an ankle
for finger, words in pairs { thumb = "thumb", index = "index pointer findex indexfinger",
  middle = "middle mid fmiddle middlefinger", ring = "ring fring ringfinger",
  little = "little pinky pinkie fpinky small littlefinger pinkyfinger" } do
  for word in words:gmatch "%S+" do
    for _, before in ipairs { "", "hand" } do
      for _, after in ipairs { "", "finger", "proximal", "intermediate", "distal", "metacarpal" } do
        put(finger, 1, before .. word .. after)
      end
    end
  end
end

local function set_of(words)
  local set = {}
  for word in words:gmatch "%S+" do set[word] = true end
  return set
end
-- never a main joint
local helpers = set_of("ik fk pole target ctrl control mch org helper end nub tip slot socket "
  .. "breast "
  .. "hair skirt weapon prop attach roll rollbone buttock eye brow lid lip ear tail tongue "
    .. "teeth nose "
  .. "cheek special levator glue master fake scale max effector site heel handle vb wing "
  .. "share sharebone")
local dropped = set_of("def mixamorig bip bip01 bip001 biped valvebiped j jnt joint bone bones "
  .. "bind b "
  .. "armature skeleton rig character cc base sk c center centre adj bn sec")
local sides = { l = "L", left = "L", lft = "L", r = "R", right = "R", rgt = "R" }

-- lower-case words and numbers of a name
function names.tokens(name)
  name = name:gsub("FBXASC(%d%d%d)", function(code) return string.char(tonumber(code)) end)
  name = name:match "[^|]*$"
  name = name:gsub("[mM][iI][xX][aA][mM][oO][rR][iI][gG]%d*[:_]?", "")
  name = name:gsub("[bB][iI][pP][ _]?0*1[ _]?", "")
  name = name:gsub("(%l)(%u)", "%1 %2"):gsub("(%u)(%u%l)", "%1 %2")
  name = name:gsub("(%a)(%d)", "%1 %2"):gsub("(%d)(%a)", "%1 %2")
  local list = {}
  for token in name:lower():gmatch "[a-z0-9]+" do list[#list + 1] = token end
  return list
end

-- the side written into a long word, as in "leftarm"
local function cut_side(token)
  for word, side in pairs { left = "L", right = "R" } do
    if #token > 6 and token:sub(1, #word) == word then return side, token:sub(#word + 1) end
    if #token > 6 and token:sub(-#word) == word then return side, token:sub(1, -#word - 1) end
  end
  return nil, token
end

local function read_one(name, tokens, common, inside)
  local one = { slots = {}, numbers = {} }
  local rest = {}
  for _, token in ipairs(tokens) do
    if token:find "^%d+$" then
      table.insert(one.numbers, token)
    elseif sides[token] then
      one.side = sides[token]
    else
      local side = nil
      if not one.side then side, token = cut_side(token) end
      one.side = one.side or side
      rest[#rest + 1] = token
    end
  end
  local base, plain = {}, {}
  for _, token in ipairs(rest) do
    one.helper = one.helper or (helpers[token] and not (token == "end" and inside))
    one.twist = one.twist or token:find "twist" ~= nil or token == "roll" or token == "rollbone"
      or (token == "part" and not common[token])
    if not dropped[token] and not (token == "end" and inside) then
      plain[#plain + 1] = token
      if not common[token] then base[#base + 1] = token end
    end
  end
  if #base == 0 then base = plain end
  one.helper = one.helper or name:find "^__" ~= nil
  one.key = table.concat(base)
  if one.helper or one.twist then return one end
  local count = #base
  local found, weight = slots_of[one.key], 1
  for _, key in ipairs { count > 1 and base[count - 1] .. base[count], base[count], base[1] } do
    if not found and key and slots_of[key] then found, weight = slots_of[key], .8 end
  end
  for slot, value in pairs(found or {}) do
    if (one.side ~= nil) ~= (is_central[slot] == true) then one.slots[slot] = value * weight end
  end
  return one
end

-- numbered fingers: Biped's Finger0 (thumb) to Finger4, Finger01 its second joint; finger_1_2.
-- Where thumbs have a name, Finger_01 to Finger_03 are the joints of one finger.
local function number_fingers(list)
  local zero, thumb = false, false
  for _, one in ipairs(list) do
    thumb = thumb or one.slots.thumb ~= nil
    local first = one.numbers[1]
    zero = zero or (one.key == "finger" and first and (first == "0" or #first == 2))
  end
  for _, one in ipairs(list) do
    local first = one.numbers[1]
    if one.key == "finger" and one.side and first and #first < 3 then -- Finger.001 is no number
      local number = tonumber(first:sub(1, 1)) + ((zero or thumb) and 1 or 0)
      local finger = names.fingers[thumb and first:find "^0" and 3 or number]
      if finger then one.slots = { [finger] = .7 } end
    end
  end
end

-- arm_1, arm_2, arm_3 say which limb, not which joint; a second numbered foot is a toe
local function settle_chains(list)
  local groups = {}
  for _, one in ipairs(list) do
    if one.side and next(one.slots) then
      local id = one.key .. one.side
      groups[id] = groups[id] or {}
      table.insert(groups[id], one)
    end
  end
  for _, group in pairs(groups) do
    local first = group[1].slots
    local arm, leg = first.upperarm or first.clavicle, first.thigh or first.shin or first.foot
    if #group >= 3 and (arm or leg) then
      for _, one in ipairs(group) do
        one.slots, one.vague = {}, true
        for i = arm and 1 or 5, arm and 4 or 8 do one.slots[names.sided[i]] = .3 end
      end
    elseif #group == 2 and first.foot then
      local number = function(one) return tonumber(one.numbers[#one.numbers] or 0) end
      local a, b = group[1], group[2]
      if number(a) ~= number(b) then
        local later = number(a) > number(b) and a or b
        later.slots.toe, later.slots.foot = .9, .3
      end
    end
  end
end

-- No head by name: the last of several necks, or of a numbered spine, is the head.
local function find_head(list)
  local necks, spine = {}, {}
  for _, one in ipairs(list) do
    if one.slots.head then return end
    if one.slots.neck then necks[#necks + 1] = one end
    if one.key == "spine" then spine[#spine + 1] = one end
  end
  if #necks > 1 then
    necks[#necks].slots = { head = .6 }
  elseif #necks == 0 and #spine > 3 then
    local last, high = nil, 0
    for _, one in ipairs(spine) do
      local number = tonumber(one.numbers[#one.numbers] or 0)
      if number > high then last, high = one, number end
    end
    if last then last.slots = { head = .8 } end
  end
end

-- for each name { side = "L", "R" or nil, slots = { thigh = .5, ... }, helper, twist, vague };
-- `inside(i)`: whether more joints hang on it, so that it is no end
function names.read(list, inside)
  local tokens, count, common = {}, {}, {}
  for i, name in ipairs(list) do
    tokens[i] = names.tokens(name)
    local seen = {}
    for _, token in ipairs(tokens[i]) do
      if not seen[token] then count[token] = (count[token] or 0) + 1 end
      seen[token] = true
    end
  end
  for token, times in pairs(count) do
    common[token] = #list > 5 and times > .6 * #list and not token:find "^%d+$" or nil
  end
  local result = {}
  for i, name in ipairs(list) do result[i] = read_one(name, tokens[i], common, inside(i)) end
  number_fingers(result)
  settle_chains(result)
  find_head(result)
  return result
end

-- the humanoid maps of VRM 0 and 1
names.vrm = { hips = "hips", spine = "spine", chest = "spine", upperChest = "spine", neck = "neck",
  head = "head", jaw = "jaw" }
for word, side in pairs { left = "L", right = "R" } do
  for bone, slot in pairs { Shoulder = "clavicle", UpperArm = "upperarm", LowerArm = "forearm",
    Hand = "hand", UpperLeg = "thigh", LowerLeg = "shin", Foot = "foot", Toes = "toe" } do
    names.vrm[word .. bone] = slot .. side
  end
  for _, finger in ipairs { "Thumb", "Index", "Middle", "Ring", "Little" } do
    for _, joint in ipairs { "Metacarpal", "Proximal", "Intermediate", "Distal" } do
      names.vrm[word .. finger .. joint] = finger:lower() .. side
    end
  end
end

return names

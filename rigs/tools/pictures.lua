-- The pictures of README.md, rigs/README.md and PAPERS.md: what is made, and making it.
--
--   ./dev pictures              makes all of them, and the galleries of rigs/README.md
--   ./dev pictures knee spine   those whose names contain one of these words
--   ./dev pictures --list       prints the commands, to run by hand
--
-- A row has the picture's name, the rig, the DOFs of its pose, the options of the viewer
-- (`build/bin/sinew-viewer --help`) and a caption, which says what it answers in which paper. A rig
-- `README.md#leg` is the code block of that document with `sinew.rig "leg"`. Poses are found by
-- hand, in the window: `build/bin/sinew-viewer rigs/human.lua`.
local pictures = {
  { "human", "rigs/human.lua", [[
    body.x=-0.05 body.y=-0.012 body.turn=-8 body.tilt=-6
    lumbar.flexion=-0.05 lumbar.bend=0.35 lumbar.twist=0.3
    thoracic.flexion=0.1 thoracic.bend=0.4 thoracic.twist=-0.5
    cervical.flexion=0.4 cervical.bend=-0.15 cervical.twist=-0.42 head.nod=5 jaw.open=2
    right_shoulder.raise=9 right_shoulder.swing=0 right_shoulder.twist=-20
    right_elbow.flexion=25 right_elbow.twist=10 right_wrist.flexion=10
    right_hand.thumb_curl=0.2 right_hand.index_curl=0.2 right_hand.middle_curl=0.3
    right_hand.ring_curl=0.35 right_hand.little_curl=0.4
    left_shoulder.raise=40 left_shoulder.swing=55 left_shoulder.twist=12
    left_elbow.flexion=88 left_elbow.twist=-75 left_wrist.flexion=-25 left_hand.spread=0.3
    left_hand.thumb_curl=0.1 left_hand.thumb_opposition=0.3 left_hand.index_curl=0.25
    left_hand.middle_curl=0.35 left_hand.ring_curl=0.4 left_hand.little_curl=0.45
    right_hip.flexion=5 right_hip.abduction=-10 right_ankle.flexion=-5 right_ankle.inversion=-5
    left_hip.flexion=20 left_hip.abduction=23 left_hip.turn=32 left_knee.flexion=29
    left_ankle.flexion=-7 left_foot.toes=10]],
    "--camera -20,4 --size 440x680",
    [[human.lua looks at its hand, its weight on one leg: 66 DOFs move 148 segments. Answers
      figure 1 of [Ng-Thow-Hing b].]] },
  { "leg", "README.md#leg", "hip.flexion=62 hip.abduction=6 knee.flexion=74",
    "--camera 48,8 --size 300x450", "The leg of README.md's code: the foot follows the knee." },
  { "shoulder", "rigs/shoulder.lua", "right_shoulder.raise=168 right_shoulder.swing=5",
    "--camera back --camera 215,12 --show limits:ellipsoids --size 600x400",
    [[The right arm in extreme abduction, from behind. Each shoulder blade slides on an ellipsoid,
      by two points. Answers plates 5 and 6 of [Shao 2003] and figures 6 and 9 of
      [Ng-Thow-Hing a].]] },
  { "knee_readme", "README.md#knee", "", [[--sweep knee.flexion=0:110 --sheet 3x1 --camera -65,6
    --focus femur,tibia,patella --zoom 1.05 --size 660x330]],
    "The knee of README.md's code: one DOF moves tibia, fibula and patella." },
  { "beast", "README.md#beast", [[leg1.yaw=-20 leg1.lift=40 leg1.bend=-120 leg4.yaw=20 leg4.lift=40
    leg4.bend=-120 tail.bend=30]], "--camera 35,12 --zoom 0.8 --size 400x280",
    "The beast of README.md's code takes a step." },
  { "bird", "lua/REFERENCE.md#bird", "tail.wag=20", "--camera 60,8 --size 240x200",
    "The bird, whose knees point backwards." },
  { "crab", "lua/REFERENCE.md#crab", "right_arm.raise=50 left_arm.raise=20 tail.curl=0.9",
    "--camera 30,20 --size 240x200",
    "The left arm is the right one, mirrored; one DOF curls the tail." },
  { "spoon", "lua/REFERENCE.md#spoon", "", "--camera 40,30 --size 240x200",
    "A tube and an ellipsoid, and a pin of two blended balls." },
  { "cone", "lua/REFERENCE.md#reach", "shoulder.raise=100",
    "--camera 20,10 --select arm --show limits:cones --size 240x200",
    "The reach cone holds the arm." },
  { "digger", "lua/REFERENCE.md#digger", "goal.y=0.3", "--camera 75,8 --size 240x200",
    "The bucket is at the goal, whatever the goal's DOFs are." },
  { "knee", "rigs/knee.lua", "", [[--sweep knee.flexion --sheet 4x1 --camera -75,6
    --focus knee_centre,patella --zoom 0.5 --select tibia --show limits:axes --size 1060x350]],
    [[One DOF moves tibia, fibula and patella, and the joint's centre, the disk, moves with it.
      Answers plate 1 of [Shao 2003] and figure 5 of [Ng-Thow-Hing a].]] },
  { "spine_bend", "rigs/spine.lua", "lumbar.bend=0.9 thoracic.bend=1 cervical.bend=0.3",
    "--camera 0,2 --size 330x420",
    [[The spine bends to the side, and the rib cage stays whole. Answers plate 2 of [Shao 2003] and
      figure 8 of [Ng-Thow-Hing a].]] },
  { "spine_neck", "rigs/spine.lua", "cervical.flexion=1 thoracic.flexion=0.2",
    "--camera 60,5 --focus skull,C1,C7,T1,sternum --size 330x420",
    "The seven vertebrae of the neck flex. Answers plate 3 of [Shao 2003]." },
  { "spine_loins", "rigs/spine.lua", "lumbar.flexion=0.7 lumbar.bend=0.5 lumbar.twist=1",
    "--camera 130,10 --focus sacrum,L5,L4,L3,L2,L1,T12,T11,T10 --size 330x420",
    "The lumbar region, flexed and turned. Answers plate 4 of [Shao 2003]." },
  { "limits", "rigs/human.lua", [[right_hip.flexion=62 right_hip.abduction=14 right_knee.flexion=60
    right_shoulder.raise=20 left_shoulder.raise=12 lumbar.flexion=0.1]],
    [[--camera -55,8 --focus pelvis,femur_r,patella_r,L3 --zoom 0.8 --select femur_r
    --show limits:cones --size 670x380]],
    [[The hip's reach cone, shaded by the range that is left to twist. Answers figure 5 of
      [Shao 2003].]] },
  { "reach_arm", "rigs/reach.lua", "shoulder.first=50 shoulder.second=20 elbow.bend=30",
    [[--camera -25,10 --camera -120,12 --focus upper_arm_r,lower_arm_r,hand_r,head,spine3
    --select upper_arm_r --show limits:cones --size 670x370]],
    [[The upper arm's cone of 25 points, from two views: it twists by 94 degrees raised, by 157
      lowered. Answers figure 7 of [Wilhelms 2001] and figure 7 of [Ng-Thow-Hing b].]] },
  { "reach", "rigs/reach.lua", [[right_hip.flexion=20 shoulder.first=35 shoulder.second=20
    elbow.bend=25]], "--camera -15,5 --camera -80,8 --show limits:cones --size 720x520",
    [[reach.lua: the reach cones of the right side, from two views, shaded by the range of twist,
      red for little; the slice that a bone is in is bright. Answers figure 6 of [Wilhelms 2001]
      and figure 2 of [Ng-Thow-Hing a].]] },
  { "reach_slice", "rigs/reach.lua", "shoulder.second=35 elbow.bend=20",
    [[--sweep shoulder.first=-20:110 --sheet 2x1 --camera -65,6 --select upper_arm_r
    --focus upper_arm_r,lower_arm_r,hand_r,head,spine3 --zoom 1.1 --show limits:cones
    --size 620x370]],
    [[The arm in two positions, each in the slice of its cone that is bright. Answers figure 8 of
      [Wilhelms 2001].]] },
  { "field", "rigs/field.lua", "shoulder.flexion=110 shoulder.abduction=20 shoulder.twist=60",
    "--camera 60,8 --zoom 0.82 --show limits:fields --size 740x400",
    [[field.lua: the border of the angles that a motion has been through; angles beyond it are
      moved to the border. Answers figures 1 and 3 of [Engell 2012].]] },
  { "creature", "rigs/creature.lua", [[neck.raise=0.35 neck.sway=0.3 head.turn=10 head.nod=10
    head.jaw=32 tail.raise=0.35 tail.wave=0.3 right_wing.flap=40 right_wing.sweep=10
    left_wing.flap=30 left_wing.sweep=-5 right_leg.stride=25 right_leg.crouch=0.3
    left_leg.stride=-20 left_leg.crouch=0.1]], "--camera 80,10 --size 600x390",
    [[creature.lua: a dragon of the same components. Answers the conclusion of
      [Ng-Thow-Hing b].]] },
  { "goals", "rigs/human.lua", [[
    body.x=-0.1398 body.y=-0.01218 body.z=-0.009066 body.turn=7.056 body.lean=10.71
    body.tilt=0.03202 lumbar.flexion=0.5219 lumbar.bend=0.1507 lumbar.twist=-0.05814
    thoracic.flexion=0.03887 thoracic.bend=0.0521 thoracic.twist=-0.05939
    cervical.flexion=0.1672 cervical.bend=0.6996 cervical.twist=0.2143 head.nod=0.4643
    head.tilt=0.036 head.turn=-0.2107 right_shoulder.raise=89.4 right_shoulder.swing=82.12
    right_shoulder.twist=-0.3117 right_shoulder.shrug=-7.921 right_shoulder.protract=16.57
    right_elbow.flexion=2.83 right_elbow.twist=-71.18 right_wrist.flexion=1.967
    right_wrist.deviation=-8.736 left_shoulder.raise=0.2731 left_shoulder.swing=39.93
    left_shoulder.twist=0.009831 left_shoulder.shrug=-0.04709 left_shoulder.protract=-0.1236
    right_hip.flexion=11.86 right_hip.abduction=-9.899 right_hip.turn=-0.05079
    right_ankle.flexion=-2.165 right_ankle.inversion=-12.8 left_hip.flexion=13.34
    left_hip.abduction=9.811 left_hip.turn=0.3942 left_ankle.flexion=-0.5386
    left_ankle.inversion=12.57]],
    "--camera -50,8 --size 240x400",
    [[What README.md's solver gives: the feet stay, a hand goes to a cup, the eyes follow it, and
      the man keeps his balance.]] },
  { "crowd", "rigs/human.lua", "", "--crowd 100 --camera 16,16 --zoom 1.35 --size 620x290",
    "A hundred of human.lua, each moving in its own way." },
}

-- The joints of rigs/joints, in a gallery of their own: name, DOFs, options. The caption is the
-- sentence with which the module in lua/sinew/joints opens.
local joints = {
  { "four_bar", "", [[--sweep knee.flexion=0:100 --sheet 2x1 --camera 74,4
    --focus front_link,rear_link --zoom 0.5 --size 340x200]] },
  { "torus", "shoulder.raise=12", "--camera 205,20 --zoom 1.1 --size 240x200" },
  { "piston", "boom.length=0.74", "--camera 24,10 --zoom 1.1 --size 240x200" },
  { "mast", "mast.reach=2 mast.pan=-30", "--camera 25,8 --size 160x200" },
  { "snake", "snake.way=1.3", "--camera 50,32 --zoom 1.15 --size 240x200" },
  { "screw", "jack.turn=900", "--camera 20,12 --zoom 1.1 --size 160x200" },
  { "cam", "valve.angle=155", "--camera 24,8 --zoom 1.1 --size 160x200" },
  { "rack", "steering.angle=40", "--camera 14,14 --zoom 1.3 --size 240x200" },
  { "universal", "shaft.angle=25 shaft.bend=38", "--camera 62,16 --zoom 1.15 --size 240x200" },
  { "cable", "pulley.x=0.2", "--camera 14,6 --zoom 1.1 --size 160x200" },
}

local readme = "rigs/README.md"
local first = "<!-- made by ./dev pictures, down to the next such line -->\n"
local last = "<!-- end of what ./dev pictures makes -->\n"

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

local function write(path, text)
  package.cpath = "build/lua/?.so;" .. package.cpath
  assert(require "sinew".write_file(path, text))
end

-- on one line
local function flat(text) return (text:gsub("%s+", " "):gsub("^ ", "")) end

-- joints come before the last picture, which takes longest
for _, row in ipairs(joints) do
  local name, sentence = row[1], {}
  for line in io.lines(("lua/sinew/joints/%s.lua"):format(name)) do
    sentence[#sentence + 1] = line:gsub("^%-%- ", "")
    if line:find "%.$" then break end
  end
  table.insert(pictures, #pictures, { "joint_" .. name, ("rigs/joints/%s.lua"):format(name), row[2],
    row[3], ("`require \"sinew.joints.%s\"`. %s"):format(name, table.concat(sentence, " ")) })
end

local made = { list = {} }
for i, row in ipairs(pictures) do
  local name, document, block = row[1], row[2]:match "^(.*%.md)#(.*)$"
  local rig, path = block and ("build/%s.lua"):format(name) or row[2],
    ("rigs/pictures/%s.png"):format(name)
  made.list[i] = { name = name, rig = rig, dofs = flat(row[3]), options = flat(row[4]),
    caption = flat(row[5]), path = path, document = document, block = block, command = flat(
      ("build/bin/sinew-viewer %s %s %s --render %s"):format(rig, row[3], row[4], path)) }
end

-- the code block that makes the rig of a row
function made.block(one)
  for block in read(one.document):gmatch "```lua\n(.-)```" do
    if block:find(('sinew.rig "%s"'):format(one.block), 1, true) then return block end
  end
  error(("%s has no block with sinew.rig %q"):format(one.document, one.block))
end

-- A gallery of rigs/README.md, of the rigs or of the joints: rows of pictures, with their captions
-- below, as wide as a page.
function made.gallery(of_joints)
  local most, lines, row, wide = of_joints and 900 or 1340, {}, {}, 0
  local function cells(format)
    local list = {}
    for i, one in ipairs(row) do list[i] = format:gsub("%w+", one) end
    return "| " .. table.concat(list, " | ") .. " |"
  end
  local function finish()
    lines[#lines + 1] = ("%s\n%s\n%s\n"):format(cells "![name](pictures/name.png)",
      ("| --- "):rep(#row) .. "|", cells "caption")
    row, wide = {}, 0
  end
  for _, one in ipairs(made.list) do
    if (one.rig:find "^rigs/joints/" ~= nil) == of_joints then
      local width = tonumber(one.options:match "%-%-size (%d+)x")
      if wide + width > most then finish() end
      row[#row + 1], wide = one, wide + width
    end
  end
  finish()
  return table.concat(lines, "\n")
end

-- rigs/README.md with its two galleries written anew
function made.readme()
  local text, at = read(readme), 1
  for _, of_joints in ipairs { false, true } do
    local _, from = text:find(first, at, true)
    local till = assert(from and text:find(last, from, true), readme .. " lacks a gallery")
    local before = text:sub(1, from) .. "\n" .. made.gallery(of_joints) .. "\n"
    text, at = before .. text:sub(till), #before
  end
  return text
end

if ... == "tools.pictures" then return made end

local words, list = {}, false
for _, word in ipairs(arg) do
  if word == "--list" then list = true else words[#words + 1] = word end
end
local function wanted(name)
  for _, word in ipairs(words) do
    if name:find(word, 1, true) then return true end
  end
  return #words == 0
end

local count = 0
for _, one in ipairs(made.list) do
  if wanted(one.name) then
    count = count + 1
    if one.block then write(one.rig, made.block(one)) end
    if list then
      if one.block then print(("# %s is its code in %s"):format(one.rig, one.document)) end
      print(one.command)
    else
      print(one.path)
      if not os.execute(one.command .. " 2>build/pictures.log") then
        io.stderr:write(read "build/pictures.log")
        os.exit(1)
      end
    end
  end
end
if count == 0 then
  local names = {}
  for i, one in ipairs(made.list) do names[i] = one.name end
  io.stderr:write("no such picture; there are: ", table.concat(names, " "), "\n")
  os.exit(1)
end
if #words == 0 and not list then write(readme, made.readme()) end

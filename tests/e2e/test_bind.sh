#!/bin/sh
# `sinew bind` and what it writes; a body of boxes that this script makes, and the shared characters.
. tests/e2e/expect.sh
body=$play/body.gltf

figure() { lua5.4 tests/e2e/figure.lua "$@"; }
bind() { $sinew bind rigs/human.lua "$@"; }

expect "bind without arguments" 2 "usage: sinew bind *" $sinew bind
expect "--help lists bind" 0 "  bind *" sh -c "$sinew --help | grep '^  bind '"
expect "an output that is no script" 2 "usage: sinew bind *" bind a.glb -o "$play/x.txt"
expect "a character that is not there" 1 "sinew: $play/no.glb: cannot open: *" \
  bind "$play/no.glb" -o "$play/x.lua"
expect "and nothing is left" 0 "0" sh -c "ls '$play' | wc -l | tr -d ' '"

figure mixamorig: 0,0,0,1 "$body"
bind "$body" -o "$play/body.lua" >"$play/report"
expect "a body without a map" 0 "$play/body.lua: 26 joints, 25 follow the rig; *" head -n 1 "$play/report"
expect "each joint is in the report" 0 "26" sh -c "grep -c '^  ' '$play/report'"
expect "with its confidence" 0 "  mixamorig:LeftForeArm *forearm L *0.9* ulna_l*" \
  grep LeftForeArm "$play/report"
expect "the script is a rig" 0 "distal_toe5_l *" $sinew eval "$play/body.lua"
expect "its map can be edited and read again" 0 "  mixamorig:Head *keeps its place on mixamorig:Neck" sh -c \
  "sed 's/\"skull\"/false/' '$play/body.lua' >'$play/edited.lua' && $sinew bind rigs/human.lua '$body' \
  --map '$play/edited.lua' -o '$play/edited.lua' | grep :Head"
figure "" 0,1,0,0 "$play/turned.gltf"
expect "turned round, other names" 0 "*" bind "$play/turned.gltf" -o "$play/turned.lua"

# lying along z with its limbs down: no upright body
lua5.4 - "$play/beast.gltf" <<'END'
local nodes = { '{"name":"Hips","translation":[0,0.6,0],"children":[1,4,7]}',
  '{"name":"Spine","translation":[0,0,0.4],"children":[2,10,13]}',
  '{"name":"Neck","translation":[0,0,0.2],"children":[3]}', '{"name":"Head","translation":[0,0.05,0.15]}' }
for _, limb in ipairs { { "Left", "UpLeg", "Leg", "Foot", .1 }, { "Right", "UpLeg", "Leg", "Foot", -.1 },
  { "Left", "Arm", "ForeArm", "Hand", .1 }, { "Right", "Arm", "ForeArm", "Hand", -.1 } } do
  local at = #nodes
  nodes[at + 1] = ('{"name":"%s%s","translation":[%g,-0.05,0],"children":[%d]}'):format(limb[1], limb[2], limb[5], at + 1)
  nodes[at + 2] = ('{"name":"%s%s","translation":[0,-0.25,0.02],"children":[%d]}'):format(limb[1], limb[3], at + 2)
  nodes[at + 3] = ('{"name":"%s%s","translation":[0,-0.25,-0.02]}'):format(limb[1], limb[4])
end
local file = io.open(arg[1], "w")
file:write('{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[' .. table.concat(nodes, ",") .. "]}")
file:close()
END
expect "a quadruped is refused, with a map to fill in" 1 \
  "$play/beast.map.lua is a map to fill in; give it with --map" bind "$play/beast.gltf" -o "$play/beast.lua"
expect "that is Lua" 0 "" luac5.4 -p "$play/beast.map.lua"

# feet that stay where they stand
cat >"$play/glide.json" <<'END'
{ "sinew_clip": 1, "fps": 10, "channels": {
  "body.z": [[0, 0, "linear"], [0.5, 0.15, "linear"], [1, 0.15]] } }
END
plant() { $sinew plant "$play/body.lua" "$play/glide.json" "$@"; }
expect "plant without arguments" 2 "usage: sinew plant *" $sinew plant
expect "feet are planted" 0 "*: 11 frames; feet stand 2 times, and slide by 0.* mm at most, 150.* before" \
  plant --from rigs/human.lua -o "$play/planted.json"
expect "the clip plays" 0 "*1 animations; *" \
  $sinew export "$play/body.lua" "$play/planted.glb" --clip "$play/planted.json"
expect "a tuning of no rig" 2 "usage: sinew plant *" plant --from-tuning x.lua -o "$play/planted.json"
expect "a clip of another rig" 1 "sinew: $play/glide.json: has no channel for a DOF of rig 'knee'" \
  $sinew plant rigs/knee.lua "$play/glide.json" -o "$play/knee.json"
expect "and nothing is written" 1 "" test -e "$play/knee.json"

# motion on its own joints
cat >"$play/nod.json" <<'END'
{ "sinew_clip": 1, "fps": 10, "channels": { "left_elbow.flexion": [[0, 0, "linear"], [1, 90]] } }
END
write() { $sinew export "$play/body.lua" "$play/out.glb" "$@"; }
expect "export with a clip" 0 "*1 animations; * channels with * keys, joints within 0.00* mm of the rig's *" \
  write --clip "$play/nod.json"
mkdir "$play/inner" && cp "$play/body.xml" "$play/inner" && ln -s "$body" "$play/inner/linked.gltf"
for name in ../body.gltf linked.gltf; do
  sed "s|\"body.gltf\"|\"$name\"|" "$play/body.lua" >"$play/inner/body.lua"
  expect "a character outside of the rig's folder, $name" 1 "*$name: is not in the folder of the rig and is not read" \
    $sinew export "$play/inner/body.lua" "$play/inner/x.glb" --clip "$play/nod.json"
done
expect "rotations only, with the error" 0 "*joints within *" write --clip "$play/nod.json" --rotations
expect "the same animation replaces the first" 0 "*1 animations; *" write --clip "$play/nod.json" \
  --character "$play/out.glb"
expect "its motion reads back" 0 "glTF: 26 joints, 31 frames at 30 a second, *" \
  sh -c "$sinew motion '$play/out.glb' | head -n 1"
expect "a character takes no sweep" 2 "usage: sinew export *" write --sweep left_elbow.flexion
expect "a rig without a character" 2 "usage: sinew export *" $sinew export rigs/knee.lua "$play/k.glb" --rotations
report

#!/bin/sh
# Rigs as glTF from the command line: every rig passes the Khronos validator, and three.js in a real
# browser places the bones where the command does. ./dev installs both in build/browser.
. tests/e2e/expect.sh
modules=build/browser/node_modules

cat >"$play/walk.json" <<'END_CLIP'
{ "sinew_clip": 1, "fps": 30, "channels": {
    "knee.flexion": [[0, 0], [0.4, 110], [0.93, 20, "linear"], [1.3, 60, "hold"], [1.7, 5]] } }
END_CLIP
cat >"$play/reach.json" <<'END_CLIP'
{ "sinew_clip": 1, "fps": 25, "channels": {
    "right_shoulder.raise": [[0, 0], [1, 100]], "right_elbow.flexion": [[0.2, 0], [1.2, 110]],
    "right_hip.flexion": [[0, 0], [0.5, 70, "linear"], [1.5, -10]],
    "right_knee.flexion": [[0, 0], [0.7, 90], [1.5, 0]] } }
END_CLIP

for rig in rigs/*.lua; do
  name=$(basename "$rig" .lua)
  dof=$($sinew check "$rig" | sed -n 's/^  DOF  *\([^ ]*\) .*/\1/p' | head -n 1)
  expect "$name goes out" 0 "$play/$name.glb: * nodes, * meshes, 0 animations" \
    $sinew export "$rig" "$play/$name.glb"
  expect "$name goes out as a text" 0 "$play/$name.gltf: *" $sinew export "$rig" "$play/$name.gltf"
  expect "$name goes out with a skin, swept" 0 "*1 meshes, 1 animations with * keys for * samples" \
    $sinew export "$rig" "$play/$name-swept.glb" --skinned --sweep "$dof"
done
expect "the same again" 0 "$play/again.glb: *" $sinew export rigs/human.lua "$play/again.glb"
expect "is the same file" 0 "" cmp "$play/human.glb" "$play/again.glb"
expect "a clip goes out" 0 "*5 meshes, 2 animations with * keys for * samples" \
  $sinew export rigs/knee.lua "$play/walk.glb" --keys "$play/walk.json" --sweep knee.flexion
expect "a clip of the whole body goes out" 0 "*1 animations with * keys for * samples" \
  $sinew export rigs/human.lua "$play/reach-out.glb" --keys "$play/reach.json" left_hip.flexion=40
expect "its channels are all the rig's" 0 "" \
  sh -c "$sinew export rigs/human.lua $play/reach-out.glb --keys $play/reach.json 2>&1 >/dev/null"
keys() { $sinew export rigs/knee.lua "$play/x.glb" --keys "$play/walk.json" "$@" | sed 's/.*with \([0-9]*\) keys.*/\1/'; }
expect "a coarser tolerance needs fewer keys" 0 "" \
  test "$(keys --tolerance 0.01)" -lt "$(($(keys --tolerance 0.0001) / 3))"

expect "a body is made" 0 "*body.obj: *" $sinew skin rigs/knee.lua -o "$play/body.obj" --cell 0.02
expect "and goes out with its weights" 0 "*: * nodes, 1 meshes, 1 animations with * keys for *" \
  $sinew export rigs/knee.lua "$play/body.glb" --skin "$play/body.obj" --sweep knee.flexion
bend() { $sinew skin rigs/knee.lua --mesh "$play/$1" --to knee.flexion=80 -o "$play/$1.bent.obj"; }
expect "the body bends" 0 "*vertices*" bend body.obj
expect "and by the weights of the file" 0 "*vertices*" bend body.glb
furthest() { # how far vertices of two files are from each other, in micrometres
  paste -d ' ' "$1" "$2" | awk '$1 == "v" { d = sqrt(($2 - $6) ^ 2 + ($3 - $7) ^ 2 + ($4 - $8) ^ 2)
    if (d > most) most = d } END { print int(1e6 * most) }'
}
expect "which are the same" 0 "" \
  test "$(furthest "$play/body.obj.bent.obj" "$play/body.glb.bent.obj")" -le 1
expect "and not those of rest" 0 "" \
  test "$(furthest "$play/body.obj.bent.obj" "$play/body.obj")" -ge 100000
expect "a body that is not there" 1 "sinew: *no.obj: cannot open*" \
  $sinew export rigs/knee.lua "$play/x.glb" --skin "$play/no.obj"
expect "a DOF that is not there" 2 "sinew: *" \
  $sinew skin rigs/knee.lua --mesh "$play/body.obj" --to knee.bend=3 -o "$play/x.obj"

# wrong arguments
export_to() { $sinew export rigs/knee.lua "$play/x.glb" "$@"; }
for value in "" 0 -1 x nan 1e9; do
  expect "--fps '$value'" 2 "usage: sinew export *" export_to --fps "$value"
  expect "--tolerance '$value'" 2 "usage: sinew export *" export_to --tolerance "$value"
done
for option in --fps --tolerance --keys --sweep --colour word; do
  expect "'$option' alone" 2 "usage: sinew export *" export_to $option
done
expect "an unknown DOF" 2 "*(did you mean 'knee.flexion'?)" export_to knee.flexoin=3
expect "a sweep of an unknown DOF" 2 "*(did you mean 'knee.flexion'?)" export_to --sweep knee.flexoin
for range in "" 3 3: :3 a:b 1:2:3; do
  expect "a sweep through '$range'" 2 "*is not a range such as 0:90" export_to --sweep "knee.flexion=$range"
done
expect "a sweep beyond the range" 2 "sinew: sweep 'knee.flexion': 500 is outside its range, 0 to 120" \
  export_to --sweep knee.flexion=0:500
expect "a clip that is not there" 1 "sinew: $play/no.json: cannot open: *" export_to --keys "$play/no.json"
expect "a folder that is not there" 1 "sinew: *cannot write: *" \
  $sinew export rigs/knee.lua "$play/no/knee.glb"
expect "nothing is left half-written" 0 "" sh -c "! ls $play | grep -F .new"
expect "export --help lists the options" 0 "*takes the options of .glb" sh -c "$sinew export --help | grep gltf"

# other programs
if command -v node >/dev/null && [ -d $modules/gltf-validator ]; then
  expect "all files pass the Khronos validator" 0 "* files, 0 of them bad" \
    node tests/browser/validate.js $modules "$play"/*.glb "$play"/*.gltf
  sed 's/"POSITION"/"PLACES"/' "$play/knee.gltf" >"$play/wrong.gltf"
  expect "which sees what is wrong" 1 "1 files, 1 of them bad" \
    node tests/browser/validate.js $modules "$play/wrong.gltf"
else
  echo "SKIPPED the glTF validator: no node, or build/browser has none of its packages"
fi
if command -v node >/dev/null && command -v chromium >/dev/null && [ -d $modules/three ]; then
  bones() { node tests/browser/bones.js $modules chromium $sinew "$@"; }
  $sinew bake rigs/knee.lua "$play/walk.json" -o "$play/walk.csv" --fps 37 >/dev/null
  sed 's/110/109/' "$play/walk.json" >"$play/other.json"
  $sinew bake rigs/knee.lua "$play/other.json" -o "$play/other.csv" --fps 37 >/dev/null
  $sinew bake rigs/human.lua "$play/reach.json" -o "$play/reach.csv" --fps 41 >/dev/null
  $sinew export rigs/human.lua "$play/reach-out.glb" --keys "$play/reach.json" \
    --sweep right_shoulder.raise --sweep lumbar.flexion >/dev/null
  set --
  for name in creature field reach shoulder shoulder_scripted spine; do
    set -- "$@" rigs/$name.lua "$play/$name-swept.glb" -
  done
  expect "three.js has every bone where the rig has it" 0 "8 files agree" \
    bones "$@" rigs/knee.lua "$play/walk.glb" "$play/walk.csv" \
    rigs/human.lua "$play/reach-out.glb" "$play/reach.csv"
  expect "which sees a bone that is off" 1 "*walk.glb: 'tibia' in 'walk' at *: turned wrongly" \
    bones rigs/knee.lua "$play/walk.glb" "$play/other.csv"
else
  echo "SKIPPED three.js in a browser: no node, no chromium, or build/browser has no three"
fi
report

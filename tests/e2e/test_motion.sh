#!/bin/sh
# `sinew motion` on files of every format; `sinew bake` and its output; wrong arguments and files.
. tests/e2e/expect.sh
elbow=tests/lua/rigs/elbow.lua

for name in motion bake; do
  expect "$name without a file" 2 "usage: sinew $name *" $sinew $name
  expect "$name with an unknown option" 2 "usage: sinew $name *" $sinew $name a b --colour
  expect "--help lists $name" 0 "  $name *" sh -c "$sinew --help | grep '^  $name '"
done

# bake
cat >"$play/bend.json" <<'END'
{ "sinew_clip": 1, "fps": 10, "channels": {
    "elbow.flexion": [[0, 0, "linear"], [1, 90]] } }
END
bake() { $sinew bake $elbow "$@"; }
expect "bake writes BVH" 0 "$play/bend.bvh: 11 frames" bake "$play/bend.json" -o "$play/bend.bvh"
expect "bake writes curves" 0 "$play/bend.csv: 31 frames" \
  bake "$play/bend.json" -o "$play/bend.csv" --fps 30
expect "the curves begin with their names" 0 "time,elbow.flexion,elbow.twist" head -n 1 "$play/bend.csv"
expect "and have a line for each frame" 0 "0.5,45,0" grep "^0.5," "$play/bend.csv"
expect "curves are a clip too" 0 "$play/again.bvh: 31 frames" bake "$play/bend.csv" -o "$play/again.bvh"
expect "an old file is replaced" 0 "$play/bend.bvh: 11 frames" bake "$play/bend.json" -o "$play/bend.bvh"
expect "and nothing is left beside it" 0 "4" sh -c "ls '$play' | wc -l | tr -d ' '"
expect "no clip" 2 "usage: sinew bake *" $sinew bake $elbow -o "$play/x.bvh"
expect "no output" 2 "usage: sinew bake *" bake "$play/bend.json"
expect "an output of another kind" 2 "usage: sinew bake *" bake "$play/bend.json" -o "$play/x.fbx"
for value in "" 0 -1 x nan 1e9; do
  expect "--fps '$value'" 2 "usage: sinew bake *" bake "$play/bend.json" -o "$play/x.bvh" --fps "$value"
done
expect "a clip that is not there" 1 "sinew: $play/no.json: cannot open: *" bake "$play/no.json" -o "$play/x.bvh"
expect "a folder that is not there" 1 "sinew: $play/no/x.bvh: cannot write: *" \
  bake "$play/bend.json" -o "$play/no/x.bvh"
sed 's/flexion/flexoin/' "$play/bend.json" >"$play/typo.json"
expect "a clip of which the rig has no channel is an error" 1 \
  "sinew: clip: no DOF named 'elbow.flexoin' (did you mean 'elbow.flexion'?)" \
  sh -c "$sinew bake $elbow $play/typo.json -o $play/x.bvh 2>&1 >/dev/null"
cat >"$play/half.json" <<'END'
{ "sinew_clip": 1, "channels": { "elbow.flexoin": [[0, 0], [1, 9]], "elbow.twist": [[0, 0], [1, 9]] } }
END
expect "a channel that the rig lacks is reported" 0 \
  "sinew: clip: no DOF named 'elbow.flexoin' (did you mean 'elbow.flexion'?)" \
  sh -c "$sinew bake $elbow $play/half.json -o $play/x.bvh 2>&1 >/dev/null"
sed 's/linear/fast/' "$play/bend.json" >"$play/wrong.json"
expect "a wrong clip is reported with its position" 1 \
  "sinew: $play/wrong.json:2:30: the interpolation of a key must be *" bake "$play/wrong.json" -o "$play/x.bvh"

# motion
first() { "$@" | head -n 1; }
expect "motion sums up a BVH" 0 "BVH: 4 joints, 11 frames at 10 a second, 1.100 s" \
  first $sinew motion "$play/bend.bvh"
expect "and prints its position" 0 "from 0.000 0.840 0.000 to 0.000 1.400 0.260 m" \
  $sinew motion "$play/bend.bvh"
expect "--list names the joints" 0 "        hand end" $sinew motion "$play/bend.bvh" --list
expect "--unit scales" 0 "a unit of the file is 0.01 m" \
  sh -c "$sinew motion $play/bend.bvh --unit 0.01 | grep unit"
printf 'PathFileType\t4\t(X/Y/Z)\ta\nDataRate\tNumFrames\tUnits\n50\t3\tmm\nFrame#\tTime\tA\t\t\tB\n\t\tX1\n1\t0\t1\t2\t3\t4\t5\t6\n2\t0.02\t\t\t\t4\t5\t6\n' \
  >"$play/a.trc"
expect "motion sums up markers" 0 "TRC: 2 markers, 2 frames at 50 a second, 0.040 s" \
  first $sinew motion "$play/a.trc"
expect "with their gaps" 0 "1 of 4 points are missing" sh -c "$sinew motion $play/a.trc | grep points"
expect "and what is odd" 0 "NumFrames says 3, there are 2 frames" $sinew motion "$play/a.trc"
expect "--list names the markers" 0 "  A, missing in 1 frames" \
  sh -c "$sinew motion $play/a.trc --list | grep '  A'"
expect "a wrong file is reported with its line" 1 "sinew: $play/bad.bvh:1: 'x' where *" \
  sh -c "echo x >$play/bad.bvh; $sinew motion $play/bad.bvh"
expect "--unit without a number" 2 "usage: *" $sinew motion "$play/a.trc" --unit many

# hosted scripts can parse motion from text, but not read files
host() { # expression
  printf '%s\n' 'local sinew = require "sinew"' "$1" 'return sinew.rig "r"' >"$play/hosted.lua"
  $sinew check "$play/hosted.lua" --quiet
}
expect "a hosted script makes clips" 0 "" host 'sinew.clip(sinew.clip():set("a", 0, 1):text())'
expect "and loads nothing" 1 "*a hosted script cannot access files" host 'sinew.load_clip "x"'
expect "nor motion" 1 "*a hosted script cannot access files" host 'sinew.load_motion "x.bvh"'
expect "nor saves" 1 "*a hosted script cannot access files" host 'sinew.clip():save "x"'
expect "nor writes" 1 "*a hosted script cannot access files" host 'sinew.write_file("x", "y")'
expect "and bakes within its budget" 1 "*stopped: *" host \
  'local r = sinew.rig "s" r:segment "a" r:dof "d"
   sinew.bake(r, sinew.clip():set("d", 1000000, 1), { fps = 10000 })'
report

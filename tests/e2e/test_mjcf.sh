#!/bin/sh
# Rigs for MuJoCo: what is written and reported. If MuJoCo is installed, it must place the bodies
# where the rig does, within the errors stated in the file. Run it from the project's root.
. tests/e2e/expect.sh

expect "the errors are reported" 0 "*mm*deg*" "$sinew" export rigs/knee.lua "$play/knee.mjcf"
expect "and are in the file" 0 "*mm*deg*tibia*" grep "deg  tibia" "$play/knee.mjcf"
expect "it is whole XML" 0 "" xmllint --noout "$play/knee.mjcf"
expect "an option that is not there" 2 "*" "$sinew" export rigs/knee.lua "$play/knee.mjcf" --fast
expect "a folder that is not there" 1 "sinew: *" "$sinew" export rigs/knee.lua "$play/no/knee.mjcf"

within() { # rig, DOFs (relative to rest): whether every body is within the stated error
  file=$play/$(basename "$1" .lua).mjcf
  [ -e "$file" ] || "$sinew" export "$1" "$file" 2>/dev/null
  rig=$1
  shift
  "$play/mujoco" "$file" "$@" >"$play/theirs" || return
  "$sinew" eval "$rig" "$@" >"$play/ours"
  grep " mm .* deg " "$file" | awk 'NF == 5 { print $5, $1 }' >"$play/stated"
  awk 'FILENAME ~ /stated/ { off[$1] = $2; next }
    FILENAME ~ /ours/ { if (FNR > 1) { x[$1] = $2; y[$1] = $3; z[$1] = $4 } next }
    $1 in x { d = sqrt((x[$1] - $2) ^ 2 + (y[$1] - $3) ^ 2 + (z[$1] - $4) ^ 2) * 1000; n++
      if (d > 1.2 * off[$1] + 0.05) { print $1, "is off by", d, "mm"; bad = 1 } }
    END { if (!bad) print "within", n }' "$play/stated" "$play/ours" "$play/theirs"
}

if cc -o "$play/mujoco" tests/e2e/mujoco.c -lmujoco 2>/dev/null; then
  expect "the knee at rest" 0 "within 5" within rigs/knee.lua
  expect "the knee bent" 0 "within 5" within rigs/knee.lua knee.flexion=90
  expect "a bent spine" 0 "within ??" within rigs/spine.lua lumbar.flexion=0.6 thoracic.bend=-0.5
  expect "a human at rest" 0 "within 148" within rigs/human.lua
  expect "a human at work" 0 "within 148" within rigs/human.lua right_elbow.flexion=90 body.x=0.3
else
  echo "SKIPPED: MuJoCo is not installed, its reading of the files is not tried"
fi
report

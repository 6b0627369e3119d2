#!/bin/sh
# Characters written with motion: what the Khronos validator, three.js and Blender read of them, what
# comes back, and what is refused. A figure that this test makes, and the shared characters.
. tests/e2e/expect.sh
modules=build/browser/node_modules
shared=../shared/data/characters
export LUA_CPATH="$PWD/build/lua/?.so" LUA_PATH="$PWD/lua/?.lua;$PWD/lua/?/init.lua"

$lua tests/e2e/figure.lua "" 0,0,0,1 "$play/figure.gltf"
models=figure.gltf
if [ -d $shared ]; then
  cp $shared/*.vrm $shared/*.glb $shared/kaykit_mannequin/* "$play"
  chmod u+w "$play"/*
  models="$models debug_robot_vrm1.vrm godette_vrm0.vrm quaternius_worker.glb manny_med_mod.gltf
    movement_basic.glb"
else
  echo "SKIPPED the shared characters: there is no $shared"
fi

# every DOF of the rig through three places of its range
$lua - "$play/wild.json" <<'END_LUA'
local sinew = require "sinew"
local clip, state = sinew.clip(), 7
clip.fps = 30
for _, dof in ipairs(assert(sinew.load "rigs/human.lua").dofs) do
  local low, high = math.max(-90, dof.min), math.min(90, dof.max)
  if dof.unit ~= "deg" then low, high = math.max(-1, dof.min), math.min(1, dof.max) end
  for k = 0, 2 do
    state = state * 16807 % 2147483647
    clip:set(dof.name, k * .3, low + (high - low) * state / 2147483647)
  end
end
assert(clip:save(arg[1]))
END_LUA
cat >"$play/nod.json" <<'END_CLIP'
{ "sinew_clip": 1, "fps": 10, "channels": { "left_elbow.flexion": [[0, 0, "linear"], [1, 90]] } }
END_CLIP

written='' places='' sweeps=''
for model in $models; do
  name=${model%.*}
  expect "$model is bound" 0 "*" $sinew bind rigs/human.lua "$play/$model" -o "$play/$name.lua"
  out() { # name, arguments...
    to=$1
    shift
    $sinew export "$play/$name.lua" "$play/$to" "$@"
  }
  expect "$model goes out with two clips" 0 "*/out-$model.glb: * channels with * keys, joints within 0.00? mm *" \
    out "out-$model.glb" --clip "$play/wild.json" --clip "$play/nod.json"
  expect "$model goes out by rotations alone" 0 "* joints within *" \
    out "turns-$model.glb" --clip "$play/wild.json" --rotations
  expect "$model goes out as motion alone" 0 "* joints within 0.00? mm *" \
    out "motion-$model.glb" --clip "$play/wild.json" --clip-alone
  written="$written $play/out-$model.glb=$play/$model $play/turns-$model.glb=$play/$model
    $play/motion-$model.glb"
  if [ "${model##*.}" = vrm ]; then
    expect "$model stays a VRM" 0 "* 1 animations; *" out "new-$model" --clip "$play/nod.json"
    written="$written $play/new-$model=$play/$model"
  fi
  for kind in out motion; do
    $lua tests/browser/places.lua "$play/$name.lua" "$play/$model" "$play/wild.json" \
      "$play/$kind-$model.glb" 30 >"$play/$kind-$model.json"
    places="$places $play/$kind-$model.json"
    sweeps="$sweeps $play/$kind-$model.json - -"
  done
done

# shellcheck disable=SC2086
if command -v node >/dev/null && [ -d $modules/gltf-validator ]; then
  expect "the Khronos validator finds what the sources have, and nothing is changed" 0 \
    "* files, 0 of them bad" node tests/browser/validate.js $modules $written
  expect "which sees a change" 1 "1 files, 1 of them bad" node tests/browser/validate.js $modules \
    "$play/out-figure.gltf.glb=$play/turns-figure.gltf.glb"
else
  echo "SKIPPED the glTF validator: no node, or build/browser has none of its packages"
fi
# shellcheck disable=SC2086
if command -v node >/dev/null && command -v chromium >/dev/null && [ -d $modules/three ]; then
  expect "three.js has every joint where the rig has it" 0 "* files agree" \
    node tests/browser/bones.js $modules chromium $sinew $sweeps
else
  echo "SKIPPED three.js in a browser: no node, no chromium, or build/browser has no three"
fi
# shellcheck disable=SC2086
if command -v blender >/dev/null; then
  blend() {
    blender -b --factory-startup --python-exit-code 3 --python tests/browser/blender.py -- "$@" |
      grep 'file'
  }
  set -- $places
  expect "Blender has every joint where the rig has it" 0 "$# of $# files agree" blend "$@"
  $lua -e 'io.write((io.read "a":gsub("([%d.e-]+),1%]", function(z)
    return tonumber(z) + .001 .. ",1]" end)))' <"$1" >"$play/off.json"
  expect "which sees a millimetre" 0 "0 of 1 files agree" blend "$play/off.json"
else
  echo "SKIPPED Blender: this system has none; ./dev test all installs it"
fi

# what comes back
$sinew bind rigs/human.lua "$play/figure.gltf" -o "$play/figure.lua" >/dev/null
$lua - "$play/figure.xml" <<'END_LUA'
local sinew = require "sinew"
local rig = assert(sinew.load_xml(arg[1]))
rig:tune { dofs = { ["left_elbow.flexion"] = { min = 5, max = 77, rest = 6 } } }
assert(rig:save_xml(arg[1]))
END_LUA
expect "DOFs alone are an animation of one key" 0 "*/kept.glb: * 1 animations; *" \
  $sinew export "$play/figure.lua" "$play/kept.glb" left_elbow.flexion=60 left_knee.flexion=130 left_hip.flexion=-20
expect "the file brings its ranges to another rig" 0 "note: 1 DOFs have the ranges that kept.glb brings" \
  sh -c "$sinew bind rigs/human.lua $play/kept.glb -o $play/kept.lua | grep brings"
expect "which then has them" 0 "sinew: DOF 'left_elbow.flexion' is held at 77 by its range, 5 to 77" \
  sh -c "$sinew eval $play/kept.lua left_elbow.flexion=100 2>&1 >/dev/null"
expect "values, holds and limits come back" 0 "60 77*left_hip.flexion*true" $lua -e "
  local character = assert(require 'sinew'.character '$play/kept.glb')
  local kept = character.stored
  print(('%g %g'):format(kept.pose['left_elbow.flexion'], kept.dofs['left_elbow.flexion'].max),
    kept.holds[1].name, #character:limits() > 10)"

report

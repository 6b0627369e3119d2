#!/bin/sh
# The command `sinew`: every subcommand on small rigs; wrong arguments, wrong rigs, exit codes.
. tests/e2e/expect.sh
rigs=tests/lua/rigs
elbow=$rigs/elbow.lua
first() { # prints a command's first line and its exit code
  code=0
  "$@" >"$play/lines" 2>&1 || code=$?
  head -n 1 "$play/lines"
  return $code
}
loudly() { # standard error only
  { "$@" >/dev/null; } 2>&1
}
ask_json() { # Lua expression over `it`, command...
  ask=$1
  shift
  "$@" >"$play/json" || return
  if command -v python3 >/dev/null; then python3 -m json.tool "$play/json" >/dev/null || return; fi
  LUA_PATH="tests/lua/?.lua" $lua tests/lua/ask_json.lua "$play/json" "$ask"
}

# help, versions, calls that are wrong
expect "no command is a wrong call" 2 "*Exit codes: 0 success, 1 an error in a file, 2 an error in the arguments*" $sinew
expect "--help is fine" 0 "*Exit codes: 0 success, 1 an error in a file, 2 an error in the arguments*" $sinew --help
expect "help goes to standard output" 0 "" loudly $sinew --help
expect "--version" 0 "sinew [0-9]*.[0-9]*.[0-9]*" $sinew --version
for name in eval check graph dump explain profile; do
  expect "$name --help" 0 "usage: sinew $name RIG*" first $sinew $name --help
  expect "$name -h after a rig" 0 "usage: sinew $name RIG*" first $sinew $name nothing.lua -h
  expect "help $name" 0 "usage: sinew $name RIG*" first $sinew help $name
  expect "--help lists $name" 0 "  $name *" sh -c "$sinew --help | grep '^  $name '"
  expect "$name without a rig" 2 "usage: sinew $name RIG*" $sinew $name
  expect "$name with an unknown option" 2 "usage: sinew $name RIG*" $sinew $name $elbow --colour
  expect "$name of two rigs" 2 "usage: sinew $name RIG*" $sinew $name $elbow $elbow
  expect "$name of a rig that is not there" 1 "sinew: cannot open 'nothing.lua': *" \
    $sinew $name nothing.lua
done
expect "a mistyped command offers the nearest" 2 "*(did you mean 'explain'?)*" $sinew explian $elbow
for option in --segmnet --jsno --tunning; do
  expect "the mistyped option $option offers the nearest" 0 "*unknown option '$option' (did you mean '--*" \
    sh -c "$sinew eval $elbow $option 2>&1 | head -1"
done
expect "a missing option is named" 0 "sinew limits: missing --joint NAME" \
  sh -c "$sinew limits $elbow a.bvh --as cone 2>&1 | head -1"
expect "help lists the options" 0 "  --json * world matrices as 16 numbers, *" \
  sh -c "$sinew eval --help | grep json"
expect "a mistyped file" 1 "sinew: cannot open 'rigs/kne.lua': * (did you mean 'rigs/knee.lua'*)" \
  $sinew eval rigs/kne.lua
expect "a word unlike any command gets no suggestion" 2 "sinew: unknown command 'zzz'; see*" $sinew zzz
expect "a full disk is reported" 2 "sinew: cannot write the output: *" \
  sh -c "$sinew eval $elbow >/dev/full"

# wrong rigs
wrong() { # label, pattern, script
  printf '%b' "$3" >"$play/wrong.lua"
  expect "$1" 1 "$2" $sinew eval "$play/wrong.lua"
}
wrong "a syntax error" "sinew: *wrong.lua:2: unexpected symbol near*" 'local a\nlocal b = = 1'
wrong "a runtime error" "sinew: *wrong.lua:1: *'a'*" 'return a.b'
wrong "files in a sandbox" "sinew: *wrong.lua:1: *'io'): a rig script runs in a sandbox, *; it has require *" \
  'io.open "x"'
wrong "no rig" "sinew: *wrong.lua: the script returns nothing*" 'local a'
wrong "another thing" "sinew: *wrong.lua: a rig script must return its rig, not number" 'return 1'
wrong "an endless loop" "sinew: *wrong.lua:1: stopped: loading took more than*" 'while true do end'
expect "less time to load" 0 1 sh -c \
  "$sinew check --load-seconds 1 $play/wrong.lua 2>&1 | grep -cE 'more than (20000000|1 s)'"
expect "no time to load" 2 "sinew check: '--load-seconds' expects a positive number" \
  first $sinew check --load-seconds 0 "$play/wrong.lua"
wrong "what strangers may not" "sinew: *wrong.lua:1: *'os'*" 'os.execute "date"'
head -n 8 $elbow | sed '$s/$/ rig:joint_set "x":rotation { 3, axis = { 0, 0, 0 } } return rig/' \
  >"$play/zero.lua"
expect "a rig that does not compile" 1 "sinew: *zero.lua:8: component 'x.rotation1': 'axis' is zero" \
  $sinew check "$play/zero.lua"

# eval
expect "eval prints a row for each segment" 0 "4" sh -c "$sinew eval $elbow | wc -l"
expect "eval prints world positions" 0 "hand *0.00000    0.84000    0.00000 *" $sinew eval $elbow
expect "eval sets a DOF" 0 "hand *0.00000    1.10000    0.26000  *" \
  $sinew eval $elbow elbow.flexion=90
expect "a DOF may come before the rig" 0 "hand *0.00000    1.10000    0.26000  *" \
  $sinew eval elbow.flexion=90 $elbow
expect "--segment prints one" 0 "2" sh -c "$sinew eval $elbow --segment forearm | wc -l"
expect "--segment takes names with spaces" 0 "upper arm *" $sinew eval $elbow --segment "upper arm"
expect "an unknown segment" 2 "sinew: no segment named 'foream' (did you mean 'forearm'?)" \
  $sinew eval $elbow --segment foream
expect "--segment without a name" 2 "usage: *" $sinew eval $elbow --segment
expect "an unknown DOF" 2 "sinew: no DOF named 'elbow.flexoin' (did you mean 'elbow.flexion'?)" \
  $sinew eval $elbow elbow.flexoin=3
for value in abc 3x "" nan inf 1e99; do
  expect "the value '$value'" 2 "sinew: *elbow.flexion': *" $sinew eval $elbow "elbow.flexion=$value"
done
expect "a DOF beyond its range is clamped and reported" 0 \
  "sinew: DOF 'elbow.flexion' is held at 140 by its range, 0 to 140" \
  loudly $sinew eval $elbow elbow.flexion=500
mkdir "$play/a=b"
cp $elbow "$play/a=b"
expect "a path with '=' is a rig" 0 "hand *" $sinew eval "$play/a=b/elbow.lua"

# --json
expect "--json names the rig" 0 "elbow" ask_json it.rig $sinew eval $elbow --json
expect "--json gives every DOF" 0 "90" \
  ask_json 'it.dofs["elbow.flexion"] // 1 | 0' $sinew eval $elbow elbow.flexion=90 --json
expect "--json gives matrices column by column" 0 "16*1.1*0.26" \
  ask_json '#it.segments.hand, ("%.5g"):format(it.segments.hand[14]), ("%.5g"):format(it.segments.hand[15])' \
  $sinew eval $elbow --json elbow.flexion=90
expect "--json --segment gives one" 0 "forearm	nil" \
  ask_json '(next(it.segments)), (next(it.segments, "forearm"))' \
  $sinew eval $elbow --json --segment forearm
# shellcheck disable=SC2016
printf '%s\n' 'local rig = require "sinew".rig "a\"\\\255"' 'rig:segment "b\"\\\xc3\xa4"' \
  'return rig' >"$play/odd.lua"
expect "--json quotes names" 0 'true	true' \
  ask_json 'it.rig == "a\"\\\u{fffd}", it.segments["b\"\\\xc3\xa4"] ~= nil' $sinew eval "$play/odd.lua" --json

# check
expect "check counts" 0 "rig 'elbow': 3 segments, 2 DOFs, 4 components in 1 joint set" \
  first $sinew check $elbow
expect "check lists components" 0 "  component elbow.held twist *dependency" \
  sh -c "$sinew check $elbow | grep held"
expect "check lists scripted components" 0 \
  "  component joint.step1 * step, recorded: * operations" \
  sh -c "$sinew check $rigs/jump.lua | grep step1"
expect "check lists derivatives from dual numbers" 0 \
  "  component knee.exact * glide_exact, recorded: * operations" \
  sh -c "$sinew check $rigs/dual.lua | grep exact.*glide"
expect "check --quiet lists nothing" 0 "" $sinew check $elbow --quiet
expect "check --fuzz finds nothing in a good rig" 0 "500 random poses: finite, within limits, *" \
  $sinew check $elbow --fuzz 500
for value in "" 0 -1 2.5 many 1e30 nan; do
  expect "--fuzz '$value'" 2 "usage: *" $sinew check $elbow --fuzz "$value"
done
expect "--fuzz without a number" 2 "usage: *" $sinew check $elbow --fuzz
expect "--jump out of range" 2 "usage: *" $sinew check $elbow --fuzz 1 --jump 181

# planted faults: found and reduced
expect "a jump is found" 1 "a jump, *'arm' turns by 30* when 'joint.swing' moves from 2[45].*" \
  first $sinew check $rigs/jump.lua --fuzz 200 --quiet
expect "its counter-example is one DOF" 1 "  at 'joint.swing=2[45].*[0-9]'" \
  $sinew check $rigs/jump.lua --fuzz 200 --quiet
expect "another seed finds it too" 1 "  at 'joint.swing=2[45].*[0-9]'" \
  $sinew check $rigs/jump.lua --fuzz 200 --quiet --seed 7
expect "a jump within the bound is accepted" 0 "200 random poses: *" \
  $sinew check $rigs/jump.lua --fuzz 200 --quiet --jump 31
cat >"$play/long.lua" <<'END'
local sinew = require "sinew"
local rig = sinew.rig "long"
local arm = rig:segment "arm"
local hand = rig:segment("hand", { parent = arm, at = { 0, 3.5, 0 } })
local turn = rig:dof("turn", { min = -180, max = 180 })
arm:drive(rig:rotation { turn, axis = { 1, 0, 0 } })
END
{
  cat "$play/long.lua"
  echo 'local Step = sinew.component { name = "step", inputs = { "x" }, outputs = { "x" },'
  echo '  eval = function(_, x) return x < 25.3 and 0 or 0.005 end }'
  echo 'hand:drive(rig:translation { x = rig:add(Step { turn }) })'
  echo 'return rig'
} >"$play/step.lua"
echo 'return rig, hand' >>"$play/long.lua"
expect "a long arm on a hinge that goes round does not jump" 0 "500 random poses: *" \
  $sinew check "$play/long.lua" --fuzz 500 --quiet
expect "a jump of 5 mm at its end is found" 1 \
  "a jump, *'hand' turns by 0 degrees and moves by 0.005 m when 'turn' moves from 25.29* to 25.*" \
  first $sinew check "$play/step.lua" --fuzz 500 --quiet
expect "a NaN is found" 1 "a pose cannot be evaluated, *nan.lua:17: component 'joint.root1' (root)*" \
  first $sinew check $rigs/nan.lua --fuzz 200 --quiet
expect "its counter-example leaves idle DOFs out" 1 "  at 'joint.swing=[0-9.]*' 'joint.lift=[0-9.]*'" \
  $sinew check $rigs/nan.lua --fuzz 200 --quiet
again() { # a counter-example, fed back to eval
  # shellcheck disable=SC2046
  $sinew eval $rigs/nan.lua \
    $($sinew check $rigs/nan.lua --fuzz 200 --quiet | sed -n "s/'//g; s/^  at //p")
}
expect "and fails again when it is evaluated" 1 "sinew: *nan.lua:17: component 'joint.root1'*" again
expect "a component that keeps something is found" 1 "evaluation is not repeatable, *" \
  first $sinew check $rigs/forgetful.lua --fuzz 10 --quiet

# graph, dump, explain
expect "graph prints a digraph" 0 'digraph "elbow" {' first $sinew graph $elbow
if command -v dot >/dev/null; then
  expect "Graphviz reads it" 0 "</svg>" sh -c "$sinew graph $elbow | dot -Tsvg"
  expect "Graphviz reads odd names" 0 "</svg>" sh -c "$sinew graph $play/odd.lua | dot -Tsvg 2>&1"
fi
expect "graph draws wires from DOFs" 0 '  d1 -> c1 ?label="active"?;' \
  sh -c "$sinew graph $elbow | grep -e '-> c1' | head -n 1"
expect "dump is in the order of evaluation" 0 "   4  multiply *matrix1=elbow.rotation1.transform *" \
  sh -c "$sinew dump $elbow | grep multiply | head -n 1"
expect "dump prints the driver of a segment" 0 \
  "segment forearm * in upper arm driven by elbow.multiply1.transform" \
  sh -c "$sinew dump $elbow | grep '^segment forearm'"
expect "explain says what is held to which value" 0 \
  "elbow.twist is held to 20 (70 wanted) by its upper bound at elbow.flexion = 140 ('elbow.held twist', *elbow.lua:13)" \
  $sinew explain $elbow elbow.flexion=140 elbow.twist=70
expect "explain names a DOF's own range" 0 \
  "elbow.twist is held to -90 (-100 wanted) by its range, -90 to 90" \
  $sinew explain $elbow elbow.twist=-100
cat >"$play/held.lua" <<'END'
local sinew = require "sinew"
local rig = sinew.rig "held"
local body = rig:bone "body"
local fold = rig:dof("wing_r.fold", 0, 1, { unit = "" })
local flap = rig:dof("wing_r.flap", -60, 60)
body:bone("wing_r", { set = "wing_r", hinge = { flap:limit { max = 65 - 55 * fold }, axis = "z" } })
body:bone("leg_r", { set = "leg_r", ball = { { "swing", -90, 90 }, { "out", -90, 90 },
  { "twist", -90, 90 }, along = "-y", cone = { ellipse = { 40 }, twist_limits = { -20, 30 } } } })
local door = rig:joint_set "door"
local angle = door:dof("angle", -90, 90)
body:bone("door", { set = door, hinge = { angle, axis = "y", angles = { 0, 45 } } })
sinew.mirror(rig)
local turn = door:rotation { angle, axis = { 0, 1, 0 } }
local free = door:cone { swing = turn, rest = { 1, 0, 0 }, right = { 0, 1, 0 }, ellipse = { 30 } }
body:bone("lid"):drive(free.transform)
return rig
END
explain() { $sinew explain "$play/held.lua" "$@"; }
expect "explain says a limit's formula" 0 \
  "wing_r.flap is held to 21 (60 wanted) by its limit, at most 65 - 55 fold ('wing_r.flap_limit', *held.lua:6)" \
  explain wing_r.fold=0.8 wing_r.flap=60
expect "explain says what a cone leaves of an angle" 0 \
  "leg_r.swing is held to 40* (70 wanted) by the reach cone ('leg_r.leg_r_reach', *held.lua:7)" \
  explain leg_r.swing=70
expect "explain says a twist" 0 \
  "leg_r.twist is held to 30 (50 wanted) by the twist limits ('leg_r.leg_r_reach', *held.lua:7)" \
  explain leg_r.twist=50
expect "explain sees through the change of sign of a mirrored side" 0 \
  "leg_l.twist is held to 30 (50 wanted) by the twist limits ('leg_l.leg_l_reach', *held.lua:12)" \
  explain leg_l.twist=50
expect "explain says a rotation's range" 0 \
  "door.angle is held to 0 (-20 wanted) by the rotation's range ('door.door_rotate', *held.lua:11)" \
  explain door.angle=-20
expect "explain says a swing that is a matrix" 0 \
  "swing is held 14* short by the reach cone; moved by door.angle ('door.cone1', *held.lua:14)" \
  sh -c "$sinew explain $play/held.lua door.angle=44 | grep swing"
cat >"$play/wing.lua" <<'END'
local sinew = require "sinew"
local rig = sinew.rig "wing"
local set = rig:joint_set "wing_r"
local flap, fold = set:dof "flap", set:dof("fold", { min = 0, max = 1, unit = "" })
local limited = flap:limit { min = -40 + 34 * fold, max = 65 - 55 * fold }
set:segment("wing_r"):drive(sinew.rotate(-limited, "z"))
return rig
END
expect "explain says a limit in the author's words" 0 \
  "wing_r.flap is held to 21 (60 wanted) by its limit, at most 65 - 55 fold ('wing_r.flap_limit', *wing.lua:6)" \
  $sinew explain "$play/wing.lua" wing_r.flap=60 wing_r.fold=0.8
expect "explain reports when nothing is held" 0 "nothing is held back" \
  $sinew explain $elbow elbow.flexion=140 elbow.twist=10
expect "profile times an evaluation" 0 "rig 'elbow': one evaluation * takes [0-9]*.[0-9]* us" \
  first $sinew profile $elbow --quick
expect "profile prints how much runs" 0 "4 components run as 2 steps: *" \
  sh -c "$sinew profile $elbow --quick | grep 'run as'"
expect "profile counts by kind" 0 "rotation  *2  *0  *0.0  *0.0%" \
  sh -c "$sinew profile $elbow --quick | grep '^rotation'"
expect "profile counts by joint set" 0 "elbow  *4  *2  *[0-9]*.[0-9] *[0-9]*%" \
  sh -c "$sinew profile $elbow --quick | grep '^elbow'"
expect "profile runs scripted components" 0 "scripted_slide *2  *2 *" \
  sh -c "$sinew profile rigs/shoulder_scripted.lua --quick | grep '^scripted_slide'"
cat >"$play/worn.lua" <<'END'
local sinew, calls = require "sinew", 0
local Worn = sinew.component { name = "worn", inputs = { "angle" }, outputs = { "angle" },
  eval = function(_, angle)
    calls = calls + 1
    return calls < 30 and angle or error "worn out"
  end, record = false }
local rig = sinew.rig "worn"
rig:segment("bone"):drive(rig:rotation { rig:add(Worn { rig:dof "x" }), axis = { 1, 0, 0 } })
return rig
END
expect "profile reports a component that fails instead of timing it" 1 \
  "sinew: */worn.lua:5: component 'worn1' (worn), made at */worn.lua:*: worn out" $sinew profile "$play/worn.lua" --quick

# tunings
cp $elbow "$play/arm.lua"
echo 'return { segments = { hand = { at = { 0, -0.5, 0 } } } }' >"$play/arm.tuning.lua"
echo 'return { dofs = { ["elbow.flexion"] = { max = 100 } } }' >"$play/stiff.lua"
printf 'return {\n  dofs = {\n    ["elbow.flexoin"] = {} } }\n' >"$play/wrong.lua"
expect "the tuning beside a rig counts" 0 "hand *0.00000    0.60000    0.00000 *" \
  $sinew eval "$play/arm.lua"
mkdir "$play/linked"
cp $elbow "$play/linked/arm.lua"
ln -s "$play/arm.tuning.lua" "$play/linked/arm.tuning.lua"
expect "a tuning that links out of the rig's folder is not read" 1 \
  "sinew: */linked/arm.tuning.lua: is a link out of the rig's folder and is not read" \
  $sinew eval "$play/linked/arm.lua"
expect "--tuning none ignores it" 0 "hand *0.00000    0.84000    0.00000 *" \
  $sinew eval --tuning none "$play/arm.lua"
# shellcheck disable=SC2016
expect "the viewer takes no other tuning" 2 "sinew view: '--tuning' is not supported*" \
  sh -c '"$1" view --tuning none "$2" 2>&1 | sed -n 1p; "$1" view --tuning none "$2" 2>/dev/null' sh \
  $sinew "$play/arm.lua"
expect "--tuning accepts another" 0 "  DOF * elbow.flexion * 0 to 100 deg, rest 0" \
  sh -c "$sinew check $play/arm.lua --tuning $play/stiff.lua | grep flexion"
expect "a wrong tuning is reported with file and line" 1 \
  "sinew: */wrong.lua:3: rig 'elbow' has no DOF 'elbow.flexoin' (did you mean 'elbow.flexion'?)" \
  $sinew check $elbow --tuning "$play/wrong.lua"
expect "a tuning that is not there" 1 "sinew: *gone.lua*" $sinew check $elbow --tuning "$play/gone.lua"
expect "--tuning without a file" 2 "sinew check: '--tuning' expects a file or 'none'" \
  first $sinew check $elbow --tuning
expect "--help mentions tunings" 0 "*--tuning FILE*" sh -c "$sinew --help | grep -e --tuning | head -n 1"

# options of a rig
expect "check lists options" 0 "  option    spine * full, of full|simple; default full: *" \
  sh -c "$sinew check rigs/human.lua | grep '^  option    spine'"
expect "an option is chosen" 0 "*simple, of full|simple*" \
  sh -c "$sinew dump rigs/human.lua --option spine=simple --option hands=false | grep 'option *spine'"
expect "an unknown option is told" 1 "*human.lua: the rig has no option 'hand' (did you mean 'hands'?)" \
  $sinew eval rigs/human.lua --option hand=false
expect "a wrong value is told" 1 "*option 'hands' is true or false, not 'no'" \
  $sinew eval rigs/human.lua --option hands=no
expect "an option needs a value" 2 "usage: *" $sinew eval rigs/human.lua --option hands

# a hosted script may read a skeleton beside it, and nothing else
echo '{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"name":"hip","children":[1]},
  {"name":"knee.l","translation":[0,-0.4,0]}]}' >"$play/hero.gltf"
echo 'local rig = assert(require "sinew".skeleton(arg or "hero.gltf")) return rig' >"$play/hero.lua"
echo 'return (assert(require "sinew".skeleton "../hero.gltf"))' >"$play/out.lua"
expect "a skeleton beside the script is read" 0 "  segment   knee_l * in hip, undriven" \
  $sinew check "$play/hero.lua"
expect "one elsewhere is not" 1 "*out.lua*" $sinew check "$play/out.lua"

# what games use works in a hosted script too
cat >"$play/walker.lua" <<'END'
local sinew = require "sinew"
local rig = sinew.rig "walker"
local body = rig:segment("body", { at = {0, 0.3, 0} })
local legs = {}
for i, side in ipairs { -1, 1 } do
  legs[i] = sinew.limb(body, "leg" .. i, { at = {0.1 * side, 0, 0}, foot = {0.5 * side, -0.3, 0},
    lengths = {0.3, 0.4} })
end
local pose = rig:pose()
local walk, count = sinew.gait(pose, legs), 0
walk:update(1 / 60)
sinew.spring(pose, { "leg1.yaw" }):update(1 / 60)
sinew.lines(pose, function() count = count + 1 end)
assert(count == 6 and pose:unpack(pose:pack()))
return sinew.scale(rig, 0.5)
END
expect "a hosted script makes limbs" 0 "rig 'walker': 7 segments, 6 DOFs, *" \
  sh -c "$sinew check '$play/walker.lua' | head -n 1"

# angles in radians
printf '%s\n' 'local rig = require "sinew".rig "r"' \
  'rig:bone("b", { set = "s", hinge = { "bend", 0, math.pi / 2, axis = "x" } })' 'return rig' >"$play/rad.lua"
expect "radians for degrees" 0 "*rad.lua:2: DOF 's.bend' goes from 0 to 1.5708 degrees, which look like radians: *" \
  $sinew check "$play/rad.lua"

# golden poses: written, compared, written again
cp $elbow "$play/elbow.lua"
golden() { $sinew test "$play/elbow.lua" "$@"; }
poses() { # the poses as a Lua table's text
  printf 'return { %s }' "$1" >"$play/elbow.test.lua"
}
expect "without golden poses it is said how to get them" 1 "*\`sinew test RIG --update\` writes a first*" golden
expect "a first file" 0 "*elbow.test.lua: [1-9] poses written" golden --update
expect "it agrees" 0 "[1-9] passed, 0 failed" golden
cp "$play/elbow.test.lua" "$play/first.lua"
expect "it is written again" 0 "*elbow.test.lua: [1-9] poses written" golden --update
expect "as it was" 0 "" cmp "$play/elbow.test.lua" "$play/first.lua"
expect "poses in another file" 0 "[1-9] passed, 0 failed" \
  $sinew test $elbow --poses "$play/first.lua"
bone=$($sinew eval $elbow | sed -n '3s/ .*//p')
dof=$($sinew check $elbow | awk '$1 == "DOF" { print $2; exit }')
poses "{ name = 'bent', dofs = { ['$dof'] = 30 }, places = { ['$bone'] = {9, 9, 9} } }"
expect "a place that is wrong" 0 "FAILED 'bent': $bone is at {*}, expected {9, 9, 9}: off by *" \
  sh -c "$sinew test '$play/elbow.lua' | head -n 1"
expect "it counts" 1 "0 passed, 1 failed" golden
poses "{ dofs = {}, tolerance = 99, places = { ['$bone'] = { at = {9, 9, 9}, rotate = {1, 0, 0, 0} } } }"
expect "a rotation that is wrong" 0 "FAILED pose 1: $bone is rotated to {*: off by 180 degrees, *" \
  sh -c "$sinew test '$play/elbow.lua' | head -n 1"
poses "{ dofs = { ['${dof}x'] = 1 }, places = {} }"
expect "a DOF that is not there" 0 "FAILED pose 1: *${dof}x*(did you mean '$dof'?)" \
  sh -c "$sinew test '$play/elbow.lua' | head -n 1"
expect "nothing is written over a mistake" 1 "*1 of its poses cannot be written again*" golden --update
poses "{ dofs = {}, places = { ${bone}x = {0, 0, 0} } }"
expect "a segment that is not there" 1 "0 passed, 1 failed" golden
poses "{ dof = {}, places = {} }"
expect "an unknown field" 1 "sinew: *elbow.test.lua: pose 1 has no option 'dof' (did you mean 'dofs'?)*" golden
poses ""
expect "no pose" 1 "*there is no pose in the file" golden
poses "{ dofs = {}, places = { ['$bone'] = 'here' } }"
expect "a place that is none" 1 "*place of '$bone' must be three numbers, or*" golden

# nothing that was asked for is left out without a word
other=$play/other.json
echo '{ "sinew_clip": 1, "fps": 9, "channels": { "nope.x": [[0, 5], [1, 9]] } }' >"$other"
echo '{ "sinew_clip": 1, "fps": 9, "channels": { "elbow.flexion": [[0, 5], [1, 9]] } }' >"$play/one.json"
$sinew bake $elbow "$play/one.json" -o "$play/one.bvh" >/dev/null
echo 'return { points = { forearm = "forearm", hand = "hand" } }' >"$play/map.lua"
while IFS='|' read -r said arguments; do
  arguments=$(echo "$arguments" | sed "s|@|$play|g; s|RIG|$elbow|")
  expect "sinew $arguments" 2 "sinew *: $said" \
    sh -c "$sinew $arguments >'$play/said' 2>&1; code=\$?; head -n 1 '$play/said'; exit \$code"
done <<'END'
'--seed' needs '--fuzz'|check RIG --seed 3
'--jump' needs '--fuzz'|check RIG --jump 3
'-o' is given twice|bake RIG @/one.json -o @/a.bvh -o @/b.bvh
'--unit' is for BVH*|bake RIG @/one.json -o @/a.csv --unit 2
'--animation' is for glTF files, not for '*one.bvh'|motion @/one.bvh --animation x
'--skeleton' is for AMC files, not for '*one.bvh'|motion @/one.bvh --skeleton x
'--rate' is for files that name none, not for '*one.bvh'|motion @/one.bvh --rate 30
'--unit' expects a number from 1e-09 to 10000|motion @/one.bvh --unit 0
'--points' and '--share' are for cones|limits RIG @/one.bvh --joint hand --as field -o @/x.lua --points 9
'--cells' and '--order' are for fields|limits RIG @/one.bvh --joint hand --as cone --cells 9
'--rate' is for files that name none*|fit RIG @/one.bvh --map @/map.lua -o @/o.json --rate 3
'*o.json' would be written twice|fit RIG @/one.bvh --map @/map.lua -o @/o.json --report @/o.json
'*m.lua' would be written twice|import @/x.osim -o @/m.lua --markers @/m.lua
'--fps' needs one of '--keys --clip --sweep'|export RIG @/o.glb --fps 3
'--tolerance' needs one of '--keys --clip --sweep'|export RIG @/o.glb --tolerance 3
'--skinned' and '--skin' exclude each other|export RIG @/o.glb --skinned --skin @/o.obj
the rig has no character; see sinew bind|export RIG @/o.glb --bones
'--linear' needs '--to'|skin RIG -o @/o.obj --linear
'-o' expects a file that ends with .obj|skin RIG -o @/o.txt
'--distance' and '--mesh' exclude each other|skin RIG -o @/o.obj --mesh @/m.obj --distance 0.1
END
expect "a clip of another rig" 1 "sinew: clip: no DOF named 'nope.x'*" $sinew bake $elbow "$other" -o "$play/a.bvh"

# output that cannot be printed; who reads only the first lines gets no message
for arguments in "eval $elbow" "check $elbow" "graph $elbow" "dump $elbow" --help --version \
  "export --xsd" "motion $play/one.bvh"; do
  expect "sinew $arguments to a full disk" 2 "sinew: cannot write the output: No space left on device" \
    sh -c "$sinew $arguments 2>&1 >/dev/full"
done
expect "closed output" 2 "sinew: cannot write the output: Bad file descriptor" sh -c "$sinew eval $elbow 2>&1 >&-"
expect "a reader that leaves: no message, a code" 0 "2" sh -c \
  "{ $sinew eval rigs/human.lua; echo \$? >'$play/code'; } | true; cat '$play/code'"
expect "and what is to be written is written" 0 "{*sinew_clip*" sh -c "
  { $sinew fit $elbow '$play/one.bvh' --map '$play/map.lua' -o '$play/late.json'; } | true
  cat '$play/late.json' | tr '\n' ' '"

# the end by a signal; test_faults.sh interrupts where files are written
sed '1i print "here"' $elbow >"$play/here.lua"
cat >"$play/ended.sh" <<'END'
"$@" >"$play/all" 2>&1 &
until grep -q here "$play/all"; do sleep 0.05; done
kill -TERM $!
wait $!
code=$?
cat "$play/all"
exit $code
END
expect "SIGTERM ends at once, with a message" 143 "sinew: terminated; no file is half written" \
  env play="$play" sh "$play/ended.sh" $sinew check "$play/here.lua" --fuzz 1000000000

# the rig's name and a label with bytes that are no UTF-8 or that drive a terminal: U+009B starts a
# command of it
printf '%s' "local r = require 'sinew'.rig('r\\xff\\xc2\\x9b') local s = r:joint_set 's\\xc3\\xa9'
r:segment 'b':drive(s:rotation { s:dof('d', { min = -9, max = 9, label = 'l\\x80\\xc2\\x85' }), axis = {1, 0, 0} })
print 'p\\xfe\\xc2\\x9b' return r" >"$play/odd.lua"
for command in eval check graph dump explain "profile --quick" "eval --json" "test --poses $play/odd.txt --update"; do
  # shellcheck disable=SC2086
  $sinew ${command%% *} "$play/odd.lua" $(echo "$command " | cut -d' ' -f2-) >"$play/odd" 2>&1
  expect "sinew $command prints UTF-8" 0 "" sh -c "iconv -f utf-8 -t utf-8 '$play/odd' >/dev/null"
  expect "sinew $command prints no control characters" 1 "" \
    sh -c "iconv -f utf-8 -t utf-16be '$play/odd' | od -An -v -tx1 -w2 | grep -E '^ 00 (8|9|7f|1b)'"
done
expect "what is UTF-8 stays" 0 "*Ã©*" sh -c "$sinew graph '$play/odd.lua' | iconv -f latin1 -t utf-8 | grep -m 1 'Ã©'"
report

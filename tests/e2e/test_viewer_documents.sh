#!/bin/sh
# What a person makes and has not saved: pose, keys, and changes of the rig with its cones. It is
# saved, reverted, kept for a crash, and never left without a question.
# shellcheck disable=SC2046 # places on the screen are several words
. tests/e2e/viewer.sh
mkdir "$scratch/play"
rig=$scratch/play/arm.lua
cat >"$rig" <<'END'
local sinew = require "sinew"
local rig = sinew.rig "arm"
local trunk = rig:segment("trunk", { at = { 0, 1.4, 0 } })
local arm = rig:segment("arm", { parent = trunk, at = { -0.2, 0, 0 } })
local hand = rig:segment("hand", { parent = arm, at = { 0, -0.5, 0 } })
local shoulder = rig:joint_set "shoulder"
local swing = shoulder:dof("swing", { min = -180, max = 180 })
arm:drive(shoulder:cone {
  name = "reach", swing = shoulder:rotation { swing, axis = { -1, 0, 0 } },
  rest = { 0, -1, 0 }, ellipse = { 60, 60, 70, 60 }, right = { 1, 0, 0 }, count = 8,
}.transform)
local wrist = rig:joint_set "wrist"
hand:drive(wrist:rotation { wrist:dof("bend", {}), name = "turn", axis = { 1, 0, 0 } })
return rig
END
start() {
  viewer_start "$rig" --size 1000x700 --show time --load-seconds 1000
  until_answer "get shoulder.swing" "ok *" >/dev/null # a busy machine shows the window first
}
left() { # the endings of recovery files
  find "$scratch/state/sinew" -name "unsaved-*.*" ! -name "*.lock" | sed 's/.*-[0-9]*\.//' | sort | xargs
}
kept() { # the same, once they are as expected
  for _ in $(seq 200); do
    [ "$(left)" = "$1" ] && break
    sleep 0.05
  done
  left
}
crash() {
  kill -KILL "$viewer_pid"
  wait "$viewer_pid" 2>/dev/null
}
ended() { case $(ps -o stat= -p "${1:-$viewer_pid}") in '' | Z*) true ;; *) false ;; esac }
gone() { # whether the viewer has ended
  for _ in $(seq 200); do
    ended "$@" && break
    sleep 0.05
  done
  ended "$@" && echo gone || echo "still there"
}
title() { xdotool getwindowname "$window"; }
on() { rectangle 0 shoulder.swing | awk -v part="$1" '{ print $1 + part * $3, $2 + $4 / 2 }'; }
bend() { near "$(ask 'get shoulder.swing')" "$1" 2; }

make() { # keys, a pose of another time, a parameter and a cone
  drag $(on 0.5) $(on 0.6)
  keys k
  drag $(on 0.6) $(on 0.55)
  tell "choose wrist.turn" "param axis=0 0 1" "open cones" "cone_choose shoulder.reach" frame
  click $(middle 0 "cone bake")
  tell "close cones"
}
everything="tuning, keys, pose"
files="keys.json pose.json tuning.lua"
check() { # what happened
  expect "$1: the pose" 0 near bend 18
  expect "$1: the keys" 0 "ok 1 in 1 channels*" ask keys
  tell "choose wrist.turn"
  expect "$1: the parameter" 0 "ok 0 0 1" ask "param axis"
  tell "cone_choose shoulder.reach"
  expect "$1: its points" 0 "ok 8; *" ask cone_points
}
pristine() { # what happened
  expect "$1: no pose" 0 "ok 0" ask "get shoulder.swing"
  expect "$1: no keys" 0 "ok 0 in 0 channels, 0 s" ask keys
  tell "choose wrist.turn"
  expect "$1: no parameter" 0 "ok 1 0 0" ask "param axis"
  tell "cone_choose shoulder.reach"
  expect "$1: no cone" 0 "ok 8 ellipse *" ask cone_points
}

# one dirty state, which undo takes back
start
expect "nothing is unsaved at first" 0 "ok " ask unsaved
keys ctrl+s
expect "nor written" 0 "ok nothing to save*" ask note
expect "the title names the rig" 0 "Sinew: arm.lua" title
drag $(on 0.5) $(on 0.6)
expect "a pose is unsaved" 0 "ok pose" ask unsaved
expect "the title has a star" 0 "Sinew: arm.lua \*" title
keys ctrl+z
expect "undo takes it back" 0 "ok " ask unsaved
expect "and the star" 0 "Sinew: arm.lua" title
make
expect "all of it is unsaved" 0 "ok $everything" ask unsaved

# a crash
expect "it is kept" 0 "$files" kept "$files"
drag $(on 0.55) $(on 0.3)
drag $(on 0.3) $(on 0.55)
recovery
crash
start
expect "after a crash it asks" 0 "ok Restore unsaved changes?|arm.lua was left on 2* with changes of its tuning, keys, pose|*" \
  ask question
pristine "until then"
drag $(on 0.5) $(on 0.9)
expect "nothing else gets the mouse" 0 "ok 0" ask "get shoulder.swing"
keys Return
expect "it is unsaved again" 0 "ok $everything" ask unsaved
check "restored"
keys ctrl+z ctrl+z ctrl+z ctrl+z
pristine "undone"
keys ctrl+y ctrl+y ctrl+y ctrl+y
check "redone"

# two viewers of one rig keep apart, and what is put off is asked again
kept "$files" >/dev/null
crash
"$viewer" "$rig" 2>/dev/null &
other=$!
until xdotool search --name '^Sinew: arm' >/dev/null; do sleep 0.1; done
start
expect "a second viewer is not asked" 0 "error nothing is asked" ask question
tell quit
kill -TERM "$other"
expect "a signal ends the first" 0 gone gone "$other"
expect "and what it was asked about is kept" 0 "$files" left
start
keys Escape
expect "decided later" 0 "ok " ask unsaved
drag $(on 0.5) $(on 0.8)
expect "meanwhile another pose is kept beside it" 0 "keys.json pose.json pose.json tuning.lua" \
  kept "keys.json pose.json pose.json tuning.lua"
tell quit
start
expect "it is still asked" 0 "ok Restore*" ask question
keys Return
check "later"

# leaving: a question
keys ctrl+q
expect "quitting asks, by paths from the rig's folder" 0 \
  "ok Save the changes of arm.lua?|*keys: *to arm.keys.json|pose: 1 DOF, to arm.pose.json|*[[]Save[]]*" ask question
set -- $(rectangle 1 question) # of the first button, below the last line
point 400 "$(echo "$2" | awk '{ print $1 - 48 }')"
expect "the tip has the whole path" 0 "ok pose: 1 DOF, to $scratch/play/arm.pose.json" ask tip
keys Escape
expect "cancelled" 0 "error nothing is asked" ask question
expect "nothing is lost" 0 "ok $everything" ask unsaved
keys ctrl+q Tab Tab Return
expect "kept for later, it ends" 0 gone gone
expect "with the files" 0 "$files" left
start
keys Return
check "kept for later"
keys ctrl+q Tab Return
expect "discarded, it ends" 0 gone gone
expect "and nothing is left" 0 "" left
start
pristine "discarded"

# keys alone: they have the pose
drag $(on 0.5) $(on 0.6)
keys k
expect "a keyed pose is unsaved as keys" 0 "ok keys" ask unsaved
kept keys.json >/dev/null
crash
start
keys Return
expect "keys come back with the pose that they have" 0 near near "$(ask 'get shoulder.swing')" 36 2
expect "which is no change of its own" 0 "ok keys" ask unsaved
keys ctrl+q Tab Return
expect "discarded, it ends again" 0 gone gone
start

# saving
make
keys ctrl+s
expect "Ctrl+S names the files" 0 "ok saved *play/arm.tuning.lua, *play/arm.keys.json, *play/arm.pose.json" ask note
expect "all of it is saved" 0 "ok " ask unsaved
expect "nothing is kept" 0 "" kept ""
until_answer edits "ok 0" >/dev/null
keys ctrl+q
expect "it ends without a question" 0 gone gone
start
check "saved"
expect "and nothing is unsaved" 0 "ok " ask unsaved

# reverting, and saving elsewhere
drag $(on 0.55) $(on 0.2)
tell "choose wrist.turn" "param axis=0 1 0"
expect "reverted" 0 "ok reverted: *tuning*" ask revert
check "reverted"
tell undo undo
expect "which can be undone" 0 "ok *pose*" ask unsaved
keys ctrl+shift+s
expect "save as asks for the paths" 0 "ok Save as*" ask question
type_text ".new"
keys ctrl+a
type_text "$scratch/play/other.json"
keys Return
expect "and names them" 0 "ok saved */other.json*" ask note
expect "it is there" 0 "$scratch/play/other.json" ls "$scratch/play/other.json"

# another rig: a question as well
drag $(on 0.5) $(on 0.25)
tell "open files" frame
click $(middle 1 files)
type_text "$PWD/rigs/knee.lua"
keys Return
expect "opening another rig asks" 0 "ok Save the changes of arm.lua?*" ask question
keys Escape
expect "cancelled, the rig stays" 0 "ok $rig" ask rig

# while it loads the rig before can be changed: that is kept, also after an answer that discards
cat >"$scratch/play/slow.lua" <<'END'
local sinew = require "sinew"
local rig = sinew.rig "slow"
rig:segment("bone", {})
repeat local ready = pcall(require, "ready") until ready
return rig
END
click $(middle 1 files)
keys ctrl+a
type_text "$scratch/play/slow.lua"
keys Return Tab Return
expect "what was unsaved is discarded" 0 "ok " ask unsaved
drag $(on 0.5) $(on 0.6)
point $(on 0.6)
press
point $(on 0.65)
echo 'return true' >"$scratch/ready.lua"
mv "$scratch/ready.lua" "$scratch/play" # at once: a load that finds half of it is followed by another
expect "the drag goes on" 0 "ok $rig" ask rig
point $(on 0.7)
release
expect "then the other rig is there" 0 "ok *slow.lua" until_answer rig "ok *slow.lua"
expect "and says what is kept" 0 "ok opened *slow.lua; unsaved changes *kept for later" ask note
expect "a recovery file has it" 0 "pose.json" left
tell "load $rig"
expect "which is offered with the rig" 0 "ok Restore unsaved changes?|arm.lua *pose|*" ask question
keys Return
expect "restored" 0 near bend 72
tell "close files" undo

# what cannot be written is told, and nothing is lost
rm -f "$scratch/play/arm.pose.json"
mkdir "$scratch/play/arm.pose.json"
drag $(on 0.5) $(on 0.7)
keys ctrl+s
expect "a file that cannot be written" 0 "ok not saved: *arm.pose.json: cannot write*" ask note
expect "then it stays unsaved" 0 "ok *pose*" ask unsaved
keys ctrl+q Return
expect "and leaving by saving does not leave" 0 "ok *pose*" ask unsaved
tell quit
report

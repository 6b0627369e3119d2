#!/bin/sh
# Placing with a real mouse: handles of rest frames, axes, moving centres and ellipsoids. A drag is
# one undo step, and the command line poses the written rig as the viewer did.
# shellcheck disable=SC2046 # places on the screen are several words
. tests/e2e/viewer.sh
cat >"$scratch/leg.lua" <<'END'
local sinew = require "sinew"
local rig = sinew.rig "leg"
local femur = rig:segment("femur", { at = { 0, 0.9, 0 } })
local tibia = rig:segment("tibia", { parent = femur, at = { 0, -0.4, 0 } })
rig:segment("foot", { parent = tibia, at = { 0, -0.4, 0 } })
local knee = rig:joint_set "knee"
local flexion = knee:dof("flexion", { min = 0, max = 120, rest = 0 })
tibia:drive(knee:rotation { flexion, name = "hinge", axis = { -1, 0, 0 }, angles = { 0, 20, 60, 120 },
  centres = { { 0, 0, 0.01 }, { 0, 0.005, 0 }, { 0, 0.01, -0.01 } } })
return rig
END
differs() { same "$@" | sed 's/^off.*/differs/'; }
pull() { # handle, pixels right, pixels down: drags the handle
  drag_by $(ask "place_handle $1" | sed 's/^ok //') "$2" "$3"
}

viewer_start "$scratch/leg.lua" --size 760x440
tell "close dofs" "set knee.flexion=40"
keys w
tell "look 40 20"
expect "W opens the tool" 0 "ok *place\**" ask tools
expect "nothing is selected" 0 "ok 0" ask places
tell "select tibia"
expect "what can be placed" 0 "ok 5; rest frame of tibia; axis of knee.hinge; centre 1 of knee.hinge; \
centre 2 of knee.hinge; centre 3 of knee.hinge" ask places

# a rest frame by an arrow
before=$(world foot)
depth=$(ask depth | sed 's/^ok //')
pull y 0 -30
after=$(world foot)
expect "dragging an arrow moves the bone" 0 differs differs "$before" "$after" 0.01
expect "up, and only up" 0 same same \
  "$(echo "$before" | awk '{ print $13, $15 }')" "$(echo "$after" | awk '{ print $13, $15 }')" 1e-5
expect "in one step of undo" 0 "ok $((depth + 1))" ask depth
expect "it is a change" 0 "ok 1 tibia.rest" ask edits
keys ctrl+z
expect "which restores it to the bit" 0 "ok $before" ask "world foot"
expect "and takes the change back" 0 "ok 0" ask edits
keys ctrl+y
expect "and redo makes it again" 0 "ok $after" ask "world foot"
# with Ctrl in steps of 5 mm, and a ring in steps of 5 degrees
tell undo
xdotool keydown ctrl
pull y 0 -41
xdotool keyup ctrl
tell frame
at=$(ask place_get | awk '{ s = ($4 + 0.4) / 0.005; r = int(s + 0.5); d = s - r
  print (r > 0 && d < 1e-3 && d > -1e-3) ? "stepped" : "at " $4 }')
expect "Ctrl moves in steps" 0 stepped echo "$at"
turned() { ask place_get | awk -v want="$1" -v by="$2" '{ d = $7 - want
  print (d < by && d > -by) ? "turned" : "turned by " $7 }'; }
round() { # from one point of a ring to another
  drag $(ask "place_handle $1 $2" | sed 's/^ok //') $(ask "place_handle $1 $3" | sed 's/^ok //')
}
xdotool keydown ctrl
round turn_x 45 87
xdotool keyup ctrl
tell frame
expect "and rotates in steps" 0 turned turned 40 0.01
round turn_x 45 24
expect "or freely, as far as the mouse goes round" 0 turned turned 19 2

# an axis by a ring, a centre by an arrow, numbers typed
tell "place_choose axis of knee.hinge"
axis=$(ask place_get)
pull turn_z 30 -20
expect "a ring rotates the axis" 0 "ok axis *" ask place_get
[ "$(ask place_get)" = "$axis" ] && expect "and it is another" 0 "" echo "$axis"
expect "an axis of no length is refused" 0 "error *axis*" ask "place_set axis 0 0 0"
expect "and the reason is printed" 0 "ok *axis*" ask place_message
tell "place_choose centre 2 of knee.hinge"
before=$(world tibia)
pull z -25 10
expect "a centre moves the bone live" 0 differs differs "$before" "$(world tibia)" 1e-5
click $(middle 1 at)
type_text 0.02
keys Return
expect "numbers can be typed" 0 "ok at * 0.0199999996 *" ask place_get
expect "a list as Lua text" 0 "ok *centres = {*" ask place_lua
expect "a handle that is not there" 0 "error no such handle*" ask "place_handle turn_x"
expect "a thing that is not there" 0 "error 'axis of knee' is not among*" ask "place_choose axis of knee"
expect "half a command" 0 "error place_move DX DY DZ*" ask "place_move 1"

# written, loaded again, and evaluated by the command line
expect "three changes" 0 "ok 3 *" ask edits
shown=$(world foot)
expect "written beside the script" 0 "ok $scratch/leg.tuning.lua" ask edits_write
expect "then there are no more" 0 "ok 0" until_answer edits "ok 0"
expect "the host has read them" 0 "ok reloaded*" until_answer note "ok reloaded*"
expect "the pose is the same" 0 same same "$shown" "$(world foot)" 1e-5
expect "as it is for the command line" 0 same same "$shown" \
  "$(evaluated "$scratch/leg.lua" foot knee.flexion=40)" 1e-5

# an ellipsoid: moved, rotated, a knob dragged, invalid values refused
expect "another rig" 0 ok ask "load rigs/shoulder.lua"
tell "select right_scapula" "look 200 15"
expect "its ellipsoid" 0 ok ask "place_choose ellipsoid of right_shoulder.scapula_slide"
tell frame
was=$(ask place_get)
before=$(world right_scapula)
pull knob_x 25 0
expect "a knob changes a radius and the bone glides" 0 differs differs "$before" "$(world right_scapula)" 1e-5
expect "of the ellipsoid only" 0 "ok 1 right_shoulder.scapula_slide.radii" ask edits
tell undo
expect "undone to the bit" 0 "$was" ask place_get
expect "moved by numbers" 0 ok ask "place_move 0.002 0 -0.001"
expect "rotated by numbers" 0 ok ask "place_turn y 4"
expect "no radius of nothing" 0 "error *radius 1 is 0, not positive*" ask "place_set radii 0 0.1 0.1"
expect "all of it undone" 0 ok ask place_reset
expect "leaves no change" 0 "ok 0" ask edits
expect "and the old pose" 0 "ok $before" ask "world right_scapula"
expect "quit" 0 ok ask quit
report

#!/bin/sh
# The network view and the parameter panel: boxes are found and clicked; numbers are dragged, typed,
# undone, redone, kept over a reload, and written to the rig's tuning.
# shellcheck disable=SC2046 # places on the screen are several words
. tests/e2e/viewer.sh

rig() { # lines before the script's return
  cat <<END
local sinew = require "sinew"
local rig = sinew.rig "arm"
local upper = rig:segment("upper", { at = {0, 1, 0} })
local lower = rig:segment("lower", { parent = upper, at = {0, -0.5, 0} })
local arm = rig:joint_set "arm"
local bend = arm:dof("bend", { min = -90, max = 90 })
local scale = arm:map { bend, name = "scale", angle = sinew.piecewise { {-90, -90}, {0, 0}, {90, 90} } }
local turn = arm:rotation { scale.angle, name = "turn", axis = {1, 0, 0}, angles = {-60, 60} }
upper:drive(turn)
local hand = rig:joint_set "hand"
lower:drive(hand:multiply { turn, name = "follow" })
$1
return rig
END
}
rig "" >"$scratch/arm.lua"
viewer_start "$scratch/arm.lua" --size 900x560

box() { ask "network_box $1" | sed 's/^ok //'; }
head_of() { box "$1" | awk '{ print $1 + $3 / 3, $2 + 6 }'; }
left_third() { rectangle "$1" "$2" | awk '{ print $1 + 8, $2 + $4 / 2 }'; }

keys n
expect "N opens the network" 0 "*network\**" ask tools
expect "it shows each joint set as a box" 0 "ok all: 2 boxes*" ask network
tell frame
click $(head_of arm)
expect "a click on one selects its first bone" 0 "ok upper" ask selected
expect "which shows in the network" 0 "ok * selected" ask "network_box arm"
sleep 1 # no double click with the next
double_click $(head_of arm)
expect "a double click opens it" 0 "ok arm: 5 boxes, 4 wires, 0 crossings*" ask network
expect "the bone of the selection is marked" 0 "ok * lit selected" ask "network_box upper"
tell frame
sleep 1

click $(head_of arm.turn)
expect "a click chooses the component" 0 "ok arm.turn" ask chosen
expect "and opens its parameters" 0 "*params\**" ask tools
tell frame

# a number by mouse and keyboard
drag_by $(left_third 0 "param axis") 60 0
dragged=$(ask "param axis")
expect "a drag changes the number" 0 "ok 1.[0-9]* 0 0" echo "$dragged"
expect "as one step" 0 "ok 1" ask depth
expect "it is among the changes" 0 "ok 1 arm.turn.axis" ask edits
keys ctrl+z
expect "Ctrl+Z takes it back" 0 "ok 1 0 0" ask "param axis"
expect "and nothing is changed any more" 0 "ok 0" ask edits
expect "redo" 0 "ok axis of arm.turn" ask redo
expect "the same value again" 0 "$dragged" ask "param axis"

click $(middle 1 "param axis")
type_text 2
keys Return
expect "a number is typed" 0 "ok 1.[0-9]* 2 0" ask "param axis"
expect "the rig follows" 0 "ok 30" ask "set arm.bend=30"
moved=$(ask "world upper")
tell "param axis=0 0 1"
expect "an axis moves the bone" 0 "ok *" ask "world upper"
[ "$(ask "world upper")" != "$moved" ] || { failed=$((failed + 1)) && echo "FAILED the bone did not move"; }

# invalid values
tell frame

click $(middle 2 "param axis")
type_text 0
keys Return
expect "an impossible value is refused with the engine's message" 0 "ok *axis*" ask wrong
expect "and the old one stays" 0 "ok 0 0 1" ask "param axis"
expect "as through the port" 0 "error *angles*" ask "param angles=60 -60"
expect "the list is as it was" 0 "ok -60 60" ask "param angles"
expect "an unknown parameter" 0 "error a rotation has no parameter 'axes'" ask "param axes=1"
expect "what was not given is marked" 0 "ok not given" ask "param rest"
expect "and can be given" 0 "ok 10" ask "param rest=10"
expect "and undone" 0 "ok rest of arm.turn" ask undo
expect "then it is not given again" 0 "ok not given" ask "param rest"

# copied as Lua text, and back
expect "as Lua" 0 "ok axis = {0, 0, 1}" ask param_lua
expect "reset" 0 "ok" ask param_reset
expect "back to the script" 0 "ok 1 0 0" ask "param axis"

# a curve
tell "choose arm.scale" frame
drag_by $(middle 9100 "param angle") 0 \
  "$(rectangle 9100 "param angle" | awk '{ print -$4 / 4 }')"
expect "a curve's point is dragged" 0 "ok piecewise -90 -90 * [3-7][0-9].* 90 90" ask "param angle"
expect "undo" 0 "ok angle of arm.scale" ask undo
expect "the curve is as it was" 0 "ok piecewise -90 -90 0 0 90 90" ask "param angle"

# selection, stubs, pan and zoom
tell "select lower"
expect "the selected bone's joint set is shown" 0 "ok hand: 3 boxes*" until_answer network "ok hand*"
expect "what drives it is lit" 0 "ok *lit" ask "network_box hand.follow"
set -- $(box arm.turn)
click "$(($1 + $3 / 2))" "$(($2 + $4 / 2))"
expect "a stub leads to its joint set" 0 "ok arm: *" ask network
expect "and to its component" 0 "ok arm.turn" ask chosen
tell frame
expect "all" 0 "ok all: 2 boxes*" ask "network all"
tell frame "network arm" frame
set -- $(box arm.turn)
point "$(($1 + 20))" "$(($2 - 30))"
press 4
release 4
wider=$(box arm.turn | awk -v was="$3" '{ print ($3 > was * 1.05) ? "wider" : "not wider than " was ": " $0 }')
expect "the wheel zooms" 0 wider echo "$wider"
set -- $(box arm.turn)
drag "$(($1 + 20))" "$(($2 - 20))" "$(($1 + 70))" "$(($2 + 10))"
panned=$(box arm.turn | awk -v x="$1" -v y="$2" '{ print $1 - x, $2 - y }')
expect "a drag moves the picture" 0 "50 30" echo "$panned"

# only what is selected, the search
tell "select lower" frame
click $(middle 3 network)
expect "only what leads to the selected bone" 0 "ok selected: 5 boxes, 4 wires*" \
  until_answer network "ok selected*"
expect "with components of other sets" 0 "ok *" ask "network_box arm.turn"
tell "choose arm.scale"
expect "and what follows from a component" 0 "ok selected: 6 boxes*" ask network
click $(middle 3 network)
expect "back to the joint set" 0 "ok arm: *" until_answer network "ok arm*"
click $(middle 4 network)
type_text foll
expect "the search counts what it finds in the whole rig" 0 "ok *1 found" ask network
keys Return
expect "Enter selects it" 0 "ok lower hand.follow" ask selected_all
expect "and shows its set" 0 "ok hand: *" ask network
keys Escape
expect "Escape ends the search" 0 "ok hand: *, zoom [0-9.]*" ask network
tell "choose arm.turn"
expect "the set of the selection again" 0 "ok arm: *" ask network

# over a reload, and into the tuning
expect "a change" 0 "ok 0 1 0" ask "param axis=0 1 0"
rig 'arm:dof("more", {})' >"$scratch/arm.lua"
expect "the reload says what it did" 0 "ok *1 change applied again" until_answer note "*applied again"
expect "the change is there again" 0 "ok 0 1 0" ask "param axis"
expect "it can still be undone" 0 "ok axis of arm.turn" ask undo
expect "to the script's" 0 "ok 1 0 0" ask "param axis"
tell redo
expect "it is written" 0 "ok *arm.tuning.lua" ask edits_write
expect "nothing is left to write" 0 "ok 0" ask edits
expect "the file has it" 0 "*axis = {0, 1, 0}*" grep axis "$scratch/arm.tuning.lua"
rig 'arm:dof("most", {})' >"$scratch/arm.lua"
expect "a new DOF" 0 "ok 2 *most*" until_answer dofs "*most*"
expect "the tuning stays" 0 "ok 0 1 0" ask "param axis"
rig 'arm:dof("last", {})' | sed 's/name = "turn"/name = "swivel"/' >"$scratch/arm.lua"
rm "$scratch/arm.tuning.lua"
expect "another name" 0 "ok 2 *last*" until_answer dofs "*last*"
expect "the component was removed, another part of its bone is shown" 0 "ok arm.swivel" ask chosen
expect "quit" 0 "ok" ask quit

# one selection, from an empty window: everything shows what is chosen anywhere
rig "" >"$scratch/arm.lua"
cat >"$scratch/editor" <<END
#!/bin/sh
echo "\$@" >"$scratch/opened"
END
chmod +x "$scratch/editor"
VISUAL="$scratch/editor --wait"
export VISUAL
viewer_start "$scratch/arm.lua" --size 1100x700
between() { echo "$(ask "project $1") $(ask "project $2")" | awk '{ print ($2 + $5) / 2, ($3 + $6) / 2 }'; }
point $(between upper lower)
# a parameter of the bone under the mouse is changed and written in three actions
keys e
expect "E over a bone opens its parameters" 0 "ok arm.turn" ask chosen
expect "and selects the bone" 0 "ok upper" ask selected
drag_by $(left_third 0 "param axis") 60 0
dragged=$(ask "param axis")
expect "a drag changes one" 0 "ok 1.[0-9]* 0 0" echo "$dragged"
click $(middle 2 params)
expect "a click writes it, and says where" 0 "ok wrote 1 change to $scratch/arm.tuning.lua" \
  until_answer note "*arm.tuning.lua"
expect "the file has it" 0 "*axis = {1.[0-9]*, 0, 0}*" \
  grep axis "$scratch/arm.tuning.lua"
tell "open details" frame
# from a bone, a click on the name of a component in its panel opens its parameters
click $(between upper lower)
click $(middle 1 Through)
expect "one click from the bone" 0 "ok arm.scale" ask chosen
expect "its parameters are open" 0 "*params\**" ask tools
tell "open details" frame
click $(middle 0 "Moved by")
expect "a DOF is selected with the bone it moves" 0 "ok upper arm.bend" ask selected_all
click $(middle 1 arm.bend)
expect "so it is in the list of DOFs" 0 "ok upper arm.bend" ask selected_all
tell "set arm.bend=20" "open time" key frame
tell "select lower" frame
click $(middle 99 arm.bend)
expect "and in the timeline" 0 "ok upper arm.bend" ask selected_all
xdotool keydown ctrl
click $(middle 99 arm.bend)
xdotool keyup ctrl
expect "Ctrl and a click open the line of the script" 0 "ok opened $scratch/arm.lua:6" \
  until_answer note "ok opened*"
for _ in 1 2 3 4 5 6 7 8 9; do [ -s "$scratch/opened" ] || sleep 0.1; done
expect "in the editor" 0 "--wait +6 $scratch/arm.lua" cat "$scratch/opened"
echo "-- again" >>"$scratch/arm.lua"
expect "after a reload" 0 "ok reloaded*" until_answer note "ok reloaded*"
expect "the same is selected" 0 "ok upper arm.bend" ask selected_all
tell "close time" "select" "open limits" "limits_show all=on" frame
click $(middle 0 limit)
expect "so does a limit" 0 "ok upper arm.turn" ask selected_all
expect "as in the network" 0 "ok * selected" \
  sh -c 'echo "$1"' sh "$(tell "open network" frame && ask "network_box arm.turn")"
expect "text stays readable" 0 "ok 0.769" ask "network_zoom 0.01"
expect "quit" 0 "ok" ask quit

# the whole human as groups that can be read
viewer_start rigs/human.lua --size 1280x720
tell "do layout_rig" frame
expect "a box for each joint set" 0 "ok all: 22 boxes*" ask network
within() { # set
  echo "$(box "$1") $(rectangle 0 network)" |
    awk '{ print ($1 >= $5 && $2 >= $6 && $1 + $3 <= $5 + $7 && $2 + $4 <= $6 + $8) ? "in" : $0 }'
}
for set in body jaw right_hand left_foot; do
  expect "$set is in the panel" 0 in within $set
done
keys n
keys n
tell "select T6" frame
expect "a bone is marked in its group" 0 "ok * selected" ask "network_box thoracic"
tell "do network_selected" frame
expect "what leads to a vertebra" 0 "ok selected: 11 boxes, 10 wires, 0 crossings*" ask network
tell "do network_selected" "network thoracic" frame
expect "the steps of a bone are in one box" 0 "ok * folded" ask "network_box thoracic.T4_twist"
tell "select T4" frame
set -- $(box thoracic.T4_turns)
double_click "$(($1 + 20))" "$(($2 + 5))"
expect "a double click shows them" 0 "ok * lit" ask "network_box thoracic.T4_twist"
expect "quit" 0 "ok" ask quit
report

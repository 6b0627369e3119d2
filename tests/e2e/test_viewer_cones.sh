#!/bin/sh
# The cone editor with a real mouse: points are moved, added and deleted on the sphere, invalid
# cones are refused with a reason, and the command line poses the written rig as the viewer did.
# shellcheck disable=SC2046 # places on the screen are several words
. tests/e2e/viewer.sh
cat >"$scratch/arm.lua" <<'END'
local sinew = require "sinew"
local rig = sinew.rig "arm"
local trunk = rig:segment("trunk", { at = { 0, 1.4, 0 } })
local arm = rig:segment("arm", { parent = trunk, at = { -0.2, 0, 0 } })
rig:segment("hand", { parent = arm, at = { 0, -0.5, 0 } })
local shoulder = rig:joint_set "shoulder"
local swing = shoulder:dof("swing", { min = -180, max = 180 })
local raise = shoulder:dof("raise", { min = -180, max = 180 })
local twist = shoulder:dof("twist", { min = -180, max = 180 })
arm:drive(shoulder:cone {
  name = "reach",
  swing = shoulder:multiply { shoulder:rotation { raise, axis = { 0, 0, -1 } },
    shoulder:rotation { swing, axis = { -1, 0, 0 } } },
  twist = twist, rest = { 0, -1, 0 }, ellipse = { 40, 60, 70, 50 }, right = { 1, 0, 0 }, count = 8,
}.transform)
return rig
END
where() { ask "cone_where $1" | sed 's/^ok //'; }
pull() { # point, pixels right, pixels down: drags the point
  drag_by $(where "$1") "$2" "$3"
}

viewer_start "$scratch/arm.lua" --size 760x440
tell "close dofs"
point 2 200
keys c
expect "C opens the tool" 0 "ok *cones\**" ask tools
expect "with nothing selected it chooses no cone" 0 "ok 1 shoulder.reach" ask cones
expect "and lists those there are" 0 "ok *" ask "where 0 cone link"
expect "there is nothing to change" 0 "error no cone is chosen*" ask cone_points
tell "close cones" "look 30 -20 0.6" frame

# from here three actions: C with the mouse over a bone, a drag, a click that writes
at=$(ask "project arm" | sed 's/^ok //')
# shellcheck disable=SC2086
set -- $at $(ask "project hand" | sed 's/^ok //')
point "$(awk "BEGIN { print $1 * 0.5 + $3 * 0.5 }")" "$(awk "BEGIN { print $2 * 0.5 + $4 * 0.5 }")"
keys c
expect "C over a bone opens its cone" 0 "ok 1 shoulder.reach\*" ask cones
expect "and selects the bone" 0 "ok arm" ask selected
expect "an ellipse is edited as it is" 0 "ok 8 ellipse 40 60 70 50; *" ask cone_points
tell "turn 3 0"
pull 2 0 -14
dragged=$(ask cone_points)
expect "a half angle is dragged, the others stay" 0 "ok 8 ellipse 40 *[0-9] 70 50; *" echo "$dragged"
expect "to another angle" 0 different \
  sh -c 'case $1 in *"40 60 70"*) echo same ;; *) echo different ;; esac' sh "$dragged"
expect "in one step" 0 "ok 1" ask depth
click $(middle 2 "cone edits")
expect "a click writes it, and says where" 0 "ok wrote 1 change to $scratch/arm.tuning.lua" \
  until_answer note "*arm.tuning.lua"
expect "the file has the angle" 0 "*ellipse = {40, $(printf %.1f "$(echo "$dragged" | cut -d' ' -f5)")*, 70, 50}*" \
  grep ellipse "$scratch/arm.tuning.lua"
rm "$scratch/arm.tuning.lua"
expect "without the file it is as the script says" 0 "ok 8 ellipse 40 60 70 50; *" \
  until_answer cone_points "*40 60 70 50*"

expect "as through the port" 0 "ok 8" ask "cone_move 3 -1 -1 0"
expect "one angle changes" 0 "ok 8 ellipse 40 60 45 50; *" ask cone_points
expect "undone" 0 "ok values of shoulder.reach" ask undo
expect "points are not there to delete" 0 "error it is an ellipse*" ask "cone_delete 1"
expect "nor twist limits at one" 0 "error an ellipse has*" ask "cone_twist 1 -10 10"
expect "twist limits for all" 0 "ok 8" ask "cone_twist all -100 100"
expect "undone too" 0 "ok values of shoulder.reach" ask undo
tell frame
click $(middle 0 "cone ellipse")
type_text 190
keys Return
expect "an angle that cannot be is refused" 0 "ok *190 is outside*" ask cone_message
expect "it stays as it was" 0 "ok 8 ellipse 40 60 70 50; *" ask cone_points
expect "and is not offered for writing" 0 "error no such widget*" ask "where 2 cone edits"
tell "cone_move 1 1 -1 0" undo
tell "set shoulder.raise=100" "set shoulder.twist=70"
pose=$(world hand)
click $(middle 0 "cone bake")
expect "a button converts it to points" 0 "ok 8; *" ask cone_points
expect "and the pose stays" 0 same same "$pose" "$(world hand)" 1e-5
expect "one step of undo" 0 "ok values of shoulder.reach" ask undo
expect "back to the ellipse" 0 "ok 8 ellipse 40 60 70 50; *" ask cone_points
expect "to the bit" 0 "ok $pose" ask "world hand"
expect "and again" 0 "ok values of shoulder.reach" ask redo

# dragging a point, adding one on an edge, deleting
points=$(ask cone_points)
depth=$(ask depth | sed 's/^ok //')
pull 1 14 -10
moved=$(ask cone_points)
expect "a point is dragged on the sphere" 0 changed \
  sh -c '[ "$1" = "$2" ] && echo same || echo changed' sh "$points" "$moved"
length=$(echo "$moved" | awk '{ gsub(";", ""); print ($3 * $3 + $4 * $4 + $5 * $5 - 1) ^ 2 < 1e-8 ? "unit" : $0 }')
expect "and stays on it" 0 unit echo "$length"
expect "in one step" 0 "ok $((depth + 1))" ask depth
keys ctrl+z
expect "undone" 0 "$points" ask cone_points
click $(where "edge 1")
expect "a click on an edge adds a point" 0 "ok 9; *" ask cone_points
keys Delete
expect "Delete takes it away" 0 "ok 8; *" ask cone_points
expect "and the keyframes of the timeline are unchanged" 0 "ok 8; *" ask cone_points
point $(where 2)
press 3
release 3
expect "so does a right click" 0 "ok 7; *" ask cone_points
tell undo
expect "undone as well" 0 "ok 8; *" ask cone_points

# nothing else lies in the way of its points
tell "select arm"
expect "the bone has no rings meanwhile" 0 "ok 0*" ask rings
tell "close cones" frame
expect "but without the editor" 0 "ok [1-9]*" ask rings
tell "open cones" frame

# an invalid cone is refused; a point that is dragged there stops at the last valid place
good=$(ask cone_points)
depth=$(ask depth)
expect "a point across the cone is refused" 0 "error *edge*" ask "cone_move 1 -0.9 -0.3 0"
expect "and the reason is printed" 0 "ok *edge*" ask cone_message
expect "the old stays" 0 "$good" ask cone_points
expect "a visible point outside" 0 "error *" ask "cone_visible 0 1 0"
expect "the old one stays" 0 "ok 0 -1 0" ask "cone_visible"
tell "shot $scratch/good.png"
set -- $(where 1) $(where 5)
point "$1" "$2"
press
point "$(awk "BEGIN { print ($1 + $3) / 2 }")" "$(awk "BEGIN { print ($2 + $4) / 2 }")"
point "$3" "$4"
expect "while it is dragged too far the reason is shown" 0 "ok *edge*" ask cone_message
tell "shot $scratch/bad.png"
expect "it is not offered for writing" 0 "error no such widget*" ask "where 2 cone edits"
stopped=$(ask cone_points)
expect "the point has gone as far as it can" 0 different \
  sh -c '[ "$1" = "$2" ] && echo same || echo different' sh "$good" "$stopped"
expect "which is seen" 0 seen seen "$scratch/good.png" "$scratch/bad.png"
back=$(echo "$1 $2" | awk '{ print $1 + 14, $2 - 10 }')
point $back
expect "where it is valid again" 0 "ok " ask cone_message
expect "it follows the mouse" 0 same same "$back" "$(where 1)" 2
point "$3" "$4"
release
expect "let go at the limit, it stays there" 0 "ok " ask cone_message
expect "and is offered for writing" 0 "ok *" ask "where 2 cone edits"
expect "in one step" 0 "ok $((${depth#ok } + 1))" ask depth
keys ctrl+z
expect "undone" 0 "$good" ask cone_points

# visible point, twist, smoothing
tell cone_reset cone_bake
expect "the sum of the points" 0 "ok 8" ask "cone_visible sum"
expect "a twist for all" 0 "ok 8" ask "cone_twist all -30 45"
expect "at a point" 0 "ok 8" ask "cone_twist 3 -10 20"
expect "at the visible point" 0 "ok 8" ask "cone_twist visible -15 25"
expect "no limits the wrong way round" 0 "error *" ask "cone_twist 2 30 -30"
expect "a point that is not there" 0 "error cone_twist POINT*" ask "cone_twist 9 0 1"
click $(middle 1 "cone smooth")
expect "smoothed once by a click" 0 "ok *smooth = 1*" ask cone_lua
expect "more than can be" 0 "error *" ask "cone_smooth 30"
expect "a point by the bone's direction" 0 "ok *" ask "set shoulder.raise=20"
expect "points and limits go together" 0 "ok 9" ask "cone_add 8 0.4"
expect "as Lua text" 0 "ok *points = {*twist_limits = {*" ask cone_lua

# a panel that is too low for all of it is scrolled
tell "size 640 360" frame frame
point 600 250
for _ in 1 2 3 4 5 6 7 8 9; do xdotool click 5; done
tell frame
expect "the last point is in the panel" 0 1 \
  sh -c "echo $(rectangle 8 'cone point 9') | awk '{ print (\$2 > 60 && \$2 < 336) }'"
tell "size 760 440" frame frame

# unwritten edits survive a reload; then they are written, and the command line agrees
tell "set shoulder.raise=95" "set shoulder.swing=35"
shown=$(world hand)
changes=$(ask edits)
touch "$scratch/arm.lua"
echo "-- saved again" >>"$scratch/arm.lua"
expect "the script is saved" 0 "ok reloaded*applied again*" until_answer note "ok reloaded*"
expect "all changes are applied again" 0 "$changes" ask edits
expect "and the pose is the same" 0 "ok $shown" ask "world hand"
expect "written" 0 "ok $scratch/arm.tuning.lua" ask edits_write
expect "read again" 0 "ok reloaded*" until_answer note "ok reloaded*"
expect "the pose is the same again" 0 same same "$shown" "$(world hand)" 1e-5
expect "as it is for the command line" 0 same same "$shown" \
  "$(evaluated "$scratch/arm.lua" hand shoulder.raise=95 shoulder.swing=35 shoulder.twist=70)" 1e-5
expect "a rig without cones" 0 ok ask "load rigs/knee.lua"
expect "has none" 0 "ok 0" ask cones
expect "and nothing to do" 0 "error this rig has no cones" ask "cone_add 1"
expect "quit" 0 ok ask quit
report

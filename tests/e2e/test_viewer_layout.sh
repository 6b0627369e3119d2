#!/bin/sh
# The window as a workplace: commands from keys, menus and the palette; layouts, panels whose edges
# are dragged and remembered, the size of text, the welcome.
# shellcheck disable=SC2046 # places on the screen are several words
. tests/e2e/viewer.sh
scene() { ask scene | sed 's/^ok //'; }
shown() { ask tools | tr ' ' '\n' | grep '\*' | tr -d '*' | tr '\n' ' '; }

export SINEW_SETTINGS="$scratch/settings/viewer"
viewer_start rigs/human.lua --size 1280x720
expect "the scene has its place" 0 "240 40 760 656" scene

# the welcome, once
expect "the welcome is shown" 0 "ok *" ask "where 1 welcome"
for _ in 1 2 3 4; do click $(middle 1 welcome); done
expect "it has five cards" 0 "ok *" ask "where 1 welcome"
click $(middle 1 welcome)
expect "and ends" 0 "error no such widget*" ask "where 1 welcome"
tell "do welcome" frame
expect "it is shown when it is asked for" 0 "ok *" ask "where 1 welcome"
tell "size 800 600" frame frame
expect "it leaves the middle of a small scene free" 0 1 \
  sh -c "echo $(rectangle 1 welcome) | awk '{ print (\$1 + \$3 < 450) }'"
tell "size 1280 720" frame frame
keys Escape
expect "and Esc ends it" 0 "error no such widget*" ask "where 1 welcome"

# commands: no two for one key, apart from those that take turns
expect "keys are clear" 0 "Delete Space " sh -c "echo '$(ask commands)' | tr ' ' '\n' |
  sed -n 's/.*=//p' | sort | uniq -d | tr '\n' ' '"
expect "a command by its name" 0 ok ask "do axes"
expect "it is switched on" 0 "*axes\*=A*" ask commands
expect "a wrong name" 0 "error no command 'axs' (did you mean 'axes'?)*" ask "do axs"
expect "what cannot be done" 0 "error 'rest' cannot be done now" ask "do rest"

# a panel takes the place of another one, which comes back when it is closed
before=$(shown)
expect "what is selected is shown at first" 0 "dofs details *" echo "$before"
keys ctrl+o
expect "the picker takes its place" 0 "dofs * files *" shown
type_text human.l
expect "what is typed is a name" 0 "dofs * files *" shown
keys Return
expect "or a part of one" 0 "ok opened *rigs/human.lua" until_answer note "ok opened *"
tell "set right_knee.flexion=20" "do quit"
expect "a path from the rig's folder" 0 "ok *|pose: 1 DOF, to human.pose.json|*" ask question
keys Escape
tell undo
keys Escape l
expect "as the limits take that of the picker" 0 "dofs limits *" shown
keys l
expect "closed, they give it back" 0 "dofs * files *" shown
click 1264 54
expect "as the picker does" 0 "$before" shown
tell "open files" "open details" "close details"
expect "the panel of the layout covers none" 0 "dofs posing *" shown
tell "open details"

# layouts
keys F3
expect "F3 is for rigging" 0 "dofs network params *" shown
expect "the scene makes room for the network" 0 "240 40 740 376" scene
keys l F2 F3
expect "each layout keeps its panels" 0 "dofs limits network *" shown
keys F4
expect "F4 is for animating" 0 "*time poses *" shown
expect "the timeline is as wide as the window" 0 "0 40 1000 480" scene
keys ctrl+space
expect "all panels are hidden" 0 "0 0 1280 720" scene
keys F2
expect "a layout brings them back" 0 "240 40 760 656" scene
click $(middle 1 layout)
expect "a tab is a layout" 0 "dofs limits network *" shown
keys F2

# edges are dragged within bounds
drag 240 400 300 400
expect "a panel is made wider" 0 "300 40 700 656" scene
drag 300 400 700 400
expect "up to a bound" 0 "360 40 640 656" scene
double_click 360 400
expect "a double click resets it" 0 "ok 240 40 760 656" until_answer scene "ok 240 *"
drag 1000 400 980 400
drag 240 400 260 400
keys F4
drag 600 520 600 500
expect "the timeline is made higher" 0 "0 40 980 460" scene
keys F2

# a narrow window docks one side, and never takes the scene's last room
tell "size 999 600" frame frame
expect "one side is docked, the one opened last" 0 "0 40 699 536" scene
keys d
expect "the other, when it is asked for" 0 "260 40 739 536" scene
tell "size 800 600" "do layout_rig" frame frame
expect "at 800x600" 0 "260 40 540 256" scene
tell "size 640 400" frame frame
expect "a small one" 0 "* 240" echo "$(scene | awk '{ print ($3 >= 320), $4 }')"
tell "size 1280 720" "do layout_pose" frame frame

# menus
click $(middle 1 bar)
click $(middle 1000 View)
expect "the menu has commands" 0 "ok *" ask "where 1000 grid"
click $(middle 1000 grid)
expect "which run" 0 "* grid=G *" ask commands
keys g
click $(middle 1 bar)
click $(middle 1000 Panels)
expect "and panels" 0 "ok *" ask "where 1000 limits"
keys Escape
expect "Esc closes it" 0 "error no such widget*" ask "where 1000 limits"
at=$(ask "project tibia_r" | awk '{ print $2, $3 + 40 }')
# shellcheck disable=SC2086
point $at
press 3
release 3
expect "a right click selects the bone" 0 "ok tibia_r" ask selected
expect "and opens a menu for it" 0 "ok *" ask "where 1000 rest"
tell "set right_knee.flexion=30"
click $(middle 1000 rest)
expect "which puts it to rest" 0 "ok 0" ask "get right_knee.flexion"
expect "and closes" 0 "error no such widget*" ask "where 1000 rest"
keys Escape
expect "Esc ends the selection" 0 "ok " ask selected

# the palette
expect "a command by a few letters" 0 "ok Frame all*" ask "find fr al"
expect "a DOF by its words" 0 "ok *Right knee: bend*" ask "find bend knee"
expect "a bone by its name" 0 "ok *Right tibia*" ask "find tibia_r"
expect "an option" 0 "ok *Option spine = simple*" ask "find spine simple"
expect "nothing" 0 "ok" ask "find zzzz"
keys ctrl+k
type_text "right tibia"
keys Return
expect "it selects a bone" 0 "ok tibia_r" ask selected
keys ctrl+k
type_text "axes of"
keys Return
expect "it runs a command" 0 "*axes=A*" ask commands
keys ctrl+k
type_text "spine simple"
keys Return
expect "it chooses an option" 0 "*spine=simple*" until_answer options "*spine=simple*"
keys ctrl+k Escape g
expect "after Esc the keys are commands again" 0 "* grid=G *" ask commands

# text
keys ctrl+plus ctrl+plus ctrl+plus ctrl+plus
expect "twice as large" 0 "* 80 *" scene
keys ctrl+0
expect "as usual" 0 "*40*" scene
keys ctrl+minus F3
tell quit
wait "$viewer_pid"
expect "it is remembered" 0 "layout = Rig left = 260 right = 300 scale = 0.75 " \
  sh -c "grep -E '^(left|layout|right|scale) ' $SINEW_SETTINGS | sort | tr '\n' ' '"
viewer_start rigs/knee.lua --size 1280x720
expect "and found again" 0 "195 30 *" scene
expect "without the welcome" 0 "error no such widget*" ask "where 1 welcome"
tell quit
unset SINEW_SETTINGS
viewer_start rigs/knee.lua --size 1280x720
expect "not by a script" 0 "240 40 760 656" scene
keys ctrl+k
type_text "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww"
tell "screen $scratch/long.png"
type_text "m"
tell "screen $scratch/longer.png"
expect "the end of a long text is seen" 0 seen seen "$scratch/long.png" "$scratch/longer.png"
keys Escape

# names in any script: letters of Inter, of a font of the system, or boxes with their codes
named() { # name: a picture of the window with a bone of that name
  cat >"$scratch/named.lua" <<END
local sinew = require "sinew"
local rig = sinew.rig "named"
rig:segment("$1", {})
return rig
END
  tell "load $scratch/named.lua" "select $1" "do layout_pose" frame frame "screen $scratch/$2.png"
}
named "шшшшшшшш" one
named "жжжжжжжж" other
expect "Cyrillic letters differ" 0 seen seen "$scratch/one.png" "$scratch/other.png"
named "右右右右右右右右右右右右右右右右" one
named "左左左左左左左左左左左左左左左左" other
expect "so do characters of other scripts" 0 seen seen "$scratch/one.png" "$scratch/other.png"
tell quit
report

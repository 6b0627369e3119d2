#!/bin/sh
# The viewer as a person or a script uses it: pictures, DOFs, and a rig that is edited, broken,
# fixed, deleted and created again while it runs; sliders are dragged, numbers typed, bones clicked.
# shellcheck disable=SC2046 # places on the screen are several words
. tests/e2e/viewer.sh

expect "help" 0 "example: sinew-viewer *" "$viewer" --help
expect "an unknown option" 2 "*unknown option '--rendr'*" "$viewer" --rendr
expect "a bad size" 2 "*expected a size such as 1280x800*" "$viewer" --size 12
expect "an unknown camera" 2 "*expected front*got 'behind'*" "$viewer" --camera behind
expect "a camera straight below" 2 "*expected front*got '0,-90'*" "$viewer" --camera 0,-90
expect "a zoom into nothing" 2 "*expected a zoom*got '0'*" "$viewer" --zoom 0
expect "a zoom in the window" 2 "*only with --render: '--zoom'*" "$viewer" rigs/knee.lua --zoom 2

# pictures
render rigs/knee.lua knee.flexion=60 --render "$scratch/bent.png" --size 300x300
render rigs/knee.lua --render "$scratch/straight.png" --size 300x300
render rigs/knee.lua --sweep knee.flexion=0:60 --frames 4 --size 300x300 --render "$scratch/film.png"
render rigs/knee.lua --sweep knee.flexion=0:60 --frames 4 --size 300x300 --render "$scratch/film.gif"
render rigs/knee.lua --sweep knee.flexion --sheet 3x2 --size 300x300 --render "$scratch/sheet.png"
expect "a picture is like itself" 0 "0.000" difference "$scratch/bent.png" "$scratch/bent.png"
expect "a bent knee looks different" 0 fine between 2 60 "$scratch/bent.png" "$scratch/straight.png"
expect "a sequence starts straight" 0 fine between 0 30 "$scratch/film_0001.png" "$scratch/straight.png"
expect "and is bent half way" 0 fine between 1 60 "$scratch/film_0001.png" "$scratch/film_0003.png"
expect "it is restored the same way" 0 fine between 0 0.5 "$scratch/film_0002.png" "$scratch/film_0004.png"
expect "a GIF shows the same" 0 fine between 0 5 "$scratch/film.gif" "$scratch/film_0001.png"
expect "a contact sheet" 0 fine between 1 90 "$scratch/sheet.png" "$scratch/straight.png"
# the font is in the program: a caption is drawn, also where the system has no fonts
render rigs/knee.lua --sweep knee.flexion=60:60 --sheet 1x1 --size 300x300 --render "$scratch/caption.png"
expect "a sheet has captions" 0 seen seen "$scratch/caption.png" "$scratch/bent.png"
if unshare -m true 2>/dev/null; then
  unshare -m sh -c "mount -t tmpfs none /usr/share/fonts && [ ! -e /usr/share/fonts/opentype ] &&
    '$viewer' rigs/knee.lua --sweep knee.flexion=60:60 --sheet 1x1 --size 300x300 \
      --render '$scratch/fontless.png'" 2>/dev/null
  expect "which need no font of the system" 0 "0.000" difference "$scratch/caption.png" "$scratch/fontless.png"
else
  echo "SKIPPED a system without fonts: unshare is not allowed here"
fi
expect "nothing is left aside" 0 "" find "$scratch" -name "*.part*"
build/bin/sinew export rigs/knee.lua "$scratch/knee.xml"
render "$scratch/knee.xml" knee.flexion=60 --render "$scratch/xml.png" --size 300x300
expect "a rig in XML looks the same" 0 "0.000" difference "$scratch/bent.png" "$scratch/xml.png"
expect "sizes must fit" 1 "*300x300*" difference "$scratch/bent.png" rigs/pictures/knee.png
expect "a sweep of nothing" 2 "*did you mean 'knee.flexion'*" \
  "$viewer" rigs/knee.lua --sweep knee.flexon --frames 2 --render "$scratch/x.png"
# the camera of a picture
shot() { # name, options...
  shot=$scratch/$1.png
  shift
  render rigs/knee.lua knee.flexion=60 "$@" --render "$shot"
}
shot front --camera front --size 150x300
shot angles --camera 0,0 --size 150x300
shot back --camera back --size 150x300
shot behind --camera 180,0 --size 150x300
shot both --camera front --camera back --size 300x300
shot twice --camera front --camera front --size 300x300
shot near --camera front --zoom 2 --size 150x300
shot patella --camera front --focus patella --size 150x300
expect "a view by its angles" 0 "0.000" difference "$scratch/front.png" "$scratch/angles.png"
expect "a view from behind" 0 "0.000" difference "$scratch/back.png" "$scratch/behind.png"
expect "it is not that from the front" 0 seen seen "$scratch/front.png" "$scratch/back.png"
expect "two views side by side" 0 seen seen "$scratch/both.png" "$scratch/twice.png"
expect "a zoom" 0 seen seen "$scratch/near.png" "$scratch/front.png"
expect "a bone that fills the picture" 0 seen seen "$scratch/patella.png" "$scratch/near.png"
expect "a focus that is not there" 2 "*did you mean 'patella'*" \
  "$viewer" rigs/knee.lua --focus patela --render "$scratch/x.png"
expect "several cameras of a film" 2 "*for one picture or a contact sheet*" "$viewer" rigs/knee.lua \
  --camera front --camera back --frames 2 --render "$scratch/x.png"
expect "frames without a picture" 2 "*only with --render*" "$viewer" rigs/knee.lua --frames 3
expect "no display for a window" 1 "*there is no display to open a window on; set DISPLAY, or *" \
  env -u DISPLAY "$viewer" rigs/knee.lua
expect "a mistyped option" 2 "*unknown option '--rendr' (did you mean '--render'?); see --help" \
  "$viewer" rigs/knee.lua --rendr x.png
expect "a picture of another format" 2 "*ends with .png, .gif, .bmp, .qoi or .raw, got 'x.jpg'; *" \
  "$viewer" rigs/knee.lua --render x.jpg
expect "a folder that is not there" 1 "*cannot write '$scratch/none/x.png': No such file*" \
  "$viewer" rigs/knee.lua --size 64x64 --render "$scratch/none/x.png"
expect "an unknown tool" 2 "*no tool 'limit'*" "$viewer" rigs/knee.lua --show limit --render "$scratch/x.png"
expect "a rig that is not there" 1 "*no-such.lua*" "$viewer" no-such.lua --render "$scratch/x.png"
echo '{ "sinew_clip": 1, "channels": { "nope.x": [[0, 0], [1, 9]] } }' >"$scratch/other.json"
while IFS='|' read -r code said arguments; do
  # shellcheck disable=SC2086
  expect "--render $arguments" "$code" "sinew-viewer: $said" "$viewer" rigs/knee.lua --size 64x64 \
    --render "$scratch/x.png" $(echo "$arguments" | sed "s|@|$scratch|")
done <<'END'
2|'knee.flexion': 'x' is not a number|knee.flexion=x
2|'knee.flexion': '' is not a number|knee.flexion=
2|only with --skin: '--skin-at'; see --help|--skin-at knee.flexion=3
2|only with --keys, --crowd or a GIF: '--fps'; see --help|--fps 3
2|not allowed with --sheet: '--frames'; see --help|--sheet 2x2 --frames 3
2|not allowed with --render: '--remote'; see --help|--remote
2|not allowed with --crowd: '--focus'; see --help|--crowd 2 --focus patella
1|clip: no DOF named 'nope.x'*|--keys @/other.json
1|*none.obj*|--skin @/none.obj
END
expect "a DOF beyond its range is told" 0 "sinew-viewer: DOF 'elbow.flexion' is held at 140 by its range, 0 to 140" \
  "$viewer" tests/lua/rigs/elbow.lua elbow.flexion=999 --size 64x64 --render "$scratch/held.png"
expect "a difference that cannot be printed" 1 "*cannot write the output: No space left on device" \
  sh -c "'$viewer' --compare '$scratch/front.png' '$scratch/back.png' 2>&1 >/dev/full"
expect "a DOF that is not there" 2 "*did you mean 'knee.flexion'*" \
  "$viewer" rigs/knee.lua knee.flexon=3 --render "$scratch/x.png"

rig() { # the name of an optional second DOF; then the rest of the script
  cat <<END
local sinew = require "sinew"
local rig = sinew.rig "arm"
local bone = rig:segment("bone", { at = {0, 1, 0} })
local set = rig:joint_set "arm"
local bend = set:dof("bend", { min = -90, max = 90 })
$1
bone:drive(set:rotation { bend, axis = {1, 0, 0} })
return rig
END
}
rig "" >"$scratch/arm.lua"
viewer_start "$scratch/arm.lua" --size 800x600

# mouse and keyboard
track=$(rectangle 0 arm.bend)
at() { # fraction of the slider's length: the point there, as x y
  echo "$track" | awk -v part="$1" '{ print $1 + part * $3, $2 + $4 / 2 }'
}
world=$(ask "world bone")
drag $(at 0.5) $(at 0.75)
expect "a slider is dragged" 0 near near "$(ask 'get arm.bend')" 45 2
expect "and the pose follows" 1 "" test "$world" = "$(ask 'world bone')"
expect "that is one step of undo" 0 "ok 1" ask depth
keys ctrl+z
expect "a drag is undone" 0 "ok 0" ask "get arm.bend"
expect "and the pose goes back" 0 "" test "$world" = "$(ask 'world bone')"
keys ctrl+shift+z
expect "and redone" 0 near near "$(ask 'get arm.bend')" 45 2
click $(middle -1 arm.bend)
type_text -33.5
keys Return
expect "a value is typed" 0 "ok -33.5" ask "get arm.bend"
keys ctrl+z
expect "and undone" 0 near near "$(ask 'get arm.bend')" 45 2
click $(middle -1 arm.bend)
type_text 12x
keys Return
expect "what is no number changes nothing" 0 near near "$(ask 'get arm.bend')" 45 2
double_click $(at 0.75)
expect "a double click resets" 0 "ok 0" until_answer "get arm.bend" "ok 0"
keys Right
expect "an arrow is a fine step" 0 near near "$(ask 'get arm.bend')" 0.9 0.01
keys shift+Left
expect "with shift a finer one" 0 near near "$(ask 'get arm.bend')" 0.81 0.01
click $(ask "project bone" | awk '{ print $2, $3 - 40 }')
expect "a bone is clicked" 0 "ok bone" ask selected
click $(middle 1 dofs)
type_text zzz
expect "a search hides the others" 0 "error no such widget*" ask "where 0 arm.bend"
keys ctrl+a ctrl+x
expect "and cut to nothing shows all" 0 "ok *" ask "where 0 arm.bend"
type_text "be"
keys ctrl+a ctrl+c Right ctrl+v
expect "copy and paste" 0 "error no such widget*" ask "where 0 arm.bend"
keys ctrl+a BackSpace Escape

expect "a DOF is set" 0 "ok 30" ask "set arm.bend=30"
expect "a DOF is held to its range" 0 "ok 90" ask "set arm.bend=200"
expect "a name that is not there" 0 "error no DOF named 'arm.bnd' (did you mean 'arm.bend'?)" ask "get arm.bnd"
tell "set arm.bend=30"
rig 'set:dof("twist", {})' >"$scratch/arm.lua"
expect "an edit shows a new DOF" 0 "ok 2 arm.bend arm.twist" until_answer dofs "ok 2*"
expect "the old value is kept" 0 "ok 30" ask "get arm.bend"
rig 'set:dof("twist", {' >"$scratch/arm.lua"
expect "a broken script shows a banner" 0 "ok *arm.lua:*" until_answer banner "ok *arm.lua*"
expect "it shows the line itself" 0 "ok *| return rig" ask banner
expect "and the old rig stays" 0 "ok -12" ask "set arm.bend=-12"
rm "$scratch/arm.lua"
rig 'set:dof("roll", {})' >"$scratch/new.lua"
mv "$scratch/new.lua" "$scratch/arm.lua"
expect "fixed by rename" 0 "ok 2 arm.bend arm.roll" until_answer dofs "ok 2 arm.bend arm.roll"
expect "the banner has disappeared" 0 "ok " ask banner
expect "values carry over" 0 "ok -12" ask "get arm.bend"
i=0
while [ $i -lt 200 ]; do
  rig "set:dof('d$i', {})" >"$scratch/arm.lua"
  i=$((i + 1))
done
expect "200 rapid saves end at the last" 0 "ok 2 arm.bend arm.d199" until_answer dofs "ok 2 arm.bend arm.d199"
expect "the note warns of what it does" 0 "ok warning: *DOF 'arm.d199' moves nothing*" ask note
rig "" >"$scratch/arm.lua"
expect "without it there is one DOF" 0 "ok 1 arm.bend" until_answer dofs "ok 1*"
expect "the note says what changed" 0 "ok reloaded in * ms: *DOF*" ask note
expect "another rig is opened" 0 ok ask "load rigs/knee.lua"
expect "which is remembered" 0 "ok */rigs/knee.lua */arm.lua" ask recent
expect "its DOFs exist" 0 "ok 1 knee.flexion" ask dofs
expect "rigs and joints are offered" 0 "ok *rigs/human.lua *rigs/joints/cable.lua *" ask rigs
expect "an invalid one is reported" 0 "error *no-such.lua*" ask "load no-such.lua"
expect "and the old one stays" 0 "ok 40" ask "set knee.flexion=40"
tell "load $scratch/arm.lua"
expect "a screenshot" 0 "ok" ask "screen $scratch/screen.png"
expect "quit" 0 "ok" ask quit

# a rig that is broken at the start: with a picture it is an error, a window waits
rig 'set:dof("twist", {' >"$scratch/broken.lua"
expect "no picture of a broken rig" 1 "sinew-viewer: *broken.lua:*" \
  "$viewer" "$scratch/broken.lua" --render "$scratch/x.png"
expect "no window for a rig that is not there" 1 "sinew-viewer: *no-such.lua*" "$viewer" no-such.lua
viewer_start "$scratch/broken.lua" arm.bend=30 --select bone --size 800x600
expect "the window opens with a banner" 0 "ok *broken.lua:*" ask banner
expect "and quotes the line" 0 "ok *| return rig" ask banner
expect "and an empty scene" 0 "ok 0*" ask dofs
expect "the message went out too" 0 "sinew-viewer: *broken.lua:*" cat "$scratch/err"
rig 'set:dof("a", { mni = 3 })' >"$scratch/broken.lua"
expect "another mistake" 0 "ok *broken.lua:6: *mni*" until_answer banner "ok *mni*"
rig "" >"$scratch/broken.lua"
expect "a save mends it" 0 "ok 1 arm.bend" until_answer dofs "ok 1*"
expect "the banner goes" 0 "ok " ask banner
expect "what the command line asked is done" 0 "ok 30" ask "get arm.bend"
expect "with the selection" 0 "ok bone" ask selected
rig 'set:dof("idle", { min = 0, max = 1 })' >"$scratch/broken.lua"
expect "a warning is told" 0 "ok warning: *broken.lua:6: DOF 'arm.idle' moves nothing*" until_answer note "ok warning*"
expect "also in the terminal" 0 "*broken.lua:6: DOF 'arm.idle' moves nothing*" cat "$scratch/err"
expect "quit again" 0 "ok" ask quit

# options of the rig: from the command line, and in the panel
viewer_start rigs/human.lua --option hands=false --show choices
expect "an option of the command line" 0 "ok hands=false height=1.71 spine=full" ask options
expect "a large rig opens with its first joint set" 0 "ok *" ask "where 0 body.x"
expect "the others are folded" 0 "error no such widget*" ask "where 0 lumbar.flexion"
click $(middle 2 "joint set")
expect "a click opens one" 0 "ok *" ask "where 0 lumbar.flexion"
click $(middle -1 lumbar.flexion)
type_text 35
keys Return
expect "a share is typed in percent" 0 near near "$(ask 'get lumbar.flexion')" 0.35 1e-6
tell "select tibia_r" frame
expect "that of the selected bone is open" 0 "ok *" ask "where 0 right_knee.flexion"
expect "instead of the first" 0 "error no such widget*" ask "where 0 body.x"
expect "what was opened by hand stays" 0 "ok *" ask "where 0 lumbar.flexion"
click $(middle 1 dofs)
type_text ankle
expect "a search looks into folded ones" 0 "ok *" ask "where 0 left_ankle.flexion"
keys ctrl+a BackSpace Escape
tell "select L1" "set lumbar.flexion=0.5"
expect "another level is chosen" 0 "ok" ask "option spine=simple"
expect "it is there" 0 "ok hands=false height=1.71 spine=simple" ask options
expect "the DOFs are as they were" 0 "ok 0.5" ask "get lumbar.flexion"
expect "and the selection" 0 "ok L1*" ask selected
expect "a wrong choice is told" 0 "error *no choice 'smple' (did you mean 'simple'?)*" \
  ask "option spine=smple"
expect "and nothing changed" 0 "ok hands=false height=1.71 spine=simple" ask options
read -r x y <<END
$(middle 0 choices)
END
click "$x" "$y"
expect "a click chooses" 0 "ok hands=true height=1.71 spine=simple" \
  until_answer options "ok hands=true *"
tell quit
expect "a wrong option of the command line" 1 "*no option 'hand' (did you mean 'hands'?)*" \
  timeout 300 "$viewer" rigs/human.lua --option hand=false
# as well where the window is there before the rig
cat >"$play/late.lua" <<'END'
for i = 1, 2e8 do end
local sinew = require "sinew"
local rig = sinew.rig "late"
sinew.options { hands = true }
local knee = rig:joint_set "knee"
rig:segment "shin":drive(knee:rotation { knee:dof("flexion", -9, 9), axis = { 1, 0, 0 } })
return rig
END
expect "a wrong option of a rig that loads long" 1 "*no option 'hand'*" \
  timeout 300 "$viewer" "$play/late.lua" --load-seconds 600 --option hand=false
expect "a DOF that it does not have" 2 "*no DOF named 'knee.flx'*" \
  timeout 300 "$viewer" "$play/late.lua" --load-seconds 600 knee.flx=3
expect "a segment to select that it does not have" 2 "*no segment named 'shn' (did you mean *" \
  timeout 300 "$viewer" "$play/late.lua" --load-seconds 600 --select shn
report

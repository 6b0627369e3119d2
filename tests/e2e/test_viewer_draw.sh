#!/bin/sh
# When the scene is drawn: again after every kind of change, not at all without one, and once more,
# smoothly, when it is still. The tests' renderer is in software.
# shellcheck disable=SC2046 # places on the screen are several words
. tests/e2e/viewer.sh

scenes() { ask drawn | awk '{ print $2 }'; }
shadows() { ask drawn | awk '{ print $4 }'; }
settle() { until_answer drawn "*smooth" >/dev/null; }
after() { # scenes or shadows, how many at least or "none"; then what is done
  what=$1 least=$2
  shift 2
  settle
  before=$($what)
  "$@" >/dev/null
  tell frame
  more=$(($($what) - before))
  if [ "$least" = none ]; then
    [ $more = 0 ] && echo none || echo "$more more"
  else
    [ $more -ge "$least" ] && echo drawn || echo "only $more more"
  fi
}
bone() { ask "project $1" | awk '{ print $2, $3 }'; }

viewer_start rigs/shoulder.lua --size 900x600
tell "shot $scratch/fine.png" # waits for the fine bones, which are drawn as they come
expect "a window becomes smooth" 0 "ok * smooth" until_answer drawn "*smooth"
expect "then nothing is drawn again" 0 none after scenes none tell frame frame frame
point 100 300
expect "nor while the mouse is over a panel" 0 none after scenes none point 120 310
expect "nor over empty space" 0 none after scenes none point 880 560
expect "nor for a question" 0 none after scenes none tell dofs note "get right_shoulder.raise"
expect "a pose" 0 drawn after scenes 1 tell "set right_shoulder.raise=40"
expect "the same pose again" 0 none after scenes none tell "set right_shoulder.raise=40"
expect "undo" 0 drawn after scenes 1 tell undo
expect "a view" 0 drawn after scenes 1 tell "look side"
expect "the same view again" 0 none after scenes none tell "look side"
expect "a turn of the camera" 0 drawn after scenes 10 tell "turn 10 1"
expect "no turn" 0 none after scenes none tell "turn 10 0"
expect "the wheel" 0 drawn after scenes 1 xdotool click 4
expect "a drag of the view" 0 drawn after scenes 3 drag 880 560 800 540
tell "look front"
expect "the mouse over a bone" 0 drawn after scenes 1 point $(bone right_humerus)
expect "and away" 0 drawn after scenes 1 point 880 560
expect "a selection" 0 drawn after scenes 1 tell "select right_humerus"
expect "none" 0 drawn after scenes 1 tell select
expect "the grid" 0 drawn after scenes 1 keys g
expect "the axes" 0 drawn after scenes 1 keys a
expect "help, which is over it" 0 none after scenes none keys F1
keys F1
tell "select right_humerus"
expect "a tool is opened" 0 drawn after scenes 1 tell "open limits"
expect "nothing while it is open" 0 none after scenes none tell frame frame
expect "other limits" 0 drawn after scenes 1 tell "limits_show cones=off"
expect "a tool is closed" 0 drawn after scenes 1 tell "close limits"
expect "a cone is edited" 0 drawn after scenes 1 tell "open cones"
expect "a point of it" 0 drawn after scenes 1 tell "cone_move 1 0.2 -1 0.3"
tell "close cones" "open place"
expect "handles" 0 drawn after scenes 1 tell "place_axes world"
tell "close place" "open skin"
expect "a skin is put on" 0 drawn after scenes 1 tell skin_wear
expect "and fades" 0 drawn after scenes 1 tell "skin_opacity 0.3"
tell "close skin"
expect "a change of the window's size" 0 drawn after scenes 1 xdotool windowsize "$window" 800 500
expect "another rig" 0 drawn after scenes 1 tell "load rigs/knee.lua"

# the shadow follows the pose and the light, which turns with the camera
expect "the shadow of a pose" 0 drawn after shadows 1 tell "set knee.flexion=40"
expect "and of another side" 0 drawn after shadows 1 tell "look 70 10"
expect "not from higher up" 0 none after shadows none tell "look 70 40"
expect "not of a selection" 0 none after shadows none tell "select tibia"
expect "quit" 0 ok ask quit

# reloads
arm() {
  cat <<END
local sinew = require "sinew"
local rig = sinew.rig "arm"
rig:segment("bone", { at = {0, 1, 0}, shape = sinew.shapes.box { size = {0.1, $1, 0.1} } })
return rig
END
}
arm 0.3 >"$scratch/arm.lua"
viewer_start "$scratch/arm.lua" --size 600x400
reload() {
  arm "$1" >"$scratch/arm.lua"
  until_answer note "ok reloaded*"
}
expect "another shape" 0 drawn after scenes 1 reload 0.5
tell quit

# with a GPU the scene is drawn straight into the window, which looks the same
shown() { # 0: directly, 1: through the texture; name
  SINEW_SOFTWARE=$1 viewer_start rigs/knee.lua --size 600x400 --select tibia
  [ "$1" = 0 ] || settle
  tell frame frame "screen $scratch/$2.png"
  ask drawn >"$scratch/$2"
  tell quit
}
shown 0 direct
shown 1 texture
expect "directly" 0 "ok * plain" cat "$scratch/direct"
expect "through a texture" 0 "ok * smooth" cat "$scratch/texture"
expect "both look the same" 0 fine between 0 1 "$scratch/direct.png" "$scratch/texture.png"

# very many bones are drawn with few sides
cat >"$scratch/wide.lua" <<'L'
local sinew = require "sinew"
local rig = sinew.rig "wide"
local root = rig:segment("root", { at = { 0, 1, 0 } })
for i = 1, 6000 do
  rig:segment("s" .. i, { parent = root, at = { i % 100 * 0.01, 0.02, i / 10000 } })
end
return rig
L
expect "it says that very many bones are simplified" 0 "*6001 segments: * simplified" \
  "$viewer" "$scratch/wide.lua" --size 200x150 --render "$scratch/wide.png"
report

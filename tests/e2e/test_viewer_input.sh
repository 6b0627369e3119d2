#!/bin/sh
# Input at a slow frame rate: what is pressed and released between two frames is neither lost nor
# out of order. Each frame is made to last 0.1 s longer.
# shellcheck disable=SC2046 # places on the screen are several words
. tests/e2e/viewer.sh
export SINEW_SLOW_FRAME=100
cp rigs/knee.lua "$scratch/knee.lua"
cp -r rigs/parts rigs/data "$scratch"
viewer_start "$scratch/knee.lua" --size 1000x700 --show time

# each click on Loop is a step of undo
# shellcheck disable=SC2086
point $(middle 4 time)
i=0
while [ $i -lt 51 ]; do
  set -- "$@" mousedown 1 mouseup 1
  i=$((i + 1))
done
xdotool "$@"
tell frame
expect "51 quick clicks" 0 "ok 51" ask depth
# clicks at two places, with the mouse moved between: each counts where it was pressed
read -r x1 y1 <<END
$(middle 4 time)
END
read -r x2 y2 <<END
$(middle 5 time)
END
x1=$(printf %.0f "$x1") y1=$(printf %.0f "$y1") x2=$(printf %.0f "$x2") y2=$(printf %.0f "$y2")
set --
i=0
while [ $i -lt 8 ]; do
  set -- "$@" mousemove --window "$window" "$x1" "$y1" mousedown 1 mouseup 1 \
    mousemove --window "$window" "$x2" "$y2" mousedown 1 mouseup 1
  i=$((i + 1))
done
xdotool "$@"
tell frame
expect "clicks at two places" 0 "ok 59" ask depth

# keys: a frame of the timeline back and on; 30 are a second
set --
i=0
while [ $i -lt 30 ]; do
  set -- "$@" keydown period keyup period
  i=$((i + 1))
done
xdotool "$@"
tell frame
expect "30 quick presses of a key" 0 "ok 1" ask time
xdotool keydown comma keyup comma keydown comma keyup comma keydown period keyup period
tell frame
expect "of two keys in their order" 0 "ok 0.966667" ask time
xdotool keydown ctrl keydown z keyup z keyup ctrl keydown period keyup period
tell frame
expect "a key with Ctrl, then one without" 0 "ok 1" ask time
expect "which undid one click" 0 "ok 58" ask depth

# text, and keys that edit it, in one go
click $(middle 1 dofs)
xdotool type --delay 0 -- "knee.flexiox"
tell frame
expect "text is typed" 0 "error no such widget*" ask "where 0 knee.flexion"
xdotool keydown BackSpace keyup BackSpace keydown n keyup n
tell frame
expect "and edited in order" 0 "ok *" ask "where 0 knee.flexion"
xdotool keydown Escape keyup Escape
tell frame

# a drag that is over before the next frame: press, far away, release
track=$(rectangle 0 knee.flexion)
at() { # fraction of the slider's length: the point there, as x y
  echo "$track" | awk -v part="$1" '{ printf "%.0f %.0f", $1 + part * $3, $2 + $4 / 2 }'
}
xdotool mousemove --window "$window" $(at 0.1) mousedown 1 \
  mousemove --window "$window" $(at 0.5) mousemove --window "$window" $(at 0.75) mouseup 1 \
  mousemove --window "$window" $(at 0.2)
tell frame
value=$(ask "get knee.flexion")
drag $(at 0.1) $(at 0.75)
expect "a fast drag ends where the button was released" 0 "$value" ask "get knee.flexion"
tell quit
report

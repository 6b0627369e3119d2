#!/bin/sh
# CPU time of a frame, over all threads, in a 1280x720 window with the human rig: while the camera
# turns, while nothing changes, and of a second in which nothing happens. Software GL, as in the
# tests. Arguments are folders of other builds to compare with: sh tests/bench/turn.sh ../old
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/viewer.sh
seconds() { # CPU time of the viewer so far
  awk -v hz="$(getconf CLK_TCK)" '{ print ($14 + $15) / hz }' "/proc/$viewer_pid/stat"
}
for folder in . "$@"; do
  viewer=$folder/build/bin/sinew-viewer
  viewer_start "$folder/rigs/human.lua" --size 1280x720
  tell "look front" "turn 5"
  printf '%s: turning %s' "$folder" "$(ask 'turn 40')"
  sleep 2
  printf ', still %s' "$(ask 'turn 40 0')"
  sleep 2
  before=$(seconds)
  sleep 3
  seconds | awk -v before="$before" '{ printf ", idle %.0f ms of CPU a second\n", ($1 - before) / 3 * 1000 }'
  tell quit
  wait "$viewer_pid"
done

#!/bin/sh
# The viewer's own CPU time per frame, in a 1920x1080 window with the human rig, while a DOF moves
# and the mouse is over the scene: by library, without the GL driver, the X server and the kernel.
# Needs perf.
cd "$(dirname "$0")/../.." || exit 1
command -v perf >/dev/null || { echo "SKIPPED the viewer's frame: there is no perf"; exit 0; }
screen=1920x1080
. tests/e2e/viewer.sh
viewer_start rigs/human.lua --size 1920x1080
frames() { ask frames | sed 's/ok //'; }
ask "set right_knee.flexion=1" >/dev/null
point 1100 500
first=$(frames)
perf record -q -e cpu-clock -F 4000 -o "$scratch/perf" -p "$viewer_pid" 2>/dev/null &
recorder=$!
sleep 1
n=0
while [ $n -lt 100 ]; do
  ask "set right_knee.flexion=$n" >/dev/null
  ask frame >/dev/null
  n=$((n + 1))
done
last=$(frames)
kill -INT $recorder
wait $recorder 2>/dev/null
perf report -i "$scratch/perf" --no-children -g none --sort dso --field-separator , -n 2>/dev/null |
  awk -F, -v frames=$((last - first)) '
    /^#/ || NF < 3 { next }
    { gsub(/ /, "", $3); samples = $2 + 0; all += samples }
    $3 ~ /^(sinew-viewer|libm|libc|liblua|ld-linux)/ { own += samples }
    END { printf "the viewer itself %.2f ms a frame, everything %.1f ms, %d frames\n",
      own / 4 / frames, all / 4 / frames, frames }'

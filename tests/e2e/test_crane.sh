#!/bin/sh
# The cranes in C with raylib: their heads follow a real mouse, and F12 takes a picture. With them
# viewer/sinew_raylib.h.
. tests/e2e/viewer.sh
check=build/bin/sinew-raylib-check
screen_start
expect "matrices, bones, shapes and the mouse" 0 "0 failed" $check

start() { # program: in a folder of its own, where its pictures go
  folder=$scratch/$1
  mkdir "$folder"
  cp "build/bin/$1" "$folder"
  [ "$1" = sinew-crane ] || cp lua/examples/crane.xml "$folder"
  (cd "$folder" && exec "./$1" >log 2>&1) &
  viewer_pid=$!
  for _ in $(seq 600); do # there is no window manager to focus it
    window=$(xdotool search --onlyvisible --name '^crane$' 2>/dev/null | head -n 1)
    [ -n "$window" ] && xdotool windowfocus --sync "$window" 2>/dev/null && break
    sleep 0.05
  done
}
tap() { # key: held for some frames
  xdotool keydown "$1"
  sleep 0.1
  xdotool keyup "$1"
  sleep 0.1
}
picture() { # x, y of the mouse: the name of the picture
  taken=$(find "$folder" -name '*.png' | wc -l)
  xdotool mousemove --window "$window" "$1" "$2"
  sleep 0.1
  for _ in $(seq 100); do
    [ "$(find "$folder" -name '*.png' | wc -l)" = "$taken" ] || break
    xdotool windowfocus "$window" 2>/dev/null # on a busy machine the first one may be lost
    tap F12
  done
  find "$folder" -name '*.png' | sort | tail -n 1
}
colours() { # x, y of the mouse
  $check "$(picture "$1" "$2")" 300 200 480 180 494 281
}
stop() {
  for _ in $(seq 100); do
    kill -0 "$viewer_pid" 2>/dev/null || break
    tap Escape
  done
  kill "$viewer_pid" 2>/dev/null # where it does not listen
  wait "$viewer_pid"
  ended=$?
  viewer_pid=
}

for program in sinew-crane sinew-crane-xml; do
  start $program
  # the head is where the mouse is, and only there, after some frames; the foot stays
  soon "$program follows the mouse" 0 "ffa100 f5f5f5 ffa100 " colours 300 200
  soon "$program follows it further" 0 "f5f5f5 ffa100 ffa100 " colours 480 180
  stop
  expect "$program ends" 0 "" test $ended = 0
done
expect "a missing file is told" 1 "*crane.xml: cannot open: No such file or directory*" \
  sh -c "cd '$scratch' && '$PWD/build/bin/sinew-crane-xml' 2>&1"
for program in crane:35 crane_xml:20; do
  lines=$(wc -l <"lua/examples/${program%:*}.c")
  expect "$program is short" 0 "" test "$lines" -le "${program#*:}"
done
report

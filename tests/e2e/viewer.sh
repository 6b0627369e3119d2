# shellcheck shell=sh
# For the tests of the viewer: a display of its own with the viewer in it, asked through its remote
# port and driven with a real mouse and keyboard by xdotool.
. tests/e2e/expect.sh
viewer=$PWD/build/bin/sinew-viewer
scratch=$play
unset WAYLAND_DISPLAY DISPLAY
export XDG_STATE_HOME="$scratch/state"
trap viewer_stop EXIT

viewer_stop() {
  exec 3>&-
  for started in ${viewer_pid-} ${screen_pid-}; do
    kill "$started" 2>/dev/null
    wait "$started" 2>/dev/null # its CPU time then counts in `times`
  done
  rm -rf "$play"
}

# one screen in memory for all tests; Xvfb chooses a free number, and held keys do not repeat
screen_start() {
  [ -z "${screen_pid-}" ] || return 0
  Xvfb -r -noreset -displayfd 4 -screen 0 "${screen:-1280x800}x24" 4>"$scratch/display" 2>/dev/null &
  screen_pid=$!
  until [ -s "$scratch/display" ] || ! kill -0 $screen_pid; do sleep 0.05; done
  DISPLAY=:$(cat "$scratch/display")
  export DISPLAY
}

viewer_start() { # rig, arguments...
  screen_start
  rm -f "$scratch/in"
  mkfifo "$scratch/in"
  : >"$scratch/out"
  "$viewer" "$@" --remote <"$scratch/in" >"$scratch/out" 2>"$scratch/err" &
  viewer_pid=$!
  exec 3>"$scratch/in"
  tell rig
  window=$(xdotool search --name '^Sinew' | head -n 1)
  xdotool windowfocus "$window" # there is no window manager to do it
}

ask() { # command: prints the reply
  answered=$(wc -l <"$scratch/out")
  echo "$1" >&3
  waited=0
  while [ "$(wc -l <"$scratch/out")" = "$answered" ] && [ $waited -lt 1200 ]; do
    sleep 0.02
    waited=$((waited + 1))
    kill -0 "$viewer_pid" 2>/dev/null || break
  done
  tail -n 1 "$scratch/out"
}

tell() { # commands...: ignores the replies
  for command in "$@"; do ask "$command" >/dev/null; done
}

until_answer() { # command, pattern: asks until the reply matches
  for _ in $(seq 200); do
    answer=$(ask "$1")
    # shellcheck disable=SC2254
    case $answer in $2) break ;; esac
    sleep 0.05
  done
  echo "$answer"
}

# Waits until recovery files are written, in which the last change is.
recovery() {
  touch "$scratch/changed"
  for _ in $(seq 200); do
    [ -z "$(find "$scratch/state" -name 'unsaved-*' ! -name '*.lock' -newer "$scratch/changed")" ] || break
    sleep 0.05
  done
}

# The rectangle of a widget, as x y width height, by its number and scope, as in the remote command
# `where`.
rectangle() { ask "where $1 $2" | sed 's/^ok //'; }

# Mouse and keyboard. Each step waits until the viewer has seen all of it.
point() { # x, y
  xdotool mousemove --window "$window" "$(printf %.0f "$1")" "$(printf %.0f "$2")"
  tell frame
}
press() { xdotool mousedown "${1:-1}" && tell frame; }
release() { xdotool mouseup "${1:-1}" && tell frame; }
click() { # x, y
  point "$1" "$2"
  xdotool mousedown 1 mouseup 1 && tell frame
}
drag() { # x, y, to x, y, in a few steps
  point "$1" "$2"
  press
  for i in 1 2 3 4 5; do
    point "$(awk "BEGIN { print $1 + ($3 - $1) * $i / 5 }")" \
      "$(awk "BEGIN { print $2 + ($4 - $2) * $i / 5 }")"
  done
  release
}
drag_by() { # x, y, pixels right, pixels down
  drag "$1" "$2" "$(awk "BEGIN { print $1 + $3 }")" "$(awk "BEGIN { print $2 + $4 }")"
}
double_click() { # x, y
  point "$1" "$2"
  xdotool mousedown 1 mouseup 1 mousedown 1 mouseup 1 && tell frame
}
middle() { # number, scope: the centre of a widget, as x y
  rectangle "$1" "$2" | awk '{ print $1 + $3 / 2, $2 + $4 / 2 }'
}
keys() { # names of keys
  for name in "$@"; do
    xdotool key --delay 0 "$name"
    tell frame
  done
}
type_text() { xdotool type --delay 60 -- "$1" && tell frame; }

# Whether two replies "ok NUMBER" are within a tolerance.
near() { # reply, number, tolerance
  echo "$1" | awk -v want="$2" -v by="$3" \
    '{ d = $2 - want; print ($1 == "ok" && d <= by && d >= -by) ? "near" : "far from " want ": " $0 }'
}

# Builds what takes the GL driver's place, so that what is measured is the viewer's own.
no_gl_build() {
  # shellcheck disable=SC2154 # $play is of expect.sh
  ldd "$viewer" 2>/dev/null | grep -q libSDL2 &&
    "${CC:-cc}" -shared -fPIC -O1 -o "$play/no_gl.so" tests/e2e/no_gl.c -ldl 2>/dev/null
}
# Draws so many frames of a rig with all panels open, in a window of 1920x1080; $play/no_gl then has
# what they cost.
no_gl_frames() { # rig, frames, command that runs the viewer...
  shown=$1 frames=$2
  shift 2
  printf '%s\n' "load $shown" "open dofs" "open details" "open network" "open time" "turn 20 0" \
    "size 1920 1080" "turn $frames 0" |
    env LD_PRELOAD="$play/no_gl.so" NO_GL_LOG="$play/no_gl" "$@" "$viewer" "$shown" \
      --size 1920x1080 --load-seconds 600 --remote # valgrind is slow
}

# How different two pictures are: the mean difference of their pixel values, 0 to 255.
difference() { "$viewer" --compare "$1" "$2"; }

# The viewer's state against the command line's for the same rig.
world() { ask "world $1" | sed 's/^ok //'; }
same() { # two lists of numbers, tolerance
  echo "$1 $2" | awk -v by="$3" '{ n = NF / 2; most = 0
    for (i = 1; i <= n; i++) { d = $i - $(i + n); if (d < 0) d = -d; if (d > most) most = d }
    print (NF > 0 && NF % 2 == 0 && most <= by) ? "same" : "off by " most " of " NF }'
}
evaluated() { # rig, segment, DOFs...: the matrix from the command line
  file=$1 segment=$2
  shift 2
  build/bin/sinew eval "$file" "$@" --segment "$segment" --json | tr -c '0-9.e+\n-' ' ' |
    awk '{ for (i = 1; i <= NF; i++) if ($i ~ /^-?[0-9.]/) a[++n] = $i }
      END { for (i = n - 15; i <= n; i++) printf "%s ", a[i] }'
}
seen() { # two pictures: whether they differ by more than antialiasing does
  difference "$1" "$2" | awk '{ print ($1 > 0.02) ? "seen" : "only " $1 }'
}
render() { "$viewer" "$@" 2>/dev/null; }
between() { # minimum, maximum, two pictures
  difference "$3" "$4" | awk -v a="$1" -v b="$2" '{ print ($1 >= a && $1 <= b) ? "fine" : $0 }'
}

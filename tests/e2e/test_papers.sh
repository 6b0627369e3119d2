#!/bin/sh
# The functions, tests, files and commands that PAPERS.md names exist, and the commands run. Wrong
# names planted in a copy are found, with their rows.
# shellcheck disable=SC2016 # names in backquotes
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/expect.sh
unset WAYLAND_DISPLAY DISPLAY
export XDG_STATE_HOME="$play/state"
lua=${LUA54:-lua5.4}
check() { "$lua" tests/papers.lua "${1-.}"; }

expect "every name exists" 0 "* rows, * names and commands, 0 stale" check

copy=$play/copy
mkdir "$copy"
for folder in engine lua rigs tests viewer dev; do ln -s "$PWD/$folder" "$copy/$folder"; done
planted() { # label, sed script, pattern of the message
  sed "$2" PAPERS.md >"$copy/PAPERS.md"
  expect "$1" 0 "$3" sh -c '"$0" tests/papers.lua "$1" | head -n 1' "$lua" "$copy"
  expect "$1, and it fails" 1 "* stale" check "$copy"
}
planted "a missing function" 's/`sinew_cone_exit`/`sinew_cone_leave`/' \
  "PAPERS.md:*: \[Wilhelms 2001\] * the exit point: no function 'sinew_cone_leave' in 'engine/src/limits/cone_query.c'"
planted "a function that is only declared" 's#\[`eval`\](engine/src/components/map.c)#[`sinew_curve_eval`](engine/src/components/map.c)#' \
  "PAPERS.md:*: 4.2: one-to-many mapping: no function 'sinew_curve_eval' in *"
planted "a missing function of a kernel" 's/`step_down`/`step_up`/' \
  "PAPERS.md:*: the projection *: no function 'step_up' in 'engine/src/limits/kernels/field_project.h'"
planted "a missing test in C" 's/`rotation_of_figure_4/`rotation_of_figure_3/' \
  "PAPERS.md:*: figure 4: *: no test 'rotation_of_figure_3_*' in *"
planted "a missing test in Lua" 's/`centre_moves_with_flexion`/`centre_moves_without_flexion`/' \
  "PAPERS.md:*: plate 1: knee: no test 'centre_moves_without_flexion' in 'tests/lua/test_rig_knee.lua'"
planted "a missing file" 's#(rigs/pictures/knee.png)#(rigs/pictures/elbow.png)#' \
  "PAPERS.md:*: no file 'rigs/pictures/elbow.png'"
planted "a missing rig of a command" 's#eval rigs/knee.lua#eval rigs/elbow.lua#' \
  "PAPERS.md:*: no file 'rigs/elbow.lua'"
planted "a row without code" 's/^\(| plate 1[^|]*|[^|]*|\)[^|]*|/\1 by hand |/' \
  "PAPERS.md:*: plate 1: knee: the column 'code' names nothing"
planted "a row without a test" 's/^\(| plate 1[^|]*|[^|]*|[^|]*|\)[^|]*|/\1 |/' \
  "PAPERS.md:*: plate 1: knee: the column 'test' is empty"

# every command runs: with small pictures, benchmarks that run once, and only the help of `dev`
Xvfb -displayfd 4 -screen 0 640x480x24 4>"$play/display" 2>/dev/null &
screen=$!
trap 'kill $screen; rm -rf "$play"' EXIT
until [ -s "$play/display" ] || ! kill -0 $screen; do sleep 0.05; done
DISPLAY=:$(cat "$play/display")
export DISPLAY
"$lua" tests/papers.lua --commands >"$play/commands"
while read -r command; do
  line="*"
  case $command in
    *sinew-viewer*) run="$command --size 256x192" ;;
    *sinew-bench*) run="$command --smoke --csv out.csv" ;;
    *sinew\ explain*) run=$command line="* by *" ;; # not "nothing is held back"
    ./dev*) name=${command#./dev } run="grep -q ^commands=.*${name%% *} dev" ;;
    lua5.4*) run="$lua${command#lua5.4}" ;;
    *) run=$command ;;
  esac
  # shellcheck disable=SC2046 # words
  expect "$command" 0 "$line" $(echo "$run" | sed "s# out\\.# $play/out.#") </dev/null
done <"$play/commands"
report

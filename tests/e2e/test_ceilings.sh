#!/bin/sh
# Counts the instructions of one evaluation of each rig, with random DOFs, with callgrind. Fails if
# a rig needs over 10 % more than recorded, so that a loss of speed is noticed; the same for all
# panels of the viewer in a frame. `sh tests/e2e/test_ceilings.sh --record` rewrites the record.
set -eu
cd "$(dirname "$0")/../.."
screen=1920x1080
. tests/e2e/viewer.sh
record=tests/e2e/ceilings.txt

count_evaluations rigs/*.lua
sort -o "$play/now" "$play/now"

# the panels of the viewer, without the GL driver
if command -v Xvfb >/dev/null && no_gl_build; then
  screen_start
  no_gl_frames rigs/shoulder.lua 30 valgrind --tool=callgrind --toggle-collect=workspace_panels \
    --zero-before=SDL_SetWindowSize --callgrind-out-file=/dev/null >"$play/said" 2>&1
  expect "the viewer shows its panels" 1 "" grep ^error "$play/said"
  sum=$(sed -n 's/.*Collected : //p' "$play/said" | sort -n | tail -n 1)
  echo "panels $((sum / $(cut -d' ' -f1 "$play/no_gl")))" >>"$play/now"
fi

if [ "${1-}" = --record ]; then
  {
    echo "# instructions of one evaluation, and of the viewer's panels in a frame; made by: sh tests/e2e/test_ceilings.sh --record"
    cat "$play/now"
  } >$record
  cat $record
  exit
fi

below() { # name, maximum
  counted=$(sed -n "s,^$1 ,,p" "$play/now")
  echo "${counted:-nothing} for $1, recorded $2"
  [ "${counted:-0}" -gt 0 ] && [ "$counted" -le $(($2 * 110 / 100)) ]
}
while read -r name most; do
  [ "$name" != panels ] || grep -q ^panels "$play/now" || continue # no Xvfb, or raylib without SDL
  [ "$name" = "#" ] || expect "$name is as fast as recorded" 0 "* for $name, *" below "$name" "$most"
done <$record

# Compiling a chain in which every segment compensates the root must take time linear in its length;
# only multiplying the rest frames may be quadratic.
cat >"$play/chain.lua" <<'END'
local sinew = require "sinew"
local rig = sinew.rig "chain"
local root = rig:segment "s0"
local turn = rig:rotation { rig:dof("d", { min = -90, max = 90 }), axis = { 1, 0, 0 } }
root:drive(turn)
local above = root
for i = 1, tonumber(arg[1]) do
  local s = rig:segment("s" .. i, { parent = above, at = { 0, 1, 0 } })
  s:drive(rig:compensate { turn, ancestor = root, segment = s })
  above = s
end
rig:compile()
END
instructions() {
  LUA_CPATH="$PWD/build/lua/?.so" LUA_PATH="$PWD/lua/?.lua;$PWD/lua/?/init.lua" \
    valgrind --tool=callgrind --callgrind-out-file=/dev/null lua5.4 "$play/chain.lua" "$1" 2>&1 |
    sed -n 's/.*Collected : //p'
}
grows() {
  none=$(instructions 0)
  short=$(($(instructions 100) - none))
  long=$(($(instructions 400) - none))
  echo "$short for 100 and $long for 400"
  [ "$short" -gt 0 ] && [ "$long" -lt $((8 * short)) ]
}
expect "four times as many compensates take less than eight times as long to compile" 0 \
  "* for 100 and * for 400" grows
for rig in $(cut -d' ' -f1 "$play/now"); do
  expect "$rig is recorded (run this with --record)" 0 "$rig *" grep "^$rig " $record
done
report

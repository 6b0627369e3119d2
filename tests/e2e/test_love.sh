#!/bin/sh
# The example game in real LÖVE on a virtual screen: it draws something, and its pose is the one
# that the command computes.
. tests/e2e/viewer.sh
if ! command -v love >/dev/null || ! command -v Xvfb >/dev/null; then
  skip "$0: this system has no love or no Xvfb"
fi
screen_start

game() { # rig; prints to $play/printed
  SINEW_RIG=$1 SINEW_SHOT="$play/shot.png" ALSOFT_DRIVERS=null \
    timeout 60 love lua/examples/love >"$play/printed" 2>&1
  code=$?
  tail -n 1 "$play/printed"
  return $code
}
same_pose() { # rig
  # shellcheck disable=SC2046
  set -- "$1" $(sed -n 's/^dof	\([^	]*\)	/\1=/p' "$play/printed")
  build/bin/sinew eval "$@" --json >"$play/expected" || return
  LUA_PATH="tests/lua/?.lua" $lua tests/lua/same_pose.lua "$play/printed" "$play/expected"
}
drawn() { # the picture has light, dark and many edges between them; the file is a PNG
  awk -F '\t' '/^picture/ { good = $2 == 800 && $3 == 600 && $4 < 0.3 && $5 > 0.85 && $6 > 3000 }
    END { exit !good }' "$play/printed" && head -c 4 "$play/shot.png" | tail -c 3
}

rig=rigs/shoulder.lua
expect "the game runs and ends" 0 "picture	800	600	*" game "$PWD/$rig"
expect "its picture is not empty" 0 "PNG" drawn
expect "its pose is what the command computes" 0 "7 segments agree" same_pose $rig
expect "a wrong rig is reported" 1 "error: *jump.lua.gone*" game tests/lua/rigs/jump.lua.gone

# the game of lua/docs/games.md as a .love archive with the module beside it, far from the checkout
shipped() { # file of the module, or none: prints what the game prints last
  rm -rf "$play/far"
  mkdir -p "$play/far" "$play/game"
  awk '/^```/ { on = /lua/; i += on; next } on { print > (out "/" (i == 1 ? "conf" : "main") ".lua") }' \
    out="$play/game" lua/docs/games.md
  cat >>"$play/game/main.lua" <<'LUA'
local draw, frames = love.draw, 0
function love.draw()
  draw()
  frames = frames + 1
  if frames < 3 then return end
  pose["arm.bend"] = 90
  pose:eval()
  local m = pose:world "hand"
  print(("hand %.3f %.3f %.3f"):format(m[13], m[14], m[15]))
  love.event.quit(0)
end
LUA
  cat - "$play/game/main.lua" >"$play/game/all.lua" <<'LUA'
function love.errorhandler(text)
  print("error: " .. text:gsub("\n.*", ""))
  return function() return 1 end
end
LUA
  mv "$play/game/all.lua" "$play/game/main.lua"
  (cd "$play/game" && rm -f ../far/game.love && zip -q ../far/game.love ./*)
  [ "$1" = none ] || cp "$1" "$play/far/sinew.so"
  (cd / && ALSOFT_DRIVERS=null timeout 60 love "$play/far/game.love" 2>&1 | grep -E '^(hand|error)')
}
if command -v zip >/dev/null; then
  expect "a .love with the module beside it runs from anywhere" 0 "hand 0.000 -0.200 0.500" shipped build/luajit/sinew.so
  expect "the wrong module says which one to take" 0 "error: *built for Lua 5.4*the one for LuaJIT" \
    shipped build/lua/sinew.so
  expect "without the module it is not found" 0 "error: *module 'sinew' not found*" shipped none
else
  echo "SKIPPED the .love archive: this system has no zip"
fi

# the walker, its mouse held at a place: it stands on three legs while the others step
walker() {
  SINEW_GAME="$PWD/lua/examples/walker" SINEW_SHOT="$play/shot.png" ALSOFT_DRIVERS=null \
    timeout 60 love tests/e2e/game >"$play/printed" 2>&1
  code=$?
  grep '^standing' "$play/printed"
  return $code
}
came() { # how far it got
  awk -F '\t' '$2 == "body.x" { x = $3 } $2 == "body.z" { z = $3 }
    END { print (x > 0.5 && z > 0.2) ? "came along" : "is at " x " " z }' "$play/printed"
}
long() { awk 'length > 100' "$1" && wc -l <"$1"; }
expect "the walker walks" 0 "standing	3" walker
expect "it comes to the mouse" 0 "came along" came
expect "its picture is not empty" 0 "PNG" drawn
expect "it is short" 0 "2[0-9]" long lua/examples/walker/main.lua
report

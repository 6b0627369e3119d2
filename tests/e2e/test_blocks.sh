#!/bin/sh
# Runs every code block of the documents and every command in the comments of the examples, and
# compares what it prints with what it claims. tests/blocks.lua says how blocks are written.
# The blocks of a document run in one folder, in which rigs/, lua/ and so on are copies of the
# project's, `sinew` is on the path, the viewer takes a picture instead of opening a window, and
# `./dev COMMAND` is only checked to be a command.
. tests/e2e/viewer.sh
root=$PWD
mkdir "$play/bin"
export root play PATH="$play/bin:$PATH" LUA_CPATH="$root/build/lua/?.so" \
  LUA_PATH="./?.lua;$root/lua/?.lua;$root/lua/?/init.lua"

program() { # name: its script comes from standard input
  cat >"$play/bin/$1"
  chmod +x "$play/bin/$1"
}
program sinew <<'END'
#!/bin/sh
case ${1-} in
  view) shift && exec sinew-viewer "$@" ;;
  *) exec "$root/build/bin/sinew" "$@" ;;
esac
END
program sinew-viewer <<'END'
#!/bin/sh
case " $* " in
  *" --render "* | *" --help "*) exec "$root/build/bin/sinew-viewer" "$@" 2>/dev/null ;;
  *) exec "$root/build/bin/sinew-viewer" "$@" --render "$play/picture.png" --size 64x64 2>/dev/null ;;
esac
END
program sinew-embed <<'END'
#!/bin/sh
case " $* " in
  *" --watch "*) timeout 5 "$root/build/bin/sinew-embed" "$@" || [ $? = 124 ] ;; # it does not end
  *) exec "$root/build/bin/sinew-embed" "$@" ;;
esac
END
program love <<'END'
#!/bin/sh
cd "${1-.}" || exit
SINEW_GAME=$PWD SINEW_SHOT="$play/game.png" ALSOFT_DRIVERS=null LUA_CPATH="$root/build/luajit/?.so" \
  exec timeout 60 "$love" "$root/tests/e2e/game"
END
program dev <<'END'
#!/bin/sh
"$root/dev" help | grep -q "^  ${1-help}[ [].* "
END
love=$(PATH=${PATH#*:} command -v love || :)
export love

c_flags="-std=c11 -Wall -Werror -I$root/engine/include -L$root/build/lib"
run() { # kind, path, name
  cd "${2%/*}" || return
  block=${2##*/}
  [ "$3" = - ] || cp "$block" "$3"
  case $1 in
    lua) $lua "$block" ;;
    c)
      # shellcheck disable=SC2086
      cc $c_flags "$block" -o "$block.out" -lsinew-solve -lsinew -lm -lpthread && "./$block.out"
      ;;
    sh) sh -e "$block" ;;
    json) LUA_PATH="$root/tests/lua/?.lua" $lua -e 'require "json"(io.read "a")' <"$block" ;;
    love) love . ;;
  esac
}
printed() { # kind, file with what was printed, file with what was expected
  if [ "$1" = sh ]; then # each claim is a line of what is printed, in this order
    awk -v claims="$3" '
      BEGIN {
        while ((getline line <claims) > 0) {
          gsub(/[][\\.^$+?(){}|]/, "\\\\&", line)
          gsub(/\*/, ".*", line)
          want[++n] = "^" line "$"
        }
      }
      m < n && $0 ~ want[m + 1] { m++ }
      END { if (m < n) { print "it does not print: " want[m + 1]; exit 1 } }' "$2"
  elif [ "$1" = lua ] || [ "$1" = c ]; then # blanks count as one
    for file in "$2" "$3"; do tr '\t' ' ' <"$file" | sed 's/ *$//' >"$file.plain"; done
    cmp -s "$2.plain" "$3.plain"
  fi
}
agrees() { # kind, path, name
  if [ "$1" = love ] && [ -z "$love" ]; then return 0; fi
  code=0
  (run "$@") >"$play/printed" 2>&1 || code=$?
  if [ $code = 0 ] && printed "$1" "$play/printed" "${2%.*}.expected"; then return; fi
  echo "it printed:" && cat "$play/printed" && return 1
}

documents=$(find . -name '*.md' -not -path './build/*' | sort | cut -c 3-)
examples=$(find lua/examples -name '*.lua' -o -name '*.c' | sort)
# shellcheck disable=SC2086
$lua tests/blocks.lua "$play" $documents $examples >"$play/list" || exit
# the examples of --help, with the rig that some of them suppose
mkdir "$play/99"
cp lua/examples/rig.lua "$play/99/leg.lua"
for name in $($sinew --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
  $sinew "$name" --help | sed -n 's/^example: //p' >"$play/99/$name.sh"
  : >"$play/99/$name.expected"
  echo "sh $play/99/$name.sh - sinew:$name:--help" >>"$play/list"
done
"$viewer" --help | sed -n 's/^example: //p' >"$play/99/viewer.sh"
: >"$play/99/viewer.expected"
echo "sh $play/99/viewer.sh - sinew-viewer:--help" >>"$play/list"
for name in "$play"/99/*.sh; do
  expect "${name##*/} has an example" 0 "sinew*" cat "$name"
done
[ -n "$love" ] || echo "SKIPPED games in $0: this system has no love"
screen_start

# what the documents suppose that the reader has: a clip, the same as motion capture with the names
# of rigs/maps/cmu.lua, and an OpenSim model
cat >"$play/clip.lua" <<'END'
local clip = require "sinew".clip()
for i = 0, 20 do
  local t, swing = 0.05 * i, math.sin(0.3 * i)
  for side, sign in pairs { right = 1, left = -1 } do
    clip:set(side .. "_hip.flexion", t, 20 + 30 * sign * swing)
    clip:set(side .. "_hip.abduction", t, 5 + 15 * math.cos(0.7 * i))
    clip:set(side .. "_hip.turn", t, 10 * math.sin(1.1 * i))
    clip:set(side .. "_knee.flexion", t, 25 - 20 * sign * swing)
  end
end
assert(clip:save(arg[1]))
END
$lua tests/e2e/figure.lua mixamorig: 0,0,0,1 "$play/hero.glb" &&
  $lua "$play/clip.lua" "$play/walk.json" &&
  $sinew bake rigs/human.lua "$play/walk.json" -o "$play/walk.bvh" --fps 20 >/dev/null || exit
for side in Right Left; do
  s=$(echo $side | cut -c 1 | tr RL rl)
  for pair in UpLeg=femur Leg=tibia Foot=talus Arm=humerus ForeArm=ulna Hand=carpus; do
    sed -i "s/\(ROOT\|JOINT\) ${pair#*=}_$s\$/\1 $side${pair%=*}/" "$play/walk.bvh"
  done
done
sed -i 's/ROOT pelvis$/ROOT Hips/; s/JOINT T6$/JOINT Neck/; s/JOINT skull$/JOINT Head/' "$play/walk.bvh"
sed -n '/^<OpenSim/,/OpenSimDocument>$/p' tests/e2e/test_import.sh >"$play/gait.osim"
mkdir "$play/project" # a copy, so that no block can change the project itself
for entry in *; do
  case $entry in
    build) ln -s "$root/build" "$play/project" ;;
    *) cp -r "$entry" "$play/project" ;;
  esac
done
mv "$play/bin/dev" "$play/project/dev"
for folder in "$play"/[0-9]*; do
  ln -s "$play"/project/* "$folder"
  cp "$play/walk.json" "$play/walk.bvh" "$play/gait.osim" "$play/hero.glb" "$folder"
done
expect "there are many blocks" 0 "[0-9]?*" sh -c "wc -l <'$play/list'"
while read -r kind block name where <&4; do
  expect "the block at $where" 0 "" agrees "$kind" "$block" "$name"
done 4<"$play/list"
report

#!/bin/sh
# Every command that writes a file, against every fault of a disk: each call that opens, writes,
# flushes, closes or renames fails in turn, the disk is full from there on, the program is killed or
# told to end there, the folder is moved away there; and places that are no place for a file. The old
# file or the new one is there whole, a failure has a message and an exit code, and nothing else is
# left. With SINEW_TEST_QUICK=1 a sample of it.
# shellcheck disable=SC2046,SC2086,SC2116 # arguments are several words
. tests/e2e/expect.sh
play=$(cd "$play" && pwd -P)
inputs=$play/inputs out=$play/out
mkdir "$inputs"
export FAULTS_UNDER="$out" FAULTS_PLAN="$play/plan" FAULTS_LOG="$play/log"
export LUA_CPATH="$PWD/build/lua/?.so" LUA_PATH="$PWD/lua/?.lua;$PWD/lua/?/init.lua"
elbow=tests/lua/rigs/elbow.lua

# --- what is written

cat >"$inputs/bend.json" <<'END'
{ "sinew_clip": 1, "fps": 30, "channels": { "elbow.flexion": [[0, 5], [1, 120]] } }
END
cat >"$inputs/nod.json" <<'END'
{ "sinew_clip": 1, "fps": 10, "channels": { "left_elbow.flexion": [[0, 0, "linear"], [1, 90]] } }
END
echo 'return { points = { forearm = "forearm", hand = "hand" } }' >"$inputs/map.lua"
$sinew bake $elbow "$inputs/bend.json" -o "$inputs/bend.bvh" >/dev/null
cat >"$inputs/door.osim" <<'END'
<OpenSimDocument Version="40000"><Model name="door"><BodySet><objects><Body name="leaf">
<mass>3</mass><inertia>1 1 1 0 0 0</inertia></Body></objects></BodySet></Model></OpenSimDocument>
END
awk 'BEGIN {
  print "HIERARCHY\nROOT body\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition"
  print "JOINT arm\n{\nOFFSET 0 1 0\nCHANNELS 3 Yrotation Xrotation Yrotation"
  print "End Site\n{\nOFFSET 0 -1 0\n}\n}\n}\nMOTION\nFrames: 200\nFrame Time: 0.02"
  for (i = 0; i < 200; i++) print 0, 0, 0, i * 15, 40 * i / 199, -i * 15
}' >"$inputs/circles.bvh"
cat >"$inputs/ball.lua" <<'END'
local sinew = require "sinew"
local samples, rig = {}, sinew.rig "ball"
for i = 1, 300 do samples[i] = { 50 * math.sin(i), 30 * math.cos(1.7 * i) } end
local axis = { min = -90, max = 90, resolution = 12 }
local set = rig:joint_set "ball"
local held = set:field { set:dof("turn", -90, 90), set:dof("nod", -90, 90),
  field = sinew.field { axes = { axis, axis }, samples = samples } }
local ball = set:segment "ball"
ball.shape = sinew.shapes.ellipsoid { radii = {0.1, 0.1, 0.1} }
ball:drive(set:euler { held.angle1, held.angle2, order = "yxz" })
return rig
END
$lua tests/e2e/figure.lua "" 0,0,0,1 "$inputs/figure.gltf"
$sinew bind rigs/human.lua "$inputs/figure.gltf" -o "$inputs/bound.lua" >/dev/null
$sinew export "$inputs/bound.lua" "$inputs/moved.glb" --clip "$inputs/nod.json" >"$play/err" 2>&1 ||
  cat "$play/err"
cat >"$inputs/beast.gltf" <<'END'
{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"name":"A","children":[1]},{"name":"B"}]}
END
cat >"$inputs/save.lua" <<'END'
local sinew = require "sinew"
local way, path = arg[1], arg[2]
local rig = sinew.rig "post"
local set = rig:joint_set "post"
rig:segment("post"):drive(set:rotation { set:dof("turn", -90, 90), axis = { 0, 1, 0 } })
local axis = { min = -90, max = 90, resolution = 12 }
local object = way == "xml" and rig or way == "clip" and sinew.clip():set("post.turn", 0, 1)
  or sinew.field { axes = { axis }, samples = { { 0 }, { 5 }, { 10 } } }
local ok, problem
if way == "xml" then
  ok, problem = object:save_xml(path)
elseif way == "text" then
  ok, problem = sinew.write_file(path, ("text\n"):rep(9))
else
  ok, problem = object:save(path)
end
if not ok then
  io.stderr:write(problem, "\n")
  os.exit(1)
end
END

# A row: a name, the files that are written, the exit code, and the arguments of sinew, or those of
# Lua after `lua`. @ is the folder of the files, % that of the inputs.
writers() {
  cat <<'END'
xml         | o.xml             | 0 | export %/ball.lua @/o.xml
xml beside  | o.1.field o.xml   | 0 | export %/ball.lua @/o.xml --fields-beside
glb         | o.glb             | 0 | export tests/lua/rigs/elbow.lua @/o.glb --sweep elbow.flexion
gltf        | o.gltf            | 0 | export %/ball.lua @/o.gltf
mjcf        | o.mjcf            | 0 | export tests/lua/rigs/elbow.lua @/o.mjcf
bvh         | o.bvh             | 0 | bake tests/lua/rigs/elbow.lua %/bend.json -o @/o.bvh
csv         | o.csv             | 0 | bake tests/lua/rigs/elbow.lua %/bend.json -o @/o.csv
fit         | o.json t.lua r.csv | 0 | fit tests/lua/rigs/elbow.lua %/bend.bvh --map %/map.lua -o @/o.json --tuned @/t.lua --report @/r.csv
fit csv     | o.csv             | 0 | fit tests/lua/rigs/elbow.lua %/bend.bvh --map %/map.lua -o @/o.csv
fit bvh     | o.bvh             | 0 | fit tests/lua/rigs/elbow.lua %/bend.bvh --map %/map.lua -o @/o.bvh
calibrate   | o.lua             | 0 | calibrate tests/lua/rigs/elbow.lua %/bend.bvh --map %/map.lua --free hand.length -o @/o.lua
cone        | o.lua             | 0 | limits tests/lua/rigs/elbow.lua %/circles.bvh --joint arm --as cone -o @/o.lua
field       | o.lua o.field     | 0 | limits tests/lua/rigs/elbow.lua %/circles.bvh --joint arm --as field --cells 4 -o @/o.lua
import      | o.lua m.lua       | 0 | import %/door.osim -o @/o.lua --markers @/m.lua
test        | o.lua             | 0 | test tests/lua/rigs/elbow.lua --poses @/o.lua --update
skin        | o.obj             | 0 | skin %/ball.lua -o @/o.obj --distance 0.2 --cell 0.1
save xml    | o.xml             | 0 | lua %/save.lua xml @/o.xml
save field  | o.field           | 0 | lua %/save.lua field @/o.field
save clip   | o.json            | 0 | lua %/save.lua clip @/o.json
write file  | o.txt             | 0 | lua %/save.lua text @/o.txt
character   | o.glb             | 0 | export %/bound.lua @/o.glb
bind        | o.lua o.xml       | 0 | bind rigs/human.lua %/figure.gltf -o @/o.lua
bind map    | o.map.lua         | 1 | bind rigs/human.lua %/beast.gltf -o @/o.lua
fit map     | o.json o.map.lua  | 0 | fit rigs/human.lua %/moved.glb -o @/o.json
END
}

fault() { # what happened
  failed=$((failed + 1))
  echo "FAILED $name: $*"
  sed 's/^/  /' "$play/err"
}
fine() { passed=$((passed + 1)); }

number=0
plan() { # way, call
  number=$((number + 1))
  echo "$number $1 $2" >"$play/plan"
}
fresh() { # the old files alone
  rm -rf "$out" "$out.gone"
  mkdir "$out"
  for file in $files; do
    # golden poses are read before they are written
    if [ "$name" = test ]; then cp "$play/golden" "$out/$file"; else echo old >"$out/$file"; fi
  done
  mkdir -p "$play/old"
  cp "$out"/* "$play/old"
}
run() { # environment...: the writer
  code=0
  program=$sinew called=$arguments
  case $arguments in "lua "*) program=$lua called=${arguments#lua } ;; esac
  env "$@" "$program" $called >/dev/null 2>"$play/err" || code=$?
}
faulty() { run LD_PRELOAD="$play/faults.so"; }
whole() { # folder: whether each file is the old one or the new one
  for file in $files; do
    cmp -s "$1/$file" "$play/old/$file" || cmp -s "$1/$file" "$play/new/$file" || {
      fault "$what: $file is neither the old one nor the new one"
      return 1
    }
  done
}
old() { # whether each file is the old one
  for file in $files; do cmp -s "$out/$file" "$play/old/$file" || return 1; done
}
others() { # folder: what is there beside the files
  left=$(cd "$1" 2>/dev/null && ls)
  for file in $files; do left=$(echo "$left" | grep -vxF "$file"); done
  echo "$left"
}
told() { [ "$code" != 0 ] && [ "$code" -lt 126 ] && [ -s "$play/err" ]; }

$sinew test $elbow --poses "$play/golden" --update >/dev/null
echo "-- of yesterday" >>"$play/golden"

# one writer, with each fault at each call
try_calls() {
  fresh
  plan none 0
  : >"$play/log"
  faulty
  [ "$code" = "$expected" ] || fault "without a fault: exit code $code"
  rm -rf "$play/new"
  cp -r "$out" "$play/new"
  [ -z "$(others "$out")" ] || fault "leaves $(others "$out")"
  calls=$(grep -c "" "$play/log")
  kinds=$(sed 's/^[0-9]* [0-9]* \([a-z]*\).*/\1/' "$play/log" | tr '\n' ' ')
  case $kinds in *fopen*) fault "writes by fopen: $kinds" ;; esac
  case $kinds in *open*write*fsync*close*rename*) ;; *) fault "writes without fsync or rename: $kinds" ;; esac
  call=0
  for kind in $kinds; do
    call=$((call + 1))
    for way in fail full kill stop vanish; do
      # removing what was temporary may fail without a word, and a full disk can still do it
      [ "$kind" != unlink ] || case $way in fail | full) continue ;; esac
      [ "$kind" != close ] || [ "$way" != full ] || continue
      case $way$arguments in "stoplua "*) continue ;; esac # Lua ends without a word
      # a sample: every third, and of the slow ones every ninth
      sampled=$((sampled + 1))
      [ -z "${SINEW_TEST_QUICK-}" ] || [ $((sampled % step)) = 0 ] || continue
      what="$way at call $call, $kind"
      fresh
      plan $way $call
      faulty
      case $way in
        fail | full)
          if ! told; then
            fault "$what: exit code $code"
          elif [ -n "$(others "$out")" ]; then
            fault "$what: leaves $(others "$out")"
          elif whole "$out"; then
            fine
          fi
          ;;
        kill)
          if [ "$code" != 137 ]; then
            fault "$what: exit code $code"
          elif whole "$out"; then
            # a minute later the next writer removes what is left
            find "$out" -type f -exec touch -d "2 minutes ago" {} +
            plan none 0
            faulty
            if [ "$code" != "$expected" ] || [ -n "$(others "$out")" ]; then
              fault "$what: the next run ends with $code and leaves $(others "$out")"
            else
              fine
            fi
          fi
          ;;
        stop)
          if [ "$code" != 143 ] || ! grep -q "^sinew: terminated" "$play/err"; then
            fault "$what: exit code $code"
          elif [ -n "$(others "$out")" ]; then
            fault "$what: leaves $(others "$out")"
          elif whole "$out"; then
            fine
          fi
          ;;
        vanish)
          # after the last file is renamed nothing is lost
          if [ "$call" != "$calls" ] && ! told && ! whole "$out.gone"; then
            fault "$what: exit code $code"
          elif whole "$out.gone"; then
            fine
          fi
          ;;
      esac
    done
  done
}

# one writer, to places that are no place for a file; of several files, each in turn
try_places() {
  for place in $files; do
    what="$place is a folder"
    fresh
    rm "$out/$place"
    mkdir "$out/$place"
    run
    if told && [ -d "$out/$place" ] && [ -z "$(others "$out")" ]; then fine; else fault "$what: exit code $code"; fi

    # pipes and devices are not replaced; golden poses are read first
    [ "$name" != test ] || continue
    what="$place is a pipe that nobody reads" # which takes a second
    pipes=$((pipes + 1))
    if [ -z "${SINEW_TEST_QUICK-}" ] || [ $((pipes % 9)) = 1 ]; then
      fresh
      rm "$out/$place"
      mkfifo "$out/$place"
      run
      if told && [ -p "$out/$place" ] && [ -z "$(others "$out")" ]; then fine; else fault "$what: exit code $code"; fi
    fi

    what="$place is a full device"
    fresh
    rm "$out/$place"
    ln -s /dev/full "$out/$place"
    run
    if told && [ -L "$out/$place" ] && [ -c /dev/full ] && [ -z "$(others "$out")" ]; then fine; else fault "$what: exit code $code"; fi

    what="$place is a link"
    fresh
    mkdir "$play/far"
    mv "$out/$place" "$play/far/$place"
    ln -s "../far/$place" "$out/$place"
    run
    if [ "$code" = "$expected" ] && [ -L "$out/$place" ] && cmp -s "$play/far/$place" "$play/new/$place" &&
      [ "$(ls "$play/far")" = "$place" ]; then fine; else fault "$what: exit code $code"; fi

    what="$place is a link to nothing yet"
    rm "$play/far/$place"
    run
    if [ "$code" = "$expected" ] && [ -L "$out/$place" ] && [ -f "$play/far/$place" ]; then fine; else fault "$what: exit code $code"; fi
    rm -r "$play/far"
  done
}

# --- a full disk and one that cannot be written, as root sees them too
cat >"$play/mount.sh" <<'END'
out=$1 way=$2
shift 2
case $way in
  full) mkdir "$out.old" && mv "$out"/* "$out.old" && mount -t tmpfs -o size=16k none "$out" &&
    mv "$out.old"/* "$out" && rmdir "$out.old" && { dd if=/dev/zero of="$out/.fill" bs=1k 2>/dev/null || :; } ;;
  read) mount --bind "$out" "$out" && mount -o remount,ro,bind "$out" ;;
esac || exit 99
code=0
"$@" || code=$?
cp -r "$out" "$out.gone"
rm -f "$out.gone/.fill"
exit $code
END
try_mounts() {
  for way in full read; do
    what="a disk that is $way"
    fresh
    code=0
    case $arguments in "lua "*) program="$lua ${arguments#lua }" ;; *) program="$sinew $arguments" ;; esac
    unshare -m sh "$play/mount.sh" "$out" $way $program >/dev/null 2>"$play/err" || code=$?
    case $(cat "$play/err") in *"No space left"* | *"Read-only file system"*) ;; *) fault "$what: no reason" ;; esac
    if ! told; then
      fault "$what: exit code $code"
    elif [ -n "$(others "$out.gone")" ]; then
      fault "$what: leaves $(others "$out.gone")"
    else
      for file in $files; do cmp -s "$out.gone/$file" "$play/old/$file" || fault "$what: $file is not the old one"; done
      fine
    fi
  done
}

preload=yes mounts=yes
if [ "$(uname)" != Linux ] ||
  ! "${CC:-cc}" -shared -fPIC -O1 -o "$play/faults.so" tests/e2e/faults.c -ldl 2>"$play/err"; then
  cat "$play/err"
  echo "SKIPPED calls that fail: there is no way to put them before those of the system"
  preload=
fi
if ! unshare -m true 2>/dev/null; then
  echo "SKIPPED disks that are full or read-only: unshare is not allowed here"
  mounts=
fi
sampled=0 pipes=0
writers >"$play/writers"
while IFS='|' read -r name files expected arguments; do
  name=$(echo $name) files=$(echo $files) expected=$(echo $expected)
  arguments=$(echo $arguments | sed "s|@|$out|g; s|%|$inputs|g")
  rm -rf "$play/old"
  case $name in character | bind* | "fit map") step=9 ;; *) step=3 ;; esac
  [ -z "$preload" ] || try_calls
  [ "$preload$step${SINEW_TEST_QUICK:+quick}" = yes9quick ] || [ -z "$preload" ] || try_places
  [ -z "$mounts" ] || try_mounts
done <"$play/writers"
report

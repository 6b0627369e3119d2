#!/bin/sh
# What the viewer writes, against faults of the disk, as test_faults.sh does it for the commands:
# documents, poses, pictures, exports, recovery files, settings and the list of rigs. The old file
# or the new one stays whole, the window says what is wrong and keeps what is unsaved.
# SINEW_TEST_QUICK=1 takes a sample.
# shellcheck disable=SC2015,SC2046,SC2086,SC2116 # arguments are several words
. tests/e2e/viewer.sh
scratch=$(cd "$scratch" && pwd -P)
out=$scratch/files
export FAULTS_UNDER="$out" FAULTS_PLAN="$scratch/plan" FAULTS_LOG="$scratch/log"
if [ "$(uname)" != Linux ] ||
  ! "${CC:-cc}" -shared -fPIC -O1 -o "$scratch/faults.so" tests/e2e/faults.c -ldl 2>"$scratch/err"; then
  cat "$scratch/err"
  skip "faults of the viewer's disk: there is no way to put calls before those of the system"
fi
mkdir "$out"
rig=$out/arm.lua
cat >"$rig" <<'END'
local sinew = require "sinew"
local rig = sinew.rig "arm"
local arm = rig:segment("arm", { at = { 0, 1, 0 } })
local wrist = rig:joint_set "wrist"
arm:drive(wrist:rotation { wrist:dof("bend", -90, 90), name = "turn", axis = { 1, 0, 0 } })
return rig
END
# the program that is run with the library, not the shells that start it
cat >"$scratch/viewer" <<END
#!/bin/sh
exec env LD_PRELOAD='$scratch/faults.so' '$viewer' "\$@"
END
chmod +x "$scratch/viewer"
plain=$viewer viewer=$scratch/viewer

number=0 what=''
plan() { # way, call
  number=$((number + 1))
  echo "$number $1 $2" >"$scratch/plan"
}
fault() {
  failed=$((failed + 1))
  echo "FAILED $what: $*"
}
fine() { passed=$((passed + 1)); }
fresh() { # files that are there before
  for file in $files; do echo old >"$out/$file"; done
}
others() { find "$out" -name "*.new" -o -name "*.part*"; }
calls() { grep "^$number " "$scratch/log" | sed 's/^[0-9]* [0-9]* \([a-z]*\).*/\1/' | tr '\n' ' '; }

# --- writers of a window that stays open: what makes something to write, and what writes it

begin() { case $name in documents) tell "set wrist.bend=-9" "key 0.$number" "set wrist.bend=$((number % 40 + 1))" ;; esac; }
act() {
  case $name in
    shot) ask "shot $out/p.png" ;;
    screen) ask "screen $out/p.bmp" ;;
    keys) ask "savekeys $out/k.json" ;;
    documents) ask save ;;
    poses) ask "keeppose p$number" ;;
    *)
      tell "do $name" frame
      keys ctrl+a
      type_text "$out/$files"
      tell "answer $(ask question | sed 's/.*[[]\(Export\|Replace\)[]].*/\1/')"
      case $(ask note) in "ok wrote"*) echo ok ;; *) echo "error $(ask banner)" ;; esac
      ;;
  esac
}
# the files as they may be: before, and as a run without a fault left them, or such as hold what
# was to be written
whole() {
  for file in $files; do
    case $file in
      *.json) head -c 1 "$out/$file" | grep -q '{' && tail -c 2 "$out/$file" | grep -q '}' && continue ;;
      *.png) [ "$(tail -c 8 "$out/$file" | head -c 4)" = IEND ] && continue ;;
      *.gif) [ "$(tail -c 1 "$out/$file")" = ';' ] && continue ;;
      *.xml) tail -n 1 "$out/$file" | grep -q '</sinew' && continue ;;
      *.mjcf) tail -n 1 "$out/$file" | grep -q '</mujoco' && continue ;;
      *) [ "$(wc -c <"$out/$file")" = "$(wc -c <"$scratch/new.$file" 2>/dev/null)" ] && continue ;;
    esac
    [ "$(cat "$out/$file" 2>/dev/null)" = old ] || [ ! -e "$out/$file" ] || fault "$file is neither old nor new"
  done
}
try_window() {
  what=$name step=4
  case $name in export*) step=11 ;; esac # each types a path
  case $name in documents | poses) rm -f $(for f in $files; do echo "$out/$f"; done) ;; *) fresh ;; esac
  begin
  plan none 0
  answer=$(act)
  case $answer in ok*) ;; *) fault "without a fault: $answer" ;; esac
  for file in $files; do
    if [ -f "$out/$file" ]; then cp "$out/$file" "$scratch/new.$file"; else fault "did not write $file"; fi
  done
  kinds=$(calls)
  case $kinds in *open*write*fsync*close*rename*) ;; *) fault "writes without fsync or rename: $kinds" ;; esac
  call=0
  for kind in $kinds; do
    call=$((call + 1))
    for way in fail full; do
      [ "$way $kind" != "full close" ] && [ "$kind" != unlink ] || continue
      sampled=$((sampled + 1))
      [ -z "${SINEW_TEST_QUICK-}" ] || [ $((sampled % step)) = 0 ] || continue
      what="$name: $way at call $call, $kind"
      case $name in documents | poses) ;; *) fresh ;; esac
      begin
      plan $way $call
      before=$(ask unsaved)
      answer=$(act)
      case $answer in error*?) ;; *) fault "not told: $answer" ;; esac
      case $answer in *"No space"* | *"Input/output"*) ;; *) fault "no reason: $answer" ;; esac
      [ -z "$(others)" ] || fault "leaves $(others)"
      case $name$way$call-$(ask unsaved) in
        documentsfull[1-6]-"$before" | documentsfail[1-6]-*keys*) ;;
        documents*[1-6]-*) fault "unsaved was $before, is $(ask unsaved)" ;;
      esac
      whole
      plan none 0
      [ "$name" != documents ] || ask save | grep -q "^ok saved" || fault "cannot save afterwards"
      fine
    done
  done
}
sampled=0
plan none 0
viewer_start "$rig" --size 600x400 --show time
while IFS='|' read -r name files; do
  name=$(echo $name) files=$(echo $files)
  try_window 5>&1 <&-
done <<'END'
shot          | p.png
screen        | p.bmp
documents     | arm.keys.json arm.pose.json
keys          | k.json
poses         | arm.poses.json
export_picture | o.png
export_film   | o.gif
export_gltf   | o.glb
export_xml    | o.xml
export_mjcf   | o.mjcf
END

# killed while it saves: the file is whole, what is unsaved is offered again, and a minute later the
# next save clears what is left
name=documents files="arm.keys.json arm.pose.json" what="killed while saving"
tell "savekeys $out/arm.keys.json" "key 0.9" "set wrist.bend=50"
recovery
plan kill 3
echo save >&3
wait "$viewer_pid" 2>/dev/null
whole
[ -n "$(others)" ] || fault "was not killed"
find "$out" -name "*.new" -exec touch -d "2 minutes ago" {} +
plan none 0
viewer_start "$rig" --size 600x400 --show time
expect "what was unsaved is offered" 0 "ok Restore unsaved changes?*" ask question
keys Return
expect "and saved now" 0 "ok saved *" ask save
expect "nothing else is left" 0 "arm.keys.json arm.lua arm.pose.json arm.poses.json k.json o.* p.png" \
  sh -c "ls '$out' | xargs"
tell quit
wait "$viewer_pid" 2>/dev/null

# --- recovery files, settings and the list of rigs: the user's folders are what is faulty
cp "$rig" "$scratch/own.lua"
rig=$scratch/own.lua
rm -rf "$out"
mkdir "$out"
export XDG_STATE_HOME="$out/state" SINEW_SETTINGS="$out/settings"
start() { viewer_start "$rig" --size 600x400 --show time; }
until_note() { until_answer note "$1"; }
plan none 0
start
tell "set wrist.bend=20"
soon "a recovery file is written" 0 1 sh -c "ls '$out'/state/sinew/unsaved-*.pose.json | wc -l"
plan full 1
tell "set wrist.bend=30"
expect "a full disk is told" 0 "ok unsaved changes cannot be kept: *No space*" \
  until_note "ok unsaved changes cannot be kept*"
plan none 0
soon "once there is space the file is written" 0 1 sh -c "grep -l 30 '$out'/state/sinew/unsaved-*.pose.json | wc -l"
plan full 1
tell "set wrist.bend=40"
kill -TERM "$viewer_pid"
code=0
wait "$viewer_pid" || code=$?
expect "ended with what cannot be kept: exit code" 0 1 echo "$code"
expect "and a message" 0 "sinew-viewer: unsaved changes cannot be kept: *No space*" \
  grep "cannot be kept" "$scratch/err"
expect "the older recovery file stays" 0 1 sh -c "grep -l 30 '$out'/state/sinew/unsaved-*.pose.json | wc -l"
plan none 0
start
expect "and is offered" 0 "ok Restore unsaved changes?*" ask question
keys Tab Return
tell "do layout_rig" frame
plan full 1
kill -TERM "$viewer_pid"
code=0
wait "$viewer_pid" || code=$?
expect "settings that cannot be written: exit code" 0 1 echo "$code"
expect "and a message that says why" 0 "sinew-viewer: settings: $out/settings: cannot write: No space left on device" \
  grep settings "$scratch/err"
expect "none are left half written" 0 "" sh -c "find '$out' -name '*.new'"

# --- pictures without a window: exit codes
viewer=$plain
unset SINEW_SETTINGS
picture() { # arguments...
  what="--render $*"
  files=$1
  fresh
  rm -f "$out"/q_*
  code=0
  file=$out/$1
  shift
  LD_PRELOAD="$scratch/faults.so" "$viewer" "$rig" --size 128x96 --render "$file" "$@" 2>"$scratch/err" >/dev/null ||
    code=$?
}
rm -rf "$out"
mkdir "$out"
while read -r args; do
  plan none 0
  picture $args
  [ "$code" = 0 ] || fault "without a fault: exit code $code"
  kinds=$(calls)
  case $kinds in *open*write*fsync*close*rename*) ;; *) fault "writes without fsync or rename: $kinds" ;; esac
  call=0
  for kind in $kinds; do
    call=$((call + 1))
    for way in fail full kill; do
      [ "$way $kind" != "full close" ] && [ "$kind" != unlink ] || continue
      sampled=$((sampled + 1))
      [ -z "${SINEW_TEST_QUICK-}" ] || [ $((sampled % 14)) = 0 ] || continue
      plan $way $call
      picture $args
      what="--render $args: $way at call $call, $kind"
      case $way in
        kill) [ "$code" = 137 ] || fault "exit code $code" ;;
        *)
          if [ "$code" = 0 ] || [ "$code" -gt 2 ] || ! grep -q "cannot write.*: \|No space\|Input/output" "$scratch/err"; then
            fault "exit code $code"
          fi
          [ -z "$(find "$out" -name '*.new')" ] || fault "leaves $(ls "$out")"
          ;;
      esac
      [ "$(cat "$out/$files")" = old ] || [ "$(wc -c <"$out/$files")" -gt 100 ] || fault "neither old nor new"
      rm -f "$out"/*.new
      fine
    done
  done
done <<'END'
p.png
p.bmp
p.qoi
p.raw
p.gif --frames 2
q.png --frames 2
p.png --sheet 1x1
END
report

#!/bin/sh
# The viewer as a person or a script uses it: pictures, DOFs, and a rig that is edited, broken, mended,
# deleted and made again while it runs. Driven through its remote port on a display of its own.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/expect.sh
viewer=$PWD/build/bin/sinew-viewer
scratch=$(mktemp -d)
trap 'exec 3>&-; [ -z "${pid-}" ] || kill "$pid" 2>/dev/null; rm -rf "$scratch"' EXIT
unset WAYLAND_DISPLAY DISPLAY

expect "help" 0 "*help*lists them" "$viewer" --help
expect "an unknown option" 2 "*there is no option '--rendr'*" "$viewer" --rendr
expect "a bad size" 2 "*a size is written 1280x800*" "$viewer" --size 12
expect "an unknown camera" 2 "*the camera is*not 'back'*" "$viewer" --camera back

# pictures: a file of some size that is not all of one colour (a PNG of one colour packs small)
"$viewer" rigs/knee.lua knee.flexion=60 --render "$scratch/knee.png" --size 300x300 2>/dev/null
bytes=$(wc -c <"$scratch/knee.png")
if [ "$bytes" -gt 8000 ]; then passed=$((passed + 1)); else
  failed=$((failed + 1))
  echo "FAILED the picture has $bytes bytes"
fi
# a rig in XML gives the same picture
build/bin/sinew export rigs/knee.lua "$scratch/knee.xml"
"$viewer" "$scratch/knee.xml" knee.flexion=60 --render "$scratch/xml.png" --size 300x300 2>/dev/null
expect "a rig in XML looks the same" 0 "" cmp "$scratch/knee.png" "$scratch/xml.png"
expect "a rig that is not there" 1 "*no-such.lua*" "$viewer" no-such.lua --render "$scratch/x.png"
expect "a DOF that is not there" 1 "*did you mean 'knee.flexion'*" \
  "$viewer" rigs/knee.lua knee.flexon=3 --render "$scratch/x.png"

rig() { # the name of a second DOF, or nothing; then what follows
  cat <<END
local sinew = require "sinew"
local rig = sinew.rig "arm"
local bone = rig:segment("bone", { at = {0, 1, 0} })
local set = rig:joint_set "arm"
local bend = set:dof("bend", { min = -90, max = 90 })
$1
bone:drive(set:rotation { bend, axis = {1, 0, 0} })
return rig
END
}
rig "" >"$scratch/arm.lua"
mkfifo "$scratch/in"
SINEW_BORROWED_DISPLAY=1 xvfb-run -a -s "-screen 0 1024x768x24" \
  "$viewer" "$scratch/arm.lua" --remote --size 800x600 <"$scratch/in" >"$scratch/out" 2>"$scratch/err" &
pid=$!
exec 3>"$scratch/in"

ask() { # command: prints the answer
  before=$(wc -l <"$scratch/out")
  echo "$1" >&3
  tries=0
  while [ "$(wc -l <"$scratch/out")" = "$before" ] && [ $tries -lt 600 ]; do
    sleep 0.05
    tries=$((tries + 1))
  done
  tail -n 1 "$scratch/out"
}
until_answer() { # command, pattern: asks until the answer is like it
  for _ in $(seq 200); do
    answer=$(ask "$1")
    # shellcheck disable=SC2254
    case $answer in $2) break ;; esac
    sleep 0.05
  done
  echo "$answer"
}

expect "a DOF is set" 0 "ok 30" ask "set arm.bend=30"
expect "a DOF is held to its range" 0 "ok 90" ask "set arm.bend=200"
expect "a name that is not there" 0 "error no DOF named 'arm.bnd' (did you mean 'arm.bend'?)" ask "get arm.bnd"
ask "set arm.bend=30" >/dev/null
rig 'set:dof("twist", {})' >"$scratch/arm.lua"
expect "an edit shows a new DOF" 0 "ok 2 arm.bend arm.twist" until_answer dofs "ok 2*"
expect "the old value is kept" 0 "ok 30" ask "get arm.bend"
rig 'set:dof("twist", {' >"$scratch/arm.lua"
expect "a broken script shows a banner" 0 "ok *arm.lua:*" until_answer banner "ok *arm.lua*"
expect "and the old rig goes on" 0 "ok -12" ask "set arm.bend=-12"
rm "$scratch/arm.lua"
rig 'set:dof("roll", {})' >"$scratch/new.lua"
mv "$scratch/new.lua" "$scratch/arm.lua"
expect "mended by rename" 0 "ok 2 arm.bend arm.roll" until_answer dofs "ok 2 arm.bend arm.roll"
expect "the banner is gone" 0 "ok " ask banner
expect "values carry over" 0 "ok -12" ask "get arm.bend"
i=0
while [ $i -lt 200 ]; do
  rig "set:dof('d$i', {})" >"$scratch/arm.lua"
  i=$((i + 1))
done
expect "200 rapid saves end at the last" 0 "ok 2 arm.bend arm.d199" until_answer dofs "ok 2 arm.bend arm.d199"
expect "a screenshot" 0 "ok" ask "screen $scratch/screen.png"
expect "quit" 0 "ok" ask quit
report

#!/bin/sh
# Opens and leaves every rig in one window under the sanitizers, with its tools open and a bone
# selected, and saves a rig faster than it is loaded: our code leaks nothing and has no invalid
# access.
. tests/e2e/viewer.sh
viewer=$PWD/build/sanitize/bin/sinew-viewer
export ASAN_OPTIONS=detect_leaks=1
export LSAN_OPTIONS=suppressions=$PWD/tests/e2e/lsan.supp:print_suppressions=0
cat >"$scratch/names.lua" <<'END'
local sinew = require "sinew"
local rig = sinew.rig "names in Inter, in fonts of the system, and in none"
for first = 0x400, 0x520, 16 do -- all Cyrillic letters
  local name = ""
  for code = first, first + 15 do
    name = name .. string.char(0xC0 + math.floor(code / 64), 0x80 + code % 64)
  end
  local set = rig:joint_set(name)
  rig:segment(name, {}):drive(set:rotation { set:dof(name, {}), axis = { 1, 0, 0 } })
end
rig:segment("Имя_ნ_يد_右手_🦴", {})
return rig
END
viewer_start rigs/knee.lua --size 320x240
for tool in $(ask tools | sed 's/^ok//; s/\*//g'); do
  expect "tool $tool opens" 0 ok ask "open $tool"
  tell frame
done
for rig in rigs/*.lua rigs/joints/*.lua lua/examples/rig.lua "$scratch/names.lua"; do # the last two without shapes
  expect "$rig opens" 0 ok ask "load $rig"
  tell frame
  segment=$(build/bin/sinew eval "$rig" | awk 'NF && !/^#/ { name = $1 } END { print name }')
  tell "select $segment" frame
done
tell "key 0" undo
save() { # what is the same in all, and a DOF of its own for each
  cat >"$scratch/arm.lua" <<END
local rig = require("sinew").rig "arm"
rig:joint_set("arm"):dof("d$1", {})
rig:segment "bone"
return rig
END
}
save 0
tell "load $scratch/arm.lua"
for i in $(seq 200); do save "$i"; done
expect "200 rapid saves end at the last" 0 "ok 1 arm.d200" until_answer dofs "ok 1 arm.d200"
expect "quit" 0 ok ask quit
wait "$viewer_pid"
expect "it ends well" 0 0 echo $?
expect "nothing is reported" 1 "" grep -E "ERROR|SUMMARY|runtime error" "$scratch/err"
[ "$failed" = 0 ] || cat "$scratch/err"
report

#!/bin/sh
# The examples without a framework run, agree with the command, and reload a saved script.
. tests/e2e/expect.sh
embed=build/bin/sinew-embed
watcher=
trap 'kill $watcher 2>/dev/null; rm -rf "$play"' EXIT
rig=lua/examples/rig.lua
plain() { # an optional rig
  LUA_CPATH="build/lua/?.so" LUA_PATH="lua/?.lua;lua/?/init.lua" \
    "$lua" lua/examples/plain.lua "$@"
}
positions() { cut -c 1-57 | grep -E '^[a-z].* -?[0-9]+\.[0-9]{5}$'; }
command_positions() { build/bin/sinew eval "$@" | positions; }
same() { # two files
  diff "$1" "$2" && wc -l <"$1"
}

quarter="trunk.lean=7.5"
for side in right left; do
  quarter="$quarter ${side}_arm.raise=40 ${side}_arm.bend=35"
  quarter="$quarter ${side}_leg.spread=11.25 ${side}_leg.knee=30"
done
plain $rig | positions >"$play/plain"
# shellcheck disable=SC2086
command_positions $rig $quarter >"$play/command"
# shellcheck disable=SC2086
$embed $rig $quarter >"$play/embed"
expect "plain Lua agrees with the command" 0 "*20" same "$play/command" "$play/plain"
expect "the C program agrees with the command" 0 "*20" same "$play/command" "$play/embed"
expect "plain Lua prints what is held back" 0 "trunk.lean is held back by 10: *" plain
expect "plain Lua prints what is wrong" 1 "*nothing.lua*" plain nothing.lua
expect "the C program prints what is wrong" 1 "*nothing.lua*" $embed nothing.lua
expect "the C program prints its usage" 2 "usage: sinew-embed RIG *" $embed
expect "the C program reports an unknown DOF" 2 "*(did you mean 'trunk.lean'?)" $embed $rig trunk.laen=1
expect "and an argument that is none" 2 "--wach is neither joint.dof=value nor --watch" $embed $rig --wach
expect "it finds the helper modules" 0 "knee_centre *" $embed rigs/knee.lua

# a saved script is reloaded; for a broken one the error is printed and the old rig remains
await() { # pattern: waits until the watcher has printed it
  for _ in $(seq 400); do
    ! grep -q "$1" "$play/log" || break
    sleep 0.05
  done
  grep "$1" "$play/log" | tail -n 1
}
sed 's/bone("crown"/bone("crown 1"/' $rig >"$play/rig.lua"
$embed "$play/rig.lua" trunk.lean=30 --watch >"$play/log" 2>&1 &
watcher=$!
expect "the C program shows the first rig" 0 "crown 1 *-0.2*" await "^crown 1"
echo "return nothing" >"$play/new.lua" && mv "$play/new.lua" "$play/rig.lua"
expect "it reports a broken script" 0 "*rig.lua: *nothing*" await "returns nothing"
sed 's/bone("crown"/bone("crown 2"/' $rig >"$play/new.lua"
mv "$play/new.lua" "$play/rig.lua"
expect "it loads a fixed one and keeps its DOFs" 0 "crown 2 *-0.2*" await "^crown 2"
report

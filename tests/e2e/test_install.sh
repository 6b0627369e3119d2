#!/bin/sh
# What a user gets outside the checkout: copied binaries work alone, and so does what ./dev installs.
. tests/e2e/expect.sh
unset LUA_PATH LUA_CPATH SINEW_LUA
root=$PWD
far=$play/far
mkdir "$far" "$far/54" "$far/jit"
cp build/bin/sinew build/bin/sinew-embed "$far"
cp build/lua/sinew.so "$far/54"
cp build/luajit/sinew.so "$far/jit"
cp -r rigs "$far"
at() { # folder, command...
  cd "$1" || return
  shift
  "$@"
}
same() { # the pose of two commands, the first of which runs in $far
  at "$far" ./sinew eval rigs/knee.lua >"$play/far.txt" &&
    (at "$root" $sinew eval rigs/knee.lua) | diff "$play/far.txt" - && wc -l <"$play/far.txt"
}

expect "a copied command needs no folder of helpers" 0 "[1-9]*" same
expect "nor does a program with the script host" 0 "patella *" \
  at "$far" sh -c './sinew-embed rigs/knee.lua | grep patella'
mkdir -p "$far/lua/sinew" "$play/env/sinew"
echo 'error "the folder beside it"' >"$far/lua/sinew/joint.lua"
echo 'error "SINEW_LUA"' >"$play/env/sinew/joint.lua"
expect "a folder beside it overrides what is inside" 1 "*the folder beside it*" \
  at "$far" ./sinew eval rigs/knee.lua
expect "SINEW_LUA overrides both" 1 "*SINEW_LUA*" \
  at "$far" env SINEW_LUA="$play/env" ./sinew eval rigs/knee.lua

cat >"$far/use.lua" <<'LUA'
local mirror = require "sinew.mirror" -- before the module itself
local sinew = require "sinew"
local rig = assert(sinew.load "../rigs/knee.lua")
print(mirror == sinew.mirror, rig, require "sinew.bones.axis" ~= nil)
LUA
for pair in "54 $lua" "jit luajit"; do
  folder=$far/${pair%% *} program=${pair#* }
  expect "$program needs nothing but the module" 0 "true	rig 'knee': *	true" \
    at "$folder" "$program" ../use.lua
  expect "$program uses SINEW_LUA" 1 "*SINEW_LUA*" \
    at "$folder" env SINEW_LUA="$play/env" "$program" -e 'print(pcall(require, "sinew.joint")) os.exit(1)'
  mkdir "$folder/sinew"
  echo 'return "mine"' >"$folder/sinew/mirror.lua"
  expect "$program prefers a file on package.path" 0 "mine" \
    at "$folder" "$program" -e 'print(require "sinew".mirror)'
  rm -r "$folder/sinew"
  expect "$program lists where it looked" 0 "*no helper 'sinew.mirorr' inside the module 'sinew'" \
    at "$folder" "$program" -e 'require "sinew" print(select(2, pcall(require, "sinew.mirorr")))'
done
expect "Lua 5.4 says whose module it has got" 1 "*was built for LuaJIT*take the one for Lua 5.4" \
  at "$far/jit" sh -c "$lua ../use.lua 2>&1 | head -n 1; exit 1"
expect "and so does LuaJIT" 1 "*was built for Lua 5.4*take the one for LuaJIT" \
  at "$far/54" sh -c "luajit ../use.lua 2>&1 | head -n 1; exit 1"
report

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

# --- installed: into a prefix of its own, and built against from a third folder
prefix=$play/prefix
listed() { # what is below the prefix that its list does not name, and the other way round
  cd "$prefix" && find . \( -type f -o -type l \) | sed 's,^\./,,' | sort >"$play/found"
  grep -v '/$' share/sinew/installed.txt | sort | diff "$play/found" - && wc -l <"$play/found"
}
expect "it installs into a prefix" 0 "*./dev uninstall --prefix $prefix *" ./dev install --prefix "$prefix"
expect "every installed file is in its list" 0 "1[0-9][0-9]" listed
expect "installing again replaces it" 0 "*" ./dev install --prefix "$prefix"
expect "and leaves no other files" 0 "1[0-9][0-9]" listed
expect "the installed command works" 0 "*" "$prefix/bin/sinew" eval "$prefix/share/sinew/rigs/knee.lua"
expect "an unknown option is refused" 2 "*(did you mean '--prefix'?)*" ./dev install --prefx /
expect "a folder that cannot be written is named" 1 "install: cannot *be root*" \
  sh engine/install.sh add /proc/sinew

outside=$play/outside
mkdir "$outside"
cp "$prefix"/share/sinew/examples/core.c "$prefix"/share/sinew/examples/embed.c "$outside"
rig=$prefix/share/sinew/rigs/knee.lua
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig" LD_LIBRARY_PATH="$prefix/lib"
compile() { # program, package
  # shellcheck disable=SC2046
  cc -Wall -Werror "$1.c" $(pkg-config --cflags --libs "$2") -o "$1"
}
build/bin/sinew-core >"$play/core.txt"
build/bin/sinew-embed "$rig" >"$play/embed.txt"
expect "a C program on the engine is built by pkg-config" 0 "" at "$outside" compile core sinew
expect "and does what the one in the checkout does" 0 "" \
  at "$outside" sh -c "./core | diff - '$play/core.txt'"
expect "a C program with scripts is built by pkg-config" 0 "" at "$outside" compile embed sinew-host
expect "and does the same as well" 0 "" at "$outside" sh -c "./embed '$rig' | diff - '$play/embed.txt'"
expect "the shared library has a soname" 0 "*libsinew.so.0*" \
  sh -c "readelf -d '$prefix/lib/libsinew.so' | grep SONAME"
expect "the engine needs neither Lua nor raylib" 1 "" \
  sh -c "readelf -d '$prefix/lib/libsinew.so' | grep -E 'NEEDED.*(lua|ray)'"
if command -v cmake >/dev/null; then
  cat >"$outside/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.16)
project(outside C)
find_package(sinew 0.1 REQUIRED)
add_executable(core core.c)
target_link_libraries(core sinew::sinew m)
add_executable(embed embed.c)
target_link_libraries(embed sinew::host_static)
CMAKE
  expect "a CMake project finds the package" 0 "*" at "$outside" sh -c \
    "cmake -B by -DCMAKE_PREFIX_PATH='$prefix' && cmake --build by"
  expect "its program on the shared library works" 0 "" \
    at "$outside" sh -c "by/core | diff - '$play/core.txt'"
  expect "its program on the static library works" 0 "" \
    at "$outside" sh -c "by/embed '$rig' | diff - '$play/embed.txt'"
  sed -i 's/sinew 0.1/sinew 0.9/' "$outside/CMakeLists.txt"
  expect "a newer version is asked for in vain" 1 "*" \
    at "$outside" cmake -B newer -DCMAKE_PREFIX_PATH="$prefix"
else
  echo "SKIPPED the CMake package: this system has no cmake"
fi
for pair in "5.4 $lua" "5.1 luajit"; do
  expect "${pair#* } finds the installed module" 0 "0.1.0" \
    env LUA_CPATH="$prefix/lib/lua/${pair%% *}/?.so" "${pair#* }" -e 'print(require "sinew".version)'
done

expect "a package is made below DESTDIR" 0 "installed *" \
  env DESTDIR="$play/stage" ./dev install --prefix /usr --no-viewer
expect "with nothing but the prefix in it" 0 "usr" ls "$play/stage"
expect "it removes what it installed" 0 "removed 1[0-9][0-9] files *" ./dev uninstall --prefix "$prefix"
expect "and leaves nothing" 2 "*No such file*" ls "$prefix"
expect "there is nothing to remove twice" 1 "install: nothing to remove*" ./dev uninstall --prefix "$prefix"

# --- the tarball: builds without git, and holds what git knows
expect "a tarball is made" 0 "build/sinew-0.1.0.tar.gz: [1-9]* bytes" ./dev dist
expect "it can be unpacked" 0 "" tar -xzf build/sinew-0.1.0.tar.gz -C "$play"
expect "it makes the same tarball without git" 0 "" sh -c "cd '$play/sinew-0.1.0' && ./dev dist >/dev/null &&
  tar -tzf build/sinew-0.1.0.tar.gz | sort >'$play/one' &&
  tar -tzf '$root/build/sinew-0.1.0.tar.gz' | sort | diff '$play/one' -"
expect "its engine builds with cglm alone" 0 "libsinew-motion.a libsinew-solve.a libsinew.a" sh -c \
  "cd '$play/sinew-0.1.0' && ./dev build debug engine >/dev/null && ls build/debug/lib | paste -sd ' ' -"
report

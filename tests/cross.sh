#!/bin/sh
# Compiles for another system or processor and runs the result in an emulator: `cross.sh windows` by
# MinGW and Wine, `cross.sh arm` for AArch64 by qemu. `./dev test windows` and `./dev test arm`
# install what it needs. Lua, LuaJIT and expat come from the source packages of this machine's suite.
. tests/e2e/expect.sh
case ${1-} in windows | arm) ;; *) echo "usage: cross.sh windows|arm" >&2 && exit 2 ;; esac
out=$PWD/build/$1
src=$PWD/build/sources
jobs=$(getconf _NPROCESSORS_ONLN)
# shellcheck disable=SC1091
suite=$(. /etc/os-release && echo "${VERSION_CODENAME-stable}")
started=$(date +%s)
step() { echo "$(($(date +%s) - started)) s: $*"; }
stop() {
  echo "FAILED $*"
  echo "$passed passed, $((failed + 1)) failed"
  exit 1
}

fetch() { # package: its folder is then $src/NAME/*/
  [ ! -e "$src/$1/done" ] || return 0
  sh engine/source.sh "$1" "$src/$1" "$suite" || stop "the source of $1 could not be fetched"
  : >"$src/$1/done"
}

compile() { # name of the part, options, files...: its objects are then $out/NAME/*.o
  part=$out/$1 options=$2
  shift 2
  rm -rf "$part"
  mkdir -p "$part"
  # shellcheck disable=SC2016
  printf '%s\n' "$@" | OPTIONS="$cc $options" PART="$part" xargs -P "$jobs" -I FILE sh -c \
    '$OPTIONS -c "FILE" -o "$PART/$(echo "FILE" | sed "s,^$PWD/,,; s,/,-,g").o"' ||
    stop "$part does not compile"
}
sources() { # folders...
  find "$@" -name '*.c' | sort
}

# The headers of others, in a folder apart: this machine's own must not be seen.
headers() {
  fetch lua5.4
  fetch expat
  rm -rf "$out/include"
  mkdir -p "$out/include/lua5.4"
  cp -r "$(pkg-config --variable=includedir cglm)/cglm" "$out/include"
  cp "$src"/expat/*/expat/lib/expat*.h "$out/include"
  : >"$out/include/expat_config.h"
  cp "$src"/lua5.4/*/src/*.h "$out/include/lua5.4"
  echo '#define DEB_HOST_MULTIARCH ""' >"$out/include/lua5.4/lua5.4-deb-multiarch.h"
}

ours="-std=gnu11 -O2 -Wall -Wextra -Wshadow -Werror -ffp-contract=off -fvisibility=hidden
  -Iengine/include -Iengine/src -Ilua/include -I. -isystem $out/include -DXML_STATIC"
with_lua="-isystem $out/include/lua5.4"
binding="lua/base lua/math lua/shape lua/rig lua/play lua/module"
parts() { # expat, Lua 5.4, the engine, binding, host and command
  headers
  sh lua/helpers.sh build/helpers_text.c
  compile expat "-O2 -w -DXML_STATIC -DBYTEORDER=1234 -DXML_DTD -DXML_NS -DXML_CONTEXT_BYTES=1024
    -DXML_POOR_ENTROPY -I$out/include" "$src"/expat/*/expat/lib/xmlparse.c \
    "$src"/expat/*/expat/lib/xmlrole.c "$src"/expat/*/expat/lib/xmltok.c
  lua_files=$(sources "$src"/lua5.4/*/src | grep -v '/luac*\.c')
  # shellcheck disable=SC2086
  compile lua "-O2 -w $of_lua $with_lua" $lua_files
  step "the engine"
  # shellcheck disable=SC2046
  compile engine "$ours" $(sources engine/src)
  step "binding, host and command"
  # shellcheck disable=SC2046,SC2086
  compile host "$ours $with_lua" $(sources $binding lua/host lua/osim) build/helpers_text.c
  # shellcheck disable=SC2046
  compile command "$ours $with_lua" $(sources lua/command)
}

# What the command prints here and there must be the same.
same() { # arguments of the command
  build/bin/sinew "$@" >"$play/here" 2>&1
  $run "$program" "$@" 2>&1 | tr -d '\r' >"$play/there"
  diff "$play/here" "$play/there" && wc -l <"$play/here"
}
files_same() { # command..., with FILE for the file that it writes: twice, to write over it
  for tool in "build/bin/sinew" "$run $program" "$run $program"; do
    # shellcheck disable=SC2046,SC2086
    $tool $(echo "$@" | sed "s,FILE,$play/$(echo "$tool" | cksum | cut -c 1-4).${ending:-glb},") >/dev/null || return
  done
  cksum "$play"/*."${ending:-glb}" | cut -d ' ' -f 1,2 | uniq | wc -l
}
commands() {
  for rig in rigs/*.lua lua/examples/rig.lua; do
    expect "eval $rig prints what it prints here" 0 "[1-9]*" same eval "$rig"
  done
  expect "a DOF is set" 0 "[1-9]*" same eval rigs/knee.lua knee.flexion=60
  expect "a mistyped DOF is found" 0 "[1-9]*" same eval rigs/knee.lua knee.flexoin=60
  expect "a file that is not there" 0 "[1-9]*" same eval rigs/gone.lua
  expect "check with random poses" 0 "[1-9]*" same check rigs/knee.lua --fuzz 200
  ending=xml
  # a rig whose shapes need no sine of the C library
  expect "XML has the same bytes, also written over" 0 1 files_same export lua/examples/rig.lua FILE
  ending=glb
  expect "and so has glTF" 0 1 files_same export lua/examples/rig.lua FILE
}

windows() {
  cc=x86_64-w64-mingw32-gcc-posix
  ours="$ours -D__USE_MINGW_ANSI_STDIO=1" of_lua=
  WINEPREFIX=$out/wine WINEDEBUG=-all
  export WINEPREFIX WINEDEBUG
  run=wine program=$out/sinew.exe
  parts
  link="-static -pthread -lbcrypt"
  # shellcheck disable=SC2086
  $cc -o "$program" "$out"/command/*.o "$out"/host/*.o "$out"/engine/*.o "$out"/expat/*.o \
    "$out"/lua/*.o $link || stop "sinew.exe does not link"
  step "Lua and the module"
  # shellcheck disable=SC2086
  compile lua_dll "-O2 -w -DLUA_BUILD_AS_DLL $with_lua" $lua_files "$src"/lua5.4/*/src/lua.c
  mkdir -p "$out/54" "$out/jit"
  objects=$(find "$out/lua_dll" -name '*.o' ! -name '*-lua.c.o')
  # shellcheck disable=SC2086
  { $cc -shared -o "$out/54/lua54.dll" $objects -Wl,--out-implib,"$out/54/liblua54.a" -static &&
    $cc -o "$out/54/lua.exe" "$out"/lua_dll/*-lua.c.o "$out/54/liblua54.a" -static; } ||
    stop "Lua does not link"
  module 54 "$with_lua" "$out/54/liblua54.a"
  step "LuaJIT and its module"
  fetch luajit
  make -s -C "$src"/luajit/*/src clean >/dev/null 2>&1
  make -s -C "$src"/luajit/*/src CROSS=x86_64-w64-mingw32- TARGET_SYS=Windows >"$out/luajit.log" 2>&1 ||
    stop "LuaJIT does not build: $(tail -n 5 "$out/luajit.log")"
  cp "$src"/luajit/*/src/lua51.dll "$src"/luajit/*/src/luajit.exe "$out/jit"
  module jit "-isystem $(echo "$src"/luajit/*/src)" "$out/jit/lua51.dll"

  step "running"
  expect "Wine starts" 0 "*" timeout 300 wine cmd /c echo started
  commands
  expect "a copied sinew.exe needs no folder of helpers" 0 "patella *" \
    sh -c "cd '$play' && cp '$program' . && wine sinew.exe eval '$PWD/rigs/knee.lua' | grep patella"
  plain 54 lua.exe lua5.4
  plain jit luajit.exe luajit
  expect "the Lua tests, but for those that ask a shell" 0 "[1-9]?? passed, * failed" lua_tests
  ls -l "$program" "$out"/54/sinew.dll "$out"/jit/sinew.dll | awk '{ print $5, $NF }'
}
# Prints the failed ones, and the counts. Left out are those that call a shell, and one whose file is
# named with a backslash: a field beside an XML file has to be named with '/'.
lua_tests() {
  LUA_CPATH="$out/54/?.dll" LUA_PATH="lua/?.lua;lua/?/init.lua;tests/lua/?.lua" \
    wine "$out/54/lua.exe" tests/lua/run.lua | tr -d '\r' >"$play/tests"
  ! grep '^FAILED' "$play/tests" | grep -vE ' (bones_|pictures_|rockspec_|versions_|watch_|xml_files_are_w)' && tail -n 1 "$play/tests"
}
module() { # folder, options, library of that Lua
  # shellcheck disable=SC2046,SC2086
  compile "module_$1" "$ours $2 -DSINEW_MODULE -DSINEW_SHARED -DSINEW_BUILD" $(sources $binding) \
    build/helpers_text.c
  compile "engine_$1" "$ours -DSINEW_SHARED -DSINEW_BUILD" $(sources engine/src)
  # shellcheck disable=SC2086
  $cc -shared -s -o "$out/$1/sinew.dll" "$out/module_$1"/*.o "$out/engine_$1"/*.o "$out"/expat/*.o "$3" \
    $link || stop "sinew.dll of $1 does not link"
}
plain() { # folder, interpreter there, interpreter here
  build=lua
  [ "$1" = 54 ] || build=luajit
  expect "the module of $2 gives the bits of ours" 0 "[1-9]*" sh -c "
    LUA_CPATH='build/$build/?.so' $3 lua/examples/plain.lua rigs/knee.lua >'$play/here' &&
    LUA_CPATH='$out/$1/?.dll' wine '$out/$1/$2' lua/examples/plain.lua rigs/knee.lua |
      tr -d '\r' | diff '$play/here' - && wc -l <'$play/here'"
}

arm() {
  cc=aarch64-linux-gnu-gcc
  of_lua=-DLUA_USE_LINUX
  run="qemu-aarch64-static -R 3G" # without -R it takes all memory there is
  program=$out/sinew
  parts
  link="-static -pthread -lm"
  # shellcheck disable=SC2086
  $cc -o "$program" "$out"/command/*.o "$out"/host/*.o "$out"/engine/*.o "$out"/expat/*.o \
    "$out"/lua/*.o $link 2>"$out/link.log" || stop "sinew does not link: $(cat "$out/link.log")"
  step "the C tests"
  # shellcheck disable=SC2046
  compile tests "$ours -O1 $with_lua -Itests -Itests/support -Itests/network -Iviewer" \
    $(sources tests/support tests/network tests/engine tests/lua tests/host tests/osim tests/viewer \
      viewer/plain) tests/*.c
  # shellcheck disable=SC2086
  $cc -o "$out/sinew-tests" "$out"/tests/*.o "$out"/host/*.o "$out"/engine/*.o "$out"/expat/*.o \
    "$out"/lua/*.o $link 2>"$out/link.log" || stop "the tests do not link: $(cat "$out/link.log")"
  step "running"
  commands
  export SINEW_TEST_QUICK=1
  # shellcheck disable=SC2086
  expect "the batch tests: a batch gives the bits of a pose" 0 "[1-9]* passed, 0 failed" \
    $run "$out/sinew-tests" batch
  # shellcheck disable=SC2086
  expect "the engine's tests" 0 "[1-9]* passed, 0 failed" $run "$out/sinew-tests" engine
  step "done: $last"
}

"$1"
report

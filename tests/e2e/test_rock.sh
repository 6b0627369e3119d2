#!/bin/sh
# LuaRocks builds the module by itself from the tarball, with nothing of the checkout; for LuaJIT with
# SINEW_TEST_LONG. Without optimization, since that is quicker; `./dev test bare` builds it as a user
# does.
. tests/e2e/expect.sh
unset LUA_PATH LUA_CPATH SINEW_LUA
command -v luarocks >/dev/null || skip "$0: this system has no luarocks"
rock=sinew-0.1.0-1.rockspec
./dev dist >/dev/null
make_rock() { # version of Lua, variables...: in a clean tree, without raylib and premake
  version=$1
  shift
  rm -rf "$play/source" && mkdir "$play/source" &&
    tar -xzf build/sinew-0.1.0.tar.gz -C "$play/source" --strip-components 1 &&
    cd "$play/source" && luarocks --lua-version "$version" make --tree "$play/tree" $rock \
    CFLAGS="-O0 -fPIC" "$@"
}
pose() { # folder of the module, interpreter: what the plain example prints
  LUA_CPATH="$1/?.so" LUA_PATH="$2" "$3" lua/examples/plain.lua rigs/knee.lua
}
same() { # version of Lua, folder below build, interpreter
  pose "build/$2" "lua/?.lua" "$3" >"$play/ours" &&
    pose "$play/tree/lib/lua/$1" "$play/tree/share/lua/$1/?.lua" "$3" | diff "$play/ours" - &&
    wc -l <"$play/ours"
}
expect "the rock of Lua 5.4 is built" 0 "*" make_rock 5.4
expect "it gives the bits of ours" 0 "[1-9]*" same 5.4 lua "$lua"
if [ "${SINEW_TEST_LONG-}" ]; then
  expect "the rock of LuaJIT is built" 0 "*" make_rock 5.1 LUA_INTERPRETER=luajit \
    LUA="$(command -v luajit)" LUA_INCDIR="$(pkg-config --variable=includedir luajit)"
  expect "it gives the bits of ours" 0 "[1-9]*" same 5.1 luajit luajit
fi
expect "no build folder is made" 1 "" test -e "$play/source/build"
expect "a missing library is named" 1 "*EXPAT*" make_rock 5.4 EXPAT_INCDIR=/nowhere
report

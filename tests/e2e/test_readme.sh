#!/bin/sh
# Runs every Lua and C block of README.md and compares what it prints with what the block claims.
# Run it from the project's root.
. tests/e2e/expect.sh
export LUA_CPATH="$PWD/build/lua/?.so" LUA_PATH="$PWD/lua/?.lua;$PWD/lua/?/init.lua"

compile() { # a C file
  cc -std=c11 -Wall -Werror -Iengine/include "$1" -o "$1.out" -Lbuild/lib -lsinew-solve -lsinew \
    -lm -lpthread
}
agrees() { # a block
  case $1 in
    *.c) compile "$1" && "$1.out" >"$play/printed" 2>&1 ;;
    *) $lua "$1" >"$play/printed" 2>&1 ;;
  esac || { cat "$play/printed" && return 1; }
  cmp -s "$play/printed" "${1%.*}.expected" && return
  echo "it printed:" && cat "$play/printed" && return 1
}

$lua tests/readme.lua "$play" README.md >"$play/list"
expect "README has blocks" 0 "[1-9]*" sh -c "wc -l <'$play/list'"
while read -r block where; do
  expect "the block at $where" 0 "" agrees "$block"
done <"$play/list"
report

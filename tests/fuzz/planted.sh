#!/bin/sh
# Plants faults into copies of the binding and expects the API fuzzer to find each: `planted.sh`,
# after `./dev build sanitize`. The calls that it may take for one are about a minute's work.
. tests/e2e/expect.sh
out=$PWD/build/planted
objects=build/obj/lua-module/sanitize
lua=$(pkg-config --exists lua5.4 && echo lua5.4 || echo lua)
rm -rf "$out"
mkdir -p "$out"

plant() { # name, source, what of it is replaced (a basic regular expression), by what
  name=$1 source=$2
  object=$(basename "$source" .c).o
  sed "s~$3~$4~" "$source" >"$out/$name.c"
  ! cmp -s "$source" "$out/$name.c" || {
    echo "FAILED  $name: $source has no longer what is to be replaced"
    exit 1
  }
  # shellcheck disable=SC2046
  cc -std=gnu11 -g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined,float-cast-overflow \
    -fno-sanitize-recover=all -ffp-contract=off -fPIC -fvisibility=hidden -pthread -w \
    -DSINEW_MODULE -Iengine/include -Iengine/src -I. -Ilua/include $(pkg-config --cflags "$lua") \
    -c "$out/$name.c" -o "$out/$name.o" || exit 1
  # shellcheck disable=SC2046
  cc -shared -fsanitize=address,undefined,float-cast-overflow -Wl,--exclude-libs,ALL \
    -o "$out/$name.so" $(find $objects -name '*.o' ! -name "$object") "$out/$name.o" \
    build/sanitize/lib/libsinew-character.a build/sanitize/lib/libsinew-interchange.a \
    build/sanitize/lib/libsinew-motion.a build/sanitize/lib/libsinew-solve.a \
    build/sanitize/lib/libsinew.a $(pkg-config --libs expat) -lm -pthread || exit 1
  expect "a planted fault is found: $name" 1 '*1 finding' build/sanitize/bin/fuzz-api \
    --module "$out/$name.so" --folder "$out/$name" --findings 1 --calls 1200000
}

plant closed lua/base/type.c 'if (!\*alive)$' 'if (0)'
plant owner lua/rig/handle_lua.c 'if (h->rig != rig) luaL_error' 'if (0) luaL_error'
plant option lua/base/type.c 'lua_rawget(L, table);' 'lua_gettable(L, table);'
report

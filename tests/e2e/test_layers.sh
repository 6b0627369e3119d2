#!/bin/sh
# The order of layers holds, violations planted into a copy are found, and a program that links the
# core alone needs no other library.
. tests/e2e/expect.sh
lua=${LUA54:-lua5.4}
copy=build/layers
check() { "$lua" tests/layers.lua "${1-.}"; }

rm -rf $copy
mkdir -p $copy/build
cp -r engine lua viewer $copy
cp -r build/obj $copy/build

expect "no file uses a layer after its own" 0 "* 0 against the order" check
expect "a copy is as good" 0 "* 0 against the order" check $copy

sed -i '1i #include "solve/solve_internal.h"' $copy/engine/src/base/text.c
expect "an include of a later layer is found" 1 "* 1 against the order" check $copy
cp engine/src/base/text.c $copy/engine/src/base/text.c

echo 'int si_planted(void) { extern int si_pose_values(void); return si_pose_values(); }' \
  >$copy/engine/src/base/planted.c
expect "a file that was not built is found" 1 "* 1 against the order" check $copy
cc -c $copy/engine/src/base/planted.c -o $copy/build/obj/core/release/planted.o
expect "a symbol of a later layer is found" 1 "* 1 against the order" check $copy
rm $copy/engine/src/base/planted.c $copy/build/obj/core/release/planted.o

echo '#include "compile/rig_internal.h"' >$copy/viewer/plain/planted.h
expect "a private header of the engine is found in the viewer" 1 "* 1 against the order" check $copy
rm $copy/viewer/plain/planted.h
: >$copy/engine/src/base/pose.h
expect "a private header with a public name is found" 1 "* 1 against the order" check $copy
rm -rf $copy

cat >build/core.c <<'END'
#include <sinew/sinew.h>
#include <stdio.h>
int main(void) {
  sinew_builder *b = sinew_builder_create("core", NULL);
  sinew_rig *rig = sinew_builder_compile(b, NULL);
  sinew_pose *pose = sinew_pose_create(rig, NULL);
  puts(sinew_pose_eval(pose, NULL) == SINEW_OK ? "evaluated" : "failed");
  sinew_pose_destroy(pose);
  sinew_rig_destroy(rig);
  sinew_builder_destroy(b);
}
END
link_core() {
  cc -Iengine/include build/core.c -Wl,--whole-archive \
    build/lib/libsinew.a -Wl,--no-whole-archive -lm -pthread -o build/core && build/core
}
expect "a program links the core alone" 0 "evaluated" link_core
rm -f build/core build/core.c
report

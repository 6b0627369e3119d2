#!/bin/sh
# The layers are in order, planted violations are found, and a program that links only the core
# needs no other library. Every public header mentions threads. The paths in the documentation
# exist.
. tests/e2e/expect.sh
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

# files are written in one place
writers() { "$lua" tests/writers.lua "${1-.}"; }
expect "every file is written by the one writer" 0 "* calls in the writer, 0 elsewhere" writers
cp -r rigs $copy
expect "in a copy too" 0 "* calls in the writer, 0 elsewhere" writers $copy
plant() { # file, line, what it does
  cp "$copy/$1" "$play/kept"
  echo "$2" >>"$copy/$1"
  expect "$3 is found" 1 "* calls in the writer, 1 elsewhere" writers $copy
  cp "$play/kept" "$copy/$1"
}
plant engine/src/base/text.c 'FILE *f = fopen(path, "wb");' "fopen for writing"
plant engine/src/motion/clip_file.c 'int f = open(path, O_WRONLY | O_CREAT, 0666);' "open for writing"
plant viewer/draw/shot.c 'ExportImage(image, path);' "a picture that raylib writes"
plant lua/command/eval.c 'rename(path, other);' "renaming"
plant lua/sinew/load.lua 'local f = io.open(path, "a+")' "io.open for writing"
plant rigs/tools/bodies.lua 'os.rename(path, other)' "renaming in Lua"

# The head comment of every public header says what threads may do.
threads() {
  for header in "$1"/engine/include/sinew/*.h "$1"/lua/include/sinew/*.h; do
    sed '/\*\//q' "$header" | grep -qi thread || echo "$header says nothing about threads"
  done >"$play/silent"
  cat "$play/silent"
  [ ! -s "$play/silent" ]
}
expect "every public header says what threads may do" 0 "" threads .
sed -i '1i /* The pose. */' $copy/engine/include/sinew/pose.h
expect "a header without a word on threads is found" 1 "*/pose.h says nothing about threads" \
  threads $copy
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
expect "a program links only the core" 0 "evaluated" link_core
rm -f build/core build/core.c

# Words in backticks with a slash are paths: relative to the root if they start with one of its
# folders, else the end of any path, as `evaluate/pose.c`. Built files are left out.
find engine lua viewer tests rigs | sed 's,^,/,' >"$play/paths"
missing() { # pages...
  grep -oh '`[^`]*`' "$@" | tr '` ' '\n\n' | grep -E '^[a-zA-Z][a-zA-Z0-9_.*-]*/[a-zA-Z0-9_.*/-]*$' |
    grep -v '^build/' | sort -u | sed 's,/$,,' >"$play/named"
  while read -r path; do
    case $path/ in engine/* | lua/* | viewer/* | tests/* | rigs/*) start=^ ;; *) start= ;; esac
    pattern=$(echo "$path" | sed 's/\./\\./g; s,\*,[^/]*,g')
    grep -qE "$start/$pattern(/|\$)" "$play/paths" || echo "$path is missing"
  done <"$play/named" >"$play/missing"
  cat "$play/missing"
  echo "$(wc -l <"$play/named") paths, $(wc -l <"$play/missing") missing"
}
expect "the documentation names what exists" 0 "[1-9]?* paths, 0 missing" \
  missing README.md ARCHITECTURE.md rigs/README.md lua/docs/*.md
# shellcheck disable=SC2016
echo 'See `evaluate/pose.c`, `lua/turn.c`, `sh tests/e2e/none.sh`, `rigs/*.lua`, `pose/none.c`.' \
  >"$play/page.md"
expect "missing paths are found" 0 "5 paths, 3 missing" missing "$play/page.md"
report

#!/bin/sh
# The helper modules of lua/sinew as a C table that the binaries link, so that a copied binary needs
# no folder of them. Writes the given file, unless it is there already for the same helpers.
set -eu
cd "$(dirname "$0")"
files=$(find sinew -name '*.lua' | LC_ALL=C sort)
# shellcheck disable=SC2086
first="/* $(cat $files helpers.sh | cksum), written by lua/helpers.sh */"
case $1 in /*) dest=$1 ;; *) dest=../$1 ;; esac
if [ -e "$dest" ] && [ "$(head -n 1 "$dest")" = "$first" ]; then exit; fi
mkdir -p "$(dirname "$dest")"
{
  echo "$first"
  echo '#include "lua/base/helpers.h"'
  for file in $files; do
    word=$(echo "${file%.lua}" | tr / _)
    echo "static const char text_of_${word}[] = {"
    od -An -v -td1 "$file" | sed 's/-*[0-9][0-9]*/&,/g'
    echo '};'
    # what `require` calls, where it finds the module's file by its own rules
    echo "SINEW_API int luaopen_$word(lua_State *L);"
    echo "int luaopen_$word(lua_State *L) { return si_helper_run(L); }"
  done
  echo 'const si_helper si_helpers[] = {'
  for file in $files; do
    name=$(echo "${file%.lua}" | tr / .) word=$(echo "${file%.lua}" | tr / _)
    echo "{ \"$name\", text_of_$word, sizeof text_of_$word },"
  done
  echo '};'
  echo 'const size_t si_helper_count = sizeof si_helpers / sizeof *si_helpers;'
} >"$dest.part"
mv "$dest.part" "$dest"

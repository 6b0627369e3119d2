#!/bin/sh
# Builds raylib into build/deps, for a system that has none of 5.5 or newer: from the file that is
# named, a tarball of its source, or else from the source package of Debian's newer suites. SDL is
# the platform because raylib's default wants a newer GLFW than Debian 12 has. Prints nothing unless
# it fails.
set -eu
given=${1-}
case $given in '' | /*) ;; *) given=$PWD/$given ;; esac
cd "$(dirname "$0")/.."
deps=$PWD/build/deps
work=$deps/raylib

fail() {
  [ ! -s "$work/log" ] || tail -n 40 "$work/log" >&2
  printf 'raylib: %s\nwhat to do: %s\n' "$1" "${2:-install raylib 5.5 or newer so that pkg-config \
finds it, or get the tarball of its source and name it: ./dev run --raylib FILE}" >&2
  exit 1
}

rm -rf "$work"
mkdir -p "$work/source"
command -v cmake >/dev/null || fail "its source needs cmake to be built" "install cmake"
pkg-config --exists sdl2 || fail "its source needs SDL 2 to be built" "install SDL 2 with its headers"
if [ "$given" ]; then
  [ -e "$given" ] || fail "there is no file '$given'" "name the tarball of raylib's source"
  tar -xf "$given" -C "$work/source" >"$work/log" 2>&1 || fail "'$given' cannot be unpacked"
else
  sh engine/source.sh raylib "$work/source" testing unstable >"$work/log" 2>&1 ||
    fail "its source could not be fetched from the Debian archive"
fi
set -- "$work"/source/*/CMakeLists.txt
[ -e "$1" ] || fail "there is no source of raylib in '$given'" "name the tarball of raylib's source"

compile() { # folder
  cmake -S "$1" -B "$work/objects" -DPLATFORM=SDL -DBUILD_EXAMPLES=OFF \
    -DBUILD_SHARED_LIBS=OFF -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_INSTALL_PREFIX="$work/made" -DCMAKE_INSTALL_LIBDIR=lib &&
    cmake --build "$work/objects" -j"$(getconf _NPROCESSORS_ONLN)" &&
    cmake --install "$work/objects"
}
compile "${1%/*}" >"$work/log" 2>&1 || fail "it could not be compiled"
: >"$work/log"

version=$(sed -n 's/^Version: *//p' "$work/made/lib/pkgconfig/raylib.pc")
# raylib's own file asks for GLFW whatever the platform
cat >"$work/made/lib/pkgconfig/raylib.pc" <<PC
prefix=\${pcfiledir}/../..
Name: raylib
Description: raylib over SDL
Version: $version
Requires: sdl2
Libs: -L\${prefix}/lib -lraylib -lm -ldl -lpthread
Cflags: -I\${prefix}/include
PC
PKG_CONFIG_PATH=$work/made/lib/pkgconfig pkg-config --exists 'raylib >= 5.5' ||
  fail "this is raylib $version, and the viewer needs 5.5 or newer"
rm -rf "${deps:?}/include" "${deps:?}/lib"
mv "$work/made/include" "$work/made/lib" "$deps"
rm -rf "$work"

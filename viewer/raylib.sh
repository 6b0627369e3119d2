#!/bin/sh
# Builds raylib into build/deps for a Debian without a raylib package, from the source package that
# Debian's newer suites carry. apt verifies it against the Debian archive's keys; its lists and cache
# are private, so that the machine's own configuration stays as it is. SDL is the platform because
# raylib's default wants a newer GLFW than Debian 12 has. Prints nothing unless it fails.
set -eu
cd "$(dirname "$0")/.."
deps=$PWD/build/deps
work=$deps/raylib
keys=/usr/share/keyrings/debian-archive-keyring.gpg

fail() {
  [ ! -s "$work/log" ] || tail -n 40 "$work/log" >&2
  printf 'raylib: %s; install raylib 5.5 or newer so that pkg-config finds it\n' "$1" >&2
  exit 1
}

rm -rf "$work"
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/source"
[ -e "$keys" ] || fail "the keys of the Debian archive are missing (package debian-archive-keyring)"

# shellcheck disable=SC2016
mirrors=$(apt-get indextargets --format '$(REPO_URI)' | sort -u)
cat >"$work/apt.conf" <<END
Dir::Etc::SourceList "$work/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::State::Lists "$work/lists";
Dir::Cache "$work/cache";
APT::Sandbox::User "root";
END
export APT_CONFIG="$work/apt.conf"

# one of the machine's own mirrors carries sid
fetch() {
  for mirror in $mirrors; do
    echo "deb-src [signed-by=$keys] $mirror sid main" >"$work/sources.list"
    apt-get update || continue
    (cd "$work/source" && apt-get source raylib) && return
  done
  return 1
}
fetch >"$work/log" 2>&1 || fail "its source could not be fetched from the Debian archive"

compile() {
  cmake -S "$work"/source/raylib-*/ -B "$work/objects" -DPLATFORM=SDL -DBUILD_EXAMPLES=OFF \
    -DBUILD_SHARED_LIBS=OFF -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_INSTALL_PREFIX="$deps" -DCMAKE_INSTALL_LIBDIR=lib &&
    cmake --build "$work/objects" -j"$(getconf _NPROCESSORS_ONLN)" &&
    cmake --install "$work/objects"
}
compile >"$work/log" 2>&1 || fail "it could not be compiled"

# raylib's own file asks for GLFW whatever the platform
version=$(sed -n 's/^Version: *//p' "$deps/lib/pkgconfig/raylib.pc")
cat >"$deps/lib/pkgconfig/raylib.pc" <<END
prefix=\${pcfiledir}/../..
Name: raylib
Description: raylib over SDL
Version: $version
Requires: sdl2
Libs: -L\${prefix}/lib -lraylib -lm -ldl -lpthread
Cflags: -I\${prefix}/include
END
rm -rf "$work"

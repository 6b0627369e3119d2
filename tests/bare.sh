#!/bin/sh
# A new user's way in a bare Debian that mmdebstrap makes: LuaRocks, ./dev run to the first picture,
# ./dev install, programs of five kinds in an empty folder, ./dev uninstall. Prints how long each step
# took and the size on disk after it. Needs root; the mirror is this machine's own. `./dev test bare`
# installs what it needs.
. tests/e2e/expect.sh
[ "$(id -u)" = 0 ] || {
  echo "SKIPPED $0: it needs root, to make a system of its own"
  echo "0 passed, 0 failed"
  exit
}
root=$PWD
system=$root/build/bare
# shellcheck disable=SC1091
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
# shellcheck disable=SC2016
mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' | awk -v suite="$suite" '
  $2 == suite { print $1; exit }')

clean() {
  for place in proc dev; do ! mountpoint -q "$system/$place" || umount "$system/$place"; done
  rm -rf --one-file-system "$system" "$play"
}
trap clean EXIT
trap 'exit 130' INT TERM

megabytes() { du -sxm "$system" | cut -f 1; }
inside() { # folder, script
  # shellcheck disable=SC2016
  env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
    chroot "$system" sh -c 'cd "$1" && eval "$2"' inside "$@"
}
timed() { # label, exit code, pattern, command...
  began=$(date +%s)
  expect "$@"
  printf '%4d s %6d MB  %s\n' "$(($(date +%s) - began))" "$(megabytes)" "$1"
}

clean
mkdir -p "$play" "$root/build"
bare() { mmdebstrap --quiet --variant=minbase "$suite" "$system" "$mirror"; }
timed "mmdebstrap" 0 "*" bare
[ -d "$system/etc" ] || { report; exit 1; }
mount -t proc proc "$system/proc"
mount --bind /dev "$system/dev"
# what apt needs to reach the mirror as this machine does
for file in /etc/resolv.conf /etc/hosts; do cp -L $file "$system$file" 2>/dev/null || :; done
mkdir -p "$system/etc/apt/apt.conf.d"
cp -L /etc/apt/apt.conf.d/*proxy* "$system/etc/apt/apt.conf.d/" 2>/dev/null || :
for file in $(apt-config dump Acquire | sed -n 's/.*\(CaInfo\|CAInfo\) "\(.*\)";/\2/p' | sort -u); do
  mkdir -p "$system$(dirname "$file")" && cp -L "$file" "$system$file"
done

./dev dist >/dev/null
mkdir -p "$system/root/sinew" "$system/root/empty"
tar -xzf build/sinew-0.1.0.tar.gz -C "$system/root/sinew" --strip-components 1

timed "luarocks with what the rock needs" 0 "*" inside /root "apt-get update -q &&
  apt-get install -y --no-install-recommends luarocks gcc libc6-dev pkg-config lua5.4 liblua5.4-dev luajit \
    libluajit-5.1-dev libexpat1-dev libcglm-dev"
timed "luarocks make for Lua 5.4" 0 "*" inside /root/sinew \
  "luarocks --lua-version 5.4 make --tree /root/54 sinew-0.1.0-1.rockspec"
timed "luarocks make for LuaJIT" 0 "*" inside /root/sinew "luarocks --lua-version 5.1 make --tree /root/51 \
  sinew-0.1.0-1.rockspec LUA_INTERPRETER=luajit LUA=\$(command -v luajit) \
  LUA_INCDIR=\$(pkg-config --variable=includedir luajit)"
expect "neither raylib nor premake is there" 0 "" inside /root "! command -v premake4 && ! pkg-config --exists raylib"
for pair in "54 5.4 lua5.4" "51 5.1 luajit"; do
  # shellcheck disable=SC2086
  set -- $pair
  expect "the rock works in $3" 0 "*rig 'knee'*" inside /root/empty "
    LUA_PATH='/root/$1/share/lua/$2/?.lua' LUA_CPATH='/root/$1/lib/lua/$2/?.so' $3 -e '
      local sinew = require [[sinew]] print(sinew.load [[/root/sinew/rigs/knee.lua]])'"
done
inside /root "rm -rf sinew/* 54 51"
tar -xzf build/sinew-0.1.0.tar.gz -C "$system/root/sinew" --strip-components 1

timed "./dev run, to the first picture" 0 "*README.md*" inside /root/sinew "./dev run"
expect "the picture is there" 0 "*PNG*" inside /root/sinew "head -c 4 build/picture.png | tail -c 3"
timed "LÖVE, by apt" 0 "*" inside /root \
  "apt-get install -y --no-install-recommends love xvfb xauth"
inside / "find /usr/local | sort" >"$play/before"
timed "./dev install" 0 "*./dev uninstall*" inside /root/sinew "./dev install"
du -sm "$system/root/sinew/build" "$system/usr/local" | sed "s,$system,," | awk '{ print $1 " MB in " $2 }'

inside /root/empty "cp /usr/local/share/sinew/examples/core.c /usr/local/share/sinew/examples/embed.c . "
timed "a C program" 0 "2.0 s  grip*" inside /root/empty \
  'cc core.c $(pkg-config --cflags --libs sinew) -o core && ./core'
timed "a C program with scripts" 0 "patella *" inside /root/empty \
  'cc embed.c $(pkg-config --cflags --libs sinew-host) -o embed &&
   ./embed /usr/local/share/sinew/rigs/knee.lua | grep patella'
cat >"$system/root/empty/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.16)
project(outside C)
find_package(sinew 0.1 REQUIRED)
add_executable(core core.c)
target_link_libraries(core sinew::sinew m)
CMAKE
timed "a CMake project" 0 "2.0 s  grip*" inside /root/empty \
  "cmake -B by >/dev/null && cmake --build by >/dev/null && by/core"
for program in lua5.4 luajit; do
  timed "a script of $program" 0 "rig 'knee'*" inside /root/empty \
    "$program -e 'print(require [[sinew]].load [[/usr/local/share/sinew/rigs/knee.lua]])'"
done
awk '/^```/ { on = /lua/; i += on; next } on && i == 2' lua/docs/games.md >"$play/main.lua"
cat >>"$play/main.lua" <<'LUA'
local draw = love.draw
function love.draw()
  draw()
  print("drawn")
  love.event.quit(0)
end
LUA
mkdir "$system/root/empty/game"
cp "$play/main.lua" "$system/root/empty/game"
timed "a LÖVE game" 0 "drawn" inside /root/empty "
  ALSOFT_DRIVERS=null timeout 60 xvfb-run -a love game 2>&1 | grep drawn"
timed "./dev uninstall" 0 "removed *" inside /root/sinew "./dev uninstall"
inside / "find /usr/local | sort" >"$play/after"
expect "it leaves nothing behind" 0 "" diff "$play/before" "$play/after"
report

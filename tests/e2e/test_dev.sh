#!/bin/sh
# What ./dev prints and does if something is wrong: a mistyped command, missing packages without
# root, a failing test step. Stubs in a separate folder stand in for other programs.
. tests/e2e/expect.sh
mkdir "$play/bin" "$play/tree"

stub() { # name, body
  rm -f "$play/bin/$1"
  printf '#!/bin/sh\n%s\n' "$2" >"$play/bin/$1"
  chmod +x "$play/bin/$1"
}

expect "a mistyped command offers the nearest" 2 "dev: no command 'biuld' (did you mean 'build'?)*" \
  ./dev biuld
expect "a word unlike any command gets no suggestion" 2 "dev: no command 'zzzzzz'; there are: *" ./dev zzzzzz
expect "a mistyped configuration offers the nearest" 2 "*(did you mean 'sanitize'?)*" \
  ./dev build sanitise

./dev build release >/dev/null 2>&1 # so that nothing remains to be printed
stub apt-get 'echo "the package manager was called"; exit 1'
expect "nothing is installed when everything is there" 0 "" \
  env PATH="$play/bin:$PATH" ./dev build release

# a machine with only the system's tools: no make, premake, sudo or root
for tool in awk cat cc dirname env grep mkdir pkg-config rm sed sh sort tail tr; do
  ln -s "$(command -v $tool)" "$play/bin/$tool"
done
stub id 'echo 1000'
expect "without root it names the packages" 1 \
  "as root:  apt-get install -y --no-install-recommends*fonts-inter*make premake4" \
  env PATH="$play/bin" ./dev build
expect "a font that is not there" 1 "" env SINEW_FONT=/no/such/font sh viewer/font.sh
expect "the font of the package" 0 "*/Inter*" sh viewer/font.sh

# raylib from a file that the user names, here a small project that pretends to be it, and failures
expect "--raylib wants a file" 2 "dev: --raylib wants *" ./dev build --raylib
mkdir -p "$play/other/engine" "$play/raylib/include"
cp -r viewer "$play/other"
cp engine/source.sh "$play/other/engine"
: >"$play/raylib/include/raylib.h"
pretend() { # version: makes $play/raylib.tar.gz
  cat >"$play/raylib/CMakeLists.txt" <<CMAKE
project(raylib NONE)
file(WRITE \${CMAKE_BINARY_DIR}/raylib.pc "Version: $1")
install(FILES \${CMAKE_BINARY_DIR}/raylib.pc DESTINATION lib/pkgconfig)
install(DIRECTORY include DESTINATION .)
CMAKE
  tar -czf "$play/raylib.tar.gz" -C "$play" raylib
}
raylib() { (cd "$play" && sh other/viewer/raylib.sh "$@"); }
given() { PKG_CONFIG_PATH="$play/other/build/deps/lib/pkgconfig" pkg-config --modversion raylib; }
if command -v cmake >/dev/null && pkg-config --exists sdl2; then
  pretend 5.5
  expect "raylib is built from a tarball" 0 "" raylib raylib.tar.gz
  expect "and pkg-config finds it" 0 "5.5" given
  pretend 4.5
  expect "an old raylib is refused" 1 "what to do: install raylib 5.5 or newer *" raylib raylib.tar.gz
  expect "and the last one stays" 0 "5.5" given
  expect "a file that is not there" 1 "what to do: name the tarball *" raylib gone.tar.gz
  expect "a file that is no tarball" 1 "what to do: *--raylib FILE" raylib other/viewer/raylib.sh
  expect "no network" 1 "what to do: *--raylib FILE" env PATH="$play/bin:$PATH" \
    sh "$play/other/viewer/raylib.sh"
else
  echo "SKIPPED raylib from a tarball: this system has no cmake or no SDL 2"
fi

# a tree of stubs in which the tests of one configuration fail
cp dev "$play/tree"
: >"$play/tree/premake5.lua"
for tool in cksum chmod find getconf mv printf sleep touch; do
  ln -s "$(command -v $tool)" "$play/bin/$tool"
done
for tool in cc pkg-config $(sed -nE 's/^(test|screen) +cmd:([^ ,]+).*/\2/p' dev); do
  stub "$tool" 'exit 0'
done
stub lua5.4 'printf "Lua 5.4"'
stub premake4 'mkdir -p build/obj build/bin build/debug/bin build/sanitize/bin'
plays() { # what the tests do in debug, and in sanitize
  # renamed into place, since tests may run while another configuration is built
  stub make "cd build
    put() { printf '#!/bin/sh\\n%s\\n' \"\$2\" >\$1.\$\$; chmod +x \$1.\$\$; mv -f \$1.\$\$ \$1; }
    put debug/bin/sinew-tests '$1'
    put sanitize/bin/sinew-tests '$2'
    put bin/sinew-tests 'echo 3 passed, 0 failed'"
}
plays 'echo 5 passed, 0 failed' 'echo 7 passed, 0 failed'
expect "the counts of all steps are added" 0 "14 passed, 0 failed" \
  env PATH="$play/bin" "$play/tree/dev" test name
plays 'echo 4 passed, 1 failed; exit 1' 'echo 7 passed, 0 failed'
expect "a failed test fails the whole run, which continues" 1 "13 passed, 1 failed" \
  env PATH="$play/bin" "$play/tree/dev" test name
plays 'echo 5 passed, 0 failed' 'exit 134'
expect "a step that breaks off counts as failed" 1 "7 passed, 1 failed" \
  env PATH="$play/bin" "$play/tree/dev" test name
plays 'echo 5 passed, 0 failed; exit 3' 'echo 7 passed, 0 failed'
expect "a bad exit code counts though no test failed" 1 "14 passed, 1 failed" \
  env PATH="$play/bin" "$play/tree/dev" test name
# the whole run: its steps run in parallel, and the output of each step stays together
mkdir -p "$play/tree/tests/e2e"
for name in a b; do
  printf 'echo %s begins; sleep 0.3; echo %s ends; exit 3\n' $name $name \
    >"$play/tree/tests/e2e/test_$name.sh"
done
whole() { env -u SINEW_TEST_QUICK PATH="$play/bin" "$play/tree/dev" test "$@" 2>&1 | tr '\n' ' '; }
# shellcheck disable=SC2016
plays 'echo rounds ${SINEW_TEST_QUICK-full}; echo 4 passed, 1 failed; exit 1' 'echo 7 passed, 0 failed'
for name in a b; do
  expect "a failed step prints its log in one piece" 0 \
    "*FAILED  tests/e2e/test_$name.sh (exit code 3) $name begins $name ends *" whole
done
expect "a plain run is quick in debug" 0 "*FAILED  C tests, debug (exit code 1) rounds 1 4 passed*" whole
expect "all takes its time" 0 "*rounds full 4 passed, 1 failed * 3 failed " whole all
# three builds, 4 shares of 7 tests, 4 of valgrind, 4 + 3 tests, cppcheck, luacheck
expect "the shares and the processor times are added" 0 \
  "*ok      luacheck (1), [0-9] s *in all [0-9]* s of processor time 44 passed, 3 failed " whole
expect "a whole run with failed steps fails" 1 "44 passed, 3 failed" \
  env PATH="$play/bin" "$play/tree/dev" test
plays 'echo 0 passed, 0 failed; exit 1' 'echo 0 passed, 0 failed; exit 1'
expect "a name that finds nothing fails" 1 "2 passed, 2 failed" \
  env PATH="$play/bin" "$play/tree/dev" test nothing_like_this

# make's dependencies of a source that was moved still name the old path
moved() {
  cd "$play/tree" || return
  env PATH="$play/bin" "$play/tree/dev" build debug
  mkdir -p engine/new build/obj/engine/debug
  touch build/obj/engine/debug/moved.d build/obj/engine/debug/stays.d
  mv engine/moved.c engine/new
  env PATH="$play/bin" "$play/tree/dev" build debug
  echo build/obj/engine/debug/*
}
stub make 'exit 0'
mkdir "$play/tree/engine"
touch "$play/tree/engine/moved.c" "$play/tree/engine/stays.c"
expect "the object of a moved source is built again" 0 "build/obj/engine/debug/stays.d" moved
stub make 'exit 2'
expect "a build that fails counts as failed" 1 "* passed, [1-9] failed" \
  env PATH="$play/bin" "$play/tree/dev" test name
report

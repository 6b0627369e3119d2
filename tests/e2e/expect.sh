# shellcheck shell=sh
# For the shell tests beside it, which run in the project's root: runs a command and compares its exit
# code and last printed line. The folder $play is the test's own and is deleted when the test ends.
# shellcheck disable=SC2034 # the tests use the variables
set -u
sinew=build/bin/sinew
lua=${LUA54:-lua5.4}
passed=0 failed=0
play=$(mktemp -d) || exit 1
trap 'rm -rf "$play"' EXIT
export XDG_CACHE_HOME="$PWD/build/cache" # finished bones, for all tests

expect() { # label, exit code, pattern (as in case) of the last line, command...
  what=$1 code=$2 line=$3
  shift 3
  got=0
  printed=$("$@" 2>&1) || got=$?
  last=$(printf '%s' "$printed" | tail -n 1)
  # shellcheck disable=SC2254
  case $last in
    $line) [ "$got" = "$code" ] && passed=$((passed + 1)) && return ;;
  esac
  failed=$((failed + 1))
  printf 'FAILED %s: exit code %s, expected %s; the last line of\n%s\n  is expected to be like\n%s\n' \
    "$what" "$got" "$code" "$printed" "$line"
}

report() {
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
}

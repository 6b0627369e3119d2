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

tries=1 # `soon` makes more
expect() { # label, exit code, pattern (as in case) of the last line, command...
  what=$1 code=$2 line=$3
  shift 3
  trying=$tries
  while [ $trying -gt 0 ]; do
    got=0
    printed=$("$@" 2>&1) || got=$?
    last=$(printf '%s' "$printed" | tail -n 1)
    # shellcheck disable=SC2254
    case $last in
      $line) [ "$got" = "$code" ] && passed=$((passed + 1)) && return ;;
    esac
    trying=$((trying - 1))
    [ $trying = 0 ] || sleep 0.05
  done
  failed=$((failed + 1))
  printf 'FAILED %s: exit code %s, expected %s; the last line of\n%s\n  is expected to be like\n%s\n' \
    "$what" "$got" "$code" "$printed" "$line"
}

soon() { # the same for what another process does by and by: tries for ten seconds and longer
  tries=200
  expect "$@"
  tries=1
}

report() {
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
}

skip() { # what, and why: ends the test here
  echo "SKIPPED $*"
  report
  exit
}

# The instructions of one evaluation of each rig, with random DOFs: lines `RIG COUNT`.
count_evaluations() { # rigs...
  command -v valgrind >/dev/null || skip "instructions: this system has no valgrind"
  code=0
  valgrind -q --tool=callgrind --instr-atstart=no --callgrind-out-file="$play/out" \
    build/bin/sinew-bench --count "$@" >"$play/counted" 2>"$play/said" || code=$?
  [ $code != 3 ] || skip "instructions: valgrind's headers were not there when it was built"
  [ $code = 0 ] || {
    cat "$play/said"
    exit 1
  }
  # a dump for each rig, in order: its name, and the sum over all evaluations
  for dump in "$play"/out.*; do
    awk '/^desc: Trigger: Client Request: / { name = $NF } /^totals:/ { print name, $2 }' "$dump"
  done | while read -r name sum; do
    times=$(sed -n "s,^$name \([0-9]*\) evaluations$,\1,p" "$play/counted")
    echo "$name $((sum / times))"
  done >"$play/now"
}

#!/bin/sh
# Random scripts against the module under the sanitizers, in both Luas, for some seconds of work, or
# half a minute with SINEW_TEST_LONG: `./dev fuzz api` runs for as long as you like.
. tests/e2e/expect.sh
build=build/sanitize/bin # what ./dev fuzz runs too
[ -x $build/fuzz-api ] || skip "the API fuzzer: not on this system"
find . -maxdepth 1 | sort >"$play/before" # programs write files: not here
calls=50000
[ -z "${SINEW_TEST_LONG-}" ] || calls=200000
for program in fuzz-api fuzz-api-luajit; do
  expect "$program finds nothing" 0 '*: 0 findings' $build/$program --folder "$play" --calls $calls
done
expect "fuzz-budget finds nothing" 0 '*: 0 findings' \
  $build/fuzz-budget --folder "$play" --calls $((calls / 4))
find . -maxdepth 1 | sort >"$play/after"
expect "the programs write nothing into the folder that they are started in" 0 '' \
  diff "$play/before" "$play/after"
expect "they write into one of their own" 0 "$play/scratch-0/?*" find "$play/scratch-0" -type f
expect "an unknown option is refused" 2 'usage*' $build/fuzz-api --second 3
cat >"$play/stopped.lua" <<'END'
local sinew = require "sinew"
limit(1000, 0)
local made, why = pcall(sinew.mesh.ball, 800, 400, { 0, 0, 0 }, { 1, 1, 1 })
assert(not made and tostring(why):find "stopped")
local points = {}
for i = 1, 1000 do points[i] = { i, i % 7 } end
made, why = pcall(sinew.spline, points)
assert(not made and tostring(why):find "stopped")
limit(0, 1000)
made, why = pcall(sinew.spline, points)
assert(not made and tostring(why):find "memory")
limit(0, 0)
sinew.spline(points)
END
expect "budgets stop the programs of fuzz-budget" 0 "$play/stopped.lua ran to its end" \
  $build/fuzz-budget --folder "$play" --run "$play/stopped.lua"
cat >"$play/long.lua" <<'END'
J(false)
P(function() B("chain", 1) end)
P(function() F("chain", g("rig", 1), "t", T(2911, { links = 2 ^ 31, turns = {} })) end)
END
for program in fuzz-api fuzz-api-luajit; do
  expect "$program stops a helper whose traps catch errors" 0 "$play/long.lua ran to its end" \
    $build/$program --folder "$play" --run "$play/long.lua"
done
printf 'P(function() local rig = sinew.rig' >"$play/broken.lua"
expect "a program that is no Lua is refused" 2 'fuzz-api: the program*' \
  $build/fuzz-api --folder "$play" --run "$play/broken.lua"
report

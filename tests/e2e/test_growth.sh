#!/bin/sh
# The cost of a rig grows with its size, not with its square: making, compiling, evaluating,
# explaining, writing and reading rigs of every class, in chains, fans and trees, is counted in
# instructions by callgrind for three sizes. `build/bin/sinew-bench --grow 25000` does the same in
# seconds for up to 100,000 components.
set -eu
cd "$(dirname "$0")/../.."
. tests/e2e/expect.sh

command -v valgrind >/dev/null || skip "growth: this system has no valgrind"

valgrind -q --tool=callgrind --callgrind-out-file="$play/out" \
  build/bin/sinew-bench --grow 20 >"$play/said" 2>&1 || {
  cat "$play/said"
  exit 1
}
for dump in "$play"/out.*; do
  awk '/^desc: Trigger: Client Request: / { name = $(NF - 1) " " $NF }
       /^totals:/ && name { print name, $2 }' "$dump"
done >"$play/counted"
[ -s "$play/counted" ] || skip "growth: valgrind's headers were not there when it was built"

# the second doubling costs at most 2.1 times the first: a fixed cost cancels out, the logarithm of
# sorting adds some hundredths, and a square would make it 4
grows() { # what
  awk -v what="$1" '$1 == what { cost[$2] = $3 }
    END {
      if (!(cost[1] > 0 && cost[2] > cost[1] && cost[4] > cost[2])) exit 1
      printf "%.3f times as much\n", (cost[4] - cost[2]) / (cost[2] - cost[1])
      exit (cost[4] - cost[2]) / (cost[2] - cost[1]) > 2.1
    }' "$play/counted"
}
for what in $(cut -d' ' -f1 "$play/counted" | sort -u); do
  expect "$what: twice as many cost twice as much" 0 "* times as much" grows "$what"
done
report

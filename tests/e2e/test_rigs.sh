#!/bin/sh
# Every rig opens in the script host, and its random poses are finite, within limits, repeatable and
# smooth.
. tests/e2e/expect.sh

for rig in rigs/*.lua rigs/joints/*.lua; do
  expect "$rig" 0 "2000 random poses: finite, within limits, repeatable, without jumps" \
    build/bin/sinew check "$rig" --fuzz 2000 --quiet
done
report

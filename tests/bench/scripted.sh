#!/bin/sh
# Instructions of scripted joints and of built-in ones, counted by callgrind: what one more joint
# costs in a rig, in a batch and alone, and with its derivative.
set -eu
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file="$folder/out" \
  build/bin/sinew-bench scripted >/dev/null 2>"$folder/log" || { cat "$folder/log" >&2; exit 1; }
cat "$folder"/out.* | awk '
  /^desc: Trigger: Client Request: / { name = substr($0, 32) }
  /^totals: / { if (name != "") { cost[name] = $2; name = "" } }
  END {
    n = split("turn two_centres dependency piston four_bar screw", joints, " ")
    printf "%-12s %-9s %7s %7s %7s %7s\n", "joint", "way", "alone", "rate", "pose", "batch"
    for (i = 1; i <= n; i++) {
      j = joints[i]
      base_pose = base_batch = 0
      w = split("none built-in recorded lua", ways, " ")
      for (k = 1; k <= w; k++) {
        p = j " " ways[k]
        if (!((p " pose 33") in cost)) continue
        pose = (cost[p " pose 33"] - cost[p " pose 1"]) / 32 / 64
        batch = (cost[p " batch 33"] - cost[p " batch 1"]) / 32 / 64
        if (ways[k] == "none") { base_pose = pose; base_batch = batch; continue }
        printf "%-12s %-9s %7.0f %7.0f %7.0f %7.0f\n", j, ways[k], cost[p " alone"] / 64,
          cost[p " with its derivative"] / 64, pose - base_pose, batch - base_batch
      }
    }
    printf "shoulder_scripted.lua %.0f, shoulder.lua %.0f\n", cost["shoulder_scripted.lua"] / 64, cost["shoulder.lua"] / 64
  }'

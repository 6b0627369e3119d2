#!/bin/sh
# Instructions of scripted joints and of built-in ones, counted by callgrind: what one more joint
# costs in a rig, in a batch and alone, and with its derivative. Arguments choose joints of
# scripted.lua. Exits with 1 if a ratio is over its bar.
set -eu
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
[ $# = 0 ] || export SINEW_JOINTS="$*"
trap 'rm -rf "$folder"' EXIT
command -v valgrind >/dev/null || { echo "scripted: no valgrind, so no instructions"; exit 0; }
valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file="$folder/out" \
  build/bin/sinew-bench scripted >/dev/null 2>"$folder/log" || { cat "$folder/log" >&2; exit 1; }
# the dumps in their order
cd "$folder"
find . -name 'out.*' | sort -t. -k3n >order
xargs cat <order | awk '
  # a ratio and whether it is on the wrong side of its bar
  function show(joint, what, value, bar, least,   over) {
    over = least ? value < bar : value > bar
    if (over) late[++lates] = sprintf("%s, %s: %.2f, bar %s", joint, what, value, bar)
    return sprintf(value < 10 ? "%8.2f%s" : "%8.1f%s", value, over ? "!" : " ")
  }
  function row(j, what, value, bar, least) {
    line = line (value > 0 ? show(j, what, value, bar, least) : sprintf("%8s ", "-"))
  }
  /^desc: Trigger: Client Request: / { name = substr($0, 32) }
  /^totals: / {
    if (name == "") next
    cost[name] = $2
    if (split(name, part, " ") > 2 && !(part[1] in known)) {
      known[part[1]] = 1
      joint[++joints] = part[1]
    }
    name = ""
  }
  END {
    w = split("none built-in recorded lua", ways, " ")
    printf "%-12s %-9s %7s %7s %7s %7s\n", "joint", "way", "alone", "rate", "pose", "batch"
    for (i = 1; i <= joints; i++) {
      j = joint[i]
      base_pose = base_batch = 0
      for (k = 1; k <= w; k++) {
        p = j " " ways[k]
        if (!((p " pose 33") in cost)) continue
        pose[p] = (cost[p " pose 33"] - cost[p " pose 1"]) / 32 / 64
        batch[p] = (cost[p " batch 33"] - cost[p " batch 1"]) / 32 / 64
        if (ways[k] == "none") { base_pose = pose[p]; base_batch = batch[p]; continue }
        pose[p] -= base_pose
        batch[p] -= base_batch
        printf "%-12s %-9s %7.0f %7.0f %7.0f %7.0f\n", j, ways[k], cost[p " alone"] / 64,
          cost[p " with its derivative"] / 64, pose[p], batch[p]
      }
    }
    printf "\n%-12s %26s  %17s  %8s\n", "", "recorded / built-in", "Lua / recorded", "value and"
    printf "%-12s %8s %8s %8s %8s %8s %8s\n", "ratio", "alone", "in a rig", "batch", "pose", "batch",
      "rate"
    printf "%-12s %8s %8s %8s %8s %8s %8s\n", "bar: to", "1.5", "2.5", "2.5", "from 10", "from 30",
      "2.5"
    for (i = 1; i <= joints; i++) {
      j = joint[i]
      b = j " built-in"
      r = j " recorded"
      line = ""
      both = b in pose
      row(j, "over the built-in alone", both ? cost[r " alone"] / cost[b " alone"] : 0,
        j == "slide" ? 2.5 : 1.5)
      row(j, "over the built-in in a rig", both ? pose[r] / pose[b] : 0, 2.5)
      row(j, "over the built-in in a batch", both ? batch[r] / batch[b] : 0, 2.5)
      row(j, "Lua over a pose", pose[j " lua"] / pose[r], 10, 1)
      row(j, "Lua over a batch", batch[j " lua"] / batch[r], 30, 1)
      row(j, "value and rate over value", cost[r " with its derivative"] / cost[r " alone"], 2.5)
      printf "%-12s%s\n", j, line
    }
    scripted = cost["shoulder_scripted.lua"] / 64
    shoulder = cost["shoulder.lua"] / 64
    printf "\nshoulder_scripted.lua %.0f over shoulder.lua %.0f: %s, bar 1.3\n", scripted, shoulder,
      show("shoulder_scripted.lua", "over shoulder.lua", scripted / shoulder, 1.3)
    for (i = 1; i <= lates; i++) print "over: " late[i]
    exit lates > 0
  }'

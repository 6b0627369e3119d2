#!/bin/sh
# Keyframes: set, scrubbed, played, dragged, undone, saved, loaded, and recovered after a crash.
# shellcheck disable=SC2046 # places on the screen are several words
. tests/e2e/viewer.sh
cp rigs/knee.lua "$scratch/knee.lua"
cp -r rigs/parts rigs/data "$scratch"
viewer_start "$scratch/knee.lua" --size 1000x700 --show time

expect "nothing to key at rest" 0 "ok 0" ask key
tell "set knee.flexion=80"
expect "a key at one second" 0 "ok 1" ask "key 1"
tell "set knee.flexion=20"
expect "another" 0 "ok 1" ask "key 2"
expect "three keys, with that of the start" 0 "ok 3 in 1 channels, 2 s, unsaved" ask keys
tell "time 0.5"
expect "a smooth curve between" 0 "ok 40" ask "get knee.flexion"
tell undo
expect "a key is undone" 0 "ok 2 in 1 channels, 1 s, unsaved" ask keys
tell redo
expect "and redone" 0 "ok 3 in 1 channels, 2 s, unsaved" ask keys

# the ruler is scrubbed, a keyframe dragged along it
ruler=$(rectangle 0 "time ruler")
on() { echo "$ruler" | awk -v part="$1" '{ print $1 + part * $3, $2 + $4 / 2 }'; }
drag $(on 0.1) $(on 0.5)
expect "scrubbed to the middle" 0 near near "$(ask time)" 1 0.04
expect "where the knee is bent" 0 near near "$(ask 'get knee.flexion')" 80 2
set -- $(middle 101 knee.flexion)
drag "$1" "$2" "$(echo "$ruler" | awk '{ print $1 + 0.75 * $3 }')" "$2"
tell "time 1.5"
expect "a key is dragged" 0 near near "$(ask 'get knee.flexion')" 80 2
keys ctrl+z
tell "time 1"
expect "and put back" 0 near near "$(ask 'get knee.flexion')" 80 2

tell "time 0"
expect "it plays" 0 "ok playing" ask play
expect "time advances" 0 "ok 2" until_answer time "ok 2"
expect "and stops at the end" 0 near near "$(ask 'get knee.flexion')" 20 0.1
expect "playing is no step of undo" 0 "ok *" ask depth

expect "saved" 0 "ok" ask "savekeys $scratch/bend.json"
expect "is reported" 0 "ok 3 in 1 channels, 2 s" ask keys
expect "a path that cannot be written" 0 "error *no/such*" ask "savekeys $scratch/no/such/file.json"
echo '{ "sinew_clip": 1, "channels": { "knee.flexion": [[0, 5], [1]] } }' >"$scratch/bad.json"
expect "a bad file is reported" 0 "error *bad.json:1:*" ask "loadkeys $scratch/bad.json"
expect "and nothing is lost" 0 "ok 3 in 1 channels, 2 s" ask keys
tell quit
wait "$viewer_pid" 2>/dev/null
expect "a film of the file" 0 "" "$viewer" rigs/knee.lua --keys "$scratch/bend.json" --frames 3 \
  --size 200x200 --render "$scratch/film.png"
expect "has its frames" 0 "*film_0003.png" ls "$scratch"/film_0003.png
report

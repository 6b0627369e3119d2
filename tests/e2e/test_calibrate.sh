#!/bin/sh
# `sinew calibrate`: measures an arm with a different forearm from the joints of a BVH; wrong
# arguments and names.
. tests/e2e/expect.sh
elbow=tests/lua/rigs/elbow.lua

cat >"$play/bend.json" <<'END'
{ "sinew_clip": 1, "fps": 30, "channels": { "elbow.flexion": [[0, 5], [1, 120]] } }
END
cat >"$play/subject.lua" <<'END'
return { segments = { hand = { at = { 0, -0.29, 0 } } } }
END
cat >"$play/map.lua" <<'END'
return { points = { forearm = "forearm", hand = { segment = "hand" } } }
END
$sinew bake $elbow "$play/bend.json" --tuning "$play/subject.lua" -o "$play/bend.bvh" >/dev/null
calibrate() { $sinew calibrate $elbow "$play/bend.bvh" --map "$play/map.lua" "$@"; }
expect "a length is found" 0 "$play/found.lua" calibrate --free hand.length -o "$play/found.lua"
expect "as it was" 0 "hand: at = {*, -0.2[89]*" \
  sh -c "$sinew calibrate $elbow $play/bend.bvh --map $play/map.lua --free hand.length -o $play/x.lua |
    grep '^hand'"
expect "and the tuning gives the subject's motion" 0 "$play/again.bvh: 31 frames" \
  $sinew bake $elbow "$play/bend.json" --tuning "$play/found.lua" -o "$play/again.bvh"
expect "within a millimetre" 0 "" sh -c "
  grep 'OFFSET' '$play/bend.bvh' >'$play/a' && grep 'OFFSET' '$play/again.bvh' |
    paste - '$play/a' | awk '{ d = \$3 - \$7; if (d * d > 1e-6) print }'"

expect "no rig" 2 "usage: sinew calibrate *" $sinew calibrate
expect "no map" 2 "usage: sinew calibrate *" $sinew calibrate $elbow a.bvh --free hand.at -o x.lua
expect "nothing free" 2 "usage: sinew calibrate *" calibrate -o "$play/x.lua"
expect "no output" 2 "usage: sinew calibrate *" calibrate --free hand.at
expect "an unknown option" 2 "usage: sinew calibrate *" calibrate --free hand.at --colour red
for bad in "--frames 0" "--frames x" "--prior -1" "--noise 0" "--frames"; do
  # shellcheck disable=SC2086
  expect "$bad" 2 "usage: sinew calibrate *" calibrate --free hand.at -o "$play/x.lua" $bad
done
expect "an unknown segment" 1 "*no segment or component named 'hadn' (did you mean 'hand'?)" \
  calibrate --free hadn.at -o "$play/x.lua"
sed 's/segment = "hand"/segment = "hadn"/' "$play/map.lua" >"$play/typo.lua"
expect "a map that is wrong" 1 "*hadn*did you mean 'hand'*" \
  $sinew calibrate $elbow "$play/bend.bvh" --map "$play/typo.lua" --free hand.at -o "$play/x.lua"
report

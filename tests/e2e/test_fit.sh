#!/bin/sh
# sinew fit: wrong arguments and files, a synthetic motion, a real walk if there is one, and two
# clips in two processes at once.
. tests/e2e/expect.sh
human=rigs/human.lua
data=../shared/data/cmu

# wrong arguments
expect "no rig" 2 "usage: sinew fit RIG MOTION*" $sinew fit
expect "no motion" 2 "usage: sinew fit RIG MOTION*" $sinew fit $human
expect "a missing motion, without a map" 1 "sinew: m.bvh: cannot open: No such file or directory" \
  $sinew fit $human m.bvh -o o.json
expect "no output" 2 "usage: sinew fit RIG MOTION*" $sinew fit $human m.bvh --map m.lua
expect "an odd ending" 2 "usage: sinew fit RIG MOTION*" $sinew fit $human m.bvh --map m -o o.txt
expect "an odd scale" 2 "usage: sinew fit*" $sinew fit $human m.bvh --map m -o o.csv --scale big
expect "no number" 2 "usage: sinew fit*" $sinew fit $human m.bvh --map m -o o.csv --limit x
expect "an unknown option" 2 "usage: sinew fit*" $sinew fit $human m.bvh --map m -o o.csv --colour
expect "help" 0 "example: sinew fit *" $sinew fit --help

# a knee that bends: the rig's own BVH is the motion
cat >"$play/bend.csv" <<'END'
time,right_knee.flexion,right_hip.flexion,body.x
0,5,0,0
0.5,60,40,0.2
1,20,10,0.4
END
cat >"$play/self.lua" <<'END'
local points = {}
for _, name in ipairs { "pelvis", "L5", "femur_r", "femur_l", "tibia_r", "tibia_l", "talus_r",
  "talus_l", "tarsus_r", "humerus_r", "humerus_l", "skull" } do
  points[name] = name
end
return { points = points, links = { { "femur_r", "tibia_r" }, { "tibia_r", "talus_r" } } }
END
expect "a motion is made" 0 "*31 frames" $sinew bake $human "$play/bend.csv" -o "$play/self.bvh" --fps 30
loudly() { # standard error only
  { "$@" >/dev/null; } 2>&1
}
fit() { # motion, output, more...
  motion=$1 out=$2
  shift 2
  $sinew fit $human "$motion" --map "$play/self.lua" -o "$out" "$@"
}
expect "a motion that is not there" 1 "sinew: *none.bvh*" fit none.bvh "$play/o.json"
expect "a map that is not there" 1 "sinew: *none.lua*" \
  $sinew fit $human "$play/self.bvh" --map none.lua -o "$play/o.json"
for ending in json csv bvh; do
  expect "it is followed, as $ending" 0 "tibia_r *" fit "$play/self.bvh" "$play/out.$ending"
done
rms() { fit "$play/self.bvh" "$play/out.csv" "$@" | sed -n 's/^rms \([0-9]*\)\..*; \([0-9]* failed\)$/\1 \2/p'; }
expect "to a millimetre or so: the knee slides" 0 "[01] 0 failed" rms
expect "without scaling" 0 "0 0 failed" rms --scale none
expect "the knee is restored" 0 "60" awk -F, '
  NR == 1 { for (i = 1; i <= NF; i++) if ($i == "right_knee.flexion") column = i }
  NR == 17 { printf "%.0f\n", $column }' "$play/out.csv"
expect "a report of every frame" 0 "30,1,12,*" sh -c "
  $sinew fit $human $play/self.bvh --map $play/self.lua -o $play/o.csv --report $play/report.csv \
    >/dev/null && tail -n 1 $play/report.csv"
expect "a report that cannot be written" 1 \
  "sinew: /nowhere/r.csv: cannot write: No such file or directory" \
  loudly fit "$play/self.bvh" "$play/o.csv" --report /nowhere/r.csv
expect "an output that cannot be written" 1 "sinew: */nowhere/*" \
  loudly fit "$play/self.bvh" /nowhere/o.json

# a subject with other lengths: the rig takes them over
cat >"$play/subject.lua" <<'END'
return { segments = { tibia_r = { at = { 0, -0.45, 0 } } } }
END
expect "a subject is made" 0 "*31 frames" \
  $sinew bake $human "$play/bend.csv" -o "$play/subject.bvh" --fps 30 --tuning "$play/subject.lua"
expect "its thigh is longer" 0 "  1.0[0-9]* of that from femur_r to tibia_r" sh -c "
  $sinew fit $human $play/subject.bvh --map $play/self.lua -o $play/o.csv \
    --tuned $play/tuned.lua | sed -n 2p"
expect "the rig takes the lengths" 0 "*tibia_r*" grep tibia_r "$play/tuned.lua"
expect "and is right with them" 0 "rig 'human'*" sh -c "
  $sinew check $human --tuning $play/tuned.lua | head -n 1"

# two workers, a clip each, as under GNU parallel or a cluster's job arrays
cp "$play/self.bvh" "$play/one.bvh"
cp "$play/self.bvh" "$play/two.bvh"
expect "two at once" 0 "" sh -c "
  ls $play/one.bvh $play/two.bvh | xargs -P 2 -I CLIP sh -c \
    '$sinew fit $human CLIP --map $play/self.lua -o CLIP.json >CLIP.log'"
expect "both are the same clip" 0 "" cmp "$play/one.bvh.json" "$play/two.bvh.json"

# real recordings
if [ -d $data ]; then
  walk() { $sinew fit $human $data/02_01.bvh --map rigs/maps/cmu.lua -o "$play/walk.json" | grep '^rms'; }
  expect "a walk is followed without a failed frame" 0 "rms 1[0-9].* mm; *; 0 failed" walk
  expect "and can be played" 0 "*344 frames" \
    $sinew bake $human "$play/walk.json" -o "$play/walk.bvh"
else
  echo "SKIPPED a real walk: no $data"
fi
report

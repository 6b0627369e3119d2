#!/bin/sh
# Posing with a real mouse and keyboard: sitting down on a box, pins, limbs, the ground, rings, what
# holds a drag, and whole poses that are mirrored, copied and kept by name.
# shellcheck disable=SC2046,SC2086 # places on the screen are several words
. tests/e2e/viewer.sh
mkdir -p "$scratch/rigs"
cp -r rigs/human.lua rigs/parts rigs/data "$scratch/rigs"
rig=$scratch/rigs/human.lua
viewer_start "$rig" --size 900x640

at() { ask "project $1" | sed 's/^ok //'; }
place() { ask "world $1" | awk '{ print $14, $15, $16 }'; }
value() { ask "get $1" | sed 's/^ok //'; }
apart() { # two positions: their distance in tenths of millimetres
  echo "$1 $2" | awk '{ printf "%.0f\n", 10000 * sqrt(($1-$4)^2 + ($2-$5)^2 + ($3-$6)^2) }'
}
between() { # number, minimum, maximum
  awk -v n="$1" -v a="$2" -v b="$3" 'BEGIN { print (n >= a && n <= b) ? "fine" : n }'
}
glide() { # x, y, x, y: with the button held down
  for step in 1 2 3 4 5 6; do
    point $(echo "$* $step" | awk '{ print $1 + ($3 - $1) * $5 / 6, $2 + ($4 - $2) * $5 / 6 }')
  done
  tell frame frame frame frame
}
moved() { echo "$1 $2 $3 $4" | awk '{ print $1 + $3, $2 + $4 }'; } # x, y, by x, by y
pull() { # x, y, x, y
  point $1 $2
  press
  glide "$@"
  release
}

# sitting down: two actions
expect "four limbs" 0 "ok 4 humerus_r *femur_l*" ask limbs
point 450 600
keys b
expect "B puts a box behind the legs" 0 "ok -0.* 0.0000 -0.* 0.* 0.4*" ask box
feet="$(place tarsus_r) $(place tarsus_l)"
hip=$(at pelvis)
pull $hip $(moved $hip 55 100)
expect "the pelvis comes down to the box" 0 fine between $(place pelvis | cut -d' ' -f2) 0.45 0.53
expect "the right foot stays" 0 fine between $(apart "$(echo $feet | cut -d' ' -f1-3)" "$(place tarsus_r)") 0 5
expect "and the left one" 0 fine between $(apart "$(echo $feet | cut -d' ' -f4-6)" "$(place tarsus_l)") 0 5
expect "knees bend" 0 fine between $(value right_knee.flexion) 70 110
expect "the pelvis is level" 0 fine between $(value body.tilt) -1 1
expect "two steps of undo" 0 "ok 2" ask depth

# bones in the box and behind it come before the box
box=$(ask box)
hand=$(at proximal_middle_l)
pull $hand $(moved $hand 60 -190)
expect "a hand inside the box is taken" 0 "ok *_l" ask selected
expect "and waves" 0 fine between $(place proximal_middle_l | cut -d' ' -f2) 0.9 1.5
expect "the box stays" 0 "$box" ask box
keys ctrl+z Escape
face=$(moved $(at tarsus_l) 55 -45)
pull $face $(moved $face 30 0)
expect "where there is no bone the box is taken" 0 different \
  sh -c '[ "$1" = "$2" ] && echo same || echo different' sh "$box" "$(ask box)"
expect "as a whole" 0 "ok *0.0000 * 0.4*" ask box
keys ctrl+z
expect "undone" 0 "ok 2" ask depth
keys ctrl+z ctrl+z
expect "which take back the box too" 0 "ok none" ask box

# a limit that holds the drag says so at the mouse
tell 'set right_hip.flexion=70' 'do side' frame
foot=$(at tarsus_r)
point $foot
press
glide $foot $(moved $foot -120 -150)
held="Right knee: bend is held *° short by its lower bound (two joint muscles)"
expect "the label names what holds the knee" 0 \
  "ok $held while right hip: leg forward and back is *[0-9].[0-9]°*" ask blocked
release
expect "no label without a drag" 0 "ok " ask blocked
tell undo undo 'do front' frame

# pins
bone=$(at skull)
click $bone
expect "a click selects" 0 "ok skull" ask selected
keys Escape
expect "Esc selects nothing" 0 "ok " ask selected
click $(at carpus_r)
keys p p
expect "P twice pins place and turn" 0 "ok 1 *_r=turn" ask pins
keys p
expect "and a third time frees" 0 "ok 0" ask pins
tell 'pin tarsus_r turn' 'pin carpus_l place'
foot=$(place tarsus_r) hand=$(place carpus_l)
expect "the whole body moves" 0 "ok *" ask "dragbody skull 0.05 1.4 0.1"
expect "a pinned foot stays" 0 fine between $(apart "$foot" "$(place tarsus_r)") 0 5
expect "and a pinned hand" 0 fine between $(apart "$hand" "$(place carpus_l)") 0 5
tell undo "savekeys $scratch/keys.json" 'pin tarsus_r none' "loadkeys $scratch/keys.json"
expect "pins are kept with the clip" 0 "ok 2 carpus_l=place tarsus_r=turn" ask pins
expect "a bone that is not there" 0 "error no segment named 'foot'*" ask "pin foot"
expect "half a point" 0 "error pin SEGMENT *" ask "pin skull look 1"
tell 'pin tarsus_r none' 'pin carpus_l none'

# limbs, the ground, rings
tell 'set right_elbow.flexion=60'
hand=$(place carpus_r)
expect "the handle swings the arm" 0 "ok *" ask "draglimb humerus_r -0.6 1.2 -0.1"
expect "about a hand that stays" 0 fine between $(apart "$hand" "$(place carpus_r)") 0 10
expect "a bone without a limb" 0 "error that bone is not*" ask "draglimb skull 0 0 0"
tell undo 'drag tarsus_r -0.1 -0.3 0.2'
expect "a foot stops at the ground" 0 fine between $(place distal_toe1_r | cut -d' ' -f2) -0.001 0.2
tell undo 'do front' frame
click $(moved $(at tibia_r) 0 60)
expect "a knee has one ring" 0 "ok 1 right_knee.flexion" ask rings

# zoom
bone=$(at skull)
point $bone
xdotool click 4 click 4 click 4
tell frame frame
expect "zooming keeps what is under the mouse" 0 same same "$bone" "$(at skull)" 3
keys Home

# whole poses
tell 'set left_shoulder.raise=90' 'set left_elbow.flexion=40' 'set lumbar.bend=0.5'
hand=$(place carpus_l)
keys ctrl+m
expect "the pose is mirrored" 0 same same "$(place carpus_r)" \
  "$(echo "$hand" | awk '{ print -$1, $2, $3 }')" 0.001
expect "with the spine" 0 "ok -0.5" ask 'get lumbar.bend'
keys ctrl+c
tell 'set right_shoulder.raise=10' 'set lumbar.bend=0'
keys ctrl+v
expect "a pose is copied and pasted" 0 "ok 90" ask 'get right_shoulder.raise'
expect "its text is a clip" 0 "ok {|  \"sinew_clip\": 1,*\"right_shoulder.raise\": \[\[0, 90\]\]*" ask posetext
expect "a pose is kept" 0 "ok kept 'arm up' *" ask 'keeppose arm up'
expect "beside the rig" 0 '*"right_shoulder.raise": 90*' grep arm "$scratch/rigs/human.poses.json"
tell 'set right_shoulder.raise=10'
expect "and used" 0 "ok pose 'arm up'" ask 'usepose arm up'
expect "with its values" 0 "ok 90" ask 'get right_shoulder.raise'
sed -i 's/right_shoulder.raise/right_shoulder.rise/' "$scratch/rigs/human.poses.json"
tell 'open poses' frame frame
expect "a DOF that the rig lacks is named" 0 "ok *no DOF named 'right_shoulder.rise'*" ask 'usepose arm up'
echo '{ "sinew_poses": 1, "poses": { "a": [] } }' >"$scratch/rigs/human.poses.json"
expect "a broken file is told" 0 "ok *human.poses.json:1:32: pose 'a' must be an object*" \
  until_answer banner "*pose 'a'*"
expect "without it there are none" 0 "error no pose *" ask 'usepose arm up'
expect "it is not replaced" 0 "error *human.poses.json cannot be read*" ask 'keeppose b'
expect "so that it can be mended" 0 '*"a": \[\]*' cat "$scratch/rigs/human.poses.json"
tell quit
report

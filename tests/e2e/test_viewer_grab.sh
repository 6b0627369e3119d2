#!/bin/sh
# Bones dragged with a real mouse: the DOFs follow in one undo step, and never leave their limits.
# shellcheck disable=SC2046,SC2086 # places on the screen are several words
. tests/e2e/viewer.sh
viewer_start rigs/human.lua --size 800x600

at() { ask "project $1" | sed 's/^ok //'; }
place() { ask "world $1" | awk '{ print $14, $15, $16 }'; }
apart() { # two positions: their distance in whole millimetres
  echo "$1 $2" | awk '{ printf "%.0f\n", 1000 * sqrt(($1-$4)^2 + ($2-$5)^2 + ($3-$6)^2) }'
}
between() { # number, minimum, maximum
  awk -v n="$1" -v a="$2" -v b="$3" 'BEGIN { print (n >= a && n <= b) ? "fine" : n }'
}

before=$(place radius_r)
pelvis=$(place pelvis)
drag_by $(at radius_r) -60 -80
expect "the forearm is selected" 0 "ok radius_r" ask selected
after=$(place radius_r)
expect "and follows the mouse" 0 fine between "$(apart "$before" "$after")" 100 700
expect "the body stays" 0 0 apart "$pelvis" "$(place pelvis)"
expect "one step of undo" 0 "ok 1" ask depth
keys ctrl+z
expect "which restores it" 0 fine between "$(apart "$before" "$(place radius_r)")" 0 1

# the left hand to the face, seen from the side, and back, with the button held down
glide() { # x, y, x, y
  for step in $(seq 30); do
    point $(echo "$* $step" | awk '{ print $1 + ($3 - $1) * $5 / 30, $2 + ($4 - $2) * $5 / 30 }')
  done
  tell frame frame frame frame frame frame
}
bent() { # the largest of the spine's DOFs in thousandths of its range, which is -1 to 1
  for dof in lumbar.flexion lumbar.bend lumbar.twist thoracic.flexion thoracic.bend thoracic.twist; do
    ask "get $dof"
  done | awk '{ v = $2 < 0 ? -$2 : $2; if (v > most) most = v } END { printf "%.0f\n", 500 * most }'
}
tell 'look side' frame
hand=$(at carpus_l)
start=$(place carpus_l)
face=$(echo "$(at skull) $(at distal_toe2_l) $(at calcaneus_l)" | awk '{ print $1 + 0.7 * ($3 - $5), $2 }')
point $hand
press
glide $hand $face
expect "a hand comes to the face" 0 fine between "$(apart "$start" "$(place carpus_l)")" 600 800
expect "and the spine stays" 0 fine between "$(bent)" 0 10
glide $face $hand
expect "back where it began it has its pose again" 0 fine \
  between "$(apart "$start" "$(place carpus_l)")" 0 1
expect "with the elbow straight" 0 fine between "$(ask 'get left_elbow.flexion' | sed 's/ok //')" 0 0.1
release

# from the front the face is behind the plane of the drag: the hand stops in front of it, also after
# a mouse that jumps; its bone is still selected then, and its rings are in front of it
for view in front three-quarter; do
  hand_bone=carpus_r
  [ $view = front ] || hand_bone=carpus_l # which the thigh does not hide
  for steps in 30 1; do
    tell undo undo "look $view" frame
    hand=$(at $hand_bone)
    face=$(at skull | awk '{ print $1, $2 + 15 }')
    point $hand
    press
    [ $steps = 1 ] || glide $hand $face
    point $face
    tell frame frame frame frame
    expect "$view, $steps steps: the hand is before the face" 0 fine \
      between "$(place $hand_bone | awk '{ print 1000 * $3 }')" 20 200
    expect "$view, $steps steps: at its height" 0 fine \
      between "$(place $hand_bone | awk '{ print 1000 * $2 }')" 1400 1550
    expect "$view, $steps steps: and the spine stays" 0 fine between "$(bent)" 0 10
    release
  done
done
tell undo undo
expect "a reachable point is reached" 0 "ok reached*" ask "drag carpus_r -0.1 1.5 0.35"
expect "an unreachable point is approached" 0 "ok *mm off" ask "drag carpus_r -3 1.5 0.35"
expect "a bone that is not there" 0 "error no segment named 'carpus' *" ask "drag carpus 0 0 0"
expect "half a command" 0 "error drag SEGMENT X Y Z" ask "drag carpus_r 1 2"
tell 'set right_shoulder.raise=170' 'set right_shoulder.twist=-90'
expect "what limits a DOF is reported" 0 "ok twist held by cone 'right_shoulder.humerus_cone', the twist limits" \
  ask 'held right_shoulder.twist'
tell quit
report

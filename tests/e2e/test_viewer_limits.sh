#!/bin/sh
# Limits in the viewer: which are shown, what the panel says, and that they are visible.
# shellcheck disable=SC2046 # places on the screen are several words
. tests/e2e/viewer.sh

viewer_start rigs/shoulder.lua --size 640x400
expect "without a selection nothing is shown" 0 "ok 0 of 16" ask limits
tell "shot $scratch/plain.png"
keys l
expect "L opens the tool" 0 "ok *limits\* *" ask tools
expect "still nothing is selected" 0 "ok 0 of 16" ask limits
expect "a bone is selected" 0 "ok" ask "select right_humerus"
expect "its joint set's limits are shown" 0 \
  "ok 5 of 16; right_shoulder.clavicle_cone: free; right_shoulder.humerus_cone: free; *touch; *" ask limits
tell "set right_shoulder.raise=150" "set right_shoulder.swing=-60"
expect "a cone reports how much it clamps, and where" 0 \
  "ok cone of right_humerus: held by [0-9]*.[0-9]°, slice *, wanted * given *" \
  ask "limit right_shoulder.humerus_cone"
expect "a component that holds nothing" 0 "error that component is not a limit" \
  ask "limit right_shoulder.scapula_frame"
expect "a name that is not there" 0 "error no component named 'right_shoulder.humerus_con'*" \
  ask "limit right_shoulder.humerus_con"

# the same amount as the pose's hold, with the direction on the cone's boundary
angle=$(ask "limit right_shoulder.humerus_cone" | awk '{
  for (i = 1; i <= NF; i++) { if ($i == "by") held = $(i + 1); if ($i == "wanted") w = i; if ($i == "given") g = i }
  gsub(",", ""); dot = $(w + 1) * $(g + 1) + $(w + 2) * $(g + 2) + $(w + 3) * $(g + 3)
  angle = atan2(sqrt(1 - dot * dot), dot) * 57.29578; d = angle - held
  print (d < 0.1 && d > -0.1) ? "same" : "held " held ", but " angle " apart" }')
expect "wanted and given differ by the printed amount" 0 same echo "$angle"

tell "shot $scratch/all.png"
expect "limits are seen" 0 seen seen "$scratch/plain.png" "$scratch/all.png"
for kind in cones ellipsoids axes; do
  expect "$kind can be hidden" 0 ok ask "limits_show $kind=off"
  tell "shot $scratch/less.png"
  expect "$kind are seen" 0 seen seen "$scratch/all.png" "$scratch/less.png"
  tell "limits_show $kind=on"
done
expect "a kind that is not there" 0 "error no limits called 'cubes'*" ask "limits_show cubes=on"
expect "a value that is not there" 0 "error limits_show cones=on or cones=off" ask "limits_show cones=maybe"

# the panel, by mouse: all bones; clicking a limit selects its bone
click $(middle 0 limits)
expect "a tick shows those of all bones" 0 "ok 16 of 16*" ask limits
tell "select right_humerus"
click $(middle 0 limit)
expect "a click on a limit selects its bone" 0 "ok *clavicle" ask selected

# the knee's screw axis goes through the rig's own moving centre (plate 1 of [Shao 2003])
expect "another rig" 0 ok ask "load rigs/knee.lua"
tell "select tibia"
for flexion in 0 35 80 120; do
  tell "set knee.flexion=$flexion"
  off=$({ ask centre; ask "world femur"; ask "world knee_centre"; } | tr -d , | awk '
    NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "centre") c = i; if ($i == "axis") a = i }
      for (k = 1; k <= 3; k++) { p[k] = $(c + k); n[k] = $(a + k) } }
    NR == 2 { for (k = 1; k <= 3; k++) p[k] += $(13 + k) }
    NR == 3 { for (k = 1; k <= 3; k++) q[k] = $(13 + k) - p[k]
      x = q[2] * n[3] - q[3] * n[2]; y = q[3] * n[1] - q[1] * n[3]; z = q[1] * n[2] - q[2] * n[1]
      d = sqrt(x * x + y * y + z * z); print d < 0.0003 ? "on" : d " off" }')
  expect "the axis at $flexion goes through the knee's centre" 0 on echo "$off"
done

expect "a rig with a field" 0 ok ask "load rigs/field.lua"
tell "select humerus"
expect "the field is free at rest" 0 "ok *learnt: free" ask limits
tell "set shoulder.flexion=-30" "set shoulder.abduction=100"
expect "and keeps what it does not know" 0 "ok *learnt: held by 31.3°" ask limits
tell "shot $scratch/field.png" "limits_show fields=off" "shot $scratch/none.png"
expect "a picture has its picture in the corner" 0 seen seen "$scratch/field.png" "$scratch/none.png"
screen_with() { # on or off: a picture of the window, once its scene is smooth
  tell "limits_show fields=$1" frame
  until_answer drawn "*smooth" >/dev/null
  tell frame "screen $scratch/$2.png"
}
tell "do bare"
screen_with off none
screen_with on field
expect "in the window nothing lies over the scene" 0 "only 0*" seen "$scratch/field.png" "$scratch/none.png"
tell "do bare"
screen_with off none
screen_with on field
expect "the panel has it" 0 seen seen "$scratch/field.png" "$scratch/none.png"

# the line from a barrel to what it aims at
expect "a rig with aims" 0 ok ask "load lua/examples/excavator.lua"
tell "select boom_barrel" "set boom.stroke=0.4"
expect "an aim says how far its target is" 0 "ok aim of boom_barrel: 1.600 m away" \
  ask "limit boom.boom_barrel_aim"
tell "shot $scratch/aim.png" "limits_show aims=off" "shot $scratch/none.png"
expect "and is seen" 0 seen seen "$scratch/aim.png" "$scratch/none.png"
expect "a view by its angles" 0 ok ask "look 60 10 2"
expect "a view that is not there" 0 "error look front*" ask "look sideways"
expect "quit" 0 "ok" ask quit

"$viewer" rigs/reach.lua --show limits --render "$scratch/reach.png" --size 300x300 2>/dev/null
"$viewer" rigs/reach.lua --render "$scratch/bare.png" --size 300x300 2>/dev/null
expect "pictures without a window show them too" 0 seen seen "$scratch/reach.png" "$scratch/bare.png"
"$viewer" rigs/reach.lua --show limits:fields+aims --render "$scratch/other.png" --size 300x300 2>/dev/null
"$viewer" rigs/reach.lua --show limits:cones --render "$scratch/cones.png" --size 300x300 2>/dev/null
expect "or only some kinds" 0 seen seen "$scratch/cones.png" "$scratch/other.png"
expect "and not the others" 0 seen seen "$scratch/cones.png" "$scratch/reach.png"
expect "a kind that is not there" 1 "*no limits called 'cube'; there are cones*" \
  "$viewer" rigs/reach.lua --show limits:cones+cube --render "$scratch/x.png"
report

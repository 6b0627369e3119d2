#!/bin/sh
# What a scripted component draws, says that it holds, and verifies: in the viewer and in check.
. tests/e2e/viewer.sh
rig=tests/lua/rigs/telescope.lua

viewer_start $rig --size 640x400
tell "select rod" "shot $scratch/plain.png"
keys l
expect "its marks are among the limits" 0 "ok telescope of rod: free, 6 marks" ask "limit telescope1"
tell "shot $scratch/drawn.png"
expect "they are seen" 0 seen seen "$scratch/plain.png" "$scratch/drawn.png"
tell "limits_show axes=off" "shot $scratch/drawn.png" "limits_show drawings=off" "shot $scratch/less.png"
expect "they can be hidden" 0 seen seen "$scratch/drawn.png" "$scratch/less.png"
tell "limits_show drawings=on" "set length=0.1" "shot $scratch/moved.png"
expect "what it holds is said" 0 "ok telescope of rod: held by 0.2, 6 marks" ask "limit telescope1"
expect "they follow the inputs" 0 seen seen "$scratch/drawn.png" "$scratch/moved.png"
expect "no error is shown" 0 "ok " ask banner
expect "a rig whose draw fails" 0 "ok*" ask "option fault=draw"
expect "the error is a banner" 0 "ok *component 'telescope1': draw: *telescope.lua:*: no paint*" \
  until_answer banner "*no paint*"
tell "set turn=20"
expect "and the rig goes on" 0 "ok *0.342*" ask "world rod"
expect "mended" 0 "ok*" ask "option fault=none"
expect "the banner goes" 0 "ok " until_answer banner "ok "
expect "quit" 0 "ok" ask quit

sinew=build/bin/sinew
expect "check lists what the kind declares" 0 "*holds     length: the tube's end stop" $sinew check $rig
expect "verify is asked" 0 "200 random poses: *" $sinew check $rig --quiet --fuzz 200
expect "and tells what is wrong" 1 "*" $sinew check $rig --option fault=verify --quiet --fuzz 50
expect "an error in it is reported" 1 "*" $sinew check $rig --option fault=words --quiet --fuzz 50
expect "in words" 0 "*telescope1*no words*" sh -c "$sinew check $rig --option fault=words --quiet --fuzz 5 | head -n 1"
expect "explain names the hold" 0 "length is held to 0.3 (0.1 wanted) by the tube's end stop*" \
  $sinew explain $rig length=0.1
report

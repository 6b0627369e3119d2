#!/bin/sh
# `sinew limits`: makes a cone and a field from motion for a rig that requires them; wrong
# arguments.
. tests/e2e/expect.sh
elbow=tests/lua/rigs/elbow.lua

# a bone along -y moves in circles of up to 40 degrees
awk 'BEGIN {
  print "HIERARCHY\nROOT body\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition"
  print "JOINT arm\n{\nOFFSET 0 1 0\nCHANNELS 3 Yrotation Xrotation Yrotation"
  print "End Site\n{\nOFFSET 0 -1 0\n}\n}\n}\nMOTION\nFrames: 600\nFrame Time: 0.02"
  for (i = 0; i < 600; i++) print 0, 0, 0, i * 15, 40 * i / 599, -i * 15
}' >"$play/circles.bvh"
limits() { $sinew limits $elbow "$play/circles.bvh" --joint arm "$@"; }
expect "a cone" 0 "$play/reach.lua" limits --as cone -o "$play/reach.lua"
expect "prints what it holds" 0 "59? of 600 samples inside a cone of *" \
  sh -c "$sinew limits $elbow $play/circles.bvh --joint arm --as cone -o $play/x.lua | head -n 1"
expect "a field" 0 "$play/learnt.lua and $play/learnt.field" limits --as field -o "$play/learnt.lua"
cat >"$play/rig.lua" <<'END'
local sinew = require "sinew"
local rig = sinew.rig "arm"
local arm = rig:segment "arm"
local set = rig:joint_set "shoulder"
local a, b = set:dof("a", { min = -90, max = 90 }), set:dof("b", { min = -90, max = 90 })
local c = set:dof("c", { min = -90, max = 90 })
local learnt = set:field { a, b, c, field = require "learnt", name = "learnt" }
local cone = require "reach"
cone.swing = set:euler { learnt.angle1, learnt.angle2, learnt.angle3, order = "xyz" }
cone.name = "reach"
arm:drive(set:cone(cone).transform)
return rig
END
expect "both in a rig" 0 "*" $sinew check "$play/rig.lua"
expect "which they hold" 0 "*learnt*" sh -c "$sinew explain $play/rig.lua shoulder.a=80 | grep learnt"
expect "and leave unchanged" 1 "" sh -c "$sinew explain $play/rig.lua shoulder.a=5 | grep 'learnt.*angle'"
mv "$play/learnt.field" "$play/away"
expect "a missing field is reported" 1 "*learnt.field*" $sinew check "$play/rig.lua"

expect "no rig" 2 "usage: sinew limits *" $sinew limits
expect "no joint" 2 "usage: sinew limits *" $sinew limits $elbow a.bvh --as cone
expect "no kind" 2 "usage: sinew limits *" limits
expect "another kind" 2 "usage: sinew limits *" limits --as box
expect "a field without files" 2 "usage: sinew limits *" limits --as field
expect "an unknown option" 2 "usage: sinew limits *" limits --as cone --colour red
for bad in "--margin -1" "--margin x" "--points 2" "--cells 1" "--share 2" "--points"; do
  # shellcheck disable=SC2086
  expect "$bad" 2 "usage: sinew limits *" limits --as cone $bad
done
expect "an unknown joint" 1 "*no joint named 'amr' (did you mean 'arm'?)" \
  $sinew limits $elbow "$play/circles.bvh" --joint amr --as cone
expect "an unknown segment" 1 "*did you mean 'forearm'*" limits --as cone --segment foream
expect "an invalid order" 1 "*'xx' is not an Euler order*" limits --as field --order xx -o "$play/y.lua"
report

#!/bin/sh
# The command `sinew import`: an OpenSim model becomes a script that all other commands accept, and
# gives the same rig as the model itself. Run it from the project's root.
# shellcheck disable=SC2086
. tests/e2e/expect.sh

model=$play/door.osim
cat >"$model" <<'END'
<OpenSimDocument Version="40000"><Model name="door"><BodySet><objects><Body name="leaf">
<mass>3</mass><inertia>1 1 1 0 0 0</inertia></Body></objects></BodySet><JointSet><objects><PinJoint name="hinge">
<socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/leaf</socket_child_frame>
<coordinates><Coordinate name="swing"><range>-1.5707963267948966 1.5707963267948966</range>
<clamped>true</clamped></Coordinate></coordinates></PinJoint></objects></JointSet>
<MarkerSet><objects><Marker name="knob"><socket_parent_frame>/bodyset/leaf</socket_parent_frame>
<location>0.8 1 0</location></Marker></objects></MarkerSet></Model></OpenSimDocument>
END

expect "import without a model" 2 "usage: sinew import MODEL.osim*" $sinew import
expect "import of two" 2 "usage: sinew import *" $sinew import "$model" "$model"
expect "import with an unknown option" 2 "usage: sinew import *" $sinew import "$model" --colour
expect "-o without a file" 2 "usage: sinew import *" $sinew import "$model" -o
expect "import of a file that is not there" 1 "sinew: nothing.osim: cannot open: *" \
  $sinew import nothing.osim
expect "import of another thing" 1 "sinew: README.md:1:*: *" $sinew import README.md
expect "import to a folder that is not there" 2 "sinew: $play/none/rig.lua: cannot write: *" \
  $sinew import "$model" -o "$play/none/rig.lua" --quiet
expect "import prints the script" 0 "return rig" $sinew import "$model" --quiet
expect "import reports what is lost" 0 "  masses and dynamics: 1 inertia" $sinew import "$model" \
  -o "$play/door.lua"
expect "and writes it into the head" 0 "--   masses and dynamics: 1 inertia" \
  grep masses "$play/door.lua"
expect "a body's mass is its segment's" 0 "*segment   leaf * 3 kg" \
  sh -c "$sinew check $play/door.lua | grep leaf | head -n 1"
expect "--quiet prints nothing" 0 "" $sinew import "$model" -o "$play/door.lua" --quiet
expect "no other file is left" 0 "2" sh -c "ls $play | wc -l"
expect "--markers writes a table" 0 "knob leaf 0.8" sh -c "
  $sinew import $model -o $play/door.lua --markers $play/markers.lua --quiet &&
  $lua -e 'local m = dofile \"$play/markers.lua\" print(\"knob\", m.knob.segment, m.knob.at[1])' |
  tr '\t' ' '"
expect "the script and the model are one rig" 0 "" sh -c "
  $sinew eval $play/door.lua hinge.swing=37 >$play/a && $sinew eval $model hinge.swing=37 >$play/b &&
  cmp $play/a $play/b"
expect "a model is checked like a rig" 0 "300 random poses: finite, within limits, *" \
  $sinew check "$model" --fuzz 300 --quiet
expect "its DOFs have their joints' names" 0 "  DOF       hinge.swing * -90 to 90 deg, rest 0" \
  sh -c "$sinew check $model | grep DOF"
if command -v luacheck >/dev/null; then
  expect "luacheck finds nothing in the script" 0 "*0 warnings / 0 errors*" \
    luacheck --no-color --no-max-line-length "$play/door.lua"
fi

for name in arm26 gait2392_thelen2003muscle Rajagopal2016; do
  real=../shared/data/osim/$name.osim
  if [ -e $real ]; then
    expect "$name is imported" 0 "" $sinew import $real -o "$play/real.lua" --quiet
    expect "$name moves without jumps" 0 \
      "2000 random poses: finite, within limits, repeatable, without jumps" \
      $sinew check "$play/real.lua" --fuzz 2000 --quiet
  else
    echo "SKIPPED $name: there is no $real"
  fi
done
report

#!/bin/sh
# Rigs as XML from the command line: every rig of rigs/ is written, is valid by the schema, and
# reads back as the same file and the same poses.
. tests/e2e/expect.sh

same_pose() { # two rigs, DOFs...: compares every number of every matrix
  one=$1 two=$2
  shift 2
  $sinew eval "$one" --json "$@" >"$play/one.json" && $sinew eval "$two" --json "$@" >"$play/two.json" &&
    cmp "$play/one.json" "$play/two.json"
}

for rig in rigs/*.lua; do
  name=$(basename "$rig" .lua)
  xml=$play/$name.xml
  expect "$name goes out" 0 "" $sinew export "$rig" "$xml"
  expect "$name is valid by the schema" 0 "*$name.xml validates" \
    xmllint --noout --huge --schema lua/sinew.xsd "$xml"
  expect "$name goes out again" 0 "" $sinew export "$xml" "$play/again.xml"
  expect "$name is the same file" 0 "" cmp "$xml" "$play/again.xml"
  dofs=$($sinew check "$rig" | sed -n 's/^  DOF  *\([^ ]*\) *\([^ ]*\) to \([^ ]*\) .*/\1 \2 \3/p' |
    awk '{ printf "%s=%.6g ", $1, $2 + ($3 - $2) * ((NR * 37) % 100) / 100 }')
  # shellcheck disable=SC2086
  expect "$name has the same pose" 0 "" same_pose "$rig" "$xml" $dofs
done
# recorded components: their programs are in the file, and a program without Lua computes the same bits
alone() { # a rig, its XML
  build/bin/sinew-xml-eval "$2" 100 >"$play/alone" &&
    LUA_CPATH="$PWD/build/lua/?.so" LUA_PATH="$PWD/lua/?.lua;$PWD/lua/?/init.lua" \
      $lua tests/lua/xml_eval.lua "$1" 100 >"$play/scripted" && cmp "$play/alone" "$play/scripted" &&
    LUA_CPATH="$PWD/build/lua/?.so" LUA_PATH=none $lua tests/lua/xml_eval.lua "$2" 100 | cmp "$play/alone"
}
for rig in rigs/joints/*.lua rigs/shoulder_scripted.lua; do
  name=$(basename "$rig" .lua)
  xml=$play/$name.xml
  expect "$name goes out" 0 "" $sinew export "$rig" "$xml"
  expect "$name is valid by the schema" 0 "*$name.xml validates" \
    xmllint --noout --huge --schema lua/sinew.xsd "$xml"
  if grep -q '<script' "$xml"; then
    echo "skipped: $name is written by module, so there is no program to compare"
    continue
  fi
  expect "$name goes out again" 0 "" $sinew export "$xml" "$play/again.xml"
  expect "$name is the same file" 0 "" cmp "$xml" "$play/again.xml"
  expect "$name computes the same without Lua" 0 "" alone "$rig" "$xml"
done
expect "version 2 goes out as the same file" 0 "" \
  sh -c "$sinew export tests/files/rig_2.xml $play/two.xml && cmp $play/two.xml tests/files/rig_2.xml"
expect "it computes the same without Lua" 0 "" alone tests/files/rig_2.xml tests/files/rig_2.xml
expect "a kind that is missing is named" 1 "*no.xml:*: no kind named 'screv' in 'kinds' (did you mean 'screw'?)" \
  sh -c "sed 's/recorded name=\"inner\" kind=\"screw/recorded name=\"inner\" kind=\"screv/' tests/files/rig_2.xml >$play/no.xml
    build/bin/sinew-xml-eval $play/no.xml 1"
expect "the schema refuses it too" 3 "*fails to validate" \
  xmllint --noout --schema lua/sinew.xsd "$play/no.xml"

expect "a rig in XML is checked like a script" 0 "500 random poses: *" \
  $sinew check "$play/knee.xml" --fuzz 500 --quiet
expect "a rig in XML is explained" 0 "*" $sinew explain "$play/shoulder.xml"
expect "the schema is the one of the tables" 0 "" sh -c "$sinew export --xsd | cmp - lua/sinew.xsd"
expect "the schema refuses what the reader refuses" 3 "*fails to validate" sh -c "
  sed 's/<axis value/<axes value/' $play/knee.xml >$play/wrong.xml
  xmllint --noout --huge --schema lua/sinew.xsd $play/wrong.xml"
expect "the reader's message is used" 1 "*wrong.xml:*: 'rotation' has no element 'axes' (did you mean 'axis'?)" \
  $sinew check "$play/wrong.xml"

# fields in files of their own
expect "fields beside" 0 "" $sinew export rigs/field.lua "$play/beside.xml" --fields-beside
expect "the file exists" 0 "" test -s "$play/beside.1.field"
expect "a separate field file is valid by the schema" 0 "*validates" \
  xmllint --noout --huge --schema lua/sinew.xsd "$play/beside.xml"
expect "and is the same" 0 "" same_pose rigs/field.lua "$play/beside.xml" shoulder.flexion=140
expect "inside again, it is the same file" 0 "" \
  sh -c "$sinew export $play/beside.xml $play/inside.xml && cmp $play/inside.xml $play/field.xml"

# shapes that are solids
expect "a solid is valid by the schema" 0 "*validates" \
  xmllint --noout --schema lua/sinew.xsd tests/files/rig_1_solid.xml
expect "and goes out as the same file" 0 "" \
  sh -c "$sinew export tests/files/rig_1_solid.xml $play/solid.xml && cmp $play/solid.xml tests/files/rig_1_solid.xml"
expect "and as a mesh" 0 "*" $sinew export tests/files/rig_1_solid.xml "$play/solid.glb"
expect "the schema refuses an element that no part has" 3 "*fails to validate" sh -c "
  sed 's/<drum/<barrel/' $play/solid.xml >$play/wrong.xml
  xmllint --noout --schema lua/sinew.xsd $play/wrong.xml"

# wrong arguments
expect "an unknown ending" 2 "usage: sinew export*" $sinew export rigs/knee.lua "$play/knee.txt"
expect "no file" 2 "usage: sinew export*" $sinew export rigs/knee.lua
expect "an unknown option" 2 "usage: sinew export*" $sinew export rigs/knee.lua "$play/k.xml" --colour
expect "a rig that is not there" 1 "sinew: cannot open 'no.lua': *" $sinew export no.lua "$play/k.xml"
expect "a folder that is not there" 1 "sinew: *cannot write: *" \
  $sinew export rigs/knee.lua "$play/no/knee.xml"
expect "export --help lists the formats" 0 "*--fields-beside*" \
  sh -c "$sinew export --help | grep fields"
expect "nothing is left half-written" 0 "" sh -c "! ls $play | grep -F .new"
report

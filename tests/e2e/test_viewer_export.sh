#!/bin/sh
# Export from the window: a question for the path, the file, and what went wrong. The picker of rigs
# lists rigs only.
# shellcheck disable=SC2046 # places on the screen are several words
. tests/e2e/viewer.sh
cp rigs/knee.lua "$scratch/knee.lua"
cp -r rigs/parts rigs/data "$scratch"
viewer_start "$scratch/knee.lua" --size 900x600
tell "set knee.flexion=80" "key 0.1"
export_to() { # command, path
  tell "do $1" frame
  keys ctrl+a
  type_text "$2"
  keys Return
}
starts() { head -c "$1" "$2" | tr -d '\0'; }
tell "do export_picture" frame
expect "it asks for the path" 0 "ok Export a picture|*[[]Export[]]*" ask question
keys Escape
expect "and does nothing when it is cancelled" 0 "error nothing is asked" ask question
export_to export_picture "$scratch/out.png"
expect "a picture" 0 "ok wrote $scratch/out.png" ask note
expect "is a picture" 0 "*PNG" sh -c "head -c 4 '$scratch/out.png' | tr -d '\211'"
tell "do export_picture" frame
keys ctrl+a
type_text "$scratch/out.png"
expect "a file that is there would be replaced" 0 "ok *[[]Replace[]]*" ask question
keys Escape
export_to export_film "$scratch/out.gif"
expect "a film of the keys" 0 "ok wrote $scratch/out.gif" until_answer note "ok wrote *gif"
expect "is a GIF" 0 GIF89a starts 6 "$scratch/out.gif"
export_to export_gltf "$scratch/out.glb"
expect "glTF" 0 "ok wrote $scratch/out.glb" ask note
expect "with an animation" 0 1 grep -ac '"animations"' "$scratch/out.glb"
export_to export_xml "$scratch/out.xml"
expect "XML" 0 "ok wrote $scratch/out.xml" ask note
expect "is the rig" 0 "*" build/bin/sinew check "$scratch/out.xml"
export_to export_mjcf "$scratch/out.mjcf"
expect "MuJoCo" 0 "ok wrote $scratch/out.mjcf" ask note
expect "the pose is as it was" 0 "ok 80" ask "get knee.flexion"
expect "and so are the keys" 0 "ok 2 in 1 channels, 0.1 s, unsaved" ask keys
export_to export_xml "$scratch/none/out.xml"
expect "what cannot be written" 0 "ok $scratch/none/out.xml was not written" ask note
expect "is told" 0 "ok $scratch/none/out.xml: cannot write: No such file*" ask banner
tell "key 1000" "do export_film" frame
keys ctrl+a
type_text "$scratch/long.gif"
xdotool key Return key Escape
expect "a long film is stopped" 0 "ok stopped: $scratch/long.gif was not written" \
  until_answer note "ok stopped*"
expect "and leaves no file" 0 "ok" sh -c "[ -e '$scratch/long.gif' ] || echo ok"
expect "the pose is as it was then" 0 "ok 80" ask "get knee.flexion"
tell quit

# files of tunings and tests are no rigs
echo 'return {}' >"$scratch/knee.tuning.lua"
echo 'return {}' >"$scratch/knee.test.lua"
viewer_start "$scratch/knee.lua" --size 900x600
expect "only rigs are listed" 0 "ok $scratch/knee.lua $scratch/out.xml *" ask rigs
tell "open files" frame
click $(middle 1 files)
type_text "nee"
expect "typing filters" 0 "ok *" ask "where 7 $scratch/knee.lua"
type_text "zzz"
expect "and hides the others" 0 "error no such widget*" ask "where 7 $scratch/knee.lua"
tell quit
report

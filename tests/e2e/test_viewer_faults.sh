#!/bin/sh
# Files that fail: a rig that is deleted, emptied or replaced by something else while it is shown,
# and a disk that is full when a picture is written. And the remote port at the end of its input.
. tests/e2e/viewer.sh
rig=$scratch/one.lua
script() { # height
  echo "local rig = require 'sinew'.rig 'one' rig:segment('bone', { at = {0, $1, 0} }) return rig"
}
script 1 >"$rig"
screen_start

# every line is answered before the viewer ends, also those after a wait and the last without an end
i=0
while [ $i -lt 40 ]; do
  echo frame
  echo dofs
  i=$((i + 1))
done >"$scratch/lines"
head -c 2000 /dev/zero | tr '\0' x >>"$scratch/lines"
printf '\nrig' >>"$scratch/lines"
"$viewer" "$rig" --size 300x200 --remote <"$scratch/lines" >"$scratch/out" 2>/dev/null
expect "every line is answered at the end of the input" 0 "ok $rig" tail -n 1 "$scratch/out"
expect "one answer for each" 0 82 grep -c "" "$scratch/out"
expect "a line that is too long is an error" 0 1 grep -c "error the line is too long" "$scratch/out"

# what would end the window or its view is refused, and the lines after it are answered
{
  printf 'size 99999 99999\nlook nan 5\nturn 2 nan\nget \0 bone\nlook front\nproject bone'
} | "$viewer" "$rig" --size 300x200 --remote >"$scratch/out" 2>/dev/null
expect "a window that is too large" 0 "error size *from 64 to 8192" sed -n 1p "$scratch/out"
expect "a view that is no number" 0 "error look *" sed -n 2p "$scratch/out"
expect "a turn that is no number" 0 "error turn *" sed -n 3p "$scratch/out"
expect "a line with a zero" 0 "error the line has a byte that is zero" sed -n 4p "$scratch/out"
expect "the view is as it was" 0 "ok [0-9]* [0-9]*" sed -n 6p "$scratch/out"

viewer_start "$rig" --size 300x200
mv "$rig" "$rig.away"
expect "a rig that is deleted" 0 "ok $rig: cannot open: No such file or directory" until_answer banner "ok ?*"
expect "the old one stays" 0 "ok *0 1 0 1" ask "world bone"
mv "$rig.away" "$rig"
expect "it is there again" 0 "ok " until_answer banner "ok "
: >"$rig"
expect "one that is empty" 0 "ok $rig: file is empty" until_answer banner "ok ?*"
rm "$rig"
ln -s nowhere "$rig"
expect "a link to nothing" 0 "ok $rig: cannot open: No such file*" until_answer banner "ok *No such*"
rm "$rig"
mkfifo "$rig"
expect "a pipe" 0 "ok *is not a file" until_answer banner "ok *not a file*"
rm "$rig"
script 1 >"$rig"
expect "mended" 0 "ok " until_answer banner "ok "
rm "$rig"
mkdir "$rig"
expect "a folder" 0 "ok *is not a file" until_answer banner "ok *not a file*"
rmdir "$rig"
head -c 2000000 /dev/zero | tr '\0' - >"$rig"
expect "a file that is too large" 0 "ok *too large for a script*" until_answer banner "ok *too large*"
script 1 >"$rig"
expect "mended again" 0 "ok " until_answer banner "ok "
cp -p "$rig" "$rig.old"
script 2 >"$rig"
touch -r "$rig.old" "$rig"
expect "an edit of the same size and time" 0 "ok *0 2 0 1" until_answer "world bone" "ok *0 2 0 1"
mv "$scratch/one.lua" "$scratch/other.lua"
script 3 >"$rig.new" && mv "$rig.new" "$rig"
expect "one that is moved over it" 0 "ok *0 3 0 1" until_answer "world bone" "ok *0 3 0 1"
expect "another one that is not there" 0 "error cannot open *none.lua': No such file*" ask "load $scratch/none.lua"
expect "leaves the one before, with its path" 0 "ok $rig" ask rig
script 3.5 >"$rig"
expect "which is loaded when it is saved" 0 "ok *0 3.5 0 1" until_answer "world bone" "ok *0 3.5 0 1"
mkdir "$scratch/inner"
script 4 >"$scratch/inner/two.lua"
expect "a rig in a folder" 0 ok ask "load $scratch/inner/two.lua"
mv "$scratch/inner" "$scratch/renamed"
expect "whose name changes" 0 "ok *inner/two.lua: cannot open: No such file*" until_answer banner "ok ?*"
expect "stays too" 0 "ok *0 4 0 1" ask "world bone"
mv "$scratch/renamed" "$scratch/inner"
expect "and is there again" 0 "ok " until_answer banner "ok "
tell quit

# a rig that never ends to load: the window goes on with the one before, until the load is stopped
script 1 >"$rig"
{
  script 5 | sed 's/return rig//'
  echo 'while true do end'
} >"$scratch/endless.lua"
answers() { grep -c "" "$scratch/out"; }
viewer_start "$rig" --size 640x400 --load-seconds 100000
had=$(answers)
echo "load $scratch/endless.lua" >&3
sleep 1
expect "a load is answered when it has ended" 0 "$had" answers
xdotool key Escape
while [ "$(answers)" = "$had" ]; do sleep 0.05; done
expect "Esc stops it" 0 "error endless.lua: stopped; the rig before stays" tail -n 1 "$scratch/out"
expect "the rig before stays" 0 "ok *0 1 0 1" ask "world bone"
tell frame
cp "$scratch/endless.lua" "$rig"
expect "a save that loads for ever is shown with a button" 0 "ok ?*" until_answer "where 1 loading" "ok ?*"
expect "meanwhile the rig before is there" 0 "ok *0 1 0 1" ask "world bone"
# shellcheck disable=SC2046 # two words
click $(middle 1 loading)
expect "which stops it" 0 "ok *one.lua: loading was stopped; the next save loads it again" until_answer banner "ok ?*"
expect "and is gone" 0 "error*" until_answer "where 1 loading" "error*"
script 6 >"$rig"
expect "the next save loads it" 0 "ok *0 6 0 1" until_answer "world bone" "ok *0 6 0 1"
cp "$scratch/endless.lua" "$rig"
expect "again for ever" 0 "ok ?*" until_answer "where 1 loading" "ok ?*"
script 7 >"$rig"
expect "until it is saved once more" 0 "ok *0 7 0 1" until_answer "world bone" "ok *0 7 0 1"
cp "$scratch/endless.lua" "$rig"
expect "a third time" 0 "ok ?*" until_answer "where 1 loading" "ok ?*"
tell quit
wait "$viewer_pid"
expect "the window closes at once" 0 0 echo $?
cp "$scratch/endless.lua" "$rig"
viewer_start "$rig" --size 640x400 --load-seconds 100000
expect "the first rig never ends to load" 0 "ok ?*" until_answer "where 1 loading" "ok ?*"
expect "the window is there" 0 "ok 240 76 400 *" ask scene
script 8 >"$rig"
expect "mended" 0 "ok *0 8 0 1" until_answer "world bone" "ok *0 8 0 1"
tell quit
script 3 >"$rig"

# pipes that nobody writes to, where documents are expected
mkfifo "$scratch/one.keys.json" "$scratch/one.pose.json"
viewer_start "$rig" --size 300x200
expect "a document that is a pipe" 0 "ok *.json: cannot read: No such device or address" ask banner
expect "does not stop the viewer" 0 "ok *0 3 0 1" ask "world bone"
tell quit
rm "$scratch/one.keys.json" "$scratch/one.pose.json"

# no standard stream is open: the connection to the display must not get the number of one, since
# what is printed would go there
(
  printf 'frame\nrig\nshot %s\nquit\n' "$scratch/closed.png" |
    "$viewer" "$rig" --size 300x200 --remote >&- 2>&-
  echo $? >"$scratch/code"
) &
viewer_pid=$!
soon "without an output the viewer ends as asked, and says that it could not answer" 0 1 cat "$scratch/code"
expect "after it has done what was asked" 0 "" test -s "$scratch/closed.png"

# a limit on the size of files ends no program
limited() { (
  ulimit -f 0
  printf 'rig\nshot %s\n' "$scratch/limited.png" | "$viewer" "$rig" --size 300x200 --remote "$@" 2>&1
) | tail -n 1; }
expect "a picture beyond the limit of the process" 0 "error cannot write *: File too large" limited
expect "and with a rig's process" 0 "error cannot write *: File too large" limited --isolate

# a disk that is full
if ! unshare -m true 2>/dev/null; then
  skip "a full disk: unshare is not allowed here"
fi
mkdir "$scratch/full"
cat >"$scratch/fill.sh" <<'END'
full=$1
viewer=$2
rig=$3
mount -t tmpfs -o size=24k none "$full" || exit
for ending in png gif bmp raw; do echo old >"$full/p.$ending"; done
dd if=/dev/zero of="$full/fill" bs=1k count=100 2>/dev/null
try() { # name of the picture, arguments...
  picture=$full/$1
  shift
  "$viewer" "$rig" --size 200x200 --render "$picture" "$@" 2>"$full/../said" && echo "no error: $*"
  grep -q "No space left" "$full/../said" || echo "not told: $*"
  [ "$(cat "$picture")" = old ] || echo "the old picture is lost: $*"
}
try p.png
try p.bmp
try p.raw
try p.gif --frames 2
try p.png --sheet 1x1
try p.png --frames 2
case $(echo "shot $full/p.png" | "$viewer" "$rig" --size 200x200 --remote) in
  error*No\ space*) ;;
  *) echo "shot: not told" ;;
esac
find "$full" -name "*.new" -o -name "*.part*"
echo done
END
expect "pictures on a full disk" 0 done unshare -m sh "$scratch/fill.sh" "$scratch/full" "$viewer" "$rig"
expect "each is told and the old one is kept" 0 1 sh -c \
  "unshare -m sh '$scratch/fill.sh' '$scratch/full' '$viewer' '$rig' | grep -c ''"
report

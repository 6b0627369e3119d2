#!/bin/sh
# A crowd in the viewer: the right number of figures, repeatable pictures, films; it is stopped,
# posed, edited, broken and fixed while it moves.
. tests/e2e/viewer.sh

for wrong in 0 -3 10001 99999999999999999999 12x 1.5 many ""; do
  expect "a crowd of '$wrong'" 2 "*expected 1 to 10000 characters, got '$wrong'*" \
    "$viewer" rigs/knee.lua --crowd "$wrong"
done
expect "a crowd of nothing" 2 "*expected a value after '--crowd'*" "$viewer" rigs/knee.lua --crowd
expect "no threads" 2 "*expected 1 to 256 threads, got '0'*" "$viewer" --crowd 3 --threads 0
expect "too many" 2 "*expected 1 to 256 threads, got '257'*" "$viewer" --crowd 3 --threads 257
expect "threads of no crowd" 2 "*only with --crowd: '--threads'*" "$viewer" --threads 2
expect "a sheet of a crowd" 2 "*not allowed with --crowd*--sheet*" \
  "$viewer" --crowd 3 --sheet 2x2 --render "$scratch/x.png"
expect "the command gives it on" 2 "*expected 1 to 10000 characters*" build/bin/sinew view --crowd no
expect "help" 0 "*--crowd N *1 to 10000*" sh -c "'$viewer' --help | grep -e --crowd"

# a ball on a post that leans
rig() { # more of the script
  cat <<END
local sinew, shapes = require "sinew", require "sinew.shapes"
local rig = sinew.rig "post"
local post = rig:segment("post", { at = {0, 0, 0},
  shape = { vertices = {}, normals = {}, triangles = {} } }) -- unseen
local ball = shapes.ellipsoid { radii = 0.06, at = {0, 1, 0} }
local top = rig:segment("top", { parent = post, shape = ball })
local set = rig:joint_set "post"
local lean = set:dof("lean", { min = -20, max = 20 })
local nod = set:dof("nod", { min = -20, max = 20 })
top:drive(set:multiply { set:rotation { lean, axis = {0, 0, 1} }, set:rotation { nod, axis = {1, 0, 0} } })
$1
return rig
END
}
rig "" >"$scratch/post.lua"
figures() { # count: blobs of bone colour, which is the warmest colour, seen from above
  render "$scratch/post.lua" --crowd "$1" --camera top --size 480x480 \
    --render "$scratch/top.raw"
  od -An -v -tu1 -w3 "$scratch/top.raw" | awk '
    { warm[NR - 1] = $1 > $3 }
    END {
      for (i = 0; i < 480 * 480; i++) {
        if (!warm[i]) continue
        spots++
        n = 0; stack[n++] = i; warm[i] = 0
        while (n) {
          at = stack[--n]; x = at % 480
          for (dy = -1; dy <= 1; dy++) for (dx = -1; dx <= 1; dx++) {
            to = at + 480 * dy + dx
            if (x + dx >= 0 && x + dx < 480 && warm[to]) { warm[to] = 0; stack[n++] = to }
          }
        }
      }
      print spots + 0
    }'
}
expect "one figure" 0 1 figures 1
expect "two" 0 2 figures 2
expect "nine" 0 9 figures 9
expect "fifty" 0 50 figures 50

render rigs/human.lua --size 300x200 --render "$scratch/one.png"
for n in 1 2; do render rigs/human.lua --crowd 12 --size 300x200 --render "$scratch/twelve$n.png"; done
render rigs/human.lua --crowd 12 --threads 1 --size 300x200 --render "$scratch/alone.png"
render rigs/human.lua --crowd 13 --size 300x200 --render "$scratch/thirteen.png"
expect "the same picture again" 0 "0.000" difference "$scratch/twelve1.png" "$scratch/twelve2.png"
expect "also by one thread" 0 fine between 0 0.01 "$scratch/twelve1.png" "$scratch/alone.png"
expect "a crowd is not one" 0 fine between 1 90 "$scratch/one.png" "$scratch/twelve1.png"
expect "nor another crowd" 0 fine between 0.2 90 "$scratch/thirteen.png" "$scratch/twelve1.png"

render rigs/knee.lua --crowd 6 --frames 3 --fps 1 --size 200x150 --render "$scratch/film.png"
expect "a film of it moves" 0 fine between 0.05 60 "$scratch/film_0001.png" "$scratch/film_0003.png"
render rigs/knee.lua --crowd 6 --sweep knee.flexion=0:90 --frames 4 --size 200x150 \
  --render "$scratch/swept.png"
expect "a sweep" 0 fine between 0.05 60 "$scratch/swept_0001.png" "$scratch/swept_0003.png"
render rigs/knee.lua --crowd 6 --frames 3 --size 200x150 --render "$scratch/film.gif"
expect "a GIF" 0 "*film.gif" ls "$scratch/film.gif"
printf '{ "sinew_clip": 1, "channels": { "knee.flexion": [[0, 5], [1, 90]] } }' >"$scratch/bend.json"
render rigs/knee.lua --crowd 6 --keys "$scratch/bend.json" --frames 2 --size 200x150 \
  --render "$scratch/clip.png"
expect "a clip, from several times of it" 0 fine between 0.05 60 "$scratch/clip_0001.png" "$scratch/clip_0002.png"
expect "a rig whose components can fail" 0 "" render rigs/shoulder_scripted.lua --crowd 3000 \
  --size 200x150 --render "$scratch/scripted.png"

# in a window
# shellcheck disable=SC2034
screen=480x360
viewer_start "$scratch/post.lua" --crowd 8 --threads 2 --size 480x360
expect "it moves" 0 "ok 8 at *, moving, the first does 'sway', eval * ms, frame * ms, * triangles, * lanes of *, * threads" \
  ask crowd
time_of() { ask crowd | awk '{ print $4 }'; }
passes() { # whether its time advances
  before=$(time_of)
  tell frame frame
  [ "$(time_of)" = "$before" ] && echo still || echo moving
}
expect "time advances" 0 moving passes
lean=$(ask "get post.lean")
tell frame
expect "and the first one with it" 1 "" test "$lean" = "$(ask 'get post.lean')"
tell "set post.lean=19.5" frame
expect "posing one that moves is refused" 0 "ok the crowd moves; Space stops it*" ask note
expect "the timeline does not change it" 0 "ok still" ask play
keys space
expect "Space stops it" 0 "ok 8 at *, still, *" ask crowd
expect "and its time" 0 still passes
expect "the first can be posed" 0 "ok 12" ask "set post.lean=12"
tell frame
expect "and stays so" 0 "ok 12" ask "get post.lean"
expect "a step of undo" 0 "ok *" ask undo
expect "a time" 0 "ok 8 at 7.500 s, still, *" ask "crowd 7.5"
expect "what is no time" 0 "error crowd move, stop or a time in seconds, not 'x'" ask "crowd x"
tell "shot $scratch/shot.png" "crowd 9" "shot $scratch/later.png"
expect "later it looks different" 0 fine between 0.02 60 "$scratch/shot.png" "$scratch/later.png"
keys space
expect "Space moves it again" 0 "ok 8 at *, moving, *" ask crowd

rig 'set:dof("twist", {})' >"$scratch/post.lua"
expect "an edit is accepted" 0 "ok 3 post.lean post.nod post.twist" until_answer dofs "ok 3*"
expect "and the crowd keeps moving" 0 moving passes
rig 'set:dof("twist", {' >"$scratch/post.lua"
expect "a broken script shows a banner" 0 "ok *post.lua:*" until_answer banner "ok *post.lua*"
expect "the crowd keeps the old one" 0 moving passes
expect "under the banner" 0 "ok *post.lua:*" ask banner
rig 'set:dof("roll", {})' >"$scratch/post.lua"
expect "fixed" 0 "ok 3 post.lean post.nod post.roll" until_answer dofs "ok 3 *roll"
expect "the banner has disappeared" 0 "ok " ask banner
expect "it still moves" 0 moving passes
expect "another rig" 0 ok ask "load rigs/knee.lua"
expect "is a crowd too" 0 "ok 8 at *, moving, *" ask crowd
expect "nothing is wrong" 0 "ok " ask banner
expect "quit" 0 "ok" ask quit
wait "$viewer_pid" 2>/dev/null
viewer_start "$scratch/post.lua" --size 480x360
expect "without --crowd there is none" 0 "error no crowd: start the viewer with --crowd N" ask crowd
expect "quit again" 0 "ok" ask quit
report

#!/bin/sh
# A skin in the viewer: made by `sinew skin`, shown, moved and switched.
. tests/e2e/viewer.sh

expect "a body is made" 0 "*body.obj: * vertices, * triangles" \
  "$sinew" skin rigs/knee.lua -o "$scratch/body.obj" --distance 0.03 --cell 0.02
expect "cells that are too large" 1 "sinew: skin: cells of * are too large*" \
  "$sinew" skin rigs/knee.lua -o "$scratch/no.obj" --cell 0.5
expect "a rig is needed" 2 "*" "$sinew" skin -o "$scratch/no.obj"
expect "an option that is not there" 2 "*" "$sinew" skin rigs/knee.lua --round

screen_start
printf 'v 0 0 nan\nf 1 1 1\n' >"$scratch/broken.obj"
expect "no picture with a skin that is not there" 1 "sinew-viewer: *none.obj*" \
  "$viewer" rigs/knee.lua --skin "$scratch/none.obj" --render "$scratch/no.png"
expect "no picture with a skin that is broken" 1 "  1 | v 0 0 nan" \
  "$viewer" rigs/knee.lua --skin "$scratch/broken.obj" --render "$scratch/no.png"
expect "and no file" 1 "" test -e "$scratch/no.png"
expect "no picture of a skin bound to a pose that cannot be" 1 "sinew-viewer: *no DOF named*" \
  "$viewer" rigs/knee.lua --skin "$scratch/body.obj" --skin-at knee.bend=3 --render "$scratch/no.png"

viewer_start rigs/knee.lua --skin "$scratch/body.obj" --size 640x400
expect "it is worn" 0 "ok dual, * vertices, twist spread, opacity 0.60" ask skin
first=$(sed -n 's/^v //p' "$scratch/body.obj" | head -n 1)
stands() { # whether the first vertex is at the position stored in the file
  ask "skin_at 0" | awk -v want="$first" '{ split(want, w); d = ($2 - w[1]) ^ 2 + ($3 - w[2]) ^ 2 + ($4 - w[3]) ^ 2
    print ($1 == "ok" && d < 1e-9) ? "there" : "elsewhere: " $0 }'
}
expect "at rest it is as in the file" 0 there stands
tell "shot $scratch/rest.png"
low=$(sed -n 's/^v //p' "$scratch/body.obj" | awk '{ if (NR == 1 || $2 < y) { y = $2; n = NR - 1 } } END { print n }')
before=$(ask "skin_at $low")
tell "set knee.flexion=100"
moves() { [ "$(ask "skin_at $low")" != "$before" ] && echo moved; }
expect "the shank's end moves with the knee" 0 moved moves
tell "shot $scratch/bent.png"
expect "which is seen" 0 seen seen "$scratch/rest.png" "$scratch/bent.png"
expect "linear blend" 0 ok ask "skin_method linear"
expect "is told" 0 "ok linear, *" ask skin
expect "a method that is not there" 0 "error expected skin_method linear or dual" ask "skin_method cubic"
expect "twist at the joint alone" 0 ok ask "skin_twist whole"
expect "no skin to see" 0 ok ask "skin_opacity 0"
tell "shot $scratch/bare.png"
expect "it was seen" 0 seen seen "$scratch/bent.png" "$scratch/bare.png"
expect "an opacity that is none" 0 "error opacity must be from 0 to 1" ask "skin_opacity 2"
expect "a vertex that is not there" 0 "error vertex must be from 0 to *" ask "skin_at 999999"
expect "a mesh that is not there" 0 "error *" ask "skin_wear $scratch/none.obj"
expect "the old one stays" 0 "ok linear, * vertices, twist whole, opacity 0.00" ask skin
expect "one around the bones" 0 ok ask "skin_wear"
tell "set knee.flexion=0"
keys s
tell "skin_method dual"
expect "S closes the tool" 0 "error no skin is shown" ask "skin_at 0"
expect "quit" 0 "ok" ask quit

# a character that `sinew bind` bound, in place of the bones
lua5.4 - "$scratch/hero.glb" <<'END'
package.path = "tests/lua/?.lua"
local figure = require "figure"
figure.write(figure.conventions.mixamo, arg[1])
END
expect "a character is no rig" 1 "sinew-viewer: *hero.glb: is a character and no rig; *sinew bind*" \
  "$viewer" "$scratch/hero.glb" --render "$scratch/no.png"
"$sinew" bind rigs/human.lua "$scratch/hero.glb" -o "$scratch/hero.lua" >"$scratch/matches"
viewer_start "$scratch/hero.lua" --size 640x400
expect "a bound character is worn" 0 "ok * vertices in 1 parts, shown" ask character
tell "shot $scratch/worn.png"
tell "set left_shoulder.raise=90"
tell "shot $scratch/raised.png"
expect "it follows" 0 seen seen "$scratch/worn.png" "$scratch/raised.png"
tell "close character"
expect "it can be taken off" 0 "ok * vertices in 1 parts, hidden" ask character
tell "shot $scratch/bones.png"
expect "which shows the bones" 0 seen seen "$scratch/raised.png" "$scratch/bones.png"
expect "quit again" 0 "ok" ask quit
expect "a crowd wears it" 0 "" "$viewer" "$scratch/hero.lua" --crowd 4 --size 300x200 \
  --render "$scratch/crowd.png"
rm "$scratch/hero.glb"
expect "no picture without the character's file" 1 "sinew-viewer: *hero.glb: cannot open*" \
  "$viewer" "$scratch/hero.lua" --render "$scratch/no.png"
report

#!/bin/sh
# The viewer's own CPU time in a frame, in a 1920x1080 window with the human rig and all panels open:
# of the thread that draws, without the GL driver, the X server and the wait for the next frame.
cd "$(dirname "$0")/../.." || exit 1
screen=1920x1080
. tests/e2e/viewer.sh
no_gl_build || { echo "SKIPPED the viewer's frame: no compiler, or raylib is not on SDL"; exit 0; }
screen_start
no_gl_frames rigs/human.lua 500 >/dev/null 2>"$scratch/err"
awk '{ printf "the viewer itself %.3f ms a frame, %.0f draws of %.0f vertices, %d frames\n",
  $7 / $1, $3 / $1, $5 / $1, $1 }' "$play/no_gl"

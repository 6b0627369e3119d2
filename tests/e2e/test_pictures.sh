#!/bin/sh
# ./dev pictures: its commands are printed, and one of them is run by hand, as its row says.
. tests/e2e/viewer.sh

list() { $lua rigs/tools/pictures.lua --list "$@"; }
expect "a command for each picture" 0 "build/bin/sinew-viewer rigs/human.lua --crowd * --render rigs/pictures/crowd.png" list
expect "by part of a name" 0 "3" sh -c "$lua rigs/tools/pictures.lua --list spine | wc -l"
expect "by two" 0 "*/knee.png" list knee leg
expect "a name that is not there" 1 "no such picture; there are: human leg *" list elbow

small() { # name: runs its command for a small picture, which is compared with the large one
  # shellcheck disable=SC2046 # words
  $(list "$1" | tail -n 1) --size 200x100 --render "$scratch/$1.png" 2>/dev/null || return
  difference "$scratch/$1.png" "rigs/pictures/$1.png"
}
expect "of the code in README.md" 1 "*is 200x100, 'rigs/pictures/leg.png'*" small leg
expect "of a sheet" 1 "*is 200x100, 'rigs/pictures/knee.png'*" small knee
report

#!/bin/sh
# Bones against the meshes that they were measured on, where these are.
# shellcheck disable=SC2086,SC2154
. tests/e2e/expect.sh

data=../shared/data/geometry
measure="$lua rigs/tools/bones.lua"
expect "a folder without meshes" 1 "*no bone meshes in '$play'*" $measure -d "$play"
if [ ! -f $data/r_femur.vtp ]; then
  skip "bones against real ones: there is no $data"
fi

for bone in femur tibia patella calcaneus metatarsal humerus scapula vertebra_lumbar; do
  expect "$bone is as near as it should be" 0 "| $bone | *closed, one piece |" \
    $measure -d $data $bone
done
cp $data/r_tibia.vtp "$play/r_femur.vtp"
expect "another bone is over the limit" 1 "| femur | *one piece, OVER |" $measure -d "$play" femur
expect "a bone without a counterpart" 1 "*'tail' has no counterpart" $measure -d $data tail
report

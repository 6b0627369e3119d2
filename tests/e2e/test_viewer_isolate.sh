#!/bin/sh
# The viewer with --isolate: the script of a rig in a process of its own. Whatever that process does,
# the window stays, with its pose and its keys; and without --isolate a hostile rig does no harm
# either. With SINEW_TEST_LONG it shows 500 hostile rigs in both ways instead of a few.
. tests/e2e/viewer.sh
rig=$scratch/one.lua

# a rig with a component that runs in Lua; TOP and EVAL are inserted
script() { # top, eval
  cat <<END
local sinew = require 'sinew'
$1
local rig = sinew.rig 'one'
local dof = rig:dof('d', { min = 0, max = 90 })
local Half = sinew.component { name = 'half', inputs = { 'angle' }, outputs = { 'angle' },
  params = { share = 0.5 }, record = false,
  draw = function(self, canvas) canvas:line({0, 0, 0}, {0, 1, 0}) end,
  eval = function(self, a) $2 return a * self.share end }
rig:segment('bone', { at = {0, 1, 0} }):drive(rig:rotation { rig:add(Half { dof, name = 'half' }).angle,
  axis = {1, 0, 0} })
return rig
END
}
process() { pgrep -P "$viewer_pid" -f rig-process; }
good() { script "" "" >"$rig"; }

good
viewer_start "$rig" --size 640x480 --isolate
expect "the rig is there" 0 "ok 1 d" ask dofs
expect "its script runs in another process" 0 "[0-9]*" process

tell "set d=60"
expect "a component in Lua is evaluated" 0 same same "$(world bone)" "$(evaluated "$rig" bone d=60)" 1e-5
expect "a live edit of it" 0 "ok*" ask "choose half"
expect "of its parameter" 0 "ok*" ask "param share=0.25"
expect "moves the bone" 0 same same "$(world bone)" "$(evaluated "$rig" bone d=30)" 1e-5
expect "what it draws" 0 "ok*" ask "open limits"
expect "has no mistake" 0 "ok " ask banner
expect "keys" 0 "ok 1" ask "key 1"
tell "set d=20"
expect "another" 0 "ok 1" ask "key 2"
expect "are there" 0 "ok 3 in 1 channels, 2 s, unsaved" ask keys

# the same for every rig, and `sinew view` passes it on
for file in rigs/*.lua; do
  case $file in *.tuning.lua | *.test.lua) continue ;; esac
  $sinew explain "$file" >"$scratch/here" 2>&1
  $sinew check "$file" >>"$scratch/here" 2>&1
  $sinew explain "$file" --isolate >"$scratch/there" 2>&1
  $sinew check --isolate "$file" >>"$scratch/there" 2>&1
  expect "$file in a process of its own" 0 "" cmp "$scratch/here" "$scratch/there"
done
mkdir "$scratch/bin"
cp $sinew "$scratch/bin"
printf '#!/bin/sh\necho "$@"\n' >"$scratch/bin/sinew-viewer"
chmod +x "$scratch/bin/sinew-viewer"
expect "sinew view" 0 "one.lua d=1 --option a=b --isolate" \
  "$scratch/bin/sinew" view --isolate one.lua d=1 --option a=b

# the process is killed in several ways
for signal in KILL SEGV ABRT; do
  before=$(process)
  kill -$signal "$before"
  again=$before
  for _ in $(seq 100); do
    tell frame
    again=$(process) && [ "$again" != "$before" ] && break
    sleep 0.05
  done
  expect "another process after SIG$signal" 0 "[0-9]*" process
  expect "the keys are kept" 0 "ok 3 in 1 channels, 2 s, unsaved" ask keys
  expect "the rig moves" 0 "ok*" ask "set d=40"
  expect "with the edit that is not saved" 0 same same "$(world bone)" \
    "$(evaluated "$rig" bone d=20)" 1e-5
done
expect "the terminal says why" 0 "*one.lua: the rig's process ended (signal 11, *), and was started again" \
  grep "signal 11" "$scratch/err"

# a process that ends all the time is given up until the script is saved
kill -KILL "$(process)"
expect "the fourth in ten seconds" 0 "ok *ended (signal 9, *when a DOF or a file changes" \
  until_answer banner "ok *when a DOF or a file*"
expect "keys are still kept" 0 "ok 3 in 1 channels, 2 s, unsaved" ask keys
script "" "local saved" >"$rig"
expect "mended by a save" 0 "ok " until_answer banner "ok "
expect "and it moves" 0 same same "$(tell "set d=50" && world bone)" "$(evaluated "$rig" bone d=25)" 1e-5

# scripts that do harm while they load, then while they are evaluated
harm() { # what, script's top, eval, pattern of the banner
  script "$2" "$3" >"$rig"
  expect "$1" 0 "ok $4" until_answer banner "ok $4"
  expect "$1: the keys are kept" 0 "ok 3 in 1 channels, 2 s, unsaved" ask keys
  script "" "local x$1" >"$rig"
  expect "$1: mended" 0 "ok " until_answer banner "ok "
}
harm endless "while true do end" "" "*stopped*"
harm memory "local t = {} while true do t[#t + 1] = ('x'):rep(1e5) .. #t end" "" "*stopped*"
harm error "error 'out'" "" "*one.lua:2*out*"
harm eval_error "" "if a > 1 then error 'now' end" "*now*"
harm eval_endless "" "while a > 1 do end" "*stopped*"
harm not_a_rig "do return 5 end" "" "*must return its rig*"
tell quit

# shows hostile rigs, each for a moment with a DOF moved; what was keyed is there after each ten
hostile() { # how many, seed, arguments of the viewer...
  many=$1 seed=$2
  shift 2
  mkdir -p "$scratch/hostile"
  $lua tests/e2e/hostile_variants.lua "$seed" "$many" "$scratch/hostile" || return
  good
  viewer_start "$rig" --size 320x240 --show limits "$@"
  tell "key 1" "set d=20" "key 2"
  shown=0
  while [ $shown -lt "$many" ] && kill -0 "$viewer_pid" 2>/dev/null; do
    shown=$((shown + 1))
    cp "$scratch/hostile/$shown.lua" "$rig"
    # until it was loaded, or refused
    for _ in $(seq 100); do
      case $(ask banner)$(ask note) in *"ok "?*"ok"* | *reloaded*) break ;; esac
      sleep 0.02
    done
    tell "set d=45" frame "set d=20"
    [ $((shown % 10)) = 0 ] || continue
    script "" "local n$shown" >"$rig"
    until_answer banner "ok " >"$scratch/last"
    [ "$(ask keys)" = "ok 2 in 1 channels, 2 s, unsaved" ] && continue
    echo "after $shown of seed $seed: $(ask keys), $(cat "$scratch/last")"
    break
  done
  if ! kill -0 "$viewer_pid" 2>/dev/null; then
    echo "the viewer ended at $shown of seed $seed: $(tail -n 3 "$scratch/err")"
    return 1
  fi
  tell quit
  wait "$viewer_pid"
  echo "$shown shown"
}
few=16
[ -z "${SINEW_TEST_LONG-}" ] || few=500
seed=${SINEW_TEST_SEED-1}
expect "hostile rigs in a process of their own" 0 "$few shown" hostile $few "$seed" --isolate
expect "hostile rigs in the viewer's" 0 "$few shown" hostile $few "$seed"

# builds for tests have a script that ends its process as a fault does
ways="fault nonsense"
[ -z "${SINEW_TEST_LONG-}" ] || ways="fault abort exit hang close talk nonsense"
checked=build/sanitize/bin/sinew-viewer
if [ -x $checked ]; then
  viewer=$PWD/$checked
  for way in $ways; do
    good
    viewer_start "$rig" --size 320x240 --isolate
    tell "key 1" "set d=5" "key 2"
    script "print 'end this process: $way'" "" >"$rig"
    expect "$way: while it loads" 0 "ok *the rig's process *" \
      until_answer banner "ok *the rig's process *"
    script "" "if a > 50 then print 'end this process: $way' end" >"$rig"
    expect "$way: mended" 0 "ok " until_answer banner "ok "
    tell "set d=60"
    expect "$way: the window and the keys stay" 0 "ok 2 in 1 channels*" ask keys
    tell "set d=10"
    expect "$way: another value mends it" 0 "ok " until_answer banner "ok "
    tell quit
  done
else
  echo "SKIPPED scripts that end their process on purpose: there is no $checked"
fi

report

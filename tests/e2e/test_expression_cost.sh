#!/bin/sh
# Instructions of joints that are written as expressions, by callgrind, against the same joints wired
# by hand from maps and dependencies: in a pose and in a batch they must not cost more.
set -eu
cd "$(dirname "$0")/../.."
. tests/e2e/expect.sh

cat >"$play/joints.lua" <<'END'
local sinew = require "sinew"
local linear = sinew.linear
-- each twice: with expressions, by hand
local joints = {
  minus = { function(_, s, a) s:drive(sinew.rotate(-a, "x")) end,
    function(rig, s, a)
      local m = rig:map { a, value = linear { { 0, 0 }, { 120, -120 } } }
      s:drive(rig:rotation { m, axis = { 1, 0, 0 } })
    end },
  coupled = { function(_, s, a) s:drive(sinew.rotate(0.5 * a + 10, "x")) end,
    function(rig, s, a)
      local m = rig:map { a, value = linear { { 0, 10 }, { 120, 70 } } }
      s:drive(rig:rotation { m, axis = { 1, 0, 0 } })
    end },
  sum = { function(_, s, a, b, c) s:drive(sinew.rotate(a + b - c, "x")) end,
    function(rig, s, a, b, c)
      local up = linear { { 0, 0 }, { 120, 120 } }
      local m = rig:dependency { b, a, offset = up }
      m = rig:dependency { c, m, offset = linear { { 0, 0 }, { 120, -120 } } }
      s:drive(rig:rotation { m, axis = { 1, 0, 0 } })
    end },
  least = { function(_, s, a, b) s:drive(sinew.rotate(sinew.min(a, b), "x")) end,
    function(rig, s, a, b)
      local m = rig:dependency { b, a, upper = linear { { 0, 0 }, { 120, 120 } } }
      s:drive(rig:rotation { m, axis = { 1, 0, 0 } })
    end },
  limit = { function(_, s, a, b)
      s:drive(sinew.rotate(a:limit { min = 10 - 0.1 * b, max = 65 - 0.5 * b }, "x"))
    end,
    function(rig, s, a, b)
      local m = rig:dependency { b, a, lower = linear { { 0, 10 }, { 120, -2 } },
        upper = linear { { 0, 65 }, { 120, 5 } } }
      s:drive(rig:rotation { m, axis = { 1, 0, 0 } })
    end },
  knee = { function(_, s, a)
      s:drive(sinew.translate(a:spline { { 0, 0 }, { 40, -0.004 }, { 120, -0.012 } }, "y")
        * sinew.rotate(-a, { 1, 0, 0.08 }))
    end,
    function(rig, s, a)
      local m = rig:map { a, y = sinew.spline { { 0, 0 }, { 40, -0.004 }, { 120, -0.012 } },
        turn = linear { { 0, 0 }, { 120, -120 } } }
      s:drive(rig:multiply { rig:translation { y = m.y },
        rig:rotation { m.turn, axis = { 1, 0, 0.08 } } })
    end },
}
return function(kind, way)
  local rig = sinew.rig(kind)
  for i = 1, 32 do
    local d = {}
    for k = 1, 3 do d[k] = rig:dof("d" .. i .. "_" .. k, { min = 0, max = 120 }) end
    joints[kind][way](rig, rig:segment("s" .. i), d[1], d[2], d[3])
  end
  return rig
end
END
cat >"$play/crowd.lua" <<'END'
local sinew = require "sinew"
package.path = arg[3] .. "/?.lua;" .. package.path
local rig = require "joints" (arg[1], tonumber(arg[2]))
local crowd, rows, seed = rig:crowd(64, { threads = 1 }), sinew.buffer(64 * 96), 1
for i = 1, 64 * 96 do
  seed = seed * 16807 % 2147483647
  rows[i] = seed % 120
end
crowd:set(rows)
crowd:eval()
END

# kind, way: instructions for a character. Only the evaluation is counted: what Lua spends on loading
# and on its collector changes from run to run.
batch() {
  all=$(LUA_CPATH="$PWD/build/lua/?.so" LUA_PATH="$PWD/lua/?.lua;$PWD/lua/?/init.lua" \
    valgrind --tool=callgrind --toggle-collect=crowd_eval --callgrind-out-file=/dev/null \
    lua5.4 "$play/crowd.lua" "$1" "$2" "$play" 2>&1 | sed -n 's/.*Collected : //p')
  echo $((all / 64))
}

kinds="minus coupled sum least limit knee"
for kind in $kinds; do
  for way in 1 2; do
    printf 'return require "joints" ("%s", %s)\n' $kind $way >"$play/$kind$way.lua"
  done
done
count_evaluations "$play"/*[12].lua

no_dearer() { # what, expression, by hand
  echo "$1: $2 as expressions, $3 by hand"
  [ "$2" -gt 0 ] && [ "$2" -le "$3" ]
}
for kind in $kinds; do
  one=$(sed -n "s,^$play/${kind}1.lua ,,p" "$play/now")
  two=$(sed -n "s,^$play/${kind}2.lua ,,p" "$play/now")
  no_dearer "pose of 32 $kind" "$one" "$two" || true
  expect "$kind costs no more in a pose than by hand" 0 "*" no_dearer "$kind" "$one" "$two"
  one=$(batch $kind 1)
  two=$(batch $kind 2)
  no_dearer "character of 32 $kind in a batch" "$one" "$two" || true
  expect "$kind costs no more in a batch than by hand" 0 "*" no_dearer "$kind" "$one" "$two"
done
report

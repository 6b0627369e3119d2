#!/bin/sh
# README's table of benchmarks and the table of peers, from made-up figures: what is shown, and what
# is refused without changing README. Run it from the project's root.
. tests/e2e/expect.sh

opening=$(sed -n 's/^local opening = "\(.*\)"$/\1/p' tests/bench/readme.lua)
closing=$(sed -n 's/^local closing = "\(.*\)"$/\1/p' tests/bench/readme.lua)
figures() { # file, rows...
  file=$play/$1
  shift
  echo "name,value,unit,at_most" >"$file"
  [ $# = 0 ] || printf '%s\n' "$@" >>"$file"
}
page() { # lines
  printf '%s\n' "$@" >"$play/page.md"
  cp "$play/page.md" "$play/before.md"
}
readme() { "$lua" tests/bench/readme.lua "$play/page.md" "$@"; }
line() { grep -c -x -F -- "$1" "$play/page.md"; }
refuses() { # label, pattern, rows...: an error, and README is unchanged
  what=$1 said=$2
  shift 2
  figures wrong.csv "$@"
  expect "$what" 1 "readme: $said" readme "$play/wrong.csv"
  expect "$what, and the page stays" 0 "" cmp "$play/page.md" "$play/before.md"
}

page "# A page" "before" "$opening" "an old table" "$closing" "after"
figures one.csv '"body75 / N",0.3312,ratio,0.5' '"N: naive cglm loop, 150 rotations",4360.1,ns,' \
  '"human / N",1.326,ratio,1.2' '"share of all cones, 50% of the ranges",0.0341,ratio,0.04'
figures two.csv '"body75 / N",0.372,ratio,0.5' '"body75 / MuJoCo",0.1239,ratio,0.25' \
  '"N: naive cglm loop, 150 rotations",5000.1,ns,' '"something else",3,ratio,'
expect "rows that were not measured are reported" 0 "SKIPPED the row of *: not measured" \
  readme "$play/one.csv" "$play/two.csv"
expect "the worst of several runs" 0 1 line \
  "| bare body, 75 segments, 150 rotations about centres: one pose | 0.37 N | 0.50 N |"
expect "a bare ratio" 0 1 line "| the same, over MuJoCo's \`mj_kinematics\` | 0.12 | 0.25 |"
expect "what is over its bound is shown" 0 1 line \
  "| \`rigs/human.lua\`, every limit, all DOFs random: one pose | 1.33 N, **over** | 1.20 N |"
expect "a share" 0 1 line "| all reach cones, of one evaluation on smooth motion | 3.4 % | 4.0 % |"
expect "the quickest of several times" 0 1 line "N was 4.36 microseconds."
expect "no other rows" 0 6 grep -c "^|" "$play/page.md"
expect "the old table was removed" 1 0 line "an old table"
expect "text before it stays" 0 1 line "before"
expect "text after it stays" 0 1 line "after"
cp "$play/page.md" "$play/before.md"
readme "$play/one.csv" "$play/two.csv" >/dev/null
expect "making it twice changes nothing" 0 "" cmp "$play/page.md" "$play/before.md"

refuses "no number" "*/wrong.csv:2: 'human / N' is no number: 'fast'" '"human / N",fast,ratio,1.2'
refuses "not a number" "*'human / N' is no number: '*nan'" '"human / N",-nan,ratio,1.2'
refuses "an endless one" "*'human / N' is no number: 'inf'" '"human / N",inf,ratio,1.2'
refuses "a ratio of nothing" "'human / N' cannot be -0.1 ratio" '"human / N",-0.1,ratio,1.2'
refuses "a time for a ratio" "'human / N' cannot be 12 ns" '"human / N",12,ns,'
refuses "no bound" "'human / N' has no bound" '"human / N",1.1,ratio,'
refuses "an invalid bound" "*'human / N' cannot be at most '-1'" '"human / N",1.1,ratio,-1'
refuses "a row that is cut off" "*not a row of four: *" '"human / N",1.1'
refuses "two bounds for one figure" "*has another bound or unit elsewhere" '"human / N",1,ratio,1.2' \
  '"human / N",1,ratio,1.3'
refuses "nothing that the table is of" "none of the table's figures was measured" '"else",1,ratio,'
echo "name;value" >"$play/other.csv"
expect "another kind of file" 1 "readme: *not a benchmark's table*" readme "$play/other.csv"
: >"$play/empty.csv"
expect "an empty file" 1 "readme: *empty.csv is empty" readme "$play/empty.csv"
expect "a file that is not there" 1 "readme: *No such file*" readme "$play/none.csv"
expect "no files" 1 "readme: usage: *" readme
page "$opening" "no end"
expect "a page without an end to the table" 1 "readme: there is no line *" readme "$play/one.csv"
expect "and that page stays" 0 "" cmp "$play/page.md" "$play/before.md"
page "$closing" "$opening"
expect "the lines in the wrong order" 1 "readme: *in the wrong order" readme "$play/one.csv"
page "$opening" "$closing" "$opening" "$closing"
expect "two tables" 1 "readme: there are two lines *" readme "$play/one.csv"
expect "the project's own README has the markers" 0 2 grep -c -x -F "$opening
$closing" README.md

peers() { "$lua" tests/peers/table.lua "$@"; }
figures peer.csv '"body75 / N",0.33,ratio,0.5' '"body75 / N, median",0.34,ratio,' \
  '"N, in turn with it",4360,ns,' '"MuJoCo / N",2.72,ratio,' '"MuJoCo / N, median",2.8,ratio,' \
  '"body75 / MuJoCo",0.3,ratio,0.25'
peer_line() { peers "$play/peer.csv" | grep "^$1" | tr -s ' '; }
expect "a peer's row, over its bound" 0 "MuJoCo 2.72 2.80 0.30 0.25 OVER" peer_line MuJoCo
expect "Sinew's own" 0 "Sinew, one pose 0.33 0.34" peer_line Sinew
expect "a peer that is missing" 0 "LuaJIT SKIPPED *" peer_line LuaJIT
figures wrong.csv '"MuJoCo / N",quick,ratio,'
expect "peers refuse nonsense too" 1 "table: *is no number: 'quick'" peers "$play/wrong.csv"
report

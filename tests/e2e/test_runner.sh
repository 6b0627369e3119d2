#!/bin/sh
# A failing test in any file makes the runner of the C tests fail.
. tests/e2e/expect.sh
run=build/debug/bin/sinew-selftest

expect "a failing test in a second file fails the run" 1 "1 passed, 1 failed" $run
expect "passing tests pass" 0 "1 passed, 0 failed" $run passes
expect "a failing test alone fails" 1 "0 passed, 1 failed" $run fails
expect "a name that no test has fails" 1 "0 passed, 0 failed" $run nothing_like_this
expect "a brief run leaves slow tests out" 0 "1 passed, 0 failed" env SINEW_TEST_BRIEF=1 $run
# shellcheck disable=SC2016
expect "it names the nearest" 0 "no suite is called 'this_one_pases'*nearest are this_one_passes*" \
  sh -c '"$1" this_one_pases | sed -n 1p' sh $run
expect "a suite's name runs its tests" 1 "0 passed, 1 failed" $run second_file
expect "a folder's name runs the tests in it" 1 "*1 failed" $run selftest
# shellcheck disable=SC2016
expect "a suite's name that is mistyped is among the nearest" 0 "*nearest are second_file,*" \
  sh -c '"$1" second_fil3 | sed -n 1p' sh $run
# shellcheck disable=SC2016
expect "a failed comparison prints both values and its tolerance" 0 \
  "*second_file.c:*: 0.25 is 0.25, expected 0.5 within 0.125" \
  sh -c '"$1" | sed -n 1p' sh $run
report

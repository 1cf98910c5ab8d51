#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/run.sh: a test ends by the processor time that it took, not by the time that passed on a busy machine; a test that waits
# forever ends, too.  Continuous integration fails where a tool is missing.
# shellcheck source=tests/cli/lib.sh disable=SC2154  # which sets here and work
. "$(dirname "$0")/lib.sh"
command -v bash >/dev/null || { skip "bash is not installed" && finish; exit; }
unset TEST_JOBS TEST_LIMIT TEST_WALL TEST_RUNNER TEST_TOOLS TEST_STOP TEST_TIMES # of the run that this test is part of

tests() { # STATUS TEST...: runs them; the results are in `out`
    expected=$1
    shift
    bash "$here/../run.sh" "$@" >out 2>err </dev/null
    got=$?
    if [ "$got" = "$expected" ]; then pass; else fail "run.sh $*: exit status $got, expected $expected"; fi
}

echo 'sleep 3' >waits.sh
echo 'sleep 900' >hangs.sh
echo 'sh -c "while :; do :; done" & wait' >spins.sh # in a child, and sh itself takes no time
# Children that end are counted, too: none of them takes a second.
echo 'while :; do timeout 0.4 sh -c "while :; do :; done"; done' >many.sh
echo 'trap "" TERM; while :; do sleep 0.1; done' >ignores.sh
: >passes.sh

export TEST_LIMIT=1 TEST_WALL=900
tests 0 ./waits.sh
expect_text out '1 passed, 0 failed, 0 skipped'
tests 1 ./spins.sh ./many.sh ./waits.sh
expect_text out '1 passed, 2 failed, 0 skipped'
if [ "$(grep -c 'more than 1 s of processor time (TEST_LIMIT)' out)" = 2 ]; then pass; else fail "limits of processor time"; fi
TEST_WALL=1 tests 1 ./hangs.sh
expect_text out '1 s have passed (TEST_WALL)'
TEST_WALL=2 tests 1 ./ignores.sh
expect_text out '0 passed, 1 failed, 0 skipped'

printf 'echo "skipped: sometool is not installed: nothing is read"\necho "1 passed, 0 failed, 1 skipped"\n' >skips.sh
tests 0 ./skips.sh
TEST_TOOLS=required tests 1 ./skips.sh
expect_text out '1 passed, 1 failed, 1 skipped'
TEST_TOOLS=required tests 0 ./passes.sh

finish

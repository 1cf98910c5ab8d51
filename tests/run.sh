#!/bin/sh
# Runs test programs (cmocka) and scripts (*.sh), shows what failed and what was skipped, and counts.
# usage: tests/run.sh PROGRAM...; scripts find the program to test in $ODORI.
set -u
passed=0 failed=0 skipped=0
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
for t in "$@"; do
    name=${t##*/}
    case $t in *.sh) sh "$t" >"$log" 2>&1 ;; *) "$t" >"$log" 2>&1 ;; esac
    rc=$?
    ok=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p; s/^\([0-9]*\) passed.*/\1/p' "$log" | tail -n 1)
    bad=$(sed -n 's/^ *\([0-9]*\) FAILED TEST.*/\1/p; s/^[0-9]* passed, \([0-9]*\) failed.*/\1/p' "$log" | tail -n 1)
    skip=$(sed -n 's/^\[  SKIPPED \] \([0-9]*\) test.*/\1/p; s/^[0-9]* passed, [0-9]* failed, \([0-9]*\) skipped/\1/p' "$log" | tail -n 1)
    ok=${ok:-0} bad=${bad:-0} skip=${skip:-0}
    if [ "$rc" != 0 ] && [ "$bad" = 0 ]; then bad=1; fi
    if [ "$rc" = 0 ] && [ "$ok" = 0 ] && [ "$skip" = 0 ]; then ok=1; fi
    passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + skip))
    printf '%-28s %4d passed %3d failed %3d skipped\n' "$name" "$ok" "$bad" "$skip"
    if [ "$bad" != 0 ]; then sed 's/^/    /' "$log" | grep -v '\[ RUN\|\[       OK' | tail -n 60; fi
    if [ "$skip" != 0 ]; then grep -i 'skip' "$log" | grep -v '^\[' | sort -u | sed 's/^/    /' | head -n 5; fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]

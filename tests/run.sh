#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs test programs (cmocka) and scripts (*.sh) in parallel; prints failures, skipped tests and totals.
# usage: tests/run.sh TEST...     TEST: a script, which finds the program to test in $ODORI, a test program, or
#                                 PROGRAM:FILE for one test file of a program that contains several
#   TEST_JOBS   number of tests at the same time (default: one more than the number of cores, or than the quota of the control
#               group allows, since tests also wait)
#   TEST_LIMIT  limit of a test's processor time in seconds, in all of its processes (default: 900)
#   TEST_WALL   limit of its duration in seconds, which ends a test that waits forever (default: 3 x TEST_LIMIT); a machine
#               that is busy with other work delays a test, but does not change the processor time that it needs
#   TEST_RUNNER a program that runs the compiled tests, such as qemu-aarch64-static
#   TEST_TOOLS  "required" fails a test that skips because a tool is not installed
#   TEST_STOP   1 ends after the first report of a failure
#   TEST_TIMES  1 prints the duration of each test and its processor time in the program and in the kernel, the longest last
# Temporary files of tests are in memory where /dev/shm is large enough and TMPDIR is not set: the tests would wait for disks.
# Tests start and are reported in the order given; for a failed one the command that repeats it is printed.
# Each test has its own process group, so that its child processes end with it, and all tests end with this script.
set -um
limit=${TEST_LIMIT:-900} ticks=$(getconf CLK_TCK)
cores=$(nproc)
if read -r quota period 2>/dev/null </sys/fs/cgroup/cpu.max && [ "$quota" != max ] && [ $((quota / period)) -lt "$cores" ]; then
    cores=$((quota / period))
fi
wall=${TEST_WALL:-$((3 * limit))} jobs=${TEST_JOBS:-$((cores + 1))}
work=$(mktemp -d) || exit 1
if [ -z "${TMPDIR-}" ] && [ "$(df -k --output=avail /dev/shm 2>/dev/null | tail -n 1)" -ge 2000000 ] 2>/dev/null &&
    memory=$(mktemp -d /dev/shm/odori-tests-XXXXXX 2>/dev/null); then
    printf '#!/bin/sh\n' >"$memory/run" && chmod 700 "$memory/run" # tests also run programs there
    if "$memory/run" 2>/dev/null; then export TMPDIR=$memory; else rm -rf "$memory"; fi
fi
mkfifo "$work/ended" && exec 3<>"$work/ended" || exit 1
# Numbers of tests that ended arrive there, and an empty line every two seconds: a read with a time limit would lose the
# first half of a number that it was interrupted in.
while sleep 2 && kill -0 $$ 2>/dev/null; do echo >&3; done &
clock=$! && disown
trap 'kill -- -$clock; rm -rf "$work" ${memory:+"$memory"}' EXIT
passed=0 failed=0 skipped=0
groups=() ended=() commands=() exceeded=()

end_all() { # STATUS
    trap '' INT TERM HUP
    exec 2>/dev/null
    kill -TERM -- "${groups[@]/#/-}"
    sleep 1
    kill -KILL -- "${groups[@]/#/-}"
    exit "${1-130}"
}
trap end_all INT TERM HUP

run_one() { # NUMBER COMMAND...
    local number=$1 begin=${EPOCHREALTIME/[.,]/}
    shift
    trap : TERM # of stop_greedy; the test does not inherit it
    timeout --foreground --kill-after=10 "$wall" "$@" >"$work/$number.log" 2>&1 3>&- </dev/null
    echo "$? $((${EPOCHREALTIME/[.,]/} - begin))" >"$work/$number.rc"
    times >>"$work/$number.rc" # of this process and, in the third line, of the test
    echo "$number" >&3
}

start() { # NUMBER TEST
    local words=() program=${2%%:*}
    case $2 in
    *.sh) words=(sh "$2") ;;
    *)
        # shellcheck disable=SC2206  # no runner is no word
        words=(${TEST_RUNNER-} "$program")
        [ "$program" = "$2" ] || words+=("${2#*:}") ;;
    esac
    run_one "$1" "${words[@]}" &
    groups[$1]=$!
    commands[$1]=${words[*]}
}

# Ends the tests whose processes, and those that they waited for, took more processor time than the limit.
stop_greedy() {
    local number group used
    while read -r group used; do
        for number in "${!groups[@]}"; do
            if [ "${groups[number]}" = "$group" ] && [ "$used" -gt $((limit * ticks)) ] && [ -z "${exceeded[number]-}" ]; then
                exceeded[number]=1
                kill -TERM -- "-$group" 2>/dev/null
            fi
        done
    done < <(cat /proc/[0-9]*/stat 2>/dev/null | awk \
        '{ sub(/.*\) /, ""); used[$3] += $12 + $13 + $14 + $15 } END { for (g in used) printf "%s %.0f\n", g, used[g] }')
}

# The variables that the tests of this repository read.
repeat_command() { # NUMBER
    local variable seed
    seed=$(sed -n 's/.*\bseed \([0-9][0-9]*\).*/\1/p' "$work/$1.log" | head -n 1)
    printf 'repeat with:'
    for variable in ODORI ODORI_DEMO NEAR JSON_CHECK SHIM SHARED FAULTS N ASAN_OPTIONS LSAN_OPTIONS; do
        [ -z "${!variable-}" ] || printf " %s='%s'" "$variable" "${!variable}"
    done
    echo "${seed:+ SEED=$seed} ${commands[$1]}"
}

count_in() { # LOG SED-SCRIPT: the last number that the script prints
    sed -n "$2" "$1" | tail -n 1
}

report() { # NUMBER TEST
    local log=$work/$1.log name=${2##*/} rc us user system ok bad skip
    [ "${2%%:*}" = "$2" ] || { name=${2%%:*} && name="${name##*/} ${2#*:}"; }
    { read -r rc us && read -r && read -r user system; } <"$work/$1.rc"
    [ "$rc" != 124 ] || echo "$wall s have passed (TEST_WALL)" >>"$log"
    [ -z "${exceeded[$1]-}" ] || { echo "more than $limit s of processor time (TEST_LIMIT)" >>"$log" && rc=124; }
    ok=$(count_in "$log" 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p; s/^\([0-9]*\) passed.*/\1/p')
    bad=$(count_in "$log" 's/^ *\([0-9]*\) FAILED TEST.*/\1/p; s/^[0-9]* passed, \([0-9]*\) failed.*/\1/p')
    skip=$(count_in "$log" 's/^\[  SKIPPED \] \([0-9]*\) test.*/\1/p; s/^[0-9]* passed, [0-9]* failed, \([0-9]*\) skipped/\1/p')
    ok=${ok:-0} bad=${bad:-0} skip=${skip:-0}
    if [ "$rc" != 0 ] && [ "$bad" = 0 ]; then bad=1; fi
    if [ "$rc" = 0 ] && [ "$ok" = 0 ] && [ "$skip" = 0 ]; then ok=1; fi
    if [ "${TEST_TOOLS-}" = required ] && grep -q '^skipped: .* is not installed' "$log"; then bad=$((bad + 1)); fi
    passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + skip))
    printf '%-38s %4d passed %3d failed %3d skipped\n' "$name" "$ok" "$bad" "$skip"
    printf '%7d ms  %10s %10s  %s\n' $((us / 1000)) "$user" "$system" "$name" >>"$work/times"
    if [ "$bad" != 0 ]; then sed 's/^/    /' "$log" | grep -v '\[ RUN\|\[       OK' | tail -n 60 && echo "    $(repeat_command "$1")"; fi
    grep -i '^ *skip\|^swept\|^killed' "$log" | sort -u | sed 's/^/    /' | head -n 5
}

begin=${EPOCHREALTIME/[.,]/}
tests=("$@")
next=0 reported=0
while [ "$reported" -lt $# ]; do
    while [ "$next" -lt $# ] && [ "${#groups[@]}" -lt "$jobs" ]; do
        start "$next" "${tests[next]}"
        next=$((next + 1))
    done
    read -r number <&3 || continue
    if [ -z "$number" ]; then
        stop_greedy
        continue
    fi
    wait "${groups[number]}"
    kill -KILL -- "-${groups[number]}" 2>/dev/null # processes that it left running
    unset "groups[$number]"
    ended[number]=1
    while [ "${ended[reported]-}" ]; do
        report "$reported" "${tests[reported]}"
        [ "${TEST_STOP:-0}" = 0 ] || [ "$failed" = 0 ] || end_all 1
        reported=$((reported + 1))
    done
done
[ "${TEST_TIMES:-0}" = 0 ] || sort -n "$work/times"
echo "$passed passed, $failed failed, $skipped skipped, in $(((${EPOCHREALTIME/[.,]/} - begin) / 1000000)) s"
[ "$failed" = 0 ]

#!/bin/sh
# SPDX-License-Identifier: MIT
# Allocations of the program itself fail, in each of its processes: status 69 with one error, or the whole
# film where only a worker was lost.  Of the libraries only libfyaml is tested here, since the numbers of
# their allocations depend on the machine; tests/faults/memory.sh fails those too.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
# shellcheck source=tests/cli/memory.sh
. "$here/memory.sh"

memory_set_up
for n in 1 2 3 5 $(seq 8 4 88); do check_own_fault "own:odori:$n"; done
for n in 4 20 40 60 80; do check_own_fault "own:odori:$n+"; done
for n in $(seq 5); do check_own_fault "own:odori-worker:$n"; done
for n in 1 4; do check_own_fault "own:odori-worker:$n+"; done
for n in $(seq 1 3 31); do check_own_fault "own:odori-spawner:$n"; done
for n in 1 2; do check_own_fault "own:odori-probe:$n"; done
for n in $(seq 6); do check_own_fault "own:odori-encoder:$n"; done
for n in 1 4; do check_own_fault "own:odori-encoder:$n+"; done

# Where the spawner lacks memory for what the workers share, they open their own: nothing is reported.
render_failing own:odori-spawner:13 || fail "a spawner without memory: status $?"
if [ -s err ]; then fail "messages: $(cat err)"; else pass; fi

# A worker that lacks memory at its first frame is lost alone; the error of a second one names the frame.
render_failing own:odori-worker:1 || fail "one failed allocation of a worker: status $?"
expect_text err 'a worker died (out of memory)'
render_failing own:odori-worker:1+
expect_text err 'out of memory'

# libfyaml reads a scalar as empty text if it has no memory for it: the job is read again, or refused.
"$ODORI" render tiny.yaml --dump-config >whole.yaml 2>err || fail "--dump-config: status $?"
check_yaml_fault() { # FAULT
    rm -f count log
    env LD_PRELOAD="$SHIM" ODORI_FAULT="$1" ODORI_FAULT_COUNT="$work/count" ODORI_FAULT_LOG="$work/log" \
        "$ODORI" render tiny.yaml --dump-config >out 2>err </dev/null
    status=$?
    case $status in
    0) cmp -s out whole.yaml || fail "$1: a different job" ;;
    69) [ "$(grep -c 'error: ' err)" = 1 ] || fail "$1: not exactly one error" ;;
    *) fail "$1: status $status" ;;
    esac
    pass
}
check_yaml_fault lib:libfyaml:0
allocations=$(od -A n -t u8 count | tr -d ' ')
for n in $(seq 1 $((allocations / 40 + 1)) "$allocations"); do check_yaml_fault "lib:libfyaml:$n"; done
for n in $(seq 1 $((allocations / 10 + 1)) "$allocations"); do check_yaml_fault "lib:libfyaml:$n+"; done

# What was not finished is finished by the next run.
render_failing own:odori-encoder:4
"$ODORI" render tiny.yaml --progress none -o o/film.mp4 >out 2>err || fail "the next run: status $?"
check_film "the next run"
check_no_temporaries "the next run"
finish

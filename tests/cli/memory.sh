# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034,SC2154
# A film that is rendered while one allocation, or each one from it on, fails.  Sourced after tiny.sh
# by test_memory.sh and tests/faults/memory.sh.

render_failing() { # FAULT: of tests/faults/shim.c
    rm -rf o count log
    timeout 200 env LD_PRELOAD="$SHIM" ODORI_FAULT="$1" ODORI_FAULT_COUNT="$work/count" \
        ODORI_FAULT_LOG="$work/log" "$ODORI" render tiny.yaml --progress none -o o/film.mp4 >out 2>err </dev/null
}

memory_set_up() {
    silent_job
    render_failing malloc:0 || fail "without a fault: status $?"
    mv o calm
    total=$(od -A n -t u8 count | tr -d ' ')
}

# The file is the whole film or is absent.
check_film() { # WHAT
    cmp -s o/film.mp4 calm/film.mp4 || [ ! -e o/film.mp4 ] || fail "$1: a different film"
}

check_no_temporaries() { # WHAT
    left=$(remaining_temporaries o)
    [ -z "$left" ] || fail "$1: temporary files: $left"
}

# A fault in the program's own code ends with the whole film, or with status 69 and one error.
check_own_fault() { # FAULT
    render_failing "$1"
    status=$?
    case $status in
    0) cmp -s o/film.mp4 calm/film.mp4 || fail "$1: a different film, or none" ;;
    69) [ "$(grep -c 'error: ' err)" = 1 ] || fail "$1: not exactly one error" ;;
    *) fail "$1: status $status" ;;
    esac
    check_film "$1"
    check_no_temporaries "$1"
    pass
}

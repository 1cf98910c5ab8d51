#!/bin/sh
# SPDX-License-Identifier: MIT
# Every one of the first FIRST allocations of a tiny job fails once, and with all that follow it; and SPREAD
# more of the rest.  The program's own allocations end with status 69 and one error, or cost a worker.
# Libraries report a failed allocation as any error (base/README.md 2): the film is never a
# different one, and the next run makes it.  FROM: the first number, to continue an earlier sweep.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
here=$here/../cli
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
# shellcheck source=tests/cli/memory.sh
. "$here/memory.sh"
: "${FROM:=1}" "${FIRST:=5000}" "${SPREAD:=3000}"

check_fault() { # FAULT
    render_failing "$1"
    status=$?
    culprit=$(head -n 1 log 2>/dev/null)
    echo "$status $culprit" >>statuses
    case "$status $culprit" in
    "0 "*) cmp -s o/film.mp4 calm/film.mp4 || fail "$1: a different film, or none ($culprit)" ;;
    "69 "*) grep -q 'error: ' err || fail "$1: no error ($culprit)" ;;
    *" ${ODORI##*/} ${ODORI##*/}" | "65 "* | "66 "* | "78 "*) fail "$1: status $status ($culprit)" ;;
    "124 "*) fail "$1: did not end ($culprit)" ;;
    13[0-9]*) fail "$1: signal $((status - 128)) ($culprit)" ;;
    *) grep -q 'error: ' err || fail "$1: status $status without an error ($culprit)" ;;
    esac
    check_film "$1"
    if [ "$status" != 0 ] && [ -e o ]; then # a run that left nothing behind cannot reach the next
        "$ODORI" render tiny.yaml --progress none -o o/film.mp4 >out 2>err </dev/null ||
            fail "$1: the next run: status $?"
        cmp -s o/film.mp4 calm/film.mp4 || fail "$1: the next run: a different film"
    fi
    check_no_temporaries "$1"
    pass
}

memory_set_up
rest=$((total > FIRST ? total - FIRST : 0))
{
    seq "$FROM" "$FIRST"
    [ "$rest" = 0 ] || seq "$((FIRST + 1))" "$((rest / SPREAD + 1))" "$total"
} >numbers
while read -r n; do
    check_fault "malloc:$n"
    [ "$n" -gt "$FIRST" ] || check_fault "malloc:$n+"
done <numbers
echo "swept: $(grep -c . statuses) faults in $total allocations"
sort statuses | uniq -c | sort -rn | sed 's/^/swept: (times, status, process, object) /'
finish

#!/bin/sh
# One allocation after another finds no memory: the run ends with a message, or gets over it and makes what
# it always makes.  (Where a library of main's crashes of it, which libavformat can, the next run makes it.)  The first STEPS, then STEPS more spread over the rest.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
here=$here/../cli
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
: "${STEPS:=300}"

tiny_job
draw() { # FAULT
    rm -rf o count
    LD_PRELOAD=$SHIM ODORI_FAULT=malloc:$1 ODORI_FAULT_COUNT=count timeout 20 \
        "$ODORI" render tiny.yaml --progress none -o o/film.mp4 >out 2>err </dev/null
}

draw 0 || fail "the calm run ended with $?"
mv o calm
total=$(od -A n -t u8 count | tr -d ' ')
{ seq "$STEPS" && seq "$STEPS" $((total / STEPS)) "$total"; } >steps
while read -r n; do
    draw "$n"
    status=$?
    case $status in
    0) cmp -s o/film.mp4 calm/film.mp4 || fail "allocation $n: another film" ;;
    69 | 70 | 74 | 75) grep -q 'error: ' err || fail "allocation $n: ended with $status, and says nothing" ;;
    134 | 139) grep -q 'odori: error' err && fail "allocation $n: told, and crashed" ;; # in a library
    *) fail "allocation $n of $total ended with $status" ;;
    esac
    case $status in 134 | 139) draw 0 || fail "allocation $n: after the crash it ends with $?" ;; esac
    rest=$(find o -name '.*.tmp' 2>/dev/null)
    [ -z "$rest" ] || fail "allocation $n: left behind: $rest"
    cmp -s o/film.mp4 calm/film.mp4 || [ ! -e o/film.mp4 ] || fail "allocation $n: half a film"
    pass
    echo "$status" >>statuses
done <steps
echo "swept: $(grep -c . steps) of $total allocations; ended with (times status): $(sort statuses | uniq -c | tr -s ' \n' ' ')"
finish

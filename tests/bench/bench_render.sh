#!/bin/sh
# SPDX-License-Identifier: MIT
# Compares rendering with one worker and with all cores: frames/s, CPU time per stage, equality of pixels.
# usage: bench_render.sh [JOB...]; $ODORI is the program, $ODORI_DEMO/demo.yaml the default job
set -eu
frames=${BENCH_FRAMES:-60}
[ $# -gt 0 ] || set -- "$ODORI_DEMO/demo.yaml"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for job in "$@"; do
    for workers in 1 auto; do
        "$ODORI" render "$job" -f "0-$((frames - 1))" -j $workers --times --progress plain \
            -o "$work/$workers.sha256" 2>"$work/$workers.log"
        echo "${job##*/}, $workers worker(s):"
        sed -n 's|^  \(.* ms/frame\)$|    \1|p; s|^.*frames in .*, \(.*\)$|    \1|p' "$work/$workers.log"
    done
    if cmp -s "$work/1.sha256" "$work/auto.sha256"; then echo "    equal pixels"; else
        echo "    DIFFERENT PIXELS"
        exit 1
    fi
done

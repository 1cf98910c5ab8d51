#!/bin/sh
# SPDX-License-Identifier: MIT
# Dear inputs as a service gets them, with --limits untrusted: what each costs, how it ends, and what is written outside of its directory.
# A row: input, verb, seconds of CPU, MiB of the largest process, seconds, exit status, files outside, first message.
#
#   INPUTS='fx-passes yaml-large'   only these; LIMIT_S=900 ends a run, which is a fault: the profile ends it after 600 s of CPU
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
attack=$(cd "$here/../attack" && pwd)
all='yaml-anchors yaml-large manifest nodes-deep nodes-cycle vrm-joints obj-corners obj-faces
    fx-macros fx-nested fx-unroll fx-samplers fx-passes fx-targets fx-endless'
printf '%-13s %-10s %7s %6s %5s %6s %7s  %s\n' input verb CPU-s MiB s status outside message
for input in ${INPUTS:-$all}; do
    rm -rf room
    mkdir room room/up
    (cd room/up && python3 "$attack/write_inputs.py" "$input") || { fail "$input was not written"; continue; }
    case $input in manifest) set -- 'batch plan' ;; fx-*) set -- render ;; *) set -- check render ;; esac
    for verb; do
        file=j.yaml
        [ "$verb" != 'batch plan' ] || file=b.yaml
        began=$(date +%s)
        # shellcheck disable=SC2046,SC2086  # words
        set -- $(cd room && python3 "$attack/measure.py" "${LIMIT_S:-900}" ../out ../err "$ODORI" $verb "up/$file" --limits untrusted)
        outside=$(find room -mindepth 1 -maxdepth 1 | grep -cv '^room/up$')
        printf '%-13s %-10s %7s %6s %5s %6s %7s  %.120s\n' "$input" "$verb" "$1" "$2" $(($(date +%s) - began)) "$3" "$outside" "$(grep -m 1 'error:' err || grep -m 1 'warning: board.fx' err)"
        case $3 in 0 | 1 | 65 | 66 | 69 | 75 | 78) pass ;; *) fail "$input: $verb: status $3" ;; esac
        if [ "$outside" = 0 ]; then pass; else fail "$input: $verb: files outside"; fi
    done
done
finish

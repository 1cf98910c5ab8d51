#!/bin/sh
# SPDX-License-Identifier: MIT
# For each format the dearest file of at most 10,000 bytes that is known, with --limits untrusted.
# A row: format, bytes, verb, seconds of CPU, MiB of the largest process, exit status, first message; more than 1 GiB or 60 s are a fault.
#
#   FORMATS='png-1 flac'   only these
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
attack=$(cd "$here/../attack" && pwd)
printf '%-12s %6s %-7s %6s %5s %6s  %s\n' format bytes verb CPU-s MiB status message
for format in ${FORMATS:-$(python3 "$attack/write_small.py")}; do
    rm -rf room
    mkdir -p room/up
    (cd room/up && python3 "$attack/write_small.py" "$format") || { fail "$format was not written"; continue; }
    job=$(cd room/up && ls up.*)
    bytes=$(cd room/up && cat t.* 2>/dev/null | wc -c)
    [ "$bytes" != 0 ] || bytes=$(wc -c <"room/up/$job")
    for verb in check render; do
        # shellcheck disable=SC2046  # words
        set -- $(cd room && python3 "$attack/measure.py" 100 ../out ../err "$ODORI" $verb "up/$job" --limits untrusted)
        printf '%-12s %6s %-7s %6s %5s %6s  %.100s\n' "$format" "$bytes" "$verb" "$1" "$2" "$3" "$(grep -m 1 'error:' err)"
        case $3 in 0 | 1 | 2 | 65 | 66 | 69 | 78) pass ;; *) fail "$format: $verb: status $3" ;; esac
        if [ "${1%.*}" -lt 60 ] && [ "$2" -lt 1024 ]; then pass; else fail "$format: $verb: $1 s, $2 MiB"; fi
    done
done
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# A link, pipe, device, socket, directory, hard link or file without rights in place of each file that a run writes in an upload.
# A row: run, file, intruder, exit status, seconds, first message; what changed outside of the upload is a fault.
#
#   RUNS='job batch' INTRUDERS='pipe device'   only these
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
attack=$(cd "$here/../attack" && pwd)
here=$(cd "$here/../cli" && pwd)
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
# shellcheck source=tests/attack/intruders.sh
. "$attack/intruders.sh"
export ATTEMPT_S=100

logs=$work/logs
mkdir logs room
cd room || exit 1
upload
# shellcheck disable=SC2154  # of intruders.sh
for run in ${RUNS:-$runs}; do
    for file in $(written_by "$run"); do
        for kind in ${INTRUDERS:-$intruders}; do
            clean
            intrude "$kind" "$file" || { echo "$run $file $kind: not possible here"; continue; }
            began=$(date +%s)
            attempt "$run"
            printf '%-8s %-44s %-14s %4s %3s  %.110s\n' "$run" "$file" "$kind" "$status" $(($(date +%s) - began)) "$(grep -m 1 'error:' "$logs/err")"
            case $status in 0 | 1 | 65 | 66 | 69 | 73 | 74 | 75 | 78) pass ;; *) fail "$run $file $kind: status $status" ;; esac
            if [ -z "$outside" ]; then pass; else fail "$run $file $kind: changed outside of the upload: $outside"; fi
        done
    done
done
finish

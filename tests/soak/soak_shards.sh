#!/bin/sh
# SPDX-License-Identifier: MIT
# Three shards of a film, one after another, and join, killed N times.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
here=$here/../cli
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
# shellcheck source=tests/cli/kill.sh
. "$here/kill.sh"

kill_job
step() {
    number=$1
    shift
    case $number in
    4) exec "$@" "$ODORI" join tiny.yaml --progress none ;;
    *) exec "$@" "$ODORI" render tiny.yaml --progress none --shard "$number/3" ;;
    esac
}
kill_often 4 "${N:-100}"
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# Two shards and join of a film of two segments, with failing system calls (sweep.sh).
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
here=$here/../cli
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
# shellcheck source=tests/cli/sweep.sh
. "$here/sweep.sh"

tiny_job
sed -i 's/0-19/0-39/; s/^outputs:.*/outputs: [ { file: o\/film.mp4, gop: 10 }, o\/film.sha256 ]/' tiny.yaml
mkdir before
do_run() {
    "$@" sh -c "'$ODORI' render tiny.yaml --progress none --shard 1/2 &&
        '$ODORI' render tiny.yaml --progress none --shard 2/2 && '$ODORI' join tiny.yaml --progress none"
}
sweep
finish

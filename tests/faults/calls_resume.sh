#!/bin/sh
# SPDX-License-Identifier: MIT
# A film with one existing segment, with failing system calls (sweep.sh).
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
here=$here/../cli
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
# shellcheck source=tests/cli/sweep.sh
. "$here/sweep.sh"

tiny_job
sed -i 's/0-19/0-39/; s/^outputs:.*/outputs: [ { file: o\/film.mp4, gop: 10 }, o\/film.sha256 ]/' tiny.yaml
"$ODORI" render tiny.yaml --progress none --shard 2/2 >out 2>err </dev/null || fail "second shard: exit status $?"
mv o before
do_run() { "$@" "$ODORI" render tiny.yaml --progress none; }
sweep
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# A bake and the film rendered from it, with failing system calls (sweep.sh).
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
here=$here/../cli
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
# shellcheck source=tests/cli/sweep.sh
. "$here/sweep.sh"

tiny_job
sed -i 's/film.mp4/o\/film.mp4/' tiny.yaml
mkdir before
do_run() {
    "$@" sh -c "'$ODORI' bake tiny.yaml --progress none && '$ODORI' render tiny.yaml --progress none"
}
sweep
finish

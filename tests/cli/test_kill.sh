#!/bin/sh
# SPDX-License-Identifier: MIT
# Thirty kills, each followed by the same command: the files equal those of an undisturbed run.
# make soak runs more of them, also with shards and bakes.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
# shellcheck source=tests/cli/kill.sh
. "$here/kill.sh"

kill_job
step() { shift; exec "$@" "$ODORI" render tiny.yaml --progress none; }
kill_often 1 15
step() { shift; exec "$@" "$ODORI" render tiny.yaml --progress none -o o/%03d.png --set audio=null; }
kill_often 1 15
finish

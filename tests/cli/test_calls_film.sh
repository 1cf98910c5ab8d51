#!/bin/sh
# SPDX-License-Identifier: MIT
# A film with sound, with failing system calls (sweep.sh).
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
# shellcheck source=tests/cli/sweep.sh
. "$here/sweep.sh"

tiny_job
mkdir before
do_run() { "$@" "$ODORI" render tiny.yaml --progress none -o o/film.mp4; }
sweep
finish

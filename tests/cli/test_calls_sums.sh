#!/bin/sh
# SPDX-License-Identifier: MIT
# A list of digests, with failing system calls (sweep.sh).
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
# shellcheck source=tests/cli/sweep.sh
. "$here/sweep.sh"

silent_job
mkdir before
do_run() { "$@" "$ODORI" render tiny.yaml --progress none -o o/film.sha256; }
sweep
finish

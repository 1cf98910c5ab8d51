#!/bin/sh
# SPDX-License-Identifier: MIT
# An image sequence, killed N times.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
here=$here/../cli
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
# shellcheck source=tests/cli/kill.sh
. "$here/kill.sh"

kill_job
step() { shift; exec "$@" "$ODORI" render tiny.yaml --progress none -o o/%03d.png; }
kill_often 1 "${N:-100}"
finish

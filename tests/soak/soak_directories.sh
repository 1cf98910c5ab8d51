#!/bin/sh
# SPDX-License-Identifier: MIT
# A film that is killed, and moved, copied or linked elsewhere N times.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
here=$here/../cli
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
# shellcheck source=tests/cli/kill.sh
. "$here/kill.sh"
# shellcheck source=tests/cli/directories.sh
. "$here/directories.sh"

directory_job
relocate_often "${N:-100}"
finish

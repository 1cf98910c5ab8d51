#!/bin/sh
# SPDX-License-Identifier: MIT
# Digests, a contact sheet and an animation, with failing system calls (sweep.sh).
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
here=$here/../cli
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
# shellcheck source=tests/cli/sweep.sh
. "$here/sweep.sh"

tiny_job
cat >>tiny.yaml <<'END'
previews:
  - { type: sheet, file: o/sheet.png, cells: [2, 2], font: built-in }
  - { type: gif, file: o/small.gif, fps: 5 }
END
mkdir before
do_run() { "$@" "$ODORI" render tiny.yaml --progress none -o o/film.sha256; }
sweep
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# Compares images of all rendering features with golden images (make golden writes new ones).
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
: "${NEAR:?must be the program that compares images}"
ODORI_DEMO=$ODORI_DEMO/.. sh "$here/../golden/pictures.sh" . 2>err >out || fail "the images were not rendered"
for golden in "$here"/../golden/*.png; do
    if "$NEAR" "$golden" "$(basename "$golden")" >out 2>err; then pass; else fail "$(basename "$golden") differs"; fi
done
finish

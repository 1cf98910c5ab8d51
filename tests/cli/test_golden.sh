#!/bin/sh
# Pictures of every part of the look beside the golden ones (make golden lays new ones, to be looked at).
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
: "${NEAR:?names the program that compares pictures}"
sh "$here/../golden/pictures.sh" . 2>err >out || fail "the golden pictures are not drawn"
for golden in "$here"/../golden/*.png; do
    if "$NEAR" "$golden" "$(basename "$golden")" >out 2>err; then pass; else fail "$(basename "$golden") has changed"; fi
done
finish

#!/bin/sh
# Lays what the program says of its keys into README.md; with --check, tells whether it is there already.
# usage: tests/readme.sh [--check]; the program is $ODORI.
set -eu
table=$("$ODORI" help --markdown)
new=$(mktemp)
trap 'rm -f "$new"' EXIT
TABLE=$table awk '
    /<!-- end -->/ { inside = 0 }
    !inside { print }
    /<!-- options -->/ { print ENVIRON["TABLE"]; inside = 1 }' README.md >"$new"
if [ "${1:-}" = --check ]; then
    cmp -s "$new" README.md || { echo "README.md does not say what the program says: make readme"; exit 1; }
else
    cat "$new" >README.md
fi

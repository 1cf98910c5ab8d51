#!/bin/sh
# SPDX-License-Identifier: MIT
# The server: answers, films that stay loaded, cancelling, killed processes, wrong requests.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

run 2 serve
expect_text err 'one of --socket PATH and --stdio is required'
run 2 serve --socket a --stdio
run 2 serve x --stdio
run 2 serve --stdio --queue many
expect_text err "--queue: 'many' is not a number (0..4096)"

if ! command -v python3 >/dev/null; then
    skip 'python3, which is the client, is not installed'
    finish
fi
python3 "$here/serve_check.py" "$ODORI" "$ODORI_DEMO" >checks 2>err || fail 'the client'
while read -r line; do
    if [ "$line" = ok ]; then pass; else fail "$line"; fi
done <checks
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# Closed and full streams, colors, --quiet.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# expect_status STATUS WHAT: checks the exit status of the previous command
expect_status() {
    got=$?
    if [ "$got" = "$1" ]; then pass; else fail "$2: exit status $got, expected $1"; fi
}

: >out
"$ODORI" schema >/dev/full 2>err
expect_status 74 "schema to a full disk"
expect_text err 'odori: error: standard output: No space left on device'
"$ODORI" schema >&- 2>err
expect_status 74 "schema to a closed stream"
"$ODORI" schema >out 2>&- <&-
expect_status 0 "schema without stdin and stderr"
expect_file out
"$ODORI" check none.yaml >out 2>&-
expect_status 66 "check without stderr"
"$ODORI" check none.yaml >&- 2>&- <&-
expect_status 66 "check without any stream"
{ "$ODORI" schema 2>err; echo $? >status; } | true
case $(cat status) in 0 | 141) pass ;; *) fail "schema to a closed pipe: $(cat status)" ;; esac

escape=$(printf '\033')
has_color() { grep -qF "$escape" err; }
run 66 check none.yaml
if has_color; then fail "colors without a terminal"; else pass; fi
run 66 check none.yaml --color always
if has_color; then pass; else fail "no colors with --color always"; fi
run 66 check none.yaml --color never
if has_color; then fail "colors with --color never"; else pass; fi

printf 'version: 1\nmodels: [none.pmx]\noutputs: [o.mp4]\nburn_in: { text: 踊 }\n' >job.yaml
run 66 check job.yaml
expect_text err "odori: warning: job.yaml:4:10: burn_in: 1 character is not in the built-in font, e.g. U+8E0A '踊'"
run 66 check -q job.yaml
expect_content err <<'END'
odori: error: job.yaml:2:10: models.0.file: cannot open 'none.pmx': No such file or directory
    2 | models: [none.pmx]
      |          ^
END

finish

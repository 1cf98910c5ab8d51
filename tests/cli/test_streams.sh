#!/bin/sh
# Closed and full streams, colours, quiet.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# ends STATUS WHAT: the status of the command before
ends() {
    got=$?
    if [ "$got" = "$1" ]; then pass; else fail "$2 ended with $got, not $1"; fi
}

: >out
"$ODORI" schema >/dev/full 2>err
ends 74 "schema to a full disk"
expect_text err 'odori: error: standard output: No space left on device'
"$ODORI" schema >&- 2>err
ends 74 "schema to a closed stream"
"$ODORI" schema >out 2>&- <&-
ends 0 "schema without stdin and stderr"
expect_file out
"$ODORI" check none.yaml >out 2>&-
ends 66 "check without stderr"
"$ODORI" check none.yaml >&- 2>&- <&-
ends 66 "check without any stream"
{ "$ODORI" schema 2>err; echo $? >status; } | true
case $(cat status) in 0 | 74) pass ;; *) fail "schema to a reader that left: $(cat status)" ;; esac

escape=$(printf '\033')
has_color() { grep -qF "$escape" err; }
run 66 check none.yaml
if has_color; then fail "coloured though no terminal"; else pass; fi
run 66 check none.yaml --color always
if has_color; then pass; else fail "not coloured though asked to"; fi
run 66 check none.yaml --color never
if has_color; then fail "coloured though asked not to"; else pass; fi

printf 'version: 1\nmodels: [none.pmx]\noutputs: [o.mp4]\nburn_in: { text: 踊 }\n' >job.yaml
run 66 check job.yaml
expect_text err "odori: warning: job.yaml: burn_in: 1 character is not in the built-in font, e.g. U+8E0A '踊'"
run 66 check -q job.yaml
expect_content err <<'END'
odori: error: none.pmx: cannot open: No such file or directory
END

finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# Help topics, search, manual pages.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# A verb; a key; a word that is both.
run 0 help compare
expect_text out 'usage: odori compare A B'
run 0 help render
expect_text out 'usage: odori render JOB'
expect_text out 'render.fps: '
run 0 help models.12.motions
expect_text out '.motions.N.speed'

run 0 help batch
expect_text out 'run.retries: '
run 0 help limits
expect_text out 'memory_mib: '
run 0 schema limits
expect_text out '"memory_mib"'
run 0 schema batch
expect_text out '"retries"'
run 2 schema film
expect_text err "; unexpected 'film'"

# Search: names and texts of verbs, flags and keys, one line each.
run 0 help SSIM
expect_text out 'verb   compare '
expect_text out 'flag   --threshold '
run 0 help leapfrog
expect_text out 'job    cloth.N.integrator '
run 2 help render.fsp
expect_text err "did you mean 'render.fps'?"
run 2 help xyzzy
expect_text err "see 'odori help'"
run 2 help render job
expect_text err "unexpected argument 'job'"

# A reader that leaves ends the program without a message, by SIGPIPE.
for topic in job render --man; do
    { "$ODORI" help "$topic" 2>err; echo $? >status; } | head -n 1 >out
    expect_file out
    expect_empty err
    case $(cat status) in 0 | 141) pass ;; *) fail "help $topic ended with $(cat status)" ;; esac
done
"$ODORI" help job >/dev/full 2>err
if [ $? = 74 ]; then pass; else fail "help to a full disk"; fi

# Manual pages.
lint() { # FILE
    if command -v mandoc >/dev/null; then
        if mandoc -Tlint "$1" >lint 2>&1; then pass; else fail "$1: $(head -n 5 lint)"; fi
    else
        skip "mandoc is not installed: $1 is not checked"
    fi
}

run 0 help --man
mv out odori.1
lint odori.1
for section in NAME SYNOPSIS DESCRIPTION VERBS FLAGS ENVIRONMENT FILES 'EXIT STATUS' EXAMPLES 'SEE ALSO'; do
    expect_text odori.1 ".SH $section"
done
"$ODORI" help 2>&1 | sed -n 's/^  \([a-z0-9]*\)  .*/\1/p' >verbs
while read -r verb; do
    expect_text odori.1 "fBodori $verb"
done <verbs
for page in job batch limits; do
    run 0 help --man "$page"
    mv out "odori-$page.5"
    lint "odori-$page.5"
    for section in NAME SYNOPSIS DESCRIPTION KEYS ENVIRONMENT FILES 'EXIT STATUS' EXAMPLES 'SEE ALSO'; do
        expect_text "odori-$page.5" ".SH $section"
    done
done
run 2 help --man nothing
expect_text err "--man: 'nothing' is not one of odori, job, batch, limits"

finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# Job files below jobs/ whose films a change may affect: those that changed, and those that read a file that changed, such as a
# texture of a model, an include of an effect or a sound (`odori check --json`), also one that was removed.
#
# usage: changed-jobs.sh BASE DIRECTORY    from the top of the repository: the commit before the change, and a work tree of it;
#                                          ODORI is the program
set -eu
base=$1 before=$2
changed=$(mktemp)
trap 'rm -f "$changed"' EXIT
git -c core.quotePath=false diff --name-only --no-renames "$base" HEAD >"$changed"

files() { # JOB TOP: what a job reads, relative to the top of its tree
    [ -e "$2/$1" ] || return 0
    (cd "$2" && "$ODORI" check "$1" --json 2>/dev/null || true) | grep -o '"path":"[^"]*"' | cut -d '"' -f 4 |
        (cd "$2" && xargs -r -d '\n' realpath -m "--relative-to=$(realpath .)") || true
}

git -c core.quotePath=false ls-files -- 'jobs/*.yaml' | while IFS= read -r job; do
    { echo "$job"; files "$job" .; files "$job" "$before"; } | grep -xFf "$changed" >/dev/null && echo "$job"
    true
done

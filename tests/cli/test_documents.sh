#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016,SC1087,SC2013  # patterns are in single quotes; names hold no blanks
# README.md and configs/: their job files are valid, every verb is mentioned.  Links are checked by `make lint-fast`.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
top=$(cd "$here/../.." && pwd)

# Exit status 66: the only errors are missing files.
sed -n '/^```yaml$/,/^```$/p' "$top/README.md" | grep -v '^```' >readme.yaml
run 66 check readme.yaml
expect_text err "cannot open 'models/gene/Gene_light.pmx'"

"$ODORI" help 2>&1 | sed -n 's/^  \([a-z0-9]*\)  .*/\1/p' >verbs
while read -r verb; do
    if grep -q "\`$verb[\` ]" "$top/README.md"; then pass; else fail "README.md does not mention the verb $verb"; fi
done <verbs

# Each job of configs/ names the schema for editors and is described in the cookbook.
for job in "$top"/configs/*.yaml; do
    name=$(basename "$job")
    case $(head -n 1 "$job") in
    '# yaml-language-server: $schema='*) pass ;;
    *) fail "configs/$name does not name a schema in its first line" ;;
    esac
    if grep -q "$name" "$top/configs/README.md"; then pass; else fail "configs/README.md does not mention $name"; fi
    case $name in batch.yaml) continue ;; esac
    "$ODORI" check "$job" >out 2>err
    case $? in 0 | 66) pass ;; *) fail "check configs/$name" ;; esac
done

finish

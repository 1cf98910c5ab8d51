#!/bin/sh
# SPDX-License-Identifier: MIT
# A film that is killed and moved, copied or linked elsewhere is resumed there; tests/soak/soak_directories.sh is longer.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
# shellcheck source=tests/cli/kill.sh
. "$here/kill.sh"
# shellcheck source=tests/cli/directories.sh
. "$here/directories.sh"

directory_job
relocate_often 6

# A checkpoint directory of unknown origin cannot make the program write elsewhere.
mkdir victim && echo precious >victim/0001-of-0001.jsonl
# shellcheck disable=SC2086
mkdir hostile && cp $assets hostile && mkdir -p hostile/o/.film.mp4.odori
for name in ledger segment bake; do
    ln -s ../../../victim hostile/o/.film.mp4.odori/$name
    run 73 render hostile/tiny.yaml
    expect_text err 'is a symbolic link'
    rm hostile/o/.film.mp4.odori/$name
done
for name in lock job.json report.json written.jsonl renderers.txt runs.json; do
    ln -s ../../../victim/0001-of-0001.jsonl hostile/o/.film.mp4.odori/$name
    run 73 render hostile/tiny.yaml
    expect_text err 'is a symbolic link'
    rm hostile/o/.film.mp4.odori/$name
done
expect_text victim/0001-of-0001.jsonl precious
[ "$(find victim -type f | wc -l)" = 1 ] || fail 'files were created in the directory of a link'
finish

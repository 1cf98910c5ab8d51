#!/bin/sh
# SPDX-License-Identifier: MIT
# clean: which records are removed, and that nothing else is.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"

silent_job
record=films/.a.mp4.odori
run 0 render tiny.yaml -o films/a.mp4
cp -r films open
rm open/a.mp4 # its film is not finished
size=$(find "$record" -type f -exec cat {} + | wc -c)

# A dry run changes nothing.
find films open | sort >before
run 0 clean films open --dry-run
expect_content out <<END
would remove $record ($size bytes)
kept, unfinished open/.a.mp4.odori ($size bytes)
END
find films open | sort | diff before - || fail "a dry run changed files"

# Neither a directory that is linked nor one with a link in it is cleaned.
mkdir linked
ln -s "../$record" linked/.a.mp4.odori
run 0 clean linked
expect_empty out
run 73 clean linked/.a.mp4.odori
expect_text err "'linked/.a.mp4.odori' is no directory"
mkdir other
echo precious >precious
cp precious other/0000000000000000000000000000000000000000000000000000000000000000.bake
ln -s "$PWD/other" "$record/bake"
run 65 clean films
expect_text err "'$record' cannot be read as a record, and is kept"
if [ ! -f "$record/job.json" ] || [ -z "$(ls other)" ]; then fail "clean followed a link"; fi
rm "$record/bake"

# A file that the program does not write stays, and so does the output.
echo mine >"$record/notes.txt"
run 0 clean films --json
expect_text out "\"directory\":\"$record\",\"state\":\"removed\",\"bytes\":$size"
expect_text out "\"bytes\":$size}"
if [ "$(ls -A "$record")" != notes.txt ] || [ ! -s films/a.mp4 ]; then fail "clean removed another file, or left one"; fi

# By its job, whose film is rendered again; one that runs is kept.
run 0 render tiny.yaml -o open/a.mp4 -y
sed 's|film.mp4|open/a.mp4|' tiny.yaml >open.yaml
run 0 clean open.yaml
[ ! -e open/.a.mp4.odori ] || fail "the record is there"
run 66 clean nothing
expect_text err "'nothing' does not exist"
run 78 clean precious
expect_text err "is no job whose outputs have a record"

finish

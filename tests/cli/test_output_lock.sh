#!/bin/sh
# SPDX-License-Identifier: MIT
# Two runs that write the same files are kept apart, whatever their checkpoint directories.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
# shellcheck source=tests/cli/kill.sh
. "$here/kill.sh"

silent_job
no_locks() {
    rest=$(find . -name '*-lock')
    if [ -z "$rest" ]; then pass; else fail "lock files remain: $rest"; fi
}

# A stopped run holds its outputs.
mkdir fifo && mkfifo fifo/hold.nut
previews='previews=[{type: still, frame: 1, file: still.png}]'
"$ODORI" render tiny.yaml --state first --set "outputs=[film.mp4, fifo/hold.nut]" --set "$previews" -q 2>first.err &
pid=$!
i=0
until { grep -q " $pid" .film.mp4.odori-lock && [ -s .still.png.odori-lock ]; } 2>/dev/null || [ $i = 2400 ]; do
    i=$((i + 1))
    sleep 0.05
done
expect_text .film.mp4.odori-lock " $pid"
mkdir sub && ln -s .. sub/up
# Each of these waits for the lock for two seconds: all at the same time.
count=0
refused() { # ARGUMENT...: begins a run that must be refused
    count=$((count + 1))
    { "$ODORI" "$@" >/dev/null 2>"refused$count.err" </dev/null; echo "$? odori $*" >"refused$count"; } &
    waiting="$waiting $!"
}
waiting=
refused render tiny.yaml --state second1
refused render tiny.yaml -o ./film.mp4 --state second2
refused render tiny.yaml -o sub/up/film.mp4 --state second3
refused join tiny.yaml --state second4
refused render tiny.yaml --state second5 --shard 2/2
refused preview tiny.yaml -o still.png
refused render tiny.yaml -o other.y4m --set "$previews"
# shellcheck disable=SC2086  # numbers
wait $waiting
for number in $(seq $count); do
    read -r status command <"refused$number"
    if [ "$status" = 75 ]; then pass; else fail "$command: exit status $status, expected 75"; fi
done
cp refused1.err err
expect_text err ".film.mp4.odori-lock' is locked; last run: "
expect_text err " $pid)"
expect_one_error
run 0 render tiny.yaml -o other.mp4 -q
run 0 bake tiny.yaml --state second1 -q
cat fifo/hold.nut >got
wait $pid || fail "the first run ended with status $?: $(cat first.err)"
no_locks
run 0 render tiny.yaml --state first --set "outputs=[film.mp4, fifo/hold.nut]" --dump-config

# A killed run leaves a lock file without a lock; the next run removes it.
mkfifo kill.nut
setsid "$ODORI" render tiny.yaml --state third --set "outputs=[killed.mp4, kill.nut]" -q 2>first.err &
pid=$!
i=0
until [ -s .killed.mp4.odori-lock ] || [ $i = 2400 ]; do
    i=$((i + 1))
    sleep 0.05
done
kill -KILL $pid
wait $pid 2>/dev/null
expect_file .killed.mp4.odori-lock
cat kill.nut >got & # its children may wait for a reader
reader=$!
wait_for_group $pid
run 0 render tiny.yaml -o killed.mp4 --state fourth
kill $reader 2>/dev/null
rm -r third
no_locks

# Shards run at the same time, and leave nothing either.
sed 's/gop: 5/gop: 5, codec: ffv1/; s/film.mp4/s.mkv/; s/frames: 0-19/frames: 0-89/' tiny.yaml >long.yaml
"$ODORI" render long.yaml --shard 1/3 -q 2>1.err &
one=$!
"$ODORI" render long.yaml --shard 2/3 -q 2>2.err &
two=$!
run 0 render long.yaml --shard 3/3
wait $one || fail "shard 1: $(cat 1.err)"
wait $two || fail "shard 2: $(cat 2.err)"
no_locks
run 0 join long.yaml
run 0 verify long.yaml
no_locks
expect_no_temporaries .
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# Signals and killed children: exit status, messages, and that no incomplete file remains.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/background.sh
. "$here/background.sh"

# A signal ends the run soon, after the current frames.
# shellcheck disable=SC2086
start $long -o o/%05d.png --progress json
wait_for_frames
before=$(date +%s)
kill -TERM "$pid"
expect_status 143
if [ $(($(date +%s) - before)) -le 60 ]; then pass; else fail "not within 60 s"; fi
expect_text err '"event":"end","ok":false,"exit":143,'
expect_complete

# A signal while physics is simulated for the frames before the first rendered one.
# shellcheck disable=SC2086
start $small -f 100000-100001 -o o.sha256 --progress none
has_worker() { [ -n "$(child odori-worker)" ]; }
if wait_until has_worker; then :; else fail 'no worker was started'; fi
kill -USR1 "$pid"
if wait_until grep -qF 'odori: status: render 0/2 0%; MiB: main ' err; then pass; else fail 'no status'; fi
kill -INT "$pid"
expect_status 130
expect_no_file o.sha256
expect_complete

# Status as text and as JSON.
# shellcheck disable=SC2086
start $long -o o/%05d.png -q
wait_for_frames
kill -USR1 "$pid"
if wait_until grep -q 'odori: status: render [0-9]*/.* f/s ETA .*; 1 of 1 workers; MiB: main .*, worker' err; then
    pass
else
    fail 'no status'
fi
kill -HUP "$pid"
expect_status 129
expect_complete
# Another signal within a second, e.g. from a scheduler and a script, is ignored: here two that arrive together.
# shellcheck disable=SC2086
start $long --set "outputs=[$work/o/%05d.png,$work/o.mp4]" --progress json
wait_until grep -q '"event":"progress","stage":"render"' err
kill -USR1 "$pid"
if wait_until grep -q '"event":"status","stage":"render",.*"alive":1,.*"encoder_mib":' err; then
    pass
else
    fail 'no status'
fi
kill -STOP "$pid"
kill -TERM "$pid"
kill -HUP "$pid"
kill -CONT "$pid"
expect_status 143 129
expect_text err "\"event\":\"end\",\"ok\":false,\"exit\":$got,"
expect_json progress err
expect_no_file o.mp4
expect_complete

# A hanging worker does not delay a stop, and a second signal after one second ends all processes immediately, without an end
# event: main is stopped for this second, once it has handled the first signal, which it shows by catching SIGALRM (14) as well.
has_handled() {
    caught=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$pid/status")
    [ $((0x${caught:-0} >> 13 & 1)) = 1 ]
}
for again in no yes; do
    # shellcheck disable=SC2086
    start $long -o o/%05d.png --progress json
    wait_for_frames
    kill -STOP "$(child odori-worker)"
    group=$pid
    kill -TERM "$pid"
    if [ "$again" = no ]; then
        expect_status 143
        expect_text err '"event":"end","ok":false,"exit":143,'
        expect_complete
        continue
    fi
    if wait_until has_handled; then pass; else fail 'the first signal was not handled'; fi
    kill -STOP "$pid"
    sleep 1.2
    kill -TERM "$pid"
    kill -CONT "$pid"
    expect_status 143
    if grep -q '"event":"end"' err; then fail "the second signal did not end the run immediately"; else pass; fi
    pid=$group
    if wait_until_ended; then pass; else fail 'children remain'; fi
    pid=
    expect_complete
done

# If main is killed, the spawner ends the workers, hung ones included, and removes their files.
# shellcheck disable=SC2086
start $long -o o/%05d.png --progress none
wait_for_frames
kill -STOP "$(child odori-worker)"
group=$pid
touch "o/.00999.png.$group.tmp" # as if main had begun it
kill -KILL "$pid"
expect_status 137
pid=$group
if wait_until_ended; then pass; else fail 'children of a killed run remain'; fi
pid=
expect_complete

# Killed children: the frame loop starts again once, and the outputs are those of an undisturbed run.
# They are a film in segments, one without, and images.
outputs="outputs=[$work/o/%05d.png,{ file: $work/o.mp4, gop: 10 },$work/o.sha256]"
# shellcheck disable=SC2086
run 0 render demo/demo.yaml $small -f 0-35 --set "$outputs" --progress none
mkdir whole
mv o o.mp4 o.sha256 whole
rm -rf .o*.odori o
for name in encoder spawner; do
    # shellcheck disable=SC2086
    start_held $small --set "$outputs" --progress none || fail 'no run was stopped before its last frame'
    kill -KILL "$(child "odori-$name")"
    kill -CONT "$pid"
    expect_status 0
    expect_text err 'was killed by signal 9 (Killed); it is started again'
    expect_same o.mp4 whole/o.mp4
    expect_same o.sha256 whole/o.sha256
    if diff -r -x '.*' o whole/o >/dev/null; then pass; else fail "images differ after the $name was killed"; fi
    expect_no_temporaries .
    rm -rf .o*.odori o o.mp4 o.sha256
done
# Without the process that writes its files main ends, and the same command goes on.
broker() { # the one that main started itself; each of its children has another
    # shellcheck disable=SC2013 # the children are words of one line
    for process in $(cat "/proc/$pid/task/$pid/children"); do
        if [ "$(cat "/proc/$process/comm")" = odori-files ]; then echo "$process"; fi
    done
}
# shellcheck disable=SC2086
start_held $small --set "$outputs" --progress none || fail 'no run was stopped before its last frame'
if [ -n "$(broker)" ]; then
    kill -KILL "$(broker)"
    kill -CONT "$pid"
    expect_status 75
    expect_text err 'the process that writes files was killed; run the same command again'
    # shellcheck disable=SC2086
    run 0 render demo/demo.yaml $small -f 0-35 --set "$outputs" --progress none
    expect_same o.mp4 whole/o.mp4
    expect_same o.sha256 whole/o.sha256
else
    skip 'there is no process that writes files'
    kill -KILL "$pid"
    expect_status 137
fi
rm -rf .o*.odori .o*.odori-lock o o.mp4 o.sha256
# A second time it is an error.
for row in odori-encoder:'the encoder was killed by signal 9' \
    odori-spawner:'the process that starts workers was killed by signal 9'; do
    # shellcheck disable=SC2086
    start $long --set "outputs=[$work/o/%05d.png,$work/o.sha256]" --progress none
    wait_for_frames
    first=$(child "${row%%:*}")
    kill -KILL "$first"
    another() { second=$(child "${row%%:*}") && [ -n "$second" ] && [ "$second" != "$first" ]; }
    if wait_until another; then pass; else fail "no other ${row%%:*} was started"; fi
    kill -KILL "$second"
    expect_status 70
    expect_text err "${row#*:}"
    expect_one_error
    expect_no_file o.sha256
    expect_complete
done

finish

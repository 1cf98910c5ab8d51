#!/bin/sh
# Signals, time limits and memory limits: exit status, messages, and that no incomplete file remains.
# Limits of time are generous, since the machine may be busy.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

ln -s "$ODORI_DEMO" demo
small='--set render.size=[64,36] --set render.samples=1 --set shadows.self=false --set shadows.map_size=256 -j 1'
long="$small --set render.fps=240"
pid=
trap '[ -z "$pid" ] || { kill -CONT "$pid"; kill -KILL "$pid"; } 2>/dev/null; rm -rf "$work"' EXIT

expect_complete() { # no temporary files remain, and each image in o/ is complete
    expect_no_temporaries .
    for image in o/*.png; do
        [ -e "$image" ] || continue
        tail -c 8 "$image" | grep -q IEND || fail "$image is incomplete"
    done
    rm -rf o
}

start() { # ARGUMENT...: in the background, in its own process group, with default signal actions
    setsid env --default-signal=INT,HUP,TERM "$ODORI" render demo/demo.yaml "$@" >out 2>err </dev/null &
    pid=$!
}

wait_until() { # COMMAND...: succeeds within two minutes
    tries=0
    until "$@" 2>/dev/null; do
        tries=$((tries + 1))
        [ "$tries" -lt 2400 ] || return 1
        kill -0 "$pid" 2>/dev/null || return 1
        sleep 0.05
    done
}

wait_for_frames() {
    if wait_until test -e o/00003.png; then pass; else fail 'no frame was rendered'; fi
}

wait_until_ended() { # succeeds when no process of the group is left, within two minutes
    tries=0
    while [ -n "$(child odori-spawner)$(child odori-worker)$(child odori-encoder)" ]; do
        tries=$((tries + 1))
        [ "$tries" -lt 2400 ] || return 1
        sleep 0.05
    done
}

expect_status() { # STATUS: waits for the run
    wait "$pid" 2>/dev/null
    got=$?
    pid=
    if [ "$got" = "$1" ]; then pass; else fail "exit status $got, expected $1"; fi
}

child() { # NAME: prints the process of the group with this name
    for directory in /proc/[0-9]*; do
        { read -r name <"$directory/comm" && read -r stat <"$directory/stat"; } 2>/dev/null || continue
        [ "$name" = "$1" ] || continue
        # shellcheck disable=SC2086
        set -- "$1" ${stat##*) } # state, parent, group
        if [ "$4" = "$pid" ] && [ "$2" != Z ]; then
            echo "${directory#/proc/}"
            return
        fi
    done
}

# A signal ends the run soon, after the current frames.
# shellcheck disable=SC2086
start $long -o o/%05d.png --progress json
wait_for_frames
before=$(date +%s)
kill -TERM "$pid"
expect_status 143
if [ $(($(date +%s) - before)) -le 5 ]; then pass; else fail "not within 5 s"; fi
expect_text err '"event":"end","ok":false,"exit":143,'
expect_complete

# A signal while physics is simulated for the frames before the first rendered one.
# shellcheck disable=SC2086
start $small -f 100000-100001 -o o.sha256 --progress none
sleep 0.5
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
# The same signal again within a second, e.g. from a scheduler and a script, is ignored.
# shellcheck disable=SC2086
start $long --set "outputs=[$work/o/%05d.png,$work/o.mp4]" --progress json
wait_until grep -q '"event":"progress","stage":"render"' err
kill -USR1 "$pid"
if wait_until grep -q '"event":"status","stage":"render",.*"alive":1,.*"encoder_mib":' err; then
    pass
else
    fail 'no status'
fi
kill -TERM "$pid"
kill -TERM "$pid"
expect_status 143
expect_text err '"event":"end","ok":false,"exit":143,'
expect_no_file o.mp4
expect_complete

# A hanging worker does not delay a stop, and a second signal after one second ends all processes
# immediately, without an end event.
for again in no yes; do
    # shellcheck disable=SC2086
    start $long -o o/%05d.png --progress json
    wait_for_frames
    kill -STOP "$(child odori-worker)"
    begin=$(date +%s%N)
    group=$pid
    kill -TERM "$pid"
    if [ "$again" = no ]; then
        expect_status 143
        expect_text err '"event":"end","ok":false,"exit":143,'
        expect_complete
        continue
    fi
    sleep 1.05
    kill -TERM "$pid" 2>/dev/null
    took=$((($(date +%s%N) - begin) / 1000000))
    expect_status 143
    if ! grep -q '"event":"end"' err; then
        pass
    elif [ "$took" -lt 1400 ]; then
        fail "the second signal did not end the run immediately"
    else
        skip "the second signal was sent too late, after $took ms"
    fi
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
kill -KILL "$pid"
expect_status 137
pid=$group
touch "o/.00007.png.$group.tmp" # as if main had begun it
if wait_until_ended; then pass; else fail 'children of a killed run remain'; fi
pid=
expect_complete

# The total time limit.
# shellcheck disable=SC2086
run 75 render demo/demo.yaml $long -o o/%05d.png --progress none --set limits.total_timeout_s=1.5
expect_text err 'odori: error: limits.total_timeout_s: time limit exceeded; render: '
expect_one_error
expect_complete

# The time limit of a frame: a hanging worker is reported; a stopped and continued group is not.
# shellcheck disable=SC2086
start $long -o o/%05d.png --progress none --set limits.frame_timeout_s=6
wait_for_frames
kill -STOP "$(child odori-worker)"
expect_status 75
expect_text err 'not rendered within 6 s'
expect_one_error
expect_complete
# shellcheck disable=SC2086
start $small -f 0-200 --set "outputs=[$work/o/%05d.png,$work/o.sha256]" --progress none --set limits.frame_timeout_s=8
wait_for_frames
kill -s STOP -- "-$pid"
sleep 10
kill -s CONT -- "-$pid"
expect_status 0
expect_empty err
rm -rf o o.sha256

# Killed children: the frame loop starts again once, and the outputs are those of an undisturbed run.
# They are a film in segments, one without, and images.
outputs="outputs=[$work/o/%05d.png,$work/o.mp4,$work/o.sha256]"
# shellcheck disable=SC2086
run 0 render demo/demo.yaml $small -f 0-80 --set "$outputs" --progress none
mkdir whole
mv o o.mp4 o.sha256 whole
rm -rf .o*.odori o
for name in encoder spawner; do
    # shellcheck disable=SC2086
    start $small -f 0-80 --set "$outputs" --progress none
    wait_for_frames
    kill -KILL "$(child "odori-$name")"
    expect_status 0
    expect_text err 'was killed by signal 9 (Killed); it is started again'
    expect_same o.mp4 whole/o.mp4
    expect_same o.sha256 whole/o.sha256
    if diff -r -x '.*' o whole/o >/dev/null; then pass; else fail "images differ after the $name was killed"; fi
    expect_no_temporaries .
    rm -rf .o*.odori o o.mp4 o.sha256
done
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
    sleep 0.5
    kill -KILL "$second"
    expect_status 70
    expect_text err "${row#*:}"
    expect_one_error
    expect_no_file o.sha256
    expect_complete
done

# Memory limits: of the job, and of the shell.
run 69 render demo/demo.yaml -f 0 -j 1 -o o/%05d.png --progress none --set limits.memory_mib=100
expect_text err 'worker 1 uses '
expect_text err 'MiB, more than limits.memory_mib 100'
expect_one_error
expect_complete
(
    # shellcheck disable=SC3045
    ulimit -v 450000
    exec "$ODORI" render demo/demo.yaml -f 0 -j 1 -o o.mp4 --progress none >out 2>err </dev/null
)
got=$?
# Libraries may need less, or more than is left to start the program.
case $got in
69) expect_one_error ;;
0 | 127) skip "ulimit -v does not limit this program (exit status $got)" ;;
*) fail "ulimit -v: exit status $got, expected 69" ;;
esac
expect_no_file o.mp4
expect_complete

finish

#!/bin/sh
# Signals and limits: what ends a run from outside, how it says so, and that nothing half-written stays.
# Times are bounded generously: the machine may be busy.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

ln -s "$ODORI_DEMO" demo
small='--set render.size=[64,36] --set render.samples=1 --set shadows.self=false --set shadows.map_size=256 -j 1'
long="$small --set render.fps=240"
pid=
trap '[ -z "$pid" ] || { kill -CONT "$pid"; kill -KILL "$pid"; } 2>/dev/null; rm -rf "$work"' EXIT

clean() { # no temporary lies here, and each picture is whole
    rest=$(find . -name '.*.tmp')
    if [ -z "$rest" ]; then pass; else fail "left behind: $rest"; fi
    for picture in o/*.png; do
        [ -e "$picture" ] || continue
        tail -c 8 "$picture" | grep -q IEND || fail "$picture is torn"
    done
    rm -rf o
}

one_error() {
    if [ "$(grep -c 'error:' err)" = 1 ]; then pass; else fail "not exactly one error"; fi
}

start() { # ARGUMENT...: in the background and in a group of its own, with the signals as from a terminal
    setsid env --default-signal=INT,HUP,TERM "$ODORI" render demo/demo.yaml "$@" >out 2>err </dev/null &
    pid=$!
}

soon() { # COMMAND...: succeeds within 20 s
    tries=0
    until "$@" 2>/dev/null; do
        tries=$((tries + 1))
        [ "$tries" -lt 400 ] || return 1
        kill -0 "$pid" 2>/dev/null || return 1
        sleep 0.05
    done
}

draws() { # waits until pictures arrive
    if soon test -e o/00003.png; then pass; else fail 'no picture came'; fi
}

ended() { # STATUS
    wait "$pid" 2>/dev/null
    got=$?
    pid=
    if [ "$got" = "$1" ]; then pass; else fail "ended with $got, not $1"; fi
}

child() { # NAME: a child of the run's group
    for folder in /proc/[0-9]*; do
        { read -r name <"$folder/comm" && read -r stat <"$folder/stat"; } 2>/dev/null || continue
        [ "$name" = "$1" ] || continue
        # shellcheck disable=SC2086
        set -- "$1" ${stat##*) } # state, parent, group
        if [ "$4" = "$pid" ]; then
            echo "${folder#/proc/}"
            return
        fi
    done
}

# A signal ends the run, soon, after the frames in hand.
# shellcheck disable=SC2086
start $long -o o/%05d.png --progress json
draws
before=$(date +%s)
kill -TERM "$pid"
ended 143
if [ $(($(date +%s) - before)) -le 5 ]; then pass; else fail "not within 5 s"; fi
expect_text err '"event":"end","ok":false,"exit":143,'
clean

# While physics catches up over an hour of frames.
# shellcheck disable=SC2086
start $small -f 100000-100001 -o o.sha256 --progress none
sleep 0.5
kill -USR1 "$pid"
if soon grep -qF 'odori: status: render 0/2 0%; MiB: main ' err; then pass; else fail 'no status'; fi
kill -INT "$pid"
ended 130
expect_no_file o.sha256
clean

# Status, in words and as JSON.
# shellcheck disable=SC2086
start $long -o o/%05d.png -q
draws
kill -USR1 "$pid"
if soon grep -q 'odori: status: render [0-9]*/.* f/s ETA .*; 1 of 1 workers; MiB: main .*, worker' err; then
    pass
else
    fail 'no status'
fi
kill -HUP "$pid"
ended 129
clean
# The same signal again at once, as when a scheduler and a script both send it, is the same signal.
# shellcheck disable=SC2086
start $long --set "outputs=[$work/o/%05d.png,$work/o.mp4]" --progress json
soon grep -q '"event":"stage","stage":"render"' err
kill -USR1 "$pid"
if soon grep -q '"event":"status","stage":"render",.*"alive":1,.*"encoder_mib":' err; then
    pass
else
    fail 'no status'
fi
kill -TERM "$pid"
kill -TERM "$pid"
ended 143
expect_text err '"event":"end","ok":false,"exit":143,'
expect_no_file o.mp4
clean

# A worker that hangs does not hold up a stop, and a second signal after a second ends all at once, so
# that there is no last word.
for again in no yes; do
    # shellcheck disable=SC2086
    start $long -o o/%05d.png --progress json
    draws
    kill -STOP "$(child odori-worker)"
    begin=$(date +%s%N)
    kill -TERM "$pid"
    if [ "$again" = no ]; then
        ended 143
        expect_text err '"event":"end","ok":false,"exit":143,'
        clean
        continue
    fi
    sleep 1.05
    kill -TERM "$pid" 2>/dev/null
    took=$((($(date +%s%N) - begin) / 1000000))
    ended 143
    if ! grep -q '"event":"end"' err; then
        pass
    elif [ "$took" -lt 1400 ]; then
        fail "the second signal did not end it at once"
    else
        skip "the second signal was sent too late, after $took ms"
    fi
    sleep 0.2 # its children are gone a moment later, and what they left is swept by the next run
    find o -name '.*.tmp' -delete
    clean
done

# The end of its time.
# shellcheck disable=SC2086
run 75 render demo/demo.yaml $long -o o/%05d.png --progress none --set limits.total_timeout_s=1.5
expect_text err 'odori: error: limits.total_timeout_s: time limit exceeded; render: '
one_error
clean

# A worker that hangs is told with its frame; a group that was stopped goes on.
# shellcheck disable=SC2086
start $long -o o/%05d.png --progress none --set limits.frame_timeout_s=2
draws
kill -STOP "$(child odori-worker)"
ended 75
expect_text err 'not rendered within 2 s'
one_error
clean
# shellcheck disable=SC2086
start $small -f 0-200 --set "outputs=[$work/o/%05d.png,$work/o.sha256]" --progress none --set limits.frame_timeout_s=3
draws
kill -s STOP -- "-$pid"
sleep 5
kill -s CONT -- "-$pid"
ended 0
expect_empty err
rm -rf o o.sha256

# Children that are killed.
for row in odori-encoder:'the encoder was killed by signal 9' \
    odori-spawner:'the process that starts workers was killed by signal 9'; do
    # shellcheck disable=SC2086
    start $long --set "outputs=[$work/o/%05d.png,$work/o.sha256]" --progress none
    draws
    kill -KILL "$(child "${row%%:*}")"
    ended 70
    expect_text err "${row#*:}"
    one_error
    expect_no_file o.sha256
    clean
done

# Memory: a limit of the job, and one from outside.
run 69 render demo/demo.yaml -f 0 -j 1 -o o/%05d.png --progress none --set limits.memory_mib=100
expect_text err 'worker 1 uses '
expect_text err 'MiB, more than limits.memory_mib 100'
one_error
clean
(
    # shellcheck disable=SC3045
    ulimit -v 450000
    exec "$ODORI" render demo/demo.yaml -f 0 -j 1 -o o.mp4 --progress none >out 2>err </dev/null
)
got=$?
if [ "$got" = 69 ]; then pass; else fail "with ulimit -v it ended with $got, not 69"; fi
one_error
expect_no_file o.mp4
clean

finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# A signal ends every verb soon, wherever it is: loading, simulating, planning, posing.  The time limit of a frame
# covers its evaluation.  Limits of time are generous, since the machine may be busy.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

cp -r "$ODORI_DEMO" demo
pid=
trap '[ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null; rm -rf "$work"' EXIT
# Minutes of simulation before the first frame.
heavy='--set physics.warmup_s=60 --set physics.step_hz=1200 --set physics.cloth_hz=4800'
small='--set render.size=[64,36] --set render.samples=1 --set render.workers=1 --set audio=null'

has_computed() { # GROUP: its processes have used 0.5 s of processor time, more than they need to load the demo
    used=$(cat /proc/[0-9]*/stat 2>/dev/null | awk -v group="$1" '
        { sub(/.*\) /, "") } $3 == group { ticks += $12 + $13 } END { print ticks + 0 }')
    [ "$used" -ge "$(($(getconf CLK_TCK) / 2))" ]
}

# stopped SIGNAL STATUS VERB ARGUMENT...: the verb computes when the signal arrives, and ends by it; false, without a
# report, if $may_end is set and the verb ended before
may_end=
stopped() {
    number=$1 status=$2
    shift 2
    setsid env --default-signal=INT,HUP,TERM "$ODORI" "$@" >out 2>err </dev/null &
    pid=$!
    tries=0
    until has_computed "$pid" || ! kill -0 "$pid" 2>/dev/null || [ $tries = 600 ]; do tries=$((tries + 1)) && sleep 0.1; done
    if kill -0 "$pid" 2>/dev/null; then pass; elif [ -n "$may_end" ]; then return 1; else fail "odori $*: ended before the signal"; fi
    before=$(date +%s)
    kill -s "$number" "$pid"
    wait "$pid" 2>/dev/null
    got=$?
    pid=
    if [ "$got" = "$status" ]; then pass; else fail "odori $*: exit status $got, expected $status"; fi
    if [ $(($(date +%s) - before)) -le 60 ]; then pass; else fail "odori $*: not within 60 s"; fi
    expect_no_temporaries .
}

# shellcheck disable=SC2086
for row in 'TERM 143 render -o film.mp4' 'INT 130 bake -o film.bake' 'HUP 129 preview -o sheet.png' 'TERM 143 report -o page.html' 'TERM 143 plan --try' \
    'TERM 143 pose --frames 100000' 'INT 130 plot --bone 頭 --frames 0-100000 -o p.svg'; do
    # shellcheck disable=SC2086  # signal, status, verb and flags
    set -- $row
    number=$1 status=$2 verb=$3
    shift 3
    # shellcheck disable=SC2086
    case $verb in
    pose | plot) stopped "$number" "$status" "$verb" demo/demo.yaml "$@" $heavy ;;
    *) stopped "$number" "$status" "$verb" demo/demo.yaml "$@" $heavy $small ;;
    esac
done
expect_no_file film.mp4
expect_no_file film.bake

# While assets are loaded: seconds for 250 models, each with its motion; more of them where that was too fast.
may_end=yes
for models in 250 1000 4000; do
    {
        printf 'version: 1\noutputs: [ { file: film.mp4 } ]\nmodels:\n'
        for i in $(seq $models); do
            printf '  - { id: m%d, file: demo/figure.pmx, motions: [demo/dance.vmd], physics: false }\n' "$i"
        done
    } >many.yaml
    # shellcheck disable=SC2086
    stopped TERM 143 render many.yaml $small && stopped INT 130 check many.yaml && may_end= && break
done
[ -z "$may_end" ] || fail 'thousands of models were loaded before the signal'
expect_no_file film.mp4

# The time limit of a frame in the evaluation, for each verb that evaluates.
printf 'frame_s: 0.00001\n' >limits.yaml
for row in 'render -o other.mp4' 'bake -o film.bake' 'preview -o sheet.png' 'report -o page.html' 'pose --frames 10' 'plot --bone 頭 --frames 0-10'; do
    # shellcheck disable=SC2086
    set -- $row
    verb=$1
    shift
    run 75 "$verb" demo/demo.yaml "$@" --limits limits.yaml
    expect_text err 'not evaluated within 1e-05 s (frame_s: limits.yaml:1)'
    expect_no_temporaries .
done

# Frames long after the end of the motion are not simulated.
run 2 pose demo/demo.yaml --frames 0,m90000000
expect_text err 'frame 90000000 is more than an hour after the last key'
run 2 plot demo/demo.yaml --bone 頭 --frames 0-90000000
expect_text err 'is more than an hour after the last key'

finish

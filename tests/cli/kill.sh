# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Kills a job at random times and resumes it until it is complete; sourced after lib.sh and tiny.sh.
# SEED selects the times; failures report it.
: "${SEED:=$(date +%s)}"

random_state=$((SEED % 2147483648))
random_below() { # N: sets random_number to 0..N - 1; the sequence depends on SEED
    random_state=$(((random_state * 1103515245 + 12345) % 2147483648))
    random_number=$((random_state * $1 / 2147483648))
}

now_ms() { echo $(($(date +%s%N) / 1000000)); } # not every date knows the width of %3N

# A job with 90 frames in three segments and two outputs.
kill_job() {
    tiny_job
    sed -i 's/fps: 5, frames: 0-19, workers: 1/fps: 30, frames: 0-89, workers: 2/; s/^outputs:.*//' tiny.yaml
    cat >>tiny.yaml <<'END'
outputs: [ { file: o/film.mp4, gop: 10 }, o/film.sha256 ]
END
}

wait_for_group() { # GROUP: until all of its processes have ended, within a minute
    for _ in $(seq 1200); do
        cat /proc/[0-9]*/stat 2>/dev/null | awk -v group="$1" \
            '{ sub(/.*\) /, "") } $3 == group && $1 != "Z" { found = 1 } END { exit found }' && return
        sleep 0.05
    done
    fail "processes of a killed run remain"
}

pids_named() { # GROUP NAME...: prints the processes of the group with these names
    cat /proc/[0-9]*/stat 2>/dev/null | awk -v group="$1" -v names=" $2 " \
        '$5 == group { name = substr($2, 2, length($2) - 2); if (index(names, " " name " ")) print $1 }'
}

kill_random() { # GROUP: kills the main process, the whole group or a child; sets victim
    random_below 9
    case $random_number in
    0 | 1 | 2) victim=main && kill -KILL "$1" ;;
    3 | 4) victim=group && kill -s KILL -- "-$1" ;;
    5) victim=worker && kill_one "$(pids_named "$1" odori-worker)" ;;
    6) victim=encoder && kill_one "$(pids_named "$1" odori-encoder)" ;;
    7) victim=spawner && kill_one "$(pids_named "$1" odori-spawner)" ;;
    8) victim=files && kill_one "$(pids_named "$1" odori-files)" ;;
    esac 2>/dev/null
}

kill_one() { # PIDS: kills the first process; the list may be empty
    # shellcheck disable=SC2086  # numbers
    set -- $1
    [ $# = 0 ] || kill -KILL "$1"
}

list_incomplete() { # prints files under final names that differ from the reference run
    diff -rq -x '.*' o reference 2>/dev/null | grep -v '^Only in reference'
}

record_duration() { # NUMBER BEGIN-MS: stores the shortest duration of the step in duration-NUMBER
    took=$(($(now_ms) - $2))
    if [ ! -f "duration-$1" ] || [ "$took" -lt "$(cat "duration-$1")" ]; then echo "$took" >"duration-$1"; fi
}

# Runs a step until it succeeds; kills a random process of it while `kills` is above 0.
until_done() { # NUMBER
    tries=0 group=0
    while :; do
        tries=$((tries + 1))
        begin=$(now_ms)
        step "$1" setsid >out 2>err </dev/null &
        before=$group group=$!
        victim=none
        if [ "$kills" -gt 0 ]; then
            random_below "$(cat "duration-$1")"
            sleep "$(printf '%d.%03d' $((random_number / 1000)) $((random_number % 1000)))"
            kill_random "$group"
        fi
        wait "$group" 2>/dev/null
        status=$?
        if [ "$status" = 75 ] && grep -q "is locked" err; then # its children need more than the two seconds that a run waits
            wait_for_group "$before"
            continue
        fi
        if [ "$victim" != none ] && { [ "$status" != 0 ] || grep -q 'a worker died' err; }; then
            kills=$((kills - 1)) # otherwise the step had ended before
        fi
        [ "$tries:$status" != 1:0 ] || record_duration "$1" "$begin"
        case $victim:$status in
        *:0) break ;;
        main:137 | group:137 | worker:70 | encoder:70 | spawner:70) ;;
        files:70 | files:75) ;; # 70: a child died with its broker twice; 75: the broker of main was killed
        *) fail "seed $SEED, try $tries of step $1: killed $victim, exit status $status" ;;
        esac
        wrong=$(list_incomplete)
        [ -z "$wrong" ] || fail "seed $SEED, try $tries of step $1: killed $victim, incomplete: $wrong"
        [ "$tries" -lt 1000 ] || break
    done
}

# kill_often STEPS KILLS: runs the function `step NUMBER COMMAND...` for each step, which must execute the
# program of that step, prefixed by COMMAND, and write its files below o/
kill_often() {
    rm -rf o reference duration-*
    for number in $(seq "$1"); do
        begin=$(now_ms)
        (step "$number") >out 2>err </dev/null || fail "reference run of step $number: exit status $?"
        record_duration "$number" "$begin"
    done
    mv o reference
    kills=$2 rounds=0
    while [ "$kills" -gt 0 ] && [ "$rounds" -lt $((2 * $2 + 10)) ]; do
        rm -rf o
        rounds=$((rounds + 1))
        for number in $(seq "$1"); do until_done "$number"; done
        if diff -r -x '.*.odori' o reference >different; then pass; else fail "seed $SEED, round $rounds: $(cat different)"; fi
        rest=$(find o -name '.*.tmp'; find o -path '*.odori/segment/*')
        if [ -z "$rest" ]; then pass; else fail "seed $SEED, round $rounds, files remain: $rest"; fi
    done
    [ "$kills" = 0 ] || fail "seed $SEED: $kills of $2 kills were not done in $rounds rounds"
    echo "killed $2 times in $rounds rounds of $(cat duration-* | tr '\n' ' ')ms"
}

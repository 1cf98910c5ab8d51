# shellcheck shell=sh
# A job that is killed at any moment, again and again, and goes on each time until it is done: sourced
# after lib.sh and tiny.sh.  SEED makes the moments; it is told when something is wrong.
: "${SEED:=$(date +%s)}"

dice=$((SEED % 2147483648))
roll() { # N: `rolled` becomes a number from 0 to N - 1; the same ones for the same SEED
    dice=$(((dice * 1103515245 + 12345) % 2147483648))
    rolled=$((dice * $1 / 2147483648))
}

now_ms() { date +%s%3N; }

# Ninety pictures, three pieces of a film, of two sorts.
kill_job() {
    tiny_job
    sed -i 's/fps: 5, frames: 0-19, workers: 1/fps: 30, frames: 0-89, workers: 2/; s/^outputs:.*//' tiny.yaml
    cat >>tiny.yaml <<'END'
outputs: [ { file: o/film.mp4, gop: 10 }, o/film.sha256 ]
END
}

pids_named() { # GROUP NAME...: of the processes of the group
    cat /proc/[0-9]*/stat 2>/dev/null | awk -v group="$1" -v names=" $2 " \
        '$5 == group { name = substr($2, 2, length($2) - 2); if (index(names, " " name " ")) print $1 }'
}

strike() { # GROUP: main alone, the whole group, or a child
    roll 8
    case $rolled in
    0 | 1 | 2) victim=main && kill -KILL "$1" ;;
    3 | 4) victim=group && kill -s KILL -- "-$1" ;;
    5) victim=worker && kill_one "$(pids_named "$1" odori-worker)" ;;
    6) victim=encoder && kill_one "$(pids_named "$1" odori-encoder)" ;;
    7) victim=spawner && kill_one "$(pids_named "$1" odori-spawner)" ;;
    esac 2>/dev/null
}

kill_one() { # PIDS: the first; perhaps there is none yet, or no more
    # shellcheck disable=SC2086  # numbers
    set -- $1
    [ $# = 0 ] || kill -KILL "$1"
}

half_written() { # prints files under final names that are not as they should be
    diff -rq -x '.*' o calm 2>/dev/null | grep -v '^Only in calm'
}

note_length() { # NUMBER BEGIN-MS: the shortest time that the step took is in length-NUMBER
    took=$(($(now_ms) - $2))
    if [ ! -f "length-$1" ] || [ "$took" -lt "$(cat "length-$1")" ]; then echo "$took" >"length-$1"; fi
}

# Runs a step until it ends with 0; while `kills` are left, something of it is killed.
until_done() { # NUMBER
    tries=0
    while :; do
        tries=$((tries + 1))
        begin=$(now_ms)
        step "$1" setsid >out 2>err </dev/null &
        group=$!
        victim=none
        if [ "$kills" -gt 0 ]; then
            roll "$(cat "length-$1")"
            sleep "$(printf '%d.%03d' $((rolled / 1000)) $((rolled % 1000)))"
            strike "$group"
        fi
        wait "$group" 2>/dev/null
        status=$?
        if [ "$victim" != none ] && { [ "$status" != 0 ] || grep -q 'a worker died' err; }; then
            kills=$((kills - 1)) # else it came too late
        fi
        [ "$tries:$status" != 1:0 ] || note_length "$1" "$begin"
        case $victim:$status in
        *:0) break ;;
        main:137 | group:137 | worker:70 | encoder:70 | spawner:70) ;;
        *) fail "seed $SEED, try $tries of step $1: $victim killed, ended with $status" ;;
        esac
        wrong=$(half_written)
        [ -z "$wrong" ] || fail "seed $SEED, try $tries of step $1: $victim killed, not whole: $wrong"
        [ "$tries" -lt 1000 ] || break
    done
}

# kill_often STEPS KILLS: `step NUMBER WORD...` becomes the program of that step, behind these words; all
# that it makes goes below o/
kill_often() {
    rm -rf o calm length-*
    for number in $(seq "$1"); do
        begin=$(now_ms)
        (step "$number") >out 2>err </dev/null || fail "the calm step $number ended with $?"
        note_length "$number" "$begin"
    done
    mv o calm
    kills=$2 rounds=0
    while [ "$kills" -gt 0 ] && [ "$rounds" -lt $((2 * $2 + 10)) ]; do
        rm -rf o
        rounds=$((rounds + 1))
        for number in $(seq "$1"); do until_done "$number"; done
        if diff -r -x '.*.odori' o calm >different; then pass; else fail "seed $SEED, round $rounds: $(cat different)"; fi
        rest=$(find o -name '.*.tmp'; find o -path '*.odori/piece/*')
        if [ -z "$rest" ]; then pass; else fail "seed $SEED, round $rounds, left behind: $rest"; fi
    done
    [ "$kills" = 0 ] || fail "seed $SEED: $kills of $2 kills did not come in $rounds rounds"
    echo "killed $2 times in $rounds rounds of $(cat length-* | tr '\n' ' ')ms"
}

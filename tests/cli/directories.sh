# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Stops a job at random times, moves its directory with its checkpoint directory in random ways, and resumes it
# there; sourced after lib.sh, tiny.sh and kill.sh.  SEED selects times and ways; failures report it.

# A film, a list of digests and stills, of 64 x 36 pixels.
directory_job() {
    tiny_job
    sed -i 's/size: \[16, 16\]/size: [64, 36]/; s/fps: 5, frames: 0-19/fps: 30, frames: 0-44/; s/^outputs:.*//' tiny.yaml
    cat >>tiny.yaml <<'END'
outputs: [ { file: o/film.mp4, gop: 10 }, o/film.sha256, "o/s/%02d.png" ]
END
}

assets='board.x camera.vmd noise.wav tiny.yaml'

# relocate: makes the directory `here` available in another way; sets way, and `there`: the directory to go on in
relocate() {
    counter=$((counter + 1)) there=home$counter
    random_below 8
    # shellcheck disable=SC2154  # random_below of kill.sh sets it
    case $random_number in
    0) way='mv' && mv "$at" "$there" ;;
    1) way='cp -r' && cp -r "$at" "$there" && rm -r "$at" ;;
    2) way='cp -a' && cp -a "$at" "$there" && rm -r "$at" ;;
    3) way='tar' && mkdir "$there" && (cd "$at" && tar cf - .) | (cd "$there" && tar xf -) && rm -r "$at" ;;
    4) way='symbolic link to the directory' && mv "$at" "real$counter" && ln -s "real$counter" "$there" ;;
    5) way='symbolic link to the outputs' && mv "$at" "$there" && move_outputs ;;
    6) way='symbolic link to the checkpoint directory' && mv "$at" "$there" && move_state ;;
    7) way='another name of the directory' && mv "$at" "deep$counter" && mkdir -p "$there" && rmdir "$there" &&
        ln -s "$PWD/./deep$counter/../deep$counter" "$there" ;;
    esac
    [ ! -f "$there/o/damage" ] || rm "$there/o/damage"
    at=$there
}
move_outputs() {
    [ -d "$there/o" ] && [ ! -L "$there/o" ] || return 0
    mv "$there/o" "$there/outputs$counter" && ln -s "outputs$counter" "$there/o"
}
move_state() {
    state=$there/o/.film.mp4.odori
    [ -d "$state" ] && [ ! -L "$state" ] || return 0
    mv "$state" "$there/o/state$counter" && ln -s "state$counter" "$state"
}

# One try in the directory $at; kill: at a random time
try_once() {
    begin=$(now_ms)
    (cd "$at" && exec setsid "$ODORI" render tiny.yaml --progress none) >out 2>err </dev/null &
    group=$!
    victim=none
    if [ "$1" = kill ]; then
        random_below "$(cat duration-1)"
        sleep "$(printf '%d.%03d' $((random_number / 1000)) $((random_number % 1000)))"
        victim=group
        kill -s KILL -- "-$group" 2>/dev/null
    fi
    wait "$group" 2>/dev/null
    status=$?
    [ "$victim" = none ] || wait_for_group "$group" # before its files are moved
    [ "$victim:$status" != none:0 ] || [ -f duration-1 ] || echo $(($(now_ms) - begin)) >duration-1
    [ "$victim" = none ] || [ "$status" = 0 ] || kills=$((kills + 1))
    case $victim:$status in
    none:0 | group:0 | group:137) ;;
    *) fail "seed $SEED, relocation $counter ($way): exit status $status" ;;
    esac
}

same_bytes() { diff -r -x '.*' -x 'state*' "$at/o" reference; }

# relocate_often N: relocates N times, in rounds of up to four before the film is finished
relocate_often() {
    kills=0 counter=0 rounds=0 way=none
    rm -f duration-1
    # shellcheck disable=SC2086
    mkdir first && cp $assets first && at=first
    try_once go
    [ "$status" = 0 ] || return
    cp -r "$at/o" reference && rm -r "$at"
    while [ "$counter" -lt "$1" ]; do
        rounds=$((rounds + 1))
        at=round$rounds
        # shellcheck disable=SC2086
        mkdir "$at" && cp $assets "$at"
        random_below 4
        for _ in $(seq $((random_number + 1))); do
            try_once kill
            relocate
        done
        try_once go
        if same_bytes >different; then pass; else fail "seed $SEED, relocation $counter ($way): $(head -n 20 different)"; fi
        relocate # a finished film is found complete at its new place
        try_once go
        if grep -q 'nothing to render' err; then pass; else fail "seed $SEED, relocation $counter ($way): rendered again"; fi
        if (cd "$at" && "$ODORI" verify tiny.yaml) >out 2>err; then pass; else fail "seed $SEED, $way: verify"; fi
        rest=$(find "$at/" -name '.*.tmp' -o -name '*-lock' -o -path '*.odori/segment/*')
        if [ -z "$rest" ]; then pass; else fail "seed $SEED, relocation $counter ($way): $rest remain"; fi
        rm -rf home* real* deep* round*
    done
    echo "relocated $counter times in $rounds rounds, with $kills kills"
}

#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures whole films with sound: their time beside their length, efficiency of the pipeline, time to the first frame, memory;
# and evaluation alone.
# usage: bench_film.sh DIRECTORY [JOB...]; writes film.json into the directory.
#
# $ODORI is the program, $ODORI_DEMO/demo.yaml the default job (with ../shared/data instead: a real model alone, "gene", and on
# the demo's stage, "staged").
# BENCH_FRAMES: number of frames, at 30 a second.  Efficiency is the CPU time of a film with one worker, over the wall time of all
# cores for the same film with as many workers; busy is the CPU time of the latter over the same.  The two films alternate, and both
# figures are of one round, so that a change of the machine's speed changes both times.  All figures are medians of
# BENCH_ROUNDS rounds, at least 5, with the least and the greatest.  Memory is the sum of the PSS of all processes, sampled in one run
# of its own.
set -eu
out=$1
shift
here=$(cd "$(dirname "$0")/../.." && pwd)
data=${BENCH_DATA:-$here/../shared/data}
count=${BENCH_FRAMES:-120} rounds=${BENCH_ROUNDS:-5}
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

real_film() { # NAME STAGE: a dance with physics, sound and a moving camera
    cat >"$work/$1.yaml" <<YAML
version: 1
models: [ { file: "$figure", motions: [ "$motion" ] } ]
stage: [ $2 ]
camera: { motion: "$data/vmdgadgets/camera_7230frames.vmd" }
audio: { file: "$data/audio-midi/be_sharp_bw_redfarn.mid" }
render: { size: [1920, 1080], fps: 30 }
outputs: [ { file: "$1.mp4" } ]
YAML
}

figure=$ODORI_DEMO/figure.pmx motion=$ODORI_DEMO/dance.vmd
if [ $# -eq 0 ] && [ -f "$data/gene/Gene_light.pmx" ]; then
    figure=$data/gene/Gene_light.pmx motion=$data/miu-mmd-base/dance_7403frames.vmd
    real_film gene ""
    real_film staged "\"$ODORI_DEMO/stage.pmx\""
    set -- "$work/gene.yaml" "$work/staged.yaml"
fi
[ $# -gt 0 ] || set -- "$ODORI_DEMO/demo.yaml"

seconds() { sed -n 's/^.*first frame after \([0-9.]*\) s$/\1/p' "$work/log"; }
wall_s() { date +%s.%N; }

# PSS of the session of process $1, MiB, while it runs; the largest sum of all samples.
sample_memory() {
    peak=0
    while kill -0 "$1" 2>/dev/null; do
        sum=$(for pid in $(ps -o pid= -s "$1"); do cat "/proc/$pid/smaps_rollup" 2>/dev/null || true; done |
            awk '/^Pss:/ { sum += $2 } END { print int(sum / 1024) }')
        [ "$sum" -le "$peak" ] || peak=$sum
        sleep 0.2
    done
    echo "$peak"
}

film() { # JOB FRAMES OPTION...: one film; its messages in $work/log
    film_job=$1 film_frames=$2
    shift 2
    rm -rf "$work/state"
    $film_runner "$ODORI" render "$film_job" -f "0-$((film_frames - 1))" --progress none -y -o "$work/film.mp4" \
        --state "$work/state" --set 'render.size=[1920, 1080]' --set render.fps=30 "$@" 2>"$work/log" || {
        cat "$work/log" >&2
        exit 1
    }
}
film_runner=

sampled_film() { # as film: the peak of memory in $work/memory
    film_runner="setsid -w $work/session"
    film "$@" &
    sampled=$!
    film_runner=
    while [ ! -s "$work/pid" ]; do sleep 0.01; done
    sample_memory "$(cat "$work/pid")" >"$work/memory"
    wait "$sampled"
    rm "$work/pid"
}
printf '#!/bin/sh\necho $$ >%s/pid\nexec "$@"\n' "$work" >"$work/session"
chmod +x "$work/session"

cpu_s() { # FILE: of the children of this shell, which a subshell does not know
    awk 'NR == 2 { gsub(/[ms]/, " "); print $1 * 60 + $2 + $3 * 60 + $4 }' "$1"
}

add() { # NAME FIGURE VALUE: the result of one round
    echo "$3" >>"$work/$1.$2"
}

round() { # JOB NAME
    times >"$work/t0"
    film "$1" "$count" -j 1
    times >"$work/t1"
    start=$(wall_s)
    film "$1" "$count"
    end=$(wall_s)
    times >"$work/t2"
    set -- "$1" "$2" "$(echo "$start $end" | awk -v cores="$cores" '{ print ($2 - $1) * cores }')"
    add "$2" wall_s "$(awk "BEGIN { print $3 / $cores }")"
    add "$2" of_length "$(awk "BEGIN { print $3 / $cores * 30 / $count }")"
    add "$2" efficiency "$(awk "BEGIN { print ($(cpu_s "$work/t1") - $(cpu_s "$work/t0")) / $3 }")"
    add "$2" busy "$(awk "BEGIN { print ($(cpu_s "$work/t2") - $(cpu_s "$work/t1")) / $3 }")"
    film "$1" 6 --times # prints the time to the first frame
    add "$2" first_frame_s "$(seconds)"
}

# Evaluation of three figures, the difference of a long and a short bake: what one main hands out without workers.
cat >"$work/three.yaml" <<YAML
version: 1
models:
  - { file: "$figure", motions: [ "$motion" ] }
  - { file: "$figure", motions: [ "$motion" ], position: [12, 0, 0] }
  - { file: "$figure", motions: [ "$motion" ], position: [-12, 0, 0] }
render: { size: [64, 36], fps: 30 }
outputs: [ { file: x.mp4 } ]
YAML
bake_s() { # LAST FRAME: CPU seconds
    rm -rf "$work/bake"
    sh -c '"$@" >/dev/null 2>&1; times' sh "$ODORI" bake "$work/three.yaml" -f "0-$1" --state "$work/bake" |
        tail -n 1 | sed 's/[ms]/ /g' | awk '{ print 60 * $1 + $2 + 60 * $3 + $4 }'
}

cores=$(nproc)
done_rounds=0
while [ $done_rounds -lt "$rounds" ]; do
    for job in "$@"; do round "$job" "$(basename "$job" .yaml)"; done
    add three evaluate_ms "$(echo "$(bake_s 600) $(bake_s 0)" | awk '{ print ($1 - $2) / 600 * 1000 }')"
    done_rounds=$((done_rounds + 1))
done
for job in "$@"; do
    sampled_film "$job" "$count"
    add "$(basename "$job" .yaml)" memory_mib "$(cat "$work/memory")"
done

spread() { # NAME FIGURE: its median, the least and the greatest
    sort -n "$work/$1.$2" | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2, v[1], v[NR] }'
}
json() { # NAME FIGURE
    spread "$1" "$2" | awk -v key="$2" '{ printf "\"%s\": {\"median\": %s, \"min\": %s, \"max\": %s}", key, $1, $2, $3 }'
}
text() { # NAME FIGURE FORMAT
    spread "$1" "$2" | awk -v format="$3 (%.3g..%.3g)" '{ printf format, $1, $2, $3 }'
}
{
    printf '{"rounds": %d, %s, "films": [' "$rounds" "$(json three evaluate_ms)"
    comma=
    for job in "$@"; do
        name=$(basename "$job" .yaml)
        printf '%s\n  {"job": "%s"' "$comma" "$name"
        for key in wall_s of_length efficiency busy first_frame_s memory_mib; do printf ', %s' "$(json "$name" $key)"; done
        printf '}'
        comma=,
    done
    printf '\n]}\n'
} >"$out/film.json"
for job in "$@"; do
    name=$(basename "$job" .yaml)
    echo "$name: $(text "$name" wall_s '%.2f s'), $(text "$name" of_length '%.3f of its length')," \
        "$(text "$name" efficiency 'efficiency %.3f'), $(text "$name" busy 'busy %.3f')," \
        "$(text "$name" first_frame_s 'first frame after %.2f s'), $(cat "$work/$name.memory_mib") MiB"
done
text three evaluate_ms 'evaluation of three figures: %.2f ms/frame'
echo

#!/bin/sh
# Measures whole films with sound: their time beside their length, efficiency of the pipeline, time to the first frame, memory;
# and evaluation alone.
# usage: bench_film.sh DIRECTORY [JOB...]; writes film.json into the directory.
#
# $ODORI is the program, $ODORI_DEMO/demo.yaml the default job (with ../shared/data: a real model instead).
# BENCH_FRAMES: number of frames, at 30 a second.  Efficiency is the CPU time of a run with one worker, over the wall time of all
# cores with as many workers; busy is the CPU time of the latter run over the same.  --times waits after each stage, so the run that
# is timed is one without.  Memory is the sum of the PSS of all processes, sampled in a run of its own.
set -eu
out=$1
shift
here=$(cd "$(dirname "$0")/../.." && pwd)
data=${BENCH_DATA:-$here/../shared/data}
count=${BENCH_FRAMES:-120}
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

figure=$ODORI_DEMO/figure.pmx motion=$ODORI_DEMO/dance.vmd
if [ $# -eq 0 ] && [ -f "$data/gene/Gene_light.pmx" ]; then
    figure=$data/gene/Gene_light.pmx motion=$data/miu-mmd-base/dance_7403frames.vmd
    cat >"$work/gene.yaml" <<YAML
version: 1
models: [ { file: "$figure", motions: [ "$motion" ] } ]
camera: { motion: "$data/vmdgadgets/camera_7230frames.vmd" }
audio: { file: "$data/audio-midi/be_sharp_bw_redfarn.mid" }
render: { size: [1920, 1080], fps: 30 }
outputs: [ { file: "gene.mp4" } ]
YAML
    set -- "$work/gene.yaml"
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

cores=$(nproc)
for job in "$@"; do
    name=$(basename "$job" .yaml)
    times >"$work/before"
    film "$job" "$count" -j 1
    times >"$work/after"
    alone=$(awk "BEGIN { print $(cpu_s "$work/after") - $(cpu_s "$work/before") }")
    film "$job" 6 --times
    first=$(seconds)
    sampled_film "$job" "$count"
    times >"$work/before"
    start=$(wall_s)
    film "$job" "$count"
    end=$(wall_s)
    times >"$work/after"
    echo "$name $start $end $alone $first $(cat "$work/memory") $(cpu_s "$work/before") $(cpu_s "$work/after")"
done >"$work/films"
awk -v frames="$count" -v cores="$cores" '
    {
        wall = $3 - $2
        printf "%s %.2f %.3f %s %s %.2f %.3f %.3f\n", $1, frames / wall, $4 / (cores * wall), $5, $6, wall,
            wall * 30 / frames, ($8 - $7) / (cores * wall)
    }' "$work/films" >"$work/table"

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
evaluate_ms=$(echo "$(bake_s 600) $(bake_s 0)" | awk '{ print ($1 - $2) / 600 * 1000 }')

awk -v evaluate="$evaluate_ms" '
    BEGIN { printf "{\"evaluate_three_ms\": %s, \"films\": [", evaluate }
    {
        printf "%s\n  {\"job\": \"%s\", \"frames_per_s\": %s, \"efficiency\": %s, ", (NR > 1 ? "," : ""), $1, $2, $3
        printf "\"first_frame_s\": %s, \"memory_mib\": %s, ", $4, $5
        printf "\"wall_s\": %s, \"of_length\": %s, \"busy\": %s}", $6, $7, $8
    }
    END { print "\n]}" }' "$work/table" >"$out/film.json"
awk '{
    printf "%s: %s s, %s of its length, efficiency %s, busy %s, first frame after %s s, %s MiB\n", $1, $6, $7, $3, $8, $4, $5
}' "$work/table"
echo "evaluation of three figures: $evaluate_ms ms/frame"

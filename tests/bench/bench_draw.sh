#!/bin/sh
# SPDX-License-Identifier: MIT
# Compares the CPU time of drawing a frame with that of another commit, in alternation.
# usage: bench_draw.sh DIRECTORY [JOB...]; writes draw.json and draw.svg into the directory.
#
# $ODORI is the program, $HALL writes the demo and the hall.  Default jobs: two real models of ../shared/data, where it is
# there; a figure "alone" and in the "hall", before a still camera, also "lit", where the hall takes
# self-shadows (with python3); the "demo", on its stage, and its figure in the hall with a "moving" camera.
# BASE=COMMIT builds that commit in DIRECTORY/base; without it only this program runs.  BENCH_ROUNDS: rounds, at
# least 5.  BENCH_FRAMES: frames of the jobs.  The result of a run is the median over its frames without the first
# three, which compile shaders; the result of a program is the median over the rounds.
set -eu
out=$1
shift
here=$(cd "$(dirname "$0")/../.." && pwd)
data=${BENCH_DATA:-$here/../shared/data}
rounds=${BENCH_ROUNDS:-5} frames=${BENCH_FRAMES:-600-605,700-705}
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

real_job() { # NAME MODEL: a dance with a moving camera, without physics
    cat >"$work/$1.yaml" <<YAML
version: 1
models: [ { file: "$data/$2", physics: false, motions: [ "$data/miu-mmd-base/dance_7403frames.vmd" ] } ]
camera: { motion: "$data/vmdgadgets/camera_7230frames.vmd" }
render: { size: [1920, 1080], fps: 30 }
outputs: [ { file: "$1.mp4" } ]
YAML
}
still_job() { # NAME MODEL MOTION STAGE
    cat >"$work/$1.yaml" <<YAML
version: 1
models: [ { file: "$2", physics: false, motions: [ "$3" ] } ]
stage: [ $4 ]
camera: { fixed: { target: [0, 9.5, 0], distance: -47, rotation_deg: [2, 0, 0], fov_deg: 40 } }
render: { size: [1920, 1080], fps: 30 }
outputs: [ { file: "$1.mp4" } ]
YAML
}
still_jobs() { # MODEL MOTION
    still_job alone "$1" "$2" ""
    still_job hall "$1" "$2" "\"$work/demo/hall.pmx\""
    still_job lit "$1" "$2" "\"$work/demo/lit.pmx\""
}
demo_jobs() {
    "$HALL" "$work/demo"
    mv "$work/demo/hall.yaml" "$work/demo/moving.yaml"
    command -v python3 >/dev/null || return 0
    python3 "$here/tests/bench/shadow_flags.py" "$work/demo/hall.pmx" "$work/demo/lit.pmx"
    lit=$work/lit.yaml
}
lit=
[ $# -gt 0 ] || demo_jobs
if [ $# -eq 0 ] && [ -f "$data/gene/Gene_light.pmx" ] && [ -f "$data/miu-trace-model/v4_trace_model.pmx" ]; then
    real_job gene gene/Gene_light.pmx
    real_job trace miu-trace-model/v4_trace_model.pmx
    still_jobs "$data/gene/Gene_light.pmx" "$data/miu-mmd-base/dance_7403frames.vmd"
    set -- "$work/gene.yaml" "$work/trace.yaml" "$work/alone.yaml" "$work/hall.yaml" "$work/demo/demo.yaml" \
        "$work/demo/moving.yaml" ${lit:+"$lit"}
elif [ $# -eq 0 ]; then
    still_jobs "$work/demo/figure.pmx" "$work/demo/dance.vmd"
    set -- "$work/alone.yaml" "$work/hall.yaml" "$work/demo/demo.yaml" "$work/demo/moving.yaml" ${lit:+"$lit"}
fi

programs=this
if [ -n "${BASE:-}" ]; then
    commit=$(git -C "$here" rev-parse --short "$BASE^{commit}")
    base=$out/base/$commit
    if [ ! -x "$base/out/odori" ]; then
        mkdir -p "$base"
        git -C "$here" archive "$commit" | tar -x -C "$base"
        make -C "$base" >"$base.log" 2>&1 || {
            tail -5 "$base.log"
            exit 1
        }
    fi
    programs="base this"
fi

median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
draw_ms() { # PROGRAM JOB: median CPU ms of drawing a frame
    "$1" render "$2" -f "$frames" -j 1 -v --progress plain -o "$work/x.sha256" --state "$work/state" -y \
        --set 'render.size=[1920, 1080]' 2>"$work/log" || {
        cat "$work/log" >&2
        exit 1
    }
    sed -n 's/^frame [0-9]*: \([0-9.]*\) ms$/\1/p' "$work/log" | tail -n +4 | median
}

for job in "$@"; do
    name=$(basename "$job" .yaml)
    round=0
    while [ $round -lt "$rounds" ]; do
        for program in $programs; do
            binary=$ODORI
            [ "$program" = this ] || binary=$base/out/odori
            draw_ms "$binary" "$job" >>"$work/$name.$program"
        done
        round=$((round + 1))
    done
    for program in $programs; do
        times=$work/$name.$program
        echo "$name $program $(median <"$times") $(sort -n "$times" | head -n 1) $(sort -n "$times" | tail -n 1)"
    done
done >"$work/table"

awk -v base="${commit:-}" -v rounds="$rounds" '
    BEGIN { printf "{\"unit\": \"CPU ms a frame\", \"base\": \"%s\", \"rounds\": %d, \"draw\": [", base, rounds }
    {
        printf "%s\n  {\"job\": \"%s\", \"program\": \"%s\", ", (NR > 1 ? "," : ""), $1, $2
        printf "\"median\": %s, \"min\": %s, \"max\": %s}", $3, $4, $5
    }
    END { print "\n]}" }' "$work/table" >"$out/draw.json"
awk '
    { label[NR] = $1 ", " $2; value[NR] = $3; if ($3 > top) top = $3 }
    END {
        printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"%d\" ", 40 + 26 * NR
        print "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
        print "<text x=\"10\" y=\"20\">drawing, CPU ms a frame at 1920x1080</text>"
        for (i = 1; i <= NR; i++) {
            y = 32 + 26 * (i - 1)
            printf "<text x=\"10\" y=\"%d\">%s</text>", y + 14, label[i]
            color = label[i] ~ /base$/ ? "#b0b0b0" : "#4878a8"
            width = 420 * value[i] / top
            printf "<rect x=\"150\" y=\"%d\" width=\"%.1f\" height=\"18\" fill=\"%s\"/>", y, width, color
            printf "<text x=\"%.1f\" y=\"%d\">%.1f</text>\n", 155 + width, y + 14, value[i]
        }
        print "</svg>"
    }' "$work/table" >"$out/draw.svg"
awk '
    $2 == "base" { base[$1] = $3 }
    { printf "%s, %s: draw %.1f CPU ms/frame (%.1f..%.1f)", $1, $2, $3, $4, $5 }
    $2 == "this" && base[$1] > 0 { printf ", ratio %.3f", $3 / base[$1] }
    $1 == "alone" { alone[$2] = $3 }
    $1 == "hall" && alone[$2] > 0 { printf ", %.3f times the figure alone", $3 / alone[$2] }
    { print "" }' "$work/table"

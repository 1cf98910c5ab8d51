#!/bin/sh
# Prints how far frames are from a reference with 64 samples a pixel, and how they flicker on thin lines while the
# camera moves by a sixth of a pixel a frame, for each quality.
# usage: bench_flicker.sh DIRECTORY; $ODORI is the program, $BENCH_FLICKER compares.
# BASE=COMMIT, which bench_draw.sh has built in DIRECTORY/base, is compared, too.
set -eu
out=$1
here=$(cd "$(dirname "$0")/../.." && pwd)
data=${BENCH_DATA:-$here/../shared/data}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
base=
if [ -n "${BASE:-}" ]; then
    base=$(cd "$out" && pwd)/base/$(git -C "$here" rev-parse --short "$BASE^{commit}")/out/odori
fi

frames() { # PROGRAM NAME SETTING...: seven frames in $work/NAME-%d.png
    program=$1 name=$2
    shift 2
    for k in 0 1 2 3 4 5 6; do
        # 800 pixels show 2 * 30 * tan 15 degrees; the view is turned by 20 degrees.
        target=$(awk -v k="$k" 'BEGIN {
            s = k / 6 * 60 * 0.26794919 / 800
            printf "[%.7f, %.7f, %.7f]", s * 0.93969262, 12 + 0.4 * s, s * 0.34202014 }')
        "$program" render "$work/job.yaml" -q -y -j 1 -f 600 -o "$work/x-%d.png" --set "camera.fixed.target=$target" "$@" \
            2>"$work/log" || {
            cat "$work/log" >&2
            exit 1
        }
        mv "$work/x-600.png" "$work/$name-$k.png"
    done
}

measure() { # MODEL MOTION
    cat >"$work/job.yaml" <<YAML
version: 1
models: [ { file: "$1", motions: [ "$2" ], physics: false } ]
camera: { fixed: { target: [0, 12, 0], distance: -30, rotation_deg: [0, 20, 0], fov_deg: 30 } }
render: { size: [800, 800], fps: 30 }
outputs: [ { file: "$work/x-%d.png" } ]
YAML
    frames "$ODORI" reference --set 'render.size=[6400, 6400]' --set render.supersample=1
    [ -z "$base" ] || frames "$base" base
    frames "$ODORI" good
    frames "$ODORI" best --set render.quality=best
    frames "$ODORI" samples --set render.samples=4
    for name in base good best samples; do
        [ ! -e "$work/$name-0.png" ] ||
            echo "$(basename "$1"), $name: $("$BENCH_FLICKER" "$work/reference" "$work/$name")"
    done
}

dance=$data/miu-mmd-base/dance_7403frames.vmd
found=
for model in gene/Gene_light.pmx gene/Gene_light.pmd miu-trace-model/v4_trace_model.pmx; do
    if [ -f "$data/$model" ] && [ -f "$dance" ]; then
        measure "$data/$model" "$dance"
        found=1
    fi
done
[ -n "$found" ] || measure "$ODORI_DEMO/figure.pmx" "$ODORI_DEMO/dance.vmd"

#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints how far frames are from a reference with 64 samples a pixel, and how they flicker while the camera moves by a
# sixth of a pixel a frame: seven frames of each quality, then sixty of each effect.
# usage: bench_flicker.sh DIRECTORY [EFFECT]; $ODORI is the program, $BENCH_FLICKER compares.  EFFECT: only this one.
# BASE=COMMIT, which bench_draw.sh has built in DIRECTORY/base, is compared, too.
set -eu
out=$1 only=${2:-}
here=$(cd "$(dirname "$0")/../.." && pwd)
data=${BENCH_DATA:-$here/../shared/data}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
base=
if [ -n "${BASE:-}" ]; then
    base=$(cd "$out" && pwd)/base/$(git -C "$here" rev-parse --short "$BASE^{commit}")/out/odori
fi

render() { # PROGRAM OPTION...
    program=$1
    shift
    "$program" render "$work/job.yaml" -q -y -j 1 "$@" 2>"$work/log" || {
        cat "$work/log" >&2
        exit 1
    }
}

# ---- qualities ----

frames() { # PROGRAM NAME SETTING...: seven frames in $work/NAME-%d.png
    program=$1 name=$2
    shift 2
    for k in 0 1 2 3 4 5 6; do
        # 800 pixels show 2 * 30 * tan 15 degrees; the view is turned by 20 degrees.
        target=$(awk -v k="$k" 'BEGIN {
            s = k / 6 * 60 * 0.26794919 / 800
            printf "[%.7f, %.7f, %.7f]", s * 0.93969262, 12 + 0.4 * s, s * 0.34202014 }')
        render "$program" -f 600 -o "$work/x-%d.png" --set "camera.fixed.target=$target" "$@"
        mv "$work/x-600.png" "$work/$name-$k.png"
    done
}

qualities() { # MODEL MOTION
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
            echo "$(basename "$1"), $name: $("$BENCH_FLICKER" "$work/reference" "$work/$name" 7)"
    done
}

dance=$data/miu-mmd-base/dance_7403frames.vmd
found=
for model in gene/Gene_light.pmx gene/Gene_light.pmd miu-trace-model/v4_trace_model.pmx; do
    if [ -z "$only" ] && [ -f "$data/$model" ] && [ -f "$dance" ]; then
        qualities "$data/$model" "$dance"
        found=1
    fi
done
[ -n "$found" ] || [ -n "$only" ] || qualities "$ODORI_DEMO/figure.pmx" "$ODORI_DEMO/dance.vmd"

# ---- effects: the demo's figure and stage at rest ----

awk -v demo="$ODORI_DEMO" 'BEGIN {
    print "version: 1"
    printf "models: [ { file: \"%s/figure.pmx\", physics: false } ]\nstage: [ \"%s/stage.pmx\" ]\n", demo, demo
    print "render: { size: [480, 270], fps: 30 }\noutputs: [ { file: \"x-%d.png\" } ]\ncamera:\n  path:"
    for (i = 0; i < 60; i++) {
        s = i / 6 * 80 * 0.26794919 / 270 # 270 pixels show 2 * 40 * tan 15 degrees
        printf "    - { frame: %d, cut: %s, eye: [%.7f, %.7f, -38], ", i, i ? "true" : "false", 10 + s, 14 + 0.4 * s
        printf "target: [%.7f, %.7f, 0] }\n", s, 9 + 0.4 * s
    }
}' >"$work/job.yaml"

# The reference has four times the size and 2 x 2 samples; that of a lens 64 images.
effect() { # NAME REFERENCE SETTING...
    name=$1 reference=$2
    shift 2
    [ -z "$only" ] || [ "$only" = "$name" ] || return 0
    if [ "$reference" = large ]; then
        render "$ODORI" -f 0-59 -o "$work/reference-%d.png" --set 'render.size=[1920, 1080]' "$@"
    else
        render "$ODORI" -f 0-59 -o "$work/reference-%d.png" "$@" --set 'look.accumulate={ samples: 64, shutter_deg: 0 }'
    fi
    render "$ODORI" -f 0-59 -o "$work/effect-%d.png" "$@"
    echo "effect $name: $("$BENCH_FLICKER" "$work/reference" "$work/effect" 60)"
}

effect none large
effect mirror large --set look.mirror.strength=0.5
effect blurred-mirror large --set 'look.mirror={ strength: 0.5, blur: 0.01 }'
effect soft-ground large --set look.ground_shadow.angle_deg=10
effect ssao large --set look.ssao.strength=1
effect glow large --set 'look.glow.materials=[ 提灯 ]'
effect diffusion large --set look.diffusion.strength=1
effect grade large --set 'look.grade={ contrast: 1.3, saturation: 1.2, vignette: 0.3 }'
effect fast-focus lens --set look.focus.aperture=1
effect focus-16 lens --set look.focus.aperture=1 --set 'look.accumulate={ samples: 16, shutter_deg: 0 }'

#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints what post-effects at 1080p cost in the renderer, beside the draws of their shaders alone.
# usage: bench_effects.sh; $BENCH_EFFECTS measures, $ODORI_DEMO has the demo.  Packages that are not there are skipped.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
packages=${BENCH_DATA:-$here/../shared/data}/effects
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for name in FXAA SMAA LightBloom; do
    if [ ! -f "$packages/$name/$name.x" ]; then
        echo "$name: skipped, there is no $packages/$name"
        continue
    fi
    cat >"$work/job.yaml" <<END
version: 1
models: [ { file: "$ODORI_DEMO/figure.pmx", motions: [ "$ODORI_DEMO/dance.vmd" ] } ]
camera: { motion: "$ODORI_DEMO/camera.vmd" }
render: { size: [1920, 1080] }
stage: [ "$ODORI_DEMO/stage.pmx", "$packages/$name/$name.x" ]
END
    echo "$name: $("$BENCH_EFFECTS" "$work/job.yaml" 100)"
done

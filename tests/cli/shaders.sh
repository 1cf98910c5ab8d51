#!/bin/sh
# SPDX-License-Identifier: MIT
# Fills the cache of shaders for the tests of the command line, once for all of them: Mesa takes longer to compile the
# shaders of a still than to draw it.  The program reads its cache in the sandbox, and fills it with the shaders of its
# demo only, so that these runs, which draw what the tests draw most, have no sandbox.
#
# usage: ODORI=PROGRAM ODORI_DEMO=DIRECTORY XDG_CACHE_HOME=DIRECTORY MESA_SHADER_CACHE_DIR=DIRECTORY/odori shaders.sh
set -eu
: "${ODORI:?must be the path of the program}" "${ODORI_DEMO:?must be the directory of the demo}" "${MESA_SHADER_CACHE_DIR:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
cd "$work"
# shellcheck source=tests/cli/effects.sh
. "$here/effects.sh"

draw() { # JOB ARGUMENT...
    job=$1
    shift
    "$ODORI" render "$job" -q --sandbox off --set 'render.size=[64,36]' --set render.workers=1 -f 30-32 "$@"
}
tiny_job
effects='glow: { materials: [髪], strength: 2 }, diffusion: {}, ssao: {}, focus: { aperture: 1 }, grade: { vignette: 0.4 }'
passes='[beauty, depth, normal, motion, mask-model, mask-material, line, shadow, pose]'

# The program fills its own part first, with the sandbox.
"$ODORI" render tiny.yaml -q -o null: -f 0-1
"$ODORI" render tiny.yaml -q --sandbox off -o null: -f 0-2
"$ODORI" render tiny.yaml -q --sandbox off -f 0-2 --set "outputs=[{ file: \"%02d.exr\", passes: $passes }]"
"$ODORI" render tiny.yaml -q --sandbox off -f 0-2 --set "outputs=[{ file: \"alpha/%02d.exr\", passes: $passes }]" --set background.alpha=true
draw "$ODORI_DEMO/demo.yaml" -o null: --set render.samples=1 --set shadows.self=false --set shadows.map_size=256
draw "$ODORI_DEMO/demo.yaml" -o null: --set render.samples=1
draw "$ODORI_DEMO/demo.yaml" -o null: --set render.samples=4
draw "$ODORI_DEMO/demo.yaml" -o null: --set render.transparency=split --set "models.1.file=$work/board.x"
draw "$ODORI_DEMO/demo.yaml" -o null: --set render.samples=1 --set "look={ $effects, mirror: { strength: 0.5, blur: 0.01 } }"
draw "$ODORI_DEMO/demo.yaml" -o null: --set render.samples=1 --set 'look={ ground_shadow: { angle_deg: 20 }, accumulate: { samples: 2 } }'
draw "$ODORI_DEMO/demo.yaml" --set render.samples=1 --set "outputs=[{ file: \"demo%02d.exr\", passes: $passes }]"

# A frame that a post-effect draws anew.
post copy color
job copy.yaml copy.x ''
"$ODORI" render copy.yaml -q --sandbox off -o null: -f 10

#!/bin/sh
# The golden pictures: the demo's figure with one setting each.  They guard against change, not against error.
# usage: pictures.sh FOLDER draws them all there; $ODORI is the program, $ODORI_DEMO the folder of its demo.
set -eu
out=$1
draw() { # name, settings...
    name=$1
    shift
    "$ODORI" render "$ODORI_DEMO/demo.yaml" -q -j 1 -f 610 -o "$out/$name.png" \
        --set models.0.physics=false --set 'render.size=[192,108]' "$@"
}
draw default
draw self-shadow-off --set shadows.self=false
draw low-light --set 'light.direction=[-1,-0.35,0.5]'
draw one-sample --set render.samples=1
draw supersample --set render.samples=1 --set render.supersample=3
draw wide-edges --set models.0.edge_scale=2.5
draw no-edges --set render.edges=false
draw alpha --set background.alpha=true --set 'stage=[]'
draw ground-shadow --set 'stage=[]' --set 'camera={fixed: {target: [0, 8, 0], distance: -50, rotation_deg: [-20, 25, 0]}}'

#!/bin/sh
# SPDX-License-Identifier: MIT
# Draws the golden images: the demo's figure with one setting each.  They detect changes, not errors.
# usage: pictures.sh DIRECTORY; $ODORI is the program, $ODORI_DEMO the directory of its demo.
set -eu
out=$1
draw() { # name, settings...
    name=$1
    shift
    "$ODORI" render "$ODORI_DEMO/demo.yaml" -q -y -j 1 -f 610 -o "$out/$name.png" \
        --set models.0.physics=false --set 'render.size=[192,108]' "$@"
}
# An accessory: a square of two colors; one unit of the file is ten units of the scene.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/board.x" <<'X'
xof 0302txt 0032
Mesh {
 6; -0.2;0.4;-0.3;, 0.2;0.4;-0.3;, 0.2;0.8;-0.3;, -0.2;0.8;-0.3;, 0.0;0.8;-0.3;, 0.0;0.4;-0.3;;
 2; 4;3,4,5,0;, 4;4,2,1,5;;
 MeshMaterialList { 2; 2; 0, 1;;
  Material { 0.9;0.2;0.2;1.0;; 5.0; 0.2;0.2;0.2;; 0.1;0.0;0.0;; }
  Material { 0.2;0.4;0.9;0.5;; 5.0; 0.2;0.2;0.2;; 0.0;0.0;0.1;; }
 }
}
X
draw default
draw accessory --set "models.1={file: $work/board.x, attach: {model: dancer, bone: 頭}}"
draw background --set "background={image: $ODORI_DEMO/floor.png, fit: contain, color: \"#204060\"}" --set 'stage=[]'
draw split-transparency --set render.transparency=split
draw placed --set models.0.scale=0.6 --set 'models.0.rotation_deg=[0,60,0]' --set 'models.0.position=[2,4,0]' \
    --set shadows.soft=1
draw self-shadow-off --set shadows.self=false
draw low-light --set 'light.direction=[-1,-0.35,0.5]'
draw one-sample --set render.quality=draft
draw supersample --set render.quality=best
draw multisample --set render.samples=4
draw wide-edges --set models.0.edge_scale=2.5
draw no-edges --set render.edges=false
draw alpha --set background.alpha=true --set 'stage=[]'
draw ground-shadow --set 'stage=[]' --set 'camera={fixed: {target: [0, 8, 0], distance: -50, rotation_deg: [-20, 25, 0]}}'

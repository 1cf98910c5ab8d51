#!/bin/sh
# SPDX-License-Identifier: MIT
# Pairs of scenes that must look the same: with maps of emission and occlusion, sets of coordinates, transforms, wrap modes,
# instances, and without them.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
: "${NEAR:?must be the program that compares images}"

if ! command -v python3 >/dev/null; then
    skip "python3, which writes the scenes, is not installed"
    finish
fi
python3 "$here/scene_maps.py" || fail "no scenes"
cat >job.yaml <<END
version: 1
models: [ { file: black.glb } ]
camera: { fixed: { target: [0, 0, 0], distance: -46 } }
render: { size: [96, 96], samples: 1, frames: 0 }
outputs: [black.png]
END
for scene in *-b.glb; do
    name=${scene%-b.glb}
    for end in a b; do
        run 0 render job.yaml --set "models.0.file=$name-$end.glb" -o "$name-$end.png" -y
    done
    "$NEAR" "$name-b.png" "$name-a.png" >out 2>err
    if grep -q 'largest [012],' out; then pass; else fail "$name: the two differ"; fi # rounding of coordinates
done
# They show something: the picture is not that of another pair.
for name in emission transform clamped occlusion instances; do
    if "$NEAR" "mirrored-b.png" "$name-b.png" >out 2>err; then fail "$name shows what mirrored shows"; else pass; fi
done
run 0 info mirrored-a.glb
if grep -q 'ignored' out; then fail "parts are ignored"; else pass; fi
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# Avatars; rooms as glTF and OBJ: what info and check say of them, equal frames of a .glb and a .gltf, files besides, archives.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

if ! command -v python3 >/dev/null; then
    skip "python3, which writes the scenes, is not installed"
    finish
fi
python3 "$here/scene_write.py" || fail "no scenes"
run 0 info room.glb room.gltf room.obj
expect_text out 'kind: gltf'
expect_text out 'kind: obj'
expect_text out 'ignored: 1 normal map, 1 camera'
expect_text out 'box: -37.5..37.5, '
expect_text out 'box: -6.25..6.25, -6.25..6.25, -6.25..6.25'
run 0 info --json room.glb
expect_text out '"texture_states":[{"name":"image 0","state":"embedded","file":null},'

# An avatar dances; its author is shown.
run 0 info avatar.vrm
expect_text out 'kind: vrm'
expect_text out '  author: me'
run 0 render avatar.vrm "$ODORI_DEMO/dance.vmd" --set render.size='[64,36]' -f 0,30 -o 'avatar.%02d.png'
expect_file avatar.30.png

# Parts that are not used are named.
printf 'version: 1\nmodels: [ avatar.vrm ]\nstage: [ { file: room.glb } ]\noutputs: [a.mp4]\n' >parts.yaml
run 0 check parts.yaml
expect_text out '  room.glb: not used: 1 normal map, 1 camera'
run 0 check parts.yaml --format json
expect_text out '{"model":"avatar","parts":"'

scene() { # FILE JOB
    cat >"$2.yaml" <<END
version: 1
models: [ { file: $ODORI_DEMO/figure.pmx } ]
stage: [ { file: $1 } ]
camera: { path: [ { frame: 0, eye: [12, 35, -70], target: [0, 10, 0], fov_deg: 35 } ] }
render: { size: [64, 36], samples: 1, frames: 0 }
outputs: [$2.sha256]
END
    run 0 check "$2.yaml"
    expect_empty err
    run 0 render "$2.yaml"
}
ODORI_SANDBOX=off scene room.glb glb # which keeps its shaders for the others
scene room.gltf gltf
scene room.obj obj
sum() { grep -o '[0-9a-f]\{64\}' "$1.sha256"; }
if [ "$(sum glb)" = "$(sum gltf)" ]; then pass; else fail "the .glb and the .gltf differ"; fi
if [ "$(sum glb)" != "$(sum obj)" ]; then pass; else fail "the scene is not drawn"; fi
run 0 render glb.yaml --set 'stage.0.scale=0.5' -o small.sha256
if [ "$(sum glb)" != "$(sum small)" ]; then pass; else fail "scale has no effect"; fi

# A room casts no shadows: without a figure, those of the shadow map change nothing.
sed 's/^models: .*/models: [ { file: room.glb } ]/; /^stage/d; s/glb.sha256/alone.sha256/' glb.yaml >alone.yaml
run 0 render alone.yaml
run 0 render alone.yaml --set shadows.self=false -o unshaded.sha256
if [ "$(sum alone)" = "$(sum unshaded)" ]; then pass; else fail "there are shadows where nothing casts one"; fi

# With casts_shadow it does, below a figure, too; a figure has no such key.
run 0 render alone.yaml --set models.0.casts_shadow=true -o cast.sha256
if [ "$(sum alone)" != "$(sum cast)" ]; then pass; else fail "casts_shadow has no effect"; fi
run 0 render glb.yaml --set stage.0.casts_shadow=true -o stage.sha256
if [ "$(sum glb)" != "$(sum stage)" ]; then pass; else fail "casts_shadow of a stage has no effect"; fi
run 65 check glb.yaml --set models.0.casts_shadow=true
expect_text err "is no scene: casts_shadow and flip_v are not for it"

# Pictures upside down; info names the program that needs it.
run 0 render glb.yaml --set stage.0.flip_v=true -o flipped.sha256
if [ "$(sum glb)" != "$(sum flipped)" ]; then pass; else fail "flip_v has no effect"; fi
{ echo '# Created by Metasequoia' && cat room.obj; } >metasequoia.obj
run 0 info metasequoia.obj
expect_text out 'comment: Created by Metasequoia'
expect_text out 'advice: Metasequoia counts texture rows from the top'
run 0 info room.obj
if grep -q advice out; then fail "advice for another program"; else pass; fi

# An output that is a file of the scene is refused.
cp 'room data.bin' data.sha256
sed 's/room%20data.bin/data.sha256/' room.gltf >other.gltf
run 2 render gltf.yaml --set 'stage.0.file=other.gltf' -o data.sha256 -y
expect_text err data.sha256

# Files outside of the directory of the scene are not opened.
mkdir below && cp room.gltf room.obj below
run 66 info below/room.gltf
expect_text err "its file 'room data.bin' is missing below its directory"
sed 's|room%20data.bin|../room%20data.bin|' room.gltf >below/room.gltf
run 66 info below/room.gltf
sed "s|room.mtl|$PWD/room.mtl|" room.obj >below/room.obj
run 0 info below/room.obj
expect_text err "room.mtl' is missing below its directory; faces are white"

if ! "$ODORI" version --json | grep -q '"libarchive":"not available"'; then
    python3 -c 'import zipfile
with zipfile.ZipFile("room.zip", "w") as pack:
    for name in "room.gltf", "room data.bin", "room.obj", "room.mtl", "avatar.vrm": pack.write(name, "room/" + name)'
    scene room.zip/room/room.gltf zip
    scene room.zip/room/room.obj zip-obj
    scene room.zip/room/avatar.vrm zip-vrm
    if [ "$(sum glb)" = "$(sum zip)" ] && [ "$(sum obj)" = "$(sum zip-obj)" ]; then pass; else fail "scenes differ in an archive"; fi
fi
finish

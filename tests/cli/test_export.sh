#!/bin/sh
# SPDX-License-Identifier: MIT
# odori export: VMD, glTF, BVH and VRM give the poses of the film.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

ln -s "$ODORI_DEMO" demo
run 0 export demo/demo.yaml -o dance.vmd
run 0 export demo/demo.yaml -o dance.bvh -f m0-m240
run 0 export demo/demo.yaml -o dance.glb -f m0-m240
expect_empty out
expect_text err 'the camera of the .glb has the field of view and the projection of the first frame'
expect_no_temporaries .
run 0 info dance.vmd
expect_text out '  last_frame: 7'
expect_text out '  property_keys: 1'

if command -v python3 >/dev/null; then
    compare() { # POSE FILE [KEYPOINTS]
        if python3 "$here/export_check.py" "$@" >message 2>&1; then pass; else fail "$2: $(cat message)"; fi
    }
    run 0 pose demo/demo.yaml --frames m0:240:15
    cp out film.json
    compare film.json dance.glb
    compare film.json dance.bvh
    run 0 pose demo/figure.pmx dance.vmd --no-physics --frames m0:240:15
    cp out played.json
    compare film.json played.json
    # Keys that switch physics off: the same with physics.
    run 0 pose demo/figure.pmx dance.vmd --frames m0:240:15
    cp out played.json
    compare film.json played.json
    run 0 pose demo/figure.pmx demo/dance.vmd --no-physics --frames m0:240:15
    cp out other.json
    if python3 "$here/export_check.py" film.json other.json >message 2>&1; then
        fail "the comparison finds no difference without physics"
    else
        pass
    fi
    # The camera of the glTF sees the elbows where those of the stick figure are.
    points='{ frame: 0, eye: [0, 14, -40], target: [0, 10, 0], fov_deg: 35 }, { frame: 60, eye: [24, 6, -22], target: [1, 11, 0], roll_deg: 20, fov_deg: 35 }'
    sed "s/^camera: .*/camera: { path: [ $points ] }/" demo/demo.yaml >demo.path.yaml
    mkdir path && cp demo/*.pmx demo/*.vmd demo/*.wav demo/*.png path && mv demo.path.yaml path/demo.yaml
    run 0 export path/demo.yaml -o path.glb -f m0-m60
    expect_empty err
    run 0 pose path/demo.yaml --frames m0:60:15 --format openpose
    cp out keypoints.jsonl
    run 0 pose path/demo.yaml --frames m0:60:15
    cp out path.json
    compare path.json path.glb keypoints.jsonl
    # The figure as an avatar dances as the PMX does.
    run 0 pose demo/figure.pmx demo/dance.vmd --no-physics --frames m0:240:15
    cp out film.json
    for version in 1 0; do
        run 0 export demo/figure.pmx --vrm-version $version -o figure$version.vrm
        expect_text err '1 morph of bones, materials, texture coordinates or bodies'
        run 0 pose figure$version.vrm demo/dance.vmd --no-physics --frames m0:240:15
        if python3 "$here/vrm_check.py" figure$version.vrm film.json out >message 2>&1; then
            pass
        else
            fail "VRM $version: $(tail -n 1 message)"
        fi
    done
else
    skip "python3, which reads the files, is not installed"
fi

# A part of the dance starts at frame 0 of the file.
run 0 export demo/demo.yaml -o part.bvh -f m60-m89
expect_text part.bvh 'Frames: 30'
run 0 export demo/demo.yaml --model dancer --no-physics -o dance.vmd -y

# Mistakes.
run 2 export demo/demo.yaml
expect_text err '(a skeleton) or .vrm (an avatar); -o FILE with one of these extensions is required'
run 65 export demo/stage.pmx -o stage.vrm
expect_text err "demo/stage.pmx: there is no bone '下半身', which a VRM requires"
expect_no_file stage.vrm
run 2 export demo/demo.yaml -o dance.fbx
run 73 export demo/demo.yaml -o dance.vmd
run 2 export demo/demo.yaml -o demo/dance.vmd -y
expect_text err 'would replace an input'
run 2 export demo/demo.yaml -o x.vmd --model nobody
run 2 export demo/demo.yaml -o x.vmd -f m0-m10,m20-m30
expect_no_file x.vmd
finish

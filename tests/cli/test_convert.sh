#!/bin/sh
# SPDX-License-Identifier: MIT
# odori convert: motion capture moves a model as it moved the source; a job with motion capture is the same; traced motions.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# A skeleton with the bones of the model gives its own poses back.
ln -s "$ODORI_DEMO" demo
run 0 export demo/figure.pmx demo/dance.vmd --no-physics -o dance.bvh -f m0-m60
run 0 convert dance.bvh --model demo/figure.pmx -o dance.vmd
expect_empty out
expect_empty err
run 0 info dance.vmd
expect_text out '  last_frame: 60'
expect_text out '  property_keys: 1'

# The same walk in seven rigs of other proportions: limbs and fingers within 0.5 degrees, feet that stand do not slide, by
# rotations and by IK; all rigs give the same rotations, with the roll of limbs.
check() { if python3 "$here/mocap_check.py" "$@" >message 2>&1; then pass; else fail "$* $(cat message)"; fi; }
pose() { run 0 pose demo/figure.pmx "$1" --no-physics --frames m0:60:"$2"; cp out "$3"; }
walk() {
    python3 "$here/mocap_write.py" "$1" "walk.$2" || fail "no motion"
    run 0 convert "walk.$2" --model demo/figure.pmx -o walk.vmd -y
    pose walk.vmd 3 "$1.json"
    pose "walk.$2" 3 direct.json
    if cmp -s "$1.json" direct.json; then pass; else fail "walk.$2 moves a model differently than its conversion"; fi
    check "walk.$2" "$1.json" "$3" 0.5 0.0001
    [ "$1" = mixamo ] || check mixamo.json "$1.json" "$4"
}
if command -v python3 >/dev/null; then
    walk mixamo bvh x,y,-z 0
    cp walk.bvh mixamo.bvh
    walk hanging bvh x,z,y 1
    walk folded bvh x,y,-z 5
    walk vrm vrma x,y,-z 1
    # FBX: binary and text give the same; the feet stand as those of the other rigs.
    for form in fbx text.fbx; do
        python3 "$here/mocap_write.py" fbx "walk.$form" || fail "no motion"
        pose "walk.$form" 3 "$form.json"
        check mixamo.bvh "$form.json" x,y,-z 0.5 0.0001
        check mixamo.json "$form.json" 0.1
    done
    # GLB: a scene whose nodes are in a pose, with a skin in the T-pose; its first take moves nothing.
    walk glb glb x,y,-z 1
    run 65 convert walk.glb --take still --model demo/figure.pmx -o walk.vmd -y
    expect_text err "walk.glb: no curve of take 'still' moves a joint"
    run 0 info walk.glb
    expect_text out 'kind: gltf'
    expect_text out "takes: 'still', 'walk'; as a motion 2 s, 51 parts of a body"
    # On a command line it is a motion beside a model that it can move, else a scene; of models always a scene.
    run 0 convert walk.glb --model demo/figure.pmx -o walk.vmd -y
    python3 "$here/mocap_write.py" glb walk.gltf || fail "no motion"
    for file in walk.glb walk.vmd walk.gltf; do
        run 0 render demo/figure.pmx "$file" --set render.size='[64,64]' -f 3-5 -o "$file.sha256"
        if cmp -s walk.glb.sha256 "$file.sha256"; then pass; else fail "$file beside a model is another motion than walk.glb"; fi
    done
    # The buffer of a .gltf is an input: farms get it, and an edit draws its frames again.
    run 0 submit --to openjd --shards 2 --bundle bundle demo/figure.pmx walk.gltf -o film.mp4
    expect_text bundle/asset_references.json 'walk data.bin"'
    python3 -c 'data = open("walk data.bin", "rb").read(); open("walk data.bin", "wb").write(data[:280] + data[724:736] * 3 + data[316:])'
    run 0 render demo/figure.pmx walk.gltf --set render.size='[64,64]' -f 3-5 -o walk.gltf.sha256
    if cmp -s walk.glb.sha256 walk.gltf.sha256; then fail "an edit of the buffer is not noticed"; else pass; fi
    printf 'version: 1\nmodels: [ demo/figure.pmx, walk.glb ]\noutputs: [ { file: none.png } ]\n' >scene.yaml
    run 0 check scene.yaml
    expect_text err 'walk.glb: the file has no mesh'
    # What the program exports moves its model as before.
    run 0 export demo/figure.pmx demo/dance.vmd --no-physics -o dance.glb -f m0-m60
    pose demo/dance.vmd 3 dance.json
    pose dance.glb 3 again.json
    check dance.json again.json 0.5
    # SMPL: axes are found from the data, and noted; those that are given decide.  Pickles are refused.
    python3 "$here/mocap_write.py" smpl walk.npz || fail "no motion"
    run 0 convert walk.npz --model demo/figure.pmx -o walk.vmd -y
    expect_text err "walk.npz: z is up, as the pelvis is on average (by 1.00 of 1)"
    pose walk.npz 3 smpl.json
    check mixamo.json smpl.json 3
    run 0 convert walk.npz --up y --model demo/figure.pmx -o walk.vmd -y
    expect_empty err
    pose walk.vmd 3 lying.json
    if python3 "$here/mocap_check.py" smpl.json lying.json 45 >message; then fail "up has no effect"; else pass; fi
    run 65 convert walk.glb --up z --model demo/figure.pmx -o walk.vmd -y
    expect_text err "walk.glb: the axes of the file are known: 'up' is for .npz"
    run 0 info walk.npz
    expect_text out 'kind: npz'
    expect_text out '  up: z'
    printf '\200\004\225' >walk.pkl
    sed 's/walk.glb/walk.pkl/' scene.yaml >pickle.yaml
    run 65 check pickle.yaml
    expect_text err "'walk.pkl' is a Python pickle, which can run code of its author, not a model; use an .npz of its arrays"
    # In an archive, and as the only file of one, too.
    python3 -c 'import sys, zipfile; zipfile.ZipFile(sys.argv[1], "w").write(sys.argv[2])' pack.zip walk.npz
    for file in pack.zip walk.npz pack.zip/walk.npz; do
        run 0 render demo/figure.pmx "$file" --set render.size='[64,64]' -f 3 -o "$(basename "$file").sha256"
        if cmp -s "$(basename "$file").sha256" pack.zip.sha256; then pass; else fail "$file is another motion"; fi
    done
    run 0 convert walk.fbx --take walk --model demo/figure.pmx -o walk.vmd -y
    expect_empty err
    run 65 convert walk.fbx --take wlak --model demo/figure.pmx -o walk.vmd -y
    expect_text err "walk.fbx: no take 'wlak'; did you mean 'walk'?"
    run 65 convert mixamo.bvh --take walk --model demo/figure.pmx -o walk.vmd -y
    expect_text err "mixamo.bvh: the file has no takes: take 'walk' is for .fbx and .glb"
    run 0 info walk.fbx
    expect_text out 'kind: fbx'
    expect_text out '  take: walk'
    expect_text out "  takes: 'walk'"
    expect_text out '  fps: 30'
    expect_text out '  a motion; its mesh is not drawn'
    printf 'version: 1\nmodels: [ walk.fbx ]\noutputs: [ { file: none.png } ]\n' >mesh.yaml
    run 65 check mesh.yaml
    expect_text err "'walk.fbx' is an FBX motion (its mesh is not drawn), not a model; use it in motions of a model"
    run 0 convert walk.vrma --model demo/figure.pmx --legs ik -o walk.vmd -y
    pose walk.vmd 2 ik.json
    check walk.vrma ik.json x,y,-z 0.5 0.0001
    # As a motion of a job, and of a command line.
    cat >job.yaml <<-END
	version: 1
	models: [ { file: demo/figure.pmx, physics: false, motions: [ { file: walk.vrma, legs: ik, offset: 3 } ] } ]
	render: { size: [64, 64], frames: 0-20 }
	outputs: [ { file: frames.sha256 } ]
	END
    sed 's/{ file: walk.vrma, legs: ik, offset: 3 }/{ file: walk.vmd, offset: 3 }/; s/frames.sha/same.sha/' job.yaml >same.yaml
    run 0 render job.yaml
    run 0 render same.yaml
    if cmp -s frames.sha256 same.sha256; then pass; else fail "a job with motion capture differs from one with its conversion"; fi
    run 0 render demo/figure.pmx walk.vrma --set render.size='[64,64]' -f 3-5 -o fk.sha256
    if cmp -s fk.sha256 same.sha256; then fail "the legs are the same"; else pass; fi
    sed 's/motions:.*} ] } ]/motions: [] } ]\ncamera: { motion: walk.vrma }/' job.yaml >camera.yaml
    run 65 check camera.yaml
    expect_text err 'walk.vrma: motion capture moves models; it has no camera and no light'
    run 0 info walk.vrma dance.bvh
    expect_text out 'kind: vrma'
    expect_text out 'kind: bvh'
else
    skip "python3, which compares limbs, is not installed"
fi

run 73 convert dance.bvh --model demo/figure.pmx -o dance.vmd
run 0 convert dance.bvh --model demo/figure.pmx -o dance.vmd -y
run 2 convert dance.bvh -o other.vmd
expect_text err '--model MODEL.pmx and -o MOTION.vmd are required'
run 65 convert dance.bvh --model demo/stage.pmx -o other.vmd
expect_text err 'the model has no standard bone for the hips'
run 0 convert dance.vmd --model demo/figure.pmx -o other.vmd
expect_text err 'dance.vmd: unchanged, not traced from video'
rm other.vmd
run 2 convert dance.vmd --model demo/figure.pmx -o other.vmd --tolerance 11
expect_text err "--tolerance: '11' is not a number (0..10)"

# A motion that trembles: every bone by about 1 degree a frame.
if command -v python3 >/dev/null; then
    python3 - <<-'END'
	import math, random, struct
	random.seed(1)
	keys = b""
	names = "上半身 首 左腕 左ひじ 右腕 右ひじ 左足 左ひざ 右足 右ひざ".split()
	for name in names:
	    for frame in range(90):
	        v = [random.gauss(0, 0.008) for _ in range(3)]
	        v[2] += 0.2 * math.sin(frame / 9)
	        q = v + [math.sqrt(1 - sum(x * x for x in v))]
	        keys += name.encode("cp932").ljust(15, b"\0") + struct.pack("<I7f", frame, 0, 0, 0, *q) + bytes([20] * 8 + [107] * 8) * 4
	head = b"Vocaloid Motion Data 0002".ljust(30, b"\0") + bytes(20) + struct.pack("<I", 90 * len(names))
	open("traced.vmd", "wb").write(head + keys + bytes(20))
	END
    run 0 check demo/figure.pmx traced.vmd
    expect_text out '  trembles: figure: noise of 1.'
    expect_text out ' degrees in 10 of 10 bones; '
    run 0 convert traced.vmd --model demo/figure.pmx -o clean.vmd
    expect_text err 'traced.vmd: cleaned: noise of 1.'
    run 0 check demo/figure.pmx clean.vmd
    if grep -q trembles out; then fail "a cleaned motion trembles"; else pass; fi
    [ "$(wc -c <clean.vmd)" -lt $(($(wc -c <traced.vmd) / 4)) ] || fail "too many keys"
    run 0 plot demo/figure.pmx traced.vmd --set models.0.motions.0.clean=auto --bone 左手首
    expect_text out 'after clean'
else
    skip "python3, which writes a motion, is not installed"
fi
sed 's/JOINT 左足/JOINT limb/' dance.bvh >limb.bvh
run 65 convert limb.bvh --model demo/figure.pmx -o other.vmd
expect_text err 'limb.bvh: no joint is known as the left leg'
head -n 40 dance.bvh >cut.bvh
run 65 convert cut.bvh --model demo/figure.pmx -o other.vmd
expect_text err 'cut.bvh:41:1: the file ends; expected'
expect_no_file other.vmd
finish

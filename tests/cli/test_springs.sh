#!/bin/sh
# SPDX-License-Identifier: MIT
# Spring bones of VRM avatars: the same in any order, at any rate, in shards, with a bake and after a stop; and as three-vrm has them.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

if ! command -v python3 >/dev/null; then
    skip "python3, which writes the avatars, is not installed"
    finish
fi
python3 "$here/springs_write.py" || fail "no avatars"

cat >job.yaml <<END
version: 1
models: [ { file: spring1.vrm, motions: [ $ODORI_DEMO/dance.vmd ] }, { file: spring0.vrm, motions: [ $ODORI_DEMO/dance.vmd ], position: [10, 0, 0] } ]
camera: { path: [ { frame: 0, eye: [5, 35, -70], target: [5, 10, 0], fov_deg: 35 } ] }
render: { size: [64, 36], samples: 1, frames: 0-39, fps: 24 }
outputs: [one/film.sha256]
END
run 0 render job.yaml --workers 1
run 0 render job.yaml --workers 2 --set 'outputs=[two/film.sha256]'
expect_same one/film.sha256 two/film.sha256
run 0 render job.yaml --set 'outputs=[many/film.sha256]' --shard 2/2
run 0 render job.yaml --set 'outputs=[many/film.sha256]' --shard 1/2
run 0 join job.yaml --set 'outputs=[many/film.sha256]'
expect_same one/film.sha256 many/film.sha256
run 0 bake job.yaml --set 'outputs=[baked/film.sha256]'
expect_file baked/.film.sha256.odori/bake/*.bake
run 0 render job.yaml --set 'outputs=[baked/film.sha256]'
expect_same one/film.sha256 baked/film.sha256
run 0 render job.yaml --set 'outputs=[late/film.sha256]' --shard 2/2 # what a stop leaves
run 0 render job.yaml --set 'outputs=[late/film.sha256]'
expect_same one/film.sha256 late/film.sha256

pose() { # FILE MODEL FLAG...: the bones of frames, without their numbers
    file=$1 model=$2
    shift 2
    run 0 pose "$model" "$ODORI_DEMO/dance.vmd" "$@"
    sed -n 's/^{"f":[^,]*,//p' out >"$file"
}
# A frame of 60 per second is also one of 30, and the same from its start or alone.
pose at60 spring1.vrm -r 60 -f 40
pose at30 spring1.vrm -r 30 -f 20
pose after spring1.vrm -r 30 -f 18-20
tail -n 1 after >last
sed 's/,$//' at60 >a && sed 's/,$//' at30 >b && sed 's/,$//' last >c
expect_same a b
expect_same a c
# Without physics they are held, and so are not those of the frame before.
pose held spring1.vrm -r 30 -f 20 --set physics.enabled=false
if cmp -s held at30; then fail "physics: false has no effect"; else pass; fi

# Recorded as VMD it plays the same: springs as keys, looks of expressions from the keys of the eyes.
run 0 export spring1.vrm "$ODORI_DEMO/dance.vmd" -f m0-m60 -o again.vmd
run 0 pose spring1.vrm "$ODORI_DEMO/dance.vmd" -r 30 -f 0-60
mv out film.json
run 0 pose spring1.vrm again.vmd -r 30 -f 0-60
mv out again.json
if python3 "$here/export_check.py" film.json again.json >message 2>&1; then pass; else fail "again.vmd: $(cat message)"; fi

# The packages three and @pixiv/three-vrm in node_modules of the directory that ODORI_THREE_VRM names.
if ! command -v node >/dev/null || [ ! -d "${ODORI_THREE_VRM:-none}/node_modules/@pixiv/three-vrm" ]; then
    skip "node and @pixiv/three-vrm (ODORI_THREE_VRM) are not installed"
    finish
    exit
fi
for version in 1 0; do
    run 0 pose spring$version.vrm "$ODORI_DEMO/dance.vmd" -r 60 -f 0-600
    mv out poses$version.json
    (cd "$ODORI_THREE_VRM" && node "$here/../oracle/vrm/three_vrm.mjs" "$OLDPWD/spring$version.vrm" "$OLDPWD/poses$version.json" 600) >peer 2>/dev/null ||
        fail "spring$version.vrm differs from three-vrm: $(cat peer)"
    sed 's/^/  /' peer
done

# Weights of expressions, by the vertices that they move.
printf 'version: 1\nmodels: [ { file: spring1.vrm } ]\n' >still.yaml
weights() { # MORPHS EXPRESSION=WEIGHT...: the same ones by the names in MMD and those of the file
    run 0 pose still.yaml -f 0 --set "models.0.morphs=$1" --vertices vertices -y
    mv out still.json
    shift
    (cd "$ODORI_THREE_VRM" && node "$here/../oracle/vrm/three_vrm.mjs" "$OLDPWD/spring1.vrm" "$OLDPWD/still.json" 0 "$OLDPWD/vertices" "$@") >peer 2>/dev/null ||
        fail "weights differ from three-vrm: $(cat peer)"
    sed 's/^/  /' peer
}
weights '{あ: 0.5, まばたき: 2, lookUp: 0.25}' aa=0.5 blink=2 lookUp=0.25
weights '{あ: 0.5, まばたき: 0.75, 笑い: 0.5}' aa=0.5 blink=0.75 happy=0.5
weights '{あ: 0.5, まばたき: 0.75, 笑い: 0.6}' aa=0.5 blink=0.75 happy=0.6
weights '{あ: 0.5, まばたき: 0.75, lookLeft: 0.5, 困る: 0.4}' aa=0.5 blink=0.75 lookLeft=0.5 sad=0.4
weights '{まばたき: 1, 笑い: 1, 困る: 1, あ: 1}' blink=1 happy=1 sad=1 aa=1
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# odori job: a project of MikuMikuDance becomes a job with the same frames.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

if ! command -v python3 >/dev/null; then
    skip "python3, which writes the project, is not installed"
    finish
fi
mkdir -p project assets/a/model assets/b
cp "$ODORI_DEMO/figure.pmx" "$ODORI_DEMO"/*.png assets/a/model
cp "$ODORI_DEMO/tune.wav" assets/b
python3 "$here/pmm_write.py" "$ODORI_DEMO" project/Dance.pmm || fail "no project"
run 0 job project/Dance.pmm -o new.yaml --assets assets
expect_empty out
expect_empty err
expect_no_temporaries .
expect_text new.yaml 'a/model/figure.pmx"'
expect_text new.yaml 'b/tune.wav"'
expect_text new.yaml '  gravity: [0, -98, 0]'
expect_text new.yaml '  frames: m30-m32'
run 0 info new-motions/model-1.vmd
expect_text out '  kind: vmd'
cat >old.yaml <<Y
version: 1
models: [{ file: assets/a/model/figure.pmx, motions: ["$ODORI_DEMO/dance.vmd"] }]
camera: { motion: "$ODORI_DEMO/camera.vmd" }
light: { color: [0.6, 0.6, 0.6], direction: [-0.5, -1, 0.5] }
render: { size: [64, 36], fps: 30, frames: m30-m32 }
outputs: [old.sha256]
Y
run 0 render new.yaml -o new.sha256
run 0 render old.yaml
expect_same new.sha256 old.sha256

# A system without CP932 is what the error says, also where a child reads the project.
mkdir project/none
printf 'alias CP932// NONE//\nalias IBM943C// NONE//\nmodule NONE// INTERNAL NONE 1\nmodule INTERNAL NONE// NONE 1\n' \
    >project/none/gconv-modules
if iconv --version 2>/dev/null | grep -q GLIBC && ! GCONV_PATH=$work/project/none iconv -f CP932 -t UTF-8 </dev/null 2>/dev/null; then
    GCONV_PATH=$work/project/none
    export GCONV_PATH
    run 69 check project/Dance.pmm --assets assets
    unset GCONV_PATH
    expect_text err "this system's iconv cannot convert "
    expect_one_error
else
    skip 'this iconv cannot be without CP932'
fi
rm -r project/none

# The project itself is a job: the same frames, with its motions in memory.
run 0 render project/Dance.pmm --assets assets -o direct.sha256
expect_same direct.sha256 old.sha256
run 0 check project/Dance.pmm --assets assets
expect_text out 'Dance.pmm: ok, 1 model, 3 frames of 64x36'
run 66 check project/Dance.pmm
expect_text err "use --assets DIRECTORY"
run 66 render project/None.pmm -o none.sha256

# Two models, parents that change, an accessory with keys, a camera that a bone carries, gravity.
cat >hat.x <<X
xof 0303txt 0032
Mesh { 4; -0.1;0;-0.1;, 0.1;0;-0.1;, 0.1;0;0.1;, 0;0.2;0;;
 4; 3;0,2,1;, 3;0,1,3;, 3;1,2,3;, 3;2,0,3;;
 MeshMaterialList { 1; 4; 0,0,0,0; Material { 0.9;0.4;0.1;1;; 5; 0.2;0.2;0.2;; 0.3;0.1;0;; } } }
X
mkdir assets/c
mv hat.x "assets/c/$(printf '\226\130\216\161.X')" # CP932, as some programs unpack archives
python3 "$here/pmm_write.py" "$ODORI_DEMO" project/Two.pmm full || fail "no project"
cat >two.yaml <<Y
version: 1
models:
  - { id: one, file: assets/a/model/figure.pmx, motions: ["$ODORI_DEMO/dance.vmd"] }
  - id: two
    file: assets/a/model/figure.pmx
    attach_keys:
      - { frame: 0, own_bone: "センター", model: one, bone: "右手首" }
      - { frame: 31, own_bone: "センター", model: one, bone: "頭" }
  - id: hat
    file: assets/c/帽子.x
    attach_keys: [{ frame: 0, model: one, bone: "頭" }, { frame: 31, model: two, bone: "センター" }]
    keys:
      - { frame: 0, position: [0, 4, 0] }
      - { frame: 31, position: [0, 9, 0], scale: 2, opacity: 0.8, shadow: false }
      - { frame: 41, position: [0, 10, 0], scale: 1, opacity: 0.3, shadow: false }
camera: { motion: "$ODORI_DEMO/camera.vmd", attach: { model: one, bone: "頭" } }
light: { color: [0.6, 0.6, 0.6], direction: [-0.5, -1, 0.5] }
physics:
  gravity_keys:
    - { frame: 0 }
    - { frame: 10, gravity: [0, -98, 0] }
    - { frame: 30, gravity: [50, -50, 0], noise: 10 }
render: { size: [64, 36], fps: 30, frames: m30-m32 }
outputs: [two.sha256]
Y
run 0 render two.yaml
run 0 render project/Two.pmm --assets assets -o direct-two.sha256
expect_same direct-two.sha256 two.sha256
run 0 job project/Two.pmm -o written.yaml --assets assets
run 0 render written.yaml -o written.sha256
expect_same written.sha256 two.sha256

# Effects beside it: known ones are those of `look`, others are named.
printf '[Object]\r\nAcs1 = A\\AutoLuminous.x\r\n[Effect]\r\nAcs1 = A\\AutoLuminous.fx\r\nPmd2 = B\\Ray.fx\r\n' >project/Two.emm
run 0 job project/Two.pmm -o effects.yaml --assets assets
expect_text effects.yaml 'glow: {}'
expect_text err "effects that are not drawn: 'Ray.fx'"

# The stages of a farm and of clusters find the files as render does.
run 0 render effects.yaml -o effects.sha256
run 0 submit --to openjd project/Two.pmm --assets assets --shards 2 -o farm.mp4 --bundle bundle
expect_text bundle/template.json '"--assets","{{Param.Assets}}"'
expect_text bundle/template.json '{"name":"Assets","type":"PATH","objectType":"DIRECTORY","dataFlow":"IN"}'
expect_text bundle/parameter_values.json "{\"name\":\"Assets\",\"value\":\"$work/assets\"}"
expect_text bundle/asset_references.json "\"$work/project/Two.pmm\""
expect_text bundle/asset_references.json "\"$work/project/Two.emm\""
expect_text bundle/asset_references.json "\"$work/assets/a/model/figure.pmx\""
run 0 submit --to slurm project/Two.pmm --assets assets --shards 2 -o farm.mp4
expect_text out "--assets $work/assets "
run 0 submit --to k8s project/Two.pmm --assets assets --shards 2 --image odori -o farm.mp4
expect_text out '"--assets","assets"'
expect_text out '"--state",".farm.mp4.odori"'
for i in 1 2; do run 0 render project/Two.pmm --assets assets -o sharded.sha256 --shard $i/2; done
run 0 join project/Two.pmm --assets assets -o sharded.sha256
expect_same sharded.sha256 effects.sha256

# What is missing is named; nothing is replaced without -y.
run 73 job project/Dance.pmm -o new.yaml --assets assets
rm assets/b/tune.wav
run 0 job project/Dance.pmm -o new.yaml --assets assets -y
expect_text err "sound 'D:\\sound\\TUNE.wav' is not below '$work/assets/' (tried 'sound/tune.wav', 'tune.wav', without case); use --assets DIRECTORY"
run 66 job project/Dance.pmm -o other.yaml
expect_text err 'none of the 1 models was found'
expect_no_file other.yaml
run 2 job project/Dance.pmm
head -c 5000 project/Dance.pmm >cut.pmm
run 65 job cut.pmm -o cut.yaml --assets assets
expect_text err 'cut.pmm: '
finish

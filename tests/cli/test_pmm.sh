#!/bin/sh
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

# What is missing is named; nothing is replaced without -y.
run 73 job project/Dance.pmm -o new.yaml --assets assets
rm assets/b/tune.wav
run 0 job project/Dance.pmm -o new.yaml --assets assets -y
expect_text err "sound 'D:\\sound\\TUNE.wav' is not below '$work/assets/'; use --assets FOLDER"
run 66 job project/Dance.pmm -o other.yaml
expect_text err 'none of the 1 models was found'
expect_no_file other.yaml
run 2 job project/Dance.pmm
head -c 5000 project/Dance.pmm >cut.pmm
run 65 job cut.pmm -o cut.yaml --assets assets
expect_text err 'cut.pmm: '
finish

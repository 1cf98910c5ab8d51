#!/bin/sh
# SPDX-License-Identifier: MIT
# Valid and damaged assets: check, info, pose.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

ln -s "$ODORI_DEMO" demo
run 0 check demo/demo.yaml
expect_text out 'demo/demo.yaml: ok, '
expect_empty err
run 0 check demo/demo.yaml --json
expect_text out '"ok":true'
run 0 check demo/figure.pmx demo/dance.vmd demo/camera.vmd demo/tune.wav
expect_text out 'demo/figure.pmx: ok, 1 model'

run 0 info demo/figure.pmx demo/dance.vmd demo/face.png demo/tune.wav
expect_text out '  kind: pmx'
expect_text out '  kind: vmd'
expect_text out '  kind: picture'
expect_text out '  kind: sound'
run 0 info demo/tune.mid
expect_text out '  kind: midi'
expect_text out '  tempo: 120'
expect_text out '  seconds: 23.9802'
expect_text out '  track 0: '
run 0 info --json demo/tune.mid
expect_text out '"track_facts":[{"name":"","notes":'
run 0 info --json demo/figure.pmx demo/dance.vmd
expect_text out '{"file":"demo/figure.pmx"'
expect_text out '{"file":"demo/dance.vmd"'
if [ "$(wc -l <out)" = 2 ]; then pass; else fail "info --json: not one line per file"; fi

run 0 pose demo/demo.yaml --frames 0:30:15,10.5
expect_text out '{"format":"mmd-pose-1"'
run 0 pose demo/figure.pmx demo/dance.vmd --frames 0 --no-physics
run 2 pose demo/demo.yaml --frames 0 --model nobody
expect_text err "no model has the id 'nobody'"
run 2 pose demo/demo.yaml --frames 0:x

# A truncated file is an error with its position; the other files are still reported.
head -c 100000 demo/figure.pmx >cut.pmx
run 65 info cut.pmx demo/dance.vmd
expect_text err 'odori: error: cut.pmx: '
expect_text out 'demo/dance.vmd'
run 65 pose cut.pmx demo/dance.vmd --frames 0
run 65 check cut.pmx demo/dance.vmd
head -c 40 demo/face.png >cut.png
run 65 info cut.png
expect_text err 'odori: error: cut.png: '
echo 'Pmx text' >text.pmx
run 65 info text.pmx
run 66 info none.pmx
expect_content err <<'END'
odori: error: none.pmx: cannot open: No such file or directory
END
: >empty.pmx
run 65 info empty.pmx

# A MIDI file instead of a sound file.
run 0 check demo/figure.pmx demo/dance.vmd demo/tune.mid
run 0 check demo/demo.yaml --set audio=tune.mid --strict
run 0 check demo/demo.yaml --set 'audio={file: tune.mid, voices: 2, slice_ms: 20, percussion: true}'
run 78 check demo/demo.yaml --set 'audio={file: tune.mid, synth: fluidsynth}'
expect_text err 'audio.synth: fluidsynth needs audio.soundfont'
head -c 300 demo/tune.mid >cut.mid
run 65 info cut.mid
expect_text err 'odori: error: cut.mid: track 0: byte 18: chunk of 3170 bytes exceeds'
run 65 check demo/figure.pmx cut.mid
expect_text err 'odori: error: cut.mid: track 0: byte 18: '

# One run reports all errors.
cat >job.yaml <<'END'
version: 1
models: [none.pmx, cut.pmx, { file: demo/figure.pmx, motions: [none.vmd] }]
audio: none.wav
outputs: [o.mp4]
END
run 66 check job.yaml
for at in 'job.yaml:2:10: models.0.file: cannot open' cut.pmx \
    'job.yaml:2:64: models.2.motions.0.file: cannot open' 'job.yaml:3:8: audio.file: cannot open'; do
    expect_text err "odori: error: $at"
done

finish

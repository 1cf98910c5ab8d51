#!/bin/sh
# SPDX-License-Identifier: MIT
# Mistakes that people make with models, motions and frames: each is reported where it was made.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
tiny_job
ln -s "$ODORI_DEMO" demo

# job MODEL-LINES...: writes job.yaml; the lines follow the first model
job() {
    {
        printf 'version: 1\nmodels:\n  - file: demo/figure.pmx\n'
        for line; do printf '%s\n' "$line"; done
        printf 'outputs: [film.mp4]\n'
    } >job.yaml
}

# Motions in a wrong place.
job '    motions: [demo/camera.vmd]'
run 78 check job.yaml
expect_text err "odori: error: job.yaml:4:15: models.0.motions.0.file: 'demo/camera.vmd' has no bone or morph keys; it is a motion with "
expect_text err ' camera keys; use it as camera: { motion: FILE }'
expect_text err '    4 |     motions: [demo/camera.vmd]'
job '    motions: [demo/dance.vmd]' 'camera: { motion: { file: demo/dance.vmd, speed: 2 } }'
run 78 check job.yaml
expect_text err "odori: error: job.yaml:5:27: camera.motion.file: 'demo/dance.vmd' has no camera keys; it is a motion with "
expect_text err '; use it in motions of a model'
job 'light: { motion: demo/dance.vmd }'
run 78 check job.yaml
expect_text err "odori: error: job.yaml:4:18: light.motion.file: 'demo/dance.vmd' has no light or shadow keys"
cat >pose.vpd <<'END'
Vocaloid Pose Data file

figure.osm;
1;

Bone0{center
  0,1,0;
  0,0,0,1;
}
END
job 'camera: { motion: pose.vpd }'
run 78 check job.yaml
expect_text err "'pose.vpd' has no camera keys; it is a pose with 1 bone key; use it in motions of a model"
job '    motions: [{ file: demo/dance.vmd, only: [properties] }]'
run 0 check job.yaml
expect_text err 'odori: warning: job.yaml:4:23: models.0.motions.0.file:'
expect_text err "none of which 'only' selects"
run 65 check job.yaml --strict=unused-motion

# A motion for another model: the board has no bone that the dance moves.
sed 's/models: .*/models: [{ file: board.x, motions: [demo\/dance.vmd] }]/' tiny.yaml >misfit.yaml
run 0 check misfit.yaml
expect_text err 'odori: warning: misfit.yaml:3:37: models.0.motions.0.file: 1 of '
expect_text err " bones and 0 of "
expect_text err " of 'dance.vmd' fit board.x, but not '"
run 65 check misfit.yaml --strict=misfit
run 0 check misfit.yaml -W no-misfit
expect_empty err
run 0 check misfit.yaml --set 'warnings.hide=[misfit]'
expect_empty err
run 65 check misfit.yaml --set 'warnings.strict=[misfit]'
run 0 check misfit.yaml --set 'warnings.strict=[misfit]' -W misfit

# Frames after the end: the demo's dance ends at motion frame 719 or 720.
job '    motions: [demo/dance.vmd]' 'render: { fps: 30, frames: 0-999 }'
run 0 check job.yaml
expect_text err 'odori: warning: job.yaml:5:28: render.frames: '
expect_text err ' of 1000 frames are after the end of all motions, which is frame 7'
run 65 check job.yaml --strict=past-end
run 0 check job.yaml --set render.frames=0-700
expect_empty err

# Units of frames: 30 motion frames are one second.
for frames in 60-119 m30-m59.9 m30-59.9 1s-2s 1s-2; do
    run 0 check demo/demo.yaml --set render.fps=60 --set "render.frames=$frames" --json
    expect_text out '"frames":60,'
done
run 0 pose demo/demo.yaml -f 30 --set render.fps=60 --no-physics
cp out pose
for frames in m15 0.5s; do
    run 0 pose demo/demo.yaml -f $frames --set render.fps=60 --no-physics
    expect_same out pose
done
run 2 render demo/demo.yaml -f 5m
expect_text err "--frames: '5m' is neither 'all' nor ascending ranges such as 0-1799, 0-99,400-499, m150-m300"

# Names that a model does not have.
job '    morphs: { smil: 1 }' '    hide_materials: [skn]' 'cloth:' '  - model: figure' '    material: nothing' \
    '    pin: { bones: [cent] }'
run 78 check job.yaml
expect_text err 'odori: error: job.yaml:4:15: models.0.morphs.smil: no morph'
expect_text err "odori: error: job.yaml:5:22: models.0.hide_materials.0: no material 'skn' in figure.pmx"
job '  - { file: board.x, attach: { model: figure, bone: nobone } }'
run 78 check job.yaml
expect_text err "odori: error: job.yaml:4:53: models.1.attach.bone: no bone 'nobone' in figure.pmx"
job 'cloth:' '  - model: figure' '    material: nothing' '    pin: { bones: [cent] }'
run 78 check job.yaml
expect_text err "odori: error: job.yaml:6:15: cloth.0.material: no material 'nothing' in figure.pmx"
expect_text err "odori: error: job.yaml:7:20: cloth.0.pin.bones.0: no bone 'cent' in figure.pmx"
job '    motions: [{ file: demo/dance.vmd, rename: { none: 頭 } }]'
run 78 check job.yaml
expect_text err "odori: error: job.yaml:4:49: models.0.motions.0.rename.none: no keys of 'none' in dance.vmd"

# Missing files, with similar names of the directory.
printf 'version: 1\nmodels: [demo/figur.pmx]\naudio: { file: nois.wav }\noutputs: [x.mp4]\n' >job.yaml
run 66 check job.yaml
expect_content err <<'END'
odori: error: job.yaml:2:10: models.0.file: cannot open 'demo/figur.pmx': No such file or directory; did you mean 'figure.pmx'?
    2 | models: [demo/figur.pmx]
      |          ^
odori: error: job.yaml:3:16: audio.file: cannot open 'nois.wav': No such file or directory; did you mean 'noise.wav'?
    3 | audio: { file: nois.wav }
      |                ^
END
run 66 check demo/figur.pmx
expect_content err <<'END'
odori: error: demo/figur.pmx: cannot open: No such file or directory; did you mean 'figure.pmx'?
END

# Files of a wrong kind in a job.
printf '\037\213rest' >a.gz
job '    motions: [a.gz]'
run 65 check job.yaml
expect_text err "odori: error: job.yaml:4:15: models.0.motions.0.file: 'a.gz' is a gzip archive, not a motion; use the model and motion files in it: unpack the archive first"
job '  - demo/dance.vmd'
run 65 check job.yaml
expect_text err "odori: error: job.yaml:4:5: models.1.file: 'demo/dance.vmd' is a VMD motion, not a model; use it in motions of a model"


# Faults of outputs are reported at their lines, warnings too.
cat >outputs.yaml <<'END'
version: 1
models: [ { file: board.x } ]
render: { size: [16, 16], samples: 1, frames: 0-1 }
background: { alpha: true }
outputs:
  - one.png
  - { file: two.mp4, codec: nope }
  - three.xyz
  - { file: four.gif }
END
run 78 check outputs.yaml
expect_text err "outputs.yaml:6:5: outputs.0: 'one.png': the name needs a number"
expect_text err "outputs.yaml:7:5: outputs.1: 'two.mp4': unknown codec 'nope'"
expect_text err "outputs.yaml:8:5: outputs.2: 'three.xyz': unknown output format"
expect_text err "warning: outputs.yaml:9:5: outputs.3: 'four.gif': a GIF does not support alpha"
expect_text err '    7 |   - { file: two.mp4, codec: nope }'
run 78 check outputs.yaml --json
expect_text out '"file":"outputs.yaml","line":7,"column":5,"message":"outputs.1: '

# The value of a flag is part of the command line; the form that it should have is named.
run 2 render tiny.yaml --size '1080*1920'
expect_text err "--size:1:13: render.size: '1080*1920' is not WxH, such as 1920x1080, or a list of 2 numbers"
run 2 render tiny.yaml -j many
run 78 render tiny.yaml --set 'render.size=1080*1920'

# An output among the operands.
run 2 board.x x.mp4
expect_text err 'odori: error: x.mp4: unknown kind of file; did you mean -o x.mp4?'
run 2 render tiny.yaml x.mp4
expect_text err "unexpected argument 'x.mp4'; did you mean -o x.mp4?"
run 2 render tiny.yaml other.yaml
if grep 'did you mean' err; then fail "a job as an output"; else pass; fi
run 2 export board.x -o x.fbx
expect_text err 'x.fbx: export writes .vmd (a motion), .glb (glTF 2.0), .bvh (a skeleton) or '
run 2 version extra
expect_text err "version takes no operand; unexpected argument 'extra'"

# A wrong key and a missing file are reported by one run; not whether files exist that the job may not name.
sed 's/board.x/bored.x/; s/samples/sampels/' tiny.yaml >both.yaml
run 78 check both.yaml
expect_text err "unknown key 'render.sampels'; did you mean 'samples'?"
expect_text err "models.0.file: cannot open 'bored.x': No such file or directory"
echo 'paths: job_directory' >confined.yaml
sed 's|bored.x|../bored.x|' both.yaml >outside.yaml
run 78 check outside.yaml --limits ./confined.yaml
if grep 'cannot open' err; then fail "the existence of a file outside is reported"; else pass; fi

# A look that needs the surfaces of a model which is missing.
sed 's/board.x/bored.x/; $a look: { ssao: {} }' tiny.yaml >look.yaml
run 66 check look.yaml
run 66 render look.yaml

# One frame.
run 0 check tiny.yaml --set render.frames=3
expect_text out ', 1 frame of '

# A shard of a film that has fewer segments than shards.
run 0 render tiny.yaml -f 0-9 -o short.mp4 --shard 1/3 -q
run 0 render tiny.yaml -f 0-9 -o short.mp4 --shard 1/3
expect_text err 'shard 1/3 has no segment, because the film has 1; there is nothing to render'
run 0 plan tiny.yaml -f 0-9 -o short.mp4 --shards 3
expect_text out '      1/3  no segment'
expect_text out '      3/3  0-9, 10 frames'

finish

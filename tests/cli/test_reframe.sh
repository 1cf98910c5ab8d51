#!/bin/sh
# SPDX-License-Identifier: MIT
# A camera motion in frames of another shape: its key and flag, mistakes, and equal frames in shards and from a bake.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

ln -s "$ODORI_DEMO" demo
cat >job.yaml <<'END'
version: 1
models: [ { file: demo/figure.pmx, motions: [demo/dance.vmd], physics: false } ]
camera: { motion: demo/camera.vmd, reframe: 9:16 }
shadows: { ground: false, self: false }
render: { size: [27, 48], fps: 30, samples: 1, frames: 200-239, workers: 1 }
outputs: [ whole/film.sha256 ]
END

run 0 check job.yaml
run 0 render job.yaml -q
for shard in 2/2 1/2; do run 0 render job.yaml -q --shard $shard -o shards/film.sha256; done
run 0 join job.yaml -q -o shards/film.sha256
expect_same whole/film.sha256 shards/film.sha256
run 0 bake job.yaml -q -o states.bake
run 0 render job.yaml -q --set physics.bake=states.bake -o baked/film.sha256
expect_same whole/film.sha256 baked/film.sha256
run 65 render job.yaml -q --set physics.bake=states.bake --set camera.reframe=1:1 --set 'render.size=[48,48]' -o other/film.sha256
expect_text err 'the bake was made from other'

# The shape makes the size of the frames where that is not given.
run 0 check demo/figure.pmx demo/dance.vmd demo/camera.vmd --reframe 9:16
expect_text out 'of 1080x1920'
run 0 check demo/figure.pmx demo/dance.vmd demo/camera.vmd --reframe 4:5
expect_text out 'of 1080x1350'
run 0 check demo/figure.pmx demo/dance.vmd demo/camera.vmd --preset shorts --reframe 9:16
expect_text out 'of 1080x1920'
# The process that finds the outputs does not know yet which of the motions is the camera's.
run 0 -q demo/figure.pmx demo/dance.vmd demo/camera.vmd --reframe 9:16 -s 36x64 -f 0 -o files.png
expect_file files.png
run 0 -q demo/figure.pmx demo/dance.vmd demo/camera.vmd --set 'camera.attach={model: figure, bone: センター}' -s 36x64 -f 0 -o attached.png
expect_file attached.png

# A wall behind the camera of the motion: where that would move through it, the picture is widened, in the same way by two
# shards.
cat >room.obj <<'END'
v -2.4 0 3
v 2.4 0 3
v 2.4 3.2 3
v -2.4 3.2 3
f 1 2 3 4
END
set -- --set 'stage=[room.obj]' --set render.frames=560-599
run 0 check job.yaml "$@"
expect_text out '  camera.reframe: a stage is in the way back for '
expect_text out ' degrees'
run 0 check job.yaml "$@" --set camera.reframe_fov_deg=20
expect_text out '  camera.reframe: heads or hands are cut off for '
expect_text out ', with camera.reframe_fov_deg: 20'
run 0 render job.yaml -q "$@" -o room/film.sha256
for shard in 2/2 1/2; do run 0 render job.yaml -q "$@" --shard $shard -o room-shards/film.sha256; done
run 0 join job.yaml -q "$@" -o room-shards/film.sha256
expect_same room/film.sha256 room-shards/film.sha256

# Mistakes.
run 78 check job.yaml --set 'render.size=[640,360]'
expect_text err 'camera.reframe: 9:16 is not the shape of render.size, 640x360'
run 78 check job.yaml --set 'render.size=[1920,1080]' # the default, but given
expect_text err 'camera.reframe: 9:16 is not the shape of render.size, 1920x1080'
run 78 check job.yaml --set camera.reframe=9:0
expect_text err '9:0 is no shape; 9:16 is one'
run 78 check job.yaml --set camera.reframe=1:99
expect_text err '1:99 is out of range'
run 78 check job.yaml --set camera.reframe=tall
expect_text err 'camera.reframe'
run 2 check demo/figure.pmx demo/dance.vmd --reframe 9:16
expect_text err 'only with camera.motion'
finish

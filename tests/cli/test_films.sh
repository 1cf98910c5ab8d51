#!/bin/sh
# SPDX-License-Identifier: MIT
# Films of several scenes: the frames are those of the scenes, in shards, after stops and from a bake as well;
# transitions, titles, pictures, sounds, and mistakes.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
tiny_job
ln -s "$ODORI_DEMO" demo

# Three scenes of 30 frames at 30 frames/s: a model in two places, and nothing but a color.
common() { # MODEL: what the scenes have in common
    cat <<END
version: 1
models: [ $1 ]
camera: { motion: camera.vmd }
shadows: { ground: false, self: false, map_size: 256 }
background: { color: "#204060" }
physics: { warmup_s: 0 }
render: { size: [16, 16], samples: 1, fps: 30, workers: 2 }
END
}
figure='{ id: it, file: demo/figure.pmx, motions: [demo/dance.vmd] }' board='{ id: it, file: board.x }'
scenes() { # MODEL TRANSITION REST: the last two scenes begin with the transition
    common "$1"
    cat <<END
scenes:
  - { frames: 0-29 }
  - { models: [ { id: it, position: [5, 0, 0] }, board.x ], frames: 60-89, look: { grade: { grain: 0.5 } }, transition: $2 }
  - { models: [], background: { color: "#ff8000" }, frames: 0-29, transition: $2 }
$3
END
}
common "$figure" >common.yaml
scenes "$figure" cut 'outputs: [ film.sha256 ]' >cuts.yaml
scenes "$board" '{ type: cross-fade, length: 10 }' 'outputs: [ { file: film.mp4, gop: 10 } ]' >film.yaml

# A frame of a scene is that of a job which has only this scene; cuts join them.
run 0 render cuts.yaml -q -o cuts.sha256
run 0 render common.yaml -q -f 0-29 -o one.sha256
run 0 render common.yaml -q -f 60-89 -o two.sha256 --set 'look.grade.grain=0.5' --set 'models.0.position=[5,0,0]' \
    --set models.1=board.x
run 0 render common.yaml -q -f 0-29 -o three.sha256 --set models.0=board.x --set 'models.0.keys=[{frame: 0, visible: false}]' \
    --set 'background.color="#ff8000"'
cat one.sha256 two.sha256 three.sha256 | cut -d ' ' -f 2 >expected
cut -d ' ' -f 2 cuts.sha256 >joined
expect_same joined expected

# One film: the same bytes for any number of workers, in shards, and after a stop in a transition.
run 0 render film.yaml -q -j 1 -o whole/film.mp4
for i in 1 2 3; do run 0 render film.yaml -q --shard $i/3 -o shards/film.mp4; done
run 0 join film.yaml -q -o shards/film.mp4
expect_same whole/film.mp4 shards/film.mp4
run 0 render film.yaml -q -o 'stills/%02d.png'
run 0 render film.yaml -q -o 'resumed/%02d.png' -f 0-24 # ends in the first transition
rm -r resumed/.*.odori
run 0 render film.yaml -q -o 'resumed/%02d.png'
if diff -r -x '.*' stills resumed >/dev/null; then pass; else fail "a film that was begun differs"; fi

# A stop in a transition: the encoder's segments 2 to 4 are of frames 20 to 49.
"$ODORI" render film.yaml -q -o stopped/film.mp4 2>err &
pid=$!
tries=0
until [ -e stopped/.film.mp4.odori/segment/0-000001.nut ] || [ $tries = 6000 ] || ! kill -0 $pid 2>/dev/null; do tries=$((tries + 1)) && sleep 0.02; done
kill -TERM $pid 2>/dev/null
wait $pid 2>/dev/null
run 0 render film.yaml -q -o stopped/film.mp4
expect_same whole/film.mp4 stopped/film.mp4

# From a bake, which has the states of both scenes of a transition.
run 0 bake film.yaml -q -o film.bake
run 0 render film.yaml -q -o baked/film.mp4 --set physics.bake=film.bake
expect_same whole/film.mp4 baked/film.mp4
run 65 render film.yaml -q -o other/film.mp4 --set physics.bake=film.bake --set scenes.1.frames=61-90
expect_text err 'the bake was made from other models, motions or settings'

# Textures of scenes for which main has no room, here in a part of 192 MiB, are decoded by the workers.
run 0 render cuts.yaml -q -o decoded.sha256 --set limits.memory_mib=192
expect_same decoded.sha256 cuts.sha256

# A part of the film.
run 0 render film.yaml -q -o 'part/%02d.png' -f 18-22
expect_same part/20.png stills/20.png

# A dump is the same film, and a checkpoint knows a change of a scene.
run 0 render film.yaml --dump-config
cp out dump.yaml
run 0 render dump.yaml -q -o dumped/film.mp4
expect_same whole/film.mp4 dumped/film.mp4
run 0 plan film.yaml
expect_text out '70 frames of 16x16'
expect_text out 'scene 2  frames 20-49, its own 60-89, cross-fade of 10'
run 73 render film.yaml -q -n -o whole/film.mp4 --set scenes.2.transition.length=9
expect_text err 'scenes.2.transition.length: was 10, is now 9'

# Dips, wipes and the fade of the film, of which a frame does not depend on what else is rendered, in flat colors.
cat >colors.yaml <<'END'
version: 1
render: { size: [16, 16], samples: 1, fps: 10, workers: 1 }
camera: { fixed: {} }
scenes:
  - { models: [], background: { color: "#ff0000" }, frames: 0-3 }
  - { models: [], background: { color: "#0000ff" }, frames: 0-3, transition: { type: dip, length: 2, color: "#00ff00" } }
  - { models: [], background: { color: "#ffffff" }, frames: 0-3, transition: { type: wipe-left, length: 2 } }
fade: { in: 2, out: 2, color: "#000000" }
outputs: [ { file: "colors/%d.png" } ]
END
"$ODORI" render colors.yaml -q -o - --output-format rawvideo --set outputs.0.pixel_format=rgb24 2>err |
    od -An -v -tu1 -w768 | awk '{ print $1, $2, $3, "..", $46, $47, $48 }' >colors.txt
expect_content colors.txt <<'END'
64 0 0 .. 64 0 0
191 0 0 .. 191 0 0
128 128 0 .. 128 128 0
0 128 128 .. 0 128 128
0 0 255 .. 255 255 255
0 0 255 .. 255 255 255
191 191 191 .. 191 191 191
64 64 64 .. 64 64 64
END

# Titles and pictures: in their frames only, of a scene in its own time; the built-in font is the same everywhere.
cat >titles.yaml <<'END'
version: 1
render: { size: [160, 90], samples: 1, fps: 10, workers: 1 }
camera: { fixed: {} }
scenes:
  - { models: [], frames: 0-9 }
  - { models: [], frames: 0-9, titles: [ { text: "two\nlines", frames: 2-5, font: null } ] }
pictures: [ { file: demo/floor.png, frames: 4-6, width: 0.5, place: bottom-right } ]
outputs: [ "plain/%02d.png" ]
END
run 0 render titles.yaml -q -o 'plain/%02d.png' --set 'pictures=[]' --set 'scenes.1.titles=[]'
run 0 render titles.yaml -q -o 'titled/%02d.png'
for frame in $(seq -w 0 19); do
    case $frame in
    04 | 05 | 06 | 12 | 13 | 14 | 15) if cmp -s "plain/$frame.png" "titled/$frame.png"; then fail "nothing over $frame"; else pass; fi ;;
    *) expect_same "plain/$frame.png" "titled/$frame.png" ;;
    esac
done

# Sounds of the film go on over the scenes; those of a scene begin with it.
scenes "$board" cut 'audio: { file: noise.wav, gain_db: -20 }
outputs: [ film.mkv ]' | sed 's/- { frames: 0-29 }/- { frames: 0-29, sounds: [ { file: noise.wav, range_s: [0, 0.2] } ] }/' >sound.yaml
run 0 render sound.yaml -q -o one.mkv
run 0 render sound.yaml -q -o two.mkv --set 'scenes.0.sounds=[]' --set 'sounds=[{file: noise.wav, range_s: [0, 0.2]}]'
expect_same one.mkv two.mkv

# Verbs about one scene.
run 2 export cuts.yaml -o dance.vmd
expect_text err '--scene N is required: the job has 3 scenes'
run 2 export cuts.yaml -o dance.vmd --scene 4
expect_text err "--scene: '4' is not the number of a scene (1..3)"
run 0 export cuts.yaml -q -o dance.vmd --scene 2
run 0 pose cuts.yaml --scene 2 --frames 60
cp out scene.json
run 0 pose common.yaml --frames 60 --set 'models.0.position=[5,0,0]' --set models.1=board.x
expect_same out scene.json
run 0 pose common.yaml --scene 1 --frames 60
finish

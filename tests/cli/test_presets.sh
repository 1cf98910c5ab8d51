#!/bin/sh
# SPDX-License-Identifier: MIT
# Presets of places: those of the program, those of the user.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
silent_job
export XDG_CONFIG_HOME="$work/config"

# Each of them is a valid job, for a video, for images, and for a preview, which has no output.
run 0 help presets
presets=$(sed -n 's/^  \([a-z-]*\) (\..*/\1/p' out)
for name in cogvideox-fun discord gif mimicmotion obs shorts wan-animate wan-control x youtube; do
    case " $(echo "$presets" | tr '\n' ' ') " in *" $name "*) pass ;; *) fail "help presets lacks $name" ;; esac
done
for name in $presets; do
    run 0 check board.x --preset "$name"
    run 0 render tiny.yaml --preset "$name" -o 'images/%d.png' --dump-config
    run 0 help "$name"
    expect_text out "place  $name"
done
run 0 preview tiny.yaml --preset shorts -o sheet.png -q --size 16x16
run 0 render tiny.yaml --preset shorts --size 20x20 -f 0-1 -o 'images/%d.png' -q

# The job gives way to the preset, the preset to flags.
run 0 render tiny.yaml --preset discord --dump-config -o a.mp4
for line in 'size: [1280, 720]' 'fps: 30' 'size_mb: 10' 'audio_kbps: 96' 'loudness_lufs: -16'; do expect_text out "$line"; done
run 0 render tiny.yaml --preset discord --dump-config -o a.mp4 -r 24 --set render.size=64x64 --max-size 3
for line in 'size: [64, 64]' 'fps: 24' 'size_mb: 3' 'audio_kbps: 96'; do expect_text out "$line"; done
run 0 plan tiny.yaml --preset discord --shards 1
expect_text out '--preset discord'

# Its extension is that of a film without -o.
run 0 board.x camera.vmd --preset gif --size 16x16 -f 0-1 -q
expect_file board-camera.gif

# Outputs beside a film, of its path; images have none.
run 0 render tiny.yaml --preset wan-control --dump-config -o new/a.b.mp4
for line in "$PWD/new/a.b-pose.mp4" "$PWD/new/a.b-line.mp4" "$PWD/new/a.b-camera/%05d.json"; do expect_text out "$line"; done
run 0 render tiny.yaml --preset wan-control --dump-config -o 'images/%d.png'
case $(cat out) in *-pose*) fail 'images have outputs beside them' ;; *) pass ;; esac
run 0 render tiny.yaml --preset wan-control -s 32x16 -f 0-1 -o film.mp4 -q
for name in film.mp4 film-pose.mp4 film-depth.mp4 film-line.mp4 film-camera/00000.json; do expect_file "$name"; done

# The user's own, which come before those of the program.
mkdir -p config/odori/presets
echo 'render.size: [48, 32]' >config/odori/presets/mine.yaml
echo 'render.size: [50, 32]' >config/odori/presets/x.yaml
run 0 render tiny.yaml --preset mine --dump-config
expect_text out 'size: [48, 32]'
run 0 render tiny.yaml --preset x --dump-config
expect_text out 'size: [50, 32]'
run 0 render tiny.yaml --preset mine -f 0 -o mine.png -q
run 0 check tiny.yaml --preset mine --json
expect_text out '"named_by":"--preset"'

# Mistakes.
run 2 render tiny.yaml --preset slow
expect_text err "--preset: 'slow' is neither one of cogvideox-fun, discord, gif, mimicmotion, obs, shorts, wan-animate, wan-control, x, youtube nor a file in"
expect_text err 'presets of encoders are --encoder-preset'
run 2 render tiny.yaml --preset shrts
expect_text err "nor a file in ~/.config/odori/presets; did you mean 'shorts'?"
run 2 render tiny.yaml --preset ../../tiny
expect_text err "--preset: '../../tiny' is neither one of"
echo 'render.sise: 3' >config/odori/presets/wrong.yaml
run 78 render tiny.yaml --preset wrong
expect_text err "wrong.yaml:1:8: unknown key 'sise'; did you mean 'size'?"
echo '[1, 2]' >config/odori/presets/list.yaml
run 78 render tiny.yaml --preset list
expect_text err 'expected a map of dotted keys'
finish

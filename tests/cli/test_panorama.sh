#!/bin/sh
# SPDX-License-Identifier: MIT
# camera.projection: boxes at known places are where each projection shows them, faces meet without seams, frames do not depend on
# workers and shards, the boxes of the file for players, and what does not go together.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

if ! command -v python3 >/dev/null; then
    skip "python3 is not installed: no frame is looked at"
    finish
fi
ln -s "$ODORI_DEMO" demo

# box NAME R G B: a box of half a unit (0.04 m) about its origin
box() {
    printf 'newmtl m\nKa %s %s %s\nKd %s %s %s\n' "$2" "$3" "$4" "$2" "$3" "$4" >"$1.mtl"
    {
        printf 'mtllib %s.mtl\nusemtl m\n' "$1"
        for x in -0.02 0.02; do for y in -0.02 0.02; do for z in -0.02 0.02; do echo "v $x $y $z"; done; done; done
        printf 'f %s\n' '1 2 4 3' '5 7 8 6' '1 5 6 2' '3 4 8 7' '1 3 7 5' '2 6 8 4'
    } >"$1.obj"
}
box red 1 0 0
box green 0 1 0
box blue 0 0 1
box yellow 1 1 0

# From an eye at (0, 10, 0) that looks along z: red 45 degrees to the right, green 45 degrees above, blue to the left, yellow ahead, 4
# units away.  Red and green are where faces meet.
cat >boxes.yaml <<'END'
version: 1
models:
  - { file: red.obj, position: [6, 10, 6] }
  - { file: green.obj, position: [0, 16, 6] }
  - { file: blue.obj, position: [-8, 10, 0] }
  - { file: yellow.obj, position: [0, 10, 4] }
camera: { fixed: { target: [0, 10, 0], distance: 0 } }
shadows: { ground: false, self: false }
light: { color: "#ffffff" }
background: { color: "#000000" }
render: { size: [240, 120], frames: 0, workers: 1 }
outputs: [ boxes.tar ]
END

boxes() { # FILE WIDTH HEIGHT PROJECTION ARGUMENT...
    to=$1 size=[$2,$3] projection=$4
    shift 4
    run 0 render boxes.yaml -q -o "$to" --set "render.size=$size" --set "camera.projection=$projection" "$@"
}

look() { # ARGUMENT...
    if python3 "$here/panorama_check.py" "$@" >out 2>err; then pass; else fail "panorama_check.py $*"; fi
}

shows() { # FILE 'COLOR X Y TOLERANCE [LEFT RIGHT TOP BOTTOM]'...: a check for each color, all of them by one start of Python
    python3 "$here/panorama_check.py" at "$@" >found 2>err
    file=$1
    shift
    for place; do if [ "$(sed -n 1p found)" = ok ]; then pass && sed -i 1d found; else fail "$file: $place"; fi; done
}

boxes equirect.tar 240 120 equirect
shows equirect.tar '100 150 60 1' '010 120 30 1' '001 60 60 1' '110 120 60 1'
boxes half.tar 120 120 vr180
shows half.tar '100 90 60 1' '010 60 30 1'
look middle equirect.tar half.tar
boxes fisheye.tar 120 120 fisheye
shows fisheye.tar '100 90 60 1' '010 60 30 1'
boxes wide.tar 240 240 fisheye --set camera.fisheye_deg=360
shows wide.tar '100 150 120 1' '001 60 120 1'
boxes cube.tar 180 120 cube
# The halves of the red box are at the right edge of the front and at the left edge of the right.
shows cube.tar '001 90 30 1' '110 90 90 1' '100 119 90 1.5 60 120 60 120' '100 1 30 1.5 0 60 0 60'

# 0.4 units beside the middle, a box 4 units away is at atan(0.1), 5.7 degrees: 3.8 of 120 pixels for 180 degrees.
boxes beside.tar 240 120 vr180 --set camera.stereo=left-right
shows beside.tar '110 63.8 60 1 0 120 0 120' '110 176.2 60 1 120 240 0 120'
boxes below.tar 120 240 fisheye --set camera.stereo=top-bottom --set camera.eye_distance=1.6
# There it is at atan(0.2), 11.3 degrees: 7.5 pixels.
shows below.tar '110 67.5 60 1 0 120 0 120' '110 52.5 180 1 0 120 120 240'

# The figure is across a seam, with its outlines, sphere maps, shadows on itself and on the ground.
cat >figure.yaml <<'END'
version: 1
models: [ { file: demo/figure.pmx, motions: [demo/dance.vmd] } ]
stage: [ { file: demo/stage.pmx } ]
camera: { fixed: { target: [-6, 10, -6], distance: 0 }, projection: equirect }
render: { size: [240, 120], fps: 30, frames: 10-11, workers: 1 }
outputs: [ "o/%02d.png" ]
END
run 0 render figure.yaml -q -o ahead.tar
run 0 render figure.yaml -q -o turned.tar --set 'camera.fixed.rotation_deg=[0, 45, 0]'
look seams ahead.tar turned.tar

run 0 render figure.yaml -q
run 0 render figure.yaml -q -o "two/%02d.png" -j 2
run 0 render figure.yaml -q -o "shards/%02d.png" --shard 2/2
run 0 render figure.yaml -q -o "shards/%02d.png" --shard 1/2
for frame in 10 11; do
    expect_same o/$frame.png two/$frame.png
    expect_same o/$frame.png shards/$frame.png
done

# Transparent where nothing is drawn.
run 0 render boxes.yaml -q -o alpha.png --set camera.projection=fisheye --set background.alpha=true
run 0 render boxes.yaml -q -o preview.png -f 0 --set camera.projection=cube --set 'render.size=[180,120]' \
    --set 'previews=[{ type: sheet, file: sheet.png, cells: [1, 1], width: 101 }]'
expect_file sheet.png

# What players find in the file.  Those that know Apple's box (vexu) ignore the other one (st3d), so it must say where both eyes are, too.
boxes eyes.mp4 240 120 vr180 --set camera.stereo=left-right
if ! grep -q st3d eyes.mp4; then fail "eyes.mp4: no st3d"; else pass; fi
if grep -q eyes eyes.mp4 && ! grep -q pack eyes.mp4; then fail "eyes.mp4: eyes without packing"; else pass; fi
if command -v ffprobe >/dev/null; then
    side_data() { # FILE
        ffprobe -v error -show_entries stream_side_data=type,projection,bound_left -of default=nw=1 "$1" >out
    }
    for name in film.mp4 film.mkv; do
        boxes $name 240 120 vr180 --set camera.stereo=left-right
        side_data $name
        expect_text out 'type=side by side'
        expect_text out 'projection=tiled equirectangular'
        expect_text out 'bound_left=120'
    done
    boxes film.mp4 180 120 cube -y
    side_data film.mp4
    expect_text out 'projection=cubemap'
    boxes film.mp4 240 120 equirect -y
    side_data film.mp4
    expect_text out 'type=2D'
    expect_text out 'projection=equirectangular'
    boxes film.mp4 240 120 perspective -y
    side_data film.mp4
    expect_empty out
else
    skip "ffprobe is not installed: the side data of videos are not read"
fi

# Advice about sizes whose pixels are not square.
shape() { # WIDTH HEIGHT SETTING...
    size=[$1,$2]
    shift 2
    run 0 check boxes.yaml --set "render.size=$size" "$@"
}
no_shape() { if grep -q 'render.size' out; then fail "advice: $(cat out)"; else pass; fi; }
shape 240 135 --set camera.projection=equirect
expect_text out 'render.size: 240x135 is not 2:1'
shape 240 120 --set camera.projection=vr180
expect_text out 'render.size: 240x120 is not 1:1'
shape 120 120 --set camera.projection=vr180 --set camera.stereo=top-bottom
expect_text out 'render.size: 120x120 is not 1:2'
shape 240 120 --set camera.projection=vr180 --set camera.stereo=left-right
no_shape
shape 240 120 --set camera.projection=equirect
no_shape
shape 240 135
no_shape

# What does not go together.
refused() { # MESSAGE SETTING...
    message=$1
    shift
    for setting; do set -- "$@" --set "$setting"; shift; done
    for verb in check render; do
        run 78 "$verb" boxes.yaml "$@"
        expect_text err "$message"
    done
}
flat='works on a flat view, not with camera.projection'
for section in 'look={ ssao: {} }' 'look={ focus: {} }' 'look={ glow: {} }' 'look={ diffusion: {} }' 'look={ mirror: {} }' \
    'burn_in={ text: a }'; do
    run 78 check boxes.yaml --set camera.projection=equirect --set "$section"
    expect_text err "$flat"
done
refused "outputs.0.pass: $flat" camera.projection=cube 'render.size=[180,120]' outputs.0.pass=depth 'outputs.0.file=d.png'
refused "outputs.0.alpha: $flat" camera.projection=vr180 outputs.0.alpha=side-by-side
refused "camera.fixed.orthographic: $flat" camera.projection=vr180 camera.fixed.orthographic=true
refused 'camera.stereo: needs projection vr180 or fisheye' camera.projection=equirect camera.stereo=left-right
refused 'camera.stereo: needs projection vr180 or fisheye' camera.stereo=left-right
refused 'camera.stereo: needs fisheye_deg of at most 180' camera.projection=fisheye camera.fisheye_deg=200 camera.stereo=left-right
refused 'render.size: 240x120 is not 3 x 2 squares' camera.projection=cube
refused 'exceed the limit of 16384' camera.projection=fisheye camera.fisheye_deg=90 'render.size=[8192,8192]'
cat >effect.fx <<'END'
technique main < string MMDPass = "object"; > { pass p { ALPHABLENDENABLE = FALSE; } }
END
refused 'effects of models (.fx) draw one flat view' camera.projection=equirect models.0.effect=effect.fx
run 0 check boxes.yaml --set camera.projection=equirect --set models.0.effect=effect.fx --set effects.mode=off

# Scenes have one projection.
run 0 render boxes.yaml -q -o scenes.tar --set camera.projection=equirect --set 'scenes=[{ frames: 0-0 }, { frames: 0-0 }]'
shows scenes.tar '100 150 60 1'
refused 'must be the same in all scenes' \
    'scenes=[{ frames: 0-0, camera: { projection: equirect } }, { frames: 0-0, camera: { projection: vr180 } }]'
refused "titles: $flat" camera.projection=equirect 'titles=[{ text: a }]'
refused "scenes.0: titles and pictures: $flat" camera.projection=equirect 'scenes=[{ frames: 0-0, titles: [{ text: a }] }]'

run 0 help dome
expect_text out 'camera.projection'
run 0 help 360
expect_text out 'camera.projection'

finish

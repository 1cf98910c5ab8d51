#!/bin/sh
# SPDX-License-Identifier: MIT
# Passes: the same files with one worker, with two, from shards, and after a stop; verify knows them.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
tiny_job

passes() { # DIRECTORY: the outputs of a film with every kind of pass
    cat <<END
[ $1/film.mp4, { file: $1/depth.mkv, pass: depth, codec: ffv1 }, { file: "$1/d%02d.png", pass: depth },
  { file: "$1/n%02d.png", pass: normal }, { file: $1/model.mkv, pass: mask-model, codec: ffv1 },
  { file: $1/material.sha256, pass: mask-material }, { file: "$1/l%02d.png", pass: line }, { file: $1/shadow.mkv, pass: shadow, codec: ffv1 } ]
END
}

render() { # DIRECTORY FLAG...
    to=$1
    shift
    run 0 render tiny.yaml -q --set "outputs=$(passes "$to")" --set 'passes={near: 30, far: 60}' "$@"
}

expect_equal() { # DIRECTORY: equals that of the run with one worker
    for file in film.mp4 depth.mkv shadow.mkv l07.png d00.png d19.png n00.png n19.png model.mkv material.sha256; do
        expect_same one/$file "$1/$file"
    done
}

render one
expect_file one/d19.png
render two --workers 2
expect_equal two
render shards --shard 2/2
render shards --shard 1/2
run 0 join tiny.yaml --set "outputs=$(passes shards)" --set 'passes={near: 30, far: 60}'
expect_equal shards
run 0 verify one/.film.mp4.odori
rm two/n05.png
render two
expect_same one/n05.png two/n05.png

# What the values mean is beside the outputs; a foreign file there is not replaced.
expect_content one/depth.json <<'END'
{"pass":"depth","values":"inverse","near":30,"far":60,"unit":"MMD units along the view"}
END
expect_same one/depth.json one/depth.mkv.json
for note in depth.json depth.mkv.json model.mkv.json material.mkv.json; do
    [ ! -e "one/$note" ] || expect_json pass-note "one/$note"
done
expect_same one/model.mkv.json shards/model.mkv.json
expect_text one/model.mkv.json '{"label":1,"color":[128,0,0],"model":"board"}'
expect_no_file one/material.sha256.json
mkdir foreign && echo mine >foreign/depth.json
run 73 render tiny.yaml -q --set 'outputs=[{ file: "foreign/%02d.png", pass: depth }]'
if [ "$(cat foreign/depth.json)" = mine ]; then pass; else fail 'a foreign file was replaced'; fi

# A pass does not change the picture, and needs none.
run 0 render tiny.yaml -q --set 'outputs=[plain.mp4]'
expect_same plain.mp4 one/film.mp4
run 0 render tiny.yaml -q --set 'outputs=[{ file: only.sha256, pass: mask-material }]'
expect_same only.sha256 one/material.sha256

# A grey image of 16 bits: bit depth and color type are bytes 24 and 25.
if [ "$(od -An -tu1 -j24 -N2 one/d00.png | tr -s ' ')" = ' 16 0' ]; then pass; else fail 'not a grey PNG of 16 bits'; fi
run 0 compare one/d00.png shards/d00.png

# The side of the board that is seen has material 2, of model 1.
if command -v ffmpeg >/dev/null; then
    colors() { ffmpeg -v error -i "$1" -f rawvideo -pix_fmt rgb24 - | od -An -v -tx1 -w3 | sort -u | tr -d ' ' | tr '\n' ' '; }
    run 0 render tiny.yaml -q --set 'outputs=[{ file: mm.mkv, codec: ffv1, pass: mask-material }]'
    if [ "$(colors one/model.mkv)" = '000000 800000 ' ]; then pass; else fail "models: $(colors one/model.mkv)"; fi
    if [ "$(colors mm.mkv)" = '000000 008000 ' ]; then pass; else fail "materials: $(colors mm.mkv)"; fi
    greys=$(ffmpeg -v error -i one/depth.mkv -frames:v 1 -f rawvideo -pix_fmt gray16le - | od -An -v -tu2 -w2 | sort -un | wc -l)
    if [ "$greys" -gt 1 ] && [ "$greys" -lt 200 ]; then pass; else fail "$greys grey values"; fi
else
    skip 'ffmpeg is not installed'
fi

# The pose of the demo's figures, as images and as JSON.
ln -s "$ODORI_DEMO" demo
pose() { # DIRECTORY FLAG...
    to=$1
    shift
    run 0 render demo/demo.yaml -q --size 320x180 -f 30-33 --set audio=null "$@" \
        --set "outputs=[{ file: $PWD/$to/%02d.json, pass: pose }, { file: $PWD/$to/pose.mkv, codec: ffv1, pass: pose }]"
}
pose p1
pose p2 --workers 2
for file in 30.json 33.json pose.mkv; do expect_same p1/$file p2/$file; done
expect_text p1/30.json '{"people":[{"pose_keypoints_2d":['
expect_text p1/30.json '"canvas_width":320,"canvas_height":180}'
state=$(find p1 -name '.*.odori')
run 0 verify "$state"
expect_text out 'p1/%02d.json: 4 frames, digests match'
printf x >>p1/31.json
run 1 verify "$state"
expect_text out 'p1/31.json: digest differs from the recorded one'
run 0 pose demo/demo.yaml --set render.size=320x180 --frames 30-33 --format openpose
if [ "$(wc -l <out)" = 4 ]; then pass; else fail 'not one line per frame'; fi
expect_text out '"canvas_width":320,"canvas_height":180}'
run 2 pose demo/demo.yaml --frames 3 --format github
run 2 check demo/demo.yaml --format openpose
run 2 verify p1/31.json --format openpose

# A dancer over a video by configs/composite.sh is the direct render: within 1 of 255 from films over black and over white.
if command -v ffmpeg >/dev/null && ffmpeg -v error -h filter=lut2 | grep -q c0; then
    layer() { # FILE KEY=VALUE...: three frames without the stage
        to=$1
        shift
        run 0 render demo/demo.yaml -q --size 160x90 -f 30-32 --set stage=[] --set audio=null \
            --set "outputs=[{ file: $PWD/$to, codec: ffv1 }]" "$@"
    }
    differences() { # FILE: the number of values that differ from the direct render by 0, 1, 2 and more
        ffmpeg -v error -i "$1" -map 0:v -f rawvideo -pix_fmt gbrp - | od -An -v -tu1 -w1 | paste - direct |
            awk '{ d = $1 - $2; n[d < 0 ? -d : d]++ } END { print n[0] + 0, n[1] + 0, n[2] + 0, NR - n[0] - n[1] - n[2] }'
    }
    run 0 render demo/demo.yaml -q --size 160x90 -f 30-32 --set audio=null \
        --set "outputs=[{ file: $PWD/back.mkv, codec: ffv1, pass: normal }]"
    layer dancer.mkv --set 'background={alpha: true}'
    layer black.mkv --set 'background={color: "#000000"}'
    layer white.mkv --set 'background={color: "#ffffff"}'
    layer direct.mkv --set "background={video: $PWD/back.mkv, video_offset_s: 1}"
    ffmpeg -v error -i direct.mkv -map 0:v -f rawvideo -pix_fmt gbrp - | od -An -v -tu1 -w1 >direct
    [ "$(wc -l <direct)" = $((3 * 3 * 160 * 90)) ] || fail 'not three frames'
    sh "$here/../../configs/composite.sh" black.mkv white.mkv back.mkv over.mkv || fail 'composite.sh of two films'
    case $(differences over.mkv) in
    1*' 0 0') pass ;;
    *) fail "over black and white: $(differences over.mkv)" ;;
    esac
    sh "$here/../../configs/composite.sh" dancer.mkv back.mkv over.mkv || fail 'composite.sh of a film with alpha'
    case $(differences over.mkv) in
    1*' '[0-9]' 0' | 1*' 1'[0-2]' 0') pass ;; # at most one of 10,000
    *) fail "with alpha: $(differences over.mkv)" ;;
    esac
else
    skip 'ffmpeg with lut2 is not installed'
fi

# Errors
run 78 check tiny.yaml --set 'outputs=[{ file: "%d.json" }]'
expect_text err "a JSON file can contain only the passes 'keypoints' and 'camera'"
run 78 check tiny.yaml --set 'outputs=[{ file: a.json, pass: pose }]'
expect_text err 'the name needs a number such as %05d'
run 78 check tiny.yaml --set 'outputs=[{ file: a.png, pass: dept }]'
expect_text err "'dept'"
run 78 check tiny.yaml --set 'outputs=[{ file: "%d.png", pass: depth }]' --set 'passes={near: 50, far: 20}'
expect_text err 'near 50 is not less than far 20'
run 0 check tiny.yaml --set 'outputs=[{ file: "%d.png" }]' --set 'passes={near: 50, far: 20}'

finish

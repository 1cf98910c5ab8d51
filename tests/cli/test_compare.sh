#!/bin/sh
# SPDX-License-Identifier: MIT
# compare: directories, patterns, videos and images; PSNR against FFmpeg's filter.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

run 0 render "$ODORI_DEMO/demo.yaml" --set "render.size=[64,36]" --set audio=null -f 2-4 -o "a/%03d.png" --progress none
run 0 render "$ODORI_DEMO/demo.yaml" --set "render.size=[64,36]" --set audio=null -f 2-4 --progress none \
    --set "outputs=[{file: '$PWD/a.mkv', codec: ffv1}]"
mkdir b
cp a/*.png b
rm b/003.png

run 0 compare a a
expect_content out <<'END'
3 frames compared: 3 equal, 0 different
END
run 0 compare a "a/%03d.png"
run 0 compare a/002.png a/002.png
run 1 compare a b
expect_text out '2 frames compared: 2 equal, 0 different'
expect_text out '1 frame only in a, 0 only in b'
expect_empty err
cp a/002.png b/003.png
run 1 compare a b -o worst.png
expect_text out 'first difference: frame 3'
expect_file worst.png
run 0 info worst.png
expect_text out 'width: 192'
run 1 compare a b --json
expect_text out '{"frame":2,"equal":true,"ok":true,"psnr":null,"ssim":1,"max_difference_16_bit":null,"max_difference":null}'
expect_text out '"first_difference":3,"worst":3,'
expect_text out '"ok":false'
run 0 compare a b --threshold 0.1
run 1 compare a b --threshold 90dB
expect_text out '1 frame below 90 dB'

# Images of every kind: their names say that they are images, their bytes say how to read them.
for kind in webp dds; do
    mkdir $kind
    for i in 002 003 004; do cp a/$i.png $kind/$i.$kind; done
    run 0 compare a $kind
    expect_text out '3 frames compared: 3 equal, 0 different'
    run 0 compare a/003.png $kind/003.$kind
done

# A lossless video has equal frames; its frames are numbered from 0, so they are paired in order.
run 0 compare a a.mkv

# All frames of a GIF, not only the first.
run 0 render "$ODORI_DEMO/demo.yaml" --set render.size=[32,18] --set render.samples=1 -f 0-9 --progress none -q -o a.gif
run 0 compare a.gif a.gif
expect_text out '10 frames compared: 10 equal, 0 different'

# Rate, length and sound of videos: images alone are not the film.
film() { # FILE FLAG...
    file=$1
    shift
    run 0 render "$ODORI_DEMO/demo.yaml" --set render.size=[32,18] --set render.fps=30 --set render.samples=1 -f 0-9 \
        --progress none -q -o "$file" --set outputs.0.codec=ffv1 "$@"
}
film one.mkv
film two.mkv
film slow.mkv --set render.fps=24
film silent.mkv --set audio=null
film quiet.mkv --set audio.gain_db=-1
film late.mkv --set audio.offset_s=0.1
cp silent.mkv mute.mkv
run 0 compare one.mkv two.mkv
expect_text out '10 frames compared: 10 equal, 0 different'
expect_text out 'sound: equal, 0.3'
run 1 compare one.mkv slow.mkv --threshold 0
expect_text out 'frame rates differ: 30 and 24 frames/s'
run 1 compare one.mkv silent.mkv
expect_text out 'sound: only in one.mkv'
expect_text out '10 frames compared: 10 equal'
run 1 compare silent.mkv one.mkv --format github
expect_text out '::error file=one.mkv,title=difference::sound: only in one.mkv; all compared frames are equal'
run 1 compare one.mkv quiet.mkv
expect_text out 'sound: samples differ from 0.0'
run 1 compare one.mkv late.mkv --json
expect_text out '"track_differences":["sound: samples differ from '
expect_text out '"ok":false'
run 1 compare one.mkv quiet.mkv --tolerance 0.0001
run 0 compare one.mkv quiet.mkv --tolerance 0.5
expect_text out 'of the full scale, SNR '
film dolby.mkv --set outputs.0.audio_codec=eac3 # what a job takes as its sound can also be compared
run 0 compare dolby.mkv dolby.mkv
expect_text out 'sound: equal, 0.3'
run 0 compare silent.mkv mute.mkv --json
expect_text out '"rate":{"a":30,"b":30}'
expect_text out '"sound":{"in_a":false,"in_b":false},"track_differences":[]'

run 2 compare a b --threshold 2
run 2 compare a b --tolerance 0.1
expect_text err '--tolerance: only for .exr files and the sound of videos; use --threshold'
run 2 compare a b --tolerance -1
expect_text err "--tolerance: '-1' is not a number of 0 or more"
run 2 compare a
run 2 compare a b c
expect_text err "compare takes exactly two inputs; unexpected argument 'c'"
run 66 compare a none
mkdir none
run 66 compare none none
expect_text err 'odori: error: none: no images found'
run 65 compare a "$ODORI_DEMO/dance.vmd"

if command -v ffmpeg >/dev/null; then
    ffmpeg -v error -i a/002.png -i a/004.png -lavfi \
        "[0]format=gbrp[p];[1]format=gbrp[q];[p][q]psnr=stats_file=psnr" -f null - 2>/dev/null
    psnr=$(sed -n 's/.*psnr_avg:\([0-9.]*\).*/\1/p' psnr)
    run 1 compare a/002.png a/004.png
    expect_text out "PSNR $psnr dB"
else
    skip "ffmpeg is not installed: its PSNR is not compared"
fi

finish

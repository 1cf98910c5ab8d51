#!/bin/sh
# SPDX-License-Identifier: MIT
# outputs.N.alpha: side-by-side, against raw RGBA frames of the same film.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"

silent_job
sed -i.bak "s/samples: 1/samples: 4/" tiny.yaml
packed() { # FILE [KEY: VALUE, ...]
    run 0 render tiny.yaml -q --set audio=null --set background.alpha=true \
        --set "outputs=[{ file: $1, alpha: side-by-side, $2 }]"
}
expect_size() { # FILE SIZE FRAMES
    run 0 verify "$1"
    expect_text out "$3 frames"
    expect_text out "$2"
}

packed film.mkv 'codec: ffv1, gop: 5'
expect_size film.mkv 32x16 20
if command -v ffmpeg >/dev/null; then
    "$ODORI" render tiny.yaml -o - --output-format rawvideo --set audio=null --set background.alpha=true 2>err |
        od -An -v -tu1 -w4 >straight
    ffmpeg -v error -i film.mkv -map 0:v -f rawvideo -pix_fmt rgb24 - | od -An -v -tu1 -w3 >packed
    # Rows of 32: 16 colors, and 16 times alpha as grey.  Colors of pixels that nobody sees are free.
    awk 'FNR == NR { color[FNR - 1] = $1 " " $2 " " $3; alpha[FNR - 1] = $4; next }
        {
            at = FNR - 1; x = at % 32; pixel = (at - x) / 2 + x % 16
            if (x >= 16) bad += $0 + 0 != alpha[pixel] || $1 != $2 || $2 != $3
            else if (alpha[pixel]) { bad += $1 " " $2 " " $3 != color[pixel]; seen++ }
            partial += x >= 16 && $1 > 0 && $1 < 255
        }
        END { print bad + 0, FNR, (seen > 100), (seen < 5000), (partial > 0) }' straight packed >counts
    expect_content counts <<'EOT'
0 10240 1 1 1
EOT
else
    skip 'ffmpeg is not installed'
fi

# Shards, and outputs that are encoded a second time from lossless segments.
mv film.mkv one.mkv
for shard in 1/2 2/2; do
    run 0 render tiny.yaml -q --shard $shard --set audio=null --set background.alpha=true \
        --set 'outputs=[{ file: film.mkv, alpha: side-by-side, codec: ffv1, gop: 5 }]'
done
run 0 join tiny.yaml --set audio=null --set background.alpha=true \
    --set 'outputs=[{ file: film.mkv, alpha: side-by-side, codec: ffv1, gop: 5 }]'
expect_same film.mkv one.mkv
packed film.mp4 'size_mb: 1'
expect_size film.mp4 32x16 20
packed film.gif ''
expect_size film.gif 32x16 20

run 78 render tiny.yaml --set 'outputs=[{ file: a.mp4, alpha: side-by-side }]'
expect_text err "'a.mp4': side-by-side needs the picture with background: { alpha: true }"
run 78 render tiny.yaml --set background.alpha=true --set 'outputs=[{ file: "%d.png", alpha: side-by-side }]'
expect_text err "outputs.0.alpha: '%d.png': only videos have this option"

finish

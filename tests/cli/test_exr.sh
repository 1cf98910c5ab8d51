#!/bin/sh
# SPDX-License-Identifier: MIT
# OpenEXR: layers, motion vectors and mattes, read by a program of its own; the same bytes with one worker, with two,
# from shards, from a bake, and after a stop; what the other formats cannot contain.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
silent_job

layers() { # DIRECTORY
    echo "[ { file: \"$1/%02d.exr\", passes: [beauty, depth, normal, motion, mask-model, mask-material, line, shadow, pose] } ]"
}

render() { # DIRECTORY FLAG...
    to=$1
    shift
    run 0 render tiny.yaml -q -f 3-8 --set "outputs=$(layers "$to")" "$@"
}

expect_equal() { # DIRECTORY
    for n in 03 04 05 06 07 08; do
        expect_same "one/$n.exr" "$1/$n.exr"
    done
}

run 78 check tiny.yaml --set 'outputs=[{ file: v.mkv, pass: motion }]'
expect_text err "outputs.0.pass: 'v.mkv': only .exr and .tar files can contain motion vectors"
run 78 check tiny.yaml --set 'outputs=[{ file: "%d.png", passes: [depth] }]'
expect_text err "outputs.0.passes: '%d.png': only .exr and .tar files have several passes"
run 0 version
if ! grep -q 'openexr [0-9]' out; then
    run 69 check tiny.yaml --set 'outputs=[{ file: "%d.exr" }]'
    expect_text err '.exr files need OpenEXR; this program was built without it'
    skip "built without OpenEXR"
    finish
fi
run 78 check tiny.yaml --set 'outputs=[{ file: "%d.exr", pass: depth, passes: [normal] }]'
expect_text err 'pass and passes are both given'
run 78 check tiny.yaml --set 'outputs=[{ file: "%d.exr", passes: [beauty, camera] }]'
expect_text err "an .exr file cannot contain the pass 'camera'"
run 78 check tiny.yaml --set 'outputs=[{ file: all.exr }]'
expect_text err 'the name needs a number such as %05d'

render one
render two --workers 2
expect_equal two
render two/a -f 6-8 # the frame before is not rendered
expect_same one/06.exr two/a/06.exr
render shards --shard 2/2
render shards --shard 1/2
run 0 join tiny.yaml -f 3-8 --set "outputs=$(layers shards)"
expect_equal shards
run 0 verify "one/.%02d.exr.odori"
rm two/05.exr
render two
expect_same one/05.exr two/05.exr
run 0 bake tiny.yaml -q -f 3-8 -o film.bake --set "outputs=$(layers baked)"
render baked --set physics.bake=film.bake
expect_equal baked

# A data window of what is drawn: other bytes, the same for all workers, of the same values where nothing is 0.
drawn() { # DIRECTORY FLAG...
    to=$1
    shift
    run 0 render tiny.yaml -q -f 3-8 --set "outputs=[ { file: \"$to/%02d.exr\", passes: [beauty, normal, motion, mask-model] } ]" \
        --set 'background={alpha: true}' --set 'render.size=[64, 64]' "$@"
}
drawn image
drawn drawn --set passes.window=drawn
drawn drawn2 --set passes.window=drawn --workers 2
for n in 03 08; do expect_same drawn/$n.exr drawn2/$n.exr; done
if cmp -s image/05.exr drawn/05.exr; then fail 'the same data window'; else pass; fi
run 0 compare image drawn
run 0 verify "drawn/.%02d.exr.odori"
drawn none --set passes.window=drawn --set 'models=[{ file: board.x, position: [0, 5000, 0] }]'
drawn all --set 'models=[{ file: board.x, position: [0, 5000, 0] }]'
run 0 compare none all
if command -v exrinfo >/dev/null; then
    exrinfo none/05.exr >out 2>&1 # its exit status is not defined in version 3.1: that of a printf on Ubuntu 24.04
    expect_text out 'dataWindow: [ 0, 0 - 0 0 ] 1 x 1'
    exrinfo drawn/05.exr >out 2>&1
    expect_text out "'Vector.Z': float"
else
    skip "exrinfo is not installed"
fi

# compare: by channels; the film moves, so that two frames differ.
run 0 compare one "two/%02d.exr"
expect_content out <<'END'
6 frames compared: 6 equal, 0 different
END
run 1 compare one/03.exr one/04.exr
expect_text out "channel 'Z': "
expect_text out ' samples differ, by at most '
expect_empty err
run 1 compare one/03.exr one/04.exr --json
expect_text out '{"name":"CryptoObject00.R","ids":true,"differing":'
expect_text out '"above_tolerance":1,"ok":false}'
run 0 render tiny.yaml -q -f 3 --set 'outputs=[{ file: "few/%02d.exr", passes: [beauty, normal] }]'
run 1 compare one few
expect_text out '5 frames only in one, 0 only in few'
expect_text out "channel 'Z': only in one in 1 frame"
! grep -q "channel 'R'" out || fail 'an equal channel is reported'
run 2 compare one few --threshold 0.9
expect_text err '--threshold: .exr files have no SSIM or PSNR; use --tolerance'
mkdir damaged
head -c 900 one/03.exr >damaged/03.exr
run 65 compare one/03.exr damaged/03.exr
expect_one_error
expect_text err 'damaged/03.exr: OpenEXR: '
run 0 render tiny.yaml -q -f 3 --set 'outputs=[{ file: "few/%02d.png" }]'
run 2 compare few few
expect_text err 'few: contains .exr files and other images'
run 2 compare few/03.exr few/03.png
expect_text err 'few/03.exr: .exr files can only be compared with .exr files'

if command -v python3 >/dev/null; then
    value() { python3 -B "$here/exr_read.py" "$@" 2>&1 || fail "exr_read.py $*"; }
    # The sum of the coverages is the picture's alpha, at antialiased edges, too.
    for scale in 2 3; do
        run 0 render tiny.yaml -q -f 3 --set "outputs=[ { file: alpha%d.exr, passes: [beauty, mask-model] } ]" -y \
            --set 'models=[{ file: board.x, rotation_deg: [0, 0, 20] }]' --set background.alpha=true \
            --set render.edges=false --set shadows.ground=false --set render.supersample=$scale --set 'render.size=[64,64]'
        value --alpha alpha3.exr CryptoObject >difference
        if awk '{ ok = $1 < 0.01 && $2 > 20 } END { exit !ok }' difference; then
            pass
        else
            fail "scale $scale: coverages differ from alpha: $(tail -n 1 difference)"
        fi
    done
    # The camera in the header: the board's corners by its matrices are where the board is drawn, at the depth that is stored.
    # f = 12 mm / tan 20 degrees; 50 pixels / tan 20 degrees; 4 tan 20 degrees.
    run 0 render tiny.yaml -q -f 13 --set 'outputs=[{ file: "c%02d.exr", pass: depth }]' --set 'render.size=[200, 100]' \
        --set 'camera={fixed: {target: [2, 10, 0], rotation_deg: [-10, 25, 5], distance: -40, fov_deg: 40}}' \
        --set render.edges=false
    value --camera c13.exr -5 3 0 5 3 0 5 18 0 -5 18 0 0 10 0 >places
    if awk 'NR == 1 { split($0, a) } NR == 2 { for (i = 1; i <= 4; i++) if ($i - a[i] > 1 || a[i] - $i > 1) bad = 1 }
            NR == 3 && $1 > 0.15 { bad = 1 } END { exit bad || NR < 4 }' places; then
        pass
    else
        fail "the camera of the header: $(cat places)"
    fi
    expect_text places '32.970 mm, 137.374 pixels, window 1.4559, time code 00000203'
    value one/05.exr >out
    expect_text out CryptoMaterial01.A
    value --check one/05.exr >out
    expect_text out 'good: CryptoMaterial CryptoObject'
else
    skip "python3 is not installed"
fi
finish

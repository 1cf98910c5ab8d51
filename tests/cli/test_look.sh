#!/bin/sh
# SPDX-License-Identifier: MIT
# look: effects on the frames are equal for every number of workers, for shards and for bakes, and part of the digest.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

ln -s "$ODORI_DEMO" demo
cat >warm.cube <<'END'
TITLE "warm"
LUT_3D_SIZE 2
0 0 0
1 0.1 0
0.1 0.9 0
1 0.9 0.1
0 0 0.8
1 0 0.8
0 0.9 0.8
1 1 0.9
END
cat >job.yaml <<'END'
version: 1
models: [ { file: demo/figure.pmx, motions: [demo/dance.vmd] } ]
shadows: { map_size: 256 }
render: { size: [80, 46], fps: 30, samples: 1, frames: 10-13, workers: 1 }
outputs: [ "o/%02d.png" ]
END
grade='look={ grade: { lut: warm.cube, lut_strength: 0.7, exposure_ev: 0.5, vignette: 0.4, grain: 0.05 } }'

expect_different() { # FILE FILE
    if cmp -s "$1" "$2"; then fail "$1 and $2 are equal"; else pass; fi
}

expect_same_frames() { # DIRECTORY DIRECTORY
    for frame in 10 11 12 13; do expect_same "$1/$frame.png" "$2/$frame.png"; done
}

# independent NAME LOOK ARGUMENT...: another number of workers, shards in any order, and a single frame give equal frames
independent() {
    name=$1 look=$2
    shift 2
    run 0 render job.yaml -q -o "$name/%02d.png" --set "$look" "$@"
    run 0 render job.yaml -q -o "$name-two/%02d.png" --set "$look" -j 2 "$@"
    expect_same_frames "$name" "$name-two"
    run 0 render job.yaml -q -o "$name-shards/%02d.png" --set "$look" --shard 2/2 "$@"
    run 0 render job.yaml -q -o "$name-shards/%02d.png" --set "$look" --shard 1/2 "$@"
    expect_same_frames "$name" "$name-shards"
    run 0 render job.yaml -q -o "$name-alone.png" --set "$look" -f 12 "$@"
    expect_same "$name/12.png" "$name-alone.png"
    expect_different "$name/12.png" plain/12.png
}

# kept NAME LOOK: frames of a resumed run, and of a bake made without the effects, are equal to those in NAME
kept() {
    cp "$1/12.png" "$1-12.png"
    rm "$1/12.png"
    run 0 render job.yaml -o "$1/%02d.png" --set "$2"
    expect_text err ' 3 skipped'
    expect_same "$1/12.png" "$1-12.png"
    run 0 render job.yaml -q -o "$1-baked.png" --set "$2" -f 12 --set physics.bake=plain.bake
    expect_same "$1/12.png" "$1-baked.png"
}

run 0 render job.yaml -q -o 'plain/%02d.png'
independent grade "$grade"
expect_different grade/12.png grade/11.png

# Several images a frame; a bake has all moments of a frame, and one without motion blur has not.
lens='look={ accumulate: { samples: 5 }, focus: { aperture: 1 } }'
independent lens "$lens"
run 0 bake job.yaml -o lens.bake --set "$lens"
run 0 render job.yaml -q -o 'baked/%02d.png' --set "$lens" --set physics.bake=lens.bake
expect_same_frames lens baked
run 0 bake job.yaml -o plain.bake
run 65 render job.yaml -q -o 'other/%02d.png' --set "$lens" --set physics.bake=plain.bake
expect_text err 'plain.bake'
run 0 render job.yaml -q -o 'still/%02d.png' --set 'look={ accumulate: { samples: 5, shutter_deg: 0 } }' \
    --set physics.bake=plain.bake
expect_different lens/12.png still/12.png

# With a lens, each image is blurred by its part of it: few images come close to many, which are not blurred.
lens_of() { # NAME ACCUMULATE
    run 0 render job.yaml -q -f 12 -o "$1.png" --set 'stage=[demo/stage.pmx]' -s 160x92 \
        --set "look={ focus: { aperture: 3, distance: 30 }, accumulate: { shutter_deg: 0$2 } }"
}
lens_of few ''
lens_of eight ', samples: 8'
lens_of many ', samples: 128'
expect_same few.png eight.png
run 0 compare few.png many.png --threshold 0.965

# Images that are all equal have that image as their mean: nothing is moved by one sample.
run 0 render job.yaml -q -o 'one/%02d.png' --set 'look={ accumulate: { samples: 1 } }'
expect_same_frames plain one

# Blurs.
blurs='look={ glow: { materials: [スカート, 髪], strength: 2 }, diffusion: {} }'
independent blurs "$blurs"
run 0 render job.yaml -q -o 'noglow/%02d.png' --set 'look={ glow: {} }'
expect_same_frames plain noglow

# Effects that use depths, with and without several images, and beside passes.
depths='look={ ssao: {}, focus: { aperture: 1 } }'
independent depths "$depths"
run 0 render job.yaml -q -f 12 --set "$depths" \
    --set 'outputs=["passes/%02d.png", { file: "passes/n%02d.png", pass: normal }]'
expect_same depths/12.png passes/12.png
run 0 render job.yaml -q -f 12 --set 'outputs=[{ file: "passes/m%02d.png", pass: normal }]'
expect_same passes/n12.png passes/m12.png
run 0 render job.yaml -q -f 12 -o 'both/%02d.png' --set 'look={ ssao: {}, accumulate: { samples: 3 } }'
expect_different both/12.png depths/12.png

# A mirror, whose picture may lie outside of the models.
independent mirror 'look={ mirror: { strength: 0.5, blur: 0.01 } }'

# Soft ground shadows, whose map may lie outside of the picture.
soft='look={ ground_shadow: { angle_deg: 20 } }'
independent ground "$soft"
kept ground "$soft"
run 0 render job.yaml -q -o 'none/%02d.png' --set shadows.ground=false
run 0 render job.yaml -q -o 'nosoft/%02d.png' --set "$soft" --set shadows.ground=false
expect_same_frames none nosoft

# All of them together.
all='look={ grade: { grain: 0.1, vignette: 0.4 }, glow: { materials: [髪] }, diffusion: {}, ssao: {}, focus: { aperture: 1 }, mirror: {}, ground_shadow: {} }'
run 0 render job.yaml -q -o 'all/%02d.png' --set "$all"
kept all "$all"

# Neutral values change nothing.
run 0 render job.yaml -q -o 'neutral/%02d.png' --set 'look={ grade: {} }'
expect_same_frames plain neutral

# The digest of the job depends on the bytes of the table, not on its name.
digest() { # FILE ARGUMENT...
    file=$1
    shift
    run 0 plan job.yaml --json "$@"
    sed -n 's/.*"digest": *"\([0-9a-f]*\)".*/\1/p' out | head -n 1 >"$file"
    expect_file "$file"
}
cp warm.cube same.cube
sed 's/0.1 0.9 0/0.1 0.8 0/' warm.cube >other.cube
digest a --set look.grade=warm.cube
digest b --set look.grade=same.cube
digest c --set look.grade=other.cube
expect_same a b
expect_different a c

digest d --set look.accumulate.samples=8
digest e --set look.accumulate.samples=9
expect_different d e
digest d --set "$lens"
digest e --set "$lens" --set models.0.id=x --set look.focus.model=x
digest c --set "$lens" --set look.focus.bone=右手首
expect_same d e
expect_different d c

run 0 check job.yaml --set 'look={ glow: {} }'
expect_text out '  glow: 0 materials'
run 0 check job.yaml --set 'look={ glow: { materials: [スカート, 髪] } }'
expect_text out '  glow: 2 materials'

# Mistakes.
run 78 check job.yaml --set "$lens" --set look.focus.bone=右手
expect_text err "look.focus.bone: no bone '右手' in figure.pmx"
run 78 check job.yaml --set "$lens" --set look.focus.model=nobody
expect_text err "look.focus.model: no model has the id 'nobody'"
run 66 check job.yaml --set look.grade=wram.cube
expect_text err "look.grade.lut: cannot open 'wram.cube'"
run 65 check job.yaml --set look.grade=job.yaml
expect_text err 'job.yaml'
run 78 check job.yaml --set look.grade.contrast=5
expect_text err 'look.grade.contrast'
run 78 check job.yaml --set 'outputs=["warm.cube"]' --set look.grade=warm.cube
expect_text err 'warm.cube'

finish

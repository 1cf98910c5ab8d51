#!/bin/sh
# SPDX-License-Identifier: MIT
# plan: frames, shards, sources of values, memory, measurements.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

unset SLURM_CPUS_PER_TASK
# Shards are ranges of segments, each of one second at 30 frames/s.
small="--set render.size=[64,36] --set render.fps=30"

# shellcheck disable=SC2086
run 0 plan "$ODORI_DEMO/demo.yaml" $small -o o.mp4 -f 0-99,200-249 -j 2 --shards 4
expect_empty err
expect_text out ': 150 frames of 64x36, 5.00 s at 30 frames/s'
expect_text out '  frames   0-99,200-249 in 5 segments of 30'
expect_text out '      1/4  0-29, 30 frames'
expect_text out '      3/4  60-89, 30 frames'
expect_text out '      4/4  90-99,200-249, 60 frames'
expect_text out "    render.size: [64, 36]    (--set)"
expect_text out '    render.workers: 2    (--workers)'
expect_text out '    render.frames: 0-99,200-249    (--frames)'
expect_no_file o.mp4

# A missing directory of shaders, although a plan draws nothing.
run 66 plan "$ODORI_DEMO/demo.yaml" -o o.mp4 --shader-dir none
expect_text err "odori: error: --shader-dir:1:19: render.shader_dir: cannot open '$PWD/none': No such file"
expect_empty out

# More shards than segments: some are empty.
# shellcheck disable=SC2086
run 0 plan "$ODORI_DEMO/demo.yaml" $small -o o.mp4 -f 0-9 --shards 2
expect_text out '      1/2  no segment'
expect_text out '      2/2  0-9, 10 frames'

# Precedence: the flag, then --set, then the scheduler's variable.
run 0 plan "$ODORI_DEMO/demo.yaml" -o o.mp4 -j 1 --set render.workers=2 --json
expect_text out '{"key":"render.workers","value":"1","source":"--workers"}'
expect_text out '"workers":1'
SLURM_CPUS_PER_TASK=1 run 0 plan "$ODORI_DEMO/demo.yaml" -o o.mp4 --json
expect_text out '{"key":"render.workers","value":"1","source":"SLURM_CPUS_PER_TASK"}'

# The estimate of time counts the frames before the first one, which are simulated, and ticks and warm-up of physics.
more() { # TEXT FIELD FACTOR ARGUMENT...: the arguments make a number of the plan larger by a factor
    what=$1 field=$2 factor=$3
    shift 3
    run 0 plan "$ODORI_DEMO/demo.yaml" -o o.mp4 -f 9 -j 1 --json
    plain=$(sed -n "s/.*\"$field\":\([0-9.e-]*\).*/\1/p" out)
    run 0 plan "$ODORI_DEMO/demo.yaml" -o o.mp4 -f 9 -j 1 --json "$@"
    if awk "BEGIN { exit !($(sed -n "s/.*\"$field\":\([0-9.e-]*\).*/\1/p" out) > $factor * $plain) }"; then
        pass
    else
        fail "$what: $field is not $factor times $plain"
    fi
}
more 'a far frame' total_s 20 -f 35999
more 'many ticks' evaluate_s 3 --set physics.step_hz=1200
more 'warm-up' start_s 1.5 --set physics.step_hz=1200 --set physics.warmup_s=60

# The digest of the bake depends on the simulation, not on rendering.
bake() { sed -n 's/.*"bake":"\([0-9a-f]*\)".*/\1/p' out; }
run 0 plan "$ODORI_DEMO/demo.yaml" -o o.mp4 --json
one=$(bake)
run 0 plan "$ODORI_DEMO/demo.yaml" -o o.mp4 --set "render.size=[64,36]" --json
if [ "$one" = "$(bake)" ] && [ ${#one} = 64 ]; then pass; else fail "the digest of the bake depends on the size"; fi
run 0 plan "$ODORI_DEMO/demo.yaml" -o o.mp4 --set "physics.gravity=[0,-9,0]" --json
if [ "$one" != "$(bake)" ]; then pass; else fail "the digest of the bake does not depend on gravity"; fi

# The estimate of memory depends on the frame size and the number of workers.
peak() { sed -n 's/.*"peak":\([0-9]*\).*/\1/p' out; }
# shellcheck disable=SC2086
run 0 plan "$ODORI_DEMO/demo.yaml" $small -o o.mp4 -j 1 --json
one_worker=$(peak)
# shellcheck disable=SC2086
run 0 plan "$ODORI_DEMO/demo.yaml" $small -o o.mp4 -j 2 --json
if [ "$(peak)" -gt $((one_worker + 100000000)) ]; then pass; else fail "the second worker is not counted"; fi
run 0 plan "$ODORI_DEMO/demo.yaml" -o o.mp4 -j 1 --set "render.size=[3840,2160]" --json
if [ "$(peak)" -gt $((one_worker + 1000000000)) ]; then pass; else fail "the frame size is not counted"; fi

# Measurement: no file remains; a list of digests has 66 bytes and a number per frame.
expect_text out '"measured":false'
mkdir tmp film
# shellcheck disable=SC2086
TMPDIR=$PWD/tmp run 0 plan "$ODORI_DEMO/demo.yaml" $small -f 600-629 --try --json \
    --set "outputs=[{file: '$PWD/film/o.sha256'}, {file: '$PWD/film/o.mp4'}, {file: '$PWD/film/%d.png'}]"
expect_empty err
expect_text out '"measured":true'
expect_text out 'o.sha256","kind":"hash","frame_bytes":69}'
if grep -q '"kind":"video","frame_bytes":[1-9]' out; then pass; else fail "the video has no measured size"; fi
if grep -q '"kind":"png","frame_bytes":[1-9]' out; then pass; else fail "the PNG has no measured size"; fi
if [ -z "$(find tmp film -type f)" ]; then pass; else fail "the measurement leaves files"; fi
TMPDIR=$PWD/none run 73 plan "$ODORI_DEMO/demo.yaml" -o o.mp4 --try

run 2 plan "$ODORI_DEMO/demo.yaml" --shards 0
expect_text err "--shards: '0' is not a whole number (1..10000)"
run 66 plan none.yaml

finish

#!/bin/sh
# What a job will take, before it is drawn: frames, shards, sources of values, memory.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

unset SLURM_CPUS_PER_TASK
# Shards are runs of pieces, a second of video each at 30 a second.
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

# More shards than pieces: some are empty.
# shellcheck disable=SC2086
run 0 plan "$ODORI_DEMO/demo.yaml" $small -o o.mp4 -f 0-9 --shards 2
expect_text out '      1/2  none, 0 frames'
expect_text out '      2/2  0-9, 10 frames'

# Precedence: the flag, then --set, then the scheduler's variable.
run 0 plan "$ODORI_DEMO/demo.yaml" -o o.mp4 -j 1 --set render.workers=2 --json
expect_text out '{"key":"render.workers","value":"1","source":"--workers"}'
expect_text out '"workers":1'
SLURM_CPUS_PER_TASK=1 run 0 plan "$ODORI_DEMO/demo.yaml" -o o.mp4 --json
expect_text out '{"key":"render.workers","value":"1","source":"SLURM_CPUS_PER_TASK"}'

# The same bake whatever is drawn of it; another when the dance moves.
bake() { sed -n 's/.*"bake":"\([0-9a-f]*\)".*/\1/p' out; }
run 0 plan "$ODORI_DEMO/demo.yaml" -o o.mp4 --json
one=$(bake)
run 0 plan "$ODORI_DEMO/demo.yaml" -o o.mp4 --set "render.size=[64,36]" --json
if [ "$one" = "$(bake)" ] && [ ${#one} = 64 ]; then pass; else fail "the bake of another size is another"; fi
run 0 plan "$ODORI_DEMO/demo.yaml" -o o.mp4 --set "physics.gravity=[0,-9,0]" --json
if [ "$one" != "$(bake)" ]; then pass; else fail "gravity makes no other bake"; fi

# Memory grows with the pictures and with the workers.
peak() { sed -n 's/.*"peak":\([0-9]*\).*/\1/p' out; }
# shellcheck disable=SC2086
run 0 plan "$ODORI_DEMO/demo.yaml" $small -o o.mp4 -j 1 --json
least=$(peak)
# shellcheck disable=SC2086
run 0 plan "$ODORI_DEMO/demo.yaml" $small -o o.mp4 -j 2 --json
if [ "$(peak)" -gt $((least + 100000000)) ]; then pass; else fail "a second worker costs nothing"; fi
run 0 plan "$ODORI_DEMO/demo.yaml" -o o.mp4 -j 1 --set "render.size=[3840,2160]" --json
if [ "$(peak)" -gt $((least + 1000000000)) ]; then pass; else fail "4K costs nothing"; fi

# Measured by drawing: nothing stays, and a list of digests takes 66 bytes a picture, and its number.
expect_text out '"measured":false'
mkdir tmp film
# shellcheck disable=SC2086
TMPDIR=$PWD/tmp run 0 plan "$ODORI_DEMO/demo.yaml" $small -f 600-629 --try --json \
    --set "outputs=[{file: '$PWD/film/o.sha256'}, {file: '$PWD/film/o.mp4'}, {file: '$PWD/film/%d.png'}]"
expect_empty err
expect_text out '"measured":true'
expect_text out 'o.sha256","kind":"hash","frame_bytes":69}'
if grep -q '"kind":"video","frame_bytes":[1-9]' out; then pass; else fail "a video has no size"; fi
if grep -q '"kind":"png","frame_bytes":[1-9]' out; then pass; else fail "a PNG has no size"; fi
if [ -z "$(find tmp film -type f)" ]; then pass; else fail "a trial leaves files"; fi
TMPDIR=$PWD/none run 73 plan "$ODORI_DEMO/demo.yaml" -o o.mp4 --try

run 2 plan "$ODORI_DEMO/demo.yaml" --shards 0
expect_text err "--shards: '0' is not a whole number (1..10000)"
run 66 plan none.yaml

finish

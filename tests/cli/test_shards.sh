#!/bin/sh
# SPDX-License-Identifier: MIT
# Shards in any order and number produce the same files as one run.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

ln -s "$ODORI_DEMO" demo
common='--set render.size=[160,90] --set render.samples=1 --set shadows.map_size=256 -f 0-69
      --progress none -q'
small="$common --workers 1"


outputs() { # DIRECTORY: a film with sound, digests, stills and a GIF, whose palette is that of all frames
    echo "--set outputs=[$PWD/$1/a.mp4,$PWD/$1/a.sha256,$PWD/$1/%03d.png,$PWD/$1/a.gif]"
}

# shellcheck disable=SC2046,SC2086  # several words
run 0 render demo/demo.yaml $small $(outputs one)
expect_file one/a.mp4
find one -type f -path "one/[!.]*" >files
if [ "$(grep -c . files)" = 73 ]; then pass; else fail "not 73 files"; fi

# Shards out of order, with different numbers of shards.  Uninitialised memory must not matter (some
# encoders have read it).
# shellcheck disable=SC2046,SC2086
{
    MALLOC_PERTURB_=85 run 0 render demo/demo.yaml $small $(outputs many) --shard 3/3
    run 75 join demo/demo.yaml $small $(outputs many)
    expect_text err 'error: 60 of 70 frames are missing: 0-59'
    expect_no_file many/a.mp4
    MALLOC_PERTURB_=170 run 0 render demo/demo.yaml $small $(outputs many) --shard 1/2
    run 0 render demo/demo.yaml $small $(outputs many) --shard 2/2
    run 0 join demo/demo.yaml $small $(outputs many)
}
expect_same one/a.mp4 many/a.mp4
expect_same one/a.sha256 many/a.sha256
expect_same one/a.gif many/a.gif
for still in 000 029 030 069; do
    expect_same one/$still.png many/$still.png
done

# Each frame is rendered once, by the first shard that contains it.
for shard in 0001-of-0002 0002-of-0002 0003-of-0003; do
    grep -c '"output":2' "many/.a.mp4.odori/ledger/$shard.jsonl"
done >counts
expect_content counts <<'END'
30
30
10
END
if [ -d many/.a.mp4.odori/segment ]; then fail "segments remain"; else pass; fi

# Only missing frames are rendered again.
# shellcheck disable=SC2046,SC2086
{
    run 0 render demo/demo.yaml $small $(outputs many)
    rm many/005.png
    run 0 render demo/demo.yaml $small $(outputs many)
}
expect_same one/005.png many/005.png

# The shards use a bake in the checkpoint directory, with equal frames.
# shellcheck disable=SC2046,SC2086
{
    run 0 bake demo/demo.yaml $common $(outputs baked)
    expect_file baked/.a.mp4.odori/bake/*.bake
    run 0 render demo/demo.yaml $small $(outputs baked) --shard 2/2
    run 0 render demo/demo.yaml $small $(outputs baked) --shard 1/2
    run 0 join demo/demo.yaml $small $(outputs baked)
}
expect_same one/a.mp4 baked/a.mp4

# Invalid shards and conflicting flags.
# shellcheck disable=SC2086
for shard in 0/2 3/2 1 x/2 1/0 auto; do
    run 2 render demo/demo.yaml $small -o z.mp4 --shard $shard
done
# shellcheck disable=SC2086
run 2 render demo/demo.yaml $small -o z.mp4 --no-clobber --overwrite
expect_no_file z.mp4

# The checkpoint directory of another job.
# shellcheck disable=SC2086
{
    run 0 render demo/demo.yaml $small -f 0-1 -o other.mp4
    run 73 render demo/demo.yaml $small -f 0-2 -o other.mp4 --no-clobber
    expect_text err "belongs to another job (render.frames: "
    # Shards of an edited film that is finished use its frames; one that is not finished is refused.
    run 0 render demo/demo.yaml $small -f 0-2 -o other.mp4 --shard 1/1000
    run 75 join demo/demo.yaml $small -f 0-2 -o other.mp4
    run 73 render demo/demo.yaml $small -f 0-3 -o other.mp4 --shard 1/1000
    expect_text err "belongs to another job (render.frames: "
    run 73 join demo/demo.yaml $small -f 0-3 -o other.mp4
    run 0 render demo/demo.yaml $small -f 0-2 -o other.mp4
    run 0 render demo/demo.yaml $small -f 0-2 -o other.mp4 --no-clobber
    run 73 render demo/demo.yaml $small -f 0-2 -o other.mp4 --no-clobber --state elsewhere
}
finish

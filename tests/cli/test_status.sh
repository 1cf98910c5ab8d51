#!/bin/sh
# SPDX-License-Identifier: MIT
# status and verify while shards render a job, and afterwards.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

cat >job.yaml <<END
version: 1
name: part
models: [ { file: $ODORI_DEMO/figure.pmx, motions: [ $ODORI_DEMO/dance.vmd ] } ]
audio: $ODORI_DEMO/tune.wav
render: { size: [32, 18], fps: 30, frames: "5-39,100-129", workers: 1, samples: 1 }
shadows: { self: false, map_size: 256 }
outputs: [ film/film.mkv ]
END

run 75 status job.yaml
expect_content out <<END
part: not started, 'film/.film.mkv.odori' does not exist
END
expect_empty err
run 66 verify job.yaml
mkdir empty
run 66 status empty

# Three segments: frames 5 to 34, 35 to 39 and 100 to 124, and 125 to 129.
run 0 render job.yaml --shard 2/3 --progress none
run 75 status job.yaml
expect_text out "part: stopped, 30 of 65 frames in film/.film.mkv.odori"
expect_text out '  missing  5-34,125-129'
expect_text out "  output   $PWD/film/film.mkv (segments): 30 of 65 frames"
expect_text out '  shard    0002-of-0003: 30 frames, last run '
expect_empty err
run 75 status film/.film.mkv.odori/ --json
expect_text out '"status":"stopped","frames":65,"done":30,"missing":[[5,34],[125,129]],"running":[],"changed":null'
run 75 verify job.yaml
expect_text out 'intact   film/.film.mkv.odori/segment/0-000001.nut: 30 frames, digests match'
expect_text out 'film.mkv: frames 5-34,125-129 are not rendered'

# A changed job; options that do not affect frames are not reported.
run 75 status job.yaml --set render.samples=4 --set name=other -j 2
expect_text out '  changed  render.samples: 1 in the checkpoint directory, 4 in the job'

# Only verify detects damage inside a segment.
cp -r film/.film.mkv.odori copy
size=$(wc -c <copy/segment/0-000001.nut)
printf X | dd of=copy/segment/0-000001.nut bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
run 75 status copy
expect_text out '30 of 65 frames'
run 1 verify copy
expect_text out 'damaged  copy/segment/0-000001.nut: digests differ from the recorded ones'
expect_empty err

run 0 render job.yaml --shard 1/3 --progress none
run 0 render job.yaml --shard 3/3 --progress none
run 75 status job.yaml
expect_text out 'part: rendered, not joined, 65 of 65 frames'
run 75 verify job.yaml
expect_text out 'all frames are rendered, not joined'
run 0 join job.yaml --progress none
run 0 status job.yaml
expect_text out 'part: finished, 65 of 65 frames'
run 0 verify job.yaml film/film.mkv
expect_text out "intact   $PWD/film/film.mkv: 65 frames of 32x18, 2.16"
expect_text out 'intact   film/film.mkv: 65 frames of 32x18, 2.16'

# All containers can be read, with their sound.
small="-f 5-9 --progress none --set render.size=[16,16]"
for ending in avi ts gif; do
    # shellcheck disable=SC2086
    run 0 render job.yaml -o "other/film.$ending" $small
    run 0 verify "other/.film.$ending.odori"
    expect_text out "film.$ending: 5 frames of 16x16, 0."
done

# Damage of the film.
printf X | dd of=film/film.mkv bs=1 seek=3000 conv=notrunc 2>/dev/null
run 0 status job.yaml
run 1 verify job.yaml --json
expect_text out 'film.mkv","message":"digest differs from the recorded one"'
expect_text out '"ok":false,"damaged":1,"missing":0}'
rm film/film.mkv
run 75 status job.yaml
run 1 verify film/.film.mkv.odori
expect_text out 'film.mkv: file is missing'

# Without a file: the frames are drawn and recorded, and those of a finished film not drawn again.
drawn() { # FRAMES VERB [FLAG...]
    frames=$1
    shift
    run 0 "$@" job.yaml -o null: -f 5-9 --state no/file --set 'render.size=[16,16]' --progress json
    if grep -qF "\"rendered\":$frames," err; then pass; else fail "$*: not $frames frames rendered"; fi
}
drawn 2 render --shard 1/2
run 75 status no/file
expect_text out 'part: stopped, 2 of 5 frames in no/file'
expect_text out '  missing  7-9'
expect_text out '  output   null: (no file): 2 of 5 frames, 0 bytes'
run 75 verify no/file
expect_text out 'missing  null:: frames 7-9 are not rendered'
run 75 join job.yaml -o null: -f 5-9 --state no/file --set 'render.size=[16,16]'
drawn 3 render
drawn 0 render
expect_text err 'nothing to render'
run 0 status no/file --json
expect_text out '"status":"finished","frames":5,"done":5,"missing":[]'
run 0 verify no/file
drawn 5 render --overwrite

# A stream leaves nothing to compare.
mkfifo film.nut
timeout 300 cat film.nut >streamed &
run 0 render job.yaml -o film.nut -f 5-9 --state fifo --set 'render.size=[16,16]'
wait
run 0 status fifo
expect_text out "film.nut (single file): complete"
run 0 verify fifo

echo '{' >film/.film.mkv.odori/job.json
run 65 status film/.film.mkv.odori
expect_text err 'job.json: line 2: not a job.json of a checkpoint directory'
run 65 verify film/.film.mkv.odori

finish

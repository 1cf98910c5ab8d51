#!/bin/sh
# SPDX-License-Identifier: MIT
# Previews: separately, after a film, equal for any number of workers.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"

ln -s "$ODORI_DEMO" demo

# A job without previews gets a contact sheet beside its first output.
cat >plain.yaml <<'END'
version: 1
name: a/b
models: [ { file: demo/figure.pmx, motions: [demo/dance.vmd] } ]
shadows: { self: false, map_size: 256 }
render: { size: [64, 36], samples: 1, frames: 0-4 }
outputs: [ o/film.sha256 ]
END
ODORI_SANDBOX=off run 0 preview plain.yaml --summary o/summary.md -j 1 # which keeps its shaders for the others
expect_file o/a-b-sheet.png
expect_no_file o/film.sha256
expect_text err '5 frames in '
expect_text err 'wrote o/a-b-sheet.png'
expect_text o/summary.md '# a/b'
expect_text o/summary.md '![a-b-sheet.png](a-b-sheet.png)'
expect_text o/summary.md '| Length | 0:00.08 |'
expect_text o/summary.md '| Frames | 5 at 60 per second |'
expect_text o/summary.md '| Size | 64 × 36 |'
expect_text o/summary.md '| Motion | dance.vmd |'
expect_text o/summary.md '| Camera | follows the models |'
run 0 preview plain.yaml -o o/path.png --summary o/path.md --set 'camera.path=[{ frame: 0, eye: [0, 10, -40], target: [0, 10, 0] }]'
expect_text o/path.md '| Camera | path |'
run 0 preview plain.yaml -o three.png -j 3
expect_same o/a-b-sheet.png three.png

# Files instead of a job.
run 0 preview demo/figure.pmx demo/dance.vmd -f 0-1 --set 'render.size=[64,36]'
expect_file figure-sheet.png
expect_text err '2 frames in '

# Previews of the job, separately and after the film; a full-size still equals its frame.
cat >job.yaml <<'END'
version: 1
models: [ { file: demo/figure.pmx, motions: [demo/dance.vmd] } ]
shadows: { self: false, map_size: 256 }
render: { size: [64, 36], samples: 1, frames: 0-3 }
outputs: [ "frames/%02d.png" ]
previews:
  - { type: sheet, file: p/sheet.png, cells: [2, 1], width: 48 }
  - { type: still, file: p/still.png, frame: 2 }
  - { type: still, file: p/small.png, time_s: 0.05, width: 48 }
  - { type: gif, file: p/small.gif, fps: 60 }
  - { type: webp, file: p/small.webp, fps: 30 }
END
run 0 render job.yaml --progress json
expect_text err 'job.yaml: previews.3.fps: a .gif has at most 50 frames/s; written with 50'
expect_text err '"event":"stage","stage":"preview","total":2,'
expect_text err '"rendered":4,'
expect_text err 'p/still.png'
expect_same frames/02.png p/still.png
mv p first
run 0 preview job.yaml -q
expect_empty err
# Frames 0, 1 and 2 of 60 frames/s at 50 frames/s, as another program reads them.
if command -v ffprobe >/dev/null; then
    ffprobe -v error -show_entries packet=pts,duration -of csv=p=0 p/small.gif >out
    expect_content out <<'END'
0,2
2,2
4,2
END
    run 0 render job.yaml -q -f 0 -o still.png --set previews=[]
    ffmpeg -hide_banner -i p/small.gif -i still.png -lavfi '[0]trim=end_frame=1[a];[a][1]psnr' -f null - 2>&1 |
        sed -n 's/.*PSNR .*average:\([0-9]*\|inf\).*/\1/p' >out
    if [ "$(cat out)" = inf ] || [ "$(cat out)" -ge 32 ]; then pass; else fail "the first frame of the GIF differs"; fi
else
    skip "ffprobe is not installed: the GIF is not read by it"
fi
for name in sheet.png still.png small.png small.gif small.webp; do expect_same first/$name p/$name; done

# Frames 0 and 2 of 60 frames/s at 30 frames/s: durations of 33 and 34 ms, endless loop.
numbers() { # FILE OFFSET COUNT
    od -An -tu1 -j "$2" -N "$3" "$1" | tr -s ' \n' ' '
}
numbers p/small.webp 8 4 >out
expect_text out ' 87 69 66 80 ' # WEBP
numbers p/small.webp 42 2 >out # after RIFF, VP8X and the color in ANIM
expect_text out ' 0 0 '
numbers p/small.webp 64 3 >out # after position and size in the first ANMF
expect_text out ' 33 0 0 '

# A summary shows every preview, and the warnings with their classes and places.
run 0 preview job.yaml -q --summary p/page.md
if [ "$(grep -c '^!\[' p/page.md)" = 5 ]; then pass; else fail "not every preview is in the summary"; fi
expect_text p/page.md '![small.webp](small.webp)'
expect_text p/page.md '| Warnings | 1 |'
expect_text p/page.md '| preview | job.yaml | previews.3.fps: a .gif has at most 50 frames/s; written with 50 |'
run 0 preview job.yaml -q --summary p/page.md --fps 50
if grep -q '## Warnings' p/page.md; then fail "a list without warnings"; else pass; fi
silent_job
cp demo/dance.vmd 'a|b<i>.vmd'
run 0 preview tiny.yaml -o one.png --summary one.md --set 'models=[{file: board.x, motions: [a|b<i>.vmd]}]'
expect_text one.md '| misfit | --set:1:35 | models.0.motions.0.file: 1 of '
if grep -q '<i>' one.md; then fail "a name is markup"; else pass; fi

run 78 check job.yaml --set previews.4.file=p/small.png
expect_text err "previews.4.file: 'small.png' is not the name of a single .webp file"
run 2 preview job.yaml -o sheet.jpg
expect_text err "'sheet.jpg' is not the name of a single .png file"
run 2 preview
run 73 preview job.yaml -o demo/demo.yaml/sheet.png
run 78 check job.yaml --set previews.0.width=4096 --set 'previews.0.cells=[6,4]'
expect_text err 'previews.0: a sheet of 6 x 4 cells of 4096x2304 pixels exceeds 16384 pixels in width or height'
part='previews=[{type: sheet, file: part.png, range_s: [5, 6]}]'
run 0 preview plain.yaml --set "$part"
expect_text err 'plain.yaml: previews.0.range_s: no frames in 5..6 s; the preview is skipped'
expect_no_file part.png
run 65 preview plain.yaml --set "$part" --strict

# Physics begins 2 s before the frame of a preview, at frame 0 with 0 and where the film is shorter
# than that, and where a preview follows a film.
late='physics begins 2 s before each frame'
run 0 preview plain.yaml -f 200 -o short.png
expect_text err "$late"
run 0 preview plain.yaml -f 200 -o zero.png --preroll 0
if grep -q 'physics begins' err; then fail 'physics begins late'; else pass; fi
run 0 preview plain.yaml -f 200 -o long.png --preroll 10s
if grep -q 'physics begins' err; then fail 'physics begins late'; else pass; fi
expect_same zero.png long.png
if cmp -s zero.png short.png; then fail "a preroll changes nothing"; else pass; fi
run 0 preview plain.yaml -f 100 -o early.png
if grep -q 'physics begins' err; then fail 'physics begins late'; else pass; fi
run 0 preview plain.yaml -f 200 -o nothing.png --no-physics
if grep -q 'physics begins' err; then fail 'physics begins late'; else pass; fi
run 0 render plain.yaml -f 200 -o after.mp4 -q --set 'previews=[{type: sheet, file: after.png, cells: [1, 1]}]' --previews
run 0 preview plain.yaml -f 200 -q --preroll 0 --set 'previews=[{type: sheet, file: alone.png, cells: [1, 1]}]'
expect_same after.png alone.png

# Of a film, where the job asks for it: the same frames in shards, after a stop and from a bake.
set -- plain.yaml -f 200-203,280,300-303 --preroll 0.5s
run 0 check plain.yaml --preroll 0.5s --set 'render.frames=200-203,280,300-303'
expect_text err 'physics.preroll_s: physics begins 0.5 s before the first frame: '
run 0 render "$@" -o 'whole/%03d.png' -q -j 1
run 0 render "$@" -o 'part/%03d.png' -q --shard 2/2
run 0 render "$@" -o 'part/%03d.png' -q --shard 1/2 -j 2
run 0 bake "$@" -o dance.bake -q
run 0 render "$@" -o 'baked/%03d.png' -q --set physics.bake=dance.bake
for frame in 200 203 280 300 303; do
    expect_same "whole/$frame.png" "part/$frame.png"
    expect_same "whole/$frame.png" "baked/$frame.png"
done
run 2 check plain.yaml --preroll 3x
expect_text err "physics.preroll_s: '3x' is not a number (0..3600)"
expect_no_temporaries .

finish

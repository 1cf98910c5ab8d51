#!/bin/sh
# SPDX-License-Identifier: MIT
# A percent sign is a character of directories and of single files; only the name of an image sequence has a number.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"

mkdir 50%done %date% %d%d
cd %d%d || exit 1
silent_job
cd ..
cp %d%d/* .
expect_whole() { # FILE...
    for file; do
        if [ -s "$file" ]; then pass; else fail "$file was not written: $(cat err)"; fi
    done
}
for name in 50%done/out.mp4 %date%/%date%.mp4 100%05d.sha256 %d%d/%d%d.gif %s%n.tar; do
    run 0 render tiny.yaml -f 0-1 -o "$name"
    expect_whole "$name"
done
run 0 render tiny.yaml -f 0-1 -o 50%done/out.mp4
run 0 render tiny.yaml -f 0-2 --overwrite -o 50%done/out.mp4
run 0 bake tiny.yaml -f 0-1 -o 100%d/100%d.bake
run 0 render tiny.yaml -f 0-1 -o 50%done/%d%d/100%_%02d.png
run 0 render tiny.yaml -f 0-2 -o 50%done/%d%d/100%_%02d.png
run 0 render tiny.yaml -f 0-1 --state %d%d/state -o %d%d/%d.mp4
run 0 preview tiny.yaml -f 0-1 -o 100%d.png
run 0 preview tiny.yaml --set 'previews=[{ type: gif, file: "%d/100%d.gif", width: 16 }]' -f 0-3
run 0 info board.x -o 100%d-board.png
run 0 info camera.vmd -o %d-%d.png
run 0 compare 50%done/%d%d/100%_%02d.png 50%done/%d%d
run 0 render %d%d/tiny.yaml -f 0-1
run 0 report tiny.yaml -o 100%d.html
expect_whole 100%d/100%d.bake 50%done/%d%d/100%_00.png 50%done/%d%d/100%_02.png %d%d/%d.mp4 100%d.png %d/100%d.gif \
    100%d-board.png %d-%d.png %d%d/film.mp4 100%d.html
run 0 render tiny.yaml -f 0-9 --shard 1/2 -o %d%d/100%d.mp4
run 0 render tiny.yaml -f 0-9 --shard 2/2 -o %d%d/100%d.mp4
run 0 join tiny.yaml -f 0-9 -o %d%d/100%d.mp4
printf 'version: 1\nbase: tiny.yaml\nout: "100%%d/{name}.mp4"\nmatrix: { size: { 50%%d: { render.frames: 0-1 } } }\n' >%d%d/all.yaml
run 0 batch run %d%d/all.yaml
expect_whole %d%d/100%d.mp4 %d%d/100%d/50%d.mp4
finish

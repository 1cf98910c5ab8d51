#!/bin/sh
# SPDX-License-Identifier: MIT
# A file that exists is replaced if this job wrote it, or with --overwrite; no other file is ever lost.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"

silent_job
sed -i 's/film.mp4/film.sha256/' tiny.yaml
refused() { # FILE ARGUMENT...: the file of somebody else is refused and stays
    file=$1
    shift
    [ -e "$file" ] || { mkdir -p "$(dirname "$file")" && echo precious >"$file"; }
    cp "$file" kept
    run 73 "$@"
    expect_text err "exists and was not written by this job"
    expect_text err '--overwrite (-y)'
    expect_one_error
    expect_same "$file" kept
}
replaced() { # FILE ARGUMENT...: with -y
    file=$1
    shift
    cp "$file" kept
    run "$status" "$@" -y
    if cmp -s "$file" kept; then fail "$file was not replaced"; else pass; fi
}
status=0
both() {
    refused "$@"
    replaced "$@"
    rm -f "$1"
}

# Every verb that writes a file.
both a.mp4 render tiny.yaml -o a.mp4
both a.sha256 render tiny.yaml -o a.sha256
both a.gif render tiny.yaml -o a.gif
both a.y4m render tiny.yaml -o a.y4m
both f/0007.png render tiny.yaml -o f/%04d.png
both sheet.png preview tiny.yaml -o sheet.png
both page.md preview tiny.yaml -o page.png --summary page.md
both a.bake bake tiny.yaml -o a.bake
both a.bin pose tiny.yaml --frames 0 --vertices a.bin
both a.svg plot "$ODORI_DEMO/figure.pmx" "$ODORI_DEMO/dance.vmd" --bone センター -f 0-2 -o a.svg
status=1
both d.png compare f/0001.png f/0000.png -o d.png
status=0
both demo/tune.mid demo --demo-dir demo -o null: -f 0 --set render.size='[16,16]' -q
refused p/0001.png render tiny.yaml -o b.sha256 --set 'previews=[{type: still, frame: 1, file: p/0001.png}]'

# By a link, too: the file to which it points stays.
echo precious >target
ln -s target link.mp4
refused link.mp4 render tiny.yaml -o link.mp4
ln -s nothing dangling.mp4
run 73 render tiny.yaml -o dangling.mp4
run 73 join tiny.yaml -o dangling.mp4

# An edited job replaces its own outputs, as long as they are unchanged.
previews='previews=[{type: still, frame: 1, file: still.png}]'
run 0 render tiny.yaml --set "$previews"
cp film.sha256 first.sha256
cp still.png first.png
run 0 render tiny.yaml --set "$previews" --set background.color='"#ff0000"'
expect_text err "replaces 'film.sha256', rendered by an earlier version of this job (background.color: was "
if cmp -s film.sha256 first.sha256; then fail 'the film is the old one'; else pass; fi
run 0 render tiny.yaml --set "$previews"
expect_same film.sha256 first.sha256
expect_same still.png first.png
run 0 render tiny.yaml --set "$previews"
expect_text err 'nothing to render'
printf x >>film.sha256
refused film.sha256 render tiny.yaml --set "$previews"
refused film.sha256 render tiny.yaml --set "$previews" --set background.color='"#ff0000"'
cp first.sha256 film.sha256
printf x >>still.png
refused still.png render tiny.yaml --set "$previews" --set background.color='"#ff0000"'
expect_same film.sha256 first.sha256
rm still.png
run 0 render tiny.yaml --set "$previews"
expect_same still.png first.png

# A moved film and its directory keep their record; without it the film is somebody's.
mkdir moved
mv film.sha256 .film.sha256.odori still.png moved
run 0 render tiny.yaml -o moved/film.sha256 --set background.color='"#00ff00"'
cp moved/film.sha256 other.sha256
refused other.sha256 render tiny.yaml -o other.sha256
rm -r moved/.film.sha256.odori
refused moved/film.sha256 render tiny.yaml -o moved/film.sha256

# Sequences: also a longer one of an earlier version, and a retouched frame.
run 0 render tiny.yaml -o s/%02d.png
cp -r s s1
run 0 render tiny.yaml -o s/%02d.png --set background.color='"#ff0000"'
run 0 render tiny.yaml -o s/%02d.png -f 0-4
run 0 render tiny.yaml -o s/%02d.png
expect_same s/04.png s1/04.png
printf x >>s/03.png
refused s/03.png render tiny.yaml -o s/%02d.png
refused s/03.png render tiny.yaml -o s/%02d.png --shard 1/1
rm s/03.png
run 0 render tiny.yaml -o s/%02d.png
expect_same s/03.png s1/03.png


# A sequence that was stopped: the same command starts again without its directory, and another size replaces its
# images, but none of others.
printf 'output_mib: 0.01\n' >small.yaml
stop() { # ARGUMENT...: after some images of the sequence t/
    run 69 render tiny.yaml -o t/%02d.png --limits small.yaml --set 'render.frames=0-999' "$@"
    expect_text err 'output_mib: '
    expect_file t/00.png
}
stop
cp t/00.png t00
rm -r t/.*.odori
stop
expect_same t/00.png t00
rm -r t/.*.odori
cp s/00.png t/00.png
cmp -s t/00.png t00 || fail 'the images differ from those of fewer frames'
printf x >>t/00.png
refused t/00.png render tiny.yaml -o t/%02d.png --set 'render.frames=0-999'
rm -r t
stop
stop --set 'render.size=[32,18]'
expect_text err "t/%02d.png', rendered by an earlier version of this job (render.size: was ["
cp t/00.png t00
printf x >>t/00.png
refused t/00.png render tiny.yaml -o t/%02d.png --set 'render.frames=0-999'
cp t00 t/00.png
run 73 render tiny.yaml -o t/%02d.png --set 'render.frames=0-999' --no-clobber
run 73 render tiny.yaml -o t/%02d.png --set 'render.frames=0-999' --shard 1/2

# Previews and pages are recorded without a film; so are outputs that cannot be resumed.
run 0 preview tiny.yaml -o again.png --summary again.md
run 0 preview tiny.yaml -o again.png --summary again.md --set background.color='"#ff0000"'
run 0 render tiny.yaml -o again.y4m
run 0 render tiny.yaml -o again.y4m --set background.color='"#ff0000"'
printf x >>again.md
refused again.md preview tiny.yaml -o again.png --summary again.md
expect_no_temporaries .
finish

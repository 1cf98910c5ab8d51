#!/bin/sh
# SPDX-License-Identifier: MIT
# Outputs that would replace an input or each other are refused, whatever their names.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"

tiny_job
cp "$ODORI_DEMO/film.mp4" dance.mp4
cp "$ODORI_DEMO/figure.pmx" figure.pmx
cp "$ODORI_DEMO"/*.png .
find . -type f ! -name out ! -name err -exec sha256sum {} + >"$work.sums" && mv "$work.sums" before
expect_untouched() { # WHAT
    if sha256sum -c --quiet before >changed 2>&1; then pass; else fail "$1: $(cat changed)"; fi
}

conflict() { # STATUS TEXT ARGUMENT...: refused with one message, before anything is written
    status=$1 text=$2
    shift 2
    run "$status" "$@"
    expect_text err "$text"
    expect_one_error
    expect_untouched "$*"
}

ln -s dance.mp4 link.mp4
ln dance.mp4 hard.mp4
ln -s . here
mkdir sub

# An input, by any of its names.
for name in dance.mp4 ./dance.mp4 sub/../dance.mp4 here/dance.mp4 link.mp4 hard.mp4 new/../dance.mp4; do
    for verb in check render join plan; do
        conflict 78 "outputs.0.file: '" $verb tiny.yaml --set 'background={video: dance.mp4}' --set "outputs=[$name]"
        expect_text err "would replace an input, 'dance.mp4' (background.video)"
    done
done
conflict 2 'would replace an input' render tiny.yaml -o "$work/dance.mp4" --set 'background={video: dance.mp4}'
conflict 2 'background.video' render tiny.yaml -y -o dance.mp4 --set 'background={video: dance.mp4}'
conflict 2 '(models.0.file)' bake tiny.yaml -o board.x
conflict 2 '(the job file)' bake tiny.yaml -o ./tiny.yaml
conflict 2 '(audio.file)' plot tiny.yaml --bone x -o noise.wav
conflict 2 '(camera.motion.file)' pose tiny.yaml --frames 0 --vertices camera.vmd
conflict 2 '(models.0.file)' preview tiny.yaml --summary board.x
conflict 2 "(texture of 'figure.pmx')" plot figure.pmx --bone x -o face.png
conflict 2 "(texture of 'figure.pmx')" render figure.pmx -f 0 -o face.png
conflict 2 '(second operand)' compare face.png dance.mp4 -o link.mp4
conflict 78 'previews.0.file' check tiny.yaml --set background.image=here/face.png \
    --set 'previews=[{type: still, frame: 1, file: face.png}]'

# A pattern that has an input among its frames.
cp face.png 007.png
sha256sum 007.png >>before
for pattern in %03d.png here/%03d.png ./%03d.png; do
    conflict 78 "would replace an input, '007.png' (background.image)" check tiny.yaml \
        --set background.image=007.png --set render.frames=0-9 --set "outputs=['$pattern']"
done
run 0 check tiny.yaml --set background.image=007.png --set render.frames=8-9 --set "outputs=['%03d.png']"
ln -s face.png s3.png
conflict 78 'would replace an input' check tiny.yaml --set background.image=face.png \
    --set render.frames=0-9 --set "outputs=['s%d.png']"

# A video whose name looks like a number replaces only the file of that very name.
cp dance.mp4 d%d.mp4
cp dance.mp4 d7.mp4
conflict 78 'would replace an input' check tiny.yaml --set 'background={video: d%d.mp4}' --set 'outputs=[d%d.mp4]'
run 0 check tiny.yaml --set 'background={video: d7.mp4}' --set render.frames=0-9 --set 'outputs=[d%d.mp4]'

# Outputs that are one file.
same() { # OUTPUTS
    conflict 78 'is the same file as another output' check tiny.yaml --set render.frames=0-19 --set "outputs=$1"
    expect_text err 'outputs.1.file'
}
same '[a.mp4, ./a.mp4]'
same '[a.mp4, here/a.mp4]'
same '[new/a.mp4, here/new/./a.mp4]'
same '[dance.mp4, hard.mp4]'
same "['%d.png', '1%d.png']"
same "['%d.png', './%d.png']"
same "['new/%02d.png', 'sub/../new/%d.png']"
run 0 check tiny.yaml --set render.frames=0-9 --set "outputs=['%d.png', '1%d.png']"
run 0 check tiny.yaml --set render.frames=0-19 --set "outputs=['a%d.png', 'b%d.png', sub/a.mp4, a.mp4]"
conflict 78 'previews.0.file' check tiny.yaml --set render.frames=0-9 --set "outputs=['p%03d.png']" \
    --set 'previews=[{type: still, frame: 2, file: p004.png}]'
expect_text err "is the same file as another output, '"
conflict 78 'previews.1.file' check tiny.yaml --set 'outputs=[o.mp4]' \
    --set 'previews=[{type: sheet, file: s.png}, {type: still, frame: 2, file: ./s.png}]'

# Between the jobs of a batch.
batch() { # JOBS
    printf 'version: 1\nbase: tiny.yaml\ninclude:\n%s\n' "$1" >batch.yaml
}
batch '  - { name: a, set: { outputs: [a.mp4] } }
  - { name: b, set: { outputs: [here/a.mp4] } }'
conflict 78 "job 'b'" batch plan batch.yaml
batch '  - { name: a, set: { outputs: [hard.mp4] } }
  - { name: b, set: { outputs: [b.mp4], background: { video: dance.mp4 } } }'
conflict 78 "job 'a'" batch plan batch.yaml
batch '  - { name: a, set: { outputs: [batch.yaml.mp4] } }
  - { name: b, set: { outputs: [./b.mp4] } }'
run 0 batch plan batch.yaml

# Links in a checkpoint directory are refused and not followed.
for name in ledger/0001-of-0001.jsonl lock renderers.txt report.json job.json segment ledger bake; do
    rm -rf state && mkdir -p state "state/$(dirname $name)"
    ln -s "$work/noise.wav" "state/$name"
    conflict 73 "state/$name' is a symbolic link" render tiny.yaml --state state -o films/a.mp4
done
rm -rf state && mkdir -p state/ledger
ln noise.wav state/ledger/0001-of-0001.jsonl
conflict 73 'is a hard link' render tiny.yaml --state state -o films/a.mp4

# A copy of a directory with films and checkpoints refers to the films of the copy.
mkdir P
run 0 render tiny.yaml --progress none -o P/a.mp4
cp -r P Q
echo junk >Q/a.mp4
run 1 verify Q/.a.mp4.odori
expect_text out "damaged  $work/Q/a.mp4"
run 0 verify P/.a.mp4.odori
rm -r Q && mv P Q
run 0 verify Q/.a.mp4.odori
run 0 status Q/.a.mp4.odori

# The JSON beside a pass is an output, too; outputs of the same pass share it.
conflict 78 "the JSON beside outputs.0.file: 'p/depth.json' is the same file as another output" check tiny.yaml \
    --set 'outputs=[{ file: "p/%d.png", pass: depth }, { file: p/depth.json, pass: pose }]' --set render.frames=0
run 0 check tiny.yaml --set 'outputs=[{ file: "p/%d.png", pass: depth }, { file: "p/x%d.png", pass: depth }]'

# A preview of a frame after the film.
conflict 78 'previews.0.frame: frame 47712698 is after the film (0..' check tiny.yaml --set outputs=[o.mp4] \
    --set 'previews=[{type: still, frame: 47712698, file: p.png}]'

finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# The job of a command line (--print-job) and of a directory (init), what would be rendered (--dry-run), and help about
# codecs, formats, encoders and caches; examples of all verbs.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

mkdir -p 'モデル/tex'
cp "$ODORI_DEMO"/*.png "$ODORI_DEMO"/figure.pmx 'モデル'
cp "$ODORI_DEMO"/dance.vmd "$ODORI_DEMO"/camera.vmd "$ODORI_DEMO"/tune.wav "$ODORI_DEMO"/stage.pmx .
ln -s /nowhere broken.vmd
echo text >notes.txt

# The printed job is what the command means: its complete form is the same, but for the name.
set -- 'モデル/figure.pmx' dance.vmd camera.vmd tune.wav -s 64x36 --crf 20 --look soft -f 0-4
run 0 "$@" --dump-config
grep -v '^name:' out >direct
run 0 "$@" --print-job
cp out printed.yaml
expect_text printed.yaml '- file: "モデル/figure.pmx"'
expect_text printed.yaml '  # width and height of the frames, [1280, 720] or 1280x720'
expect_text printed.yaml '  size: [64, 36]'
expect_text printed.yaml '- file: "figure-dance.mp4"'
if grep -q pixel_format printed.yaml; then fail 'defaults are printed'; else pass; fi
run 0 render printed.yaml --dump-config
grep -v '^name:' out >again
expect_same direct again
expect_no_file figure-dance.mp4

# --dry-run is plan.
run 0 plan printed.yaml
cp out planned
run 0 render printed.yaml --dry-run
expect_same out planned
"$ODORI" render printed.yaml --dry-run --json >out 2>err
expect_json plan out
expect_no_file figure-dance.mp4

# A directory: the first model, below it too; what is not used is listed.
run 0 init -q
expect_text job.yaml '  - file: "dance.vmd"'
expect_text job.yaml '    file: "camera.vmd"'
expect_text job.yaml '  file: "tune.wav"'
expect_text job.yaml '- file: "stage.pmx"'
expect_text job.yaml '#   モデル/figure.pmx'
run 0 plan job.yaml
run 73 init
expect_text err 'job.yaml'
run 0 init -y --json
expect_text out '"file":"job.yaml"'
mv camera.vmd dance.vmd tune.wav 'モデル'
run 0 init 'モデル/' -o figure.yaml -q
expect_text figure.yaml '- file: "モデル/figure.pmx"'
run 0 check figure.yaml
run 66 init 'モデル/tex'
expect_text err 'no model (.pmx, .pmd'
run 66 init none
run 2 init notes.txt
run 2 init a b

# Each flag of a verb is listed once.
for verb in render plan check; do
    run 0 help "$verb"
    if [ -z "$(grep -o '^  -.*' out | grep -o -- '--[a-z-]*' | sort | uniq -d)" ]; then
        pass
    else
        fail "help $verb lists a flag twice"
    fi
done

# What tables say of this machine.
run 0 help formats
expect_text out 'a PMX model'
expect_text out 'sha256                 a SHA-256 per frame'
expect_text out 'MP4 (MPEG-4 Part 14): h264, aac'
run 0 help codecs
expect_text out 'ffv1       ffv1           nut'
run 0 help encoders
expect_text out 'ffv1'
XDG_CACHE_HOME=$work/cache run 0 help cache
expect_text out "$work/cache/odori"

# Each verb has examples, whose flags it takes.
for verb in $("$ODORI" help | sed -n '/^More help/q; s/^  \([a-z]*\)  .*/\1/p'); do
    "$ODORI" help "$verb" >out 2>err
    sed -n '/^Examples:/,/^.odori schema/s/^  odori \(.*\)/\1/p' out | sed 's/   .*//; s/ [<>].*//' >examples
    expect_file examples
    while IFS= read -r line; do
        eval "set -- $line"
        run 0 "$@" --help
    done <examples
done

finish

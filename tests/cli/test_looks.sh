#!/bin/sh
# SPDX-License-Identifier: MIT
# Looks by name: what they stand for, what overrides them, in scenes, and the sheet of all of them.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

ln -s "$ODORI_DEMO" demo
cat >job.yaml <<'END'
version: 1
models: [ { file: demo/figure.pmx, motions: [demo/dance.vmd] } ]
render: { size: [80, 46], fps: 30, samples: 1, frames: 10-11, workers: 1 }
outputs: [ "o/%02d.png" ]
END

# The keys that help prints are those of the job: frames with them are those of the name.
run 0 help looks
cp out help
for name in soft stage film night clean; do
    expect_text help "  $name (+"
    sed -n "/^  $name (+/,/^\$/ { /^      / p; }" help >keys
    run 0 render job.yaml -q -f 10 -o "$name.png" --set "look=$name"
    {
        cat job.yaml
        echo 'look:'
        sed 's/^    //' keys
    } >written.yaml
    run 0 render written.yaml -q -f 10 -o "$name-written.png"
    expect_same "$name.png" "$name-written.png"
    run 0 render job.yaml -q -f 10 -o "$name-flag.png" --look "$name"
    expect_same "$name.png" "$name-flag.png"
done
run 0 render job.yaml -q -f 10 -o none.png
run 0 render job.yaml -q -f 10 -o named-none.png --look none
expect_same none.png named-none.png
if cmp -s none.png soft.png || cmp -s soft.png night.png; then fail 'looks are equal'; else pass; fi

# Key by key; null turns a section off; a section that the look does not have is added; short forms are maps.
{
    cat job.yaml
    echo 'look: { preset: night, grade: { contrast: 3 }, glow: null, focus: {} }'
} >own.yaml
run 0 render own.yaml --dump-config
sed -n '/^look:/,/^[a-z]*:$/ p' out | tr -d ' ' >dump
for line in preset:night contrast:3 temperature:-1 glow:null aperture:0.5 angle_deg:10 accumulate:null; do
    expect_text dump "$line"
done
run 0 render job.yaml --dump-config --set look=soft --set look.grade.contrast=3 --set look.ssao=null
tr -d ' ' <out >dump
expect_text dump 'contrast:3'
expect_text dump 'temperature:0.1'
expect_text dump 'ssao:null'

# Names.
run 78 check job.yaml --set look=sofd
expect_text err "look.preset: 'sofd' is not one of none, soft, stage, film, night, clean"
run 78 check job.yaml --set 'look={preset: 3}'
run 0 check job.yaml --set 'look=null'

# A scene has the look of the top level or its own; a card has no face to focus on.
cat >scenes.yaml <<'END'
version: 1
models: [ { id: dancer, file: demo/figure.pmx, motions: [demo/dance.vmd] } ]
look: film
scenes:
  - { models: [], camera: { fixed: {} }, frames: 0-1 }
  - { frames: 10-11 }
  - { frames: 10-11, look: clean }
render: { size: [80, 46], fps: 30, samples: 1, workers: 1 }
outputs: [ "s/%02d.png" ]
END
run 0 render scenes.yaml -q
run 0 render job.yaml -q -f 10 -o clean-alone.png --look clean
expect_same s/04.png clean-alone.png
if cmp -s s/02.png s/04.png; then fail 'both scenes have one look'; else pass; fi

# The sheet.
ODORI_SANDBOX=off run 0 preview job.yaml -q --looks # which keeps its shaders for the next one
expect_file o/job-looks.png
run 0 info o/job-looks.png
run 0 preview job.yaml -q --looks -f 10 -o sheet.png --set 'fade={ in: 1s }' --set 'look={ grade: { saturation: 0 } }'
expect_file sheet.png
run 78 preview scenes.yaml --looks -o no.png
expect_text err 'scenes.yaml:4:1: --looks compares looks of a job without scenes'
expect_no_file no.png

finish
